"""A match that runs: real threads, a real journal, the real firmware's fake board."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.box.box import Box
from referee.journal import Journal
from referee.match.commands import Command, Do
from referee.match.fold import Stage
from referee.match.live import Live
from referee.match.match import Match
from tests.referee.match.toy import Move, Toy, ToyGame

LONG = 20.0


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    header = {"game": "toy", "edition": "toy-1"}
    journal = Journal.create(tmp_path / "toy.match", header, now=time.time)
    Match.begin(ToyGame(), journal, Toy(), "Ann")
    yield journal
    journal.close()


def live(journal: Journal, box: Box | None = None) -> Live[Toy, Move]:
    match = Match(ToyGame(), journal, now=time.monotonic(), wall=time.time)
    started = Live(match, None, box)
    started.start()
    return started


def enter(live: Live[Toy, Move], text: str, name: str = "c") -> Command:
    return Command(Do.ENTER, live.view.state_id, f"{name}-{live.view.seq}", "Ann", text)


def until(live: Live[Toy, Move], stage: Stage) -> None:
    end = time.monotonic() + LONG
    while live.view.device.stage is not stage:
        assert time.monotonic() < end, f"the device never was {stage}"
        live.wait(live.view.seq, 0.2)


def test_of_many_who_press_at_once_one_is_heard(journal: Journal) -> None:
    running = live(journal)
    answers = []

    def press(number: int) -> None:
        answers.append(running.command(Command(Do.ENTER, 0, f"c{number}", "Ann", "spin 2 -")))

    people = [threading.Thread(target=press, args=(number,)) for number in range(20)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    running.stop()
    assert sum(answer.accepted for answer in answers) == 1
    assert running.view.state_id == 1


def test_a_watcher_is_told_of_news(journal: Journal) -> None:
    running = live(journal)
    before = running.view.seq
    threading.Timer(0.05, lambda: running.command(enter(running, "spin 1 -"))).start()
    assert running.wait(before, LONG).seq > before
    running.stop()


def test_the_box_spins_and_runs_the_hourglass(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = Box("fake://")
    running = live(journal, box)
    running.command(Command(Do.START, 0, "spin", "Ann"))
    until(running, Stage.OVER)
    label = running.view.device.label
    assert label in ("1", "2")
    stages = [event.data for event in journal.events() if event.kind == "spin"]
    assert [each["stage"] for each in stages] == ["running", "running", "over"]
    assert stages[1]["label"] == label, "what was drawn is on record before the arrow stood"
    running.command(enter(running, f"spin {label} -"))
    running.command(Command(Do.START, 1, "glass", "Ann"))
    until(running, Stage.RUNNING)
    running.command(Command(Do.STOP, 1, "stop", "Ann"))
    until(running, Stage.OVER)
    running.stop()
    box.close()


def test_without_a_box_people_go_on_by_hand(journal: Journal) -> None:
    running = live(journal)
    assert "no box" in running.box_trouble.lower()
    running.command(Command(Do.START, 0, "spin", "Ann"))
    until(running, Stage.IDLE)
    assert "by hand" in running.view.trouble
    assert running.command(Command(Do.DONE, 0, "done", "Ann")).accepted
    assert running.command(enter(running, "spin 2 -")).accepted
    running.stop()


def test_after_it_was_stopped_nothing_is_acknowledged(journal: Journal) -> None:
    running = live(journal)
    running.stop()
    assert not running.command(enter(running, "spin 2 -")).accepted


def test_a_fault_of_ours_does_not_end_the_match(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = Match(ToyGame(), journal, now=time.monotonic(), wall=time.time)

    def broken(now: float) -> None:
        raise ZeroDivisionError("broken")

    monkeypatch.setattr(match, "tick", broken)
    running: Live[Toy, Move] = Live(match, None, None)
    running.start()
    assert running.command(enter(running, "spin 2 -")).accepted
    end = time.monotonic() + LONG
    while running.failures < 3 and time.monotonic() < end:
        time.sleep(0.01)
    assert running.command(enter(running, "raid - a")).accepted
    running.stop()
    assert len([record for record in caplog.records if "taken" in record.message]) == 1
