"""What the conformance tests test: boxes at the far end of a serial line, in virtual time.

A subject is whatever keeps to `Subject`. To add one, put it into SUBJECTS; tests that need more
than it can do are not made for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Flag, auto
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from referee.box.fake.board import FakeBoard
from referee.box.protocol import RING_LEDS, Button, ResetCause
from tests.firmware import pins
from tests.firmware.machine import Hang, Input, Machine, Reset, Signal, avr_program, host_program
from tests.firmware.pins import Picture, Tone

NS = 1e9


class Can(Flag):
    """What a subject can do beyond bytes and buttons."""

    NOTHING = 0
    #: `seen` tells tones, pictures, steps and the motor's power.
    SHOW = auto()
    #: Its arrow can be made to lose steps, and be pushed.
    ARROW = auto()
    #: It can be reset, and made to hang.
    RESET = auto()
    #: `seen` is measured on the pins of a microcontroller, whose receiver can overrun.
    PINS = auto()
    #: An hour passes in seconds.
    QUICK = auto()
    #: A hundred thousand commands are done in seconds.
    MANY = auto()


@dataclass
class Seen:
    """What the outputs did. Times are true seconds."""

    tones: list[Tone] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    #: When each step was made.
    steps: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    #: When the motor's power changed, and to what.
    power: list[tuple[float, bool]] = field(default_factory=list)


class Subject(Protocol):
    """A box. It is switched on when made; times are true seconds since then."""

    can: Can

    @property
    def now(self) -> float:
        """True time."""

    def run(self, seconds: float, send: bytes = b"", *, until_frame: bool = False) -> bytes:
        """Puts `send` on the line, lets time pass; returns the bytes that came meanwhile.

        With `until_frame` it stops when the end of a frame has come.
        """

    def press(self, button: Button, down: bool) -> None:
        """Moves a button."""

    def watch(self, *, ring: bool = False) -> None:
        """Writes down the outputs from now on; the ring too if asked."""

    def seen(self) -> Seen:
        """Returns what was written down, and goes on."""

    def arrow(self) -> int:
        """Returns the steps that the arrow has turned, counted from a place at the sensor."""

    def lose(self, steps: int) -> None:
        """The arrow does not follow the next so many steps."""

    def lose_every(self, steps: int) -> None:
        """The arrow does not follow one step out of so many; 0: it follows all."""

    def push(self, steps: int) -> None:
        """Turns the arrow by hand."""

    def reset(self, how: Reset) -> None:
        """Resets it."""

    def hang(self, how: Hang) -> None:
        """Makes it hang."""

    def close(self) -> None:
        """Ends it; fails if it had crashed."""


class Harnessed:
    """The firmware in one of the programs of firmware/harness."""

    can = Can.SHOW | Can.ARROW | Can.RESET

    def __init__(self, program: list[str], clock_ppm: int) -> None:
        self.machine = Machine(program, clock_ppm)
        self.run = self.machine.run
        self.arrow = self.machine.arrow
        self.lose = self.machine.lose
        self.lose_every = self.machine.lose_every
        self.push = self.machine.push
        self.reset = self.machine.reset
        self.hang = self.machine.hang
        self.close = self.machine.close
        self._signals: list[Signal] = []

    @property
    def now(self) -> float:
        return self.machine.now

    def press(self, button: Button, down: bool) -> None:
        self.machine.set_input(Input(button), down)

    def watch(self, *, ring: bool = False) -> None:
        self._signals = [Signal.PIEZO, Signal.TONE, Signal.STEP, Signal.ENABLE]
        if ring:
            self._signals += [Signal.RING, Signal.LED]
        self.machine.watch(*self._signals)

    def seen(self) -> Seen:
        records = self.machine.watch(*self._signals)
        of = {s: records[records["signal"] == s] for s in Signal}
        steps, enable = of[Signal.STEP], of[Signal.ENABLE]
        tones = pins.tones_of_edges(_times(of[Signal.PIEZO]), of[Signal.PIEZO]["value"])
        tones += _told_tones(of[Signal.TONE], self.now)
        pictures = pins.pictures_of_edges(_times(of[Signal.RING]), of[Signal.RING]["value"])
        pictures += _told_pictures(of[Signal.LED])
        return Seen(
            tones=tones,
            pictures=pictures,
            steps=_times(steps)[steps["value"] == 1],
            power=[(r["at_ns"] / NS, r["value"] == 0) for r in enable],
        )


def _times(records: NDArray[np.void]) -> NDArray[np.float64]:
    return np.asarray(records["at_ns"], dtype=np.float64) / NS


def _told_tones(records: NDArray[np.void], now: float) -> list[Tone]:
    starts = [*_times(records), now]
    return [
        Tone(starts[i], starts[i + 1], float(value >> 8), None)
        for i, value in enumerate(records["value"].tolist())
        if value >> 8
    ]


def _told_pictures(records: NDArray[np.void]) -> list[Picture]:
    whole = len(records) // RING_LEDS * RING_LEDS
    values = records["value"][:whole].reshape(-1, RING_LEDS)
    leds = np.stack([values >> 16 & 255, values >> 8 & 255, values & 255], axis=-1)
    times = _times(records[:whole:RING_LEDS])
    return [Picture(at, grb.astype(np.uint8), None) for at, grb in zip(times, leds, strict=True)]


class HostBuild(Harnessed):
    """The firmware's core on this computer, with sanitizers."""

    can = Harnessed.can | Can.QUICK | Can.MANY

    def __init__(self, clock_ppm: int = 0) -> None:
        super().__init__(host_program(), clock_ppm)


class Microcontroller(Harnessed):
    """The committed binary in the simulated ATmega328P; what it does is read from its pins."""

    can = Harnessed.can | Can.PINS

    def __init__(self, clock_ppm: int = 0) -> None:
        super().__init__(avr_program(), clock_ppm)


class Fake:
    """The fake board in Python."""

    can = Can.SHOW | Can.ARROW | Can.RESET | Can.QUICK

    def __init__(self, clock_ppm: int = 0) -> None:
        self.board = FakeBoard(clock_ppm=clock_ppm)
        self.press = self.board.press

    @property
    def now(self) -> float:
        return self.board.now

    def run(self, seconds: float, send: bytes = b"", *, until_frame: bool = False) -> bytes:
        self.board.line.write(send)
        self.board.run(seconds, until_frame=until_frame)
        return self.board.line.read()

    def watch(self, *, ring: bool = False) -> None:
        self.board.watch(ring=ring)

    def seen(self) -> Seen:
        record = self.board.watch(ring=self.board.outputs.ring_watched)
        assert record is not None
        starts = [*(at / NS for at, _, _ in record.tones), self.now]
        tones = [
            Tone(starts[i], starts[i + 1], float(hz), None)
            for i, (_, hz, _) in enumerate(record.tones)
            if hz
        ]
        pictures = [Picture(at / NS, np.array(p, np.uint8), None) for at, p in record.pictures]
        power = [(at / NS, on) for at, on in record.power]
        return Seen(tones, pictures, np.array(record.steps) / NS, power)

    def arrow(self) -> int:
        return self.board.arrow.position

    def lose(self, steps: int) -> None:
        self.board.arrow.to_lose = steps

    def lose_every(self, steps: int) -> None:
        self.board.arrow.lose_every = steps

    def push(self, steps: int) -> None:
        self.board.arrow.position += steps

    def reset(self, how: Reset) -> None:
        causes = {
            Reset.EXTERNAL: ResetCause.EXTERNAL,
            Reset.POWER: ResetCause.POWER_ON,
            Reset.BROWN_OUT: ResetCause.BROWN_OUT,
        }
        self.board.reset(causes[how])

    def hang(self, how: Hang) -> None:
        """Either way nothing but the motor's timer goes on."""
        self.board.hang()

    def close(self) -> None:
        pass


#: Makes a subject whose clock runs fast by so many ppm.
SUBJECTS: dict[str, Callable[[int], Subject]] = {
    "fake": Fake,
    "host": HostBuild,
    "avr": Microcontroller,
}
#: What each can do, known without making one.
ABILITIES: dict[str, Can] = {"fake": Fake.can, "host": HostBuild.can, "avr": Microcontroller.can}
