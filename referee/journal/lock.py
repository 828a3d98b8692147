"""One writer at a time."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from referee.games.said import say
from referee.journal.errors import LockedError, denied, explained


class WriterLock:
    """Held from its creation until `release`, or until the process ends in whatever way.

    It is SQLite's own lock on an empty file beside the journal, so it works on every system. The
    file stays: if it were deleted two writers could each lock one of that name.
    """

    def __init__(self, journal: Path) -> None:
        """Takes the lock of a journal. Raises LockedError, or DeniedError."""
        self.path = path = journal.with_suffix(".lock")
        try:
            self._held = sqlite3.connect(
                path, timeout=0, isolation_level=None, check_same_thread=False
            )
            try:
                self._held.execute("BEGIN EXCLUSIVE")
                if not os.access(path, os.W_OK):
                    # SQLite would read it only, and lock nothing.
                    raise denied(path)
            except BaseException:
                self._held.close()
                raise
        except sqlite3.Error as error:
            told = explained(error, path)
            if not isinstance(told, LockedError):
                raise told from None
            raise LockedError(
                say("The match {stem} is being played by another program.", stem=journal.stem),
                say("Close that one first; only one at a time may write a match."),
            ) from None

    def release(self) -> None:
        """Lets others write."""
        self._held.close()
