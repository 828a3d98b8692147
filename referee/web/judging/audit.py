"""The audit trail: every event of a match in words, and which of them were taken back since."""

from __future__ import annotations

import threading
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from referee.games.said import joined
from referee.journal import Event, Journal, JournalError
from referee.journal.telling import cause_words, told
from referee.match.lineage import Origins, lineage, origins_after
from referee.web.pictures import evidence_words
from referee.words import in_language

Json = dict[str, Any]

#: So many events are told at once, at most.
MOST = 200
#: What an audit can be narrowed down to, and the kinds of events of each.
GROUPS = {
    "moves": frozenset({"begin", "move", "undo", "position", "end"}),
    "verdicts": frozenset({"verdict", "agrees", "buzzer"}),
    "rulings": frozenset({"correction", "decision", "done", "note", "review", "resume", "check"}),
    "box": frozenset({"spin", "glass"}),
    "program": frozenset({"run"}),
}
#: Kinds that are never taken back: they tell what people or the program did besides the match.
_LASTING = frozenset({"begin", "undo", "run", "note", "review", "resume", "check", "end"})
#: Kinds after which the position is another one.
_MOVING = frozenset({"move", "position"})
#: Data that nobody reads here, and that is most of an event.
_TECHNICAL = frozenset({"claims", "position"})


@dataclass(frozen=True)
class Row:
    """An event without what only a program wants of it."""

    event: Event

    @classmethod
    def of(cls, event: Event) -> Row:
        """What is kept of an event: thousands of them need not fill the memory."""
        data = {key: part for key, part in event.data.items() if key not in _TECHNICAL}
        return cls(replace(event, data=data))

    @cached_property
    def words(self) -> str:
        """What happened; put into words when somebody wants to read it."""
        return told(self.event)

    @cached_property
    def who(self) -> str:
        """Who caused it."""
        return cause_words(self.event.cause)

    @property
    def rules(self) -> list[str]:
        """Sections of the rules that it rests on."""
        data: Any = self.event.data
        return list((data.get("verdict") or {}).get("rules") or ())

    @property
    def evidence(self) -> list[str]:
        """Names of the pictures that it rests on."""
        data: Any = self.event.data
        return list(data.get("evidence") or ([data["picture"]] if "picture" in data else []))


@dataclass
class Audit:
    """The journal of one match, read as it grows; may be used by many threads.

    It is read by a connection of its own, which never holds up the writer.
    """

    path: Path
    _rows: list[Row] = field(default_factory=list)
    _origins: Origins = ()
    _head: tuple[int, str] = (0, "")
    _trouble: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def page(
        self,
        *,
        before: int | None = None,
        count: int = 50,
        groups: Collection[str] = (),
        text: str = "",
        gone: bool | None = None,
        language: str = "en",
    ) -> Json:
        """The newest events with a number below `before`, newest first.

        groups: Some of `GROUPS`; none means all. text: what the words or the name must contain.
        gone: only what was taken back since, or only what was not. `next` is what `before` must be
        for the page behind this one, None if there is none.
        """
        kinds = {kind for group in groups for kind in GROUPS[group]}
        wanted = " ".join(text.split()).casefold()
        with self._lock:
            self._read()
            holding = frozenset(lineage(self._origins))
            rows: list[Json] = []
            rest = None
            for row in reversed(self._rows[: None if before is None else max(0, before - 1)]):
                taken_back = self._gone(row.event, holding)
                if kinds and row.event.kind not in kinds:
                    continue
                if gone is not None and taken_back is not gone:
                    continue
                if wanted and wanted not in _searched(row, language):
                    continue
                if len(rows) == min(count, MOST):
                    rest = rows[-1]["seq"]
                    break
                rows.append(_told(row, taken_back, language))
            return {
                "rows": rows,
                "next": rest,
                "total": len(self._rows),
                "head": {"seq": self._head[0], "hash": self._head[1]},
                "trouble": self._trouble,
            }

    def head(self) -> tuple[int, str]:
        """The number and the hash of the newest event: who writes it down can tell a cut end."""
        with self._lock:
            self._read()
            return self._head

    @property
    def trouble(self) -> str:
        """Why the record can't be read in whole; empty if it can."""
        return self._trouble

    def _read(self) -> None:
        """Takes what was written since."""
        try:
            with Journal.read(self.path) as journal:
                for event in journal.events(self._head[0]):
                    self._origins = origins_after(self._origins, event)
                    self._rows.append(Row.of(event))
                    self._head = event.seq, event.hash
            self._trouble = ""
        except JournalError as error:
            self._trouble = joined([error.what, error.remedy])

    def _gone(self, event: Event, holding: Collection[int]) -> bool:
        if event.kind in _LASTING:
            return False
        begun = 0 <= event.state < len(self._origins)
        return (self._origins[event.state] if begun else event.state) not in holding


def _searched(row: Row, language: str) -> str:
    """What a search looks through."""
    words = in_language(row.words, language)
    return f"{words} {in_language(row.who, language)} {row.event.seq}".casefold()


def _told(row: Row, taken_back: bool, language: str) -> Json:
    event = row.event
    return {
        "seq": event.seq,
        "at": event.at,
        "kind": event.kind,
        "cause": event.cause.kind,
        "who": in_language(row.who, language),
        "ruled": event.cause.kind == "person",
        "state": event.state,
        "words": in_language(row.words, language),
        "rules": row.rules,
        "evidence": [
            {
                "name": name,
                "words": in_language(evidence_words(name), language),
                "url": f"evidence/{name}.jpg",
            }
            for name in row.evidence
        ],
        "gone": taken_back,
        # Where an undo leads that takes this back, with all that came after it.
        "back": event.state - 1 if event.kind in _MOVING and not taken_back else None,
    }
