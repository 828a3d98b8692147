"""Files that were torn, cut off or changed from outside."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from referee.journal import DamagedError, Event, Journal, JournalError, NotAJournalError
from tests.referee.journal.making import new_journal, note, texts, ticking

NOTES = 120
PAGE = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of several pages that is closed."""
    with new_journal(tmp_path / "x.match") as journal:
        journal.append_all(note(f"{number}" + "-" * 200) for number in range(1, NOTES + 1))
    return tmp_path / "x.match"


def number(text: object) -> int:
    return int(str(text).rstrip("-"))


def whole_part(path: Path) -> int:
    """How many events can still be read; opening for writing must be refused, and say the same."""
    before = path.read_bytes()
    with pytest.raises(DamagedError) as writing:
        Journal.open(path, now=ticking())
    assert path.read_bytes() == before
    events: list[Event] = []
    with Journal.read(path) as journal, pytest.raises(DamagedError) as reading:
        events.extend(journal.events())
    count = len(events)
    assert [event.seq for event in events] == list(range(1, count + 1))
    assert [number(event.data["text"]) for event in events] == list(range(1, count + 1))
    assert reading.value.whole == count
    assert writing.value.whole == count
    assert f"whole up to event {count}" in writing.value.what
    assert "referee match export x" in writing.value.remedy
    return count


@pytest.mark.parametrize("cut", [1, 100, PAGE, PAGE + 7, 4 * PAGE])
def test_the_end_of_the_file_is_cut_off(path: Path, cut: int) -> None:
    os.truncate(path, path.stat().st_size - cut)
    count = whole_part(path)
    assert NOTES / 2 < count < NOTES


@pytest.mark.parametrize("junk", [b"\0", b"\xff", b"\x55"])
def test_the_last_page_is_torn(path: Path, junk: bytes) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size - PAGE)
        file.write(junk * PAGE)
    count = whole_part(path)
    assert NOTES / 2 < count < NOTES


def test_any_flipped_byte_is_found_or_harmless(path: Path) -> None:
    """No garbled file is ever read as something else, or ends in an error that is not explained."""
    good = path.read_bytes()
    rng = random.Random(3)
    found = 0
    for _ in range(150):
        at = rng.randrange(len(good))
        bad = bytearray(good)
        bad[at] ^= 1 << rng.randrange(8)
        path.write_bytes(bad)
        try:
            with Journal.read(path) as journal:
                for expected, event in enumerate(journal.events(), 1):
                    assert (event.seq, number(event.data["text"])) == (expected, expected)
                assert expected == NOTES
        except JournalError:
            found += 1
        path.with_name("x.match-wal").unlink(missing_ok=True)
        path.with_name("x.match-shm").unlink(missing_ok=True)
    assert found > 75


def test_a_torn_log_costs_only_what_was_not_acknowledged(tmp_path: Path) -> None:
    """What a power cut leaves behind the last sync is left out, wherever it ends."""
    with new_journal(tmp_path / "x.match", 5) as journal:
        log = tmp_path / "x.match-wal"
        before = log.stat().st_size
        journal.append(note("6" + "-" * 5000))
        copies = tmp_path / "copies"
        copies.mkdir()
        full = log.read_bytes()
        for kept in range(before, len(full), 997):
            for rest in (b"", b"\0" * (len(full) - kept), b"\xa5" * (len(full) - kept)):
                copy = copies / "x.match"
                shutil.copy(journal.path, copy)
                copy.with_name("x.match-wal").write_bytes(full[:kept] + rest)
                with Journal.open(copy, now=ticking()) as torn:
                    assert texts(torn) == ["1", "2", "3", "4", "5"]
                    torn.append(note("again"))
                    assert torn.last == 6
                for file in copies.iterdir():
                    file.unlink()


@pytest.mark.parametrize(
    ("edit", "whole", "why"),
    [
        ('UPDATE events SET data = \'{"text":"9"}\' WHERE seq = 40', 39, "event 40 was changed"),
        ("UPDATE events SET state = 1 WHERE seq = 40", 39, "event 40 was changed"),
        ("UPDATE events SET at = at + 1 WHERE seq = 1", 0, "event 1 was changed"),
        ("UPDATE events SET who = 'Ben' WHERE seq = 40", 39, "event 40 was changed"),
        ("UPDATE events SET cause = 'box' WHERE seq = 40", 39, "event 40 was changed"),
        ("UPDATE events SET hash = 'x' WHERE seq = 40", 39, "event 40 was changed"),
        ("DELETE FROM events WHERE seq = 40", 39, "event 40 is missing"),
        ("DELETE FROM events WHERE seq < 40", 0, "event 1 is missing"),
    ],
)
def test_somebody_edits_the_file(path: Path, edit: str, whole: int, why: str) -> None:
    """The triggers only stop accidents; the chain of hashes finds what went around them."""
    db = sqlite3.connect(path, isolation_level=None)
    for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    db.execute(edit)
    db.close()
    with pytest.raises(DamagedError) as refused:
        Journal.open(path, now=ticking())
    assert refused.value.whole == whole
    assert why in refused.value.what
    with Journal.read(path) as journal:
        events = journal.events()
        for _ in range(whole):
            next(events)
        with pytest.raises(DamagedError):
            next(events)


def test_somebody_edits_the_header(path: Path) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("DROP TRIGGER header_stays")
    db.execute("UPDATE header SET data = replace(data, 'kit-1', 'kit-2')")
    db.close()
    with pytest.raises(DamagedError, match="its header was changed") as refused:
        Journal.read(path)
    assert refused.value.whole == 0
    with pytest.raises(DamagedError, match="its header was changed"):
        Journal.open(path, now=ticking())


def test_events_cut_out_and_numbered_anew(path: Path) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    db.execute("DELETE FROM events WHERE seq = 40")
    for seq in range(41, NOTES + 1):
        db.execute("UPDATE events SET seq = ? WHERE seq = ?", (seq - 1, seq))
    db.close()
    with pytest.raises(DamagedError, match="event 40 was changed"):
        Journal.open(path, now=ticking())


def test_without_its_first_page_it_is_no_journal(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"\0" * PAGE)
    with pytest.raises(NotAJournalError):
        Journal.read(path)
