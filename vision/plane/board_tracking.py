"""Follows the boards that lie on the plane: anyone may push one at any time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout
from vision.plane.boards import PlacedBoard, find_boards, look_everywhere, look_for_boards
from vision.plane.edges import Image, Sides, measure_sides
from vision.plane.geometry import Plane, corners_of
from vision.plane.pinhole import Array
from vision.plane.watch import Look, Watch

#: A board that is found within so many mm of its place, by its farthest corner, has not moved.
_SAME_MM = 0.5
#: A board of which no marker was seen for so many frames is looked for near its place, then
#: again after twice as many, and so on; from the third time on all over the plane.
_UNSEEN_FRAMES, _ALL_OVER = 4, 3


@dataclass(frozen=True, eq=False)
class TrackedBoards:
    """Where the boards lie in one frame."""

    placed: tuple[PlacedBoard, ...] = ()
    """All boards of the layout, in its order; none while there is no plane."""
    moved: tuple[str, ...] = ()
    """Names of those that lie elsewhere than in the frame before."""
    unseen: tuple[str, ...] = ()
    """Names of those of which no marker was seen at its place in this frame."""


class BoardTracker:
    """The boards of one table on a plane that holds."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._placed: tuple[PlacedBoard, ...] = ()
        #: The board that each watched marker belongs to, by its number.
        self._owner = np.array(
            [k for k, board in enumerate(layout.boards) for _ in board.markers], np.intp
        )
        self._watch: Watch | None = None
        self._unseen = np.zeros(len(layout.boards), np.int64)
        self._tries = np.zeros(len(layout.boards), np.int64)

    @property
    def quads(self) -> Array:
        """Where the boards' markers are to be measured, shape (m, 4, 2)."""
        return np.zeros((0, 4, 2)) if self._watch is None else self._watch.quads

    def forget(self) -> None:
        """The plane is another one: all boards must be found anew."""
        self._watch = None

    def track(self, image: Image, plane: Plane, sides: Sides | None = None) -> TrackedBoards:
        """The boards in the next frame; `sides` are those of `quads` if they were measured."""
        if self._watch is None:
            return self._find(image, plane)
        if not len(self._owner):
            return TrackedBoards(self._placed)
        look = self._watch.judge(measure_sides(image, self.quads) if sides is None else sides)
        off, held = (self._boards_of(marks) for marks in (look.off, look.held))
        self._unseen = np.where(held | off, 0, self._unseen + 1)
        self._tries[held & ~off] = 0
        moved = self._put_right(image, plane, self._suspects(look))
        bearing = np.unique(self._owner)
        lost = [k for k in bearing.tolist() if not held[k] and k not in moved]
        return TrackedBoards(self._placed, self._names(moved), self._names(lost))

    def _find(self, image: Image, plane: Plane) -> TrackedBoards:
        before = self._placed
        self._placed = find_boards(image, plane, self._layout)
        self._watch = Watch(image, self._quads_of(plane, range(len(self._placed))))
        self._unseen[:] = 0
        self._tries[:] = 0
        pairs = zip(before, self._placed, strict=True) if before else ()
        moved = [k for k, (old, new) in enumerate(pairs) if not _same(old, new)]
        unseen = [k for k, one in enumerate(self._placed) if one.board.markers and not one.found]
        return TrackedBoards(self._placed, self._names(moved), self._names(unseen))

    def _suspects(self, look: Look) -> list[int]:
        """The numbers of the boards that must be looked for."""
        off = self._boards_of(look.off)
        due = self._unseen >= _UNSEEN_FRAMES << np.minimum(self._tries, 10)
        return [int(k) for k in np.unique(self._owner) if off[k] or due[k]]

    def _put_right(self, image: Image, plane: Plane, suspects: list[int]) -> list[int]:
        """Looks for boards near their places; gives the numbers of those that have moved."""
        if not suspects:
            return []
        old = [self._placed[k] for k in suspects]
        lost = [PlacedBoard(one.board, False, one.origin, one.angle) for one in old]
        new = look_for_boards(image, plane, lost)
        if any(self._tries[k] >= _ALL_OVER - 1 for k in suspects):
            new = look_everywhere(image, plane, new)
        placed = list(self._placed)
        moved = []
        for k, before, after in zip(suspects, old, new, strict=True):
            self._tries[k] += 1
            self._unseen[k] = 0
            if after.found and not (before.found and _same(before, after)):
                placed[k] = after
                moved.append(k)
                self._tries[k] = 0
        self._placed = tuple(placed)
        if moved and self._watch is not None:
            rows = np.flatnonzero(np.isin(self._owner, moved))
            self._watch.renew(image, rows, self._quads_of(plane, moved))
        return moved

    def _boards_of(self, markers: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which boards have one of these markers."""
        counts = np.bincount(self._owner[markers], minlength=len(self._layout.boards))
        return np.asarray(counts > 0, np.bool_)

    def _quads_of(self, plane: Plane, numbers: Collection[int]) -> Array:
        """Where markers of boards are seen if the boards lie at their places, shape (m, 4, 2)."""
        quads = []
        for placed in (self._placed[k] for k in numbers):
            for marker in placed.board.markers:
                corners = corners_of((marker.side, marker.side)) - marker.side / 2 + marker.centre
                quads.append(plane.lift(placed.to_plane(corners), placed.board.thickness))
        return np.array(quads, np.float64).reshape(-1, 4, 2)

    def _names(self, numbers: Collection[int]) -> tuple[str, ...]:
        return tuple(self._layout.boards[k].name for k in sorted(numbers))


def _same(one: PlacedBoard, other: PlacedBoard) -> bool:
    """Whether a board lies at the same place, by its farthest corner."""
    corners = corners_of(one.board.size)
    gaps = np.linalg.norm(one.to_plane(corners) - other.to_plane(corners), axis=1)
    return one.found == other.found and float(gaps.max()) < _SAME_MM
