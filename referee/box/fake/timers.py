"""Time in the fake board: it passes when it is told to, in whole nanoseconds."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

NS = 1_000_000_000
MS = 1_000_000
#: Stamps of the box are 32 bits of microseconds.
WRAP_US = 1 << 32


class Timer:
    """Something that happens at `at` (true ns) unless it is cancelled."""

    __slots__ = ("at", "call")

    def __init__(self, at: int, call: Callable[[], None]) -> None:
        self.at = at
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        """Does nothing if it has happened."""
        self.call = None


class Timers:
    """The true time and what is to happen. `now`: nanoseconds since the board was made."""

    def __init__(self) -> None:
        self.now = 0
        self._order = itertools.count()
        self._heap: list[tuple[int, int, Timer]] = []

    def after(self, ns: int, call: Callable[[], None]) -> Timer:
        """Has `call` called `ns` from now."""
        timer = Timer(self.now + max(ns, 0), call)
        heapq.heappush(self._heap, (timer.at, next(self._order), timer))
        return timer

    def next_at(self) -> int | None:
        """Returns when something happens next; None if nothing will."""
        while self._heap and self._heap[0][2].call is None:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def step(self) -> None:
        """Goes to what happens next, and has it happen; something must be to come."""
        at, _, timer = heapq.heappop(self._heap)
        self.now = max(self.now, at)
        if timer.call is not None:
            timer.call()


class BoardClock:
    """The board's own clock: starts at each boot, runs fast by `ppm`."""

    def __init__(self, timers: Timers, ppm: int = 0) -> None:
        self.timers = timers
        self.ppm = ppm
        self._booted = 0

    def boot(self) -> None:
        """Starts at zero."""
        self._booted = self.timers.now

    def us(self, at: int | None = None) -> int:
        """Returns the stamp of a true time in ns, now if None; wraps at 2**32."""
        since = (self.timers.now if at is None else at) - self._booted
        return since * (1_000_000 + self.ppm) // 1_000_000 // 1000 % WRAP_US

    def ms(self) -> int:
        """Returns the milliseconds since boot; wraps at 2**32."""
        since = self.timers.now - self._booted
        return since * (1_000_000 + self.ppm) // 1_000_000 // MS % WRAP_US

    def after(self, ms: float, call: Callable[[], None]) -> Timer:
        """Has `call` called after `ms` by this clock."""
        return self.timers.after(round(ms * MS * 1_000_000 / (1_000_000 + self.ppm)), call)

    def ms_until(self, timer: Timer) -> float:
        """Returns how long it is until then by this clock."""
        return (timer.at - self.timers.now) * (1_000_000 + self.ppm) / 1_000_000 / MS
