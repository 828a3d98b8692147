"""What each step of a round asks of the table, and how what lies there reads in the rules.

So far the reveal (section 3.2): all tiles are turned up where they lie, in the centre or on the
castle boards, and the tumults of section 3.3 follow from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.games.step import Counts, Step, TileAsk
from referee.games.tumult_royale.adjudication import RULE, Taxed, Tumults, adjudicate
from referee.games.tumult_royale.edition import Edition
from referee.games.tumult_royale.sections import Colour
from referee.games.tumult_royale.tiles import LABELS
from referee.games.tumult_royale.words import tell
from referee.games.tumult_royale.zones import CENTRE, castle_zone, heaps


@dataclass(frozen=True, slots=True)
class Standing:
    """A player before the tumults: what the verdict needs beside the tiles."""

    colour: Colour
    rank: int
    supporters: int
    mercy: bool = False


def reveal(edition: Edition, demand: int, seats: Sequence[Standing]) -> Step[Tumults]:
    """All tiles in play but those set aside lie open in the centre or on a castle (3.2)."""
    in_play = dict(zip(LABELS, edition.tiles_in_play[len(seats)], strict=True))
    aside = edition.numbers.set_aside * len(seats)
    colours = [seat.colour for seat in seats]
    castles = tuple(map(castle_zone, colours))

    def tumults(counts: Counts) -> Tumults:
        centre, held = heaps(counts, colours)
        taxed = [
            Taxed(seat.rank, seat.supporters, seat.mercy, tiles)
            for seat, tiles in zip(seats, held, strict=True)
        ]
        return adjudicate(edition, demand, centre, taxed)

    ask = TileAsk(
        zones=(CENTRE, *castles),
        boards=castles,
        expected=sum(in_play.values()) - aside,
        in_play=in_play,
        aside=aside,
    )
    return Step(ask, tumults, (RULE,), tell=lambda ruling: tell(ruling, colours))
