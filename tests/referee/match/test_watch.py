"""The two threads: newest picture wins, failures are survived, everything ends when told."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from referee.match import watch
from referee.match.watch import Sight, Watch
from tests.referee.observations import observe
from vision.camera import EndOfFramesError, Frame
from vision.errors import UnreadableError
from vision.observation import Observation

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


class Reader:
    """Reads only when it may; notes which frames it got."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.read_ids: list[int] = []

    def read(self, image: object, *, frame_id: int, captured_at: float) -> Observation:
        assert self.may.wait(LONG)
        self.read_ids.append(frame_id)
        if frame_id % 2:
            return observe([], (), ())
        raise UnreadableError("No table.", "Look again.")


@pytest.fixture
def parts() -> tuple[Script, Reader, Watch]:
    camera, reader = Script(), Reader()
    return camera, reader, Watch(camera, reader)  # type: ignore[arg-type]


def until(watched: Watch, frame: int) -> Sight:
    sight = watched.sight(since=0.0, after=frame - 1, timeout=LONG)
    assert sight is not None
    return sight


def test_pictures_that_come_while_one_is_read_are_dropped_but_the_newest(
    parts: tuple[Script, Reader, Watch],
) -> None:
    camera, reader, watched = parts
    watched.start()
    camera.permits.release(5)
    while camera.taken < 5:
        time.sleep(0.001)
    reader.may.set()
    assert until(watched, 5).frame.id == 5
    assert reader.read_ids[-1] == 5
    assert len(reader.read_ids) <= 2
    camera.closed = True
    watched.stop()


def test_a_picture_without_a_table_is_a_sight_too(parts: tuple[Script, Reader, Watch]) -> None:
    camera, reader, watched = parts
    reader.may.set()
    watched.start()
    camera.permits.release()
    assert until(watched, 1).observation is not None
    camera.permits.release()
    sight = until(watched, 2)
    assert sight.observation is None
    assert str(sight.error) == "No table. Look again."
    camera.closed = True
    watched.stop()


def test_a_camera_that_fails_is_asked_again(
    parts: tuple[Script, Reader, Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "RETRY_SECONDS", 0.0)
    camera, reader, watched = parts
    reader.may.set()
    camera.failures.append(UnreadableError("Gone.", "Plug it in."))
    watched.start()
    camera.permits.release(2)
    assert until(watched, 1).frame.id >= 1
    camera.closed = True
    watched.stop()


def test_an_old_picture_does_not_answer_for_a_later_time(
    parts: tuple[Script, Reader, Watch],
) -> None:
    camera, reader, watched = parts
    reader.may.set()
    watched.start()
    camera.permits.release()
    seen = until(watched, 1)
    assert watched.sight(since=seen.frame.captured_at + 1.0, timeout=0.05) is None
    assert watched.newest is seen
    camera.failures.append(EndOfFramesError())
    watched.stop()
    assert camera.closed
    assert watched.sight(since=0.0) is None
