"""An opened device, with OpenCV's capture replaced at its boundary."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from tests.vision.fake_machine import FakeMachine
from vision.camera import Found, identity_of, open_source
from vision.camera.device import open_device, open_stream
from vision.camera.dials import OpenCvDials
from vision.camera.v4l2 import V4l2
from vision.errors import UnreadableError


class FakeCapture:
    """What `cv2.VideoCapture` gives for numbers that are in `there`."""

    there: ClassVar[set[int | str]] = {0}
    made: ClassVar[list[FakeCapture]] = []

    def __init__(self, place: int | str, backend: int = 0, limits: list[int] | None = None) -> None:
        self.place, self.limits = place, limits or []
        self.properties: dict[int, float] = {cv2.CAP_PROP_POS_MSEC: 5000.0, cv2.CAP_PROP_FOCUS: 40}
        self.answers: list[Any] = [(True, np.zeros((4, 6, 3), np.uint8))]
        self.released = False
        FakeCapture.made.append(self)

    def isOpened(self) -> bool:  # noqa: N802
        return self.place in FakeCapture.there

    def read(self) -> tuple[bool, Any]:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[no-any-return]

    def get(self, number: int) -> float:
        return self.properties.get(number, -1.0)

    def set(self, number: int, value: float) -> bool:
        self.properties[number] = value
        return number != cv2.CAP_PROP_EXPOSURE

    def release(self) -> None:
        self.released = True


@pytest.fixture(autouse=True)
def captures(monkeypatch: pytest.MonkeyPatch) -> list[FakeCapture]:
    monkeypatch.setattr(cv2, "VideoCapture", FakeCapture)
    monkeypatch.setattr(FakeCapture, "made", [])
    return FakeCapture.made


def test_a_device_is_asked_for_its_size_and_gives_its_times() -> None:
    opened = open_device(Found(0, "x"), (1920, 1080))
    assert opened is not None
    (capture,) = FakeCapture.made
    assert capture.properties[cv2.CAP_PROP_FRAME_WIDTH] == 1920
    assert capture.properties[cv2.CAP_PROP_FRAME_HEIGHT] == 1080
    shot = opened.read()
    assert shot is not None
    assert (shot.image.shape, shot.stamp) == ((4, 6, 3), 5.0)
    opened.release()
    assert capture.released


def test_what_fails_to_read_is_no_picture() -> None:
    opened = open_device(Found(0, "x"), (64, 48))
    assert opened is not None
    FakeCapture.made[0].answers = [(False, None), (True, None), cv2.error("torn JPEG")]
    assert [opened.read() for _ in range(3)] == [None, None, None]


def test_a_device_that_can_not_be_opened_is_let_go() -> None:
    assert open_device(Found(3, "x"), (64, 48)) is None
    assert FakeCapture.made[0].released
    assert open_stream("rtsp://camera/1") is None


def test_a_stream_has_time_limits_and_no_dials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakeCapture, "there", {"rtsp://camera/1"})
    opened = open_stream("rtsp://camera/1")
    assert opened is not None
    assert opened.dials is None
    assert opened.present()
    limits = dict(zip(*[iter(FakeCapture.made[0].limits)] * 2, strict=True))
    assert 0 < limits[cv2.CAP_PROP_OPEN_TIMEOUT_MSEC] <= 10_000
    assert 0 < limits[cv2.CAP_PROP_READ_TIMEOUT_MSEC] <= 10_000


def test_the_password_of_a_stream_is_never_told() -> None:
    address = "rtsp://cafe:secret@camera/1"
    assert identity_of(address) == "rtsp://camera/1"
    with pytest.raises(UnreadableError, match="rtsp://camera/1 isn't there") as caught:
        open_source(address)
    assert "secret" not in str(caught.value)


def test_a_device_knows_when_it_is_unplugged(
    tmp_path: Path,
) -> None:
    machine = FakeMachine(tmp_path)
    machine.plug(0, "1", serial="A")
    opened = open_device(machine.cameras()[0], (64, 48))
    assert opened is not None
    assert isinstance(opened.dials, V4l2)
    assert opened.present()
    machine.unplug("1")
    assert not opened.present()


def test_dials_through_opencv_say_what_they_lack() -> None:
    dials = OpenCvDials(cv2.VideoCapture(0))
    assert dials.names() == ("focus",)
    assert dials.get("focus") == 40
    assert dials.set("focus", 60)
    assert dials.get("focus") == 60
    assert not dials.set("exposure", 5)
    assert not dials.set("mains", 50)
    assert dials.get("mains") is None
