"""The verdict on tumults (rules section 3.3), from what lies on the table after the reveal.

It needs no `State`: the judge of a photograph calls `adjudicate` with what was read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from referee.games.tumult_royale.edition import Edition
from referee.games.tumult_royale.sections import FEWEST_PLAYERS, MOST_PLAYERS
from referee.games.tumult_royale.tiles import (
    COMMODITIES,
    KINDS,
    MOST_SYMBOLS,
    NO_TILES,
    Commodity,
    Tiles,
    symbols_of,
    total,
)

RULE = "3.3"


@dataclass(frozen=True, slots=True)
class Taxed:
    """One seat after the reveal: what the verdict needs of it."""

    rank: int
    supporters: int
    mercy: bool
    tiles: Tiles


class Sentiment(Enum):
    """What happens over one commodity."""

    CALM = "enough remains: no tumult"
    PUNISHED = "tumult: the greediest is punished"
    UNPUNISHED = "tumult, but nobody was greedy"


@dataclass(frozen=True, slots=True)
class Punishment:
    """What a seat loses for one commodity; `kept` and `returned` are tiles of that commodity."""

    seat: int
    supporters: int
    kept: Tiles
    returned: Tiles


@dataclass(frozen=True, slots=True)
class CommodityVerdict:
    """The verdict on one commodity; `greed` by seat, `remaining` and `demand` in symbols."""

    commodity: Commodity
    remaining: int
    demand: int
    sentiment: Sentiment
    greed: tuple[int, ...]
    greediest: int | None
    punishment: Punishment | None
    rule: str = RULE

    @property
    def tumult(self) -> bool:
        """Whether there is a tumult of this commodity."""
        return self.sentiment is not Sentiment.CALM


@dataclass(frozen=True, slots=True)
class Tumults:
    """The verdict on bread, marble and tools, and what follows for each seat."""

    commodities: tuple[CommodityVerdict, ...]
    supporters_lost: tuple[int, ...]
    returned: tuple[Tiles, ...]

    @property
    def any(self) -> bool:
        """Whether there is a tumult at all."""
        return any(verdict.tumult for verdict in self.commodities)

    def punished(self, seat: int) -> bool:
        """Whether the seat is punished for a commodity."""
        return any(v.punishment is not None and v.greediest == seat for v in self.commodities)


def adjudicate(edition: Edition, demand: int, centre: Tiles, seats: Sequence[Taxed]) -> Tumults:
    """The verdict for 2 to 4 seats with different ranks.

    Raises ValueError if there are more or fewer seats, or two of the same rank.
    """
    if not FEWEST_PLAYERS <= len(seats) <= MOST_PLAYERS or len({seat.rank for seat in seats}) < len(
        seats
    ):
        ranks = [seat.rank for seat in seats]
        raise ValueError(
            f"{FEWEST_PLAYERS} to {MOST_PLAYERS} seats with different ranks are needed, not {ranks}"
        )
    rulings, due = edition.rulings, edition.numbers.punishment
    held = [symbols_of(seat.tiles) for seat in seats]
    left = [seat.supporters for seat in seats]
    verdicts: list[CommodityVerdict] = []
    returned: list[Tiles] = [NO_TILES] * len(seats)
    for index, (commodity, remaining) in enumerate(
        zip(COMMODITIES, symbols_of(centre), strict=True)
    ):
        greed = tuple(
            max(0, symbols[index] - seat.mercy) for symbols, seat in zip(held, seats, strict=True)
        )
        sentiment, greediest, punishment = Sentiment.CALM, None, None
        if remaining < demand:
            greediest = max(range(len(seats)), key=lambda i: (greed[i], -seats[i].rank))
            if greed[greediest] == 0 and not rulings.no_greed_punished:
                sentiment, greediest = Sentiment.UNPUNISHED, None
            else:
                sentiment = Sentiment.PUNISHED
                repeated = any(verdict.greediest == greediest for verdict in verdicts)
                supporters = due if rulings.losses_add_up or not repeated else 0
                if left[greediest] < supporters:
                    supporters = left[greediest] if rulings.few_supporters_punished == "all" else 0
                left[greediest] -= supporters
                kept, back = _confiscate(index, seats[greediest].tiles)
                returned[greediest] = total((returned[greediest], back))
                punishment = Punishment(greediest, supporters, kept, back)
        verdicts.append(
            CommodityVerdict(commodity, remaining, demand, sentiment, greed, greediest, punishment)
        )
    lost = tuple(seat.supporters - rest for seat, rest in zip(seats, left, strict=True))
    return Tumults(tuple(verdicts), lost, tuple(returned))


def _confiscate(commodity: int, tiles: Tiles) -> tuple[Tiles, Tiles]:
    """Of one commodity's tiles: the one with the fewest symbols that is kept, and the others."""
    start = commodity * MOST_SYMBOLS
    back = [n if start <= kind < start + MOST_SYMBOLS else 0 for kind, n in enumerate(tiles)]
    kept = [0] * KINDS
    smallest = next((kind for kind, n in enumerate(back) if n), None)
    if smallest is not None:
        back[smallest] -= 1
        kept[smallest] = 1
    return tuple(kept), tuple(back)
