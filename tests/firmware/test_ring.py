"""The ring: decoded bit by bit where there is a pin."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.box.protocol import (
    RING_LEDS,
    GlassEnded,
    Home,
    HomeReply,
    Hourglass,
    HourglassReply,
    Light,
    LightMode,
    LightReply,
    Pattern,
    Sectors,
    SectorsReply,
    Status,
    StatusReply,
    command_frame,
)
from tests.firmware.master import Master
from tests.firmware.pins import LATCH, Picture
from tests.firmware.subjects import Can, Subject

pytestmark = pytest.mark.needs(Can.SHOW)


def shown(master: Master, seconds: float) -> list[Picture]:
    """Returns the pictures of the next seconds."""
    master.subject.watch(ring=True)
    master.wait(seconds)
    return master.subject.seen().pictures


def lit(picture: Picture) -> NDArray[np.bool_]:
    return np.asarray(picture.grb.any(axis=1))


def test_a_steady_light_is_a_quarter_of_its_levels(master: Master) -> None:
    master.ask(Light(LightMode.STEADY, 255, 128, 7, 0), LightReply)
    picture = shown(master, 1.2)[-1]
    assert picture.grb.tolist() == [[32, 63, 1]] * RING_LEDS


@pytest.mark.parametrize("amount", [0, 1, 17, 24])
def test_a_bar_has_its_length(master: Master, amount: int) -> None:
    master.ask(Light(LightMode.BAR, 0, 255, 0, amount), LightReply)
    assert lit(shown(master, 1.2)[-1]).tolist() == [True] * amount + [False] * (24 - amount)


def test_a_spot_goes_round_once_a_second(master: Master) -> None:
    master.ask(Light(LightMode.TURN, 200, 200, 200, 0), LightReply)
    pictures = shown(master, 2)[1:]
    heads = np.array([np.argmax(p.grb[:, 0]) for p in pictures])
    assert {int(np.count_nonzero(lit(p))) for p in pictures} == {4}
    assert int(np.sum(np.diff(heads) % RING_LEDS)) == pytest.approx(2 * RING_LEDS, abs=3)


def test_breathing_swells_and_fades(master: Master) -> None:
    master.ask(Light(LightMode.BREATHE, 0, 0, 255, 0), LightReply)
    levels = [int(p.grb[0, 2]) for p in shown(master, 8)]
    assert min(levels) <= 2
    assert max(levels) >= 60
    assert max(abs(b - a) for a, b in itertools.pairwise(levels)) <= 3


def test_off_is_dark(master: Master) -> None:
    master.ask(Light(LightMode.STEADY, 255, 255, 255, 0), LightReply)
    master.wait(0.2)
    master.ask(Light(LightMode.OFF, 255, 255, 255, 24), LightReply)
    assert not lit(shown(master, 1.2)[-1]).any()


def test_sand_is_an_arc_that_shrinks_and_a_grain_that_moves(master: Master) -> None:
    duration = 4.8
    master.ask(Hourglass(1, round(duration * 1000), 0, Pattern.NONE, 1, 0), HourglassReply)
    start = master.subject.now
    pictures = [p for p in shown(master, duration - 0.1) if p.at - start > 0.2]
    assert len(pictures) > 20 * (duration - 0.4)
    grains = []
    for picture in pictures:
        left = RING_LEDS * (1 - (picture.at - start) / duration)
        on = lit(picture)
        arc = int(np.argmin(on)) if not on.all() else RING_LEDS
        # The grain may lie at the arc's end, and then it seems longer.
        assert left - 1.5 <= arc <= left + 2.5
        white = np.flatnonzero((picture.grb == 40).all(axis=1))
        assert len(white) == 1
        grains.append(int(white[0]))
    assert len(set(grains)) > 12


def test_the_last_seconds_blink_and_the_end_flashes(master: Master) -> None:
    master.ask(Hourglass(1, 4000, 3, Pattern.NONE, 1, 0), HourglassReply)
    pictures = shown(master, 4)
    sand = np.array([0, *[int(p.grb[0].any()) for p in pictures]])
    assert np.count_nonzero(np.diff(sand)) >= 8
    master.wait_for(GlassEnded, 1)
    counts = [int(np.count_nonzero(lit(p))) for p in shown(master, 2.8)]
    assert set(counts) == {0, RING_LEDS}
    # Three flashes a second are the most that is safe to look at.
    flashes = np.count_nonzero(np.diff(np.sign(counts)) > 0)
    assert 4 <= flashes <= 8
    master.wait(0.5)
    assert not lit(shown(master, 1.2)[-1]).any()


def test_without_a_host_one_led_says_so(subject: Subject) -> None:
    subject.watch(ring=True)
    subject.run(4.5)
    pictures = subject.seen().pictures
    patterns = {tuple(np.flatnonzero(lit(p)).tolist()) for p in pictures}
    assert patterns == {(), (0,)}
    assert all(int(p.grb.max()) <= 8 for p in pictures)


@pytest.mark.needs(Can.PINS)
def test_no_byte_is_lost_and_no_gap_is_long_while_all_goes_on(master: Master) -> None:
    """A spin, an hourglass, and frames of the longest kind, one right after the other."""
    master.ask(Sectors((0, 30000)), SectorsReply)
    master.ask(Hourglass(1, 60_000, 0, Pattern.NONE, 1, 0), HourglassReply)
    master.ask(Home(), HomeReply)
    master.subject.watch(ring=True)
    before = master.ask(Status(), StatusReply)
    longest = command_frame(0, Sectors(tuple(range(1, 25)))).to_bytes()
    for _ in range(8):
        master.subject.run(0.25, longest * 45)
    pictures = master.subject.seen().pictures
    assert len(pictures) > 40
    assert max(p.longest_gap or 0 for p in pictures) < LATCH
    master.run(0.1)
    after = master.ask(Status(), StatusReply)
    assert (after.overruns, after.bad_frames) == (before.overruns, before.bad_frames)
