"""The host's side of the protocol, as plain as the tests need it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from referee.box.protocol import (
    BAUD,
    EVENTS,
    HEARTBEAT_MS,
    MAX_PAYLOAD,
    PROTOCOL,
    RESEND_MS,
    Command,
    Event,
    Hello,
    HelloReply,
    Ping,
    PingReply,
    Refusal,
    Reply,
    ack_frame,
    command_frame,
    read_event,
    read_reply,
)
from referee.box.wire import Deframer, Frame
from tests.firmware.subjects import Subject

E = TypeVar("E", bound=Event)
R = TypeVar("R", bound=Reply)
TRIES = 6
BITS_A_BYTE = 10


class UnansweredError(Exception):
    """A command was sent so often as is allowed, and nothing came back."""


class Master:
    """Speaks to a subject: one command at a time, sent again until answered; takes events once."""

    def __init__(self, subject: Subject, *, line: Callable[[bytes], bytes] = bytes) -> None:
        """`line` is what the line makes of a frame that is sent."""
        self.subject = subject
        self.events: list[Event] = []
        self.boot: HelloReply | None = None
        self.acknowledges = True
        #: All frames that came, with the time of their arrival.
        self.log: list[tuple[float, Frame]] = []
        self._line = line
        self._deframer = Deframer(MAX_PAYLOAD)
        self._sequence = 0
        self._session = 0
        self._next_event: int | None = None
        self._pending = b""
        self._spoke = 0.0

    def hello(self) -> HelloReply:
        """Opens a new session."""
        self._session += 1
        reply = self.ask(Hello(PROTOCOL, self._session), HelloReply)
        if self.boot is None or self.boot.boot_id != reply.boot_id:
            self._next_event = reply.next_event
        self.boot = reply
        return reply

    def ask(self, command: Command, kind: type[R]) -> R:
        """Has a command done; returns its reply, which must not be a refusal."""
        reply = self.try_to(command)
        assert isinstance(reply, kind), f"{command} was answered with {reply}"
        return reply

    def try_to(self, command: Command) -> Reply | Refusal:
        """Sends a command until it is answered; UnansweredError after TRIES."""
        self._sequence = (self._sequence + 1) % 256
        frame = command_frame(self._sequence, command)
        for _ in range(TRIES):
            self._spoke = self.subject.now
            self.send(frame)
            until = self.subject.now + RESEND_MS / 1000
            while self.subject.now < until - 1e-6:
                for came in self.run(until - self.subject.now, until_frame=True):
                    if (came.sequence, came.type) == (frame.sequence, frame.type | 0x40):
                        return read_reply(came)
        raise UnansweredError(str(command))

    def send(self, frame: Frame) -> None:
        """Puts a frame on the line when time next passes."""
        self._pending += self._line(frame.to_bytes())

    def run(self, seconds: float, *, until_frame: bool = False) -> list[Frame]:
        """Lets time pass without sending more than is pending; returns the replies that came."""
        data = self.subject.run(seconds, self._pending, until_frame=until_frame)
        self._pending = b""
        replies = []
        for frame in self._deframer.feed(data):
            self.log.append((self.subject.now, frame))
            if frame.type in EVENTS:
                self._take(frame)
            else:
                replies.append(frame)
        return replies

    def clock_offset(self, rate: float = 1) -> float:
        """Returns the box's clock minus rate times true time (s), by a PING whose arrival is known.

        The line is quick and exact here, as no real one is.
        """
        self.run(0.01)  # what was pending has arrived
        length = len(command_frame(0, Ping()).to_bytes())
        arrives = self.subject.now + length * BITS_A_BYTE / BAUD
        return self.ask(Ping(), PingReply).received_us / 1e6 - arrives * rate

    def wait(self, seconds: float) -> None:
        """Lets time pass, with the heartbeat."""
        until = self.subject.now + seconds
        while self.subject.now < until - 1e-6:
            self._until(min(until, self._beat()))

    def wait_for(self, kind: type[E], seconds: float) -> E:
        """Waits for the next event of a kind, with the heartbeat; fails if none comes in time."""
        until = self.subject.now + seconds
        while True:
            for event in self.events:
                if isinstance(event, kind):
                    self.events.remove(event)
                    return event
            if self.subject.now >= until - 1e-6:
                raise AssertionError(f"no {kind.__name__} in {seconds} s, but {self.events}")
            self._until(min(until, self._beat()), len(self.events))

    def _beat(self) -> float:
        """Sends the heartbeat if it is due; returns when the next one is."""
        if self.subject.now >= self._spoke + HEARTBEAT_MS / 1000 - 1e-6:
            self.ask(Ping(), PingReply)
        return self._spoke + HEARTBEAT_MS / 1000

    def _until(self, then: float, events: int | None = None) -> None:
        """Runs until then, or until there are more than so many events."""
        while self.subject.now < then - 1e-9 and (events is None or len(self.events) <= events):
            self.run(then - self.subject.now, until_frame=True)

    def _take(self, frame: Frame) -> None:
        if not self.acknowledges or self._next_event is None:
            return
        self.send(ack_frame(frame.sequence))
        if frame.sequence == self._next_event:
            self._next_event = (frame.sequence + 1) % 256
            self.events.append(read_event(frame))
