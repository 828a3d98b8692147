"""A camera that need not be plugged in yet."""

from __future__ import annotations

from collections.abc import Callable

from vision.camera.frames import Camera, Frame


class Awaited:
    """A camera that is looked for whenever a frame is wanted, until it is there."""

    def __init__(self, open_it: Callable[[], Camera]) -> None:
        """`open_it` raises UnreadableError as long as the camera isn't there."""
        self._open = open_it
        self._camera: Camera | None = None

    def read(self) -> Frame:
        """The camera's next frame; raises UnreadableError if it isn't there, or as it does."""
        if self._camera is None:
            self._camera = self._open()
        return self._camera.read()

    def close(self) -> None:
        """Closes it, if it was ever there."""
        if self._camera is not None:
            self._camera.close()
