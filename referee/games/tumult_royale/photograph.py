"""The tumults of a single photograph, taken after the reveal: no match is needed for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.games.game import Ask, Explained, Explanation, Step, Table, TileAsk
from referee.games.said import say
from referee.games.tumult_royale.adjudication import RULE, Taxed, Tumults, adjudicate
from referee.games.tumult_royale.edition import Edition
from referee.games.tumult_royale.sections import Colour
from referee.games.tumult_royale.state import Phase
from referee.games.tumult_royale.tiles import LABELS
from referee.games.tumult_royale.words import TITLES
from referee.games.tumult_royale.zones import CENTRE, castle_zone, heaps


@dataclass(frozen=True, slots=True)
class Standing:
    """A player before the tumults: what the verdict needs beside the tiles."""

    colour: Colour
    rank: int
    supporters: int
    mercy: bool = False


def reveal(edition: Edition, demand: int, seats: Sequence[Standing]) -> Step[Tumults]:
    """All tiles in play but those set aside lie open in the centre or on a castle (3.2).

    What the table means are the tumults of section 3.3.
    """
    in_play = dict(zip(LABELS, edition.tiles_in_play[len(seats)], strict=True))
    aside = edition.numbers.set_aside * len(seats)
    colours = [seat.colour for seat in seats]
    castles = tuple(map(castle_zone, colours))

    def tumults(table: Table) -> Explanation[Tumults]:
        centre, held = heaps(table.faces, colours)
        taxed = [
            Taxed(seat.rank, seat.supporters, seat.mercy, tiles)
            for seat, tiles in zip(seats, held, strict=True)
        ]
        return Explanation((Explained(adjudicate(edition, demand, centre, taxed)),))

    tiles = TileAsk(
        zones=(CENTRE, *castles),
        boards=castles,
        expected=sum(in_play.values()) - aside,
        in_play=in_play,
        aside=aside,
    )
    return Step(
        phase=Phase.REVEAL.value,
        rule=RULE,
        title=TITLES[Phase.REVEAL],
        instruction=say("Turn all tiles face up where they lie."),
        actors=tuple(range(len(seats))),
        ask=Ask(tiles),
        explain=tumults,
    )
