"""`referee camera`: the list, and the check before a match."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import camera, main
from tests.vision.fake_machine import FakeDriver
from tests.vision.test_camera_tuning import SimulatedCamera
from vision.camera import Found, Live, Settings, load_image
from vision.camera.device import Shot
from vision.camera.v4l2 import V4l2


@pytest.fixture
def cameras(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Found]:
    """Two cameras: one with a device file and a driver, and one of which only a number is known."""
    device = tmp_path / "video2"
    device.touch()
    found = [Found(2, "HD Webcam", ("046d:0825:A1", "046d:0825@p"), device), Found(4, "camera 4")]
    driver = FakeDriver(
        {0x980918: (0, 2, 1), 0x9A0901: (0, 3, 3), 0x9A0902: (3, 2047, 250)},
        {b"MJPG": [(1920, 1080)]},
    )
    monkeypatch.setattr(camera, "found_cameras", lambda: found)
    monkeypatch.setattr(camera, "V4l2", partial(V4l2, ioctl=driver))
    return found


def test_the_list_for_people(cameras: list[Found]) -> None:
    result = CliRunner().invoke(main, ["camera", "list"])
    assert result.exit_code == 0
    lines = [line.strip() for line in result.output.splitlines()]
    assert lines == [
        "camera:046d:0825:A1",
        "HD Webcam, now number 2",
        "sends MJPG 1920x1080",
        "can set mains frequency, automatic exposure, exposure",
        "4",
        "camera 4, now number 4",
        "this system tells nothing of it that stays: its number may change",
    ]


def test_the_list_for_programs(cameras: list[Found]) -> None:
    result = CliRunner().invoke(main, ["camera", "list", "--json"])
    first, second = map(json.loads, result.output.splitlines())
    assert first == {
        "spec": "camera:046d:0825:A1",
        "name": "HD Webcam",
        "number": 2,
        "stable": True,
        "formats": ["MJPG 1920x1080"],
        "settings": ["auto_exposure", "exposure", "mains"],
    }
    assert (second["stable"], second["formats"]) == (False, None)


def test_no_camera_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera, "found_cameras", list)
    result = CliRunner().invoke(main, ["camera", "list"])
    assert result.exit_code == 1
    assert "No camera found. Plug in" in result.output


class SimulatedDevice:
    """A table, as fast as it can go, behind the simulated camera's dials."""

    def __init__(self, table: str) -> None:
        self.table = load_image(table).astype(float)
        self.dials = SimulatedCamera(focus=False)
        self.released = threading.Event()

    def read(self) -> Shot | None:
        if self.released.is_set():
            return None
        self.dials.picture()
        noise = self.dials.frames % 7 - 3
        return Shot(np.clip(self.table + noise, 0, 255).astype(np.uint8))

    def present(self) -> bool:
        return True

    def release(self) -> None:
        self.released.set()


def test_a_camera_is_checked(shoot: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    device = SimulatedDevice(shoot())

    def open_source(spec: str, settings: Settings) -> Live:
        return Live(spec, lambda: device, settings=settings)

    monkeypatch.setattr(camera, "open_source", open_source)
    monkeypatch.setattr(camera, "_settled", Live.read)
    result = CliRunner().invoke(main, ["camera", "check", "camera:a", "--mains", "50", "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    assert told["fit"]
    assert (told["width"], told["height"]) == (1280, 720)
    assert {"name": "mains", "asked": 50, "got": 50, "held": True} in told["settings"]


def test_a_picture_is_checked(shoot: Callable[..., str], tmp_path: Path) -> None:
    good = CliRunner().invoke(main, ["camera", "check", shoot()])
    assert good.exit_code == 0
    assert "fit to be read" in good.output
    missing = CliRunner().invoke(main, ["camera", "check", str(tmp_path / "none.png")])
    assert missing.exit_code == 1
    assert "There is no file" in missing.output
