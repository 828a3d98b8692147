"""The course of a match: its record, its position, and what was last said of it.

Everything that changes a match goes through here: it is written into the journal, and only then
counts. People, the box and the camera each have a side of their own; this is what they share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic

from referee.claims import Claims
from referee.games.game import Game, MoveT, StateT, Step
from referee.games.said import joined, say
from referee.journal import Cause, Entry, Event, Journal, JournalError
from referee.match.commands import Command, Order
from referee.match.fold import Fold, Stage, after, folded
from referee.match.verdict import Verdict
from referee.match.written import verdict_json


class Course(Generic[StateT, MoveT]):
    """The record and position of one match."""

    def __init__(
        self,
        game: Game[StateT, MoveT],
        journal: Journal,
        now: float,
        wall: Callable[[], float],
    ) -> None:
        """Takes up the match of a journal; raises ValueError if it has not begun, or is another."""
        wanted = (game.name, game.edition)
        found = (journal.header.get("game"), journal.header.get("edition"))
        if found != wanted:
            raise ValueError(
                say(
                    "The match is one of {found}, not {wanted}.",
                    found=joined([str(each) for each in found]),
                    wanted=joined(wanted),
                )
            )
        self.game, self.wall = game, wall
        self._journal = journal
        self.fold: Fold[StateT] = folded(game, journal.events())
        if self.fold.state_id < 0:
            raise ValueError(say("The match has not begun: its journal has no position."))
        self.step: Step[MoveT] | None = game.step(self.fold.position)
        self.verdict: Verdict[MoveT] | None = None
        """What is said of the table now."""
        self.marks: tuple[int, ...] = ()
        """Identities of the tiles that it concerns."""
        self.said_on: tuple[str, ...] = ()
        """Names of the pictures that it rests on."""
        self.moved_on: tuple[str, ...] = ()
        """Names of the pictures that the last move rests on."""
        self.trouble = ""
        """Why the box can't do its part."""
        self.unwritten = ""
        """Why the last event could not be put on record; empty if it could."""
        self.orders: list[Order] = []
        self.changed_at = now
        """Only what is seen from then on counts."""
        self._resume(now)

    @property
    def software(self) -> Mapping[str, Any]:
        """The parts of the program as they were when it was started last for this match."""
        begun: Any = self._journal.header.get("software", {})
        return self.fold.software or dict(begun)

    @property
    def id(self) -> str:
        """The journal's."""
        return self._journal.id

    def append(
        self,
        kind: str,
        cause: Cause,
        data: Mapping[str, Any],
        command: Command | None = None,
        *,
        moves: bool = False,
    ) -> Event:
        """Writes an event, and only then lets it count; `moves` if it changes the position.

        Raises JournalError if it could not be written: then nothing has happened.
        """
        if command is not None:
            data = {**data, "command": command.id}
        state = self.fold.state_id + (1 if moves else 0)
        try:
            event = self._journal.append(Entry(kind, cause, state, data))
        except JournalError as error:
            self.unwritten = joined([error.what, error.remedy])
            raise
        self.unwritten = ""
        self.fold = after(self.game, self.fold, event)
        return event

    def record_move(
        self,
        move: MoveT,
        verdict: Verdict[MoveT],
        cause: Cause,
        now: float,
        *,
        command: Command | None = None,
        claims: Claims | None = None,
        evidence: tuple[str, ...] = (),
    ) -> Event:
        """Records a move with all that its verdict rests on, and goes on to the next step."""
        position = self.fold.position
        event = self.append(
            "move",
            cause,
            {
                **self.place(self.game.apply(position, move)),
                "text": self.game.write_move(move, position),
                "told": list(self.game.tell(position, move)),
                "verdict": verdict_json(verdict, self.write),
                "claims": None if claims is None else claims.to_json(),
                "done": self.fold.done,
                "motor": self.fold.device.label,
                "reason": "" if command is None else command.reason,
                "evidence": list(evidence),
            },
            command,
            moves=True,
        )
        self.change(now)
        return event

    def place(self, position: StateT) -> dict[str, Any]:
        """Where in the game a position is, for whoever lists matches."""
        over = self.game.step(position) is None
        return {"round": self.game.sheet(position).round, "over": over}

    def write(self, move: MoveT) -> str:
        """A move as text, in the position that holds."""
        return self.game.write_move(move, self.fold.position)

    def change(self, now: float) -> None:
        """The position has changed: everything that was said of the last one is over."""
        self.step = self.game.step(self.fold.position)
        self.trouble = ""
        self.say(None)
        self.said_on = self.moved_on = ()
        self.changed_at = now

    def say(self, verdict: Verdict[MoveT] | None, marks: tuple[int, ...] = ()) -> None:
        """Says what the table means now; `marks` are the identities of the tiles concerned."""
        self.verdict, self.marks = verdict, marks

    def _resume(self, now: float) -> None:
        """After a restart: an arrow that turned then is not known to have arrived."""
        device = self.fold.device
        if device.stage is Stage.RUNNING and not device.wall_end:
            why = say("The program was started again while the arrow turned.")
            self.append("spin", Cause("referee"), {"stage": Stage.IDLE.value, "why": why})
            self.trouble = joined([why, say("Spin it again.")])
