"""What a person can do in a match now: buttons that make sense, moves to pick, what to go back to.

A deed is a command without its id and its author: the page adds them.
"""

from __future__ import annotations

from typing import Any, Generic

from referee.games.game import Game, MoveT, RunGlass, SpinDial, StateT, Step
from referee.games.said import joined, say
from referee.match.commands import Do
from referee.match.fold import Stage
from referee.match.lineage import lineage
from referee.match.match import View
from referee.match.verdict import Outcome
from referee.web.words import Words

Json = dict[str, Any]


class ByHand(Generic[StateT, MoveT]):
    """Lists what people can decide; the match itself may still refuse it. One thread at a time."""

    def __init__(self, game: Game[StateT, MoveT], words: Words[StateT, MoveT]) -> None:
        self._game, self._words = game, words
        self._choices: tuple[int, list[Json]] = (-1, [])

    def now(self, view: View[StateT, MoveT]) -> Json:
        """Everything that can be decided by hand in the state that holds."""
        due, step = self._due(view), view.step
        choices = [each for each in self._picks(view) if due is None or each["text"] != due["text"]]
        deeds = [] if step is None else [*_contradiction(view), *_device(step, view)]
        if step is not None and (done := _done(step, view, due)) is not None:
            deeds.append(done)
        tiles = None if step is None or step.ask is None else step.ask.tiles
        return {
            "deeds": deeds,
            "due": None if due is None else due["words"],
            "rivals": self._rivals(view),
            "choices": choices,
            "example": self._example(view, choices, due),
            "undo": self._undo(view),
            "faces": [] if tiles is None else sorted(tiles.in_play),
        }

    def _due(self, view: View[StateT, MoveT]) -> Json | None:
        """The one move that a person confirms: as text, and in sentences."""
        if view.step is None or view.step.due is None:
            return None
        return {
            "text": self._game.write_move(view.step.due, view.position),
            "words": list(self._game.tell(view.position, view.step.due)),
        }

    def _picks(self, view: View[StateT, MoveT]) -> list[Json]:
        state, choices = self._choices
        if state != view.state_id:
            picks = self._game.choices(view.position)
            choices = [{"text": each.text, "words": each.words} for each in picks]
            self._choices = view.state_id, choices
        return choices

    def _rivals(self, view: View[StateT, MoveT]) -> list[Json]:
        """What may have happened, where it can't be told apart."""
        if view.verdict is None:
            return []
        return [
            {
                "text": self._game.write_move(move, view.position),
                "words": joined(self._game.tell(view.position, move)[:2]),
            }
            for move in view.verdict.rivals
        ]

    def _example(self, view: View[StateT, MoveT], choices: list[Json], due: Json | None) -> str:
        """A move in the game's notation, to show what is to be written."""
        written = (each["text"] for each in [*choices, *([due] if due else [])])
        moves = (text for text in reversed(view.moves) if text)
        return next(written, next(moves, ""))

    def _undo(self, view: View[StateT, MoveT]) -> Json | None:
        """What would be taken back, and the state that it leads to."""
        states = lineage(view.origins)
        if len(states) < 2:
            return None
        return {"to": states[1], "words": self._words.told(view, states[0])[0]}


def _deed(do: Do, words: str, *, hint: str = "", why: bool = False, judge: bool = False) -> Json:
    """`why`: a reason must be given. `judge`: it is the judge's."""
    return {"do": do.value, "words": words, "hint": hint, "why": why, "judge": judge or None}


def _contradiction(view: View[StateT, MoveT]) -> list[Json]:
    verdict = view.verdict
    if not view.apart or verdict is None or verdict.outcome is not Outcome.OUT_OF_SYNC:
        return []
    hint = say("Put the table as the record says.")
    record = _deed(Do.RECORD_RIGHT, say("The record is right"), hint=hint)
    if verdict.ruling is None:
        return [record]
    hint = say("Record what lies there, whatever the rules say.")
    table = _deed(Do.TABLE_RIGHT, say("The table is right"), hint=hint, why=True, judge=True)
    return [table, record]


def _device(step: Step[MoveT], view: View[StateT, MoveT]) -> list[Json]:
    """What the box, or people in its place, can be asked for."""
    stage = view.device.stage
    if isinstance(step.device, SpinDial):
        if stage is Stage.IDLE:
            by_hand = _deed(Do.DONE, say("It was spun by hand"))
            return [_deed(Do.START, say("Spin the arrow")), by_hand]
        return [_deed(Do.START, say("Spin again"))] if stage is Stage.OVER else []
    if isinstance(step.device, RunGlass):
        if stage is Stage.IDLE:
            start = say("Start the hourglass ({seconds} s)", seconds=f"{step.device.seconds:g}")
            own = say("Time is up on a sand glass of your own.")
            return [_deed(Do.START, start), _deed(Do.DONE, say("Time is up"), hint=own)]
        if stage is Stage.RUNNING:
            hint = say("Nobody wants another tile.")
            return [_deed(Do.STOP, say("Stop: time is up"), hint=hint)]
    return []


def _done(step: Step[MoveT], view: View[StateT, MoveT], due: Json | None) -> Json | None:
    """Saying that nothing more will be done, where that means something."""
    if view.apart:
        return None
    if due is not None:
        return _deed(Do.DONE, say("Done"), hint=due["words"][0])
    waits = step.device is not None and view.device.stage is not Stage.OVER
    if step.ask is None or waits or isinstance(step.device, SpinDial):
        return None
    hint = say("Nothing more will be done: judge the table as it lies.")
    return _deed(Do.DONE, say("Done"), hint=hint)
