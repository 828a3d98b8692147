"""Brings the file of an older version of the program up to this one's."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

from referee.games.said import say
from referee.journal.errors import NewerJournalError, NotAJournalError
from referee.journal.schema import APPLICATION_ID, VERSION, pragma

Step = Callable[[sqlite3.Connection], None]
#: What turns a file of version n into one of version n + 1. A step that must change what the
#: triggers guard drops them and makes them again; if it changes events it chains them anew.
STEPS: Mapping[int, Step] = {}


def version_of(connection: sqlite3.Connection, path: Path) -> int:
    """The version of a journal's file, at most VERSION.

    Raises NotAJournalError or NewerJournalError.
    """
    if pragma(connection, "application_id") != APPLICATION_ID:
        raise NotAJournalError(
            say("{path} is not the journal of a match.", path=path),
            say("Name a file that ends in .match."),
        )
    found = pragma(connection, "user_version")
    if found > VERSION:
        raise NewerJournalError(
            say(
                "{name} was written by a newer version of this program (file version {found}, this "
                "program knows up to {version}).",
                name=path.name,
                found=found,
                version=VERSION,
            ),
            say("Update the program to open it."),
        )
    return found


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Applies all steps that are due in one transaction. Raises NotAJournalError if one lacks."""
    version = version_of(connection, path)
    connection.execute("BEGIN IMMEDIATE")
    try:
        while version < VERSION:
            if version not in STEPS:
                raise NotAJournalError(
                    say(
                        "{name} has the file version {version}, which never was in use.",
                        name=path.name,
                        version=version,
                    ),
                    say("Name another file."),
                )
            STEPS[version](connection)
            version += 1
            connection.execute(f"PRAGMA user_version={version}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def keep_copy(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Writes the file as it is now to one beside it, named after its version."""
    kept = path.with_name(f"{path.name}.v{version}")
    unfinished = kept.with_name(f"{kept.name}-new")
    unfinished.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(unfinished)) as copy:
        connection.backup(copy)
    unfinished.replace(kept)
