"""Keeps looking at a table: one thread takes pictures, one reads the newest of them."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass

from vision.camera import Camera, EndOfFramesError, Frame
from vision.errors import UnreadableError
from vision.observation import Observation
from vision.reader import TableReader

log = logging.getLogger(__name__)

#: How long a failing camera is left alone before it is asked again.
RETRY_SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class Sight:
    """A picture and what was read in it; if nothing could be, `error` says why."""

    frame: Frame
    observation: Observation | None
    error: UnreadableError | None = None


def look_at(frame: Frame, reader: TableReader) -> Sight:
    """Reads one picture."""
    try:
        observation = reader.read(frame.image, frame_id=frame.id, captured_at=frame.captured_at)
    except UnreadableError as error:
        return Sight(frame, None, error)
    return Sight(frame, observation)


class Watch:
    """Pictures and readings of one camera, the newest of each; older ones are dropped unread."""

    def __init__(self, camera: Camera, reader: TableReader) -> None:
        self._camera, self._reader = camera, reader
        self._news = threading.Condition()
        self._frame: Frame | None = None
        self._sight: Sight | None = None
        self._stopped = False
        self._threads = [
            threading.Thread(target=self._take_pictures, name="capture", daemon=True),
            threading.Thread(target=self._read_pictures, name="vision", daemon=True),
        ]

    def start(self) -> None:
        """Starts both threads."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stops both threads and closes the camera."""
        with self._news:
            self._stopped = True
            self._news.notify_all()
        for thread in self._threads:
            thread.join()
        self._camera.close()

    @property
    def newest(self) -> Sight | None:
        """The newest reading; None before the first."""
        return self._sight

    def sight(self, since: float, after: int = -1, timeout: float | None = None) -> Sight | None:
        """The newest reading of a picture taken at or after `since`, with a higher id than `after`.

        Waits for it; None if it does not come within `timeout` seconds, or the watch is stopped.
        """
        with self._news:
            fresh = self._news.wait_for(lambda: self._has(since, after) or self._stopped, timeout)
            return self._sight if fresh and not self._stopped else None

    def _has(self, since: float, after: int) -> bool:
        sight = self._sight
        return sight is not None and sight.frame.id > after and sight.frame.captured_at >= since

    def _take_pictures(self) -> None:
        while not self._stopped:
            try:
                frame = self._camera.read()
            except EndOfFramesError:
                return
            except UnreadableError as error:
                log.warning("%s", error)
                time.sleep(RETRY_SECONDS)
                continue
            with self._news:
                self._frame = frame
                self._news.notify_all()

    def _read_pictures(self) -> None:
        while (frame := self._unread()) is not None:
            sight = look_at(frame, self._reader)
            with self._news:
                self._sight = sight
                self._news.notify_all()

    def _unread(self) -> Frame | None:
        """Waits for a picture that is newer than the last one that was read; None at the end."""
        with self._news:
            last = -1 if self._sight is None else self._sight.frame.id
            self._news.wait_for(
                lambda: self._stopped or (self._frame is not None and self._frame.id != last)
            )
            return None if self._stopped else self._frame
