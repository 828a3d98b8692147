"""Where matches lie, how they are named, and which there are."""

from __future__ import annotations

import glob
import os
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import platformdirs

from referee.games.said import say
from referee.journal.errors import DamagedError, JournalError, NotAJournalError, unwritable
from referee.journal.events import Event, Json
from referee.journal.journal import Journal
from referee.journal.lock import WriterLock

#: How the file of a match ends.
SUFFIX = ".match"
#: Overrides the folder.
VARIABLE = "REFEREE_MATCHES"
#: What `find` takes for the newest match.
LATEST = "latest"
#: No letters that look like digits, no vowels that make words.
_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
#: Events that are looked through at once, from the end.
_PIECE = 50


@dataclass(frozen=True, slots=True)
class Found:
    """A match in a folder.

    `trouble` says why it can't be read in whole, else it is empty. `last` is the newest event that
    changed the position, else the newest of all. `finished` and `round` are what that event's data
    say under "over" and "round".
    """

    path: Path
    header: Mapping[str, Json]
    created: float
    events: int
    last: Event | None
    finished: bool
    round: int | None
    trouble: str = ""

    @property
    def id(self) -> str:
        """The match's name."""
        return self.path.stem


def default_folder() -> Path:
    """Where matches lie if nothing else is said; it need not exist."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    return platformdirs.user_data_path("table-referee", appauthor=False) / "matches"


def new_path(folder: Path, now: float) -> Path:
    """The file for a match that begins `now` (UTC seconds); its name bears the local time."""
    when = time.strftime("%Y-%m-%d-%H%M", time.localtime(now))
    return folder / f"{when}-{''.join(secrets.choice(_LETTERS) for _ in range(4))}{SUFFIX}"


def latest_matches(folder: Path) -> list[Found]:
    """All matches in a folder: those that are not finished first, then the newest first.

    What can't be read at all comes last, with an empty header.
    """
    found = [_look(path) for path in folder.glob(f"*{SUFFIX}") if path.is_file()]
    return sorted(
        found, key=lambda match: (not match.header, match.finished, -match.created, match.id)
    )


def find(folder: Path, spec: str) -> Path:
    """The file that a person means: a path, an id or how only one begins, or "latest".

    Raises NotAJournalError saying what there is.
    """
    if (path := Path(spec)).suffix == SUFFIX and path.is_file():
        return path
    names = sorted(path.stem for path in folder.glob(f"*{SUFFIX}"))
    if not names:
        raise NotAJournalError(
            say("There are no matches in {folder}.", folder=folder),
            say("Name another folder with --folder."),
        )
    if spec == LATEST:
        return max(latest_matches(folder), key=lambda match: (match.created, match.id)).path
    fits = [spec] if spec in names else [name for name in names if name.startswith(spec)]
    if len(fits) != 1:
        some = ", ".join((fits or names)[-5:])
        what = say("No match begins with {spec}.", spec=repr(spec))
        if fits:
            what = say("{n} matches begin with {spec}.", n=len(fits), spec=repr(spec))
        raise NotAJournalError(what, say("Take one of: {some}.", some=some))
    return folder / f"{fits[0]}{SUFFIX}"


def delete(path: Path) -> None:
    """Deletes a match with all that lies beside it. Raises LockedError while it is played."""
    lock = WriterLock(path)
    try:
        beside = [
            file
            for start in (path.name, evidence_path(path).name)
            for file in path.parent.glob(f"{glob.escape(start)}*")
            if file != path
        ]
        # The journal goes last: as long as it is there, this can be done again.
        for file in (*beside, path):
            file.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(error, path) from None
    finally:
        lock.release()
    lock.path.unlink(missing_ok=True)


def evidence_path(path: Path) -> Path:
    """Where the pictures of a match lie."""
    return path.with_suffix(".evidence")


def _look(path: Path) -> Found:
    """What a list says of a match; a file that can't be read is in it too."""
    try:
        with Journal.read(path) as journal:
            created = float(str(journal.header["created"]))
            return _looked(path, journal, created)
    except DamagedError as error:
        return Found(path, {}, path.stat().st_mtime, error.whole, None, False, None, str(error))
    except JournalError as error:
        return Found(path, {}, path.stat().st_mtime, 0, None, False, None, str(error))


def _looked(path: Path, journal: Journal, created: float) -> Found:
    try:
        last = _newest(journal)
        count, trouble = journal.last, ""
    except DamagedError as error:
        damage = journal.damage() or error
        last, count, trouble = None, damage.whole, str(damage)
    data = {} if last is None else last.data
    number = data.get("round")
    return Found(
        path,
        journal.header,
        created,
        count,
        last,
        finished=data.get("over") is True,
        round=number if isinstance(number, int) else None,
        trouble=trouble,
    )


def _newest(journal: Journal) -> Event | None:
    """The newest event that says whether the match is over, else the newest of all."""
    newest, end = None, journal.last
    while end > 0:
        start = max(end - _PIECE, 0)
        for event in reversed(list(islice(journal.events(start), end - start))):
            if "over" in event.data:
                return event
            newest = newest or event
        end = start
    return newest
