"""A camera or stream that is watched all the time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from vision.camera.device import Capture
from vision.camera.frames import Frame
from vision.camera.grabber import FROZEN_S, STALE_S, Grabber
from vision.camera.tuning import Held, Settings
from vision.errors import UnreadableError

#: How long `close` waits for a driver that hangs, in seconds.
_CLOSE_S = 2.0


class Live:
    """A camera or stream: a thread grabs all it sends and keeps the newest picture.

    `open_capture` opens the device wherever it is now, or returns None if it isn't there; it is
    called again whenever the device fails. `name` is what people call it. Raises UnreadableError
    if it isn't there to begin with.
    """

    def __init__(
        self,
        name: str,
        open_capture: Callable[[], Capture | None],
        *,
        settings: Settings | None = None,
        stale_s: float = STALE_S,
        frozen_s: float = FROZEN_S,
    ) -> None:
        self._grabber = Grabber(
            name,
            open_capture,
            time.monotonic,
            settings=settings,
            stale_s=stale_s,
            frozen_s=frozen_s,
        )
        self._news = threading.Condition()
        self._newest: Frame | None = None
        self._given = -1
        self._settle = threading.Event()
        self._closed = threading.Event()
        self._grabber.step()
        if not self._grabber.is_open:
            raise UnreadableError(
                "The camera {name} isn't there or is in use.",
                "Plug it in, close other programs that show it, or name another one.",
                name=name,
            )
        self._thread = threading.Thread(target=self._grab, name=f"camera {name}", daemon=True)
        self._thread.start()

    @property
    def report(self) -> tuple[Held, ...]:
        """What was set, and whether it held."""
        return self._grabber.tuner.report

    @property
    def settled(self) -> bool:
        """Whether exposure, white balance and focus are held, or left to the camera, by now."""
        return self._grabber.tuner.settled and not self._settle.is_set()

    def settle(self) -> None:
        """Lets exposure, white balance and focus settle anew, as after a change of the light."""
        self._settle.set()

    def read(self) -> Frame:
        """The newest picture, if need be after waiting for one that was not given before.

        Raises UnreadableError if none comes in time, or all are old ones.
        """
        with self._news:
            self._news.wait_for(self._has_news, timeout=self._grabber.patience_s)
            if self._newest is not None and self._has_news():
                self._given = self._newest.id
                return self._newest
            raise self._grabber.complaint()

    def close(self) -> None:
        """Stops the thread and frees the device."""
        self._closed.set()
        self._thread.join(timeout=_CLOSE_S)

    def _has_news(self) -> bool:
        return self._newest is not None and self._newest.id != self._given

    def _grab(self) -> None:
        try:
            while not self._closed.is_set():
                if self._settle.is_set():
                    self._settle.clear()
                    self._grabber.tuner.again(time.monotonic())
                wait = self._grabber.step()
                with self._news:
                    if self._newest is not self._grabber.newest:
                        self._newest = self._grabber.newest
                        self._news.notify_all()
                if wait > 0.0:
                    self._closed.wait(wait)
        finally:
            self._grabber.release()
