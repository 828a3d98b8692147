"""What the steps of an acceptance share: the running match, what is seen now, and patience."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic

from referee.box.box import Box
from referee.games.game import Game, MoveT, StateT
from referee.games.said import joined, say
from referee.match.acceptance.talk import (
    Asking,
    Asks,
    FailedError,
    Prompt,
    Reply,
    SkippedError,
)
from referee.match.commands import Answer, Command, Do, Sight
from referee.match.live import Live
from referee.match.match import View
from referee.match.sighting import Sighting
from referee.match.verdict import Reason, Verdict
from referee.match.watch import Watch
from vision.session import Look

#: A picture older than this is none of the table as it is now. (s)
FRESH_S = 3.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How long is waited, in seconds: `start` for the first pictures and the box, `deed` for the
    referee to notice what was done, `person` for people to do it."""

    start: float = 40.0
    deed: float = 20.0
    person: float = 240.0


class Bench(Generic[StateT, MoveT]):
    """A match under acceptance; `watch` and `box` are None if none is to be used."""

    def __init__(
        self,
        live: Live[StateT, MoveT],
        watch: Watch | None,
        box: Box | None,
        by: str,
        clock: Callable[[], float],
        patience: Patience,
    ) -> None:
        self.live, self.watch, self.box = live, watch, box
        self.by, self.clock, self.patience = by, clock, patience
        self.pressed = False
        """Whether the players' button was pressed: the match took it for a word of theirs."""
        self._sighting = Sighting()
        self._session, self._commands = secrets.token_hex(4), 0

    @property
    def game(self) -> Game[StateT, MoveT]:
        """The rules."""
        return self.live.game

    @property
    def view(self) -> View[StateT, MoveT]:
        """The match now."""
        return self.live.view

    @property
    def look(self) -> Look | None:
        """The newest look, if it is one at the table as it is now."""
        look = None if self.watch is None else self.watch.newest
        if look is None or self.clock() - look.frame.captured_at > FRESH_S:
            return None
        return look

    @property
    def sight(self) -> Sight | None:
        """What the newest look gives to the match."""
        look = self.look
        return None if look is None else self._sighting.of(look)

    def command(self, do: Do, *, text: str = "", reason: str = "", to: int = -1) -> Answer:
        """Has something done in the name of the person who checks; `overrule` if there is why."""
        self._commands += 1
        name = f"check-{self._session}-{self._commands}"
        at, overrule = self.view.state_id, bool(reason)
        return self.live.command(Command(do, at, name, self.by, text, reason, to, -1, overrule))

    def said(self) -> str:
        """What the referee says now; empty if nothing."""
        if self.live.trouble:
            return self.live.trouble
        if self.watch is not None:
            if self.watch.trouble:
                return self.watch.trouble
            sight = self.sight
            if sight is None:
                reason = Reason.NO_NEW_PICTURES
                return joined([reason.sentence(1), reason.remedy])
            if sight.why is not None:
                return sight.why.sentence(1)
        verdict = self.view.verdict
        return "" if verdict is None else told(verdict)

    def until(
        self,
        prompt: Prompt,
        seen: Callable[[], str],
        says: Callable[[], str] | None = None,
        patience: float | None = None,
    ) -> Asking:
        """Shows a prompt until `seen` gives a sentence on what was seen.

        `says` tells what keeps it from that, by default what the referee says. Raises FailedError
        if patience ends (by default that of the prompt's kind), SkippedError if a person skips it.
        """
        says = says or self.said
        if patience is None:
            waits = prompt.asks is Asks.NOTHING
            patience = self.patience.deed if waits else self.patience.person
        due = self.clock() + patience
        while not (sentence := seen()):
            if self.clock() >= due:
                late = say("Not seen within {seconds} s.", seconds=f"{patience:.0f}")
                raise FailedError(joined([each for each in (late, says()) if each]))
            reply = yield replace(prompt, said=says())
            if reply is Reply.SKIP:
                raise SkippedError(say("Skipped by a person."))
            if reply is Reply.DONE:
                patience = self.patience.deed
                due = self.clock() + patience
        return sentence

    def asked(self, prompt: Prompt, yes: str, no: str) -> Asking:
        """Asks a question; `yes` is what a yes means, FailedError with `no` a no."""
        end = self.clock() + self.patience.person
        while self.clock() < end:
            reply = yield prompt
            if reply is Reply.SKIP:
                raise SkippedError(say("Skipped by a person."))
            if reply is Reply.NO:
                raise FailedError(no)
            if reply in (Reply.YES, Reply.DONE):
                return yes
        raise FailedError(
            say("Nobody answered within {seconds} s.", seconds=f"{self.patience.person:.0f}")
        )


def told(verdict: Verdict[MoveT]) -> str:
    """All that a verdict says, in sentences."""
    findings = (finding.text for finding in verdict.findings)
    return joined([each for each in (verdict.sentence, *findings, *verdict.missing) if each])
