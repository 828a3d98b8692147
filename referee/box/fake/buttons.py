"""Buttons: stamped at the first contact, believed when they hold."""

from __future__ import annotations

from collections.abc import Callable

from referee.box.fake.timers import BoardClock, Timer
from referee.box.protocol import Button, Buttons, Event, Pressed

#: A press is believed after, a release after, a spark is forgotten after so long. (ms)
HELD_MS, RELEASED_MS, SPARK_MS = 4, 20, 4


class FakeButton:
    """One button. `down`: it is held, debounced."""

    def __init__(self, button: Button, clock: BoardClock, tell: Callable[[Event], None]) -> None:
        self.down = False
        self._button = button
        self._clock = clock
        self._tell = tell
        self._contact = False
        self._since_us: int | None = None
        self._timer: Timer | None = None

    def boot(self) -> None:
        """Forgets all but whether it is pressed; a press of before the start is none."""
        self.down = False
        self._since_us = None
        self._wait(None)

    def contact(self, closed: bool) -> None:
        """The contact closes or opens."""
        if closed == self._contact:
            return
        self._contact = closed
        if closed:
            if self._since_us is None:
                self._since_us = self._clock.us()
            self._wait(None if self.down else self._clock.after(HELD_MS, self._believed))
        elif self._since_us is not None:
            lasts = RELEASED_MS if self.down else SPARK_MS
            self._wait(self._clock.after(lasts, self._released))

    def _wait(self, timer: Timer | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = timer

    def _believed(self) -> None:
        assert self._since_us is not None
        self.down = True
        self._tell(Pressed(self._since_us, self._button))

    def _released(self) -> None:
        self.down = False
        self._since_us = None


class FakeButtons:
    """Both buttons."""

    def __init__(self, clock: BoardClock, tell: Callable[[Event], None]) -> None:
        self._buttons = {button: FakeButton(button, clock, tell) for button in Button}

    def boot(self) -> None:
        """Forgets what was pressed."""
        for button in self._buttons.values():
            button.boot()

    def contact(self, button: Button, closed: bool) -> None:
        """A contact closes or opens."""
        self._buttons[button].contact(closed)

    def held(self) -> Buttons:
        """Returns the buttons that are held down."""
        held = Buttons(0)
        for button, one in self._buttons.items():
            if one.down:
                held |= Buttons(1 << button)
        return held
