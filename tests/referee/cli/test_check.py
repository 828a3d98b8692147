"""`referee check` as a judge uses it: prompts are answered, the result is on record."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.games.loading import load_game
from referee.journal import Journal, latest_matches
from referee.match.commands import Command, Do
from referee.match.match import Match

SEATS = ("--seats", "yellow=Ann,blue=Ben")
NO_CAMERA = ("--camera", "none")
LATE_S = 60.0
BY_HAND = (*NO_CAMERA, "--box", "none")


def check(folder: Path, *words: str) -> Result:
    """The command, with nobody at the keyboard."""
    return CliRunner().invoke(main, ["check", *words, "--folder", str(folder)])


def recorded(folder: Path) -> list[Any]:
    """The checks of the only match."""
    (found,) = latest_matches(folder)
    with Journal.read(found.path) as journal:
        return [event.data for event in journal.events() if event.kind == "check"]


def test_without_camera_and_box_each_step_is_a_line_and_the_match_stands_at_its_start(
    tmp_path: Path,
) -> None:
    result = check(tmp_path, *SEATS, *BY_HAND, "--json", "--by", "Judith")
    assert result.exit_code == 0, result.output
    steps = [json.loads(line) for line in result.stdout.splitlines()]
    outcomes = {step["step"]: step["outcome"] for step in steps}
    assert outcomes["record"] == outcomes["override"] == outcomes["signed"] == "passed"
    assert outcomes["camera"] == outcomes["legal"] == outcomes["spinner"] == "skipped"
    assert "failed" not in outcomes.values()
    assert all({"step", "outcome", "reason", "seconds"} == set(step) for step in steps)
    (data,) = recorded(tmp_path)
    assert data["results"] == steps[:-1]
    assert not data["passed"]
    assert data["parts"] in steps[-1]["reason"]
    (found,) = latest_matches(tmp_path)
    with Journal.read(found.path) as journal:
        events = list(journal.events())
    assert events[-1].cause.who == "Judith"
    assert events[0].data["position"] == events[-2].data["position"]
    # It can be checked again, and is the match that `referee run` takes up.
    assert check(tmp_path, *BY_HAND).exit_code == 0
    assert len(recorded(tmp_path)) == 2
    told = CliRunner().invoke(main, ["match", "show", "latest", "--folder", str(tmp_path)])
    assert "checked before the match: 5 passed, 13 skipped (camera" in told.output


def test_a_match_under_way_is_not_checked(tmp_path: Path) -> None:
    assert check(tmp_path, *SEATS, *BY_HAND).exit_code == 0
    (found,) = latest_matches(tmp_path)
    with Journal.open(found.path, now=time.time) as journal:
        game = load_game(str(journal.header["game"]), str(journal.header["edition_text"]))
        match = Match(game, journal, now=0.0, wall=time.time)
        choice = game.choices(match.view.position)[0]
        command = Command(Do.ENTER, match.view.state_id, "one", "Ann", choice.text)
        assert match.command(command, 0.0).accepted
        last = journal.last
    result = check(tmp_path, *BY_HAND)
    assert result.exit_code == 1
    assert f"The match {found.id} has begun" in result.output
    with Journal.read(found.path) as journal:
        assert journal.last == last


def test_with_nobody_at_the_keyboard_it_is_broken_off(tmp_path: Path) -> None:
    result = check(tmp_path, *SEATS, *NO_CAMERA, "--box", "fake://nobody")
    assert result.exit_code == 1
    assert "broken off" in result.output
    assert "Traceback" not in result.output
    (data,) = recorded(tmp_path)
    outcomes = {step["step"]: step["outcome"] for step in data["results"]}
    assert outcomes["box"] == "passed"
    assert outcomes["lights"] == outcomes["start"] == "skipped"


@pytest.mark.skipif(os.name != "posix", reason="waits for prompts on a pipe")
def test_a_person_answers_by_keyboard(tmp_path: Path) -> None:
    line = ["check", *SEATS, *NO_CAMERA, "--box", "fake://", "--folder", str(tmp_path)]
    answers = {"half of the ring": "\n", "rising tones": "n\n", "Stop button": "s\n"}
    answers["arrow point to"] = "y\n"
    pipe = subprocess.PIPE
    code = "from referee.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, *line], stdin=pipe, stdout=pipe, stderr=pipe, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        asides = []
        # Who gets no answer waits for a long time.
        late = threading.Timer(LATE_S, process.kill)
        late.start()
        for aside in process.stderr:
            asides.append(aside)
            for asked, answer in answers.items():
                if asked in aside:
                    process.stdin.write(answer)
                    process.stdin.flush()
        late.cancel()
        told = process.stdout.read()
        assert process.wait(30.0) == 1, told
    assert "Traceback" not in "".join(asides)
    assert "Fatal" not in "".join(asides)
    (data,) = recorded(tmp_path)
    outcomes = {step["step"]: step["outcome"] for step in data["results"]}
    wanted = {"lights": "passed", "sound": "failed", "button": "skipped", "spinner": "passed"}
    assert outcomes.items() >= wanted.items()
    assert "The buzzer did not sound as it should." in told
    assert "1 failed" in told
