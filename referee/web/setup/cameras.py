"""Cameras that several readers share: a match, and the page that shows what a camera sees.

A camera is opened when its first reader wants a picture and closed with its last one, so it need
not be plugged in yet, and is not opened anew between two matches.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from vision.camera import Camera, Frame
from vision.camera import Live as LiveCamera

#: A picture that another reader took so many seconds ago is as good as a new one.
FRESH_S = 0.25


class _Shared:
    """One open camera; a picture that one reader takes serves all that wait for one."""

    def __init__(self, open_it: Callable[[], Camera]) -> None:
        self._open = open_it
        self._reading = threading.Lock()
        self._newest: Frame | None = None
        self._taken_at = 0.0
        self.camera: Camera | None = None
        self.readers = 0

    def read(self, after: Frame | None) -> Frame:
        """A picture that is not `after`; raises as the camera does."""
        with self._reading:
            fresh = time.monotonic() - self._taken_at < FRESH_S
            if fresh and self._newest is not None and self._newest is not after:
                return self._newest
            self._newest = self._opened().read()
            self._taken_at = time.monotonic()
            return self._newest

    def open(self) -> None:
        """Opens the camera if it is not open; raises UnreadableError if it isn't there."""
        with self._reading:
            self._opened()

    def _opened(self) -> Camera:
        if self.camera is None:
            self.camera = self._open()
        return self.camera

    def close(self) -> None:
        """Closes the camera; another reading opens it anew."""
        with self._reading:
            if self.camera is not None:
                self.camera.close()
                self.camera = None


class Tap:
    """One reader of a shared camera: a `Camera`. For one thread at a time."""

    def __init__(self, shared: _Shared, closed: Callable[[], None]) -> None:
        self._shared, self._on_close = shared, closed
        self._last: Frame | None = None
        self._closed = False

    def read(self) -> Frame:
        """The newest picture that this reader was not given yet; raises as the camera does."""
        self._last = self._shared.read(self._last)
        return self._last

    def open(self) -> None:
        """Opens it now, if it is not open; raises UnreadableError if it isn't there."""
        self._shared.open()

    @property
    def live(self) -> LiveCamera | None:
        """The camera itself, if its settings can be held, and it is open."""
        camera = self._shared.camera
        return camera if isinstance(camera, LiveCamera) else None

    def close(self) -> None:
        """Leaves it to the others."""
        if not self._closed:
            self._closed = True
            self._on_close()


class Cameras:
    """All cameras that are open, by what names them."""

    def __init__(self, open_it: Callable[[str], Camera]) -> None:
        """`open_it` opens what a name stands for; raises UnreadableError if it isn't there."""
        self._open = open_it
        self._lock = threading.Lock()
        self._shared: dict[str, _Shared] = {}

    def tap(self, spec: str) -> Tap:
        """A reader of a camera; it is opened when the first picture is read."""
        with self._lock:
            shared = self._shared.get(spec)
            if shared is None:
                shared = self._shared[spec] = _Shared(lambda: self._open(spec))
            shared.readers += 1
        return Tap(shared, lambda: self._left(spec, shared))

    def reopen(self) -> None:
        """Has each camera opened anew for its next picture: other settings hold by now."""
        with self._lock:
            shared = list(self._shared.values())
        for each in shared:
            each.close()

    def _left(self, spec: str, shared: _Shared) -> None:
        with self._lock:
            shared.readers -= 1
            last = shared.readers == 0
            if last and self._shared.get(spec) is shared:
                del self._shared[spec]
        if last:
            shared.close()
