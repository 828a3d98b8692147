"""Makes the pictures that the network learns from: rendered trays, and what is seen where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.tray_patch import SIDE_PX, TrayPatch
from vision.scene.cubes import trace
from vision.scene.cubes_trays import TrayPicture, draw_tray
from vision.scene.projection import View

#: Area of a cube's face in a patch, in pixels; the share of it from which a cube is to be found.
FACE_PX = SIDE_PX**2
VISIBLE = 0.15
NOTHING = 255
#: Sigma of the mark on a cube's middle, in pixels of the maps (half those of the patch).
_MARK = 1.2


@dataclass(frozen=True, eq=False)
class Sample:
    """A patch with its truth."""

    patch: NDArray[np.uint8]
    """(h, w, 3) BGR."""
    ids: NDArray[np.uint8]
    """(h, w) index of the cube that each pixel shows, 255 for none."""
    centres: NDArray[np.float32]
    """(n, 2) a pixel well within what is seen of each cube."""
    visible: NDArray[np.float32]
    """(n,) what is seen of each cube, in areas of a face."""
    places: NDArray[np.float32]
    """(n, 2) where each cube's middle would be seen, if nothing hid it."""


def sample_of(picture: TrayPicture, view: TrayPatch) -> Sample:
    """The patch `view` of a picture, and its truth."""
    patch = view.cut(picture.image, picture.plane())
    rows, columns = view.shape
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=2)
    *eye, high = View(picture.camera).eye
    at = view.to_plane(grid).astype(np.float64)
    low = eye + (at - eye) * high / (high - view.height)
    rise = (np.array(eye) - low) / high
    seen = trace(low.astype(np.float32), rise.astype(np.float32), picture.boxes)
    n = len(picture.colours)
    ids = np.where((seen.ids >= 0) & (seen.ids < n), seen.ids, NOTHING).astype(np.uint8)
    counts = np.bincount(ids.ravel(), minlength=256)[:n]
    centres = np.array([_inner(ids == k) for k in range(n)], np.float32)
    middles = picture.boxes.centres[:n]
    slope = (np.array(eye) - middles[:, :2]) / (high - middles[:, 2:])
    flat = middles[:, :2] + slope * (view.height - middles[:, 2:])
    places = (flat - view.corner) * view.px_per_mm - 0.5
    return Sample(
        patch, ids, centres, (counts / FACE_PX).astype(np.float32), places.astype(np.float32)
    )


def _inner(mask: NDArray[np.bool_]) -> tuple[float, float]:
    """The pixel (x, y) of a mask that is deepest inside; of those alike, nearest to its middle."""
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return (-100.0, -100.0)
    top, left = rows.min(), columns.min()
    part = mask[top : rows.max() + 1, left : columns.max() + 1].astype(np.uint8)
    depth = cv2.distanceTransform(np.pad(part, 1), cv2.DIST_L2, 3)[1:-1, 1:-1]
    y, x = np.indices(part.shape)
    off = np.hypot(x - columns.mean() + left, y - rows.mean() + top)
    best = np.unravel_index(np.argmax(depth - 0.25 * off - 99.0 * (part == 0)), part.shape)
    return (float(best[1] + left), float(best[0] + top))


def samples(first: int, count: int, *, held_back: bool = False) -> Iterator[Sample]:
    """Samples of consecutive seeds; tray and cubes are not known to a hair."""
    for seed in range(first, first + count):
        rng = np.random.default_rng((seed, 7))
        picture = draw_tray(seed, held_back=held_back)
        side = picture.side * float(rng.normal(1.0, 0.03))
        view = TrayPatch.around(picture.floor() + rng.normal(0, 1.0, 2), side)
        yield sample_of(picture, replace(view, height=picture.side / 2))


def targets(sample: Sample) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Maps (5, h/2, w/2) to be learnt, and weights (h/2, w/2) of the first: 0 where it is open."""
    rows, columns = (n // 2 for n in sample.ids.shape)
    y, x = np.indices((rows, columns), np.float32)
    ids = sample.ids[::2, ::2]
    maps = np.zeros((5, rows, columns), np.float32)
    weights = np.ones((rows, columns), np.float32)
    maps[1] = ids != NOTHING
    for cube, (centre, visible) in enumerate(zip(sample.centres, sample.visible, strict=True)):
        middle = (centre - 0.5) / 2.0
        off = np.square(x - middle[0]) + np.square(y - middle[1])
        if visible >= VISIBLE:
            maps[0] = np.maximum(maps[0], np.exp(-off / (2 * _MARK**2)))
            own = ids == cube
            maps[2][own] = (middle[0] - x[own]) * 2 / SIDE_PX
            maps[3][own] = (middle[1] - y[own]) * 2 / SIDE_PX
        else:
            # Whether a cube of which a sliver is seen is found makes no difference here.
            weights[off < 9.0] = 0.0 if visible > 0.03 else 1.0
            place = (sample.places[cube] - 0.5) / 2.0
            mark = np.exp(-(np.square(x - place[0]) + np.square(y - place[1])) / (2 * 3.0**2))
            maps[4] += mark / max(float(mark.sum()), 1e-6)
    middles = maps[0] > 0.99
    weights[middles] = 1.0
    return maps, weights
