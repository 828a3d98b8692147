"""One match on record, read once: its summary, its story and its statistics.

Nothing about a file on disk raises: what can't be followed is told in a sentence.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.games.game import Game
from referee.games.said import Said, say
from referee.journal import (
    DamagedError,
    Event,
    Journal,
    JournalError,
    NewerJournalError,
    NotAJournalError,
    Pictures,
    evidence_path,
    people_of,
)
from referee.journal.telling import cause_words, told
from referee.match.fold import Fold, after
from referee.match.gameof import game_of
from referee.match.lineage import lineage
from referee.web.history.counting import Counting
from referee.web.history.pace import Pace
from referee.web.history.story import Story

Json = dict[str, Any]

log = logging.getLogger(__name__)

#: So many events of a match whose game is not known here are listed.
MOST_PLAIN = 2000


@dataclass(frozen=True)
class Record:
    """What is told of a match. `whole` has the summary too; neither is changed."""

    summary: Json
    whole: Json


def read(path: Path, *, until: int | None = None, breathe: Callable[[], object] = int) -> Record:
    """Reads a match, or its events up to the number `until`; `breathe` is called between events."""
    try:
        with Journal.read(path) as journal:
            return _read(journal, until, breathe)
    except JournalError as error:
        log.info("%s: %s", path, error)
        summary = _summary(path, _why(error))
        return Record(summary, {**summary, **_NOTHING})


def _why(error: JournalError) -> Said:
    """Why a file can't be read, for people who have no business with folders and commands."""
    match error:
        case NotAJournalError():
            return say("This file is not the journal of a match.")
        case NewerJournalError():
            return say("A newer version of this program wrote this match: it can't be read here.")
        case DamagedError(whole=0):
            return say("This file is damaged, and nothing of it can be read.")
        case DamagedError(whole=whole):
            return say("This file is damaged; it is whole up to event {n}.", n=whole)
        case _:
            return say("This file can't be read now: see the referee's log.")


_NOTHING: Json = {"rounds": [], "measures": [], "steps": [], "outcomes": [], "plain": []}


def _summary(path: Path, trouble: str) -> Json:
    """What is told of a match of which nothing can be read."""
    try:
        changed = path.stat().st_mtime
    except OSError:
        changed = 0.0
    return {
        # A name that is no text, such as one from an old disk, can at least be shown.
        "id": path.stem.encode(errors="replace").decode(),
        "title": "",
        "edition": "",
        "begun": changed,
        "lasted": 0.0,
        "finished": False,
        "ended": False,
        "round": None,
        "events": 0,
        "players": [],
        "winner": "",
        "trouble": trouble,
    }


def _read(journal: Journal, until: int | None, breathe: Callable[[], object]) -> Record:
    header: Any = journal.header
    summary = {
        **_summary(journal.path, ""),
        "title": str(header.get("game") or ""),
        "edition": str(header.get("edition") or ""),
        "begun": float(str(header.get("created") or 0.0)),
    }
    try:
        game = game_of(journal)
    except JournalError as error:
        log.info("%s", error)
        trouble = say("This program can't follow the game of this match: its events are listed.")
        return _plain(journal, {**summary, "trouble": trouble}, until)
    return Reading(game, journal, summary).done(until, breathe)


def _plain(journal: Journal, summary: Json, until: int | None) -> Record:
    """A match whose rules are not known here: its events, each in a line."""
    lines: list[Json] = []
    try:
        for event in journal.events():
            if until is not None and event.seq > until:
                break
            summary["events"] = event.seq
            if len(lines) < MOST_PLAIN:
                by = cause_words(event.cause)
                line = {"seq": event.seq, "at": event.at, "by": by, "words": told(event)}
                lines.append(line)
    except JournalError as error:
        summary["trouble"] = _why(error)
    return Record(summary, {**summary, **_NOTHING, "plain": lines})


class Reading:
    """Follows one match with its game."""

    def __init__(self, game: Game[Any, Any], journal: Journal, summary: Json) -> None:
        self._game, self._journal = game, journal
        self._summary = {**summary, "title": game.title}
        self._fold: Fold[Any] = Fold()
        self._pace = Pace()
        self._players: list[Json] = []
        self._story: Story[Any, Any] = Story(game, ())
        self._counting: Counting[Any, Any] = Counting(game, 0)

    def done(self, until: int | None, breathe: Callable[[], object]) -> Record:
        """Reads all that can be."""
        trouble = ""
        try:
            for event in self._journal.events():
                if until is not None and event.seq > until:
                    break
                self._add(event)
                breathe()
        except JournalError as error:
            trouble = _why(error)
        except Exception as error:
            # What another program wrote may be anything.
            log.info("%s, event %d: %r", self._journal.path, self._fold.seq + 1, error)
            trouble = say(
                "From event {n} on this program can't follow the match.", n=self._fold.seq + 1
            )
        return self._told(trouble)

    def _add(self, event: Event) -> None:
        before = self._fold
        fold = after(self._game, before, event)
        if event.kind == "begin":
            self._begin(fold.position)
        elif not before.positions:
            raise ValueError("the match has not begun")
        self._pace.add(event)
        round_ = self._round(before if before.positions else fold)
        self._story.add(event, before, fold, round_)
        if before.positions and len(fold.positions) > len(before.positions):
            if (step := self._game.step(before.position)) is not None:
                self._pace.stepped(step.phase, step.title)
            if event.kind != "undo":
                new = fold.position
                self._counting.moved(fold.state_id, before.position, fold.moves[-1], new, round_)
        self._fold = fold

    def _begin(self, position: Any) -> None:
        """Who plays."""
        lines = self._game.sheet(position).lines
        colours = self._game.plan(position).piece_colours
        names = people_of(self._journal.header)
        for seat, line in enumerate(lines):
            name = names.get(line.colour, "").strip()
            person = bool(name) and name.casefold() != line.colour.casefold()
            self._players.append(
                {
                    "seat": seat,
                    "piece": line.colour,
                    "colour": f"rgb{tuple(colours.get(line.colour, (128, 128, 128)))}",
                    "name": line.name,
                    "player": name if person else "",
                    "won": False,
                }
            )
        self._story.names = [each["player"] or each["name"] for each in self._players]
        self._counting.seats = len(lines)
        self._counting.begin(position, self._game.sheet(position).round)

    def _round(self, fold: Fold[Any]) -> int:
        return self._game.sheet(fold.position).round

    def _told(self, trouble: str) -> Record:
        game, fold = self._game, self._fold
        holding = frozenset(lineage(fold.origins))
        summary = {
            **self._summary,
            "events": fold.seq,
            "lasted": round(self._pace.lasted, 1),
            "trouble": trouble,
            "players": self._players,
        }
        if fold.positions:
            won = game.winners(fold.position)
            summary |= {
                "finished": game.step(fold.position) is None,
                "ended": fold.ended,
                "round": self._round(fold),
                "winner": game.sheet(fold.position).winner,
                "players": [{**each, "won": each["seat"] in won} for each in self._players],
            }
        whole = {
            **summary,
            "rounds": self._story.told(holding, _kept(self._journal.path)),
            "measures": self._counting.told(holding),
            "steps": self._pace.steps(),
            "outcomes": self._pace.outcomes(),
            "plain": [],
        }
        return Record(summary, whole)


def _kept(path: Path) -> frozenset[str]:
    """The names of the pictures of a match that are still there."""
    evidence = evidence_path(path)
    if not evidence.exists():
        return frozenset()
    try:
        with Pictures(evidence) as pictures:
            return frozenset(name for _, name in pictures.tied())
    except JournalError as error:
        log.info("%s", error)
        return frozenset()
