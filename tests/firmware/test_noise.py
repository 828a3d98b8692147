"""Lines that damage, lose and double frames; bytes that mean nothing."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from referee.box.protocol import (
    MAX_PAYLOAD,
    PROTOCOL,
    Board,
    Cancel,
    CancelReply,
    Glass,
    GlassReply,
    GlassState,
    Hello,
    HelloReply,
    Hourglass,
    HourglassReply,
    Light,
    LightMode,
    LightReply,
    Parts,
    Pattern,
    Refusal,
    Result,
    Status,
    StatusReply,
    command_frame,
)
from referee.box.wire import Frame
from tests.firmware.conftest import MakeSubject
from tests.firmware.machine import Signal
from tests.firmware.master import Master, UnansweredError
from tests.firmware.subjects import Can, HostBuild, Subject

FAULTS = 0.05
#: On the quickest subject, and on the others.
MANY, SOME = 100_000, 1500
FUZZ_BYTES = 10_000_000


class BadLine:
    """Damages, loses or doubles one frame out of twenty, each way."""

    def __init__(self, subject: Subject, seed: int) -> None:
        self._subject = subject
        self._random = random.Random(seed)
        self._rest = b""
        self.can = subject.can
        self.faults = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._subject, name)

    def spoil(self, frame: bytes) -> bytes:
        """Returns what the line makes of a frame."""
        if self._random.random() >= FAULTS:
            return frame
        self.faults += 1
        kind = self._random.randrange(3)
        if kind == 0:
            at = self._random.randrange(len(frame) - 1)
            return (
                frame[:at] + bytes([frame[at] ^ self._random.randrange(1, 256)]) + frame[at + 1 :]
            )
        return b"" if kind == 1 else frame + frame

    def run(self, seconds: float, send: bytes = b"", *, until_frame: bool = False) -> bytes:
        """As the subject's, but for what the line does to frames that come back."""
        data = self._rest + self._subject.run(seconds, send, until_frame=until_frame)
        *frames, self._rest = data.split(b"\0")
        return b"".join(self.spoil(frame + b"\0") for frame in frames if frame)


@dataclass
class Model:
    """What the box must be like if each command was done exactly once."""

    lit: bool = False
    glass: int = 0
    started_us: int = 0
    duration_ms: int = 0
    failed: int = 0
    done: int = 0
    drawn: random.Random = field(default_factory=lambda: random.Random(1))

    def step(self, host: Master) -> None:
        """Has one command done that would not have the same effect, or answer, a second time."""
        kind = self.drawn.randrange(5)
        if kind == 0:
            host.ask(Light(LightMode.STEADY, 9, 9, 9, 0), LightReply)
            self.lit = True
        elif kind == 1:
            # The second time there would be nothing to stop.
            stopped = host.ask(Cancel(Parts.LIGHT), CancelReply).stopped
            assert stopped == (Parts.LIGHT if self.lit else Parts(0))
            self.lit = False
        elif kind == 2:
            # The second time it would begin later than the answer says.
            self.glass = self.glass % 60_000 + 1
            self.duration_ms = self.drawn.randrange(500_000, 1_800_000)
            command = Hourglass(self.glass, self.duration_ms, 0, Pattern.NONE, 1, 0)
            self.started_us = host.ask(command, HourglassReply).started_us
        elif kind == 3:
            self.check_glass(host)
        else:
            active = host.ask(Status(), StatusReply).active
            assert bool(active & Parts.LIGHT) == self.lit
        self.done += 1

    def check_glass(self, host: Master) -> None:
        """The hourglass is the last one, and began when its answer said."""
        reply = host.ask(Glass(), GlassReply)
        if self.glass and reply.state == GlassState.RUNNING:
            gone = (reply.asked_us - self.started_us) % 2**32 / 1000
            assert reply.glass_id == self.glass
            assert reply.remaining_ms == pytest.approx(self.duration_ms - gone, abs=3)

    def after_failure(self, host: Master) -> None:
        """A command was reported as failed: it may have been done, or not."""
        self.failed += 1
        while True:
            try:
                host.hello()
                self.lit = bool(host.ask(Status(), StatusReply).active & Parts.LIGHT)
                reply = host.ask(Glass(), GlassReply)
                break
            except UnansweredError:
                continue
        self.glass = reply.glass_id
        self.duration_ms = reply.duration_ms
        gone = (reply.duration_ms - reply.remaining_ms) * 1000
        self.started_us = (reply.asked_us - gone) % 2**32


def test_each_command_is_done_once_or_reported_failed(make_subject: MakeSubject) -> None:
    subject = make_subject(0)
    line = BadLine(subject, seed=7)
    host = Master(line, line=line.spoil)  # type: ignore[arg-type]
    model = Model()
    host.run(0.1)
    while host.boot is None:
        try:
            host.hello()
        except UnansweredError:
            continue
    count = MANY if Can.MANY in subject.can else SOME
    for _ in range(count):
        try:
            model.step(host)
        except UnansweredError:
            model.after_failure(host)
        host.log.clear()
    assert model.done + model.failed == count
    assert line.faults > FAULTS * count
    # A command fails when it, or its answer, is lost six times in a row.
    assert model.failed < count / 1000


def structured(source: random.Random) -> bytes:
    """Returns a frame whose CRC is right and whose content is not; never a HELLO that is."""
    payload = source.randbytes(source.randrange(MAX_PAYLOAD + 1))
    frame = Frame(source.randrange(256), source.randrange(2, 256), payload)
    data = bytearray(frame.to_bytes())
    if source.random() < 0.2:
        data[source.randrange(len(data))] = source.randrange(256)
    return bytes(data)


def out_of_range(source: random.Random, sequence: int) -> bytes:
    """Returns the next command of a session, with a field that is out of its range."""
    kind = source.choice(["light", "buzz", "spin", "hourglass", "cancel", "mute", "long"])
    payload = {
        "light": bytes([source.randrange(5, 256), 9, 9, 9, 9]),
        "buzz": bytes([source.randrange(7), source.choice([0, 5, 99, 255])]),
        "spin": bytes([source.randrange(24), source.randrange(11, 256), 0]),
        "hourglass": bytes(2) + b"\xff\xff\xff\xff" + bytes(5),
        "cancel": bytes([source.randrange(16, 256)]),
        "mute": bytes([source.randrange(2, 256)]),
        "long": source.randbytes(MAX_PAYLOAD),
    }[kind]
    kinds = {"light": 12, "buzz": 7, "spin": 11, "hourglass": 4, "cancel": 6, "mute": 8, "long": 10}
    return Frame(sequence, kinds[kind], payload).to_bytes()


def test_ten_megabytes_of_nonsense_move_nothing_and_make_no_sound() -> None:
    """On the build with sanitizers: a fault ends it."""
    source = random.Random(11)
    subject = HostBuild()
    sent = 0
    try:
        while sent < FUZZ_BYTES // 2:
            chunk = source.randbytes(1 << 17)
            subject.run(len(chunk) * 90e-6, chunk)
            sent += len(chunk)
        while sent < FUZZ_BYTES - 500_000:
            chunk = b"".join(structured(source) for _ in range(2000))
            subject.run(len(chunk) * 90e-6, chunk)
            sent += len(chunk)
        # Now in a session, where the box takes commands. Each wrong one uses up its sequence.
        subject.run(0.1, command_frame(0, Hello(PROTOCOL, 4711)).to_bytes())
        sequence = 0
        while sent < FUZZ_BYTES:
            sequences = [(sequence + i + 1) % 256 for i in range(2000)]
            sequence = sequences[-1]
            chunk = b"".join(out_of_range(source, s) for s in sequences)
            subject.run(len(chunk) * 90e-6, chunk)
            sent += len(chunk)
        changes = subject.machine.counts().changes
        assert changes[Signal.STEP] == 0
        # One each: switched off at the start.
        assert changes[Signal.TONE] <= 1
        assert changes[Signal.ENABLE] <= 1
        host = Master(subject)
        hello = host.ask(Hello(PROTOCOL, 12), HelloReply)
        assert hello.board == Board.HOST_BUILD
        status = host.ask(Status(), StatusReply)
        assert status.active == Parts(0)
        assert status.bad_frames > 10_000
    finally:
        subject.close()


def test_nonsense_leaves_the_box_as_it_was(make_subject: MakeSubject) -> None:
    """Less of it, on each subject: the next command is answered as if nothing had been."""
    source = random.Random(5)
    subject = make_subject(0)
    host = Master(subject)
    host.run(0.1)
    host.hello()
    for _ in range(20):
        subject.run(0.3, source.randbytes(2000) + b"".join(structured(source) for _ in range(20)))
        subject.run(0.01, b"\0")
        reply = host.try_to(Status())
        assert isinstance(reply, StatusReply) or reply == Refusal(Result.OUT_OF_ORDER)
        host.hello()
        assert host.ask(Status(), StatusReply).active == Parts(0)
