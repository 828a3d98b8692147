"""What a match says to people: its verdict, its last move, and how it came here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic

from referee.games.game import Finding, Game, MoveT, StateT
from referee.games.said import say
from referee.match.lineage import lineage
from referee.match.match import View
from referee.match.verdict import Outcome

Json = dict[str, Any]

#: So many of the last states are listed.
RECENT = 8
#: Told of a state that no move led to.
BACK, SET = say("Taken back to an earlier state."), say("The position was set by hand.")
BEGIN = say("The match begins.")


class Words(Generic[StateT, MoveT]):
    """Puts one match into words; what a state once meant is kept. For one thread at a time."""

    def __init__(self, game: Game[StateT, MoveT]) -> None:
        self._game = game
        self._told: dict[int, tuple[str, ...]] = {}

    def seats(self, view: View[StateT, MoveT], seats: Iterable[int]) -> list[str]:
        """The names of seats."""
        lines = view.sheet.lines
        return [lines[k].name if k < len(lines) else say("Player {n}", n=k + 1) for k in seats]

    def told(self, view: View[StateT, MoveT], state: int) -> tuple[str, ...]:
        """What led to a state: a headline, then sentences."""
        if state not in self._told:
            self._told[state] = self._tell(view, state)
        return self._told[state]

    def verdict(self, view: View[StateT, MoveT]) -> Json | None:
        """What the referee says of the table now; None if it has nothing to say."""
        verdict = view.verdict
        if verdict is None or verdict.outcome in (Outcome.CONFIRMED, Outcome.RULED):
            # What changed the match is told as its last move.
            return None
        return {
            "outcome": verdict.outcome.value,
            "headline": verdict.sentence,
            "remedy": verdict.remedy,
            "missing": list(verdict.missing),
            "findings": self._findings(view, verdict.findings),
            "rules": list(verdict.references),
        }

    def last(self, view: View[StateT, MoveT]) -> Json:
        """What led to the position that holds: what was confirmed, or who ruled it."""
        headline, *sentences = self.told(view, view.state_id)
        rule, findings = self._judged(view)
        return {
            "kind": self._kind(view),
            "by": view.cause.who if view.cause.kind == "person" else view.cause.kind,
            "headline": headline,
            "sentences": sentences,
            "rules": [rule] if rule else [],
            "findings": findings,
        }

    def recent(self, view: View[StateT, MoveT]) -> list[Json]:
        """The last states, newest first; `holds` is false for what was taken back since."""
        holding = {view.state_id, *lineage(view.origins)}
        oldest = max(0, view.state_id - RECENT + 1)
        return [
            {"state": k, "words": self.told(view, k)[0], "holds": k in holding}
            for k in range(view.state_id, oldest - 1, -1)
        ]

    def _tell(self, view: View[StateT, MoveT], state: int) -> tuple[str, ...]:
        if state == 0:
            return (BEGIN,)
        text, before = view.moves[state], view.positions[state - 1]
        if text:
            return self._game.tell(before, self._game.read_move(text, before)) or (text,)
        return (SET,) if view.origins[state] == state else (BACK,)

    def _kind(self, view: View[StateT, MoveT]) -> str:
        if view.state_id == 0:
            return "begin"
        if not view.moves[-1]:
            return "set" if view.origins[-1] == view.state_id else "back"
        return "confirmed" if view.cause.kind == "camera" else "ruled"

    def _judged(self, view: View[StateT, MoveT]) -> tuple[str, list[Json]]:
        """The rule of the last move, and what the rules say of it."""
        if not view.moves[-1]:
            return "", []
        before = view.positions[-2]
        step = self._game.step(before)
        findings = self._game.check(before, self._game.read_move(view.moves[-1], before))
        return "" if step is None else step.rule, self._findings(view, findings)

    def _findings(self, view: View[StateT, MoveT], findings: Iterable[Finding]) -> list[Json]:
        return [
            {
                "illegal": finding.illegal,
                "rule": finding.rule,
                "text": finding.text,
                "seats": self.seats(view, finding.seats),
            }
            for finding in findings
        ]
