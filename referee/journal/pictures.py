"""The file of evidence pictures beside a journal: a ring of them, and those tied to events.

Unlike the journal it forgets: the oldest untied pictures make room for new ones, and all are
deleted a stated time after they were taken. What is deleted is overwritten with zeros.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from referee.games.said import say
from referee.journal.errors import NotAJournalError, explained
from referee.journal.schema import pragma

DAY_S = 86400.0
#: How long pictures are kept if nothing else is said (s).
KEEP_FOR_S = 30 * DAY_S
#: Untied pictures: so many of the newest, and so many bytes of them, are kept.
NEWEST, MOST_BYTES = 200, 64 * 1024 * 1024
#: Marks the file as one of this program: "TRev".
APPLICATION_ID = 0x54526576
_PATIENCE_S = 2.0

_TABLES = f"""
CREATE TABLE IF NOT EXISTS kept_for (id INTEGER PRIMARY KEY CHECK (id = 1), seconds REAL NOT NULL);
CREATE TABLE IF NOT EXISTS pictures (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, at REAL NOT NULL, jpeg BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS ties (
    seq INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (seq, name));
INSERT OR IGNORE INTO kept_for VALUES (1, {KEEP_FOR_S});
PRAGMA application_id={APPLICATION_ID};
"""
_UNTIED = "name NOT IN (SELECT name FROM ties)"


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Explains SQLite's errors."""
    try:
        yield
    except sqlite3.Error as error:
        raise explained(error, path) from None


class Pictures:
    """An open file of pictures. All methods raise JournalError if the file can't be used."""

    def __init__(
        self,
        path: Path,
        *,
        keep_for: float | None = None,
        newest: int = NEWEST,
        most_bytes: int = MOST_BYTES,
        create: bool = False,
    ) -> None:
        """Opens the file; with `create` makes it if there is none.

        `keep_for`: seconds after which a picture is deleted; stays as it is in the file if None.
        """
        self.path = path
        self._newest, self._most_bytes = newest, most_bytes
        mode = "rwc" if create else "rw"
        uri = f"{path.absolute().as_uri()}?mode={mode}"
        with _told(path):
            self._db = sqlite3.connect(
                uri, uri=True, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare(keep_for)
            except BaseException:
                self._db.close()
                raise

    def _prepare(self, keep_for: float | None) -> None:
        db = self._db
        found = pragma(db, "application_id")
        if found not in (0, APPLICATION_ID):
            raise NotAJournalError(
                say("{path} holds no evidence of a match.", path=self.path),
                say("Name a file that ends in .match."),
            )
        # A power cut may cost the newest picture, but not the file; a commit costs few syncs.
        db.executescript(
            "PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=TRUNCATE;"
            "PRAGMA secure_delete=ON; PRAGMA synchronous=NORMAL;"
        )
        if not found:
            db.executescript(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;")
        if keep_for is not None:
            db.execute("UPDATE kept_for SET seconds = ? WHERE seconds <> ?", (keep_for, keep_for))

    @property
    def keep_for(self) -> float:
        """Seconds after which a picture is deleted."""
        with _told(self.path):
            return float(self._db.execute("SELECT seconds FROM kept_for").fetchone()[0])

    def keep(self, name: str, jpeg: bytes, at: float) -> None:
        """Keeps a picture taken `at` (UTC seconds) in place of one of that name."""
        with _told(self.path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("DELETE FROM pictures WHERE name = ?", (name,))
            self._db.execute(
                "INSERT INTO pictures (name, at, jpeg) VALUES (?, ?, ?)", (name, at, jpeg)
            )
            self._make_room()

    def tie(self, name: str, seq: int) -> None:
        """Says that a picture, there or yet to come, belongs to an event: it leaves the ring."""
        with _told(self.path):
            self._db.execute("INSERT OR IGNORE INTO ties VALUES (?, ?)", (seq, name))

    def get(self, name: str) -> bytes | None:
        """A picture as JPEG; None if it is not there, or not any more."""
        with _told(self.path):
            row = self._db.execute("SELECT jpeg FROM pictures WHERE name = ?", (name,)).fetchone()
            return None if row is None else bytes(row[0])

    def names(self, seq: int) -> tuple[str, ...]:
        """The pictures of an event that are still there, oldest first."""
        with _told(self.path):
            rows = self._db.execute(
                "SELECT name FROM pictures JOIN ties USING (name) WHERE seq = ? ORDER BY number",
                (seq,),
            )
            return tuple(name for (name,) in rows)

    def tied(self) -> tuple[tuple[int, str], ...]:
        """All events with a picture that is still there, and its name."""
        with _told(self.path):
            rows = self._db.execute(
                "SELECT seq, name FROM ties JOIN pictures USING (name) ORDER BY seq, number"
            )
            return tuple((int(seq), str(name)) for seq, name in rows)

    def sweep(self, now: float) -> int:
        """Deletes what was taken longer than `keep_for` before `now`; tells how many."""
        with _told(self.path):
            gone = self._db.execute("DELETE FROM pictures WHERE at <= ?", (now - self.keep_for,))
            if gone.rowcount:
                # Python's `execute` would stop after the first page.
                self._db.executescript("PRAGMA incremental_vacuum")
            return gone.rowcount

    def close(self) -> None:
        """Lets go of the file."""
        self._db.close()

    def __enter__(self) -> Pictures:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _make_room(self) -> None:
        """Deletes the oldest untied pictures that are too many or too big together."""
        rows = self._db.execute(
            f"SELECT number, length(jpeg) FROM pictures WHERE {_UNTIED} ORDER BY number DESC"
        ).fetchall()
        room, gone = self._most_bytes, []
        for place, (number, size) in enumerate(rows):
            room -= size
            if place >= self._newest or (room < 0 and place > 0):
                gone.append((number,))
        self._db.executemany("DELETE FROM pictures WHERE number = ?", gone)


def sweep_all(folder: Path, now: float) -> None:
    """Deletes the pictures of all matches in a folder whose time is over. Raises JournalError."""
    for path in sorted(folder.glob("*.evidence")):
        with Pictures(path) as pictures:
            pictures.sweep(now)
