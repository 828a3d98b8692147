"""`referee box`: against the fake board, and without any."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.box.box import Box
from referee.box.errors import FlashError, SpinnerError
from referee.box.fake import FakeBoard, fake_board, forget_fake_boards
from referee.box.flash import flash
from referee.box.protocol import Button, Cancel, Hourglass, Mute, Parts, ResetCause, Spin
from referee.cli import main
from tests.referee.box.test_ports import NANO, PHONE, UNO, Info

FAKE = "fake://cli"
#: Nothing here takes so long, unless it hangs.
LONG = 30.0


@pytest.fixture(autouse=True)
def board() -> Iterator[FakeBoard]:
    """The board at FAKE, its arrow just before home."""
    made = FakeBoard()
    made.arrow.position = -100
    yield fake_board("cli", made).board
    forget_fake_boards()


@pytest.fixture
def ports(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets which serial ports there are."""

    def there_are(*infos: Info) -> None:
        monkeypatch.setattr("serial.tools.list_ports.comports", lambda: infos)

    there_are()
    return there_are


def run(*args: str, answers: str = "") -> Result:
    return CliRunner().invoke(main, ["box", *args], input=answers)


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def soon(done: Callable[[], bool]) -> bool:
    until = time.monotonic() + LONG
    while not done() and time.monotonic() < until:
        time.sleep(0.01)
    return done()


def test_the_list(ports: Callable[..., None]) -> None:
    ports(PHONE, UNO, NANO)
    result = run("list")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "7573530313",
        "    Arduino Uno (2341:0043), now at /dev/ttyACM0",
        "/dev/ttyUSB0",
        "    board with a CH340 converter (1a86:7523), now at /dev/ttyUSB0",
    ]
    first, second = objects(run("list", "--json"))
    assert first["port"] == "7573530313"
    assert second == {
        "port": "/dev/ttyUSB0",
        "device": "/dev/ttyUSB0",
        "name": "board with a CH340 converter",
        "usb": "1a86:7523",
    }


@pytest.mark.parametrize("command", [["list"], ["hello"], ["spin"], ["glass", "5"], ["test"]])
def test_without_a_box_the_way_without_one_is_told(
    ports: Callable[..., None], command: list[str]
) -> None:
    result = run(*command)
    assert result.exit_code == 1
    assert "fake://" in result.output
    assert "Traceback" not in result.output


def test_an_error_for_programs(ports: Callable[..., None]) -> None:
    ports(UNO, NANO)
    result = run("hello", "--json")
    assert result.exit_code == 1
    (told,) = objects(result)
    assert "More than one" in told["error"]
    assert "--port" in told["remedy"]


def test_hello(board: FakeBoard) -> None:
    (told,) = objects(run("hello", "--port", FAKE, "--json"))
    assert (told["device"], told["board"], told["warning"]) == (FAKE, "FAKE", None)
    assert told["started_by"] == ResetCause.POWER_ON.name
    # The board's clock is right; a busy machine measures it less well.
    assert abs(told["clock_ppm"]) < 5000


def test_hello_says_plainly_that_no_real_box_answers() -> None:
    result = run("hello", "--port", FAKE)
    assert result.exit_code == 0
    assert "not a real one" in result.stdout


def test_a_spin_is_drawn_first_and_the_camera_counts(board: FakeBoard) -> None:
    drawn, believed = objects(run("spin", "--turns", "1", "--port", FAKE, "--json"))
    (spin,) = [c for c in board.done if isinstance(c, Spin)]
    assert drawn["drawn"] == spin.sector == believed["believed"]
    # The kit's dial, clockwise.
    assert drawn["label"] == believed["label"] == "234354"[spin.sector]
    result = run("spin", "--turns", "1", "--sector", "4", "--port", FAKE)
    assert result.stdout.splitlines() == [
        "asked: 5",
        "The motor believes that the arrow points to 5. What counts is what it points to.",
    ]


def test_a_sector_that_is_not_there() -> None:
    result = run("spin", "--sector", "6", "--port", FAKE)
    assert result.exit_code == 2
    assert "sectors 0 to 5" in result.output


def test_a_glass_runs_to_its_end(board: FakeBoard) -> None:
    started, ended = objects(run("glass", "0.5", "--warn", "0", "--port", FAKE, "--json"))
    assert started["seconds"] == 0.5
    assert ended["ended"] == started["started"]
    assert not ended["interrupted"]
    assert len([c for c in board.done if isinstance(c, Hourglass)]) == 1


def test_a_glass_outlives_a_pulled_cable(board: FakeBoard) -> None:
    def pull() -> None:
        soon(lambda: any(isinstance(c, Hourglass) for c in board.done))
        board.unplug(0.5)

    puller = threading.Thread(target=pull)
    puller.start()
    result = run("glass", "2", "--warn", "0", "--port", FAKE)
    puller.join(LONG)
    assert result.exit_code == 0
    assert "The hourglass runs on" in result.stderr
    assert "Ended after" in result.stdout
    assert len([c for c in board.done if isinstance(c, Hourglass)]) == 1


def test_ctrl_c_stops_the_glass(board: FakeBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("referee.cli.box._wait_for_end", interrupted)
    result = run("glass", "60", "--port", FAKE)
    assert result.exit_code == 130
    assert "Stopped" in result.stdout
    assert [c.parts for c in board.done if isinstance(c, Cancel)] == [Parts.GLASS]


def test_the_walk_with_a_person_who_presses(board: FakeBoard) -> None:
    def person() -> None:
        soon(lambda: len([c for c in board.done if isinstance(c, Spin)]) == 2)
        # The motor lets go half a second after the arrow has come to rest.
        soon(lambda: not board.outputs.powered)
        for button in (Button.STOP, Button.JUDGE):
            for down in (True, False):
                with fake_board("cli") as there:
                    there.press(button, down)
                time.sleep(0.3)

    helper = threading.Thread(target=person)
    helper.start()
    result = run("test", "--port", FAKE, "--json", answers="y\n" * 20)
    helper.join(LONG)
    told = json.loads(result.stdout.splitlines()[-1])
    assert told["ok"], told
    assert result.exit_code == 0
    assert list(told["parts"])[-2:] == ["players' Stop button", "judge's button"]
    assert not [c for c in board.done if isinstance(c, Mute)]


def test_the_walk_tells_what_is_not_right(
    board: FakeBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.cli.boxtest.PRESS_S", 0.1)

    def home(_: Box) -> None:
        raise SpinnerError("Its sensor saw no magnet.", "See whether the arrow turns.")

    monkeypatch.setattr(Box, "home", home)
    result = run("test", "--port", FAKE, answers="y\nn\n" + "y\n" * 20)
    assert result.exit_code == 1
    assert "Not right: ring green, home sensor, arrow bottom right, " in result.stdout
    assert "judge's button" in result.stdout
    assert not [c for c in board.done if isinstance(c, Spin)]
    assert "magnet" in result.stderr


def test_flashing_needs_avrdude(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    result = run("flash", "--port", "/dev/ttyUSB7")
    assert result.exit_code == 1
    assert "sudo apt-get install avrdude" in result.output


def test_flashing_tries_both_bootloaders(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[Sequence[str]] = []

    def avrdude(command: Sequence[str]) -> int:
        commands.append(command)
        return 0 if "57600" in command else 1

    monkeypatch.setattr("shutil.which", lambda _: "/usr/bin/avrdude")
    said: list[str] = []
    assert flash("/dev/ttyUSB7", say=said.append, run=avrdude) == 57600
    assert len(said) == len(commands) == 2
    last = " ".join(commands[-1])
    assert "-c arduino -p m328p -P /dev/ttyUSB7 -b 57600 -U flash:w:" in last
    assert last.endswith("box.hex:i")
    with pytest.raises(FlashError, match="capacitor"):
        flash("/dev/ttyUSB7", run=lambda _: 1)


def test_the_fake_is_not_flashed() -> None:
    result = run("flash", "--port", FAKE)
    assert result.exit_code == 2
    assert "real board" in result.output
