"""Journals for tests."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path

from referee.journal import Cause, Entry, Journal, Json

#: 30 November 2026, 19:05:00 UTC.
START = 1796065500.0
#: A folder in memory, if there is one: where a process may die, but not the computer.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
HEADER: dict[str, Json] = {
    "game": "tumult_royale",
    "edition": "kit-1",
    "people": [["yellow", "Anna"], ["blue", "Bébé O'Neil"]],
}


def ticking(start: float = START) -> Callable[[], float]:
    """A clock that is a second later each time it is asked."""
    seconds = itertools.count()
    return lambda: start + next(seconds)


def note(text: str, *, by: str = "Anna", state: int = 0) -> Entry:
    """A person's note."""
    return Entry("note", Cause("person", by), state, {"text": text})


def new_journal(path: Path, notes: int = 0) -> Journal:
    """A journal with notes "1", "2", …"""
    journal = Journal.create(path, HEADER, now=ticking())
    for number in range(1, notes + 1):
        journal.append(note(str(number)))
    return journal


def texts(journal: Journal, after: int = 0) -> list[object]:
    """What the notes say."""
    return [event.data["text"] for event in journal.events(after)]
