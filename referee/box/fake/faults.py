"""What can go wrong on the line to the fake board, drawn from a seed so that runs repeat."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from referee.box.fake.timers import MS


@dataclass
class Faults:
    """Chances, 0 to 1, that a frame is spoiled; each but `drop_answers` holds for both directions.

    A frame that is delayed may come after the one behind it. `count`: frames spoiled so far.
    """

    drop: float = 0.0
    drop_answers: float = 0.0
    corrupt: float = 0.0
    duplicate: float = 0.0
    delay: float = 0.0
    #: The longest delay. (ms)
    delay_ms: int = 400
    seed: int = 0
    count: int = 0
    _random: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def spoil_answer(self, frame: bytes) -> list[tuple[int, bytes]]:
        """Returns what the line makes of a frame to the host."""
        return [] if self._happens(self.drop_answers) else self.spoil(frame)

    def spoil(self, frame: bytes) -> list[tuple[int, bytes]]:
        """Returns what the line makes of a frame: how much later (ns), and which bytes."""
        if self._happens(self.drop):
            return []
        if self._happens(self.corrupt):
            at = self._random.randrange(len(frame))
            spoiled = bytearray(frame)
            spoiled[at] ^= self._random.randrange(1, 256)
            frame = bytes(spoiled)
        late = self._random.randrange(self.delay_ms * MS) if self._happens(self.delay) else 0
        return [(late, frame)] * (2 if self._happens(self.duplicate) else 1)

    def _happens(self, chance: float) -> bool:
        if chance <= 0 or self._random.random() >= chance:
            return False
        self.count += 1
        return True
