"""Looks at one table frame after frame: is the plane where it was, may it be read, what lies there.

A frame that shows nothing new costs a look at the markers and one for motion, no more. Once nothing
moves the table is read, until enough readings vote; what they say counts when the table is quiet.
Where tiles may lie is searched once, a frame before the first reading: nothing moves; what lies
there is read from each frame anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.camera import Frame
from vision.observation import Observation
from vision.plane import Lens, Plane, PlaneTracker, Tracked, TrackedBoards
from vision.privacy import table_only
from vision.reader import TableReader
from vision.settle import Settle, Settled
from vision.stillness import Quiet, Settings, Stillness
from vision.tiles import Detections

#: Beyond the plane's edge people may reach across without touching anything that is read.
_EDGE_MM = 10.0
#: So many frames vote.
VOTES = 3
#: A table in which nothing has moved for so long is read, so that all is known once it is quiet.
_CALM_S = 0.1
#: Where tiles may lie is searched a frame earlier, so that no frame waits for both.
_SEARCH_S = 0.05


@dataclass(frozen=True, eq=False)
class Look:
    """What one frame gives."""

    frame: Frame
    quiet: Quiet
    tracked: Tracked
    observation: Observation | None
    """The reading of this frame; None if it was not read."""
    settled: Settled | None
    """What the last frames agree on, if this one is quiet and nothing has moved since them."""

    @cached_property
    def picture(self) -> NDArray[np.uint8]:
        """The frame as it may be shown and kept: BGR, black around the table."""
        return table_only(self.frame.image, self.tracked.plane)

    @property
    def reading(self) -> Observation | None:
        """What lies there: what was settled, else the reading of this frame, if there is one."""
        return self.observation if self.settled is None else self.settled.observation


class Session:
    """Follows one camera over one table. Frames come in order; not for two threads at once."""

    def __init__(
        self,
        reader: TableReader,
        *,
        lens: Lens | None = None,
        settings: Settings | None = None,
        votes: int = VOTES,
    ) -> None:
        """`lens` is the camera's own calibration; `votes` frames make a settled reading.

        Raises ValueError if `votes` is below 1.
        """
        self._reader = reader
        self._tracker = PlaneTracker(reader.layout, lens)
        self._stillness = Stillness(settings)
        self._settle = Settle(votes)
        self._votes = votes
        self._read: list[Observation] = []
        """Readings of the table since nothing moves."""
        self._found: Detections | None = None
        """Where tiles may lie since then, on the plane of this id."""
        self._calibration = ""
        self._settled: Settled | None = None
        self._still: float | None = None
        self._bare: Mapping[str, NDArray[np.uint8]] = {}

    def look_again(self) -> None:
        """Has the table read anew from the next frames, though nothing seems to change."""
        self._read.clear()
        self._found = self._settled = None
        self._settle.add(None, quiet=False)

    def lay_bare(self, faces: Mapping[str, NDArray[np.uint8]]) -> None:
        """Says what the faces of boards by name look like with nothing on them, from now on.

        BGR pictures, straight from above; of others nothing is known. The table is read anew,
        unless it is the same object as before.
        """
        if faces is not self._bare:
            self._bare = faces
            self.look_again()

    def look(self, frame: Frame) -> Look:
        """Judges the next frame, and reads it if nothing moves and it is not settled yet.

        Raises UnreadableError if the layout has too few markers for a plane.
        """
        tracked = self._tracker.track(frame.image)
        plane = tracked.plane
        table = None if plane is None else _outline(plane)
        quiet = self._stillness.look(frame, moved=tracked.moved, table=table)
        if plane is None or self._news(quiet, plane, tracked.boards):
            self.look_again()
        self._still = quiet.still
        observation, calm = None, frame.captured_at - quiet.still
        if plane is not None and len(self._read) < self._votes:
            boards = tracked.boards.placed
            if self._found is None and calm >= _SEARCH_S:
                self._found = self._reader.find(frame.image, plane, boards)
                self._calibration = plane.calibration_id
            if self._found is not None and calm >= _CALM_S:
                observation = self._reader.read(
                    frame.image,
                    frame_id=frame.id,
                    captured_at=frame.captured_at,
                    plane=plane,
                    boards=boards,
                    bare=self._bare,
                    found=self._found,
                )
                self._read.append(observation)
        if quiet.quiet and self._settled is None and len(self._read) == self._votes:
            for reading in self._read:
                self._settled = self._settle.add(reading, quiet=True)
        return Look(frame, quiet, tracked, observation, self._settled if quiet.quiet else None)

    def _news(self, quiet: Quiet, plane: Plane, boards: TrackedBoards) -> bool:
        """Whether what was read may not hold for this frame."""
        if quiet.still != self._still or boards.moved:
            return True
        return self._found is not None and self._calibration != plane.calibration_id


def _outline(plane: Plane) -> list[tuple[float, float]]:
    """The table's corners in pixels."""
    width, height = plane.size
    low, right, below = -_EDGE_MM, width + _EDGE_MM, height + _EDGE_MM
    corners = np.array([(low, low), (right, low), (right, below), (low, below)])
    return [(float(x), float(y)) for x, y in plane.to_px(corners)]
