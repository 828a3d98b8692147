"""The record of a match: a file to which events are added, and nothing else is done."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType

from referee.games.said import say
from referee.journal import database
from referee.journal.chain import BLOCK, block, checked, insert
from referee.journal.errors import (
    DamagedError,
    JournalError,
    NotAJournalError,
    explained,
    unread,
    unwritable,
)
from referee.journal.events import Entry, Event, Json, canonical, digest
from referee.journal.lock import WriterLock
from referee.journal.schema import VERSION, build


class Journal:
    """A match on record; made by `create`, `open` or `read`. For one thread at a time."""

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        lock: WriterLock | None,
        now: Callable[[], float] | None,
    ) -> None:
        """Raises DamagedError if the header is not whole. Not to be called by others."""
        self.path = path
        self._connection, self._lock, self._now = connection, lock, now
        self._root, self.header = self._read_header()

    @classmethod
    def create(cls, path: Path, header: Mapping[str, Json], *, now: Callable[[], float]) -> Journal:
        """A new journal, open for writing; its file is there only once its header is complete.

        The file's name becomes the match's `id`. `header` is what does not change during the
        match, see `header_of`; `id`, `created` and `schema` are added. `now` tells UTC seconds.
        Raises JournalError if there is such a file or it can't be written.
        """
        full = {**header, "id": path.stem, "created": round(now(), 3), "schema": VERSION}
        text = canonical(full)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(error, path.parent) from None
        lock = WriterLock(path)
        try:
            if path.exists():
                raise JournalError(
                    say("There is a match {stem} already.", stem=path.stem),
                    say("Take another name."),
                )
            unfinished = path.with_suffix(".match-new")
            try:
                database.remove(unfinished)
                with database.creating(unfinished) as connection:
                    build(connection, text, digest("", [], text))
                unfinished.rename(path)
            except BaseException:
                database.remove(unfinished)
                raise
            _sync_folder(path.parent)
            return cls._opened(path, lock, now)
        except BaseException as error:
            lock.release()
            if isinstance(error, OSError):
                raise unwritable(error, path) from None
            raise

    @classmethod
    def open(cls, path: Path, *, now: Callable[[], float]) -> Journal:
        """A journal that is there already, open for writing; all of it is checked.

        A file of an older version is brought up to date; a copy of it is kept beside it. Raises
        LockedError, NotAJournalError, NewerJournalError, DamagedError, DeniedError.
        """
        database.need(path)
        lock = WriterLock(path)
        try:
            return cls._opened(path, lock, now)
        except BaseException as error:
            lock.release()
            if not isinstance(error, NotAJournalError | DamagedError):
                raise
            # What a writer must refuse may still be read in part: says how far.
            with cls.read(path) as rest:
                if damage := rest.damage():
                    raise damage from None
                why = say("its file was cut off or changed")
                raise DamagedError(path.stem, rest.last, why) from None

    @classmethod
    def _opened(cls, path: Path, lock: WriterLock, now: Callable[[], float]) -> Journal:
        connection = database.open_to_write(path)
        try:
            journal = cls(path, connection, lock, now)
            if error := journal.damage():
                raise error
            if trouble := database.trouble(connection):
                raise DamagedError(path.stem, journal.last, trouble)
        except BaseException as error:
            connection.close()
            if isinstance(error, sqlite3.Error):
                raise unread(error, path, 0) from None
            raise
        return journal

    @classmethod
    def read(cls, path: Path) -> Journal:
        """A journal to read only, also while another process writes it, or if it is damaged.

        Raises NotAJournalError, NewerJournalError, DeniedError, and DamagedError if not even the
        header is whole.
        """
        database.need(path)
        connection = database.open_to_read(path)
        try:
            return cls(path, connection, None, None)
        except BaseException:
            connection.close()
            raise

    @property
    def id(self) -> str:
        """The match's name."""
        return str(self.header["id"])

    @property
    def last(self) -> int:
        """The number of the newest event; 0 if there is none."""
        try:
            row = self._connection.execute("SELECT max(seq) FROM events").fetchone()
        except sqlite3.Error as error:
            raise unread(error, self.path, 0) from None
        return int(row[0] or 0)

    def events(self, after: int = 0) -> Iterator[Event]:
        """All events with a higher number than `after`, each checked against the one before it.

        Those that are appended meanwhile come too. Raises DamagedError at the first that is not
        as it was written.
        """
        before = self._root if after == 0 else self._hash_of(after)
        seq = after
        while before:
            rows, error = block(self._connection, seq)
            for row in rows:
                try:
                    event = checked(row, seq, before)
                except ValueError as wrong:
                    raise DamagedError(self.path.stem, seq, str(wrong)) from None
                seq, before = event.seq, event.hash
                yield event
            if error is not None:
                raise unread(error, self.path, seq)
            if len(rows) < BLOCK:
                return

    def damage(self) -> DamagedError | None:
        """What is wrong with the events; None if they are whole."""
        try:
            for _ in self.events():
                pass
        except DamagedError as error:
            return error
        return None

    def append(self, entry: Entry) -> Event:
        """Adds an event; it is durable when this returns. See `append_all`."""
        return self.append_all([entry])[0]

    def append_all(self, entries: Iterable[Entry]) -> list[Event]:
        """Adds events, all or none; they are durable when this returns.

        Raises NotWrittenError or LockedError if nothing was written: then it may be tried again;
        ValueError if an entry's data is no JSON.
        """
        if self._now is None:
            raise ValueError(f"{self.path.name} is open for reading only.")
        at = round(float(self._now()), 3)
        written = [(entry, canonical(entry.data)) for entry in entries]
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            events = insert(self._connection, self._root, written, at)
            self._connection.execute("COMMIT")
        except BaseException as error:
            if self._connection.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise explained(error, self.path) from None
            raise
        return events

    def close(self) -> None:
        """Lets go of the file, and lets others write it."""
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _read_header(self) -> tuple[str, Mapping[str, Json]]:
        try:
            row = self._connection.execute("SELECT data, hash FROM header").fetchone()
        except sqlite3.Error as error:
            raise unread(error, self.path, 0) from None
        if row is None or digest("", [], row[0]) != row[1]:
            raise DamagedError(self.path.stem, 0, say("its header was changed"))
        return row[1], json.loads(row[0])

    def _hash_of(self, seq: int) -> str:
        """The hash of an event; empty if there is none."""
        try:
            row = self._connection.execute(
                "SELECT hash FROM events WHERE seq = ?", (seq,)
            ).fetchone()
        except sqlite3.Error as error:
            raise unread(error, self.path, 0) from None
        return "" if row is None else str(row[0])


def _sync_folder(folder: Path) -> None:
    """Makes a new name in the folder durable, where the system knows how to."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
