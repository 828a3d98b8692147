"""Cubes in a tray: how many of each colour, or between what numbers.

A network marks the middle of each cube that is seen, which pixels are its, and where others may
hide. What it is sure of, in a colour that is certain, is the least; what may be a cube, may have
the colour, or may hide below others, makes the most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.network import Network, network
from vision.observation import CANDIDATES, NONE, Aligned, column
from vision.pieces.colours import ColourBook
from vision.pieces.colours_look import Array, look
from vision.pieces.tray_patch import SIDE_PX, Image, TrayPatch
from vision.plane import Plane

#: The network's maps are this many times smaller than the patch.
_STRIDE = 2
#: Probability of a cube's middle from which it surely is one, and below which it is none.
_SURE, _MAYBE = 0.7, 0.08
#: Two middles nearer than this (in sides of a cube) are one.
_APART = 0.42
#: A pixel is a cube's if it points to within this of its middle (in sides of a cube).
_OWN = 0.3
#: A colour that is less probable than this is out of the question.
_POSSIBLE = 0.003
#: Cubes that may hide for each one that the network expects, and for a tray without any heap.
_HIDDEN_FACTOR, _HIDDEN_FLOOR = 5.0, 0.5


@dataclass(frozen=True)
class TrayPlace:
    """A tray: its floor as a polygon on the plane in mm, and the cubes that are thrown into it."""

    name: str
    polygon: tuple[tuple[float, float], ...]
    side: float
    """Side of a cube in mm."""
    floor: float = 0.0
    """Height of the tray's floor above the table top in mm."""


@dataclass(frozen=True, eq=False)
class CubeReadings(Aligned):
    """What was read of each cube that is seen; n cubes."""

    points_mm: NDArray[np.float32] = column(np.float32, 2)
    """Middle of what is seen of it, on the plane."""
    points_px: NDArray[np.float32] = column(np.float32, 2)
    """The same point in pixels of the frame."""
    tray_ids: NDArray[np.int16] = column(np.int16)
    """Index of the tray."""
    colour_ids: NDArray[np.int16] = column(np.int16)
    """Index of the colour, or NONE."""
    scores: NDArray[np.float32] = column(np.float32)
    """How sure it is that a cube is seen there, 0 to 1."""
    certain: NDArray[np.bool_] = column(np.bool_)
    """Whether cube and colour may be relied on without a person or a rule."""
    candidate_ids: NDArray[np.int16] = column(np.int16, CANDIDATES)
    """The likeliest colours, best first; NONE pads."""
    candidate_scores: NDArray[np.float32] = column(np.float32, CANDIDATES)
    """Their probabilities, 0 to 1; 0 pads."""


@dataclass(frozen=True, eq=False)
class TrayReadings(Aligned):
    """How many cubes of each colour lie in each tray: one entry for each tray and colour."""

    tray_ids: NDArray[np.int16] = column(np.int16)
    """Index of the tray."""
    colour_ids: NDArray[np.int16] = column(np.int16)
    """Index of the colour."""
    lows: NDArray[np.int16] = column(np.int16)
    """Cubes of the colour that are surely seen."""
    highs: NDArray[np.int16] = column(np.int16)
    """The most that may lie there; equal to `lows` if the count is exact."""
    hidden: NDArray[np.int16] = column(np.int16)
    """How many of any colour may hide below others: part of `highs` of every colour."""


class TrayReader:
    """Counts cubes in trays."""

    def __init__(self, book: ColourBook, cubes: Network | None = None) -> None:
        """Counts cubes of the colours of `book`.

        `cubes` is the network; by default the one that comes with the program. Raises
        ModelMissingError if it is not there.
        """
        self.book = book
        self._cubes = cubes or network("tray")

    def read(
        self,
        image: Image,
        plane: Plane,
        trays: Sequence[TrayPlace],
        white: ArrayLike | None = None,
    ) -> tuple[TrayReadings, CubeReadings]:
        """Counts the cubes of a BGR picture.

        `white` is the linear BGR light, (3,), of white paper near the trays: with it colours are
        surer. The readings' `colour_ids` index `book.names`, their `tray_ids` index `trays`.
        """
        counts, cubes = TrayReadings.empty(), CubeReadings.empty()
        for index, tray in enumerate(trays):
            more, seen = self._tray(image, plane, tray, index, white)
            counts, cubes = counts.merged(more), cubes.merged(seen)
        return counts, cubes

    def _tray(
        self, image: Image, plane: Plane, tray: TrayPlace, index: int, white: ArrayLike | None
    ) -> tuple[TrayReadings, CubeReadings]:
        view = TrayPatch.around(tray.polygon, tray.side, tray.floor)
        patch = view.cut(image, plane)
        maps = self._cubes.run(patch.transpose(2, 0, 1)[None].astype(np.float32))[0][0]
        middles, scores = _middles(maps[0])
        points = view.to_plane(middles * _STRIDE + 0.5)
        inside = _within(points, tray)
        middles, scores, points = middles[inside], scores[inside], points[inside]
        looks = _looks(patch, maps, middles)
        places = middles * _STRIDE / (view.shape[1], view.shape[0])
        judged = self.book.judge(looks, places=places, white=white)
        sure = scores >= _SURE
        seen = CubeReadings(
            points_mm=points,
            points_px=plane.lift(points, view.height),
            tray_ids=np.full(len(points), index, np.int16),
            colour_ids=judged.colour_ids,
            scores=scores,
            certain=judged.certain & sure,
            candidate_ids=judged.candidate_ids,
            candidate_scores=judged.candidate_scores,
        )
        hidden = int(np.floor(_HIDDEN_FACTOR * float(maps[4].sum()) + _HIDDEN_FLOOR))
        return self._counts(seen, hidden, index), seen

    def _counts(self, cubes: CubeReadings, hidden: int, tray: int) -> TrayReadings:
        """The least and the most of each colour."""
        n = len(self.book.names)
        lows = np.bincount(cubes.colour_ids[cubes.certain], minlength=n)
        possible = np.zeros((len(cubes), n), np.bool_)
        rows, columns = np.nonzero(cubes.candidate_scores >= _POSSIBLE)
        possible[rows, cubes.candidate_ids[rows, columns]] = True
        # What looks like no taught colour at all may still be any of them.
        possible[cubes.colour_ids == NONE] = True
        certain = np.flatnonzero(cubes.certain)
        possible[certain] = False
        possible[certain, cubes.colour_ids[certain]] = True
        return TrayReadings(
            tray_ids=np.full(n, tray, np.int16),
            colour_ids=np.arange(n, dtype=np.int16),
            lows=lows.astype(np.int16),
            highs=(possible.sum(axis=0) + hidden).astype(np.int16),
            hidden=np.full(n, hidden, np.int16),
        )


def _middles(heat: Array) -> tuple[Array, Array]:
    """Points (n, 2) of the map where it peaks, x and y, and their heights, highest first."""
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat >= _MAYBE)
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-heat[rows, columns], kind="stable")
    points = np.column_stack([columns, rows])[order].astype(np.float32)
    far = _APART * SIDE_PX / _STRIDE
    kept: list[int] = []
    for i, point in enumerate(points):
        if all(np.linalg.norm(point - points[k]) >= far for k in kept):
            kept.append(i)
    points = points[kept]
    at = points.astype(np.intp)
    return points, np.asarray(heat[at[:, 1], at[:, 0]], np.float32)


def _within(points: Array, tray: TrayPlace) -> NDArray[np.bool_]:
    """Which points of the plane lie in the tray, or so near that a wall shifts them out."""
    floor = np.array(tray.polygon, np.float32).reshape(-1, 1, 2)
    depths = [
        cv2.pointPolygonTest(floor, (float(x), float(y)), measureDist=True) for x, y in points
    ]
    return np.array(depths, np.float64).reshape(-1) >= -0.6 * tray.side


def _looks(patch: Image, maps: Array, middles: Array) -> Array:
    """The look (n, 3) of each cube: of its pixels, those of middling brightness."""
    small = look(patch[::_STRIDE, ::_STRIDE])
    rows, columns = np.nonzero(maps[1] > 0.5)
    ways = maps[2:4, rows, columns].T * (SIDE_PX / _STRIDE)
    ends = np.column_stack([columns, rows]) + ways
    looks = np.empty((len(middles), 3), np.float32)
    for i, middle in enumerate(middles):
        own = np.linalg.norm(ends - middle, axis=1) < _OWN * SIDE_PX / _STRIDE
        x, y = middle.astype(int)
        near = small[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].reshape(-1, 3)
        pixels = small[rows[own], columns[own]] if own.sum() >= len(near) else near
        looks[i] = np.median(pixels, axis=0)
    return looks
