"""The house: one match at a time, begun, ended, taken up, killed between; its settings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.journal import Journal, JournalError, LockedError, latest_matches, told
from referee.match.commands import Command, Do
from referee.web.house import House, HouseError, Opened
from referee.web.setup.settings import (
    NETWORK,
    Settings,
    SettingsError,
    read_settings,
    write_settings,
)
from tests.referee.web.houses import SEATS, DrawnGear, a_house, grey
from tests.referee.web.stage import Eyes


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """No picture is read: networks and faces take their time."""
    monkeypatch.setattr("referee.web.setup.plugged.TableReader", lambda *args, **more: None)
    monkeypatch.setattr("referee.web.setup.plugged.Session", lambda *args, **more: Eyes())
    monkeypatch.setattr(DrawnGear, "book", lambda gear, name: None)


def play_one(match: Opened) -> None:
    """The first legal move, by hand."""
    view = match.live.view
    move = match.game.choices(view.position)[0].text
    command = Command(Do.ENTER, view.state_id, f"c{view.seq}", "Ann", move)
    answer = match.live.command(command)
    assert answer.accepted, answer.text


def test_a_match_begins_and_no_second_one_beside_it(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        opened = [house.match]
        match = house.begin(SEATS, ranks="2,1")
        opened.append(house.match)
        assert opened == [None, match]
        assert match.at_start
        assert [line.rank for line in match.live.view.sheet.lines] == [2, 1]
        with pytest.raises(HouseError, match="not finished"):
            house.begin(SEATS)
        with pytest.raises(HouseError, match="not finished"):
            house.take_up()
        assert len(latest_matches(house.folder)) == 1


def test_a_match_that_is_ended_is_finished_and_another_begins(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        first = house.begin(SEATS)
        play_one(first)
        with pytest.raises(HouseError, match="reason"):
            house.end("Ann", "  ")
        house.end("Ann", "Ben had to leave")
        assert house.match is None
        assert house.unfinished() == []
        with Journal.read(first.journal.path) as journal:
            last = list(journal.events())[-1]
        assert (last.kind, last.cause.who) == ("end", "Ann")
        assert told(last) == "the match was ended before its end (why: Ben had to leave)"
        second = house.begin(SEATS)
        assert second.id != first.id


def test_an_ended_match_that_is_taken_up_is_unfinished_again(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        first = house.begin(SEATS)
        play_one(first)
        house.end("Ann", "by mistake")
        again = house.take_up(first.id)
        assert again.live.view.state_id == 1
        assert [found.id for found in house.unfinished()] == [first.id]
    with a_house(tmp_path) as house:
        assert house.take_up().id == first.id


def test_what_was_closed_goes_on_where_it_was(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        match = house.begin(SEATS)
        play_one(match)
        before = match.live.view
    with a_house(tmp_path) as house:
        after = house.take_up().live.view
        assert (after.match, after.positions) == (before.match, before.positions)


KILLED = """
import sys
import time
from pathlib import Path
from tests.referee.web.houses import SEATS, a_house
from tests.referee.web.test_house import play_one
import referee.match.match as m
house = a_house(Path(sys.argv[1]))
if sys.argv[2] == "between":
    # The file is there, its first event is not yet.
    def begin(*args):
        print("now", flush=True)
        time.sleep(99)
    m.Match.begin = staticmethod(begin)
match = house.begin(SEATS)
play_one(match)
if sys.argv[2] == "ended":
    house.end("Ann", "enough")
print("now", flush=True)
time.sleep(99)
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX")
@pytest.mark.parametrize(("when", "left"), [("between", 0), ("played", 1), ("ended", 0)])
def test_killed_at_any_time_it_goes_on_or_begins_anew(tmp_path: Path, when: str, left: int) -> None:
    line = [sys.executable, "-c", KILLED, str(tmp_path), when]
    with subprocess.Popen(line, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"now\n"
        process.send_signal(signal.SIGKILL)
    with a_house(tmp_path) as house:
        assert len(house.unfinished()) == left
        if left:
            assert house.take_up().live.view.state_id == 1
        else:
            with pytest.raises(HouseError, match="No match"):
                house.take_up()
            assert house.begin(SEATS).at_start


def test_of_many_who_begin_at_once_one_does(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        refused: list[HouseError] = []

        def begin() -> None:
            try:
                house.begin(SEATS)
            except HouseError as error:
                refused.append(error)

        people = [threading.Thread(target=begin) for _ in range(5)]
        for person in people:
            person.start()
        for person in people:
            person.join()
        assert len(refused) == 4
        assert len(latest_matches(house.folder)) == 1


@pytest.mark.usefixtures("blind")
def test_camera_and_box_stay_from_one_match_to_the_next(tmp_path: Path) -> None:
    gear = DrawnGear()
    with a_house(tmp_path, gear, camera="", box="fake://stays") as house:
        first = house.begin(SEATS)
        until(lambda: first.box is not None and first.box.connected)
        until(lambda: first.watch is not None and first.watch.newest is not None)
        house.end("Ann", "enough")
        second = house.begin(SEATS)
        assert second.box is first.box
        assert second.box is not None
        assert second.box.connected
        until(lambda: second.watch is not None and second.watch.newest is not None)
    assert gear.opened == ["fake://stays", "camera:one"]


def test_what_cannot_begin_leaves_nothing_behind(tmp_path: Path) -> None:
    gear = DrawnGear()
    with a_house(tmp_path, gear, edition="retail") as house:
        with pytest.raises(ValueError, match="values are open"):
            house.begin(SEATS)
        house.change(edition="kit")
        with pytest.raises(ValueError, match="1 players"):
            house.begin({"yellow": "Ann"})
        house.change(book=str(tmp_path / "no.book"))
        with pytest.raises(ValueError, match=r"no\.book"):
            house.begin(SEATS)
        assert house.match is None
        assert latest_matches(house.folder) == []


@pytest.mark.usefixtures("blind")
def test_two_cameras_and_none_chosen(tmp_path: Path) -> None:
    gear = DrawnGear({"one": DrawnGear().drawings["one"], "two": DrawnGear().drawings["one"]})
    with a_house(tmp_path, gear, camera="") as house:
        with pytest.raises(ValueError, match="camera:one and camera:two"):
            house.begin(SEATS)
        house.change(camera="camera:two")
        assert house.begin(SEATS).watch is not None


def test_while_a_match_runs_what_it_rests_on_stays(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        house.begin(SEATS)
        for name, value in (("camera", "x"), ("lens", "x"), ("edition", "x"), ("book", "x")):
            with pytest.raises(HouseError, match="its verdicts must stay"):
                house.change(**{name: value})
        assert house.change(language="de").language == "de"
        house.end("Ann", "enough")
        assert house.change(camera="x").camera == "x"


def test_a_match_that_another_program_has_is_refused(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        house.begin(SEATS)
        with a_house(tmp_path) as other, pytest.raises(LockedError):
            other.take_up()


def test_an_end_that_cannot_be_written_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_house(tmp_path) as house:
        match = house.begin(SEATS)

        def full(*args: object) -> None:
            raise JournalError("The disk is full.", "Make room.")

        with monkeypatch.context() as patch:
            patch.setattr(match.journal, "append", full)
            with pytest.raises(JournalError, match="disk is full"):
                house.end("Ann", "enough")
        assert house.match is match
        house.end("Ann", "enough")


def test_a_camera_is_opened_once_for_all_who_read_it(tmp_path: Path) -> None:
    gear = DrawnGear()
    with a_house(tmp_path, gear) as house:
        one, other = house.plugged.tap("camera:one"), house.plugged.tap("camera:one")
        first = one.read()
        assert other.read() is first, "a picture that was just taken serves both"
        assert one.read() is not first
        house.change(mains=60)
        one.read()
        one.close()
        one.close()
        other.read()
        assert gear.opened == ["camera:one", "camera:one"]
        other.close()
        house.plugged.tap("camera:one").read()
        assert len(gear.opened) == 3


def test_settings_are_written_and_read(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "settings.toml"
    assert read_settings(file) == Settings()
    settings = Settings(camera="camera:046d:0825:Ä", watchers=NETWORK, mains=60, language="de")
    write_settings(file, settings)
    assert read_settings(file) == settings
    assert "version = 1" in file.read_text(encoding="utf-8")
    assert [path.name for path in file.parent.iterdir()] == ["settings.toml"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colour = 'red'", "no setting 'colour'"),
        ("mains = 55", "Mains frequency is 55, but must be 0, 50 or 60"),
        ("mains = true", "Mains frequency is True"),
        ("camera = 3", "Camera is 3"),
        ("camera = 'a\\nb'", ""),
        ('camera = "a\\nb"', "one line"),
        ("watchers = 'all'", '"here" or "network"'),
        ("version = 2", "version 2"),
        ("camera = ", "can't be read"),
    ],
)
def test_a_settings_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text, encoding="utf-8")
    if not said:
        read_settings(file)
        return
    with pytest.raises(SettingsError) as caught:
        read_settings(file)
    assert said in caught.value.what
    assert str(file) in caught.value.what
    assert caught.value.remedy


def test_what_the_command_line_says_is_not_written(tmp_path: Path) -> None:
    with a_house(tmp_path, language="de") as house:
        assert house.settings.language == "de"
        house.change(paper="letter")
        assert read_settings(house.file) == Settings(paper="letter")
        house.change(language="en")
        assert house.settings.language == "en"


def until(holds: Callable[[], bool]) -> None:
    """Waits for something to become true; fails after twenty seconds."""
    deadline = time.monotonic() + 20.0
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def test_a_house_that_is_closed_twice(tmp_path: Path) -> None:
    house: House = a_house(tmp_path)
    house.begin(SEATS)
    house.close()
    house.close()


@pytest.mark.usefixtures("blind")
def test_the_password_of_a_camera_is_not_on_record(tmp_path: Path) -> None:
    address = "rtsp://guest:s3cret@192.168.1.7/live"
    gear = DrawnGear({address: grey})
    with a_house(tmp_path, gear, camera=address) as house:
        match = house.begin(SEATS)
        play_one(match)
        assert match.journal.header["calibration"] == "rtsp://192.168.1.7/live"
        assert "s3cret" not in str([*match.journal.events(), match.journal.header])
