"""What a live camera does when its device fails: time is the test's own, nothing sleeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from tests.faulty_camera import (
    Delay,
    Fault,
    FaultyCamera,
    FaultyCapture,
    Freeze,
    Repeat,
    Resize,
    Unplug,
)
from vision.camera import Frame, Image
from vision.camera.device import Capture, Shot
from vision.camera.freshness import Freshness
from vision.camera.grabber import Grabber

#: Seconds between two pictures of the simulated camera.
TICK = 0.1


class Clock:
    """Seconds that go on only when somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


def noisy(number: int, size: tuple[int, int] = (96, 64)) -> Image:
    """A grey picture with sensor noise; the same for a number."""
    rng = np.random.default_rng(number)
    return np.clip(rng.normal(120, 2, (size[1], size[0], 3)), 0, 255).astype(np.uint8)


class Sensor:
    """A camera that takes a picture every tick of the clock."""

    def __init__(self, clock: Clock, picture: Callable[[int], Image] = noisy) -> None:
        self.clock, self.picture, self.taken = clock, picture, 0

    def read(self) -> Frame:
        self.clock.wait(TICK)
        self.taken += 1
        return Frame(self.picture(self.taken), self.taken, self.clock.now)

    def close(self) -> None:
        pass


class Bench:
    """A grabber on a simulated device; `seen` holds each new frame."""

    def __init__(
        self,
        script: Sequence[tuple[int | float, Fault]] = (),
        *,
        stamped: bool = False,
        picture: Callable[[int], Image] = noisy,
    ) -> None:
        self.clock = Clock()
        self.camera = FaultyCamera(Sensor(self.clock, picture), script, self.clock.wait)
        self.captures: list[FaultyCapture] = []
        self.stamped, self.can_open = stamped, True
        self.seen: list[Frame] = []
        self.waits: list[float] = []
        self.grabber = Grabber("fake", self._open, self.clock)

    def _open(self) -> Capture | None:
        if not self.can_open:
            return None
        self.captures.append(FaultyCapture(self.camera, stamped=self.stamped))
        return self.captures[-1]

    def run(self, seconds: float) -> None:
        """Lets the grabber work for so long."""
        end = self.clock.now + seconds
        while self.clock.now < end:
            wait = self.grabber.step()
            if wait:
                self.waits.append(wait)
                self.clock.wait(wait)
            if self.grabber.newest is not None and (
                not self.seen or self.grabber.newest is not self.seen[-1]
            ):
                self.seen.append(self.grabber.newest)


def test_every_picture_counts_once() -> None:
    bench = Bench()
    bench.run(2.0)
    assert [frame.id for frame in bench.seen] == list(range(len(bench.seen)))
    assert len(bench.seen) == pytest.approx(2.0 / TICK, abs=1)
    assert {frame.epoch for frame in bench.seen} == {0}


def test_a_repeated_picture_is_never_new() -> None:
    bench = Bench([(5, Repeat(3))])
    bench.run(2.0)
    assert len(bench.seen) == pytest.approx(2.0 / TICK - 3, abs=1)
    assert len({frame.image.tobytes() for frame in bench.seen}) == len(bench.seen)


def test_a_driver_that_gives_its_last_buffers_in_turn_is_frozen() -> None:
    bench = Bench(picture=lambda n: noisy(n if n < 20 else 16 + n % 4))
    bench.run(6.0)
    assert len(bench.seen) == 19
    assert "same picture for 4 seconds" in bench.grabber.complaint().what


@pytest.mark.parametrize("fault", [Unplug(returns_true=True), Freeze()])
def test_a_frozen_camera_is_named_then_opened_anew(fault: Fault) -> None:
    bench = Bench([(10, fault)])
    bench.run(4.5)
    assert len(bench.seen) == 10
    assert "same picture" in bench.grabber.complaint().what
    assert len(bench.captures) == 1
    bench.run(3.0)
    assert bench.captures[0].released
    assert len(bench.captures) == 2
    # It still sends the picture of before: opening it anew makes that no newer.
    assert len(bench.seen) == 10


def test_a_still_table_is_not_frozen() -> None:
    # The noise alone makes each picture another one.
    bench = Bench()
    bench.run(10.0)
    assert len(bench.captures) == 1


def test_times_that_stand_still_are_old_pictures() -> None:
    freshness = Freshness(0.0)
    stamps = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.5, 1.5, 1.6]
    taken = [
        freshness.captured_at(Shot(noisy(n), stamp), stamp + 0.02) for n, stamp in enumerate(stamps)
    ]
    assert taken == [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, None, None, 1.6]


def test_a_driver_without_times_is_judged_by_content_alone() -> None:
    freshness = Freshness(0.0)
    assert all(
        freshness.captured_at(Shot(noisy(n), stamp=5.0), 10.0 + n) is not None for n in range(20)
    )
    assert freshness.captured_at(Shot(noisy(3), stamp=5.0), 40.0) is None


def test_times_of_another_clock_are_not_taken_for_capture_times() -> None:
    freshness = Freshness(0.0)
    assert freshness.captured_at(Shot(noisy(0), 1.7e9), 50.0) == 50.0
    assert freshness.captured_at(Shot(noisy(1), 49.7), 50.0) == 49.7


def test_pictures_that_come_late_are_named() -> None:
    bench = Bench([(10, Delay(3.0))], stamped=True)
    bench.run(8.0)
    assert bench.seen[-1].captured_at == pytest.approx(100.0 + 10 * TICK)
    assert "3 seconds ago" in bench.grabber.complaint().what


def test_an_unplugged_camera_is_looked_for_ever_more_patiently() -> None:
    bench = Bench([(10, Unplug(1))])
    bench.run(0.95)
    bench.can_open = False
    bench.run(60.0)
    assert bench.captures[0].released
    assert "sends no pictures" in bench.grabber.complaint().what
    assert bench.waits == sorted(bench.waits)
    assert bench.waits[0] <= 1.0
    assert max(bench.waits) <= 10.0
    bench.can_open = True
    count = len(bench.seen)
    bench.run(10.0)
    assert len(bench.seen) > count
    assert bench.seen[-1].epoch == 1
    assert bench.seen[-1].id == len(bench.seen) - 1


def test_a_device_that_the_system_no_longer_lists_is_let_go_at_once() -> None:
    bench = Bench([(10, Unplug(returns_true=True))])
    bench.run(1.0)
    bench.captures[0].plugged_in = False
    bench.run(0.7)
    assert bench.captures[0].released


def test_another_picture_size_is_another_epoch() -> None:
    bench = Bench([(5, Resize((48, 32)))])
    bench.run(1.0)
    assert [frame.epoch for frame in bench.seen[:7]] == [0] * 5 + [1] * 2
    assert bench.seen[-1].image.shape == (32, 48, 3)


def test_a_camera_that_sends_nothing_says_so() -> None:
    bench = Bench([(0, Unplug())])
    bench.run(3.0)
    assert "sends no pictures" in bench.grabber.complaint().what
    assert bench.grabber.complaint().remedy
