"""The box's stamps on the host's clock, by bridges as they are and clocks as they run."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from referee.box.clock import ClockMap

#: How long a message may take through a USB bridge and an operating system. (s)
BRIDGES: dict[str, Callable[[random.Random], float]] = {
    # One poll a millisecond, now and then a scheduler's pause.
    "uno": lambda r: r.uniform(0.0002, 0.0012) + (r.uniform(0, 0.02) if r.random() < 0.1 else 0),
    "ch340": lambda r: r.uniform(0.0005, 0.003) + (r.uniform(0, 0.02) if r.random() < 0.1 else 0),
    # A latency timer of 16 ms, in this direction half of the time cut short by full buffers.
    "ftdi": lambda r: r.uniform(0.0003, 0.016),
}
OFFSET = 4321.0


class Line:
    """A host and a box with clocks of their own."""

    def __init__(self, bridge: str, ppm: int, seed: int) -> None:
        self.map = ClockMap()
        self.now = 0.0
        self.rate = 1 + ppm / 1e6
        self._source = random.Random(seed)
        self._delay = BRIDGES[bridge]

    def stamp(self, at: float) -> int:
        return int((at + OFFSET) * self.rate * 1e6) % 2**32

    def trip(self) -> None:
        sent = self.now
        received = sent + self._source.uniform(0.0002, 0.0012)
        replied = received + self._source.uniform(0.0001, 0.002)
        answered = replied + self._delay(self._source)
        self.map.add(sent, answered, self.stamp(received), self.stamp(replied))
        self.now = answered

    def trips(self, count: int, pause: float) -> None:
        for _ in range(count):
            self.trip()
            self.now += pause


def started(bridge: str, ppm: int, seed: int) -> Line:
    line = Line(bridge, ppm, seed)
    line.trips(32, 0)
    line.trips(32, 0.1)
    return line


@pytest.mark.parametrize("bridge", BRIDGES)
@pytest.mark.parametrize("ppm", [-5000, 0, 5000])
def test_the_end_of_a_glass_is_right_to_five_milliseconds(bridge: str, ppm: int) -> None:
    worst = 0.0
    for seed in range(20):
        line = started(bridge, ppm, seed)
        for _ in range(20):
            line.trips(8, 0.5)
            at = line.now - line._source.uniform(0, 0.5)
            worst = max(worst, abs(line.map.host_time(line.stamp(at), line.now) - at))
    assert worst < 0.005


@pytest.mark.parametrize("bridge", BRIDGES)
def test_twenty_seconds_by_the_measured_drift_are_right_to_twenty_milliseconds(bridge: str) -> None:
    for ppm in (-5000, 137, 5000):
        for seed in range(20):
            line = started(bridge, ppm, seed)
            assert line.map.ppm is not None
            # 20 ms of 20 s are 1000 ppm.
            assert line.map.ppm == pytest.approx(ppm, abs=1000)
            line.trips(64, 0.5)
            assert line.map.ppm == pytest.approx(ppm, abs=200)


def test_the_drift_is_not_known_at_once() -> None:
    line = Line("uno", 5000, 1)
    with pytest.raises(ValueError, match="PING"):
        line.map.host_time(0, line.now)
    line.trip()
    assert line.map.ready
    assert line.map.ppm is None
    line.trips(40, 0)
    assert line.map.ppm is None


def test_stamps_wrap() -> None:
    line = started("uno", 5000, 3)
    for _ in range(40):
        line.now += 240
        line.trips(4, 0.5)
        at = line.now - 0.3
        assert line.map.host_time(line.stamp(at), line.now) == pytest.approx(at, abs=0.02)
    assert line.now > 2 * 2**32 / 1e6


def test_after_hours_without_a_link_stamps_are_still_told_apart() -> None:
    line = started("uno", -5000, 3)
    line.now += 10 * 3600
    line.trips(40, 0.1)
    at = line.now - 60 * 60
    assert line.map.host_time(line.stamp(at), line.now) == pytest.approx(at, abs=0.05)


def test_no_stamp_lies_in_the_future() -> None:
    line = started("ch340", 0, 5)
    assert line.map.host_time(line.stamp(line.now + 0.002), line.now) <= line.now


def test_a_drift_beyond_what_a_board_can_have_is_not_believed() -> None:
    clocks = ClockMap()
    for i in range(64):
        at = i * 0.1
        clocks.add(at, at + 0.002, int((at + 0.001) * 1.2e6), int((at + 0.001) * 1.2e6))
    assert clocks.ppm == 20_000
