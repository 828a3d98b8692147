"""The piezo: tones, patterns, volume."""

from __future__ import annotations

import pytest

from referee.box.protocol import (
    SOUND_MAX_MS,
    Buzz,
    BuzzReply,
    Cancel,
    CancelReply,
    Hourglass,
    HourglassReply,
    Mute,
    MuteReply,
    Parts,
    Pattern,
    TimeLimit,
)
from tests.firmware.master import Master
from tests.firmware.subjects import Can

pytestmark = pytest.mark.needs(Can.SHOW)

#: Frequency (Hz) and length (s) of each tone.
PATTERNS = {
    Pattern.NONE: [],
    Pattern.TICK: [(2000, 0.03)],
    Pattern.YES: [(1319, 0.12), (1760, 0.2)],
    Pattern.NO: [(988, 0.15), (659, 0.25)],
    Pattern.ATTENTION: [(2000, 0.1)] * 3,
    Pattern.END: [(2500, 0.4)] * 3 + [(2500, 0.9)],
    Pattern.FANFARE: [(523, 0.15), (659, 0.15), (784, 0.15), (1047, 0.45)],
}


@pytest.mark.parametrize("pattern", Pattern)
def test_patterns_sound_as_written(master: Master, pattern: Pattern) -> None:
    master.subject.watch()
    master.ask(Buzz(pattern, 4), BuzzReply)
    master.wait(3.5)
    tones = master.subject.seen().tones
    assert [t.hz for t in tones] == pytest.approx([hz for hz, _ in PATTERNS[pattern]], rel=0.01)
    lengths = [length for _, length in PATTERNS[pattern]]
    assert [t.end - t.start for t in tones] == pytest.approx(lengths, abs=0.004)


@pytest.mark.needs(Can.PINS)
def test_the_duty_makes_the_volume(master: Master) -> None:
    master.subject.watch()
    for volume in (1, 2, 3, 4):
        master.ask(Buzz(Pattern.TICK, volume), BuzzReply)
        master.wait(0.2)
    duties = [t.duty for t in master.subject.seen().tones]
    assert duties == pytest.approx([1 / 64, 1 / 16, 1 / 4, 1 / 2], rel=0.05)


def test_mute_is_silence_and_can_be_undone_within_a_pattern(master: Master) -> None:
    master.subject.watch()
    master.ask(Mute(True), MuteReply)
    master.ask(Buzz(Pattern.END, 4), BuzzReply)
    master.wait(0.7)
    assert master.subject.seen().tones == []
    master.ask(Mute(False), MuteReply)
    master.wait(3)
    assert len(master.subject.seen().tones) == 3


def test_cancel_stops_it(master: Master) -> None:
    master.ask(Buzz(Pattern.END, 4), BuzzReply)
    master.wait(0.1)
    assert master.ask(Cancel(Parts.SOUND), CancelReply).stopped == Parts.SOUND
    master.subject.watch()
    master.wait(3)
    assert master.subject.seen().tones == []


def test_the_hourglass_goes_first(master: Master) -> None:
    master.ask(Hourglass(1, 1000, 0, Pattern.END, 4, 0), HourglassReply)
    master.wait(0.9)
    master.subject.watch()
    master.ask(Buzz(Pattern.FANFARE, 4), BuzzReply)
    master.wait(3.5)
    tones = master.subject.seen().tones
    assert [t.hz for t in tones[-4:]] == pytest.approx([2500] * 4, rel=0.01)
    # In the pauses of the end signal what is left of the fanfare is heard.
    assert tones[0].hz == pytest.approx(523, rel=0.01)


def test_a_host_that_never_stops_buzzing_is_stopped(master: Master) -> None:
    master.events.clear()
    master.subject.watch()
    start = master.subject.now
    while master.subject.now < start + SOUND_MAX_MS / 1000 - 0.1:
        master.ask(Buzz(Pattern.END, 4), BuzzReply)
        master.wait(0.3)
    master.wait(0.5)
    assert master.wait_for(TimeLimit, 1).parts == Parts.SOUND
    assert master.subject.seen().tones[-1].end - start < SOUND_MAX_MS / 1000 + 0.1
