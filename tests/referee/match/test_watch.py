"""The two threads: newest picture wins, failures are survived, everything ends when told."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.match import watch
from referee.match.watch import Watch
from tests.referee.looks import look
from vision.camera import EndOfFramesError, Frame
from vision.errors import UnreadableError
from vision.session import Look

PICTURE = np.zeros((4, 4, 3), np.uint8)
LONG = 20.0


class Script:
    """A camera that gives a frame for each permit, or raises what it is told to."""

    def __init__(self) -> None:
        self.permits = threading.Semaphore(0)
        self.failures: list[Exception] = []
        self.closed = False
        self.taken = 0

    def read(self) -> Frame:
        while not self.permits.acquire(timeout=0.01):
            if self.closed or self.failures:
                break
        if self.failures:
            raise self.failures.pop()
        self.taken += 1
        return Frame(PICTURE, self.taken, time.monotonic())

    def close(self) -> None:
        self.closed = True


class Eyes:
    """Looks only when it may; notes which frames it got."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.frames: list[int] = []
        self.faces: Mapping[str, NDArray[np.uint8]] = {}

    def lay_bare(self, faces: Mapping[str, NDArray[np.uint8]]) -> None:
        self.faces = faces

    def look(self, frame: Frame) -> Look:
        assert self.may.wait(LONG)
        self.frames.append(frame.id)
        return replace(look(None), frame=frame)


@pytest.fixture
def parts() -> tuple[Script, Eyes, Watch]:
    camera, eyes = Script(), Eyes()
    return camera, eyes, Watch(camera, lambda: eyes)  # type: ignore[arg-type,return-value]


def until(watched: Watch, frame: int) -> Look:
    seen = watched.look(since=0.0, after=frame - 1, timeout=LONG)
    assert seen is not None
    return seen


def test_pictures_that_come_while_one_is_looked_at_are_dropped_but_the_newest(
    parts: tuple[Script, Eyes, Watch],
) -> None:
    camera, eyes, watched = parts
    watched.start()
    camera.permits.release(5)
    while camera.taken < 5:
        time.sleep(0.001)
    eyes.may.set()
    assert until(watched, 5).frame.id == 5
    assert eyes.frames[-1] == 5
    assert len(eyes.frames) <= 2
    camera.closed = True
    watched.stop()


def test_a_camera_that_fails_is_asked_again(
    parts: tuple[Script, Eyes, Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "RETRY_SECONDS", 0.0)
    camera, eyes, watched = parts
    eyes.may.set()
    camera.failures.append(UnreadableError("Gone.", "Plug it in."))
    watched.start()
    camera.permits.release(2)
    assert until(watched, 1).frame.id >= 1
    camera.closed = True
    watched.stop()


def test_an_old_picture_does_not_answer_for_a_later_time(
    parts: tuple[Script, Eyes, Watch],
) -> None:
    camera, eyes, watched = parts
    eyes.may.set()
    watched.start()
    camera.permits.release()
    seen = until(watched, 1)
    assert watched.look(since=seen.frame.captured_at + 1.0, timeout=0.05) is None
    assert watched.newest is seen
    camera.failures.append(EndOfFramesError())
    watched.stop()
    assert camera.closed
    assert watched.look(since=0.0) is None


def test_a_look_that_fails_is_begun_anew_and_told_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(watch, "RETRY_SECONDS", 0.0)
    camera, made = Script(), list[Eyes]()

    class Blind(Eyes):
        def look(self, frame: Frame) -> Look:
            raise ZeroDivisionError("blind")

    def session() -> Eyes:
        made.append(Blind() if len(made) < 2 else Eyes())
        made[-1].may.set()
        return made[-1]

    watched = Watch(camera, session)  # type: ignore[arg-type]
    watched.start()
    while watched.newest is None:
        camera.permits.release()
        time.sleep(0.005)
    assert watched.failures == 2
    assert len([record for record in caplog.records if record.levelname == "ERROR"]) == 1
    camera.closed = True
    watched.stop()


def test_what_boards_look_like_is_known_before_the_next_look(
    parts: tuple[Script, Eyes, Watch],
) -> None:
    camera, eyes, watched = parts
    faces = {"map": np.zeros((2, 2, 3), np.uint8)}
    watched.lay_bare(faces)
    eyes.may.set()
    watched.start()
    camera.permits.release()
    until(watched, 1)
    assert eyes.faces is faces
    camera.closed = True
    watched.stop()
