"""What a journal promises as long as nothing goes wrong."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.journal import (
    Cause,
    DeniedError,
    Entry,
    Journal,
    JournalError,
    LockedError,
    NotAJournalError,
    canonical,
)
from tests.referee.journal.making import HEADER, MEMORY, START, new_journal, note, texts, ticking

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda part: (
        st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=4), part, max_size=3)
    ),
    max_leaves=6,
)
ENTRIES = st.builds(
    Entry,
    st.text(min_size=1, max_size=8),
    st.builds(Cause, st.sampled_from(["camera", "box", "person", "referee"]), st.text(max_size=8)),
    st.integers(-1, 2**62),
    st.dictionaries(st.text(max_size=4), JSON, max_size=3),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(ENTRIES, max_size=4), max_size=4))
def test_what_was_appended_is_there_when_opened_again(batches: list[list[Entry]]) -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        path = Path(folder) / "x.match"
        told = []
        Journal.create(path, HEADER, now=ticking()).close()
        for batch in batches:
            with Journal.open(path, now=ticking(START + 100)) as journal:
                told += journal.append_all(batch)
                assert list(journal.events()) == told
        with Journal.read(path) as journal:
            events = list(journal.events())
        assert events == told
        assert [event.seq for event in events] == list(range(1, len(told) + 1))
        for event, entry in zip(events, [each for batch in batches for each in batch], strict=True):
            same = (entry.kind, entry.cause, entry.state, canonical(entry.data))
            assert (event.kind, event.cause, event.state, canonical(event.data)) == same
            assert event.at >= START + 100


def test_the_header(tmp_path: Path) -> None:
    with new_journal(tmp_path / "2026-11-30-1905-k7f3.match") as journal:
        assert journal.id == "2026-11-30-1905-k7f3"
        added = {"id": journal.id, "created": START, "schema": 1}
        assert journal.header == {**HEADER, **added}
    with pytest.raises(JournalError, match="There is a match 2026-11-30-1905-k7f3 already"):
        new_journal(journal.path)


def test_canonical_text() -> None:
    assert canonical({"b": [1, 2.5, None], "a": "Ä"}) == '{"a":"Ä","b":[1,2.5,null]}'
    for bad in (float("nan"), "\ud800", {1, 2}, b"x"):
        with pytest.raises(ValueError, match="can't be written as JSON"):
            canonical({"x": bad})  # type: ignore[dict-item]


def test_data_that_is_no_json_leaves_nothing_behind(tmp_path: Path) -> None:
    with new_journal(tmp_path / "x.match", 1) as journal:
        with pytest.raises(ValueError, match="can't be written as JSON"):
            journal.append_all([note("2"), note("\udfff")])
        assert texts(journal) == ["1"]
        with pytest.raises(ValueError, match="A cause is one of"):
            Cause("cat")  # type: ignore[arg-type]


def test_hashes_are_what_the_documentation_says(tmp_path: Path) -> None:
    """An event's hash can be worked out without this program."""
    with new_journal(tmp_path / "x.match", 2) as journal:
        first, second = journal.events()
    db = sqlite3.connect(tmp_path / "x.match")
    (root,) = db.execute("SELECT hash FROM header").fetchone()
    db.close()
    before = root
    for event in (first, second):
        head = f'[{event.seq},{event.at!r},"note","person","Anna",0]'
        text = f'{before}\n{head}\n{{"text":"{event.data["text"]}"}}'
        assert hashlib.sha256(text.encode()).hexdigest() == event.hash
        before = event.hash


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET state = 7 WHERE seq = 2",
        "DELETE FROM events WHERE seq = 3",
        "DELETE FROM events",
        "REPLACE INTO events SELECT 2, at, kind, cause, who, 9, data, hash FROM events LIMIT 1",
        "INSERT INTO events SELECT 9, at, kind, cause, who, 9, data, hash FROM events LIMIT 1",
        "INSERT INTO events SELECT -1, at, kind, cause, who, 9, data, hash FROM events LIMIT 1",
        "UPDATE header SET data = '{}'",
        "DELETE FROM header",
        "REPLACE INTO header VALUES (1, '{}', '')",
        "INSERT INTO header VALUES (2, '{}', '')",
        "UPDATE events SET seq = 9 WHERE seq = 3",
    ],
)
def test_the_file_itself_refuses_changes(tmp_path: Path, statement: str) -> None:
    new_journal(tmp_path / "x.match", 3).close()
    db = sqlite3.connect(tmp_path / "x.match")
    with pytest.raises(sqlite3.IntegrityError):
        db.execute(statement)
    db.close()
    with Journal.read(tmp_path / "x.match") as journal:
        assert texts(journal) == ["1", "2", "3"]


def test_events_after_a_number(tmp_path: Path) -> None:
    with new_journal(tmp_path / "x.match") as journal:
        journal.append_all(note(str(number)) for number in range(1, 1203))
        assert texts(journal, 1200) == ["1201", "1202"]
        assert texts(journal, 1202) == texts(journal, 5000) == []
        assert len(texts(journal)) == journal.last == 1202


def test_a_slow_reader_holds_up_no_writer(tmp_path: Path) -> None:
    """It sees what came meanwhile as well."""
    path = tmp_path / "x.match"
    with new_journal(path, 3) as journal, Journal.read(path) as reader:
        events = reader.events()
        assert next(events).seq == 1
        journal.append(note("4"))
        assert [event.seq for event in events] == [2, 3]
        assert texts(reader, 3) == ["4"]
        with pytest.raises(ValueError, match="open for reading only"):
            reader.append(note("5"))


Queue: TypeAlias = "multiprocessing.SimpleQueue[Any]"


def _read_until(path: Path, last: int, found: Queue) -> None:
    seqs: list[int] = []
    while not seqs or seqs[-1] < last:
        with Journal.read(path) as reader:
            seqs += [event.seq for event in reader.events(len(seqs))]
    found.put(seqs)


def test_another_process_reads_along(tmp_path: Path) -> None:
    path = tmp_path / "x.match"
    context = multiprocessing.get_context("fork")
    with new_journal(path, 1) as journal:
        journal.close()
        found: Queue = context.SimpleQueue()
        reader = context.Process(target=_read_until, args=(path, 100, found))
        reader.start()
    with Journal.open(path, now=ticking()) as journal:
        for number in range(2, 101):
            journal.append(note(str(number)))
        assert found.get() == list(range(1, 101))
    reader.join()


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "x.match"
    with new_journal(path, 1) as journal:
        with pytest.raises(LockedError, match=r"The match x is being played by another program\."):
            Journal.open(path, now=ticking())
        script = (
            "import sys; from pathlib import Path; from referee.journal import *\n"
            "try: Journal.open(Path(sys.argv[1]), now=float)\n"
            "except LockedError as error: print(error.what)"
        )
        other = subprocess.run(
            [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
        )
        assert other.stdout == "The match x is being played by another program.\n"
        journal.append(note("2"))
    with Journal.open(path, now=ticking()) as journal:
        assert texts(journal) == ["1", "2"]


def test_what_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(NotAJournalError, match="There is no match"):
        Journal.open(tmp_path / "none.match", now=ticking())
    assert not list(tmp_path.iterdir())
    (tmp_path / "text.match").write_text("Nothing but words. " * 100)
    (tmp_path / "empty.match").touch()
    other = sqlite3.connect(tmp_path / "other.match")
    other.execute("CREATE TABLE events (seq)")
    other.close()
    for name in ("text", "empty", "other"):
        with pytest.raises(NotAJournalError, match=f"{name}.match is not the journal of a match"):
            Journal.read(tmp_path / f"{name}.match")
        with pytest.raises(NotAJournalError, match=f"{name}.match is not the journal of a match"):
            Journal.open(tmp_path / f"{name}.match", now=ticking())


def _as_nobody(path: Path, answers: Queue) -> None:
    """Runs in a process of its own: root may write everywhere."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    attempts: tuple[Callable[[], Journal], ...] = (
        lambda: Journal.open(path, now=ticking()),
        lambda: new_journal(path.with_name("new.match")),
        lambda: new_journal(path.parent / "deeper" / "new.match"),
    )
    for attempt in attempts:
        try:
            attempt()
        except JournalError as error:
            answers.put((type(error), error.what))
    with Journal.read(path) as journal:
        answers.put(texts(journal))


@pytest.mark.skipif(os.name != "posix", reason="rights of this kind are POSIX's")
def test_a_folder_that_is_closed_for_writing() -> None:
    context = multiprocessing.get_context("fork")
    answers: Queue = context.SimpleQueue()
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top) / "matches"
        path = folder / "x.match"
        new_journal(path, 3).close()
        Path(top).chmod(0o755)
        for file, rights in ((path.with_suffix(".lock"), 0o444), (path, 0o444), (folder, 0o555)):
            file.chmod(rights)
        other = context.Process(target=_as_nobody, args=(path, answers))
        other.start()
        other.join()
        folder.chmod(0o755)
    for name in ("x.lock", "new.lock", "deeper"):
        assert answers.get() == (DeniedError, f"You may not open {name} in the folder {folder}.")
    assert answers.get() == ["1", "2", "3"]
