"""A box in virtual time beside a loop of frames: time passes only when the loop lets it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tests.referee.box.virtual import VirtualClock

#: Real seconds after which a waiting thread looks at the time again; mostly it is woken before.
_LOOK_S = 0.02


class Lockstep:
    """A `Pump` whose steps the loop makes; other threads wait for what comes of them."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self._step: Callable[[], None] | None = None
        self._failed: Callable[[Exception], None] | None = None
        self._changed = threading.Condition()
        self._waiting: list[Callable[[], bool]] = []
        self._stopped = False

    def run(self, until: float) -> None:
        """Lets time pass, with all that the link does in it; for the loop's thread.

        Whoever has what they wait for goes on before more time passes.
        """
        while (left := until - self._clock.now()) > 0:
            if self._step is None or self._failed is None:
                self._clock.advance(left)
            else:
                try:
                    self._step()
                except Exception as error:
                    self._failed(error)
            with self._changed:
                self._changed.notify_all()
                while any(done() for done in self._waiting):
                    self._changed.wait(_LOOK_S)

    def start(self, step: Callable[[], None], failed: Callable[[Exception], None]) -> None:
        """Takes what the loop is to step."""
        self._step, self._failed = step, failed

    def wait(self, done: Callable[[], bool], seconds: float) -> bool:
        """Waits until `done`, at most so long in virtual time; for any other thread."""
        until = self._clock.now() + seconds
        if self._stopped:
            # Nobody else lets time pass now, and whoever waits until some time must see it pass.
            self._clock.advance(seconds)
        with self._changed:
            self._waiting.append(done)
            try:
                while not done():
                    if self._stopped or self._clock.now() >= until:
                        return done()
                    self._changed.wait(_LOOK_S)
            finally:
                self._waiting.remove(done)
                self._changed.notify_all()
        return True

    def stop(self) -> None:
        """Steps no more, and lets nobody wait."""
        self._step, self._stopped = None, True
        with self._changed:
            self._changed.notify_all()
