"""Evidence pictures: what is kept how long, and that it is gone then."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.journal import EvidenceStore, JournalError, Pictures, sweep_all
from tests.referee.journal.making import START

DAY = 86400.0


def jpeg(seed: int, size: int = 20_000) -> bytes:
    """Something that can't be mistaken when it is looked for."""
    return random.Random(seed).randbytes(size)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.evidence"


@pytest.fixture
def pictures(path: Path) -> Iterator[Pictures]:
    with Pictures(path, newest=3, most_bytes=100_000, create=True) as opened:
        yield opened


def there(pictures: Pictures, *names: str) -> list[str]:
    return [name for name in names if pictures.get(name) is not None]


def test_pictures_of_an_event(pictures: Pictures) -> None:
    for number, name in enumerate(("before", "after", "other")):
        pictures.keep(name, jpeg(number), START)
    pictures.tie("after", 7)
    pictures.tie("before", 7)
    pictures.tie("before", 7)
    pictures.tie("before", 9)
    assert pictures.names(7) == ("before", "after")
    assert pictures.names(9) == ("before",)
    assert pictures.names(8) == ()
    assert pictures.get("after") == jpeg(1)
    assert pictures.get("none") is None
    assert pictures.tied() == ((7, "before"), (7, "after"), (9, "before"))


def test_the_ring_keeps_the_newest(pictures: Pictures) -> None:
    names = [f"p{number}" for number in range(6)]
    for number, name in enumerate(names):
        pictures.keep(name, jpeg(number), START + number)
        if number == 1:
            pictures.tie(name, 5)
    assert there(pictures, *names) == ["p1", "p3", "p4", "p5"]


def test_the_ring_keeps_so_many_bytes(pictures: Pictures) -> None:
    for number in range(3):
        pictures.keep(f"p{number}", jpeg(number, 40_000), START)
    assert there(pictures, "p0", "p1", "p2") == ["p1", "p2"]
    pictures.keep("huge", jpeg(9, 500_000), START)
    assert there(pictures, "p1", "p2", "huge") == ["huge"]


def test_a_picture_may_be_tied_before_it_comes(pictures: Pictures) -> None:
    pictures.tie("late", 3)
    assert pictures.names(3) == ()
    pictures.keep("late", jpeg(0), START)
    for number in range(5):
        pictures.keep(f"p{number}", jpeg(number), START)
    assert pictures.names(3) == ("late",)


def test_what_is_deleted_is_not_in_the_file_any_more(path: Path) -> None:
    with Pictures(path, newest=1, keep_for=DAY, create=True) as pictures:
        pictures.keep("ring", jpeg(1), START)
        pictures.keep("tied", jpeg(2), START)
        pictures.tie("tied", 1)
        pictures.keep("newer", jpeg(3), START + DAY / 2)
        assert on_disk(path) == {2, 3}
        assert pictures.sweep(START + DAY - 1) == 0
        assert pictures.sweep(START + DAY) == 1
        assert on_disk(path) == {3}
        assert pictures.names(1) == ()
        pictures.sweep(START + 2 * DAY)
    assert path.stat().st_size < 40_000


def on_disk(path: Path) -> set[int]:
    """Of which pictures some part is in a file of that folder."""
    content = b"".join(file.read_bytes() for file in path.parent.iterdir())
    starts = range(0, 20_000, 64)
    return {seed for seed in (1, 2, 3) if any(jpeg(seed)[at : at + 32] in content for at in starts)}


def test_how_long_is_stated_in_the_file(path: Path) -> None:
    with Pictures(path, create=True) as pictures:
        assert pictures.keep_for == 30 * DAY
    with Pictures(path, keep_for=DAY) as pictures:
        assert pictures.keep_for == DAY
    with Pictures(path) as pictures:
        assert pictures.keep_for == DAY


def test_pictures_of_matches_that_nobody_plays_are_deleted_too(tmp_path: Path) -> None:
    for name, at in (("old", START), ("new", START + DAY)):
        with Pictures(tmp_path / f"{name}.evidence", keep_for=DAY, create=True) as pictures:
            pictures.keep("p", jpeg(0), at)
    sweep_all(tmp_path, START + 1.5 * DAY)
    left = []
    for name in ("old", "new"):
        with Pictures(tmp_path / f"{name}.evidence") as pictures:
            left.append(pictures.get("p") is not None)
    assert left == [False, True]


def test_a_store_keeps_pictures_beside_the_match(path: Path) -> None:
    store = EvidenceStore(path, newest=50)
    for number in range(20):
        store.keep(f"p{number}", jpeg(number), START)
    store.tie("p4", 11)
    assert store.get("p19") == jpeg(19)
    assert store.names(11) == ("p4",)
    assert store.get("none") is None
    assert store.names(12) == ()
    store.sweep(START + 31 * DAY)
    assert store.names(11) == ()
    assert store.trouble == ""
    store.keep("last", jpeg(1), START)
    store.close()
    with Pictures(path) as pictures:
        assert pictures.get("last") == jpeg(1)


def test_a_store_without_a_disk_holds_nothing_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    store = EvidenceStore(tmp_path / "file" / "x.evidence")
    store.keep("p", jpeg(0), START)
    store.tie("p", 1)
    assert store.get("p") is None
    assert store.names(1) == ()
    assert store.trouble.startswith("Could not find the pictures of 1: You may not open x.evidence")
    assert "Could not keep the picture p" in caplog.text
    store.close()


def test_a_store_replaces_a_damaged_file(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.write_bytes(b"Nothing but junk. " * 1000)
    with pytest.raises(JournalError):
        Pictures(path)
    store = EvidenceStore(path)
    store.keep("p", jpeg(0), START)
    assert store.get("p") == jpeg(0)
    assert "The evidence was damaged and is lost" in caplog.text
    assert store.trouble == ""
    store.close()


def test_a_slow_disk_costs_pictures_but_no_time(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = EvidenceStore(path)
    with Pictures(path, create=True) as other:
        # Another program holds the file; nothing can be written until it lets go.
        other._db.execute("BEGIN EXCLUSIVE")
        for number in range(40):
            store.keep(f"p{number}", jpeg(number, 100), START)
        other._db.execute("ROLLBACK")
    assert "The picture p39 was not kept: the disk is too slow." in caplog.text
    assert store.get("p0") == jpeg(0, 100)
    store.keep("later", jpeg(1), START)
    assert store.get("later") == jpeg(1)
    store.close()
