"""Draws piles of painted cubes in a tray, as one camera sees them, with the exact truth.

Every ray that leaves a camera above the table meets each height once: boxes are met by slabs along
the height, and what is met highest is seen. Shadows are found in the same way along the light.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.scene.arrays import Array, shrink, single
from vision.scene.colour import to_linear
from vision.scene.projection import Box, View

#: Cells of the maps of shadows in mm.
_CELL = 1.0
#: What light must miss a surface by to be its shadow, in mm.
_BIAS = 0.5
#: Width of the rounded edges of a cube, as a share of its half side.
_EDGE = 0.14
_NOTHING = -1
#: Boxes are looked for on every n-th ray.
_COARSE = 4


@dataclass(frozen=True, eq=False)
class Boxes:
    """Solid boxes, n of them; z points up from the table top, x and y are those of the plane."""

    centres: NDArray[np.float64]
    """(n, 3) in mm."""
    turns: NDArray[np.float64]
    """(n, 3, 3): column a is the direction of the box's axis a."""
    halves: NDArray[np.float64]
    """(n, 3): half the length along each axis in mm."""
    paints: Array
    """(n, 3): share of blue, green and red light that the paint gives back."""
    grains: Array
    """(n,): how strongly the grain of wood shows, 0 to about 0.3."""
    glosses: Array
    """(n,): how much of the lamp the varnish mirrors, 0 to 1."""

    def __len__(self) -> int:
        return len(self.centres)

    @property
    def top(self) -> float:
        """Height of the highest corner in mm."""
        reach = (np.abs(self.turns[:, 2]) * self.halves).sum(axis=1)
        return float((self.centres[:, 2] + reach).max(initial=0.0))


@dataclass(frozen=True)
class Beam:
    """Light from one direction: `slope` (x, y) in mm that it moves aside for each mm upwards."""

    slope: tuple[float, float]
    strength: float

    @property
    def direction(self) -> NDArray[np.float64]:
        """Unit vector towards the light."""
        towards = np.array([*self.slope, 1.0])
        return np.asarray(towards / np.linalg.norm(towards))


@dataclass(frozen=True)
class Glow:
    """The light on a tray: beams of the lamp and of the room, and what comes from everywhere."""

    lamp: Sequence[Beam]
    room: Sequence[Beam]
    everywhere: float


@dataclass(frozen=True, eq=False)
class Seen:
    """What rays meet: arrays of the rays' shape."""

    heights: Array
    """Height in mm of what is met; 0 on the table."""
    ids: NDArray[np.int16]
    """Index of the box, or -1 where the table is seen."""
    points: Array
    """(…, 3) place in mm."""
    normals: Array
    """(…, 3) direction of the surface, its edges rounded."""
    local: Array
    """(…, 3) place in the box's own axes, in half lengths, -1 to 1."""


def trace(low: Array, rise: Array, boxes: Boxes) -> Seen:
    """What rays meet that are at `low` (h, w, 2) on the table, and move `rise` mm for each mm up.

    Rays of one picture must hang together: neighbours in the array are neighbours on the table.
    """
    shape = low.shape[:2]
    heights = np.zeros(shape, np.float32)
    ids = np.full(shape, _NOTHING, np.int16)
    points = np.concatenate([low, np.zeros((*shape, 1), np.float32)], axis=2)
    normals = np.zeros((*shape, 3), np.float32)
    normals[..., 2] = 1.0
    local = np.zeros((*shape, 3), np.float32)
    for index in range(len(boxes)):
        window = _window(low, rise, boxes, index)
        if window is None:
            continue
        at, slope = low[window], rise[window]
        half = boxes.halves[index].astype(np.float32)
        turn = boxes.turns[index].astype(np.float32)
        start = (at - single(boxes.centres[index, :2])) @ turn[:2]
        start -= np.float32(boxes.centres[index, 2]) * turn[2]
        along = slope @ turn[:2] + turn[2]
        along = np.where(np.abs(along) < 1e-6, np.float32(1e-6), along)
        one, other = (half - start) / along, (-half - start) / along
        upper, lower = np.maximum(one, other), np.minimum(one, other)
        axis = upper.argmin(axis=2)
        met = np.take_along_axis(upper, axis[..., None], axis=2)[..., 0]
        hit = (met >= lower.max(axis=2)) & (met > heights[window])
        if not hit.any():
            continue
        rows, columns = np.nonzero(hit)
        places = (rows + window[0].start, columns + window[1].start)
        height = met[hit]
        heights[places] = height
        ids[places] = index
        inside = (start[hit] + along[hit] * height[:, None]) / half
        local[places] = inside
        normals[places] = _rounded(inside, axis[hit]) @ turn.T
        points[places] = np.column_stack([at[hit] + slope[hit] * height[:, None], height])
    return Seen(heights, ids, points, normals, local)


def camera_rays(view: View, box: Box, top: float, scale: int = 1) -> tuple[Array, Array]:
    """The rays of `trace` for the pixels of `box`, each split into `scale` by `scale`."""
    low = view.ground(box, 0.0, scale)
    return low, (view.ground(box, top, scale) - low) / np.float32(top)


def lit(seen: Seen, boxes: Boxes, glow: Glow, eye: NDArray[np.float64], table: Array) -> Array:
    """Light (h, w, 3), linear BGR, that what is seen sends to a camera at `eye` (x, y, height).

    `table` (h, w, 3) is the share of light that the bare table gives back.
    """
    shape = seen.ids.shape
    fall = np.full(shape, glow.everywhere, np.float32)
    shine = np.zeros(shape, np.float32)
    away = single(eye) - seen.points
    away /= np.linalg.norm(away, axis=2, keepdims=True)
    glossy = np.append(boxes.glosses, 0.0).astype(np.float32)[seen.ids]
    for beams, mirrored in ((glow.lamp, True), (glow.room, False)):
        for beam in beams:
            clear = _clear(seen, boxes, beam) * np.float32(beam.strength)
            towards = single(beam.direction)
            fall += clear * np.maximum(seen.normals @ towards, 0.0)
            if mirrored:
                half = away + towards
                half /= np.linalg.norm(half, axis=2, keepdims=True)
                shine += clear * np.maximum((half * seen.normals).sum(axis=2), 0.0) ** 40
    paint = np.where((seen.ids == _NOTHING)[..., None], table, _paint(seen, boxes))
    # Varnish also mirrors a little of the whole room.
    veil = glossy * (0.8 * shine + 0.05 * glow.everywhere)
    return single(fall[..., None] * paint + veil[..., None])


def _paint(seen: Seen, boxes: Boxes) -> Array:
    """Share of light that each box's paint gives back where it is seen: grain, worn edges."""
    paint = np.concatenate([boxes.paints, np.zeros((1, 3), np.float32)])[seen.ids]
    grain = np.append(boxes.grains, 0.0).astype(np.float32)[seen.ids]
    own = (seen.ids * 37 % 101).astype(np.float32)
    x, y, z = np.moveaxis(seen.local, 2, 0)
    # Rings of wood run along x: stripes on four sides, arcs on the other two.
    rings = np.sin(own + 9.0 * y + 4.0 * np.sin(own + 3.0 * z) + 0.8 * x)
    rings += 0.6 * np.sin(own + 23.0 * z + 17.0 * y + 1.5 * np.sin(2.0 * x + own))
    end = np.abs(x) > 1.0 - _EDGE
    level = 1.0 + grain * (0.5 * rings - 0.5 * end)
    outer = np.abs(seen.local)
    second = outer.sum(axis=2) - outer.max(axis=2) - outer.min(axis=2)
    worn = np.clip((second - 1.0 + _EDGE) / _EDGE, 0.0, 1.0) * grain
    return single(paint * level[..., None] * (1.0 + 0.8 * worn[..., None]))


def _rounded(inside: Array, axis: NDArray[np.intp]) -> Array:
    """Directions (n, 3) of the surface at points (n, 3) of boxes: sides, rounded at the edges."""
    lean = np.clip((np.abs(inside) - 1.0 + _EDGE) / _EDGE, 0.0, 1.0) * np.float32(0.8)
    each = np.arange(len(inside))
    lean[each, axis] = 1.0
    normal = lean * np.sign(inside)
    return single(normal / np.linalg.norm(normal, axis=1, keepdims=True))


def _window(low: Array, rise: Array, boxes: Boxes, index: int) -> tuple[slice, slice] | None:
    """The rays that may meet a box, as slices; None if there are none."""
    centre = boxes.centres[index]
    reach = np.abs(boxes.turns[index]) @ boxes.halves[index]
    # The rays' map bends little: a coarse look finds the place of the box, a little generously.
    at = low[::_COARSE, ::_COARSE] + rise[::_COARSE, ::_COARSE] * np.float32(centre[2])
    rows, columns = low.shape[:2]
    step = float(np.abs(low[rows // 2, -1] - low[rows // 2, 0]).max()) / columns
    lean = np.abs(rise[rows // 2, columns // 2]) + 0.1
    slack = single(reach[:2] + lean * reach[2] + _COARSE * step)
    near = (np.abs(at - single(centre[:2])) < slack).all(axis=2)
    inside_rows, inside_columns = np.nonzero(near)
    if not len(inside_rows):
        return None
    return (
        slice(_COARSE * int(inside_rows.min()), min(rows, _COARSE * (int(inside_rows.max()) + 1))),
        slice(
            _COARSE * int(inside_columns.min()),
            min(columns, _COARSE * (int(inside_columns.max()) + 1)),
        ),
    )


def _clear(seen: Seen, boxes: Boxes, beam: Beam) -> Array:
    """1 where the beam reaches what is seen, 0 in shadow, between at the border."""
    slope = single(beam.slope)
    corner = seen.points[..., :2].min(axis=(0, 1)) - boxes.top * np.abs(slope)
    far = seen.points[..., :2].max(axis=(0, 1)) + boxes.top * np.abs(slope)
    columns, rows = np.ceil((far - corner) / _CELL).astype(int).tolist()
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=2)
    low = single(grid * _CELL + corner)
    blocked = trace(low, np.broadcast_to(slope, low.shape), boxes).heights
    points = seen.points + _BIAS * seen.normals
    cells = (points[..., :2] - slope * points[..., 2:] - corner) / np.float32(_CELL)
    over = cv2.remap(blocked, cells[..., 0], cells[..., 1], cv2.INTER_LINEAR)
    return single(np.clip((points[..., 2] - over) / 1.2 + 1.0, 0.0, 1.0))


def tray_walls(
    size: tuple[float, float], place: tuple[float, float], height: float, thickness: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Centres (4, 3) and half sizes (4, 3) of the walls of a tray whose middle is at `place`."""
    wide, high, thick = size[0] / 2, size[1] / 2, thickness / 2
    centres = [
        (x * (wide + thick), y * (high + thick), height / 2)
        for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1))
    ]
    halves = [(thick, high, height / 2)] * 2 + [(wide + thickness, thick, height / 2)] * 2
    return np.array(centres) + np.array([*place, 0.0]), np.array(halves)


def shaded_mean(light: Array, size: tuple[int, int]) -> Array:
    """The rays of each pixel together: (h, w, 3) of `size` (width, height)."""
    return shrink(light, size)


def linear_paint(bgr: ArrayLike) -> Array:
    """Share of light that an sRGB paint (blue, green, red; 0 to 255) gives back."""
    return single(to_linear(np.clip(np.asarray(bgr), 0, 255)))
