"""The position taken apart for whoever sets it by hand, and checked before anything is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.fact import Fact, FactValue
from referee.games.game import Game, MoveT, StateT
from referee.match.entered import read_position

Json = dict[str, Any]


def apart(game: Game[StateT, MoveT], state: StateT) -> Json:
    """A position as text and as facts."""
    return {
        "text": game.write_state(state),
        "facts": [_fact(fact) for fact in game.facts(state)],
        "faults": list(game.faults(state)),
    }


def checked(
    game: Game[StateT, MoveT],
    state: StateT,
    *,
    text: str | None = None,
    values: Mapping[str, FactValue] | None = None,
) -> Json:
    """What a position would be that is written as `text`, or in which some facts of `state` differ.

    `wrong` says why it can be none; else `faults` are what can't be right about it, and `next` is
    what would have to happen in it. Nothing is done.
    """
    try:
        made = (
            game.with_facts(state, values or {})
            if text is None
            else read_position(game, text, state)
        )
        # Some are so impossible that not even the next step can be told: no match goes on there.
        step = game.step(made)
    except ValueError as error:
        return {"wrong": str(error)}
    faults = game.faults(made)
    return {
        "wrong": "",
        "text": game.write_state(made),
        "values": {fact.key: fact.value for fact in game.facts(made)},
        "faults": list(faults),
        "next": None if faults or step is None else step.instruction or step.title,
    }


def _fact(fact: Fact) -> Json:
    return {
        "key": fact.key,
        "group": fact.group,
        "words": fact.words,
        "value": fact.value,
        "options": [list(option) for option in fact.options],
        "least": fact.least,
        "most": fact.most,
        "zone": fact.zone,
        "colour": fact.colour,
    }
