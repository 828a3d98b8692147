"""A box and its link in virtual time: a read or a wait lets time pass, nothing else does."""

from __future__ import annotations

import threading
from collections.abc import Callable

from referee.box.box import Box
from referee.box.fake import FakeBoard, fake_board
from referee.box.happenings import Happening
from referee.box.inbox import Inbox


class VirtualClock:
    """Time that passes when somebody waits."""

    def __init__(self) -> None:
        self._now = 1000.0

    def now(self) -> float:
        return self._now

    def wait(self, seconds: float, woken: threading.Event) -> None:
        # Never less than the clock's resolution, or time could stand still.
        self.advance(max(seconds, 1e-6))

    def advance(self, seconds: float) -> None:
        self._now += seconds


class StepPump:
    """Steps only while somebody waits."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self._step: Callable[[], None] = lambda: None

    def start(self, step: Callable[[], None], failed: Callable[[Exception], None]) -> None:
        self._step = step

    def wait(self, done: Callable[[], bool], seconds: float) -> bool:
        until = self._clock.now() + seconds
        while not done():
            if self._clock.now() >= until:
                return False
            self._step()
        return True

    def stop(self) -> None:
        self._step = lambda: None


class Desk:
    """A fake board and a box that speaks to it."""

    def __init__(self, board: FakeBoard) -> None:
        self.clock = VirtualClock()
        self.pump = StepPump(self.clock)
        self.board = board
        self.plug = fake_board("desk", board, self.clock)
        self.box = Box("fake://desk", clock=self.clock, pump=self.pump)

    def another(self) -> Box:
        """Another program's box, at the same port."""
        return Box("fake://desk", clock=self.clock, pump=StepPump(self.clock))

    def wait(self, seconds: float) -> None:
        """Lets time pass."""
        self.pump.wait(lambda: False, seconds)

    def connected(self) -> bool:
        """Whether the box speaks."""
        return self.box.connected


def all_of(inbox: Inbox) -> list[Happening]:
    """Returns what has happened so far."""
    return list(iter(inbox.get, None))
