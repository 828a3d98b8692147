"""The box against the firmware itself, over a pseudo-terminal on the wall clock.

The host build, with sanitizers, and the committed binary in the simulated microcontroller.
"""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from referee.box.box import Box
from referee.box.draw import Dial
from referee.box.happenings import Disconnected, Happening, Told
from referee.box.inbox import Inbox
from referee.box.ports import Port, open_port
from referee.box.protocol import Board, GlassEnded, LightMode, Parts, Pattern
from tests.firmware.machine import avr_program, host_program

#: The machine may be slow: nothing here takes so long, unless it hangs.
LONG = 60.0
BOARDS = {"host": Board.HOST_BUILD, "avr": Board.ATMEGA328P}


@dataclass
class Cable:
    """The port of a running firmware; a cable that can be pulled."""

    name: str
    board: Board
    plugged_in: bool = True
    port: Port | None = None

    def open(self, device: str) -> Port:
        self.port = open_port(device if self.plugged_in else device + "-gone")
        return self.port


@pytest.fixture(params=["host", "avr"])
def cable(request: pytest.FixtureRequest) -> Iterator[Cable]:
    program = host_program() if request.param == "host" else avr_program()
    machine = subprocess.Popen(
        [*program, "--pty"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert machine.stdout is not None
    assert machine.stdin is not None
    ready, _, _ = select.select([machine.stdout], [], [], LONG)
    assert ready, "the machine does not start"
    yield Cable(machine.stdout.readline().decode().strip(), BOARDS[request.param])
    machine.stdin.close()
    machine.wait(timeout=LONG)
    machine.stdout.close()
    assert machine.returncode == 0


def connected(cable: Cable) -> Box:
    """Returns a connected box; a slow machine may need more than one greeting."""
    box = Box(cable.name, opened=cable.open)
    until = time.monotonic() + LONG
    while True:
        try:
            box.connect()
        except RuntimeError:
            if time.monotonic() > until:
                box.close()
                raise
            time.sleep(0.2)
        else:
            return box


def wait_for(inbox: Inbox, kind: type) -> Happening:
    """Waits for a happening, or an event, of a kind."""
    until = time.monotonic() + LONG
    while (left := until - time.monotonic()) > 0:
        happening = inbox.get(left)
        inner = happening.event if isinstance(happening, Told) else happening
        if happening is not None and isinstance(inner, kind):
            return happening
    raise AssertionError(f"no {kind.__name__}")


def test_an_hourglass_is_taken_up_over_a_pulled_cable(cable: Cable) -> None:
    with connected(cable) as box:
        assert box.hello is not None
        assert box.hello.board is cable.board
        inbox = box.events()
        box.buzz(Pattern.YES)
        box.light(LightMode.STEADY)
        running = box.hourglass(3, warn_s=0)
        cable.plugged_in = False
        assert cable.port is not None
        pull(cable.port)
        wait_for(inbox, Disconnected)
        cable.plugged_in = True
        until = time.monotonic() + LONG
        while not box.connected and time.monotonic() < until:
            time.sleep(0.05)
        taken_up = box.glass()
        told = wait_for(inbox, GlassEnded)
        assert isinstance(told, Told)
        assert isinstance(told.event, GlassEnded)
        assert told.event.glass_id == running.glass_id
        assert taken_up is None or taken_up.glass_id == running.glass_id
        assert Parts.GLASS not in box.cancel(Parts.LIGHT)


def pull(port: Port) -> None:
    """Makes the port useless, as a pulled cable does: its file points to nothing."""
    fd = port.fileno()  # type: ignore[attr-defined]
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, fd)
    os.close(nothing)


@pytest.mark.parametrize("cable", ["host"], indirect=True)
def test_the_arrow_comes_to_its_sector(cable: Cable) -> None:
    with connected(cable) as box:
        result = box.spin(Dial.equal([2, 3, 4, 3, 5, 4]), 4, turns=1)
        assert (result.label, result.steps_lost) == ("5", 0)
