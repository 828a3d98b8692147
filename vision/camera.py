"""Where pictures come from: files, folders, videos, cameras, and pictures drawn by code.

Every source is a `Camera`: `read` gives the next or the newest `Frame`. A live camera is judged
by the age of its newest picture and by whether it changes, never by whether reading "succeeds":
a replugged camera can repeat its last picture for ever.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import UnreadableError

Image = NDArray[np.uint8]

IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"})
_VIDEO_SUFFIXES = frozenset({".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v"})
_STREAM = re.compile(r"(rtsp|rtsps|http|https)://", re.IGNORECASE)
#: Seconds without a new picture after which a live camera counts as gone.
_STALE_S = 2.0
#: Seconds of bit-identical pictures after which it counts as frozen: sensors are never that quiet.
_FROZEN_S = 5.0
#: Seconds that a camera may take to send its first picture, and between attempts to reopen it.
_START_S = 10.0
_RETRY_S = 1.0


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture: BGR uint8 of shape (h, w, 3).

    `id` counts the source's frames from 0; `captured_at` is in seconds of the source's own clock:
    the monotonic clock for live sources, the time in the film for videos, the time of the file's
    last change for stills.
    """

    image: Image
    id: int
    captured_at: float


class EndOfFramesError(Exception):
    """A file, folder or film has no more frames."""


class Camera(Protocol):
    """A source of frames."""

    def read(self) -> Frame:
        """The next frame of a recording; the newest, not given before, of a live source.

        Raises EndOfFramesError at the end of a recording, UnreadableError if there is no frame.
        """
        ...

    def close(self) -> None:
        """Frees the source; may be called twice."""
        ...


def load_image(path: str | Path) -> Image:
    """The picture in a file as BGR, upright as its EXIF orientation says.

    Raises UnreadableError if there is no such file, or no picture in it.
    """
    path = Path(path)
    if path.is_dir():
        raise UnreadableError(f"{path} is a folder, not a picture.", "Name one picture file.")
    try:
        # OpenCV's own file functions can't open names beyond ASCII on Windows.
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except FileNotFoundError:
        raise UnreadableError(f"There is no file {path}.", "Check the name and folder.") from None
    except OSError as error:
        raise UnreadableError(
            f"{path} can't be read ({error.strerror}).", "Check that you may open it."
        ) from None
    if not data.size:
        raise UnreadableError(f"{path} is an empty file.", "Save or copy the picture again.")
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        raise UnreadableError(f"{path} is not a picture.", "Use a JPEG or PNG file.")
    return np.asarray(image, dtype=np.uint8)


def save_image(path: str | Path, image: Image) -> None:
    """Writes a picture; the suffix of `path` names the format.

    Raises UnreadableError if the suffix names none, or the file can't be written.
    """
    path = Path(path)
    if path.suffix.lower() not in IMAGE_SUFFIXES:
        raise UnreadableError(
            f"{path} has no picture format's suffix.", "End its name in .png or .jpg."
        )
    _, data = cv2.imencode(path.suffix.lower(), image)
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise UnreadableError(
            f"{path} can't be written ({error.strerror}).", "Check that its folder exists."
        ) from None


class Pictures:
    """Picture files, one after the other."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = tuple(paths)
        self._next = 0

    @classmethod
    def of_folder(cls, folder: Path) -> Pictures:
        """The pictures of a folder in the order of their names, numbers counted as numbers."""
        paths = [path for path in folder.iterdir() if path.suffix.lower() in IMAGE_SUFFIXES]
        if not paths:
            raise UnreadableError(f"There is no picture in {folder}.", "Name a folder with some.")
        return cls(sorted(paths, key=_natural))

    def read(self) -> Frame:
        """The next picture."""
        if self._next == len(self._paths):
            raise EndOfFramesError
        path = self._paths[self._next]
        frame = Frame(load_image(path), self._next, path.stat().st_mtime)
        self._next += 1
        return frame

    def close(self) -> None:
        """Nothing is held open."""


class Film:
    """A video file, frame by frame."""

    def __init__(self, path: Path) -> None:
        self._capture = cv2.VideoCapture(str(path))
        self._rate = self._capture.get(cv2.CAP_PROP_FPS) or 25.0
        self._next = 0
        if not self._capture.isOpened():
            self._capture.release()
            raise UnreadableError(
                f"{path} is neither a picture nor a film.", "Use JPEG, PNG or MP4."
            )

    def read(self) -> Frame:
        """The next frame."""
        good, image = self._capture.read()
        if not good:
            raise EndOfFramesError
        frame = Frame(np.asarray(image, np.uint8), self._next, self._next / self._rate)
        self._next += 1
        return frame

    def close(self) -> None:
        """Closes the file."""
        self._capture.release()


class Drawn:
    """Pictures that a function draws whenever one is asked for."""

    def __init__(self, draw: Callable[[], Image]) -> None:
        self._draw = draw
        self._next = 0

    def read(self) -> Frame:
        """A freshly drawn picture."""
        at = time.monotonic()
        frame = Frame(self._draw(), self._next, at)
        self._next += 1
        return frame

    def close(self) -> None:
        """Nothing is held open."""


class Capture(Protocol):
    """What is needed of an opened device; `cv2.VideoCapture` is one."""

    def read(self) -> tuple[bool, Image | None]:
        """Waits for a picture; False if there is none."""
        ...

    def release(self) -> None:
        """Closes the device."""
        ...


class Live:
    """A camera or stream: a thread grabs all it sends and keeps the newest picture.

    `open_capture` opens the device, or returns None if it isn't there; it is called again
    whenever the device fails. `name` is what people call it.
    """

    def __init__(
        self,
        name: str,
        open_capture: Callable[[], Capture | None],
        *,
        stale_s: float = _STALE_S,
        frozen_s: float = _FROZEN_S,
    ) -> None:
        self._name, self._open = name, open_capture
        self._stale_s, self._frozen_s = stale_s, frozen_s
        self._news = threading.Condition()
        self._newest: Frame | None = None
        self._given = -1
        self._arrived_at: float | None = None
        self._changed_at = time.monotonic()
        self._closed = threading.Event()
        capture = open_capture()
        if capture is None:
            raise _no_camera(name)
        self._thread = threading.Thread(
            target=self._grab, args=(capture,), name=f"camera {name}", daemon=True
        )
        self._thread.start()

    def read(self) -> Frame:
        """The newest picture, if need be after waiting for one that was not given before.

        Raises UnreadableError if none comes in time, or all are the same.
        """
        with self._news:
            patience = self._stale_s if self._arrived_at is not None else _START_S
            self._news.wait_for(self._has_news, timeout=patience)
            now = time.monotonic()
            if self._newest is not None and self._has_news():
                self._given = self._newest.id
                return self._newest
            silent = self._arrived_at is None or now - self._arrived_at >= self._stale_s
        if silent or self._closed.is_set():
            raise UnreadableError(
                f"The camera {self._name} sends no pictures.",
                "Check its cable, and that no other program uses it.",
            )
        raise UnreadableError(
            f"The camera {self._name} has sent the same picture for "
            f"{now - self._changed_at:.0f} seconds.",
            "Unplug it and plug it in again.",
        )

    def close(self) -> None:
        """Stops the thread and frees the device."""
        self._closed.set()
        self._thread.join(timeout=_STALE_S)

    def _has_news(self) -> bool:
        return self._newest is not None and self._newest.id != self._given

    def _grab(self, first: Capture) -> None:
        capture: Capture | None = first
        try:
            while not self._closed.is_set():
                if capture is None:
                    self._closed.wait(_RETRY_S)
                    capture = self._open()
                    continue
                good, image = capture.read()
                if good and image is not None:
                    self._keep(image)
                else:
                    capture.release()
                    capture = None
        finally:
            if capture is not None:
                capture.release()

    def _keep(self, image: Image) -> None:
        at = time.monotonic()
        with self._news:
            self._arrived_at = at
            last = self._newest
            same = last is not None and _alike(last.image, image)
            # A still table may give equal pictures for a moment; only then do they stop counting.
            if not same:
                self._changed_at = at
            elif at - self._changed_at >= self._frozen_s:
                return
            self._newest = Frame(image, 0 if last is None else last.id + 1, at)
            self._news.notify_all()


def open_source(spec: str, size: tuple[int, int] = (1920, 1080)) -> Camera:
    """Opens what `spec` names.

    A picture file, a folder of pictures, a video file, an rtsp or http address, the number of a
    camera ("0"), or the path of its device (on Linux best that below /dev/v4l/by-id, which stays
    the same after a restart). `size` is asked of cameras only.

    Raises UnreadableError if it isn't there or can't be opened.
    """
    if _STREAM.match(spec):
        return Live(spec, lambda: _opened(spec, None))
    if spec.isdecimal():
        return Live(spec, lambda: _opened(int(spec), size))
    path = Path(spec)
    if path.is_char_device():
        return Live(spec, lambda: _opened(spec, size))
    if path.is_dir():
        return Pictures.of_folder(path)
    if path.suffix.lower() in _VIDEO_SUFFIXES and path.is_file():
        return Film(path)
    load_image(path)
    return Pictures([path])


def found_cameras() -> list[str]:
    """What `open_source` takes for each camera of this machine, the stablest name first."""
    links = Path("/dev/v4l/by-id")
    if links.is_dir():
        return sorted(str(link) for link in links.iterdir() if link.name.endswith("index0"))
    return [str(index) for index in range(4) if _answers(index)]


def _answers(index: int) -> bool:
    capture = _opened(index, None)
    if capture is not None:
        capture.release()
    return capture is not None


def _opened(device: int | str, size: tuple[int, int] | None) -> Capture | None:
    """The device, opened and set; the settings are lost whenever it is plugged in anew."""
    capture = cv2.VideoCapture(device)
    if not capture.isOpened():
        capture.release()
        return None
    if size is not None:
        # USB 2 carries 1920 x 1080 at a useful rate only as Motion JPEG.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    return _Device(capture)


class _Device:
    """A `cv2.VideoCapture` as a `Capture`."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture

    def read(self) -> tuple[bool, Image | None]:
        good, image = self._capture.read()
        return good, np.asarray(image, np.uint8) if good else None

    def release(self) -> None:
        self._capture.release()


def _no_camera(name: str) -> UnreadableError:
    found = ", ".join(found_cameras()) or "none"
    return UnreadableError(
        f"The camera {name} isn't there or is in use (cameras found: {found}).",
        "Plug it in, close other programs that show it, or name another one.",
    )


def _alike(one: Image, other: Image) -> bool:
    """Whether two pictures are the same, by every eighth pixel."""
    return np.array_equal(one[::8, ::8], other[::8, ::8])


def _natural(path: Path) -> tuple[tuple[int, str], ...]:
    """Sorts "photo2" before "photo10"."""
    return tuple(_parts(path.name))


def _parts(name: str) -> Iterator[tuple[int, str]]:
    for digits, letters in re.findall(r"(\d+)|(\D+)", name.lower()):
        yield (int(digits), "") if digits else (-1, letters)
