"""Keeps looking at a table: one thread takes pictures, one looks at the newest of them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from referee.games.said import joined, say
from referee.words import said
from vision.camera import Camera, EndOfFramesError, Frame
from vision.errors import UnreadableError
from vision.session import Look, Session

log = logging.getLogger(__name__)

#: How long a failing camera, or a look that failed, is left alone.
RETRY_SECONDS = 1.0


class Watch:
    """Pictures of one camera and looks at them, the newest of each; older ones are dropped.

    A look that fails unexpectedly is logged once in a row, and begun anew with a new session.
    """

    def __init__(self, camera: Camera, session: Callable[[], Session]) -> None:
        """`session` makes a session for the table: in the vision thread, once a picture is there,
        and again after a failure.
        """
        self._camera, self._new_session = camera, session
        self._session: Session | None = None
        self._news = threading.Condition()
        self._frame: Frame | None = None
        self._look: Look | None = None
        self._seen = -1
        self._again = False
        self._bare: Mapping[str, NDArray[np.uint8]] = {}
        self._stopped = False
        self._called: list[Callable[[], None]] = []
        self.failures = 0
        """How many looks failed unexpectedly so far."""
        self.looks, self.look_seconds = 0, 0.0
        """How many did not, and how long all of them took together."""
        self.trouble = ""
        """Why there are no new pictures; empty if there are."""
        self._threads = [
            threading.Thread(target=self._take_pictures, name="capture", daemon=True),
            threading.Thread(target=self._look_at_pictures, name="vision", daemon=True),
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
    def newest(self) -> Look | None:
        """The newest look; None before the first."""
        return self._look

    def on_look(self, call: Callable[[], None]) -> None:
        """Has `call` called, in the vision thread, after each look; it must return at once."""
        self._called.append(call)

    def look_again(self) -> None:
        """Has the table read anew, though nothing seems to change."""
        self._again = True

    def lay_bare(self, faces: Mapping[str, NDArray[np.uint8]]) -> None:
        """Says what boards look like from now on with nothing on them; see `Session.lay_bare`."""
        self._bare = faces

    def look(self, since: float, after: int = -1, timeout: float | None = None) -> Look | None:
        """The newest look at a picture taken at or after `since`, with a higher id than `after`.

        Waits for it; None if it does not come within `timeout` seconds, or the watch is stopped.
        """
        with self._news:
            fresh = self._news.wait_for(lambda: self._has(since, after) or self._stopped, timeout)
            return self._look if fresh and not self._stopped else None

    def _has(self, since: float, after: int) -> bool:
        look = self._look
        return look is not None and look.frame.id > after and look.frame.captured_at >= since

    def _take_pictures(self) -> None:
        while not self._stopped:
            try:
                frame = self._camera.read()
            except EndOfFramesError:
                self.trouble = say("The pictures are over.")
                return
            except UnreadableError as error:
                if not self.trouble:
                    log.warning("%s", error)
                self.trouble = joined(said(error))
                time.sleep(RETRY_SECONDS)
                continue
            self.trouble = ""
            with self._news:
                self._frame = frame
                self._news.notify_all()

    def _look_at_pictures(self) -> None:
        failing = False
        while (frame := self._unseen()) is not None:
            self._seen = frame.id
            began = time.monotonic()
            try:
                if self._session is None:
                    self._session = self._new_session()
                self._session.lay_bare(self._bare)
                if self._again:
                    self._again = False
                    self._session.look_again()
                look = self._session.look(frame)
            except Exception:
                self.failures += 1
                if not failing:
                    log.exception("A look at picture %d failed; the watch begins anew.", frame.id)
                failing = True
                time.sleep(RETRY_SECONDS)
                self._session = None
                continue
            failing = False
            self.looks += 1
            self.look_seconds += time.monotonic() - began
            with self._news:
                self._look = look
                self._news.notify_all()
            for call in self._called:
                call()

    def _unseen(self) -> Frame | None:
        """Waits for a picture that is newer than the last one looked at; None at the end."""
        with self._news:
            self._news.wait_for(
                lambda: self._stopped or (self._frame is not None and self._frame.id != self._seen)
            )
            return None if self._stopped else self._frame
