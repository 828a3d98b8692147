"""A few commands by pyserial over a pseudo-terminal, on the wall clock."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest
import serial

from referee.box.protocol import (
    BAUD,
    MAX_PAYLOAD,
    PROTOCOL,
    Hello,
    HelloReply,
    Mute,
    MuteReply,
    Refusal,
    Reply,
    command_frame,
    read_reply,
)
from referee.box.wire import Deframer
from tests.firmware.machine import avr_program, host_program


@pytest.fixture(params=["host", "avr"])
def port(request: pytest.FixtureRequest) -> Iterator[serial.Serial]:
    program = host_program() if request.param == "host" else avr_program()
    machine = subprocess.Popen(
        [*program, "--pty"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert machine.stdout is not None
    assert machine.stdin is not None
    name = machine.stdout.readline().decode().strip()
    with serial.serial_for_url(name, baudrate=BAUD, timeout=0.2) as opened:
        yield opened
    machine.stdin.close()
    machine.wait(timeout=10)
    machine.stdout.close()
    assert machine.returncode == 0


def answer(port: serial.Serial, sequence: int, command: Hello | Mute) -> Reply | Refusal:
    """Sends a command until it is answered; the machine may be slow, so no time is asserted."""
    deframer = Deframer(MAX_PAYLOAD)
    for _ in range(50):
        port.write(command_frame(sequence, command).to_bytes())
        for frame in deframer.feed(port.read(64)):
            if frame.type == command.ID | 0x40:
                return read_reply(frame)
    raise AssertionError("no answer")


def test_commands_are_answered(port: serial.Serial) -> None:
    hello = answer(port, 1, Hello(PROTOCOL, 321))
    assert isinstance(hello, HelloReply)
    assert hello.protocol == PROTOCOL
    assert answer(port, 2, Mute(True)) == MuteReply()


def test_the_port_may_be_closed_and_opened_again(port: serial.Serial) -> None:
    first = answer(port, 1, Hello(PROTOCOL, 321))
    port.close()
    port.open()
    second = answer(port, 1, Hello(PROTOCOL, 322))
    assert isinstance(first, HelloReply)
    assert isinstance(second, HelloReply)
    assert second.boot_id == first.boot_id
