"""The board's side of the session: each command once, each event until acknowledged, silence."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from referee.box.fake.timers import BoardClock, Timer
from referee.box.protocol import (
    COMMANDS,
    HOST_SILENT_MS,
    RESEND_MS,
    Command,
    Event,
    EventAck,
    Hello,
    HelloReply,
    PingReply,
    Pressed,
    Refusal,
    Reply,
    Result,
    event_frame,
    read_command,
    reply_frame,
)
from referee.box.wire import Frame, ProtocolError, RangeError

#: Presses may fill all but the last places, so that the end of an hourglass always finds one.
PLACES, PLACES_FOR_PRESSES = 12, 7
COUNT_MAX = 0xFFFF
#: Types below this go from host to box and want an answer.
FIRST_REPLY = 0x40

Answer = Reply | Refusal


class EventQueue:
    """Events wait here until the host has acknowledged them. `sequence` is the oldest one's."""

    def __init__(self) -> None:
        self.waiting: deque[Event] = deque()
        self.sequence = 1
        self.lost = 0

    def add(self, event: Event) -> None:
        """Puts an event at the end; without room it is lost and counted."""
        room = PLACES_FOR_PRESSES if isinstance(event, Pressed) else PLACES
        if len(self.waiting) >= room:
            self.lost = min(self.lost + 1, COUNT_MAX)
        else:
            self.waiting.append(event)

    def acknowledge(self, sequence: int) -> bool:
        """Takes away the oldest event if it has this sequence; returns whether it had."""
        if not self.waiting or sequence != self.sequence:
            return False
        self.waiting.popleft()
        self.sequence = (self.sequence + 1) % 256
        return True


class BoardLink:
    """`do` carries out a command; `send` puts a frame on the line and returns when it begins (ns).

    `up`: there is a session and the host is not silent.
    """

    def __init__(
        self,
        clock: BoardClock,
        *,
        protocol: int,
        do: Callable[[Command], Answer],
        hello: Callable[[int], HelloReply],
        send: Callable[[Frame], int],
        line_free_at: Callable[[], int],
        on_lost: Callable[[], None],
    ) -> None:
        self.up = False
        self.events = EventQueue()
        self._clock = clock
        self._protocol = protocol
        self._do = do
        self._hello = hello
        self._send = send
        self._line_free_at = line_free_at
        self._on_lost = on_lost
        self._session = 0
        self._last: tuple[int, int] | None = None
        self._last_sequence = 0
        self._kept: Answer = Refusal(Result.NO_SESSION)
        self._silence: Timer | None = None
        self._resend: Timer | None = None

    def boot(self) -> None:
        """No session, no events."""
        self.freeze()
        self.up = False
        self.events = EventQueue()
        self._session = 0
        self._last = None

    def freeze(self) -> None:
        """The firmware hangs: nothing is sent any more."""
        for timer in (self._silence, self._resend):
            if timer is not None:
                timer.cancel()
        self._silence = self._resend = None

    def tell(self, event: Event) -> None:
        """Has an event reach the host, sooner or later."""
        self.events.add(event)
        if self._resend is None:
            self._send_event()

    def receive(self, frame: Frame) -> None:
        """Takes a valid frame that has just arrived."""
        was_up = self.up
        self.up = self._session != 0
        self._heard()
        if frame.type == EventAck.ID:
            # Without a session it is meant for an event of before the last reset.
            if self.up and not frame.payload and self.events.acknowledge(frame.sequence):
                self._next_event()
        elif frame.type < FIRST_REPLY:
            if frame.type == Hello.ID:
                self._answer_hello(frame)
            else:
                self._answer(frame)
        if self.up and not was_up:
            self._next_event()

    def _heard(self) -> None:
        if self._silence is not None:
            self._silence.cancel()
        self._silence = self._clock.after(HOST_SILENT_MS, self._lost)

    def _lost(self) -> None:
        self._silence = None
        if self.up:
            self.up = False
            self._on_lost()

    def _answer_hello(self, frame: Frame) -> None:
        command = self._read(frame)
        if isinstance(command, Refusal):
            self._reply(frame, command)
        elif isinstance(command, Hello) and command.protocol != self._protocol:
            self._reply(frame, Refusal(Result.WRONG_PROTOCOL, self._protocol))
        elif isinstance(command, Hello):
            self.up = True
            self._heard()
            self._reply(frame, self._hello(self.events.sequence))
            if command.session != self._session:
                self._session = command.session
                self._last_sequence = frame.sequence
                self._last = None
                self._next_event()

    def _answer(self, frame: Frame) -> None:
        if self._session == 0:
            self._reply(frame, Refusal(Result.NO_SESSION))
            return
        if (frame.sequence, frame.type) != self._last:
            if frame.sequence != (self._last_sequence + 1) % 256:
                self._reply(frame, Refusal(Result.OUT_OF_ORDER))
                return
            command = self._read(frame)
            self._kept = command if isinstance(command, Refusal) else self._do(command)
            self._last_sequence = frame.sequence
            self._last = (frame.sequence, frame.type)
        if isinstance(self._kept, PingReply):
            # Its stamp means nothing if other bytes go first.
            sent = self._clock.us(max(self._line_free_at(), self._clock.timers.now))
            self._kept = PingReply(self._kept.received_us, sent)
        self._reply(frame, self._kept)

    def _read(self, frame: Frame) -> Command | Refusal:
        if frame.type not in COMMANDS:
            return Refusal(Result.UNKNOWN_COMMAND)
        try:
            return read_command(frame)
        except RangeError as error:
            # A list that is too short or too long has no wrong field, but a wrong length.
            field = COMMANDS[frame.type].FIELDS[error.index]
            if field.count is not None and not _fits(frame, field.count):
                return Refusal(Result.BAD_LENGTH)
            return Refusal(Result.OUT_OF_RANGE, error.index)
        except ProtocolError:
            return Refusal(Result.BAD_LENGTH)

    def _reply(self, frame: Frame, answer: Answer) -> None:
        self._send(reply_frame(frame.sequence, frame.type, answer))

    def _next_event(self) -> None:
        if self._resend is not None:
            self._resend.cancel()
        self._send_event()

    def _send_event(self) -> None:
        self._resend = None
        if self.up and self.events.waiting:
            self._send(event_frame(self.events.sequence, self.events.waiting[0]))
            self._resend = self._clock.after(RESEND_MS, self._send_event)


def _fits(frame: Frame, count: tuple[int, int]) -> bool:
    """Whether a payload of 16-bit numbers has as many as may be."""
    return len(frame.payload) % 2 == 0 and count[0] <= len(frame.payload) // 2 <= count[1]
