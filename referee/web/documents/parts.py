"""Parts that several documents have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic

from referee.games.game import Game, MoveT, RunGlass, StateT
from referee.match.fold import Stage
from referee.match.match import View
from referee.web.documents.moment import Moment
from referee.web.publish import Audience, no_match
from referee.web.words import Words

Json = dict[str, Any]


class Parts(Generic[StateT, MoveT]):
    """Makes the parts of documents of one match."""

    def __init__(
        self,
        game: Game[StateT, MoveT],
        words: Words[StateT, MoveT],
        start: StateT,
        people: Mapping[str, str],
    ) -> None:
        """`people` are the names of those who play, by the game's word for a seat's colour."""
        self.game, self.words, self._people = game, words, people
        # Neither changes during a match.
        self.goods, self._colours = game.goods, game.plan(start).piece_colours

    def head(self, moment: Moment[StateT, MoveT], audience: Audience) -> Json:
        """What every document has, and what most show."""
        view = moment.view
        return {
            **no_match(audience),
            "match": view.match,
            "state": view.state_id,
            "seq": view.seq,
            "title": self.game.title,
            "round": view.sheet.round,
            "demand": view.sheet.demand,
            "over": view.step is None,
            "winner": view.sheet.winner,
            "step": self._step(view),
        }

    def device(self, view: View[StateT, MoveT]) -> Json | None:
        """The box's part of the step; None if it has none. `end` is in UTC seconds."""
        device, run = None if view.step is None else view.step.device, view.device
        if device is None:
            return None
        glass, runs = isinstance(device, RunGlass), run.stage is Stage.RUNNING
        return {
            "kind": "glass" if glass else "dial",
            "stage": run.stage.value,
            "seconds": device.seconds if isinstance(device, RunGlass) else None,
            "end": run.wall_end if glass and runs else None,
            "label": run.label,
            "by_hand": run.by_hand,
        }

    def lines(self, view: View[StateT, MoveT]) -> list[Json]:
        """The score sheet, a line a seat; `piece` is the game's word for the seat's colour.

        `player` is who sits there, if they gave a name.
        """
        acting = () if view.step is None else view.step.actors
        return [
            {
                "seat": seat,
                "name": line.name,
                "piece": line.colour,
                "player": self._people.get(line.colour) or None,
                "colour": f"rgb{self._colours[line.colour]}",
                "rank": line.rank,
                "facts": line.facts,
                "badges": line.badges,
                "acts": seat in acting,
            }
            for seat, line in enumerate(view.sheet.lines)
        ]

    def colour(self, piece: str) -> str | None:
        """How a colour of pieces is shown; None for one that this match does not have."""
        return f"rgb{self._colours[piece]}" if piece in self._colours else None

    def _step(self, view: View[StateT, MoveT]) -> Json | None:
        step = view.step
        if step is None:
            return None
        meanwhile = ""
        if isinstance(step.device, RunGlass) and view.device.stage is Stage.RUNNING:
            meanwhile = step.device.meanwhile
        return {
            "phase": step.phase,
            "title": step.title,
            "instruction": meanwhile or step.instruction,
            "rule": step.rule,
            "actors": self.words.seats(view, step.actors),
        }
