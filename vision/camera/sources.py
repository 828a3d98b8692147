"""Opens what people name as a source of pictures."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import cv2

from vision.camera.device import Capture, open_device, open_stream
from vision.camera.elsewhere import mac_cameras, numbered_cameras, windows_cameras
from vision.camera.files import VIDEO_SUFFIXES, Film, Pictures, load_image
from vision.camera.frames import Camera
from vision.camera.identity import PREFIX, Found, find, same_camera, told_apart
from vision.camera.linux import linux_cameras
from vision.camera.live import Live
from vision.camera.tuning import Settings
from vision.errors import UnreadableError

_STREAM = re.compile(r"(rtsp|rtsps|http|https)://", re.IGNORECASE)


def open_source(
    spec: str, size: tuple[int, int] = (1920, 1080), settings: Settings | None = None
) -> Camera:
    """Opens what `spec` names.

    A camera by its key ("camera:046d:0825:A1B2", see `found_cameras`), its number ("0") or its
    device file; an rtsp or http address; a picture file, a folder of pictures, or a video file. A
    camera named by number is looked up once: later on its key is followed, never the number.
    `size` and `settings` are asked of cameras only.

    Raises UnreadableError if it isn't there or can't be opened.
    """
    if _STREAM.match(spec):
        return Live(without_password(spec), lambda: open_stream(spec))
    path = Path(spec)
    if _names_camera(spec):
        found = camera_named(spec)
        return Live(
            f"{found.name} ({found.spec})", opener(found, size), settings=settings or Settings()
        )
    if path.is_dir():
        return Pictures.of_folder(path)
    if path.suffix.lower() in VIDEO_SUFFIXES and path.is_file():
        return Film(path)
    load_image(path)
    return Pictures([path])


def identity_of(spec: str) -> str | None:
    """What stays of the camera that `spec` names: what a lens belongs to.

    A camera's best key; a stream's address, without the password that it may hold; None for files
    and for a camera of which the system tells nothing that stays. Raises UnreadableError if there
    is no such camera.
    """
    if _STREAM.match(spec):
        return without_password(spec)
    if not _names_camera(spec):
        return None
    keys = camera_named(spec).keys
    return keys[0] if keys else None


def is_live(spec: str) -> bool:
    """Whether `spec` names a camera or a stream, not files."""
    return bool(_STREAM.match(spec)) or _names_camera(spec)


def found_cameras() -> list[Found]:
    """The cameras of this machine, in the order of their numbers, by keys that tell them apart."""
    return told_apart(plugged_in())


def camera_named(spec: str, cameras: Callable[[], list[Found]] | None = None) -> Found:
    """The camera that a key, a number or a device file names now.

    Raises UnreadableError if there is none, or more than one. `cameras` stands in for those of
    this machine.
    """
    there = (cameras or plugged_in)()
    apart = told_apart(there)
    if spec.startswith(PREFIX):
        match = find(spec.removeprefix(PREFIX), there)
        number = None if match is None else match.place
    else:
        number = int(spec) if spec.isdecimal() else _number(Path(spec))
    found = next((camera for camera in apart if camera.place == number), None)
    if found is None:
        named = ", ".join(f"{camera.spec} ({camera.name})" for camera in apart) or "none"
        raise UnreadableError(
            "The camera {spec} isn't there (cameras found: {found}).",
            "Plug it in, or name another one.",
            spec=spec,
            found=named,
        )
    return found


def opener(
    found: Found,
    size: tuple[int, int],
    cameras: Callable[[], list[Found]] | None = None,
    open_at: Callable[[Found, tuple[int, int]], Capture | None] = open_device,
) -> Callable[[], Capture | None]:
    """What opens a camera wherever it is plugged in now; it returns None if it isn't.

    A camera without a key is opened by its number, for want of anything better. `cameras` and
    `open_at` stand in for this machine's.
    """
    listed = cameras or plugged_in

    def open_now() -> Capture | None:
        if not found.keys:
            return open_at(found, size)
        before = same_camera(found, listed())
        if before is None:
            return None
        capture = open_at(before, size)
        # Between looking and opening another camera may have got the number.
        if capture is not None and same_camera(found, listed()) != before:
            capture.release()
            return None
        return capture

    return open_now


def plugged_in() -> list[Found]:
    """The cameras of this machine with all their keys, even those that two of them share."""
    match platform.system():
        case "Linux":
            return linux_cameras()
        case "Windows" if find_spec("cv2_enumerate_cameras"):
            return windows_cameras()
        case "Darwin":
            return mac_cameras()
        case _:
            return numbered_cameras(_answers)


def _answers(number: int) -> bool:
    capture = cv2.VideoCapture(number)
    there = bool(capture.isOpened())
    capture.release()
    return there


def without_password(address: str) -> str:
    """An address as it may be shown and stored."""
    return re.sub(r"//[^/@]*@", "//", address)


def _names_camera(spec: str) -> bool:
    return spec.startswith(PREFIX) or spec.isdecimal() or Path(spec).is_char_device()


def _number(device: Path) -> int:
    """The number of a device file, or of the one that a link leads to; -1 if it has none."""
    digits = re.search(r"(\d+)$", device.resolve().name)
    return int(digits[1]) if digits else -1
