"""What the fake board's outputs do: told to who watches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from referee.box.fake.timers import Timers

#: Levels of one LED: green, red, blue, each 0 to 255, as they go over the ring's line.
Colour = tuple[int, int, int]


@dataclass
class Record:
    """What was written down. Times are true ns since the board was made."""

    #: When a tone began (Hz, volume 1 to 4), or silence (0 Hz).
    tones: list[tuple[int, int, int]] = field(default_factory=list)
    #: When a step was made.
    steps: list[int] = field(default_factory=list)
    #: When the motor's power changed, and to what.
    power: list[tuple[int, bool]] = field(default_factory=list)
    #: When a picture was sent to the ring, and its LEDs.
    pictures: list[tuple[int, tuple[Colour, ...]]] = field(default_factory=list)


class Outputs:
    """Piezo, motor and ring. `hz`, `volume`, `powered` tell how they are now."""

    def __init__(self, timers: Timers) -> None:
        self.hz = 0
        self.volume = 0
        self.powered = False
        self.record: Record | None = None
        #: Called for each step that the driver, under power, is told to make.
        self.on_step: Callable[[], None] = lambda: None
        #: Whether pictures of the ring are wanted.
        self.ring_watched = False
        self._timers = timers

    def tone(self, hz: int, volume: int) -> None:
        """Sounds a tone; 0 Hz is silence."""
        if (hz, volume) == (self.hz, self.volume):
            return
        self.hz, self.volume = hz, volume
        if self.record is not None:
            self.record.tones.append((self._timers.now, hz, volume))

    def power(self, on: bool) -> None:
        """Switches the motor's driver."""
        if on == self.powered:
            return
        self.powered = on
        if self.record is not None:
            self.record.power.append((self._timers.now, on))

    def step(self) -> None:
        """Tells the driver to make a step."""
        if self.record is not None:
            self.record.steps.append(self._timers.now)
        if self.powered:
            self.on_step()

    def show(self, leds: tuple[Colour, ...]) -> None:
        """Sends a picture to the ring."""
        if self.record is not None:
            self.record.pictures.append((self._timers.now, leds))
