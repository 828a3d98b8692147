"""Holds what the referee said of a deed against what truly happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.games.game import Game
from referee.games.hands import Deed
from referee.journal import Event
from referee.match.match import View
from referee.match.verdict import Outcome, Reason, Verdict
from referee.simulation.players.tally import Tally, doing, right


class AstrayError(Exception):
    """The record is not what truly happened any more: the match can't go on."""


@dataclass
class Kept:
    """The evidence of one match, in memory."""

    pictures: dict[str, bytes] = field(default_factory=dict)

    def keep(self, name: str, jpeg: bytes, at: float) -> None:
        """Keeps a picture."""
        self.pictures[name] = jpeg

    def tie(self, name: str, seq: int) -> None:
        """All are kept anyway."""


@dataclass(frozen=True)
class Judging:
    """One deed, and what was said of it.

    `move` is the event that it led to, if any; `accusations` are those since the last hand left;
    `picture` draws the newest one.
    """

    game: Game[Any, Any]
    kept: Kept
    tally: Tally
    deed: Deed
    view: View[Any, Any]
    move: Event | None
    accusations: Sequence[Event]
    picture: Callable[[], bytes | None]

    @property
    def confirmed(self) -> bool:
        """Whether the camera has confirmed a move."""
        return self.move is not None and self.move.cause.kind == "camera"

    def run(self) -> None:
        """Tallies it. Raises AstrayError if the record is not the truth any more."""
        remarks = [self.move] if self.move is not None and self.confirmed else []
        found = False
        for event in (*self.accusations, *remarks):
            found |= self._accusation(event)
        if self.deed.cheat is not None:
            self._cheat(found)
        if self.move is not None:
            self.tally.confirmed += self.confirmed
            self._truth(self.move)

    def fail(self, what: str, told: str) -> None:
        """Notes a failure."""
        self.tally.fail(what, doing(self.deed), told, self.picture())

    def _truth(self, event: Event) -> None:
        data: Any = event.data
        deed, move = self.deed, data["text"]
        # Where the match is ahead of the hands, their next deed tells whether that was right.
        ahead = self.view.state_id > event.state
        position = deed.after if ahead else self.game.write_state(self.view.position)
        if (move, position) == (deed.move, deed.after):
            return
        told = f"{move} -> {position}, but {deed.move} -> {deed.after}"
        self.tally.wrong += self.confirmed
        self.fail("WRONG", told)
        raise AstrayError(told)

    def _accusation(self, event: Event) -> bool:
        """Tallies what an event says against somebody; whether it is right about a cheat."""
        data: Any = event.data
        findings = data["verdict"]["findings"]
        reasons = frozenset(finding["reason"] for finding in findings)
        if right(self.deed.cheat, reasons):
            self._evidence(data["evidence"])
            return True
        remarks = self.deed.remarks if event.kind == "move" else frozenset()
        if reasons - remarks or accuses(event):
            self.tally.false += 1
            self.fail("FALSE ACCUSATION", "; ".join(finding["text"] for finding in findings))
        return False

    def _cheat(self, found: bool) -> None:
        cheat, verdict = self.deed.cheat, self.view.verdict
        assert cheat is not None
        missing = verdict is not None and verdict.reason is Reason.TILES_MISSING
        if not found and missing and cheat.missing:
            found = True
            self._evidence(self.view.evidence)
        self.tally.cheats[cheat.kind] += 1
        self.tally.found[cheat.kind] += found
        if not found:
            self.fail("not found", said(verdict))

    def _evidence(self, names: Sequence[str]) -> None:
        if not names or any(name not in self.kept.pictures for name in names):
            self.tally.without_evidence += 1
            self.fail("no evidence", ", ".join(names))


def accuses(event: Event) -> bool:
    """Whether an event says that the table contradicts the record."""
    data: Any = event.data
    return event.kind == "verdict" and data["verdict"]["outcome"] == Outcome.OUT_OF_SYNC.value


def said(verdict: Verdict[Any] | None) -> str:
    """All that a verdict says, in a line."""
    if verdict is None:
        return "nothing"
    told = verdict.missing or tuple(finding.text for finding in verdict.findings)
    return " ".join((verdict.outcome.value, verdict.sentence, *told))
