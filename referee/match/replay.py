"""Judges a match on record again: every verdict must come out bit for bit as it was told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from referee.claims import Claims
from referee.games.game import Game, MoveT, StateT
from referee.journal import Event, Journal, canonical
from referee.match.fold import Fold, after
from referee.match.policy import assess
from referee.match.written import verdict_json


@dataclass(frozen=True, slots=True)
class Replayed:
    """A verdict on record, and what comes out today, as canonical JSON."""

    event: Event
    recorded: str
    again: str

    @property
    def same(self) -> bool:
        """Whether they are equal, bit for bit."""
        return self.recorded == self.again


def replay(game: Game[StateT, MoveT], journal: Journal) -> Iterator[Replayed]:
    """Every verdict that rests on what the camera saw, judged again from the recorded claims.

    Raises ValueError if an event can't follow those before it.
    """
    fold: Fold[StateT] = Fold()
    for event in journal.events():
        data: Any = event.data
        if data.get("claims") is not None:
            step = game.step(fold.position)
            position = fold.position
            verdict = None
            if step is not None:
                verdict = assess(
                    step,
                    Claims.from_json(data["claims"]),
                    done=data["done"],
                    behind=fold.behind,
                    motor=data["motor"],
                )
            again = None if verdict is None else verdict_json(verdict, _writer(game, position))
            yield Replayed(event, canonical(data["verdict"]), canonical(again))
        fold = after(game, fold, event)


def _writer(game: Game[StateT, MoveT], position: StateT) -> Callable[[MoveT], str]:
    return lambda move: game.write_move(move, position)
