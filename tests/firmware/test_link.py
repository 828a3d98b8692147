"""Sessions, commands that are done at most once, events that are sent until acknowledged."""

from __future__ import annotations

import itertools

import pytest

from referee.box.protocol import (
    HOST_SILENT_MS,
    PROTOCOL,
    RESEND_MS,
    Board,
    Booted,
    Button,
    Cancel,
    CancelReply,
    Hello,
    HelloReply,
    Hourglass,
    HourglassReply,
    Light,
    LightMode,
    LightReply,
    LinkLost,
    Parts,
    Pattern,
    Ping,
    PingReply,
    Pressed,
    Refusal,
    ResetCause,
    Result,
    Sectors,
    Spin,
    Status,
    StatusReply,
    ack_frame,
    command_frame,
    read_reply,
)
from referee.box.wire import Frame
from tests.firmware.machine import Reset
from tests.firmware.master import Master
from tests.firmware.subjects import Can, Subject

RED = Light(LightMode.STEADY, 255, 0, 0, 0)


def answers(host: Master, frame: Frame, seconds: float = 0.1) -> list[Frame]:
    """Sends one frame; returns the replies of the next 100 ms."""
    host.send(frame)
    return host.run(seconds)


def test_hello_tells_who_speaks(subject: Subject) -> None:
    host = Master(subject)
    host.run(0.5)
    reply = host.hello()
    assert reply.protocol == PROTOCOL
    assert reply.board in set(Board)
    assert reply.reset_cause == ResetCause.POWER_ON
    assert reply.uptime_ms == pytest.approx(500, abs=20)


def test_the_start_is_told_first(subject: Subject) -> None:
    host = Master(subject)
    host.run(0.1)
    reply = host.hello()
    host.run(2 * RESEND_MS / 1000)
    assert [type(e) for e in host.events] == [Booted]
    (booted,) = host.events
    assert isinstance(booted, Booted)
    assert booted.boot_id == reply.boot_id
    assert not booted.glass_resumed


def test_without_hello_nothing_is_done(subject: Subject) -> None:
    host = Master(subject)
    host.run(0.1)
    assert host.try_to(RED) == Refusal(Result.NO_SESSION)
    host.hello()
    assert host.ask(Status(), StatusReply).active == Parts(0)


def test_another_version_is_refused_with_the_own_one(subject: Subject) -> None:
    host = Master(subject)
    host.run(0.1)
    assert host.try_to(Hello(PROTOCOL + 1, 9)) == Refusal(Result.WRONG_PROTOCOL, PROTOCOL)
    assert host.try_to(RED) == Refusal(Result.NO_SESSION)


def test_a_repeated_command_is_answered_again_but_not_done_again(master: Master) -> None:
    master.ask(RED, LightReply)
    cancel = command_frame(100, Cancel(Parts.LIGHT))
    master.send(command_frame(99, Hello(PROTOCOL, 500)))
    master.run(0.1)
    (first,) = answers(master, cancel)
    assert read_reply(first) == CancelReply(Parts.LIGHT)
    # Done again, it would find no light to stop.
    (second,) = answers(master, cancel)
    assert second == first
    assert answers(master, Frame(101, 0x3F))[0].payload[0] == Result.UNKNOWN_COMMAND


def test_a_command_out_of_order_is_refused_and_not_done(master: Master) -> None:
    master.send(command_frame(10, Hello(PROTOCOL, 500)))
    master.run(0.1)
    for sequence in (9, 10, 12, 200):
        (reply,) = answers(master, command_frame(sequence, RED))
        assert read_reply(reply) == Refusal(Result.OUT_OF_ORDER)
    (reply,) = answers(master, command_frame(11, Status()))
    status = read_reply(reply)
    assert isinstance(status, StatusReply)
    assert status.active == Parts(0)


def test_a_late_copy_takes_nothing_from_the_command_after_it(master: Master) -> None:
    master.send(command_frame(0, Hello(PROTOCOL, 500)))
    master.run(0.1)
    master.send(command_frame(1, RED))
    (before,) = master.run(0.1)
    (reply,) = answers(master, command_frame(2, Cancel(Parts.LIGHT)))
    answers(master, command_frame(1, RED))
    answers(master, command_frame(0, Hello(PROTOCOL, 500)))
    assert answers(master, command_frame(2, Cancel(Parts.LIGHT))) == [reply]
    assert read_reply(reply) == CancelReply(Parts.LIGHT)
    assert read_reply(before) == LightReply()


def test_sequences_go_round(master: Master) -> None:
    master.send(command_frame(254, Hello(PROTOCOL, 500)))
    master.run(0.1)
    for sequence in (255, 0, 1):
        (reply,) = answers(master, command_frame(sequence, Status()))
        assert isinstance(read_reply(reply), StatusReply)


@pytest.mark.parametrize(
    ("frame", "result", "detail"),
    [
        (Frame(1, 0x3E), Result.UNKNOWN_COMMAND, 0),
        (Frame(1, Ping.ID, b"x"), Result.BAD_LENGTH, 0),
        (Frame(1, Spin.ID, bytes([0, 1])), Result.BAD_LENGTH, 0),
        (Frame(1, Spin.ID, bytes([0, 0, 0])), Result.OUT_OF_RANGE, 1),
        (Frame(1, Spin.ID, bytes([0, 1, 3])), Result.OUT_OF_RANGE, 2),
        (Frame(1, Sectors.ID, bytes(3)), Result.BAD_LENGTH, 0),
        (Frame(1, Sectors.ID, bytes(50)), Result.BAD_LENGTH, 0),
        (Frame(1, Sectors.ID, bytes([5, 0, 4, 0])), Result.OUT_OF_RANGE, 0),
        (Frame(1, Hourglass.ID, bytes(11)), Result.OUT_OF_RANGE, 1),
    ],
)
def test_what_is_wrong_is_named(master: Master, frame: Frame, result: Result, detail: int) -> None:
    master.send(command_frame(0, Hello(PROTOCOL, 500)))
    master.run(0.1)
    (reply,) = answers(master, frame)
    assert reply == Frame(1, frame.type | 0x40, bytes([result, detail]))


def test_ping_tells_when_it_came_and_when_the_answer_left(master: Master) -> None:
    master.wait(0.3)
    master.ask(Ping(), PingReply)
    before = master.subject.now
    first = master.ask(Ping(), PingReply)
    master.run(1 - (master.subject.now - before))
    second = master.ask(Ping(), PingReply)
    # The second one was sent exactly a second after the first.
    assert (second.received_us - first.received_us) == pytest.approx(1e6, abs=100)
    assert 0 <= first.sent_us - first.received_us < 3000


def test_an_event_is_sent_until_it_is_acknowledged(master: Master) -> None:
    master.acknowledges = False
    master.subject.press(Button.JUDGE, True)
    start = master.subject.now
    while master.subject.now < start + 1:
        master.run(RESEND_MS / 1000, until_frame=True)
    seen = [(at, f) for at, f in master.log if f.type == Pressed.ID]
    assert len({f.sequence for _, f in seen}) == 1
    assert len({f.payload for _, f in seen}) == 1
    assert 5 <= len(seen) <= 8
    gaps = [b[0] - a[0] for a, b in itertools.pairwise(seen)]
    assert gaps == pytest.approx([RESEND_MS / 1000] * len(gaps), abs=0.005)
    master.send(ack_frame(seen[0][1].sequence))
    master.run(0.05)
    count = len(master.log)
    master.run(0.5)
    assert len(master.log) == count


def test_events_come_in_order_and_once(master: Master) -> None:
    master.events.clear()
    master.acknowledges = False
    for button in (Button.STOP, Button.JUDGE, Button.STOP):
        for down in (True, False):
            master.subject.press(button, down)
            master.run(0.05)
    master.acknowledges = True
    master.wait(1)
    pressed = [e for e in master.events if isinstance(e, Pressed)]
    assert [e.button for e in pressed] == [Button.STOP, Button.JUDGE, Button.STOP]
    assert sorted(e.at_us for e in pressed) == [e.at_us for e in pressed]
    assert master.ask(Status(), StatusReply).events_waiting == 0


def test_the_sequences_of_events_go_round(master: Master) -> None:
    for i in range(270):
        for down in (True, False):
            master.subject.press(Button(i % 2), down)
            master.wait(0.03)
    master.wait(0.1)
    pressed = [e.button for e in master.events if isinstance(e, Pressed)]
    assert pressed == [Button(i % 2) for i in range(270)]


def test_events_wait_for_a_host_that_is_away(master: Master) -> None:
    master.events.clear()
    master.run(2 * HOST_SILENT_MS / 1000)
    master.subject.press(Button.STOP, True)
    master.run(1)
    master.hello()
    master.wait(0.5)
    assert [type(e) for e in master.events] == [LinkLost, Pressed]


def test_without_a_session_nothing_is_sent(subject: Subject) -> None:
    assert subject.run(3) == b""


def test_presses_leave_room_for_the_rest(master: Master) -> None:
    master.events.clear()
    master.ask(Hourglass(7, 3000, 0, Pattern.NONE, 1, 0), HourglassReply)
    master.acknowledges = False
    for _ in range(20):
        for down in (True, False):
            master.subject.press(Button.STOP, down)
            master.run(0.03)
    master.run(5)
    master.acknowledges = True
    master.hello()
    master.wait(1)
    kinds = [type(e).__name__ for e in master.events]
    assert kinds.count("Pressed") == 7
    assert {"GlassEnded", "LinkLost"} <= set(kinds)
    assert master.ask(Status(), StatusReply).events_lost == 13


def test_a_new_session_keeps_the_state(master: Master) -> None:
    master.ask(RED, LightReply)
    before = master.boot
    after = master.hello()
    assert before is not None
    assert after.boot_id == before.boot_id
    assert master.ask(Status(), StatusReply).active == Parts.LIGHT


def test_damaged_frames_are_counted_and_dropped(master: Master) -> None:
    good = command_frame(1, Status()).to_bytes()
    flipped = good[:2] + bytes([good[2] ^ 1]) + good[3:]
    bad = [flipped, b"\x01\x00", b"\xff\x01\x00", b"x" * 80 + b"\0"]
    before = master.ask(Status(), StatusReply).bad_frames
    master.subject.run(0.1, b"".join(bad) + b"\0\0\0")
    assert master.ask(Status(), StatusReply).bad_frames == before + len(bad)


@pytest.mark.needs(Can.RESET)
def test_an_acknowledgement_of_before_a_reset_takes_no_event(master: Master) -> None:
    master.subject.reset(Reset.EXTERNAL)
    master.run(0.1)
    for sequence in range(256):
        master.send(ack_frame(sequence))
    master.run(0.3)
    master.hello()
    master.wait(0.3)
    assert [type(e) for e in master.events] == [Booted]


@pytest.mark.needs(Can.RESET)
def test_after_a_reset_the_host_notices_at_once(master: Master) -> None:
    before = master.boot
    assert before is not None
    master.subject.reset(Reset.EXTERNAL)
    master.run(0.1)
    assert master.try_to(Status()) == Refusal(Result.NO_SESSION)
    after = master.ask(Hello(PROTOCOL, 999), HelloReply)
    assert after.boot_id != before.boot_id
    assert after.reset_cause == ResetCause.EXTERNAL
