"""Finds the boards that lie on the plane by their own markers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from vision.layout import Board, Layout, Marker
from vision.plane.edges import sharpened
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


@dataclass(frozen=True, eq=False)
class _Seen:
    """A marker of a board (its number in the list) and its corners, (4, 2), on the plane."""

    number: int
    marker: Marker
    quad: Array


def find_boards(image: Image, plane: Plane, layout: Layout) -> tuple[PlacedBoard, ...]:
    """Finds each board of `layout` by its own markers; one that isn't seen keeps its usual place.

    A board's markers are looked for near their usual place first, then all over the plane. Their
    corners give the board's shift and turn by least squares, at the height of its face.
    """
    usual = [PlacedBoard(board, False, board.origin, board.angle) for board in layout.boards]
    near = look_for_boards(image, plane, usual)
    return look_everywhere(image, plane, near)


def look_for_boards(
    image: Image, plane: Plane, placed: Sequence[PlacedBoard]
) -> tuple[PlacedBoard, ...]:
    """Finds boards near the places given; one that isn't seen there is given back as it was."""
    grey = grey_of(image)
    return _placed_anew(grey, plane, placed, list(_look_near(grey, plane, placed)))


def look_everywhere(
    image: Image, plane: Plane, placed: Sequence[PlacedBoard]
) -> tuple[PlacedBoard, ...]:
    """Finds those boards anywhere on the plane that are not `found` yet."""
    lost = {k for k, board in enumerate(placed) if not board.found and board.board.markers}
    if not lost:
        return tuple(placed)
    grey = grey_of(image)
    return _placed_anew(grey, plane, placed, list(_look_all_over(grey, plane, placed, lost)))


def _placed_anew(
    grey: Image, plane: Plane, placed: Sequence[PlacedBoard], seen: Sequence[_Seen]
) -> tuple[PlacedBoard, ...]:
    """The boards where the markers seen of them put them."""
    by_number: dict[int, list[_Seen]] = defaultdict(list)
    for sighting in _sharpened(grey, plane, placed, seen):
        by_number[sighting.number].append(sighting)
    return tuple(
        _fitted(old.board, by_number[k]) if k in by_number else old for k, old in enumerate(placed)
    )


def _sharpened(
    grey: Image, plane: Plane, placed: Sequence[PlacedBoard], seen: Sequence[_Seen]
) -> list[_Seen]:
    """The same with their corners measured in the picture itself."""
    if not seen:
        return []
    heights = np.array([placed[one.number].board.thickness for one in seen])
    quads = np.array([one.quad for one in seen])
    pixels = plane.lift(quads, np.repeat(heights[:, None], 4, axis=1)).astype(np.float64)
    sharp = sharpened(grey, [Sighting(k, quad) for k, quad in enumerate(pixels)])
    return [
        _Seen(one.number, one.marker, np.asarray(plane.drop(exact.quad, height), np.float64))
        for one, exact, height in zip(seen, sharp, heights.tolist(), strict=True)
    ]


def _look_near(grey: Image, plane: Plane, placed: Sequence[PlacedBoard]) -> Iterator[_Seen]:
    """Markers of boards near these places."""
    by_side: dict[float, list[tuple[int, Marker]]] = defaultdict(list)
    for number, board in enumerate(placed):
        for marker in board.board.markers:
            by_side[marker.side].append((number, marker))
    for side, those in by_side.items():
        centres = [placed[number].to_plane(marker.centre) for number, marker in those]
        corners = np.array(centres, np.float64) - _BOARD_REACH_MM
        size = (2 * _BOARD_REACH_MM, 2 * _BOARD_REACH_MM)
        heights = [placed[number].board.thickness for number, _ in those]
        patches = plane.patches(grey, corners, size, _BOARD_PX_PER_MM, heights)
        quick = _sighted_at_once(patches, [marker.id for _, marker in those], side)
        for k, (number, marker) in enumerate(those):
            sighting = quick.get(k) or _sighted(patches[k], marker)
            if sighting is not None:
                yield _Seen(number, marker, (sighting.quad + 0.5) / _BOARD_PX_PER_MM + corners[k])


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


def _look_all_over(
    grey: Image, plane: Plane, placed: Sequence[PlacedBoard], lost: Collection[int]
) -> Iterator[_Seen]:
    """Markers of the boards with the numbers `lost` anywhere on the plane."""
    corner = (-20.0, -20.0)
    size = (plane.size[0] + 40.0, plane.size[1] + 40.0)
    scale = min(_BOARD_PX_PER_MM, 2.0 * plane.px_per_mm)
    for thickness in sorted({placed[number].board.thickness for number in lost}):
        patch = plane.patch(grey, corner, size, scale, thickness)
        wanted = {
            marker.id: (number, marker)
            for number in lost
            if placed[number].board.thickness == thickness
            for marker in placed[number].board.markers
        }
        for sighting in find_markers(patch, wanted):
            number, marker = wanted[sighting.id]
            if abs(sighting.side / (marker.side * scale) - 1.0) < _SHAPE_SLACK:
                yield _Seen(number, marker, (sighting.quad + 0.5) / scale + corner)


def _fitted(board: Board, seen: Sequence[_Seen]) -> PlacedBoard:
    """The board where its markers' corners put it, by least squares."""
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    here = np.concatenate([square * one.marker.side + one.marker.centre for one in seen])
    there = np.concatenate([one.quad for one in seen])
    middle, place = here.mean(axis=0), there.mean(axis=0)
    a, b = (here - middle).T, (there - place).T
    turn = np.arctan2(a[0] @ b[1] - a[1] @ b[0], a[0] @ b[0] + a[1] @ b[1])
    cos, sin = np.cos(turn), np.sin(turn)
    origin = place - np.array([[cos, -sin], [sin, cos]]) @ middle
    return PlacedBoard(board, True, (float(origin[0]), float(origin[1])), float(np.rad2deg(turn)))
