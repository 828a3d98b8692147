"""What goes wrong with a journal: each error says what happened, and what to do about it."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path


class JournalError(RuntimeError):
    """`what` happened, in a sentence; `remedy` says what to do next."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what} {remedy}")
        self.what = what
        self.remedy = remedy


class NotAJournalError(JournalError):
    """The file is no journal of a match, or there is none."""


class NewerJournalError(JournalError):
    """The file was written by a newer version of this program."""


class DamagedError(JournalError):
    """The file is damaged. The events up to the number `whole` are as they were written."""

    def __init__(self, name: str, whole: int, why: str) -> None:
        kept = f"whole up to event {whole}" if whole else "not whole at any event"
        super().__init__(
            f"The journal {name} is damaged ({why}); it is {kept}.",
            f"Save that part with: referee match export {name} -o FILE.",
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
            f"{path} is not the journal of a match.", "Name a file that ends in .match."
        )
    if code == sqlite3.SQLITE_BUSY:
        return LockedError(
            f"{path.name} is in use by another program.", "Close that program, then try again."
        )
    if code == sqlite3.SQLITE_FULL:
        return NotWrittenError(
            f"The disk is full: nothing was written to {path.name}.",
            "Make room on it, then do it again.",
        )
    return NotWrittenError(
        f"The disk refused to write {path.name} ({error}).",
        "Check that it is plugged in, whole and not full, then do it again.",
    )


def unread(error: sqlite3.Error, path: Path, whole: int) -> JournalError:
    """What it means that events of a journal can't be read behind the number `whole`."""
    if _code(error) in {*_DENIED, sqlite3.SQLITE_BUSY}:
        return explained(error, path)
    return DamagedError(path.stem, whole, f"a part can't be read: {error}")


def unwritable(error: OSError, path: Path) -> JournalError:
    """What an error of the system means for the file `path`."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return NotWrittenError(
            f"The disk is full: {path.name} was not written.", "Make room on it, then try again."
        )
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return denied(path)
    return NotWrittenError(
        f"{path} can't be written ({error.strerror}).", "Name another folder, or mend this one."
    )


def denied(path: Path) -> DeniedError:
    """The file or its folder is closed to this user."""
    return DeniedError(
        f"You may not open {path.name} in the folder {path.parent}.",
        "Allow it, or name another folder with --folder.",
    )


def _code(error: sqlite3.Error) -> int:
    """The primary result code; 0 if Python itself complained."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
