"""How the arrow speeds up and slows down: eased, by the steps made and left."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from referee.box.protocol import Profile

#: Speed at the very start, as a part of the top speed: a stepper can't start from nothing.
START = 0.04
#: The curve is looked up at so many places along a ramp.
PLACES = 1024


@functools.cache
def _curve() -> tuple[float, ...]:
    """Speed, 0 to 1, along a ramp that is eased in time.

    With u the time, 0 to 1, v = 3u² - 2u³ is the speed, so 2u³ - u⁴ is the way.
    """
    speeds = []
    for place in range(PLACES + 1):
        low, high = 0.0, 1.0
        for _ in range(40):
            u = (low + high) / 2
            low, high = (low, u) if 2 * u**3 - u**4 > place / PLACES else (u, high)
        speeds.append(max(3 * low**2 - 2 * low**3, START))
    return tuple(speeds)


@dataclass(frozen=True)
class Ramp:
    """Top speed in steps a second; so many steps to reach it, and to come to rest from it."""

    top: float
    up: int
    down: int


#: As firmware/src/motion.c.
PROFILES = {
    Profile.BRISK: Ramp(3205, 1024, 1024),
    Profile.LONG: Ramp(3205, 1024, 4096),
    Profile.SLOW: Ramp(800, 512, 512),
}
HOMING = Ramp(400, 256, 256)


class Motion:
    """One movement from rest to rest."""

    def __init__(self, ramp: Ramp) -> None:
        self._ramp = ramp
        self._part = 0.0

    def next_ms(self, left: int | None) -> float:
        """Returns the time to the next step (ms) if `left` are left; None: no end is planned."""
        self._part = min(self._part + 1 / self._ramp.up, 1.0)
        if left is not None:
            self._part = min(self._part, left / self._ramp.down)
        return 1000 / (self._ramp.top * _curve()[int(self._part * PLACES)])

    def steps_to_stand(self) -> int:
        """Returns how many steps it takes to come to rest."""
        return int(self._part * self._ramp.down)
