"""The arrow: exact steps, eased, in the middle of the wanted sector; lost steps found and told."""

from __future__ import annotations

import numpy as np
import pytest

from referee.box.protocol import (
    LOST_STEPS_LIMIT,
    MOTOR_MAX_MS,
    SECTOR_UNKNOWN,
    STEPS_PER_TURN,
    Cancel,
    CancelReply,
    Home,
    Homed,
    HomeOutcome,
    HomeReply,
    Parts,
    Profile,
    Refusal,
    Result,
    Sectors,
    SectorsReply,
    Spin,
    SpinDone,
    SpinnerState,
    SpinOutcome,
    SpinReply,
    Status,
    StatusReply,
    StepsLost,
    TimeLimit,
)
from tests.firmware.conftest import MakeSubject
from tests.firmware.master import Master
from tests.firmware.subjects import Can

pytestmark = pytest.mark.needs(Can.SHOW | Can.ARROW)

#: Uneven, the last one over home. 1/65536 turn.
STARTS = (4000, 9000, 20000, 21000, 40000, 61000)


def middle(sector: int) -> int:
    """Returns the step, from home, of a sector's middle."""
    start = STARTS[sector]
    end = STARTS[sector + 1] if sector + 1 < len(STARTS) else STARTS[0] + 65536
    return round((start + end) / 2 / 65536 * STEPS_PER_TURN) % STEPS_PER_TURN


def homed(master: Master) -> Master:
    master.ask(Sectors(STARTS), SectorsReply)
    master.ask(Home(), HomeReply)
    assert master.wait_for(Homed, 6).outcome == HomeOutcome.FOUND
    return master


def spin(
    master: Master, sector: int, turns: int = 1, profile: Profile = Profile.BRISK
) -> tuple[int, SpinDone]:
    """Spins; returns the steps that were announced, and how it ended."""
    steps = master.ask(Spin(sector, turns, profile), SpinReply).steps
    return steps, master.wait_for(SpinDone, 30)


def test_homing_stops_at_the_sensor(master: Master) -> None:
    master.subject.watch()
    before = master.subject.arrow()
    master.ask(Home(), HomeReply)
    event = master.wait_for(Homed, 6)
    assert event.outcome == HomeOutcome.FOUND
    seen = master.subject.seen()
    assert len(seen.steps) == event.steps == master.subject.arrow() - before
    assert master.subject.arrow() % STEPS_PER_TURN <= 2
    assert master.ask(Status(), StatusReply).spinner == SpinnerState.AT_REST


def test_homing_from_the_sensor_goes_once_round(master: Master) -> None:
    homed(master)
    before = master.subject.arrow()
    master.ask(Home(), HomeReply)
    master.wait_for(Homed, 6)
    assert master.subject.arrow() - before == STEPS_PER_TURN


@pytest.mark.parametrize("sector", range(len(STARTS)))
def test_it_stops_in_the_middle_of_the_sector(master: Master, sector: int) -> None:
    homed(master)
    master.subject.watch()
    before = master.subject.arrow()
    steps, done = spin(master, sector)
    assert (done.outcome, done.sector, done.lost) == (SpinOutcome.STOPPED, sector, 0)
    assert len(master.subject.seen().steps) == done.steps == steps
    assert master.subject.arrow() - before == steps
    assert master.subject.arrow() % STEPS_PER_TURN == pytest.approx(middle(sector), abs=1)
    assert STEPS_PER_TURN <= steps < 2 * STEPS_PER_TURN
    status = master.ask(Status(), StatusReply)
    assert (status.sector, status.sectors) == (sector, len(STARTS))
    angle = middle(sector) / STEPS_PER_TURN * 65536
    assert status.position == pytest.approx(angle, abs=65536 / STEPS_PER_TURN)


def test_spins_follow_one_another_without_an_error_that_grows(master: Master) -> None:
    homed(master)
    for sector in (3, 3, 0, 5, 2, 5):
        spin(master, sector)
        assert master.subject.arrow() % STEPS_PER_TURN == pytest.approx(middle(sector), abs=1)


@pytest.mark.parametrize(
    ("profile", "top", "up", "down"),
    [
        (Profile.BRISK, 3200, 0.64, 0.64),
        (Profile.LONG, 3200, 0.64, 2.56),
        (Profile.SLOW, 800, 1.28, 1.28),
    ],
)
def test_it_speeds_up_and_slows_down_gently(
    master: Master, profile: Profile, top: float, up: float, down: float
) -> None:
    homed(master)
    master.subject.watch()
    spin(master, 1, 4, profile)
    times = master.subject.seen().steps
    assert np.diff(times).min() > 0.8 / top
    # Over eight steps: the ring keeps interrupts out for 31 us at a time, which shifts single ones.
    times = times[::8]
    speeds = 8 / np.diff(times)
    assert speeds.max() == pytest.approx(top, rel=0.01)
    assert speeds[0] < top / 10
    assert speeds[-1] < top / 10
    fast = np.flatnonzero(speeds > 0.99 * top)
    assert times[fast[0]] - times[0] == pytest.approx(up, rel=0.25)
    assert times[-1] - times[fast[-1]] == pytest.approx(down, rel=0.25)
    # Never slower while speeding up, but for the resolution of the timer.
    assert np.all(np.diff(speeds[: fast[0]]) > -0.02 * top)
    assert np.all(np.diff(speeds[fast[-1] :]) < 0.02 * top)
    # Three times the mean acceleration is the most.
    rates = np.abs(np.diff(speeds)) / np.diff(times[1:])
    assert rates.max() < 3 * top / min(up, down)


def test_a_short_way_never_reaches_top_speed_and_still_ends_gently(master: Master) -> None:
    homed(master)
    master.subject.watch()
    spin(master, 0, 1)
    speeds = 1 / np.diff(master.subject.seen().steps)
    assert speeds[-1] < 320
    assert np.max(-np.diff(speeds)) < 200


@pytest.mark.parametrize("lost", [32, 300, -40, -500])
def test_lost_steps_are_found_told_and_made_up_for(master: Master, lost: int) -> None:
    homed(master)
    master.events.clear()
    steps = master.ask(Spin(4, 3, Profile.BRISK), SpinReply).steps
    master.wait(0.45)
    if lost > 0:
        master.subject.lose(lost)
    else:
        master.subject.push(-lost)
    done = master.wait_for(SpinDone, 10)
    (event,) = [e for e in master.events if isinstance(e, StepsLost)]
    assert event.lost == lost
    assert (done.outcome, done.sector, done.lost) == (SpinOutcome.STOPPED, 4, lost)
    assert done.steps == steps + lost
    assert master.subject.arrow() % STEPS_PER_TURN == pytest.approx(middle(4), abs=1)


def test_an_arrow_turned_by_hand_is_found_at_the_next_home_pass(master: Master) -> None:
    homed(master)
    spin(master, 2)
    master.wait(1)
    master.subject.push(-200)
    master.events.clear()
    _, done = spin(master, 1)
    assert [e.lost for e in master.events if isinstance(e, StepsLost)] == [200]
    assert (done.outcome, done.lost) == (SpinOutcome.STOPPED, 200)
    assert master.subject.arrow() % STEPS_PER_TURN == pytest.approx(middle(1), abs=1)


@pytest.mark.parametrize("pushed", [STEPS_PER_TURN // 3, 100, 20])
def test_pushed_on_near_the_end_it_goes_once_more_round(master: Master, pushed: int) -> None:
    homed(master)
    # Sector 0 lies just behind home: at the last pass the arrow is already slowing down.
    master.ask(Spin(0, 2, Profile.BRISK), SpinReply)
    while master.subject.arrow() % STEPS_PER_TURN < 1000 or master.subject.arrow() < 4000:
        master.wait(0.01)
    master.subject.push(pushed)
    done = master.wait_for(SpinDone, 10)
    assert (done.outcome, done.lost) == (SpinOutcome.STOPPED, -pushed)
    assert master.subject.arrow() % STEPS_PER_TURN == pytest.approx(middle(0), abs=1)


def test_the_sensors_jitter_is_no_loss(master: Master) -> None:
    homed(master)
    master.events.clear()
    master.subject.push(LOST_STEPS_LIMIT - 1)
    _, done = spin(master, 3)
    assert done.lost == 0
    assert master.events == []


def test_a_stalled_arrow_is_noticed(master: Master) -> None:
    homed(master)
    master.subject.lose(100_000)
    steps, done = spin(master, 3, 5)
    assert (done.outcome, done.sector) == (SpinOutcome.HOME_NOT_SEEN, SECTOR_UNKNOWN)
    assert done.steps < 1.3 * STEPS_PER_TURN < steps
    assert master.try_to(Spin(0, 1, Profile.BRISK)) == Refusal(Result.NOT_HOMED)
    master.ask(Home(), HomeReply)
    event = master.wait_for(Homed, 8)
    assert event.outcome == HomeOutcome.NOT_FOUND
    assert event.steps == pytest.approx(1.25 * STEPS_PER_TURN, abs=2)


def test_the_motor_stops_after_its_longest_time(master: Master) -> None:
    homed(master)
    master.events.clear()
    start = master.subject.now
    master.ask(Spin(0, 10, Profile.SLOW), SpinReply)
    # Someone pushes it on each time that it nears home, so that it goes once more round and again.
    while not any(isinstance(e, SpinDone) for e in master.events):
        master.wait(0.4)
        if 1100 < master.subject.arrow() % STEPS_PER_TURN < 1500:
            master.subject.push(30)
    done = master.wait_for(SpinDone, 1)
    assert (done.outcome, done.sector) == (SpinOutcome.TIME_LIMIT, SECTOR_UNKNOWN)
    assert master.subject.now - start == pytest.approx(MOTOR_MAX_MS / 1000, abs=0.5)
    assert master.wait_for(TimeLimit, 1).parts == Parts.SPINNER


def test_what_cannot_be_spun_is_refused(master: Master) -> None:
    assert master.try_to(Spin(0, 1, Profile.BRISK)) == Refusal(Result.NOT_HOMED)
    master.ask(Home(), HomeReply)
    assert master.try_to(Home()) == Refusal(Result.BUSY)
    assert master.try_to(Sectors(STARTS)) == Refusal(Result.BUSY)
    master.wait_for(Homed, 6)
    assert master.try_to(Spin(0, 1, Profile.BRISK)) == Refusal(Result.NO_SECTORS)
    master.ask(Sectors(STARTS), SectorsReply)
    assert master.try_to(Spin(len(STARTS), 1, Profile.BRISK)) == Refusal(Result.NO_SECTORS)
    master.ask(Spin(0, 1, Profile.BRISK), SpinReply)
    assert master.try_to(Spin(0, 1, Profile.BRISK)) == Refusal(Result.BUSY)


def test_cancel_stops_at_once_and_forgets_the_place(master: Master) -> None:
    homed(master)
    master.ask(Spin(0, 5, Profile.BRISK), SpinReply)
    master.wait(0.8)
    assert master.ask(Cancel(Parts.SPINNER), CancelReply).stopped == Parts.SPINNER
    master.subject.watch()
    done = master.wait_for(SpinDone, 1)
    assert (done.outcome, done.sector) == (SpinOutcome.CANCELLED, SECTOR_UNKNOWN)
    master.wait(1)
    assert len(master.subject.seen().steps) == 0
    assert master.ask(Status(), StatusReply).spinner == SpinnerState.NOT_HOMED


def test_the_motor_has_power_only_while_it_turns(make_subject: MakeSubject) -> None:
    subject = make_subject(0)
    subject.watch()
    host = Master(subject)
    host.run(0.1)
    host.hello()
    homed(host)
    host.wait(1)
    spin(host, 2)
    host.wait(1)
    power = [p for p in subject.seen().power if p[0] > 0.05]
    assert [on for _, on in power] == [True, False, True, False]
