"""An opened camera or stream: pictures with the driver's time, dials, and whether it is there."""

from __future__ import annotations

import platform
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

import cv2
import numpy as np

from vision.camera.dials import Dials, OpenCvDials
from vision.camera.frames import Image
from vision.camera.identity import Found
from vision.camera.v4l2 import V4l2

#: A stream that does not open or send for so long is given up, in milliseconds.
_STREAM_MS = 5000
#: OpenCV's way to the cameras of each system, so that its numbers are those that were listed.
_BACKENDS = {
    "Linux": cv2.CAP_V4L2,
    "Windows": cv2.CAP_MSMF,
    "Darwin": cv2.CAP_AVFOUNDATION,
}


class Shot(NamedTuple):
    """A picture as the driver gave it; `stamp` is its time by the driver in seconds, if any."""

    image: Image
    stamp: float | None = None


class Capture(Protocol):
    """What is needed of an opened device."""

    @property
    def dials(self) -> Dials | None:
        """What can be set; None for a stream."""
        ...

    def read(self) -> Shot | None:
        """Waits for a picture; None if there is none."""
        ...

    def present(self) -> bool:
        """False once the device is known to be gone, whatever `read` gives."""
        ...

    def release(self) -> None:
        """Closes the device."""
        ...


class OpenedDevice:
    """A `cv2.VideoCapture` as a `Capture`."""

    def __init__(
        self, capture: cv2.VideoCapture, dials: Dials | None, present: Callable[[], bool]
    ) -> None:
        self._capture, self._present = capture, present
        self.dials = dials

    def read(self) -> Shot | None:
        """The next picture of the driver."""
        try:
            good, image = self._capture.read()
        except cv2.error:
            # A torn JPEG, or a driver that went away: the thread that reads must live on.
            return None
        if not good or image is None:
            return None
        stamp = self._capture.get(cv2.CAP_PROP_POS_MSEC)
        return Shot(np.asarray(image, np.uint8), stamp / 1000.0 if stamp > 0 else None)

    def present(self) -> bool:
        """Whether the device is still plugged in, as the system says."""
        return self._present()

    def release(self) -> None:
        """Closes the device."""
        self._capture.release()


def open_device(found: Found, size: tuple[int, int]) -> OpenedDevice | None:
    """Opens a camera and asks it for pictures of `size`; None if it can't be opened."""
    backend = _BACKENDS.get(platform.system(), cv2.CAP_ANY)
    token = _token(found.anchor)
    capture = cv2.VideoCapture(found.place, backend)
    if not capture.isOpened():
        capture.release()
        return None
    # USB 2 carries 1920 x 1080 at a useful rate only as Motion JPEG.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    dials: Dials = OpenCvDials(capture) if found.device is None else V4l2(found.device)
    return OpenedDevice(capture, dials, lambda: _token(found.anchor) == token)


def open_stream(address: str) -> OpenedDevice | None:
    """Opens an RTSP or HTTP address; None if nothing answers."""
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _STREAM_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC]
    capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, [*limits, _STREAM_MS])
    if not capture.isOpened():
        capture.release()
        return None
    return OpenedDevice(capture, None, lambda: True)


def _token(anchor: Path | None) -> tuple[int, ...]:
    """Changes when a device goes, even if another one takes its place at once."""
    if anchor is None:
        return ()
    try:
        return (anchor.stat().st_ino,)
    except OSError:
        return (-1,)
