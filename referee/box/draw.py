"""The spinner's dial, and the draw of its sector: by the system's random source, never the box's.

Each sector is drawn as often as its share of the circle, as a spun arrow would.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

#: Angles are in parts of a turn, as the box takes them.
TURN = 65536
SECTORS = (2, 24)


@dataclass(frozen=True)
class Dial:
    """The sectors of a dial, in the sense in which the arrow turns.

    starts: Where each begins, in 1/65536 turn from home, rising. It runs to the next one's start,
        the last one to the first one's.
    labels: What is written in each.
    """

    starts: tuple[int, ...]
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.starts) != len(self.labels):
            raise ValueError(f"{len(self.starts)} sectors have {len(self.labels)} labels.")
        if not SECTORS[0] <= len(self.starts) <= SECTORS[1]:
            raise ValueError(f"A dial has {SECTORS[0]} to {SECTORS[1]} sectors, not {len(self)}.")
        rising = [-1, *self.starts, TURN]
        if any(b <= a for a, b in itertools.pairwise(rising)):
            raise ValueError(f"Sectors must rise within 0 to {TURN - 1}: {self.starts}.")

    def __len__(self) -> int:
        return len(self.starts)

    @classmethod
    def equal(cls, labels: Sequence[object]) -> Self:
        """Returns a dial of sectors of equal size; home lies at the start of the first."""
        starts = tuple(round(i * TURN / len(labels)) for i in range(len(labels)))
        return cls(starts, tuple(str(label) for label in labels))

    def widths(self) -> tuple[int, ...]:
        """Returns the size of each sector in 1/65536 turn; together a whole turn."""
        after = (*self.starts[1:], self.starts[0] + TURN)
        return tuple(b - a for a, b in zip(self.starts, after, strict=True))


def draw_sector(dial: Dial, below: Callable[[int], int] = secrets.randbelow) -> int:
    """Returns the number of a sector; `below(n)` gives a number from 0 to n - 1, all alike."""
    at = below(TURN)
    for sector, width in enumerate(dial.widths()):
        if at < width:
            return sector
        at -= width
    raise AssertionError("the widths are a whole turn")
