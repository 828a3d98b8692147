"""Files of other versions."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import pytest

from referee.journal import Journal, NewerJournalError, NotAJournalError, migrations
from tests.referee.journal.making import new_journal, note, texts, ticking


def make_old(path: Path, version: int = 0) -> None:
    """A file as a version before the first might have written it: notes had another kind."""
    new_journal(path, 3).close()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("DROP TRIGGER events_stay")
    db.execute("UPDATE events SET kind = 'remark'")
    chain(db)
    db.execute(f"PRAGMA user_version={version}")
    db.close()


def chain(db: sqlite3.Connection) -> None:
    """Works all hashes out anew."""
    (before,) = db.execute("SELECT hash FROM header").fetchone()
    rows = db.execute("SELECT seq, at, kind, data FROM events ORDER BY seq").fetchall()
    for seq, at, kind, data in rows:
        text = f'{before}\n[{seq},{at!r},"{kind}","person","Anna",0]\n{data}'
        before = hashlib.sha256(text.encode()).hexdigest()
        db.execute("UPDATE events SET hash = ? WHERE seq = ?", (before, seq))


def rename_notes(db: sqlite3.Connection) -> None:
    db.execute("UPDATE events SET kind = 'note'")
    chain(db)
    db.execute(
        "CREATE TRIGGER events_stay BEFORE UPDATE ON events"
        " BEGIN SELECT raise(ABORT, 'a journal only grows'); END"
    )


def fail(db: sqlite3.Connection) -> None:
    db.execute("UPDATE events SET kind = 'half'")
    raise ZeroDivisionError


def version(path: Path) -> int:
    db = sqlite3.connect(path)
    found = int(db.execute("PRAGMA user_version").fetchone()[0])
    db.close()
    return found


def kinds(path: Path) -> set[str]:
    db = sqlite3.connect(path)
    found = {kind for (kind,) in db.execute("SELECT kind FROM events")}
    db.close()
    return found


def test_an_older_file_is_brought_up_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.match"
    make_old(path)
    monkeypatch.setattr(migrations, "STEPS", {0: rename_notes})
    with Journal.open(path, now=ticking()) as journal:
        assert [event.kind for event in journal.events()] == ["note"] * 3
        journal.append(note("4"))
    assert version(path) == 1
    kept = tmp_path / "x.match.v0"
    assert (version(kept), kinds(kept)) == (0, {"remark"})


def test_an_older_file_can_be_read_without_changing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.match"
    make_old(path)
    before = path.read_bytes()
    monkeypatch.setattr(migrations, "STEPS", {0: rename_notes})
    with Journal.read(path) as journal:
        assert [event.kind for event in journal.events()] == ["note"] * 3
        assert texts(journal) == ["1", "2", "3"]
    assert path.read_bytes() == before


def test_a_step_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.match"
    make_old(path)
    monkeypatch.setattr(migrations, "STEPS", {0: fail})
    with pytest.raises(ZeroDivisionError):
        Journal.open(path, now=ticking())
    assert (version(path), kinds(path)) == (0, {"remark"})
    assert (version(tmp_path / "x.match.v0"), kinds(path)) == (0, {"remark"})
    monkeypatch.setattr(migrations, "STEPS", {0: rename_notes})
    with Journal.open(path, now=ticking()) as journal:
        assert texts(journal) == ["1", "2", "3"]


def test_a_version_that_never_was(tmp_path: Path) -> None:
    make_old(tmp_path / "x.match", -1)
    with pytest.raises(NotAJournalError, match="file version -1, which never was in use"):
        Journal.read(tmp_path / "x.match")


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.match"
    new_journal(path, 3).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version=2")
    db.close()
    before = path.read_bytes()
    for opened in (Journal.read, lambda file: Journal.open(file, now=ticking())):
        with pytest.raises(NewerJournalError) as refused:
            opened(path)
        assert refused.value.what == (
            "x.match was written by a newer version of this program "
            "(file version 2, this program knows up to 1)."
        )
        assert refused.value.remedy == "Update the program to open it."
    assert path.read_bytes() == before
