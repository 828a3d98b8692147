"""Which port is the box, and what is said when it does not open."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import serial

from referee.box.errors import ManyBoxesError, NoBoxError, PortBusyError, PortDeniedError
from referee.box.ports import find_port, found_ports, lasting_name, open_port, why_not_opened


@dataclass
class Info:
    device: str
    vid: int | None = None
    pid: int | None = None
    serial_number: str | None = None


UNO = Info("/dev/ttyACM0", 0x2341, 0x0043, "7573530313")
NANO = Info("/dev/ttyUSB0", 0x1A86, 0x7523)
PHONE = Info("/dev/ttyACM1", 0x18D1, 0x4EE7, "ABC")
OLD = Info("/dev/ttyS0")


def find(wanted: str | None, *ports: Info) -> str:
    return find_port(wanted, lambda: ports)


def test_the_only_board_is_the_box() -> None:
    assert find(None, OLD, PHONE, NANO) == "/dev/ttyUSB0"


def test_only_boards_are_listed() -> None:
    (found,) = found_ports(lambda: [OLD, PHONE, UNO])
    assert (found.device, found.name, found.spec) == ("/dev/ttyACM0", "Arduino Uno", "7573530313")


def test_without_a_board_the_way_without_one_is_told() -> None:
    with pytest.raises(NoBoxError, match="--port fake://"):
        find(None, OLD, PHONE)


def test_of_two_boards_one_must_be_named() -> None:
    with pytest.raises(ManyBoxesError, match=r"7573530313.*/dev/ttyUSB0"):
        find(None, UNO, NANO)
    assert find("7573530313", UNO, NANO) == "/dev/ttyACM0"
    assert find("1a86:7523", UNO, NANO) == "/dev/ttyUSB0"
    assert find("1A86:7523", UNO, NANO) == "/dev/ttyUSB0"


def test_a_board_is_found_again_at_another_port_and_no_other_is_taken() -> None:
    assert lasting_name("/dev/ttyACM0", lambda: [UNO, NANO]) == "7573530313"
    again = lasting_name("/dev/ttyUSB0", lambda: [NANO])
    assert find(again, Info("/dev/ttyUSB1", 0x1A86, 0x7523)) == "/dev/ttyUSB1"
    with pytest.raises(NoBoxError):
        find(again, UNO)
    assert lasting_name("fake://", lambda: [UNO]) == "fake://"


@pytest.mark.parametrize("path", ["/dev/pts/7", "COM12", r"\\.\COM3", "fake://", "socket://a:1"])
def test_a_given_port_is_taken_as_it_is(path: str) -> None:
    def never() -> list[Info]:
        raise AssertionError("the ports are not asked for")

    assert find_port(path, never) == path


def test_what_fits_no_port_is_named() -> None:
    with pytest.raises(NoBoxError, match="No port fits 7777"):
        find("7777", UNO, NANO)


def test_nothing_is_opened_to_find_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("a port was opened")

    monkeypatch.setattr(serial, "serial_for_url", never)
    assert find(None, OLD, PHONE, NANO) == "/dev/ttyUSB0"
    assert len(found_ports(lambda: [UNO, NANO])) == 2


def test_a_port_that_is_not_there() -> None:
    with pytest.raises(NoBoxError, match="referee box list"):
        open_port("/dev/no-such-port")


def test_a_word_of_the_fake_that_is_not_known() -> None:
    with pytest.raises(NoBoxError, match="unknown words: dorp"):
        open_port("fake://typo?dorp=0.1")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="rights as Linux has them")
def test_denied_rights_are_explained_with_what_to_type(tmp_path: Path) -> None:
    device = tmp_path / "ttyUSB0"
    device.touch()
    error = why_not_opened(str(device), OSError(errno.EACCES, "Permission denied"))
    assert isinstance(error, PortDeniedError)
    # The group of a device that is root's alone can't be joined.
    assert ("udev" in error.remedy) == (os.stat(device).st_gid == 0)  # noqa: PTH116
    gone = why_not_opened("/dev/no-such-port", OSError(errno.EACCES, "Permission denied"))
    assert "sudo usermod -aG dialout $USER" in gone.remedy


def test_a_busy_port_names_who_may_have_it() -> None:
    error = why_not_opened("/dev/ttyUSB0", OSError(errno.EAGAIN, "locked"))
    assert isinstance(error, PortBusyError)
    assert "ModemManager" in error.remedy


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals here")
def test_a_second_program_is_kept_out() -> None:
    master, slave = os.openpty()
    try:
        first = open_port(os.ttyname(slave))
        with pytest.raises(PortBusyError):
            open_port(os.ttyname(slave))
        first.close()
    finally:
        os.close(master)
        os.close(slave)
