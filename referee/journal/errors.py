"""What goes wrong with a journal: each error says what happened, and what to do about it."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from referee.games.said import joined, say


class JournalError(RuntimeError):
    """`what` happened, in a sentence; `remedy` says what to do next."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(joined([what, remedy]))
        self.what = what
        self.remedy = remedy


class NotAJournalError(JournalError):
    """The file is no journal of a match, or there is none."""


class NewerJournalError(JournalError):
    """The file was written by a newer version of this program."""


class DamagedError(JournalError):
    """The file is damaged. The events up to the number `whole` are as they were written."""

    def __init__(self, name: str, whole: int, why: str) -> None:
        kept = say("whole up to event {n}", n=whole) if whole else say("not whole at any event")
        super().__init__(
            say(
                "The journal {name} is damaged ({why}); it is {kept}.",
                name=name,
                why=why,
                kept=kept,
            ),
            say("Save that part with: referee match export {name} -o FILE.", name=name),
        )
        self.whole = whole


class LockedError(JournalError):
    """Another program, or another part of this one, is writing the journal."""


class DeniedError(JournalError):
    """The system does not let this user read or write there."""


class NotWrittenError(JournalError):
    """Nothing was written: the event is not on record. The journal is as it was before."""


#: What SQLite's primary result codes mean to a person.
_DENIED = {sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def is_denied(error: sqlite3.Error) -> bool:
    """Whether the rights of the file or its folder are the trouble."""
    return _code(error) in _DENIED


def explained(error: sqlite3.Error, path: Path) -> JournalError:
    """What an error of SQLite means for the file `path`."""
    code = _code(error)
    if is_denied(error):
        return denied(path)
    if code in _BROKEN:
        return NotAJournalError(
            say("{path} is not the journal of a match.", path=path),
            say("Name a file that ends in .match."),
        )
    if code == sqlite3.SQLITE_BUSY:
        return LockedError(
            say("{name} is in use by another program.", name=path.name),
            say("Close that program, then try again."),
        )
    if code == sqlite3.SQLITE_FULL:
        return NotWrittenError(
            say("The disk is full: nothing was written to {name}.", name=path.name),
            say("Make room on it, then do it again."),
        )
    return NotWrittenError(
        say("The disk refused to write {name} ({error}).", name=path.name, error=error),
        say("Check that it is plugged in, whole and not full, then do it again."),
    )


def unread(error: sqlite3.Error, path: Path, whole: int) -> JournalError:
    """What it means that events of a journal can't be read behind the number `whole`."""
    if _code(error) in {*_DENIED, sqlite3.SQLITE_BUSY}:
        return explained(error, path)
    return DamagedError(path.stem, whole, say("a part can't be read: {error}", error=error))


def unwritable(error: OSError, path: Path) -> JournalError:
    """What an error of the system means for the file `path`."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return NotWrittenError(
            say("The disk is full: {name} was not written.", name=path.name),
            say("Make room on it, then try again."),
        )
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return denied(path)
    return NotWrittenError(
        say("{path} can't be written ({strerror}).", path=path, strerror=error.strerror),
        say("Name another folder, or mend this one."),
    )


def denied(path: Path) -> DeniedError:
    """The file or its folder is closed to this user."""
    return DeniedError(
        say("You may not open {name} in the folder {parent}.", name=path.name, parent=path.parent),
        say("Allow it, or name another folder with --folder."),
    )


def _code(error: sqlite3.Error) -> int:
    """The primary result code; 0 if Python itself complained."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
