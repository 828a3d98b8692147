"""The arrow as a thing: a magnet at its tail, and steps that it may not follow."""

from __future__ import annotations

from referee.box.protocol import STEPS_PER_TURN

#: The sensor sees the magnet for so many steps.
IN_SIGHT = 20
#: Where it points when the board is made, in steps beyond the sensor's edge.
AT_START = 700


class Arrow:
    """`position`: steps turned in all, counted from a place of the sensor's edge."""

    def __init__(self) -> None:
        self.position = AT_START
        #: The arrow does not follow the next so many steps.
        self.to_lose = 0
        #: The arrow does not follow one step out of so many; 0: it follows all.
        self.lose_every = 0
        self._since_loss = 0

    def at_home(self) -> bool:
        """Whether the sensor sees the magnet."""
        return self.position % STEPS_PER_TURN < IN_SIGHT

    def step(self) -> None:
        """The motor is told to make a step."""
        if self.to_lose > 0:
            self.to_lose -= 1
            return
        if self.lose_every > 0:
            self._since_loss += 1
            if self._since_loss >= self.lose_every:
                self._since_loss = 0
                return
        self.position += 1
