"""The hourglass: exact on a clock that is off, ticks, ends and sounds without the host."""

from __future__ import annotations

import pytest

from referee.box.protocol import (
    Booted,
    Cancel,
    CancelReply,
    Glass,
    GlassEnded,
    GlassReply,
    GlassState,
    Hourglass,
    HourglassReply,
    Mute,
    MuteReply,
    Parts,
    Pattern,
    Ping,
    PingReply,
    ResetCause,
)
from tests.firmware.conftest import MakeSubject
from tests.firmware.machine import Hang, Reset
from tests.firmware.master import Master
from tests.firmware.subjects import Can

END_TONES = [0.4, 0.4, 0.4, 0.9]


def glass(ms: int, *, warn: int = 0, ppm: int = 0, ident: int = 1) -> Hourglass:
    return Hourglass(ident, ms, warn, Pattern.END, 4, ppm)


def measured_ppm(host: Master, seconds: float) -> int:
    """Compares the box's clock with the true one by two round trips."""
    pairs = []
    for _ in range(2):
        start = host.subject.now
        reply = host.ask(Ping(), PingReply)
        middle = (reply.received_us + reply.sent_us) / 2
        pairs.append(((start + host.subject.now) / 2, middle / 1e6))
        host.wait(seconds)
    (true_0, box_0), (true_1, box_1) = pairs
    return round(((box_1 - box_0) / (true_1 - true_0) - 1) * 1e6)


@pytest.mark.needs(Can.SHOW)
@pytest.mark.parametrize("off", [-5000, 0, 5000])
def test_twenty_seconds_are_exact_on_a_clock_that_is_off(
    make_subject: MakeSubject, off: int
) -> None:
    host = Master(make_subject(off))
    host.run(0.1)
    host.hello()
    ppm = measured_ppm(host, 2)
    assert ppm == pytest.approx(off, abs=400)
    host.subject.watch()
    sent = host.subject.now
    started = host.ask(glass(20_000, ppm=ppm), HourglassReply).started_us
    answered = host.subject.now
    ended = host.wait_for(GlassEnded, 21)
    host.wait(0.1)
    # The host may believe that it began anywhere between its command and the answer.
    first = host.subject.seen().tones[0]
    assert sent + 20 - 0.020 <= first.start <= answered + 20 + 0.020
    assert answered - sent < 0.005
    # The stamps agree with the outputs, so that a frame of the camera can be held against them.
    rate = 1 + off / 1e6
    lasted = ((ended.at_us - started) % 2**32) / 1e6 / rate
    assert lasted == pytest.approx(20, abs=0.020)
    heard = first.start * rate + host.clock_offset(rate)
    assert ended.at_us / 1e6 == pytest.approx(heard, abs=0.002)


@pytest.mark.needs(Can.SHOW)
def test_it_ends_and_sounds_without_the_host(master: Master) -> None:
    master.subject.watch()
    master.ask(glass(4000, warn=3), HourglassReply)
    start = master.subject.now
    master.run(8)
    tones = master.subject.seen().tones
    ticks, end = tones[:3], tones[3:]
    assert [t.start - start for t in ticks] == pytest.approx([1, 2, 3], abs=0.01)
    assert [t.end - t.start for t in ticks] == pytest.approx([0.03] * 3, abs=0.003)
    assert end[0].start - start == pytest.approx(4, abs=0.01)
    assert [t.end - t.start for t in end] == pytest.approx(END_TONES, abs=0.003)
    master.hello()
    assert master.wait_for(GlassEnded, 3).glass_id == 1


@pytest.mark.needs(Can.SHOW)
def test_mute_holds_for_the_end_too(master: Master) -> None:
    master.ask(Mute(True), MuteReply)
    master.subject.watch()
    master.ask(glass(1500, warn=1), HourglassReply)
    master.wait_for(GlassEnded, 2)
    master.wait(0.7)
    assert master.subject.seen().tones == []
    master.ask(Mute(False), MuteReply)
    master.wait(0.1)
    assert len(master.subject.seen().tones) == 1


@pytest.mark.parametrize("ppm", [-20_000, 0, 5000, 20_000])
def test_what_remains_is_told_by_the_hosts_clock(make_subject: MakeSubject, ppm: int) -> None:
    host = Master(make_subject(ppm))
    host.run(0.1)
    host.hello()
    host.ask(glass(1_800_000, ppm=ppm, ident=777), HourglassReply)
    start = host.subject.now
    host.wait(30)
    reply = host.ask(Glass(), GlassReply)
    assert (reply.state, reply.glass_id) == (GlassState.RUNNING, 777)
    assert (reply.duration_ms, reply.interrupted) == (1_800_000, False)
    gone = (host.subject.now - start) * 1000
    assert reply.remaining_ms == pytest.approx(1_800_000 - gone, abs=40)


def test_it_is_found_again_after_the_link_was_lost(master: Master) -> None:
    master.ask(glass(10_000, ident=42), HourglassReply)
    start = master.subject.now
    master.run(5)
    master.hello()
    reply = master.ask(Glass(), GlassReply)
    assert (reply.state, reply.glass_id) == (GlassState.RUNNING, 42)
    left = 10_000 - (master.subject.now - start) * 1000
    assert reply.remaining_ms == pytest.approx(left, abs=10)
    master.wait_for(GlassEnded, 6)
    reply = master.ask(Glass(), GlassReply)
    assert (reply.state, reply.glass_id, reply.remaining_ms) == (GlassState.ENDED, 42, 0)


def test_a_cancelled_one_never_ends(master: Master) -> None:
    master.ask(glass(1000), HourglassReply)
    assert master.ask(Cancel(Parts.GLASS), CancelReply).stopped == Parts.GLASS
    master.events.clear()
    master.wait(2)
    assert master.events == []
    assert master.ask(Glass(), GlassReply).state == GlassState.IDLE
    assert master.ask(Cancel(Parts.GLASS), CancelReply).stopped == Parts(0)


def test_a_new_one_takes_the_place_of_the_old(master: Master) -> None:
    master.ask(glass(1000, ident=1), HourglassReply)
    master.ask(glass(1500, ident=2), HourglassReply)
    master.events.clear()
    master.wait(3)
    assert [e.glass_id for e in master.events if isinstance(e, GlassEnded)] == [2]


@pytest.mark.needs(Can.SHOW)
def test_cancelling_silences_the_end(master: Master) -> None:
    master.ask(glass(500), HourglassReply)
    master.wait_for(GlassEnded, 1)
    master.subject.watch()
    assert master.ask(Cancel(Parts.GLASS), CancelReply).stopped == Parts.GLASS
    master.subject.seen()
    master.wait(3)
    assert master.subject.seen().tones == []


@pytest.mark.needs(Can.SHOW | Can.RESET)
@pytest.mark.parametrize("hang", Hang)
def test_it_outlives_the_watchdog(master: Master, hang: Hang) -> None:
    master.ask(glass(4000, ident=9), HourglassReply)
    start = master.subject.now
    master.run(1)
    master.subject.hang(hang)
    master.subject.watch()
    master.run(5)
    (first, *_) = master.subject.seen().tones
    assert first.start - start == pytest.approx(4, abs=0.1)
    master.hello()
    booted = master.wait_for(Booted, 1)
    assert (booted.reset_cause, booted.glass_resumed) == (ResetCause.WATCHDOG, True)
    ended = master.wait_for(GlassEnded, 1)
    assert (ended.glass_id, ended.interrupted) == (9, True)


@pytest.mark.needs(Can.RESET)
def test_it_outlives_a_reset_but_not_the_loss_of_power(master: Master) -> None:
    master.ask(glass(20_000, ident=9), HourglassReply)
    master.run(1)
    master.subject.reset(Reset.EXTERNAL)
    master.run(0.2)
    master.hello()
    reply = master.ask(Glass(), GlassReply)
    assert (reply.state, reply.glass_id, reply.interrupted) == (GlassState.RUNNING, 9, True)
    assert reply.remaining_ms == pytest.approx(18_800, abs=2000)
    master.subject.reset(Reset.POWER)
    master.run(0.2)
    master.hello()
    assert master.ask(Glass(), GlassReply).state == GlassState.IDLE
