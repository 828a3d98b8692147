"""How a journal's file is opened: to write it, to read it, and to read what is left of it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from referee.games.said import say
from referee.journal.errors import NotAJournalError, explained, is_denied
from referee.journal.migrations import keep_copy, migrate, version_of
from referee.journal.schema import VERSION

#: How long to wait for another program that has the file locked (s).
PATIENCE_S = 2.0


def need(path: Path) -> None:
    """Raises NotAJournalError if there is no such file."""
    if not path.is_file():
        raise NotAJournalError(
            say("There is no match {path}.", path=path),
            say("See which there are with: referee match list."),
        )


def remove(path: Path) -> None:
    """Deletes a database that is not open, if there is one, with what SQLite keeps beside it."""
    for end in ("", "-journal", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)


@contextlib.contextmanager
def creating(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a new file that is closed afterwards; SQLite's errors are explained."""
    try:
        connection = _connect(path, "rwc")
        with contextlib.closing(connection):
            yield connection
    except sqlite3.Error as error:
        raise explained(error, path) from None


def open_to_write(path: Path) -> sqlite3.Connection:
    """Opens a journal that is there, brought up to this program's version.

    Raises NotAJournalError, NewerJournalError, DeniedError, LockedError.
    """
    connection = None
    try:
        connection = _connect(path, "rw")
        connection.execute("PRAGMA synchronous=FULL")
        # A Mac's plain sync leaves data in the drive's own memory; elsewhere this does nothing.
        connection.execute("PRAGMA fullfsync=ON")
        if (version := version_of(connection, path)) < VERSION:
            keep_copy(connection, path, version)
            migrate(connection, path)
        # Fails now, not at the first event, if the file is write-protected.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error):
            raise explained(error, path) from None
        raise
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """Opens a journal only to read it; of one that was cut off, what is left.

    An older one is brought up to this program's version in memory. Raises as `open_to_write`.
    """
    try:
        connection = _connect(path, "ro")
        try:
            # SQLite refuses a file that is shorter than it was, unless this is on.
            connection.execute("PRAGMA writable_schema=ON")
            version = version_of(connection, path)
        except sqlite3.OperationalError as error:
            connection.close()
            alone = not path.with_name(f"{path.name}-wal").exists()
            if not (is_denied(error) and alone):
                raise
            # In a folder that is closed for writing, a file at rest is read as it lies there.
            connection = _connect(path, "ro&immutable=1")
            version = version_of(connection, path)
        if version < VERSION:
            with contextlib.closing(connection):
                newer = sqlite3.connect(":memory:", isolation_level=None)
                connection.backup(newer)
            connection = newer
            migrate(connection, path)
    except sqlite3.Error as error:
        raise explained(error, path) from None
    return connection


def trouble(connection: sqlite3.Connection) -> str:
    """What SQLite finds wrong with the file's structure; empty if nothing."""
    found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    return "" if found == "ok" else found.replace("\n", " ")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=PATIENCE_S,
        isolation_level=None,
        check_same_thread=False,
    )
    # Garbled text must reach the check of its hash.
    connection.text_factory = lambda text: text.decode(errors="replace")
    return connection
