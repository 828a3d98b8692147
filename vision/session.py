"""Looks at one table frame after frame: is the plane where it was, may it be read, what lies there.

A frame that shows nothing new costs a look at the markers and one for motion, no more; a quiet
one that does is read, until enough readings agree.
"""

from __future__ import annotations

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

#: Beyond the plane's edge people may reach across without touching anything that is read.
_EDGE_MM = 10.0
#: So many quiet frames vote.
VOTES = 3


@dataclass(frozen=True, eq=False)
class Look:
    """What one frame gives."""

    frame: Frame
    quiet: Quiet
    tracked: Tracked
    observation: Observation | None
    """The reading of this frame; None if it was not read."""
    settled: Settled | None
    """What the last quiet frames agree on; None until so many were quiet without a break."""

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
        """`lens` is the camera's own calibration; `votes` quiet frames make a settled reading.

        Raises ValueError if `votes` is below 1.
        """
        self._reader = reader
        self._tracker = PlaneTracker(reader.layout, lens)
        self._stillness = Stillness(settings)
        self._settle = Settle(votes)
        self._settled: Settled | None = None
        self._quiet_since: float | None = None

    def look_again(self) -> None:
        """Has the table read anew from the next quiet frames, though nothing seems to change."""
        self._settled = None
        self._settle.add(None, quiet=False)

    def look(self, frame: Frame) -> Look:
        """Judges the next frame, and reads it if it is quiet and shows what is not settled yet.

        Raises UnreadableError if the layout has too few markers for a plane.
        """
        tracked = self._tracker.track(frame.image)
        plane = tracked.plane
        table = None if plane is None else _outline(plane)
        quiet = self._stillness.look(frame, moved=tracked.moved, table=table)
        if not quiet.quiet or plane is None or self._news(quiet, plane, tracked.boards):
            self._settled = None
            self._settle.add(None, quiet=False)
        self._quiet_since = quiet.since if quiet.quiet else None
        observation = None
        if quiet.quiet and plane is not None and self._settled is None:
            observation = self._reader.read(
                frame.image,
                frame_id=frame.id,
                captured_at=frame.captured_at,
                plane=plane,
                boards=tracked.boards.placed,
            )
            self._settled = self._settle.add(observation, quiet=True)
        return Look(frame, quiet, tracked, observation, self._settled)

    def _news(self, quiet: Quiet, plane: Plane, boards: TrackedBoards) -> bool:
        """Whether what was settled may not hold for this frame, although it is quiet."""
        if quiet.since != self._quiet_since:
            return True
        known = self._settled
        if known is None:
            return False
        return bool(boards.moved) or known.observation.calibration_id != plane.calibration_id


def _outline(plane: Plane) -> list[tuple[float, float]]:
    """The table's corners in pixels."""
    width, height = plane.size
    low, right, below = -_EDGE_MM, width + _EDGE_MM, height + _EDGE_MM
    corners = np.array([(low, low), (right, low), (right, below), (low, below)])
    return [(float(x), float(y)) for x, y in plane.to_px(corners)]
