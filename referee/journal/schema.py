"""The tables of a journal, and the triggers that let them only grow.

The file is in WAL mode: readers, however slow, never hold up the writer, and a commit costs one
sync. With `synchronous=FULL` that sync comes before a commit returns.
"""

from __future__ import annotations

import sqlite3

#: Marks the file as a journal of this program: "TRef".
APPLICATION_ID = 0x54526566
#: Rises with every change of the tables, or of what an event's hash covers.
VERSION = 1

_TABLES = """
CREATE TABLE header (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    data TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    cause TEXT NOT NULL,
    who TEXT NOT NULL,
    state INTEGER NOT NULL,
    data TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
"""
# A REPLACE deletes without asking the triggers for DELETE; the ones for INSERT stop it.
_TRIGGERS = """
CREATE TRIGGER header_once BEFORE INSERT ON header WHEN (SELECT count(*) FROM header) > 0
BEGIN SELECT raise(ABORT, 'a journal has one header'); END;
CREATE TRIGGER header_stays BEFORE UPDATE ON header
BEGIN SELECT raise(ABORT, 'a journal only grows'); END;
CREATE TRIGGER header_kept BEFORE DELETE ON header
BEGIN SELECT raise(ABORT, 'a journal only grows'); END;
CREATE TRIGGER events_follow BEFORE INSERT ON events
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events)
BEGIN SELECT raise(ABORT, 'events are numbered without a gap'); END;
CREATE TRIGGER events_stay BEFORE UPDATE ON events
BEGIN SELECT raise(ABORT, 'a journal only grows'); END;
CREATE TRIGGER events_kept BEFORE DELETE ON events
BEGIN SELECT raise(ABORT, 'a journal only grows'); END;
"""


def build(connection: sqlite3.Connection, header: str, hash_: str) -> None:
    """Makes the tables of a new file in it, and writes its header, all in one transaction."""
    connection.executescript(
        f"PRAGMA synchronous=FULL; BEGIN; PRAGMA application_id={APPLICATION_ID};"
        f"PRAGMA user_version={VERSION}; {_TABLES} {_TRIGGERS}"
    )
    connection.execute("INSERT INTO header VALUES (1, ?, ?)", (header, hash_))
    connection.execute("COMMIT")
    # Comes last: in WAL mode a full disk at the final checkpoint would not be told.
    connection.execute("PRAGMA journal_mode=WAL")


def pragma(connection: sqlite3.Connection, name: str) -> int:
    """The number that SQLite keeps in the file under this name."""
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
