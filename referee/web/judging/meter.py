"""How fast a watch looks: counted as it goes, for whoever asks why something is slow."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from referee.match.watch import Watch

#: Rates are those of the last so many seconds.
WINDOW_S = 5.0
#: More looks than a camera makes in that time.
_MOST = 1000


@dataclass(frozen=True, slots=True)
class _Beat:
    at: float
    frame: int
    taken_at: float
    looks: int
    spent_s: float
    """Looks so far, and the seconds spent on them."""


class Meter:
    """Counts the looks of one watch; may be asked by any thread."""

    def __init__(self, watch: Watch, clock: Callable[[], float] = time.monotonic) -> None:
        self._watch, self._clock = watch, clock
        self._beats: deque[_Beat] = deque(maxlen=_MOST)
        self._plane: tuple[str, float] = ("", 0.0)
        watch.on_look(self._looked)

    @property
    def looks_per_s(self) -> float:
        """Looks a second."""
        return len(self._recent()) / WINDOW_S

    @property
    def pictures_per_s(self) -> float | None:
        """Pictures that the camera sent a second, looked at or not; None: too few to say."""
        recent = self._recent()
        if len(recent) < 2 or recent[-1].at <= recent[0].at:
            return None
        return (recent[-1].frame - recent[0].frame) / (recent[-1].at - recent[0].at)

    @property
    def look_s(self) -> float | None:
        """How long a look took lately, on the average; None: too few to say."""
        recent = self._recent()
        if len(recent) < 2 or recent[-1].looks <= recent[0].looks:
            return None
        return (recent[-1].spent_s - recent[0].spent_s) / (recent[-1].looks - recent[0].looks)

    @property
    def delay_s(self) -> float | None:
        """The longest time from a picture to the end of its look, lately; None without a look."""
        recent = self._recent()
        return max((beat.at - beat.taken_at for beat in recent), default=None)

    @property
    def beat_age_s(self) -> float | None:
        """Seconds since the last look ended; None before the first."""
        return self._clock() - self._beats[-1].at if self._beats else None

    @property
    def plane_age_s(self) -> float | None:
        """Seconds since the plane was found anew; None if it was not found."""
        name, since = self._plane
        return self._clock() - since if name else None

    def _recent(self) -> list[_Beat]:
        since = self._clock() - WINDOW_S
        return [beat for beat in tuple(self._beats) if beat.at >= since]

    def _looked(self) -> None:
        """Runs in the vision thread."""
        look, now = self._watch.newest, self._clock()
        if look is None:
            return
        plane = look.tracked.plane
        name = "" if plane is None else plane.calibration_id
        if name != self._plane[0]:
            self._plane = name, now
        watch = self._watch
        beat = _Beat(now, look.frame.id, look.frame.captured_at, watch.looks, watch.look_seconds)
        self._beats.append(beat)
