"""Finds the boards that lie on the plane by their own markers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from vision.layout import Board, Layout, Marker
from vision.plane.geometry import Image, Plane, Points, grey_of
from vision.plane.markers import Sighting, find_markers, find_sized_markers, look_closely
from vision.plane.pinhole import Array

#: The side of a board's marker may differ from its length by this share.
_SHAPE_SLACK = 0.25
#: Markers of boards are searched in top views of this scale.
_BOARD_PX_PER_MM = 2.5
#: Half of the square (mm) in which a board's marker is first looked for.
_BOARD_REACH_MM = 45.0


@dataclass(frozen=True, eq=False)
class PlacedBoard:
    """A board where it lies: `origin` is its top left corner on the plane, in mm."""

    board: Board
    found: bool
    """Whether it was seen; otherwise its usual place is assumed."""
    origin: tuple[float, float]
    angle: float
    """Degrees, clockwise as seen."""

    def to_plane(self, points_board_mm: ArrayLike) -> Points:
        """Plane points, shape (..., 2), of points of the board."""
        points = np.asarray(points_board_mm, dtype=np.float64)
        return np.asarray(points @ self._turn.T + self.origin, dtype=np.float32)

    def to_board(self, points_plane_mm: ArrayLike) -> Points:
        """Board points, shape (..., 2), of points of the plane."""
        points = np.asarray(points_plane_mm, dtype=np.float64)
        return np.asarray((points - self.origin) @ self._turn, dtype=np.float32)

    @property
    def _turn(self) -> Array:
        cos, sin = np.cos(np.deg2rad(self.angle)), np.sin(np.deg2rad(self.angle))
        return np.array([[cos, -sin], [sin, cos]])


def find_boards(image: Image, plane: Plane, layout: Layout) -> tuple[PlacedBoard, ...]:
    """Finds each board of `layout` by its own markers; one that isn't seen keeps its usual place.

    A board's markers are looked for near their usual place first, then all over the plane. Their
    corners give the board's shift and turn by least squares, at the height of its face.
    """
    grey = grey_of(image)
    seen: dict[str, tuple[Array, Array]] = {}
    for board, marker, sighting in _look_near(grey, plane, layout.boards):
        _note(seen, board, marker, sighting)
    missing = [board for board in layout.boards if board.markers and board.name not in seen]
    for board, marker, sighting in _look_everywhere(grey, plane, missing):
        _note(seen, board, marker, sighting)
    return tuple(_placed(board, seen.get(board.name)) for board in layout.boards)


def _look_near(
    grey: Image, plane: Plane, boards: Sequence[Board]
) -> Iterator[tuple[Board, Marker, Sighting]]:
    """Markers of boards near their usual places on the plane; their quads are in plane mm."""
    by_side: dict[float, list[tuple[Board, Marker]]] = defaultdict(list)
    for board in boards:
        for marker in board.markers:
            by_side[marker.side].append((board, marker))
    for side, those in by_side.items():
        usual = [PlacedBoard(board, False, board.origin, board.angle) for board, _ in those]
        centres = [
            placed.to_plane(marker.centre) for placed, (_, marker) in zip(usual, those, strict=True)
        ]
        corners = np.array(centres, np.float64) - _BOARD_REACH_MM
        size = (2 * _BOARD_REACH_MM, 2 * _BOARD_REACH_MM)
        heights = [board.thickness for board, _ in those]
        patches = plane.patches(grey, corners, size, _BOARD_PX_PER_MM, heights)
        quick = _sighted_at_once(patches, [marker.id for _, marker in those], side)
        for k, (board, marker) in enumerate(those):
            sighting = quick.get(k) or _sighted(patches[k], marker)
            if sighting is not None:
                quad = (sighting.quad + 0.5) / _BOARD_PX_PER_MM + corners[k]
                yield board, marker, Sighting(marker.id, quad)


def _sighted_at_once(patches: Image, ids: Sequence[int], side: float) -> dict[int, Sighting]:
    """Each patch's own marker as a quick look finds it, by the patch's place in `patches`.

    The patches are looked at one below the other: one search costs less than many.
    """
    height = patches.shape[1]
    found: dict[int, Sighting] = {}
    tall = patches.reshape(-1, patches.shape[2])
    for sighting in find_sized_markers(tall, set(ids), side * _BOARD_PX_PER_MM):
        k = int(sighting.centre[1] + 0.5) // height
        if sighting.id == ids[k]:
            found[k] = Sighting(sighting.id, sighting.quad - (0, k * height))
    return found


def _sighted(patch: Image, marker: Marker) -> Sighting | None:
    """A patch's marker as a thorough look finds it."""
    middle = np.full(2, _BOARD_REACH_MM * _BOARD_PX_PER_MM - 0.5)
    reach = _BOARD_REACH_MM - marker.side / np.sqrt(2.0)
    return look_closely(
        patch, marker.id, middle, marker.side * _BOARD_PX_PER_MM, reach * _BOARD_PX_PER_MM
    )


def _look_everywhere(
    grey: Image, plane: Plane, boards: Sequence[Board]
) -> Iterator[tuple[Board, Marker, Sighting]]:
    """Markers of boards anywhere on the plane; their quads are in plane mm."""
    corner = (-20.0, -20.0)
    size = (plane.size[0] + 40.0, plane.size[1] + 40.0)
    scale = min(_BOARD_PX_PER_MM, 2.0 * plane.px_per_mm)
    for thickness in sorted({board.thickness for board in boards}):
        patch = plane.patch(grey, corner, size, scale, thickness)
        wanted = {
            marker.id: (board, marker)
            for board in boards
            if board.thickness == thickness
            for marker in board.markers
        }
        for sighting in find_markers(patch, wanted):
            board, marker = wanted[sighting.id]
            if abs(sighting.side / (marker.side * scale) - 1.0) < _SHAPE_SLACK:
                quad = (sighting.quad + 0.5) / scale + corner
                yield board, marker, Sighting(marker.id, quad)


def _note(
    seen: dict[str, tuple[Array, Array]], board: Board, marker: Marker, sighting: Sighting
) -> None:
    """Adds a marker's corners, on the board and on the plane, to what is seen of the board."""
    half = marker.side / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    here, there = square + marker.centre, sighting.quad
    if board.name in seen:
        here = np.concatenate([seen[board.name][0], here])
        there = np.concatenate([seen[board.name][1], there])
    seen[board.name] = (here, there)


def _placed(board: Board, seen: tuple[Array, Array] | None) -> PlacedBoard:
    """The board at its usual place, or where the points seen put it, by least squares."""
    if seen is None:
        return PlacedBoard(board, False, board.origin, board.angle)
    here, there = seen
    middle, place = here.mean(axis=0), there.mean(axis=0)
    a, b = (here - middle).T, (there - place).T
    turn = np.arctan2(a[0] @ b[1] - a[1] @ b[0], a[0] @ b[0] + a[1] @ b[1])
    cos, sin = np.cos(turn), np.sin(turn)
    origin = place - np.array([[cos, -sin], [sin, cos]]) @ middle
    return PlacedBoard(board, True, (float(origin[0]), float(origin[1])), float(np.rad2deg(turn)))
