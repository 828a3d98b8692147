"""A match as files for others: JSON, a table for spreadsheets, and its pictures."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from referee.journal.errors import DamagedError, unwritable
from referee.journal.events import Event, Json, canonical
from referee.journal.journal import Journal
from referee.journal.pictures import Pictures
from referee.journal.redact import redacted, redactor, without_names
from referee.journal.telling import told

_COLUMNS = ("seq", "time", "cause", "who", "state", "kind", "words", "data", "hash")


@dataclass(frozen=True, slots=True)
class Exported:
    """A match as a file: its text, the number of its events, and why later ones lack, if so."""

    text: str
    events: int
    damage: DamagedError | None


def exported(journal: Journal, form: Literal["json", "csv"], *, named: bool) -> Exported:
    """A match as text; of a damaged one the part that is whole.

    Unless it is `named`, the names of those who played or decided are replaced.
    """
    events: list[Event] = []
    damage = None
    try:
        events.extend(journal.events())
    except DamagedError as error:
        damage = error
    header = journal.header
    if not named:
        redact = redactor(header, events)
        header = {key: without_names(value, redact) for key, value in header.items()}
        events = [redacted(event, redact) for event in events]
    if form == "csv":
        text = as_csv(events)
    else:
        text = as_json(header, events, damage=str(damage or ""), named=named)
    return Exported(text, len(events), damage)


def event_json(event: Event) -> dict[str, Any]:
    """An event as JSON values, with its `words`; `at` is UTC seconds."""
    return {
        "seq": event.seq,
        "at": event.at,
        "time": iso_time(event.at),
        "kind": event.kind,
        "cause": {"kind": event.cause.kind, "who": event.cause.who},
        "state": event.state,
        "words": told(event),
        "data": event.data,
        "hash": event.hash,
    }


def as_json(
    header: Mapping[str, Json], events: Sequence[Event], *, damage: str, named: bool
) -> str:
    """A match as one JSON object; `damage` says why later events lack, empty if none does."""
    whole = {
        "header": header,
        "events": [event_json(event) for event in events],
        "damage": damage or None,
        "named": named,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def as_csv(events: Iterable[Event]) -> str:
    """A match as a table with a heading; spreadsheets take its first character as UTF-8's mark."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(_COLUMNS)
    for event in events:
        cause = event.cause
        table.writerow(
            [
                event.seq,
                iso_time(event.at),
                cause.kind,
                _cell(cause.who),
                event.state,
                _cell(event.kind),
                _cell(told(event)),
                canonical(event.data),
                event.hash,
            ]
        )
    return f"\ufeff{text.getvalue()}"


def iso_time(at: float) -> str:
    """UTC seconds as a date and time that all programs read."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


def write_pictures(pictures: Pictures, folder: Path) -> list[Path]:
    """Writes the pictures of all events as files named after event and picture.

    Raises JournalError if one can't be read or written.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for seq, name in pictures.tied():
            safe = re.sub(r"[^\w.-]+", "-", name)
            content = pictures.get(name) or b""
            end = "png" if content.startswith(b"\x89PNG") else "jpg"
            file = folder / f"{seq:05}-{safe}.{end}"
            file.write_bytes(content)
            written.append(file)
    except OSError as error:
        raise unwritable(error, folder) from None
    return written


def _cell(text: str) -> str:
    """Text that a spreadsheet won't take for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
