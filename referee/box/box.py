"""The box as the rest of the program knows it: hourglass, sound, light, arrow, buttons.

Every call is done once or raises a BoxError, whose `unsure` says whether it may have been done all
the same; none waits for ever. After the cable was pulled the box is found again by itself.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from typing import Self, TypeVar

from referee.box.draw import Dial, draw_sector
from referee.box.driver import Driver, State
from referee.box.errors import BoxError, ClosedError, LinkLostError, SpinnerError, StateLostError
from referee.box.happenings import Disconnected, Happening, StateLost, Told
from referee.box.hostclock import HostClock, RealClock
from referee.box.inbox import Inbox, Inboxes
from referee.box.ports import Comports, Port, find_port, lasting_name, open_port
from referee.box.protocol import (
    HELLO_FOR_MS,
    MOTOR_MAX_MS,
    Buzz,
    BuzzReply,
    Cancel,
    CancelReply,
    Command,
    GlassState,
    HelloReply,
    Home,
    Homed,
    HomeOutcome,
    HomeReply,
    Hourglass,
    HourglassReply,
    Light,
    LightMode,
    LightReply,
    Mute,
    MuteReply,
    Parts,
    Pattern,
    Profile,
    Reply,
    Sectors,
    SectorsReply,
    Spin,
    SpinDone,
    SpinnerState,
    SpinOutcome,
    SpinReply,
    Status,
    StatusReply,
)
from referee.box.pump import Pump, ThreadPump
from referee.box.results import HOME_TROUBLE, SPIN_TROUBLE, Drawn, RunningGlass, SpinResult
from referee.box.session import Job
from referee.games.said import joined, say

_log = logging.getLogger(__name__)

R = TypeVar("R", bound=Reply)
E = TypeVar("E", bound=Homed | SpinDone)
#: A command ends well within this time, done or failed: a greeting, and all its tries. (s)
COMMAND_S = 8.0
#: The arrow turns for MOTOR_MAX_MS at most; its event may be late. (s)
TURN_S = MOTOR_MAX_MS / 1000 + 3.0
#: Mapped stamps may be off by so much. (s)
SLACK_S = 0.005


class Box:
    """A box that is looked for when `connect` is called, or at `with`.

    port: What to open, see `find_port`; `fake://` is a box in this program.
    """

    def __init__(
        self,
        port: str | None = None,
        *,
        comports: Comports | None = None,
        opened: Callable[[str], Port] = open_port,
        clock: HostClock | None = None,
        pump: Pump | None = None,
    ) -> None:
        self.device = ""
        self._wanted = port
        self._comports = comports
        self._open = opened
        self._clock = clock or RealClock()
        self._pump = pump or ThreadPump()
        self._inboxes = Inboxes(self._pump)
        self._driver = Driver(self._find_and_open, self._clock, self._inboxes.put)
        self._started = False
        self._glass: RunningGlass | None = None
        self._glass_session = 0
        self._told: tuple[int, tuple[int, ...]] | None = None

    def __enter__(self) -> Self:
        try:
            self.connect()
        except BoxError:
            self.close()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def connect(self, seconds: float = COMMAND_S) -> HelloReply:
        """Finds the box and greets it; returns what it says of itself.

        Raises the BoxError that says why there is none, after the first try; the search goes on
        until `close`.
        """
        if not self._started:
            self._started = True
            self._pump.start(self._driver.step, self._failed)
        driver = self._driver
        self._pump.wait(lambda: driver.state is State.UP or driver.error is not None, seconds)
        if driver.state is State.UP and driver.hello is not None:
            return driver.hello
        raise driver.error or LinkLostError(
            say("The box is slow to answer."), say("Wait, and try again.")
        )

    def close(self) -> None:
        """Ends the link. A running hourglass ends and sounds by itself, all else stops."""
        if self._started:
            self._pump.stop()
        self._driver.close()
        self._inboxes.close()

    @property
    def connected(self) -> bool:
        """Whether the box speaks now."""
        return self._driver.state is State.UP

    @property
    def error(self) -> BoxError | None:
        """Why it does not; None if it does."""
        return self._driver.error

    @property
    def hello(self) -> HelloReply | None:
        """What the box said of itself last."""
        return self._driver.hello

    @property
    def clock_ppm(self) -> int | None:
        """By how much the box's clock runs fast; None: not known before two seconds have passed."""
        return self._driver.clock_map.ppm

    @property
    def quickest_trip(self) -> float | None:
        """The shortest round trip to the box so far (s); stamps are right to within half of it."""
        return self._driver.clock_map.quickest_trip

    def measure_clock(self, seconds: float = 8.0) -> int | None:
        """Waits until `clock_ppm` is known, at most so long; returns it."""
        driver = self._driver
        self._pump.wait(
            lambda: driver.clock_map.ppm is not None or driver.state is not State.UP, seconds
        )
        return self.clock_ppm

    def events(self) -> Inbox:
        """Returns an inbox of all that happens from now on, each once; close it when done."""
        return self._inboxes.new()

    def on_event(self, call: Callable[[Happening], None]) -> Inbox:
        """Has `call` called in a thread of its own for all that happens, until the inbox closes."""
        return self._inboxes.new(call)

    def status(self) -> StatusReply:
        """Returns all that can be known of the box."""
        return self._ask(Status(), StatusReply)

    def buzz(self, pattern: Pattern, volume: int = 3) -> None:
        """Sounds a pattern; volume 1 to 4."""
        self._ask(Buzz(pattern, volume), BuzzReply)

    def mute(self, muted: bool = True) -> None:
        """Switches all sound off or on, until the box is reset."""
        self._ask(Mute(muted), MuteReply)

    def light(
        self, mode: LightMode, colour: tuple[int, int, int] = (255, 255, 255), amount: int = 0
    ) -> None:
        """Sets what the ring shows while no hourglass runs: red, green, blue; for BAR how many."""
        self._ask(Light(mode, *colour, amount), LightReply)

    def cancel(self, parts: Parts) -> Parts:
        """Stops parts at once; returns those that were running."""
        stopped = self._ask(Cancel(parts), CancelReply).stopped
        if Parts.GLASS in parts:
            self._glass = None
            self._glass_session = self._driver.sessions
        return stopped

    def hourglass(
        self, seconds: float, *, warn_s: int = 3, pattern: Pattern = Pattern.END, volume: int = 3
    ) -> RunningGlass:
        """Starts an hourglass of 0.1 to 1800 s, in place of any other; it needs no host to end.

        If the link is lost while it is started, it is looked whether it runs: then it is taken up,
        and never started twice.
        """
        glass_id = self._new_glass_id()
        ppm = self.clock_ppm
        command = Hourglass(glass_id, round(seconds * 1000), warn_s, pattern, volume, ppm or 0)
        before = self._driver.sessions
        try:
            reply = self._ask(command, HourglassReply)
        except BoxError as error:
            if not error.unsure or not self._reconnected(before):
                raise
            running = self.glass()
            if running is None or running.glass_id != glass_id:
                raise type(error)(
                    error.what, joined([say("It was not started."), error.remedy])
                ) from error
            return running
        started = self._driver.clock_map.host_time(reply.started_us, self._clock.now())
        self._glass = RunningGlass(glass_id, seconds, started + seconds, False, ppm)
        self._glass_session = self._driver.sessions
        return self._glass

    def glass(self) -> RunningGlass | None:
        """Returns the hourglass that runs, None if none does; asks nobody.

        After the link was lost it is what the box then said of it.
        """
        if self._glass_session != self._driver.sessions:
            self._glass_session = self._driver.sessions
            self._glass = self._taken_up()
        if self._glass is not None and self._clock.now() >= self._glass.ends_at + SLACK_S:
            self._glass = None
        return self._glass

    def remaining(self) -> float:
        """Returns the seconds that are left of the hourglass; 0 if none runs."""
        running = self.glass()
        return max(running.ends_at - self._clock.now(), 0.0) if running else 0.0

    def home(self) -> None:
        """Turns the arrow to its sensor, slowly; returns when it is there."""
        sent = self._clock.now()
        with self.events() as inbox:
            self._ask(Home(), HomeReply)
            homed = self._awaited(inbox, Homed, sent)
        outcome = homed[0].outcome
        if outcome is not HomeOutcome.FOUND:
            what, remedy = HOME_TROUBLE[outcome]
            raise SpinnerError(what, remedy, outcome)

    def spin(
        self, dial: Dial, sector: int, *, turns: int = 3, profile: Profile = Profile.LONG
    ) -> SpinResult:
        """Turns the arrow to the middle of a sector, homing it first if need be.

        Returns when it stands; the camera's reading counts. Raises SpinnerError if it did not get
        there, StateLostError or LinkLostError if the box was lost meanwhile.
        """
        if not 0 <= sector < len(dial):
            raise ValueError(f"The dial has sectors 0 to {len(dial) - 1}, but no {sector}.")
        self._prepare(dial)
        sent = self._clock.now()
        with self.events() as inbox:
            self._ask(Spin(sector, turns, profile), SpinReply)
            done, at = self._awaited(inbox, SpinDone, sent)
        if done.outcome is not SpinOutcome.STOPPED:
            what, remedy = SPIN_TROUBLE[done.outcome]
            raise SpinnerError(what, remedy, done.outcome)
        return SpinResult(done.sector, dial.labels[done.sector], done.lost, at)

    def draw_and_spin(
        self,
        dial: Dial,
        log: Callable[[Drawn], None],
        *,
        turns: int = 3,
        draw: Callable[[Dial], int] = draw_sector,
    ) -> tuple[Drawn, SpinResult]:
        """Draws a sector, has `log` write it down, and only then turns the arrow to it."""
        sector = draw(dial)
        drawn = Drawn(sector, dial.labels[sector])
        _log.info("Drawn: sector %d (%s).", drawn.sector, drawn.label)
        log(drawn)
        return drawn, self.spin(dial, sector, turns=turns)

    def _prepare(self, dial: Dial) -> None:
        boot = self.hello.boot_id if self.hello else -1
        if self._told != (boot, dial.starts):
            self._ask(Sectors(dial.starts), SectorsReply)
            self._told = (boot, dial.starts)
        if self.status().spinner is SpinnerState.NOT_HOMED:
            self.home()

    def _awaited(self, inbox: Inbox, kind: type[E], since: float) -> tuple[E, float]:
        """Waits for the end of a movement that began at `since`; older ones are of others."""
        until = self._clock.now() + TURN_S
        while (left := until - self._clock.now()) > 0:
            if inbox.closed:
                raise ClosedError(
                    say("The box was closed while the arrow turned."),
                    say("Where the arrow stands is not known: spin it again."),
                    unsure=True,
                )
            match inbox.get(left):
                case Told(event, at) if isinstance(event, kind) and at >= since - SLACK_S:
                    return event, at
                case Disconnected(error):
                    raise LinkLostError(
                        joined([say("The link was lost while the arrow turned."), error.what]),
                        joined(
                            [
                                error.remedy,
                                say("Where the arrow stands is not known: spin it again."),
                            ]
                        ),
                        unsure=True,
                    )
                case StateLost():
                    raise StateLostError(
                        say("The box was reset while the arrow turned."),
                        say("Where the arrow stands is not known: spin it again."),
                        unsure=True,
                    )
        raise SpinnerError(say("The box never told that the arrow stands."), say("Spin it again."))

    def _ask(self, command: Command, kind: type[R]) -> R:
        """Has a command done; returns its reply."""
        if not self._started:
            raise LinkLostError(say("The box was never connected."), say("Call connect first."))
        job = Job(command)
        self._driver.submit(job)
        if not self._pump.wait(lambda: job.finished, COMMAND_S):
            # It may be sent this very moment.
            job.finish(
                error=LinkLostError(
                    say("The box did not answer in time."), say("Try again."), unsure=True
                )
            )
        if job.error is not None:
            raise job.error
        assert isinstance(job.reply, kind)
        return job.reply

    def _reconnected(self, sessions: int) -> bool:
        driver = self._driver
        return self._pump.wait(
            lambda: driver.sessions != sessions and driver.state is State.UP,
            HELLO_FOR_MS / 1000 + COMMAND_S,
        )

    def _taken_up(self) -> RunningGlass | None:
        if self._driver.glass is None:
            return None
        told, at = self._driver.glass
        if told.state is not GlassState.RUNNING:
            return None
        before = self._glass
        ppm = before.clock_ppm if before and before.glass_id == told.glass_id else None
        ends_at = at + told.remaining_ms / 1000
        return RunningGlass(told.glass_id, told.duration_ms / 1000, ends_at, told.interrupted, ppm)

    def _new_glass_id(self) -> int:
        used = self._glass.glass_id if self._glass else 0
        return (used + 1 + secrets.randbelow(0xFFFE)) % 0x10000 or 1

    def _find_and_open(self) -> Port:
        self.device = find_port(self._wanted, self._comports)
        port = self._open(self.device)
        # Another board that is plugged in later is not taken for this one.
        self._wanted = self._wanted or lasting_name(self.device, self._comports)
        return port

    def _failed(self, error: Exception) -> None:
        self._driver.drop(
            LinkLostError(
                say("The link failed: {error}.", error=repr(error)),
                say("It starts anew by itself; report this."),
            )
        )
