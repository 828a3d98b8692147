"""Pictures and films in files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.camera.frames import EndOfFramesError, Frame, Image
from vision.errors import UnreadableError

IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"})
VIDEO_SUFFIXES = frozenset({".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v"})


def load_image(path: str | Path) -> Image:
    """The picture in a file as BGR, upright as its EXIF orientation says.

    Raises UnreadableError if there is no such file, or no picture in it.
    """
    path = Path(path)
    if path.is_dir():
        raise UnreadableError(
            "{path} is a folder, not a picture.", "Name one picture file.", path=path
        )
    try:
        # OpenCV's own file functions can't open names beyond ASCII on Windows.
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except FileNotFoundError:
        raise UnreadableError(
            "There is no file {path}.", "Check the name and folder.", path=path
        ) from None
    except OSError as error:
        raise UnreadableError(
            "{path} can't be read ({strerror}).",
            "Check that you may open it.",
            path=path,
            strerror=error.strerror,
        ) from None
    if not data.size:
        raise UnreadableError(
            "{path} is an empty file.", "Save or copy the picture again.", path=path
        )
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        raise UnreadableError("{path} is not a picture.", "Use a JPEG or PNG file.", path=path)
    return np.asarray(image, dtype=np.uint8)


def save_image(path: str | Path, image: Image) -> None:
    """Writes a picture; the suffix of `path` names the format.

    Raises UnreadableError if the suffix names none, or the file can't be written.
    """
    path = Path(path)
    if path.suffix.lower() not in IMAGE_SUFFIXES:
        raise UnreadableError(
            "{path} has no picture format's suffix.", "End its name in .png or .jpg.", path=path
        )
    _, data = cv2.imencode(path.suffix.lower(), image)
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise UnreadableError(
            "{path} can't be written ({strerror}).",
            "Check that its folder exists.",
            path=path,
            strerror=error.strerror,
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
            raise UnreadableError(
                "There is no picture in {folder}.", "Name a folder with some.", folder=folder
            )
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
                "{path} is neither a picture nor a film.", "Use JPEG, PNG or MP4.", path=path
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


def _natural(path: Path) -> tuple[tuple[int, str], ...]:
    """Sorts "photo2" before "photo10"."""
    return tuple(_parts(path.name))


def _parts(name: str) -> Iterator[tuple[int, str]]:
    for digits, letters in re.findall(r"(\d+)|(\D+)", name.lower()):
        yield (int(digits), "") if digits else (-1, letters)
