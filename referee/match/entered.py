"""Positions that people write down for a match under way."""

from __future__ import annotations

from referee.games.game import Game, MoveT, StateT
from referee.games.said import listed, say


def read_position(game: Game[StateT, MoveT], text: str, here: StateT) -> StateT:
    """The position of a line, for a match that stands at `here`; it may be an impossible one.

    Raises ValueError if it is none, or if others play in it: half a line may well be a position.
    """
    position = game.read_state(text)
    theirs, ours = ([line.name for line in game.sheet(each).lines] for each in (position, here))
    if theirs != ours:
        raise ValueError(
            say(
                "{players} play this match, in this order; the position is one of {others}.",
                players=listed(ours),
                others=listed(theirs),
            )
        )
    return position
