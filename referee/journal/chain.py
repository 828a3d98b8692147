"""Rows of the table of events: how they are chained to each other, and checked."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from referee.journal.events import Cause, Entry, Event, digest

Row = tuple[Any, ...]

#: Rows that are read at once; between two such reads the file is let go.
BLOCK = 500


def insert(
    connection: sqlite3.Connection, root: str, entries: Iterable[tuple[Entry, str]], at: float
) -> list[Event]:
    """Adds entries, each with its data as text, behind the newest event; `root` starts the chain.

    Raises sqlite3.Error.
    """
    newest = connection.execute("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1").fetchone()
    seq, before = newest or (0, root)
    events = []
    for entry, data in entries:
        seq += 1
        cause = entry.cause
        head = [seq, at, entry.kind, cause.kind, cause.who, entry.state]
        before = digest(before, head, data)
        connection.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*head, data, before)
        )
        events.append(Event(entry.kind, cause, entry.state, json.loads(data), seq, at, before))
    return events


def block(connection: sqlite3.Connection, after: int) -> tuple[list[Row], sqlite3.Error | None]:
    """The next rows behind number `after` as far as they can be read, and what stopped it."""
    rows: list[Row] = []
    query = (
        "SELECT seq, at, kind, cause, who, state, data, hash FROM events "
        f"WHERE seq > ? ORDER BY seq LIMIT {BLOCK}"
    )
    try:
        rows.extend(connection.execute(query, (after,)))
    except sqlite3.Error as error:
        return rows, error
    return rows, None


def checked(row: Row, after: int, before: str) -> Event:
    """The event of a row, if it is the one that was written behind number `after`.

    `before` is the hash of that one. Raises ValueError saying what is wrong.
    """
    seq, at, kind, cause, who, state, data, found = row
    if seq != after + 1:
        raise ValueError(f"event {after + 1} is missing")
    try:
        right = digest(before, [seq, at, kind, cause, who, state], data) == found
    except ValueError:
        right = False
    if not right:
        raise ValueError(f"event {seq} was changed")
    return Event(kind, Cause(cause, who), state, json.loads(data), seq, at, found)
