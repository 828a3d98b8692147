"""A machine's cameras as the operating system shows them, made of files: sysfs, /dev, a driver."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from vision.camera.identity import Found
from vision.camera.linux import linux_cameras


class FakeMachine:
    """/sys and /dev below a folder; USB cameras are plugged in and out, and get numbers."""

    def __init__(self, root: Path) -> None:
        self.sys, self.dev = root / "sys", root / "dev"
        (self.sys / "class" / "video4linux").mkdir(parents=True)
        self.dev.mkdir()

    def plug(
        self,
        number: int,
        port: str,
        *,
        bus: int = 1,
        serial: str = "",
        model: tuple[str, str] = ("046d", "0825"),
        name: str = "HD Webcam C525",
    ) -> None:
        """Plugs a camera in: /dev/video<number> has its pictures, the next one its metadata."""
        usb = self.sys / "devices/pci0000:00/0000:00:14.0" / f"usb{bus}" / f"{bus}-{port}"
        interface = usb / f"{bus}-{port}:1.0"
        interface.mkdir(parents=True)
        _write(usb / "idVendor", model[0])
        _write(usb / "idProduct", model[1])
        if serial:
            _write(usb / "serial", serial)
        _write(interface / "bInterfaceNumber", "00")
        self.node(number, interface, name, camera=True)
        self.node(number + 1, interface, name, camera=False)

    def node(self, number: int, hardware: Path, name: str, *, camera: bool) -> None:
        """A device file of a piece of hardware."""
        node = hardware / "video4linux" / f"video{number}"
        node.mkdir(parents=True)
        _write(node / "name", name)
        (node / "device").symlink_to(hardware)
        (self.sys / "class/video4linux" / node.name).symlink_to(node)
        _write(self.dev / node.name, "pictures" if camera else "metadata")

    def unplug(self, port: str, bus: int = 1) -> None:
        """Pulls the plug out of a port."""
        usb = self.sys / "devices/pci0000:00/0000:00:14.0" / f"usb{bus}" / f"{bus}-{port}"
        for node in usb.glob("*/video4linux/*"):
            (self.sys / "class/video4linux" / node.name).unlink()
            (self.dev / node.name).unlink()
        shutil.rmtree(usb)

    def cameras(self) -> list[Found]:
        """What the program finds there."""
        return linux_cameras(
            self.sys, self.dev, is_camera=lambda device: device.read_text() == "pictures\n"
        )


def _write(path: Path, text: str) -> None:
    path.write_text(f"{text}\n", encoding="utf-8")


@dataclass
class FakeDriver:
    """A driver's side of the kernel's system calls, after linux/videodev2.h.

    `controls` are ids with (least, greatest, value); `stuck` ids take no value, `refused` say so.
    """

    controls: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    formats: Mapping[bytes, list[tuple[int, int]]] = field(default_factory=dict)
    stuck: frozenset[int] = frozenset()
    refused: frozenset[tuple[int, int]] = frozenset()
    capabilities: tuple[int, int] = (0x84A00001, 0x04200001)
    """Of the whole device, and of this device file."""

    def __call__(self, file: int, request: int, data: bytearray) -> int:
        answer = {
            0x80685600: self._capability,
            0xC0405602: self._format,
            0xC02C564A: self._size,
            0xC008561B: self._get,
            0xC008561C: self._set,
            0xC0445624: self._query,
        }.get(request)
        size = (request >> 16) & 0x3FFF
        if answer is None or size != len(data):
            raise OSError(25, "Inappropriate ioctl for device")
        answer(data)
        return 0

    def _capability(self, data: bytearray) -> None:
        struct.pack_into("=II", data, 84, *self.capabilities)

    def _format(self, data: bytearray) -> None:
        index, kind = struct.unpack_from("=II", data)
        codes = list(self.formats)
        if kind != 1 or index >= len(codes):
            raise OSError(22, "Invalid argument")
        struct.pack_into("=4s", data, 44, codes[index])

    def _size(self, data: bytearray) -> None:
        index, code = struct.unpack_from("=I4s", data)
        sizes = self.formats[code]
        if index >= len(sizes):
            raise OSError(22, "Invalid argument")
        struct.pack_into("=III", data, 8, 1, *sizes[index])

    def _query(self, data: bytearray) -> None:
        (number,) = struct.unpack_from("=I", data)
        least, greatest, value = self._known(number)
        struct.pack_into("=iiii", data, 40, least, greatest, 1, value)

    def _get(self, data: bytearray) -> None:
        (number,) = struct.unpack_from("=I", data)
        struct.pack_into("=i", data, 4, self._known(number)[2])

    def _set(self, data: bytearray) -> None:
        number, value = struct.unpack_from("=Ii", data)
        least, greatest, _ = self._known(number)
        if not least <= value <= greatest or (number, value) in self.refused:
            raise OSError(34, "Numerical result out of range")
        if number not in self.stuck:
            self.controls[number] = (least, greatest, value)

    def _known(self, number: int) -> tuple[int, int, int]:
        if number not in self.controls:
            raise OSError(22, "Invalid argument")
        return self.controls[number]
