"""The kernel's side of a camera: what it has, and whether what was set held."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.fake_machine import FakeDriver
from vision.camera.v4l2 import V4l2

# Ids as in linux/v4l2-controls.h.
POWER_LINE, EXPOSURE_AUTO, EXPOSURE, FOCUS = 0x980918, 0x9A0901, 0x9A0902, 0x9A090A


@pytest.fixture
def driver() -> FakeDriver:
    return FakeDriver(
        {
            POWER_LINE: (0, 2, 2),
            EXPOSURE_AUTO: (0, 3, 3),
            EXPOSURE: (3, 2047, 250),
            FOCUS: (0, 255, 0),
        },
        {b"MJPG": [(1920, 1080), (1280, 720)], b"YUYV": [(640, 480)]},
    )


@pytest.fixture
def device(driver: FakeDriver, tmp_path: Path) -> V4l2:
    (tmp_path / "video0").touch()
    return V4l2(tmp_path / "video0", driver)


def test_what_a_camera_has(device: V4l2) -> None:
    assert device.can_capture
    assert device.formats() == ["MJPG 1920x1080", "MJPG 1280x720", "YUYV 640x480"]
    assert set(device.names()) == {"mains", "auto_exposure", "exposure", "focus"}


def test_a_metadata_node_gives_no_pictures(device: V4l2, driver: FakeDriver) -> None:
    driver.capabilities = (0x84A00001, 0x04A00000)
    assert not device.can_capture


def test_dials_are_turned_and_read_back(device: V4l2, driver: FakeDriver) -> None:
    assert device.get("mains") == 60
    assert device.set("mains", 50)
    assert (device.get("mains"), driver.controls[POWER_LINE][2]) == (50, 1)
    assert device.get("auto_exposure") == 1
    assert device.set("auto_exposure", 0)
    assert (device.get("auto_exposure"), driver.controls[EXPOSURE_AUTO][2]) == (0, 1)
    assert device.set("auto_exposure", 1)
    assert driver.controls[EXPOSURE_AUTO][2] == 3
    assert device.set("exposure", 5000)
    assert device.get("exposure") == 2047


def test_a_driver_with_another_automatic_way(device: V4l2, driver: FakeDriver) -> None:
    driver.refused = frozenset({(EXPOSURE_AUTO, 3)})
    driver.controls[EXPOSURE_AUTO] = (0, 3, 1)
    assert device.set("auto_exposure", 1)
    assert driver.controls[EXPOSURE_AUTO][2] == 0


def test_what_is_missing_refused_or_gone(device: V4l2, driver: FakeDriver, tmp_path: Path) -> None:
    assert device.get("gain") is None
    assert not device.set("gain", 3)
    assert not device.set("mains", 55)
    driver.stuck = frozenset({FOCUS})
    assert device.set("focus", 90)
    assert device.get("focus") == 0
    gone = V4l2(tmp_path / "video9", driver)
    assert not gone.can_capture
    assert gone.names() == ()
    assert gone.get("exposure") is None
