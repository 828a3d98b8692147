"""`referee doctor`: a line for each part, with what to do about what is missing."""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from serial.tools import list_ports

import vision.network
from referee.cli import doctor, main
from vision.camera import load_image, save_image

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
    lines = examined("--camera", shoot())
    assert lines["picture"]["ok"]
    assert lines["markers"]["ok"]
    markers = examined("--camera", shoot("two.png", markers=2))["markers"]
    assert not markers["ok"]
    assert markers["remedy"]
    picture = examined("--camera", str(tmp_path / "nothing.png"))["picture"]
    assert "nothing.png" in str(picture["found"])


def test_a_picture_that_is_unfit_to_be_read(shoot: Callable[..., str]) -> None:
    path = shoot("dark.png")
    save_image(path, (load_image(path) * 0.1).astype(np.uint8))
    picture = examined("--camera", path)["picture"]
    assert not picture["ok"]
    assert "too dark" in str(picture["found"])
    assert "light" in str(picture["remedy"])


def test_cameras_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_PROBE", "print('camera:a (HD Webcam)'); print('2 (camera 2)')")
    assert examined()["cameras"]["found"] == "camera:a (HD Webcam), 2 (camera 2)"


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


def test_a_damaged_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "palm").mkdir()
    (tmp_path / "palm" / "palm.onnx").write_bytes(b"damaged")
    (tmp_path / "SHA256SUMS").write_text(f"{'0' * 64}  palm/palm.onnx\n")
    monkeypatch.setattr(vision.network, "models_folder", lambda: tmp_path)
    vision.network.network.cache_clear()
    models = examined()["models"]
    assert not models["ok"]
    assert "palm.onnx is damaged" in str(models["found"])
    (tmp_path / "SHA256SUMS").unlink()
    assert "none" in str(examined()["models"]["found"])
