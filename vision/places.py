"""Where on a table tiles may lie, and in which zone a place is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.layout import Board, Layout
from vision.observation import NONE
from vision.plane import PlacedBoard
from vision.quads import depths


class Places:
    """The zones of one table, and what of it bears no tile."""

    def __init__(self, layout: Layout) -> None:
        """`zones` are the names that ids index: those of the boards first, each once."""
        self._layout = layout
        on_boards = [zone.name for board in layout.boards for zone in board.zones]
        names = [*on_boards, *(zone.name for zone in layout.zones)]
        self.zones: tuple[str, ...] = tuple(dict.fromkeys(names))
        #: For each board the quads (k, 4, 2) of it that bear no tile.
        self._bare = {board.name: _bare(board) for board in layout.boards}

    def may_bear(
        self, centres: NDArray[np.float32], boards: Sequence[PlacedBoard]
    ) -> NDArray[np.bool_]:
        """At which centres (n, 2), in mm, a tile may lie.

        That is on the plane, but not on markers nor on places for standing pieces.
        """
        width, height = self._layout.size
        may = np.asarray(((centres >= 0) & (centres <= (width, height))).all(axis=1), np.bool_)
        taken = [_quads(_square(marker.centre, marker.side) for marker in self._layout.markers)]
        taken += [placed.to_plane(self._bare[placed.board.name]) for placed in boards]
        return may & ~(depths(centres, np.concatenate(taken).astype(np.float32)) > 0).any(axis=1)

    def zone_ids(
        self, centres: NDArray[np.float32], boards: Sequence[PlacedBoard]
    ) -> NDArray[np.int16]:
        """The zone of each centre (n, 2), in mm: that of a board before one of the plane.

        NONE also where two boards were pushed so close together that either may bear the tile.
        """
        ids = np.full(len(centres), NONE, np.int16)
        for zone in reversed(self._layout.zones):
            ids[_inside(centres, zone.polygon)] = self.zones.index(zone.name)
        bearing = np.zeros(len(centres), np.int16)
        for placed in boards:
            borne = np.zeros(len(centres), np.bool_)
            for zone in reversed(placed.board.zones):
                inside = _inside(centres, placed.to_plane(zone.polygon))
                ids[inside] = self.zones.index(zone.name)
                borne |= inside
            bearing += borne
        ids[bearing > 1] = NONE
        return ids


def _square(centre: tuple[float, float], side: float) -> list[tuple[float, float]]:
    x, y, half = *centre, side / 2
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _quads(quads: Iterable[ArrayLike]) -> NDArray[np.float32]:
    """Quads as one array (n, 4, 2), even if there is none."""
    return np.array(list(quads), np.float32).reshape(-1, 4, 2)


def _bare(board: Board) -> NDArray[np.float32]:
    """Where on a board no tile lies: quads (k, 4, 2) of its markers and fields, or all of it."""
    width, height = board.size
    bare: list[ArrayLike] = [_square(marker.centre, marker.side) for marker in board.markers]
    bare += [field.quad for field in board.fields]
    if board.fields and not board.zones:  # A board for pieces alone.
        bare.append([(0, 0), (width, 0), (width, height), (0, height)])
    return _quads(bare)


def _inside(points: NDArray[np.float32], polygon: ArrayLike) -> NDArray[np.bool_]:
    """Which points (n, 2) lie inside a polygon (k, 2), by the crossings of a ray to the right."""
    corners = np.asarray(polygon, np.float64)
    after = np.roll(corners, -1, axis=0)
    x, y = points[:, :1], points[:, 1:]
    spans = (corners[:, 1] > y) != (after[:, 1] > y)
    rise = np.where(after[:, 1] == corners[:, 1], 1, after[:, 1] - corners[:, 1])
    crossing = corners[:, 0] + (y - corners[:, 1]) * (after[:, 0] - corners[:, 0]) / rise
    return np.asarray((spans & (x < crossing)).sum(axis=1) % 2 == 1, np.bool_)
