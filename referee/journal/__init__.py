"""The record of a match: append-only, durable before anything is shown, checked when read."""

from referee.journal.errors import (
    DamagedError,
    DeniedError,
    JournalError,
    LockedError,
    NewerJournalError,
    NotAJournalError,
    NotWrittenError,
)
from referee.journal.events import Cause, Entry, Event, Json, canonical
from referee.journal.journal import Journal

__all__ = [
    "Cause",
    "DamagedError",
    "DeniedError",
    "Entry",
    "Event",
    "Journal",
    "JournalError",
    "Json",
    "LockedError",
    "NewerJournalError",
    "NotAJournalError",
    "NotWrittenError",
    "canonical",
]
