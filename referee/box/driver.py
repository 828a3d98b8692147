"""Keeps a session with the box: finds it, greets it, keeps it awake, finds it again.

All of it happens in `step`, which takes milliseconds; other threads only hand in jobs.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
from collections import deque
from collections.abc import Callable
from enum import Enum, auto

from referee.box.clock import ClockMap
from referee.box.errors import (
    BoxError,
    ClosedError,
    LinkLostError,
    NotABoxError,
    RefusedError,
    WrongProtocolError,
)
from referee.box.firmware import committed_hash
from referee.box.happenings import (
    Connected,
    Disconnected,
    EventsMissed,
    Happening,
    StateLost,
    Told,
)
from referee.box.hostclock import HostClock
from referee.box.ports import Port
from referee.box.protocol import (
    HEARTBEAT_MS,
    HELLO_FOR_MS,
    PROTOCOL,
    Event,
    Glass,
    GlassReply,
    Hello,
    HelloReply,
    Ping,
    PingReply,
    Result,
)
from referee.box.session import Job, Session, SessionEndedError
from referee.games.said import joined, say

_log = logging.getLogger(__name__)

#: Pauses between tries to open the port; the last one goes on. (s)
PAUSES = (0.1, 0.25, 0.5, 1.0, 2.0)
#: So many round trips at once at the start, then so many a little apart, then the heartbeat.
TRIPS_AT_ONCE, TRIPS_AT_START, TRIP_PAUSE_S = 32, 64, 0.1
#: A heartbeat waits for the user's commands, but not longer. (s)
PATIENCE_S = 0.25


class State(Enum):
    """How the link is."""

    #: No port is open.
    DOWN = auto()
    #: A port is open, HELLO is tried.
    GREETING = auto()
    #: The box speaks.
    UP = auto()
    #: Closed by this program.
    CLOSED = auto()


class Driver:
    """`opened` opens the port, or raises a BoxError; `happened` is called for all that happens.

    error: Why there is no session, if there is none.
    hello: What the box said of itself last.
    glass: What the box said of its hourglass when this session began, and when that was (s).
    sessions: How many sessions there were.
    """

    def __init__(
        self,
        opened: Callable[[], Port],
        clock: HostClock,
        happened: Callable[[Happening], None],
    ) -> None:
        self.state = State.DOWN
        self.error: BoxError | None = None
        self.hello: HelloReply | None = None
        self.glass: tuple[GlassReply, float] | None = None
        self.clock_map = ClockMap()
        self.sessions = 0
        self._opened = opened
        self._clock = clock
        self._happened = happened
        self._jobs: deque[Job] = deque()
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._port: Port | None = None
        self._session: Session | None = None
        self._greeted = False
        self._greet_until = 0.0
        self._next_event: int | None = None
        self._trips = 0
        self._ping_at = 0.0
        self._retry_at = 0.0
        self._failures = 0
        self._told_down = False
        self._held: list[tuple[Event, float]] = []

    def submit(self, job: Job) -> None:
        """Has a job done; it fails at once if there is no port. Safe in any thread."""
        with self._lock:
            error = self.error if self.state in (State.DOWN, State.CLOSED) else None
            if error is None:
                self._jobs.append(job)
        if error is not None:
            job.fail(_not_connected(error))
            return
        self._woken.set()
        cancel = getattr(self._port, "cancel_read", None)
        if cancel is not None:
            # The port may be closed this very moment.
            with contextlib.suppress(OSError):
                cancel()

    def step(self) -> None:
        """Does what is due; waits a few milliseconds for bytes."""
        if self._session is None:
            self._try_to_open()
            return
        try:
            if self._session.idle and (job := self._next_job()) is not None:
                self._session.begin(job)
            self._session.step()
        except SessionEndedError:
            self._start_greeting()
        except BoxError as error:
            self.drop(error)
        except OSError as error:
            _log.debug("The port is gone: %s", error)
            what = say("The box was unplugged.")
            self.drop(LinkLostError(what, say("Plug it in again; it is found by itself.")))

    def drop(self, error: BoxError) -> None:
        """Closes the port; looks for the box again after a pause."""
        self._end(State.DOWN, error)
        pause = PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1
        self._retry_at = self._clock.now() + pause
        if not self._told_down:
            self._told_down = True
            _log.info("%s", error)
            self._happened(Disconnected(error))

    def close(self) -> None:
        """Closes the port for good. The pump must have stopped."""
        self._end(State.CLOSED, ClosedError(say("The box was closed."), say("Open it again.")))

    def _end(self, state: State, error: BoxError) -> None:
        with self._lock:
            self.state = state
            self.error = error
            jobs = list(self._jobs)
            self._jobs.clear()
        session, self._session = self._session, None
        port, self._port = self._port, None
        if session is not None:
            self._keep_next_event(session)
            session.give_up(error)
        for job in jobs:
            job.fail(_not_connected(error))
        self._tell_held()
        if port is not None:
            try:
                port.close()
            except OSError as trouble:
                _log.debug("The port did not close: %s", trouble)

    def _try_to_open(self) -> None:
        left = self._retry_at - self._clock.now()
        if left > 0:
            self._woken.clear()
            self._clock.wait(min(left, 0.1), self._woken)
            return
        try:
            port = self._opened()
        except BoxError as error:
            self.drop(error)
            return
        self._port = port
        self._session = Session(port, self._clock.now, self._take)
        self._start_greeting()

    def _start_greeting(self) -> None:
        """HELLO comes next. Events are not taken until it is known of which boot they are."""
        assert self._session is not None
        self._keep_next_event(self._session)
        self._greeted = False
        if self.state is not State.GREETING:
            self._greet_until = self._clock.now() + HELLO_FOR_MS / 1000
        with self._lock:
            self.state = State.GREETING

    def _keep_next_event(self, session: Session) -> None:
        if session.next_event is not None:
            self._next_event, session.next_event = session.next_event, None

    def _next_job(self) -> Job | None:
        now = self._clock.now()
        if self.state is State.GREETING:
            if self._greeted:
                return Job(Glass(), then=self._take_glass)
            if now >= self._greet_until:
                raise NotABoxError(
                    say("The port opens, but no box answers."),
                    say("If the port is the box's, flash it: referee box flash."),
                )
            return Job(Hello(PROTOCOL, 1 + secrets.randbelow(0xFFFF)), then=self._take_hello)
        if now < self._ping_at + PATIENCE_S:
            with self._lock:
                while self._jobs:
                    # One that was waited for too long was told as failed, and is not done.
                    if not (job := self._jobs.popleft()).finished:
                        return job
        return Job(Ping(), then=self._take_ping) if now >= self._ping_at else None

    def _take_hello(self, job: Job) -> None:
        if isinstance(job.error, RefusedError) and job.error.result is Result.WRONG_PROTOCOL:
            raise WrongProtocolError(
                say(
                    "The box refuses version {protocol} of the protocol, which this program "
                    "speaks.",
                    protocol=PROTOCOL,
                ),
                say("Flash it: referee box flash."),
            )
        hello = job.reply
        if not isinstance(hello, HelloReply):
            return
        assert self._session is not None
        before, self.hello = self.hello, hello
        if before is not None and before.boot_id == hello.boot_id:
            self._resume_events(hello.next_event)
        else:
            self._tell_held()
            self.clock_map = ClockMap()
            self._next_event = hello.next_event
        self._session.next_event = self._next_event
        self._greeted = True
        self._trips = 0
        self._ping_at = self._clock.now()
        if before is not None and before.boot_id != hello.boot_id:
            _log.info("The box was reset (%s).", hello.reset_cause.name)
            self._happened(StateLost(hello))

    def _resume_events(self, oldest: int) -> None:
        """Goes on with the awaited event, or with the box's oldest if another program took it."""
        assert self._next_event is not None
        ahead = (oldest - self._next_event) % 256
        # 255: the oldest was taken, and its acknowledgement was lost.
        if ahead not in (0, 255):
            self._next_event = oldest
            self._happened(EventsMissed(ahead))

    def _take_glass(self, job: Job) -> None:
        # A reply that had to be asked for twice may be old: it is asked again.
        if not isinstance(job.reply, GlassReply) or job.tries > 1:
            return
        assert self.hello is not None
        self.glass = (job.reply, (job.sent + job.answered) / 2)
        with self._lock:
            self.state = State.UP
            self.error = None
        self.sessions += 1
        self._failures = 0
        if self._told_down or self.sessions == 1:
            self._told_down = False
            warning = oddity(self.hello)
            if warning:
                _log.info("%s", warning)
            self._happened(Connected(self.hello, warning))
        self._tell_mapped()

    def _take_ping(self, job: Job) -> None:
        now = self._clock.now()
        if isinstance(job.reply, PingReply) and job.tries == 1:
            reply = job.reply
            self.clock_map.add(job.sent, job.answered, reply.received_us, reply.sent_us)
            self._trips += 1
        if self._trips < TRIPS_AT_ONCE:
            self._ping_at = now
        else:
            self._tell_held()
            early = self._trips < TRIPS_AT_START
            self._ping_at = now + (TRIP_PAUSE_S if early else HEARTBEAT_MS / 1000)

    def _take(self, event: Event) -> None:
        self._held.append((event, self._clock.now()))
        self._tell_mapped()

    def _tell_mapped(self) -> None:
        # Of a new boot a stamp can be mapped well only after some round trips.
        if self.state is State.UP and len(self.clock_map) >= TRIPS_AT_ONCE:
            self._tell_held()

    def _tell_held(self) -> None:
        held, self._held = self._held, []
        for event, came in held:
            at = self.clock_map.host_time(event.at_us, came) if self.clock_map.ready else came
            self._happened(Told(event, at))


def oddity(hello: HelloReply) -> str:
    """Returns what is odd about the firmware of a box; empty if nothing is."""
    if hello.source_hash == committed_hash():
        return ""
    return (
        f"The box's firmware ({hello.source_hash:08x}) is not the one that belongs to this program "
        f"({committed_hash():08x}). To change that: referee box flash."
    )


def _not_connected(error: BoxError) -> BoxError:
    if isinstance(error, ClosedError):
        return error
    return LinkLostError(joined([say("The box is not connected."), error.what]), error.remedy)
