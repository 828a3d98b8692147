"""What a step of a game asks of the table before the rules can go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

#: How many tiles of each label lie in each zone: zone -> label -> number.
Counts = Mapping[str, Mapping[str, int]]

RulingT = TypeVar("RulingT")


@dataclass(frozen=True, slots=True)
class TileAsk:
    """All tiles in play lie face up in `zones`, but for those that a step leaves aside.

    `boards` are the boards that bear a zone and must have been found where they lie; `expected`
    tiles lie in the zones together; `in_play` says how many tiles of each label there are in this
    game; up to `aside` tiles may lie face down outside every zone.
    """

    zones: tuple[str, ...]
    boards: tuple[str, ...]
    expected: int
    in_play: Mapping[str, int]
    aside: int = 0


@dataclass(frozen=True, slots=True)
class Step(Generic[RulingT]):
    """A question to the table, and what the rules say once its tiles are settled.

    `references` are the sections of the rules that the answer rests on; `tell` puts it into words:
    a headline, then a sentence for each part.
    """

    ask: TileAsk
    adjudicate: Callable[[Counts], RulingT]
    references: tuple[str, ...]
    tell: Callable[[RulingT], tuple[str, ...]]
