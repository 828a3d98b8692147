"""The serial line to the fake board: each byte takes its time, frames may be spoiled."""

from __future__ import annotations

import functools
import heapq
import itertools
from collections.abc import Callable

from referee.box.fake.faults import Faults
from referee.box.fake.timers import NS, Timers
from referee.box.protocol import BAUD

#: A start bit, eight bits, a stop bit.
BYTE_NS = 10 * NS // BAUD


class Line:
    """Both directions. `deliver` takes the bytes that have arrived at the board."""

    def __init__(self, timers: Timers, faults: Faults, deliver: Callable[[bytes], None]) -> None:
        self.faults = faults
        self.to_host_free_at = 0
        self._timers = timers
        self._deliver = deliver
        self._to_box_free_at = 0
        self._order = itertools.count()
        self._to_host: list[tuple[int, int, bytes]] = []

    def write(self, data: bytes) -> None:
        """The host puts bytes on the line."""
        for frame in _frames(data):
            self._to_box_free_at = self._sent_by(self._to_box_free_at, frame)
            for late, spoiled in self.faults.spoil(frame):
                wait = self._to_box_free_at + late - self._timers.now
                self._timers.after(wait, functools.partial(self._deliver, spoiled))

    def send(self, frame: bytes) -> int:
        """The board puts a frame on the line; returns when its first bit goes (ns)."""
        begins = max(self.to_host_free_at, self._timers.now)
        self.to_host_free_at = self._sent_by(self.to_host_free_at, frame)
        for late, spoiled in self.faults.spoil_answer(frame):
            item = (self.to_host_free_at + late, next(self._order), spoiled)
            heapq.heappush(self._to_host, item)
        return begins

    def next_at(self) -> int | None:
        """Returns when the next frame will have come to the host; None if none is on its way."""
        return self._to_host[0][0] if self._to_host else None

    def read(self) -> bytes:
        """Returns the bytes that have come to the host."""
        come = []
        while self._to_host and self._to_host[0][0] <= self._timers.now:
            come.append(heapq.heappop(self._to_host)[2])
        return b"".join(come)

    def clear(self) -> None:
        """Forgets what was on its way to the host."""
        self._to_host.clear()

    def _sent_by(self, free_at: int, data: bytes) -> int:
        return max(free_at, self._timers.now) + len(data) * BYTE_NS


def _frames(data: bytes) -> list[bytes]:
    """Cuts bytes behind each zero."""
    *ended, rest = data.split(b"\0")
    return [piece + b"\0" for piece in ended] + ([rest] if rest else [])
