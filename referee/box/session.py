"""One session with the box over an open port: a command at a time, events each once.

Nothing here waits: `step` reads what has come and sends what is due. Commands are sent again,
unchanged, until answered; the box does each at most once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from referee.box.errors import REFUSALS, BoxError, LinkLostError, RefusedError, StateLostError
from referee.box.ports import Port
from referee.box.protocol import (
    BAUD,
    EVENTS,
    MAX_PAYLOAD,
    RESEND_MS,
    Command,
    Event,
    EventAck,
    Refusal,
    Reply,
    Result,
    ack_frame,
    command_frame,
    read_event,
    read_reply,
)
from referee.box.wire import Deframer, Frame, ProtocolError
from referee.games.said import say

_log = logging.getLogger(__name__)

#: A command is sent so often before it is given up.
TRIES = 10
#: A start bit, eight bits, a stop bit.
BYTE_S = 10 / BAUD
REPLY_BIT = 0x40
FIRST_EVENT = 0x80


@dataclass
class Job:
    """A command on its way. `finished` comes with a `reply` or an `error`.

    sent, answered: When its last byte left, and the reply's first came, if it was sent once. (s)
    """

    command: Command
    finished: bool = False
    reply: Reply | None = None
    error: BoxError | None = None
    tries: int = 0
    sent: float = 0.0
    answered: float = 0.0
    then: Callable[[Job], None] | None = field(default=None, repr=False)

    def finish(self, reply: Reply | None = None, error: BoxError | None = None) -> None:
        """Ends it, once."""
        if not self.finished:
            self.reply, self.error, self.finished = reply, error, True
            if self.then is not None:
                self.then(self)

    def fail(self, error: BoxError) -> None:
        """Ends it with an error; it may have been done if it was ever sent."""
        told = type(error)(error.what, error.remedy)
        told.unsure = self.tries > 0
        self.finish(error=told)


class SessionEndedError(Exception):
    """The box has forgotten the session, or does not answer: HELLO comes next."""


class Session:
    """`take` is called for each event, once.

    next_event: The sequence of the event that is awaited; None: none is taken.
    """

    def __init__(self, port: Port, now: Callable[[], float], take: Callable[[Event], None]) -> None:
        self.next_event: int | None = None
        self._port = port
        self._now = now
        self._take = take
        self._deframer = Deframer(MAX_PAYLOAD)
        self._sequence = 0
        self._job: Job | None = None
        self._frame = Frame(0, 0)
        self._resend_at = 0.0

    @property
    def idle(self) -> bool:
        """Whether no command is on its way."""
        return self._job is None

    def begin(self, job: Job) -> None:
        """Sends a command; none must be on its way."""
        assert self._job is None
        self._sequence = (self._sequence + 1) % 256
        try:
            self._frame = command_frame(self._sequence, job.command)
        except ProtocolError as error:
            # Nothing was sent, so the sequence is still free.
            self._sequence = (self._sequence - 1) % 256
            job.finish(error=RefusedError(error.what, error.remedy, Result.OUT_OF_RANGE))
            return
        self._job = job
        self._send()

    def step(self) -> None:
        """Sends what is due, reads what has come: waits for it up to READ_S.

        Raises SessionEndedError, or OSError if the port is gone.
        """
        if self._job is not None and self._now() >= self._resend_at:
            if self._job.tries >= TRIES:
                self.give_up(
                    LinkLostError(
                        say("The box did not answer."),
                        say("See that its cable is in; it is asked again by itself."),
                    )
                )
                raise SessionEndedError
            self._send()
        data = self._port.read(1)
        if more := self._port.in_waiting:
            data += self._port.read(more)
        if data:
            came = self._now()
            for frame in self._deframer.feed(data):
                self._receive(frame, came)

    def give_up(self, error: BoxError) -> None:
        """Fails the command that is on its way."""
        job, self._job = self._job, None
        if job is not None:
            job.fail(error)

    def _send(self) -> None:
        assert self._job is not None
        data = self._frame.to_bytes()
        # Before writing: if this thread is held up meanwhile, the round trip seems longer, not
        # shorter, and does not count.
        now = self._now()
        self._port.write(data)
        self._job.sent = now + len(data) * BYTE_S
        self._job.tries += 1
        self._resend_at = now + RESEND_MS / 1000

    def _receive(self, frame: Frame, came: float) -> None:
        if FIRST_EVENT <= frame.type < EventAck.ID:
            self._receive_event(frame)
        elif (
            self._job is not None
            and frame.sequence == self._frame.sequence
            and frame.type == self._frame.type | REPLY_BIT
        ):
            self._receive_reply(frame, came)

    def _receive_reply(self, frame: Frame, came: float) -> None:
        job = self._job
        assert job is not None
        job.answered = came - len(frame.to_bytes()) * BYTE_S
        try:
            reply = read_reply(frame)
        except ProtocolError as error:
            self._job = None
            job.finish(error=BoxError(error.what, error.remedy, unsure=True))
            return
        if not isinstance(reply, Refusal):
            self._job = None
            job.finish(reply)
        elif reply.result in (Result.NO_SESSION, Result.OUT_OF_ORDER):
            what, remedy = REFUSALS[reply.result]
            self.give_up(
                StateLostError(say("The box did not answer as awaited: {what}.", what=what), remedy)
            )
            raise SessionEndedError
        else:
            self._job = None
            what, remedy = REFUSALS[reply.result]
            name = type(job.command).__name__
            if reply.result is Result.OUT_OF_RANGE and reply.detail < len(job.command.FIELDS):
                what = say("{what} ({name})", what=what, name=job.command.FIELDS[reply.detail].name)
            job.finish(
                error=RefusedError(
                    say("The box refused {name}: {what}.", name=name, what=what),
                    remedy,
                    reply.result,
                )
            )

    def _receive_event(self, frame: Frame) -> None:
        # Before HELLO is answered it is not known of which boot it is: it will come again.
        if self.next_event is None:
            return
        self._port.write(ack_frame(frame.sequence).to_bytes())
        if frame.sequence != self.next_event:
            return
        self.next_event = (frame.sequence + 1) % 256
        if frame.type not in EVENTS:
            _log.warning("The box told an event of an unknown type, 0x%02x.", frame.type)
            return
        try:
            event = read_event(frame)
        except ProtocolError as error:
            _log.warning("The box told an event that can't be read: %s", error)
            return
        self._take(event)
