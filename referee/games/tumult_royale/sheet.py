"""A position on the score sheet."""

from __future__ import annotations

from referee.games.game import Line, Sheet
from referee.games.said import say
from referee.games.tumult_royale.state import Phase, State
from referee.games.tumult_royale.words import RANKS, name, winner
from referee.games.tumult_royale.zones import castle_zone

_DEMANDING = (Phase.SET_ASIDE, Phase.TAXES, Phase.REVEAL, Phase.PLEAS, Phase.TUMULTS)


def sheet(state: State) -> Sheet:
    """The whole position, a line a seat. The demand matters until the tumults are dealt with."""
    return Sheet(
        round=state.round,
        demand=state.demand if state.phase in _DEMANDING else 0,
        lines=tuple(_line(state, seat) for seat in range(state.players)),
        winner=winner(state),
    )


def facts(state: State, seat: int) -> tuple[tuple[str, str], ...]:
    """What everybody may know of a seat: its rank first."""
    player = state.seats[seat]
    return (
        (say("rank"), RANKS[player.rank - 1]),
        (say("statues"), say("{n} of {all}", n=player.built, all=state.edition.numbers.statues)),
        (say("supporters"), str(player.supporters)),
    )


def badges(state: State, seat: int) -> tuple[str, ...]:
    """What a seat is just now."""
    player = state.seats[seat]
    told = (
        (say("mercy"), player.mercy),
        (say("punished"), player.punished),
        (say("passed"), player.passed and state.phase is Phase.BUILD),
    )
    return tuple(badge for badge, holds in told if holds)


def _line(state: State, seat: int) -> Line:
    player = state.seats[seat]
    return Line(
        name=name(state, seat),
        colour=player.colour,
        zone=castle_zone(player.colour),
        rank=player.rank,
        facts=facts(state, seat),
        badges=badges(state, seat),
    )
