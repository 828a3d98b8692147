"""Finds and opens the box's port, and no other."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import serial
from serial.tools import list_ports

from referee.box.errors import (
    BoxError,
    ManyBoxesError,
    NoBoxError,
    PortBusyError,
    PortDeniedError,
)
from referee.box.fake import install
from referee.box.protocol import BAUD
from referee.games.said import joined, say

#: USB vendor and product ids of an Arduino Uno or Nano (ATmega328P), and of the converters that
#: its clones bear.
BOX_IDS = {
    (0x2341, 0x0043): "Arduino Uno",
    (0x2341, 0x0001): "Arduino Uno",
    (0x2341, 0x0243): "Arduino Uno",
    (0x2A03, 0x0043): "Arduino Uno",
    (0x1A86, 0x7523): "board with a CH340 converter",
    (0x0403, 0x6001): "board with an FT232 converter",
    (0x10C4, 0xEA60): "board with a CP2102 converter",
}
#: The port of the fake board.
FAKE = "fake://"
#: A read returns after this time at the latest. (s)
READ_S = 0.02
#: A write that takes longer means that the board is gone. (s)
WRITE_S = 1.0
_VID_PID = re.compile(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})")


class Port(Protocol):
    """What is used of pyserial's ports. All but `close` raise OSError if the port is gone."""

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once."""

    def read(self, size: int) -> bytes:
        """Reads up to so many bytes, fewer if READ_S is over."""

    def write(self, data: bytes) -> int | None:
        """Puts bytes on the line."""

    def close(self) -> None:
        """Closes it."""


@dataclass(frozen=True)
class Found:
    """A serial port that may be the box. `serial` is the USB serial number, empty if none."""

    device: str
    name: str
    vid: int
    pid: int
    serial: str

    @property
    def spec(self) -> str:
        """The name by which it is found again, at another USB port too if it can be."""
        return self.serial or self.device


class _Info(Protocol):
    """What is used of pyserial's list of ports."""

    device: str
    vid: int | None
    pid: int | None
    serial_number: str | None


Comports = Callable[[], Iterable[_Info]]


def found_ports(comports: Comports | None = None) -> list[Found]:
    """Returns the ports whose USB ids are those of a board that may be the box; opens none."""
    return [
        found
        for info in (comports or list_ports.comports)()
        if (found := _found(info)) and (found.vid, found.pid) in BOX_IDS
    ]


def find_port(wanted: str | None = None, comports: Comports | None = None) -> str:
    """Returns the device, or address, of the box; opens none.

    wanted: A device (`/dev/ttyUSB0`, `COM3`), an address (`fake://`), USB ids (`1a86:7523`), a USB
        serial number, or None: the only port with the ids of a board.

    Raises NoBoxError or ManyBoxesError.
    """
    if wanted is not None and ("://" in wanted or _is_device(wanted)):
        return wanted
    if wanted is None:
        fits = found_ports(comports)
    else:
        known = [_found(info) for info in (comports or list_ports.comports)()]
        fits = [found for found in known if found and _fits(found, wanted)]
    if len(fits) == 1:
        return fits[0].device
    if fits:
        names = joined([f"{found.spec} ({found.name})" for found in fits], ", ")
        raise ManyBoxesError(
            say("More than one port may be the box: {names}.", names=names),
            say("Name the one to take with --port, or unplug the others."),
        )
    what = say("No box was found.")
    if wanted is not None:
        what = say("No port fits {wanted}.", wanted=wanted)
    raise NoBoxError(
        what,
        say(
            "Plug it in with a USB cable that carries data, and see what `referee box list` "
            "shows. To try all without a box, take --port {fake}",
            fake=FAKE,
        ),
    )


def lasting_name(device: str, comports: Comports | None = None) -> str:
    """Returns what finds a board again at another port: its serial number, or its USB ids."""
    for info in (comports or list_ports.comports)():
        if info.device == device and (found := _found(info)):
            return found.serial or f"{found.vid:04x}:{found.pid:04x}"
    return device


def open_port(device: str) -> Port:
    """Opens a port. Raises a BoxError that says why it does not open."""
    install()
    # Two programs that both speak to the box would each take the other's answers.
    alone = {"exclusive": True} if os.name == "posix" and "://" not in device else {}
    try:
        port: Port = serial.serial_for_url(
            device, baudrate=BAUD, timeout=READ_S, write_timeout=WRITE_S, **alone
        )
    except ValueError as error:
        raise NoBoxError(
            say("{device} is no port: {error}.", device=device, error=error), say("Correct it.")
        ) from error
    except OSError as error:
        raise why_not_opened(device, error) from error
    return port


def why_not_opened(device: str, error: OSError) -> BoxError:
    """Returns what to tell a person about a port that did not open."""
    # On Windows pyserial hides the number in the text, and "denied" means that it is in use.
    if error.errno in (errno.EBUSY, errno.EAGAIN) or (
        os.name == "nt" and "PermissionError" in str(error)
    ):
        return PortBusyError(
            say("{device} is in use by another program.", device=device),
            say(
                "Close it: another referee, a serial monitor, or ModemManager, which lets go by "
                "itself after half a minute."
            ),
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return PortDeniedError(say("You may not open {device}.", device=device), _rights(device))
    return NoBoxError(
        say("{device} does not open: {error}.", device=device, error=error.strerror or error),
        say("Plug the box in, and see what `referee box list` shows."),
    )


#: Lets the group dialout use serial ports on USB.
_UDEV_RULE = (
    'echo \'SUBSYSTEM=="tty", ENV{ID_BUS}=="usb", GROUP="dialout", MODE="0660"\' | sudo tee '
    "/etc/udev/rules.d/60-referee-box.rules && sudo udevadm control --reload && sudo usermod -aG "
    "dialout $USER"
)


def _rights(device: str) -> str:
    if not sys.platform.startswith("linux"):
        return say("Ask who runs this computer for the right to use serial ports.")
    import grp

    try:
        group = grp.getgrgid(Path(device).stat().st_gid).gr_name
    except (OSError, KeyError):
        group = "dialout"
    if group == "root":
        # No group to join: only a rule for the device helps.
        return say(
            "Its group is root. Type: {command}; then unplug the box, log out and in again, and "
            "plug it in.",
            command=_UDEV_RULE,
        )
    return say("Type: sudo usermod -aG {group} $USER; then log out and in again.", group=group)


def _is_device(text: str) -> bool:
    return text.startswith(("/", "./")) or re.fullmatch(r"(?i)(\\\\\.\\)?com\d+", text) is not None


def _found(info: _Info) -> Found | None:
    if info.vid is None or info.pid is None:
        return None
    name = BOX_IDS.get((info.vid, info.pid), "USB serial port")
    return Found(info.device, name, info.vid, info.pid, info.serial_number or "")


def _fits(found: Found, wanted: str) -> bool:
    if ids := _VID_PID.fullmatch(wanted):
        return (found.vid, found.pid) == (int(ids[1], 16), int(ids[2], 16))
    return found.serial == wanted
