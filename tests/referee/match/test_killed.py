"""kill -9 at every write of a match: nothing that was acknowledged is lost or done twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.referee.match.killed import ROUND, ROUNDS

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_killed_at_every_write_a_match_goes_on_where_it_was(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.referee.match.killed", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lives = [json.loads(line) for line in done.stdout.splitlines()]
    commands = [f"c{k}" for k in range(len(ROUND) * ROUNDS)]
    # At the least every command is a write, at which the program is killed twice.
    assert len(lives) >= 2 * len(commands)
    for life in lives:
        assert life["over"], life
        assert Counter(life["commands"]) == Counter(commands), f"killed at {life['point']}"
        # Three rounds with one tile left in the castle each time, as the script has it.
        assert life["position"] == "4 spin 2 b 0"
    assert {life["acknowledged"] for life in lives} == set(range(len(commands)))
