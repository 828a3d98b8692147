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
from referee.journal.evidence import EvidenceStore
from referee.journal.folder import (
    Found,
    default_folder,
    delete,
    evidence_path,
    find,
    latest_matches,
    new_path,
)
from referee.journal.header import header_of, people_of, software
from referee.journal.journal import Journal
from referee.journal.pictures import Pictures, sweep_all
from referee.journal.telling import told

__all__ = [
    "Cause",
    "DamagedError",
    "DeniedError",
    "Entry",
    "Event",
    "EvidenceStore",
    "Found",
    "Journal",
    "JournalError",
    "Json",
    "LockedError",
    "NewerJournalError",
    "NotAJournalError",
    "NotWrittenError",
    "Pictures",
    "canonical",
    "default_folder",
    "delete",
    "evidence_path",
    "find",
    "header_of",
    "latest_matches",
    "new_path",
    "people_of",
    "software",
    "sweep_all",
    "told",
]
