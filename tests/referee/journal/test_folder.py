"""Which matches there are, how they are found, and how they go."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.journal import (
    Cause,
    Entry,
    Journal,
    Json,
    LockedError,
    NotAJournalError,
    Pictures,
    default_folder,
    delete,
    evidence_path,
    find,
    latest_matches,
    new_path,
)
from tests.referee.journal.making import HEADER, START, note, ticking


def play(folder: Path, name: str, begun: float, *events: Entry) -> Path:
    path = folder / f"{name}.match"
    with Journal.create(path, HEADER, now=ticking(begun)) as journal:
        journal.append_all(events)
    return path


def move(number: int, *, over: bool) -> Entry:
    data: dict[str, Json] = {"text": "m", "told": [f"Move {number}"], "round": number, "over": over}
    return Entry("move", Cause("camera", "table"), number, data)


def undo(number: int) -> Entry:
    return Entry("undo", Cause("person", "Eve"), 9, {"to": 1, "round": number, "over": False})


def test_unfinished_first_then_the_newest(tmp_path: Path) -> None:
    play(tmp_path, "done-old", START, move(8, over=True), note("Thanks"))
    play(tmp_path, "open-old", START + 100, move(1, over=False), *[note("x")] * 120)
    play(tmp_path, "done-new", START + 200, move(6, over=False), move(7, over=True))
    play(tmp_path, "open-new", START + 300, move(8, over=True), undo(7))
    play(tmp_path, "empty", START + 50)
    (tmp_path / "junk.match").write_bytes(b"junk" * 1000)
    found = {match.id: match for match in latest_matches(tmp_path)}
    assert list(found) == [
        "open-new", "open-old", "empty", "done-new", "done-old", "junk",
    ]  # fmt: skip
    assert {name: match.round for name, match in found.items()} == {
        "open-new": 7, "open-old": 1, "empty": None, "done-new": 7, "done-old": 8, "junk": None,
    }  # fmt: skip
    assert found["open-old"].events == 121
    assert found["open-old"].last is not None
    assert found["open-old"].last.seq == 1
    assert "is not the journal of a match" in found["junk"].trouble
    assert not found["open-new"].trouble
    assert latest_matches(tmp_path / "none") == []


def test_names(tmp_path: Path) -> None:
    names = {new_path(tmp_path, START).name for _ in range(50)}
    assert len(names) == 50
    assert all(
        re.fullmatch(r"2026-(11|12)-\d\d-\d\d0\d-[a-z2-9]{4}\.match", name) for name in names
    )


def test_finding(tmp_path: Path) -> None:
    first = play(tmp_path, "2026-11-30-1905-k7f3", START)
    second = play(tmp_path, "2026-11-30-2110-b2c4", START + 9000)
    third = play(tmp_path, "2026-11-30-2110", START + 100)
    assert find(tmp_path, "2026-11-30-19") == first
    assert find(tmp_path, "2026-11-30-2110-") == second
    assert find(tmp_path, "2026-11-30-2110") == third
    assert find(tmp_path, "latest") == second
    assert find(tmp_path / "elsewhere", str(first)) == first
    with pytest.raises(
        NotAJournalError, match=r"3 matches begin with '2026'\. Take one of: .*b2c4"
    ):
        find(tmp_path, "2026")
    with pytest.raises(NotAJournalError, match="No match begins with '1999'"):
        find(tmp_path, "1999")
    with pytest.raises(NotAJournalError, match="There are no matches in"):
        find(tmp_path / "elsewhere", "latest")


def test_deleting_takes_what_lies_beside(tmp_path: Path) -> None:
    kept = play(tmp_path, "a", START)
    path = play(tmp_path, "b", START, note("x"))
    path.with_name("b.match.v0").touch()
    Pictures(evidence_path(path), create=True).close()
    with Journal.open(path, now=ticking()), pytest.raises(LockedError):
        delete(path)
    assert path.exists()
    delete(path)
    assert {file.name for file in tmp_path.iterdir()} == {"a.match", "a.lock"}
    delete(kept)
    assert not list(tmp_path.iterdir())


def test_where_matches_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_MATCHES", str(tmp_path))
    assert default_folder() == tmp_path
    monkeypatch.delenv("REFEREE_MATCHES")
    assert default_folder().name == "matches"
    assert "table-referee" in str(default_folder())
