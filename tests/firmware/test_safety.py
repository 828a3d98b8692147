"""The safe state, the watchdog, and what the outputs do when the firmware starts."""

from __future__ import annotations

import pytest

from referee.box.protocol import (
    HOST_SILENT_MS,
    LIGHT_MAX_MS,
    Booted,
    Buzz,
    BuzzReply,
    Home,
    Homed,
    HomeOutcome,
    HomeReply,
    Hourglass,
    HourglassReply,
    Light,
    LightMode,
    LightReply,
    LinkLost,
    Parts,
    Pattern,
    Profile,
    ResetCause,
    Sectors,
    SectorsReply,
    Spin,
    SpinDone,
    SpinOutcome,
    SpinReply,
    Status,
    StatusReply,
    TimeLimit,
)
from tests.firmware.machine import Hang
from tests.firmware.master import Master
from tests.firmware.subjects import Can, Subject

pytestmark = pytest.mark.needs(Can.SHOW)

SAFE_WITHIN = 1.6
#: A watchdog of 250 ms is off by up to a tenth.
RESET_WITHIN = 0.3


def all_on(master: Master) -> None:
    """The arrow spins fast, a pattern sounds, the ring is lit."""
    master.ask(Sectors((0, 30000)), SectorsReply)
    master.ask(Home(), HomeReply)
    master.wait_for(Homed, 6)
    master.ask(Spin(0, 10, Profile.BRISK), SpinReply)
    master.ask(Light(LightMode.STEADY, 255, 255, 255, 0), LightReply)
    master.wait(1)
    master.ask(Buzz(Pattern.END, 4), BuzzReply)
    master.events.clear()


def test_when_the_host_dies_all_but_the_hourglass_stops(master: Master) -> None:
    all_on(master)
    died = master.subject.now
    master.subject.watch(ring=True)
    master.run(4)
    seen = master.subject.seen()
    # It goes on until the time is up, and no longer.
    assert HOST_SILENT_MS / 1000 - 0.05 < seen.steps[-1] - died < SAFE_WITHIN
    assert max(t.end for t in seen.tones) - died < SAFE_WITHIN
    assert [(on, at - died < SAFE_WITHIN) for at, on in seen.power] == [(False, True)]
    late = [p for p in seen.pictures if p.at - died > SAFE_WITHIN]
    assert len(late) >= 2
    assert all(not p.grb[1:].any() and p.grb.max() <= 8 for p in late)
    master.hello()
    lost = master.wait_for(LinkLost, 1)
    assert lost.stopped == Parts.SOUND | Parts.SPINNER | Parts.LIGHT
    assert master.wait_for(SpinDone, 1).outcome == SpinOutcome.LINK_LOST
    assert master.ask(Status(), StatusReply).active == Parts(0)


def test_homing_stops_too(master: Master) -> None:
    master.ask(Home(), HomeReply)
    master.run(3)
    master.hello()
    assert master.wait_for(Homed, 1).outcome == HomeOutcome.LINK_LOST


def test_any_good_frame_keeps_it_awake_and_noise_does_not(master: Master) -> None:
    master.ask(Light(LightMode.STEADY, 255, 255, 255, 0), LightReply)
    master.wait(5)
    assert master.ask(Status(), StatusReply).active == Parts.LIGHT
    for _ in range(20):
        master.subject.run(0.1, b"\x05noise\x00")
    assert master.ask(Status(), StatusReply).active == Parts(0)


@pytest.mark.needs(Can.RESET)
@pytest.mark.parametrize("hang", Hang)
def test_the_watchdog_ends_what_hangs(master: Master, hang: Hang) -> None:
    all_on(master)
    before = master.boot
    assert before is not None
    hung = master.subject.now
    master.subject.watch()
    master.subject.hang(hang)
    master.run(2)
    seen = master.subject.seen()
    assert seen.steps[-1] - hung < RESET_WITHIN
    assert max((t.end for t in seen.tones), default=hung) - hung < RESET_WITHIN
    after = master.hello()
    assert after.reset_cause == ResetCause.WATCHDOG
    assert after.boot_id != before.boot_id
    assert after.uptime_ms / 1000 == pytest.approx(2 - 0.25, abs=0.1)
    assert master.wait_for(Booted, 1).reset_cause == ResetCause.WATCHDOG
    assert master.ask(Status(), StatusReply).active == Parts(0)


def test_nothing_moves_or_sounds_at_the_start(subject: Subject) -> None:
    subject.watch(ring=True)
    subject.run(3)
    seen = subject.seen()
    assert len(seen.steps) == 0
    assert seen.tones == []
    assert not any(on for _, on in seen.power)
    assert all(p.grb.max() <= 8 for p in seen.pictures)


@pytest.mark.needs(Can.QUICK)
def test_a_light_goes_out_after_its_longest_time(master: Master) -> None:
    master.ask(Light(LightMode.STEADY, 255, 0, 0, 0), LightReply)
    start = master.subject.now
    master.events.clear()
    while master.subject.now < start + LIGHT_MAX_MS / 1000 - 2:
        # As few heartbeats as keep it awake: an hour is long even if it is virtual.
        master.ask(Status(), StatusReply)
        master.run(1.3)
    assert master.ask(Status(), StatusReply).active == Parts.LIGHT
    master.wait(4)
    assert master.wait_for(TimeLimit, 1).parts == Parts.LIGHT
    assert master.ask(Status(), StatusReply).active == Parts(0)


@pytest.mark.needs(Can.PINS)
def test_the_stack_stays_within_the_memory(master: Master) -> None:
    """RAM: 2048 bytes, of which at most 1.4 kB may ever be used."""
    all_on(master)
    master.ask(Hourglass(1, 1000, 1, Pattern.END, 4, 0), HourglassReply)
    master.wait(3)
    master.run(3)
    master.hello()
    master.wait(1)
    free = master.ask(Status(), StatusReply).stack_free
    assert 2048 - free <= 1400
