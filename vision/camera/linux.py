"""The cameras of a Linux machine, as sysfs shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from vision.camera.identity import Found, usb_keys
from vision.camera.v4l2 import captures


def linux_cameras(
    sys: Path = Path("/sys"),
    dev: Path = Path("/dev"),
    is_camera: Callable[[Path], bool] = captures,
) -> list[Found]:
    """The cameras that are plugged in, in the order of their numbers.

    `is_camera` says whether a device file gives pictures: codecs and a camera's metadata have
    device files of the same kind.
    """
    nodes = (sys / "class" / "video4linux").glob("video*")
    found = (_camera(node, dev / node.name) for node in nodes if node.name[5:].isdecimal())
    return sorted(
        (camera for camera in found if camera.device is not None and is_camera(camera.device)),
        key=lambda camera: camera.place,
    )


def _camera(node: Path, device: Path) -> Found:
    anchor = node.resolve()
    hardware = (node / "device").resolve()
    name = _text(node / "name") or node.name
    function = _text(hardware / "bInterfaceNumber")
    usb = next((part for part in _upwards(hardware) if (part / "idVendor").exists()), None)
    if usb is None:
        # Built in: its place on the board stays. A virtual one has but its name.
        board = hardware.name if (node / "device").exists() else "virtual"
        keys: tuple[str, ...] = (f"{'_'.join(name.split())}@{board}",)
    else:
        keys = usb_keys(
            _text(usb / "idVendor"),
            _text(usb / "idProduct"),
            _text(usb / "serial"),
            _port(usb),
            int(function or "0", 16),
        )
    return Found(int(node.name[5:]), name, keys, device, anchor)


def _port(usb: Path) -> str:
    """Controller and ports from there on; a bus's own number can change at every start."""
    controller = next(
        (part.parent.name for part in _upwards(usb) if part.name.startswith("usb")), ""
    )
    return f"{controller}-{usb.name.partition('-')[2]}"


def _upwards(path: Path) -> Iterator[Path]:
    yield path
    yield from path.parents


def _text(path: Path) -> str:
    """A sysfs file's line; empty if there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
