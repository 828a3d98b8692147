"""Plays a match on a disk that fails at each point in turn; runs with `faulty_disk.c` preloaded.

Prints a JSON object with what was found, or fails an assertion.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import tempfile
from collections.abc import Callable
from itertools import accumulate, count
from pathlib import Path

from referee.journal import Journal, NotWrittenError
from tests.referee.journal.making import MEMORY, START, new_journal, note, texts, ticking

KILL, TEAR, FULL, UNSYNCED = 1, 2, 3, 4
#: How many notes each call of a match appends: single ones, several, and one of many pages.
CALLS = (1, 1, 3, 1, 40, 1)

disk = ctypes.CDLL(None)


def arm(mode: int, at: int) -> None:
    """Faults begin at the use number `at` of a journal's files."""
    disk.faulty_arm(mode, ctypes.c_long(at))


def text(number: int) -> str:
    """The note of that number; the many are long, so that they need several pages."""
    return f"{number}" + "-" * (700 if number > 6 else 0)


def play(path: Path, tell: Callable[[int], object]) -> None:
    """Appends to a new journal and, half way, to it opened again; tells what is acknowledged."""
    journal = new_journal(path)
    tell(0)
    done = 0
    for call, size in enumerate(CALLS):
        if call == len(CALLS) // 2:
            journal.close()
            journal = Journal.open(path, now=ticking(START + 100))
        journal.append_all([note(text(done + k + 1)) for k in range(size)])
        done += size
        assert disk.faulty_unsynced() == 0, "acknowledged, but not yet on the disk"
        tell(done)
    journal.close()


def played(path: Path, mode: int, point: int) -> tuple[list[int], bool]:
    """What a process that plays acknowledged, and whether it came to its end."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        arm(mode, point)
        play(path, lambda done: os.write(writing, f"{done}\n".encode()))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        acknowledged = [int(line) for line in told]
    return acknowledged, os.waitpid(child, 0)[1] == 0


def kill_everywhere(folder: Path, mode: int) -> int:
    """Kills a match at every use of its files; tells at how many."""
    steps = [0, *accumulate(CALLS)]
    for point in count(1):
        path = folder / f"{mode}-{point}.match"
        acknowledged, finished = played(path, mode, point)
        if not acknowledged:
            if not path.exists():
                new_journal(path).close()
            acknowledged = [0]
        # A match that died can be read at once, and taken up; the call under way is done or not.
        with Journal.read(path) as reader:
            before = texts(reader)
        with Journal.open(path, now=ticking()) as journal:
            found = texts(journal)
            assert found == before
            step = steps.index(acknowledged[-1])
            assert len(found) in steps[step : step + 2], (point, acknowledged, len(found))
            assert found == [text(number + 1) for number in range(len(found))]
            journal.append(note("after"))
            assert texts(journal, len(found)) == ["after"]
        for file in folder.iterdir():
            file.unlink()
        if finished:
            return point - 1
    raise AssertionError


def create_everywhere(folder: Path, mode: int) -> int:
    """Lets the disk fail from each use of a new match on, or at it; tells how often it refused.

    The match is there whole or not at all, and can be made once the disk is well.
    """
    refused = 0
    for point in count(1):
        path = folder / f"{mode}-{point}.match"
        arm(mode, point)
        try:
            new_journal(path).close()
        except NotWrittenError:
            refused += 1
        reached = disk.faulty_uses() >= point
        arm(0, 0)
        if not path.exists():
            assert [file.suffix for file in folder.iterdir()] == [".lock"], point
            new_journal(path).close()
        with Journal.open(path, now=ticking()) as journal:
            journal.append(note("after"))
        for file in folder.iterdir():
            file.unlink()
        if not reached:
            return refused
    raise AssertionError


def fail_everywhere(folder: Path, mode: int) -> int:
    """Lets the disk fail from each use on, or at it; tells how many events were refused."""
    refused = 0
    for point in count(1):
        path = folder / f"{mode}-{point}.match"
        kept = []
        with new_journal(path) as journal:
            arm(mode, point)
            for number in range(1, 9):
                try:
                    journal.append(note(text(number)))
                except NotWrittenError:
                    refused += 1
                else:
                    kept.append(text(number))
            reached = disk.faulty_uses() >= point
            arm(0, 0)
            assert texts(journal) == kept
            journal.append(note("after"))
        with Journal.read(path) as journal:
            assert texts(journal) == [*kept, "after"]
        if not reached:
            return refused
    raise AssertionError


def main() -> None:
    """Runs all of it."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        found = {
            "killed": kill_everywhere(Path(folder), KILL),
            "torn": kill_everywhere(Path(folder), TEAR),
            "no room for a match": create_everywhere(Path(folder), FULL),
            "no sync of a match": create_everywhere(Path(folder), UNSYNCED),
            "full": fail_everywhere(Path(folder), FULL),
            "unsynced": fail_everywhere(Path(folder), UNSYNCED),
        }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
