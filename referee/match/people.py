"""What people want of a match, and why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Generic

from referee.games.game import MoveT, RunGlass, SpinDial, StateT
from referee.games.said import joined, say
from referee.journal import Cause
from referee.match.commands import Answer, Command, Do, GlassOrder, SpinOrder, StopOrder
from referee.match.course import Course
from referee.match.device import glass_over
from referee.match.entered import read_position
from referee.match.fold import Stage
from referee.match.verdict import Outcome, Verdict
from referee.match.watcher import Watcher

#: So many answers to commands that left nothing on the record are remembered.
ANSWERS = 256


class People(Generic[StateT, MoveT]):
    """Does the commands of people; each that is refused says why in a sentence."""

    def __init__(self, course: Course[StateT, MoveT], watcher: Watcher[StateT, MoveT]) -> None:
        self._course, self._watcher = course, watcher
        self._traceless: dict[str, tuple[int, str]] = {}
        """By the command's id, oldest first: the record's last event then, and the refusal."""

    def command(self, command: Command, now: float) -> Answer:
        """Does what a person wants, or says why not; what comes twice is done once.

        What was refused, and comes again when the record has gone on, is refused as it was: the
        person who sent it was told so, and has not asked for it since.
        """
        fold = self._course.fold
        if command.id in fold.commands:
            return Answer(True, fold.state_id, say("That was done already."))
        seq, text = self._traceless.get(command.id, (fold.seq, ""))
        if seq == fold.seq:
            text = self._do(command, now)
        if command.id not in self._course.fold.commands:
            self._traceless[command.id] = (seq, text)
            if len(self._traceless) > ANSWERS:
                del self._traceless[next(iter(self._traceless))]
        return Answer(not text, self._course.fold.state_id, text)

    def _do(self, command: Command, now: float) -> str:
        """Does it; why not, if it is refused."""
        if command.do not in _ANY_STATE and command.at != self._course.fold.state_id:
            return say("The match has gone on meanwhile: look at it again, then decide anew.")
        try:
            return _DEEDS[command.do](self, command, now)
        except ValueError as error:
            return str(error)

    def _enter(self, command: Command, now: float) -> str:
        move = self._course.game.read_move(command.text, self._course.fold.position)
        return self._enter_move(command, move, now)

    def _enter_move(self, command: Command, move: MoveT, now: float) -> str:
        """Records a move that a person vouches for; why not, if it can't be done."""
        position = self._course.fold.position
        findings = self._course.game.check(position, move)
        if illegal := [each for each in findings if each.illegal]:
            said = joined(
                [say("{what} (rules {rule})", what=each.text, rule=each.rule) for each in illegal]
            )
            if not self._course.game.possible(position, move):
                return said
            if not command.overrule or not command.reason:
                return say(
                    "{what} Say why it shall stand all the same, or enter another move.", what=said
                )
        verdict = Verdict(
            Outcome.RULED,
            ruling=move,
            findings=findings,
            references=() if self._course.step is None else (self._course.step.rule,),
        )
        self._course.record_move(move, verdict, person(command), now, command=command)
        return ""

    def _done(self, command: Command, now: float) -> str:
        step = self._course.step
        if step is None:
            return say("The game is over.")
        if step.due is not None:
            return self._enter_move(command, step.due, now)
        if step.ask is None:
            return say("Choose what was done.")
        if isinstance(step.device, RunGlass) and self._course.fold.device.stage is Stage.RUNNING:
            return self._stop(command, now)
        if not self._course.fold.done:
            self._course.append("done", person(command), {}, command)
            self._course.changed_at = now
        return ""

    def _start(self, command: Command, now: float) -> str:
        step, stage = self._course.step, self._course.fold.device.stage
        if step is None or step.device is None:
            return say("There is nothing to start in this step.")
        if stage is Stage.RUNNING:
            return say("It runs already.")
        if stage is Stage.OVER and not isinstance(step.device, SpinDial):
            return say("It has run already.")
        cause = person(command)
        if isinstance(step.device, SpinDial):
            self._course.append("spin", cause, {"stage": Stage.RUNNING.value}, command)
            self._course.orders.append(SpinOrder(step.device.labels))
        else:
            end = self._course.wall() + step.device.seconds
            data = {"stage": Stage.RUNNING.value, "end": end, "by_hand": False}
            self._course.append("glass", cause, data, command)
            self._course.orders.append(GlassOrder(step.device.seconds))
        self._course.trouble = ""
        self._course.changed_at = now
        return ""

    def _stop(self, command: Command, now: float) -> str:
        step = self._course.step
        if step is None or not isinstance(step.device, RunGlass):
            return say("No hourglass runs.")
        if self._course.fold.device.stage is not Stage.RUNNING:
            return say("No hourglass runs.")
        glass_over(self._course, person(command), now, command)
        self._course.orders.append(StopOrder())
        return ""

    def _undo(self, command: Command, now: float) -> str:
        to = command.to if command.to >= 0 else self._course.fold.state_id - 1
        if not 0 <= to < self._course.fold.state_id:
            return say("There is no earlier state {n} to go back to.", n=to)
        position = self._course.fold.positions[to]
        data = {
            "to": to,
            "position": self._course.game.write_state(position),
            "reason": command.reason,
            **self._course.place(position),
        }
        self._course.append("undo", person(command), data, command, moves=True)
        self._course.change(now)
        return ""

    def _position(self, command: Command, now: float) -> str:
        here = self._course.fold.position
        position = read_position(self._course.game, command.text, here)
        if not command.reason:
            why = say("Say why the position is entered by hand.")
            return joined([why, *self._course.game.faults(position)])
        text = self._course.game.write_state(position)
        data = {"position": text, "reason": command.reason, **self._course.place(position)}
        self._course.append("position", person(command), data, command, moves=True)
        self._course.change(now)
        return ""

    def _table_right(self, command: Command, now: float) -> str:
        verdict = self._course.verdict
        if verdict is None or verdict.outcome is not Outcome.OUT_OF_SYNC:
            return say("The table does not contradict the record.")
        if verdict.ruling is None:
            return say("No single move leads to this table: enter what happened, or the position.")
        return self._enter_move(replace(command, overrule=True), verdict.ruling, now)

    def _record_right(self, command: Command, now: float) -> str:
        if not self._course.fold.apart:
            return say("The table does not contradict the record.")
        data = {"right": "record", "reason": command.reason}
        self._course.append("decision", person(command), data, command)
        self._course.changed_at = now
        return ""

    def _correct(self, command: Command, now: float) -> str:
        return self._watcher.correct(command, person(command), now)

    def _note(self, command: Command, now: float) -> str:
        if not command.text:
            return say("The note is empty.")
        self._course.append("note", person(command), {"text": command.text}, command)
        return ""

    def _review(self, command: Command, now: float) -> str:
        review = self._course.fold.review
        if review is not None:
            return say("{who} has begun a review already.", who=review.by)
        if not command.reason:
            return say("Say why the screens shall stand still.")
        self._course.append("review", person(command), {"reason": command.reason}, command)
        return ""

    def _resume(self, command: Command, now: float) -> str:
        if self._course.fold.review is None:
            return say("There is no review to end.")
        self._course.append("resume", person(command), {"reason": command.reason}, command)
        return ""


_DEEDS: Mapping[Do, Callable[[People[Any, Any], Command, float], str]] = {
    Do.ENTER: People._enter,
    Do.DONE: People._done,
    Do.START: People._start,
    Do.STOP: People._stop,
    Do.UNDO: People._undo,
    Do.POSITION: People._position,
    Do.TABLE_RIGHT: People._table_right,
    Do.RECORD_RIGHT: People._record_right,
    Do.CORRECT: People._correct,
    Do.NOTE: People._note,
    Do.REVIEW: People._review,
    Do.RESUME: People._resume,
}
#: What does not depend on the state that somebody looked at.
_ANY_STATE = (Do.NOTE, Do.REVIEW, Do.RESUME)


def person(command: Command) -> Cause:
    """Who caused what a command did."""
    return Cause("box", "button") if command.by == "button" else Cause("person", command.by)
