"""What a Linux camera tells of itself and lets be set: Video4Linux2 by its system calls.

Numbers and layouts are those of the kernel's `linux/videodev2.h`. The Python packages that wrap
them bear the GPL.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

QUERYCAP, ENUM_FMT, ENUM_FRAMESIZES = 0x80685600, 0xC0405602, 0xC02C564A
G_CTRL, S_CTRL, QUERYCTRL = 0xC008561B, 0xC008561C, 0xC0445624

#: Dials by their name here: the kernel's control ids.
CONTROLS: Mapping[str, int] = {
    "auto_exposure": 0x009A0901,
    "exposure": 0x009A0902,
    "gain": 0x00980913,
    "auto_white_balance": 0x0098090C,
    "white_balance": 0x0098091A,
    "auto_focus": 0x009A090C,
    "focus": 0x009A090A,
    "mains": 0x00980918,
}
_CAPABILITY, _FORMAT, _SIZE = "=16s32s32sIII12x", "=III32sI16x", "=III32x"
_CONTROL, _QUERY = "=Ii", "=II32siiiiI8x"
_CAPTURE, _HAS_DEVICE_CAPS = 0x1, 0x80000000
_DISABLED, _READ_ONLY = 0x1, 0x4
_DISCRETE = 1
#: Values of the menu behind automatic exposure: automatic, and automatic with a fixed aperture.
_EXPOSURE_AUTO, _EXPOSURE_MANUAL, _EXPOSURE_APERTURE = 0, 1, 3
#: The menu behind the mains frequency, in hertz; 0 for off.
_MAINS = {0: 0, 50: 1, 60: 2}

Ioctl = Callable[[int, int, bytearray], int]


def _ioctl(file: int, request: int, data: bytearray) -> int:
    import fcntl

    return int(fcntl.ioctl(file, request, data))


class V4l2:
    """The dials of one device file; see `vision.camera.dials.Dials`.

    Opening it beside OpenCV is allowed: settings belong to the device, not to who streams.
    """

    def __init__(self, device: Path, ioctl: Ioctl = _ioctl) -> None:
        self._device, self._ioctl = device, ioctl

    @property
    def can_capture(self) -> bool:
        """Whether the device gives pictures."""
        data = bytearray(struct.calcsize(_CAPABILITY))
        if not self._asks(QUERYCAP, data):
            return False
        *_, every, own = struct.unpack(_CAPABILITY, data)
        return bool((own if every & _HAS_DEVICE_CAPS else every) & _CAPTURE)

    def formats(self) -> list[str]:
        """What it sends, such as "MJPG 1920x1080"; a range of sizes by its largest."""
        return [
            f"{code} {width}x{height}"
            for code in self._codes()
            for width, height in self._sizes(code)
        ]

    def names(self) -> tuple[str, ...]:
        """The dials that it has."""
        return tuple(name for name in CONTROLS if self._range(name) is not None)

    def get(self, name: str) -> int | None:
        """What a dial stands at; None if there is no such dial, or it does not say."""
        data = bytearray(struct.pack(_CONTROL, CONTROLS[name], 0))
        if not self._asks(G_CTRL, data):
            return None
        value = int(struct.unpack(_CONTROL, data)[1])
        if name == "auto_exposure":
            return int(value in (_EXPOSURE_AUTO, _EXPOSURE_APERTURE))
        if name == "mains":
            return next((hertz for hertz, entry in _MAINS.items() if entry == value), None)
        return value

    def set(self, name: str, value: int) -> bool:
        """Turns a dial, within its range; whether the driver took it."""
        if name == "auto_exposure":
            ways = (_EXPOSURE_APERTURE, _EXPOSURE_AUTO) if value else (_EXPOSURE_MANUAL,)
            return any(self._write(name, way) for way in ways)
        if name == "mains":
            return value in _MAINS and self._write(name, _MAINS[value])
        limits = self._range(name)
        return limits is not None and self._write(name, min(max(value, limits[0]), limits[1]))

    def _write(self, name: str, value: int) -> bool:
        return self._asks(S_CTRL, bytearray(struct.pack(_CONTROL, CONTROLS[name], value)))

    def _range(self, name: str) -> tuple[int, int] | None:
        """Least and greatest value of a dial that can be turned."""
        data = bytearray(struct.calcsize(_QUERY))
        struct.pack_into("=I", data, 0, CONTROLS[name])
        if not self._asks(QUERYCTRL, data):
            return None
        _, _, _, least, greatest, _, _, flags = struct.unpack(_QUERY, data)
        return None if flags & (_DISABLED | _READ_ONLY) else (least, greatest)

    def _codes(self) -> Iterator[str]:
        for index in range(64):
            data = bytearray(struct.calcsize(_FORMAT))
            struct.pack_into("=II", data, 0, index, _CAPTURE)
            if not self._asks(ENUM_FMT, data):
                return
            yield struct.pack("=I", struct.unpack(_FORMAT, data)[4]).decode("ascii", "replace")

    def _sizes(self, code: str) -> Iterator[tuple[int, int]]:
        for index in range(64):
            data = bytearray(struct.calcsize(_SIZE))
            struct.pack_into("=I4s", data, 0, index, code.encode("ascii", "replace"))
            if not self._asks(ENUM_FRAMESIZES, data):
                return
            kind = struct.unpack_from("=I", data, 8)[0]
            if kind == _DISCRETE:
                width, height = struct.unpack_from("=II", data, 12)
            else:
                _, width, _, _, height, _ = struct.unpack_from("=6I", data, 12)
            yield width, height
            if kind != _DISCRETE:
                return

    def _asks(self, request: int, data: bytearray) -> bool:
        """Whether the driver answered; it writes into `data`."""
        try:
            with _opened(self._device) as file:
                self._ioctl(file, request, data)
        except OSError:
            return False
        return True


def captures(device: Path) -> bool:
    """Whether a device file gives pictures."""
    return V4l2(device).can_capture


@contextmanager
def _opened(device: Path) -> Iterator[int]:
    file = os.open(device, os.O_RDWR | getattr(os, "O_NONBLOCK", 0))
    try:
        yield file
    finally:
        os.close(file)
