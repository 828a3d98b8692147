"""The box against firmware and fake in virtual time: times to the millisecond.

What the outputs really did, and when, is told by the harness, not by the link.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.box.box import Box
from referee.box.draw import Dial
from referee.box.happenings import Told
from referee.box.ports import READ_S
from referee.box.protocol import Button, GlassEnded, Pressed
from tests.firmware.subjects import SUBJECTS, Subject
from tests.referee.box.virtual import StepPump, VirtualClock


class SubjectPort:
    """A port whose far end is a subject of the conformance suite; reading lets time pass."""

    def __init__(self, subject: Subject, clock: VirtualClock) -> None:
        self._subject = subject
        self._clock = clock
        self._pending = b""
        self._come = b""

    @property
    def in_waiting(self) -> int:
        return len(self._come)

    def read(self, size: int) -> bytes:
        if not self._come:
            before = self._subject.now
            self._come = self._subject.run(READ_S, self._pending, until_frame=True)
            self._pending = b""
            self._clock.advance(self._subject.now - before)
        data, self._come = self._come[:size], self._come[size:]
        return data

    def write(self, data: bytes) -> int:
        self._pending += data
        return len(data)

    def close(self) -> None:
        pass


class Rig:
    """A subject and a box that speaks to it. `zero`: the host's time when the subject's was 0."""

    def __init__(self, name: str, ppm: int) -> None:
        self.subject = SUBJECTS[name](ppm)
        self.clock = VirtualClock()
        self.zero = self.clock.now() - self.subject.now
        port = SubjectPort(self.subject, self.clock)
        pump = StepPump(self.clock)
        self.box = Box("subject://", clock=self.clock, pump=pump, opened=lambda _: port)
        self.pump = pump

    def wait(self, seconds: float) -> None:
        self.pump.wait(lambda: False, seconds)


@pytest.fixture(
    params=[(n, p) for n in SUBJECTS for p in (-5000, 5000)], ids=lambda p: f"{p[0]}{p[1]}"
)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    made = Rig(*request.param)
    made.box.connect()
    made.wait(4)
    yield made
    made.box.close()
    made.subject.close()


def test_a_glass_ends_in_time_and_its_end_is_told_to_five_milliseconds(rig: Rig) -> None:
    inbox = rig.box.events()
    rig.subject.watch()
    began = rig.clock.now()
    running = rig.box.hourglass(20, warn_s=0)
    # The box's own clock would be off by 100 ms.
    assert running.ends_at == pytest.approx(began + 20, abs=0.010)
    told = inbox.get(21)
    assert isinstance(told, Told)
    assert isinstance(told.event, GlassEnded)
    rig.wait(0.5)
    heard = rig.subject.seen().tones[0].start + rig.zero
    assert heard == pytest.approx(running.ends_at, abs=0.020)
    assert told.at == pytest.approx(heard, abs=0.005)


def test_presses_are_told_to_five_milliseconds(rig: Rig) -> None:
    inbox = rig.box.events()
    for i in range(20):
        button = Button(i % 2)
        rig.subject.press(button, True)
        pressed = rig.subject.now + rig.zero
        told = inbox.get(1)
        assert isinstance(told, Told)
        assert isinstance(told.event, Pressed)
        assert told.event.button == button
        assert told.at == pytest.approx(pressed, abs=0.005)
        rig.subject.press(button, False)
        rig.wait(0.37)


def test_the_arrow_comes_to_its_sector(rig: Rig) -> None:
    for sector in (4, 1):
        result = rig.box.spin(Dial.equal(range(6)), sector, turns=2)
        assert (result.sector, result.steps_lost) == (sector, 0)
        # The middle of a sixth of a turn of 1600 steps.
        middle = (sector + 0.5) / 6 * 1600
        assert rig.subject.arrow() % 1600 == pytest.approx(middle, abs=1)
