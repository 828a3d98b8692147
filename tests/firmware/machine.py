"""Runs the firmware in the harness of firmware/harness, in virtual time.

`Machine` speaks to the program; `build` makes the programs, or skips the test with one plain line.
"""

from __future__ import annotations

import fcntl
import functools
import os
import shutil
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "firmware"
BUILT = ROOT / "build" / "firmware"
#: The firmware that goes to users.
IMAGE = ROOT / "referee" / "box" / "box.hex"
NS = 1_000_000_000
#: Without these the simulator can't be built.
SIMULATOR_NEEDS = ("gcc", "make", "/usr/include/simavr/sim_avr.h")

_RECORD = np.dtype([("at_ns", "<u8"), ("value", "<u4"), ("signal", "u1")])


class Input(IntEnum):
    """What can be driven: `input_t` of machine.h."""

    STOP = 0
    JUDGE = 1


class Signal(IntEnum):
    """What can be watched: `signal_t` of machine.h."""

    PIEZO = 0
    STEP = 1
    ENABLE = 2
    RING = 3
    TONE = 4
    LED = 5


class Reset(IntEnum):
    """`reset_t` of machine.h."""

    EXTERNAL = 0
    POWER = 1
    BROWN_OUT = 2


class Hang(IntEnum):
    """`hang_t` of machine.h."""

    MAIN_LOOP = 0
    CLOCK = 1


@dataclass(frozen=True)
class Counts:
    """How often each output has changed, bytes lost by the receiver, resets by the watchdog."""

    changes: dict[Signal, int]
    overruns: int
    watchdog_resets: int


@functools.cache
def build(target: str, *tools: str) -> Path:
    """Returns the program that `make -C firmware TARGET` makes; skips if a tool is missing."""
    for tool in tools:
        if shutil.which(tool) is None and not Path(tool).exists():
            pytest.skip(f"{tool} is missing (see firmware/README.md)")
    names = {"host": "box-host", "simulator": "box-avr", "hex": "box.hex"}
    BUILT.mkdir(parents=True, exist_ok=True)
    with (BUILT / "lock").open("w") as lock:
        # Other workers may want the same program.
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(
            ["make", "-C", str(FIRMWARE), target], capture_output=True, text=True, check=False
        )
    assert made.returncode == 0, made.stdout + made.stderr
    return BUILT / names[target]


def host_program() -> list[str]:
    """Returns the command that runs the core built for this computer, with sanitizers."""
    return [str(build("host", "gcc", "make"))]


def avr_program() -> list[str]:
    """Returns the command that runs the committed binary in the simulated microcontroller."""
    simulator = build("simulator", *SIMULATOR_NEEDS)
    return [str(simulator), "--image", str(IMAGE)]


class Machine:
    """One running machine. Times are true seconds since it was switched on."""

    def __init__(self, program: list[str], clock_ppm: int = 0) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the machine)
        self._process = subprocess.Popen(
            [*program, "--clock-ppm", str(clock_ppm)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            # Freed memory is watched for a while; less of it is quicker.
            env=os.environ | {"ASAN_OPTIONS": "quarantine_size_mb=8"},
        )
        self._now_ns = 0

    @property
    def now(self) -> float:
        """True time in seconds."""
        return self._now_ns / NS

    def run(self, seconds: float, send: bytes = b"", *, until_frame: bool = False) -> bytes:
        """Puts `send` on the line, lets time pass; returns the bytes that came meanwhile.

        With `until_frame` it stops when the end of a frame has come.
        """
        until = self._now_ns + round(seconds * NS)
        body = self._ask(b"r", struct.pack("<QB", until, until_frame) + send)
        (self._now_ns,) = struct.unpack_from("<Q", body)
        return body[8:]

    def watch(self, *signals: Signal) -> NDArray[np.void]:
        """Returns what was written down so far; watches only these signals from now on."""
        mask = sum(1 << signal for signal in signals)
        return np.frombuffer(self._ask(b"w", struct.pack("<i", mask)), dtype=_RECORD)

    def counts(self) -> Counts:
        """Returns the counters."""
        *changes, overruns, resets = struct.unpack("<8Q", self._ask(b"n"))
        return Counts(dict(zip(Signal, changes, strict=True)), overruns, resets)

    def set_input(self, which: Input, on: bool) -> None:
        """Presses or releases a button."""
        self._ask(b"i", bytes([which, on]))

    def arrow(self) -> int:
        """Returns how many steps the arrow has turned beyond a place of the sensor's edge."""
        (position,) = struct.unpack("<q", self._ask(b"a"))
        return int(position)

    def lose(self, steps: int) -> None:
        """The arrow does not follow the next so many steps."""
        self._ask(b"l", struct.pack("<i", steps))

    def lose_every(self, steps: int) -> None:
        """The arrow does not follow one step out of so many; 0: it follows all."""
        self._ask(b"e", struct.pack("<i", steps))

    def push(self, steps: int) -> None:
        """Turns the arrow by hand."""
        self._ask(b"p", struct.pack("<i", steps))

    def reset(self, how: Reset) -> None:
        """Resets the machine."""
        self._ask(b"x", struct.pack("<i", how))

    def hang(self, how: Hang) -> None:
        """Makes the firmware hang."""
        self._ask(b"h", struct.pack("<i", how))

    def close(self) -> None:
        """Ends the machine; fails if it had crashed or a sanitizer had found something."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        status = self._process.wait(timeout=10)
        self._process.stdout.close()
        log = self._said()
        self._log.close()
        assert status == 0, log

    def _ask(self, letter: bytes, body: bytes = b"") -> bytes:
        assert self._process.stdin is not None
        self._process.stdin.write(letter + struct.pack("<I", len(body)) + body)
        self._process.stdin.flush()
        (size,) = struct.unpack("<I", self._read(4))
        return self._read(size)

    def _read(self, size: int) -> bytes:
        assert self._process.stdout is not None
        data = self._process.stdout.read(size)
        assert len(data) == size, f"the machine stopped: {self._said()}"
        return data

    def _said(self) -> str:
        self._log.seek(0)
        return self._log.read().decode(errors="replace")
