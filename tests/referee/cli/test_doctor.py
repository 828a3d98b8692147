"""`referee doctor`: a line for each part, with what to do about what is missing."""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from serial.tools import list_ports

from referee.cli import doctor, main

Port = namedtuple("Port", "device vid pid")


@pytest.fixture(autouse=True)
def no_hardware(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a machine without anything plugged in reports, at once."""
    monkeypatch.setattr(doctor, "_PROBE", "")
    monkeypatch.setattr(list_ports, "comports", list)


def examined(*words: str) -> dict[str, dict[str, object]]:
    result = CliRunner().invoke(main, ["doctor", "--json", *words])
    told = json.loads(result.output)
    assert result.exit_code == (0 if told["ok"] else 1)
    return {line["name"]: line for line in told["lines"]}


def test_a_machine_without_camera_and_box_is_fit_for_the_demo() -> None:
    lines = examined()
    assert list(lines) == ["software", "disk", "kit", "models", "cameras", "box"]
    assert lines["software"]["ok"]
    assert lines["kit"]["ok"]
    assert not lines["cameras"]["ok"]
    assert not lines["box"]["ok"]
    assert all(line["ok"] or line["remedy"] for line in lines.values())


def test_words_for_people() -> None:
    result = CliRunner().invoke(main, ["doctor"])
    assert "no camera found" in result.output
    assert "-> Plug in a USB camera" in result.output


def test_markers_in_a_picture(shoot: Callable[..., str], tmp_path: Path) -> None:
    markers = examined("--camera", shoot())["markers"]
    assert markers["ok"]
    markers = examined("--camera", shoot("two.png", markers=2))["markers"]
    assert not markers["ok"]
    assert markers["remedy"]
    markers = examined("--camera", str(tmp_path / "nothing.png"))["markers"]
    assert "nothing.png" in str(markers["found"])


def test_cameras_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_PROBE", "print('0'); print('2')")
    assert examined()["cameras"]["found"] == "0, 2"


def test_a_camera_driver_that_hangs_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_PROBE", "import time; print('0', flush=True); time.sleep(60)")
    monkeypatch.setattr(doctor, "CAMERA_SECONDS", 1.0)
    assert examined()["cameras"]["found"] == "0"


def test_only_what_looks_like_the_box_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = [Port("COM1", None, None), Port("COM3", 0x2341, 0x0043), Port("COM4", 0x1234, 1)]
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    assert examined()["box"]["found"] == "COM3 (Arduino Uno)"


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "DISK_BYTES", 2**80)
    assert not examined()["disk"]["ok"]
