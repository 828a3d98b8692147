"""Processes that are killed, and disks that fail, at every point of a match."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from referee.journal import Journal, NotWrittenError
from tests.referee.journal.making import new_journal, note, texts, ticking

HERE = Path(__file__).parent


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or not shutil.which("gcc"), reason="needs Linux and gcc"
)
def test_every_use_of_the_disk_may_be_the_last(tmp_path: Path) -> None:
    library = tmp_path / "faulty_disk.so"
    source = str(HERE / "faulty_disk.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    run = subprocess.run(
        [sys.executable, "-m", "tests.referee.journal.faulty_disk"],
        env={**os.environ, "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    # Six calls of at least a write and a sync each, at two moments; and creation, and two closes.
    assert found["killed"] >= 30
    assert found["torn"] >= 30
    assert found["no room for a match"] > 2
    assert found["no sync of a match"] > 0
    # The disk that fails from the first use on refuses all eight events, and later ones fewer.
    assert found["full"] > 8
    assert found["unsynced"] >= 8


_APPEND = """
import sys
from pathlib import Path
from referee.journal import Journal
from tests.referee.journal.making import note
journal = Journal.open(Path(sys.argv[1]), now=float)
while True:
    print(journal.append(note("x" * 300)).seq, flush=True)
"""


def test_killed_at_any_moment(tmp_path: Path) -> None:
    """The same match again and again; nothing that was told is lost."""
    path = tmp_path / "x.match"
    new_journal(path).close()
    rng = random.Random(5)
    told = 0
    for _ in range(6):
        player = subprocess.Popen(
            [sys.executable, "-c", _APPEND, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert player.stdout is not None
        lines = [player.stdout.readline() for _ in range(rng.randrange(1, 60))]
        player.send_signal(signal.SIGKILL)
        lines += player.stdout.readlines()
        player.stdout.close()
        player.wait()
        assert int(lines[0]) in (told + 1, told + 2)
        told = int(lines[-1])
        with Journal.read(path) as journal:
            assert journal.damage() is None
            assert journal.last in (told, told + 1)
    with Journal.open(path, now=ticking()) as journal:
        assert journal.append(note("after")).seq == journal.last


def fill(journal: Journal) -> Iterator[object]:
    """Appends for ever; gives what was acknowledged."""
    for number in count():
        yield journal.append(note(f"{number}" + "x" * 2000)).data["text"]


def test_a_full_disk(tmp_path: Path) -> None:
    """The system's limit of a file's size acts like a full disk; then there is room again."""
    path = tmp_path / "x.match"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    kept: list[object] = []
    with new_journal(path) as journal:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
        try:
            with pytest.raises(NotWrittenError) as refused:
                kept.extend(fill(journal))
            with pytest.raises(NotWrittenError):
                journal.append_all([note("y" * 3000), note("z" * 3000)])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert "x.match" in refused.value.what
        assert "not full" in refused.value.remedy
        assert len(kept) > 10
        assert texts(journal) == kept
        journal.append(note("after"))
    with Journal.open(path, now=ticking()) as journal:
        assert texts(journal) == [*kept, "after"]


def test_no_room_for_a_new_match(tmp_path: Path) -> None:
    """It is there whole, or not at all; once there is room it can be made."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    path = tmp_path / "x.match"
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, hard))
    try:
        with pytest.raises(NotWrittenError):
            new_journal(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [file.name for file in tmp_path.iterdir()] == ["x.lock"]
    with new_journal(path, 1) as journal:
        assert texts(journal) == ["1"]
