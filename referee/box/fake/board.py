"""The fake board: what the firmware does, in Python, with time that passes when it is told to."""

from __future__ import annotations

from referee.box.fake.arrow import Arrow
from referee.box.fake.buttons import FakeButtons
from referee.box.fake.faults import Faults
from referee.box.fake.glass import Glass
from referee.box.fake.line import Line
from referee.box.fake.link import Answer, BoardLink, EventQueue
from referee.box.fake.outputs import Outputs, Record
from referee.box.fake.ring import LightPart, Ring
from referee.box.fake.sound import Sound, Voice
from referee.box.fake.spinner import Spinner, Stop
from referee.box.fake.timers import NS, BoardClock, Timers
from referee.box.firmware import committed_hash
from referee.box.protocol import (
    MAX_PAYLOAD,
    PROTOCOL,
    Board,
    Booted,
    Button,
    Buzz,
    BuzzReply,
    Cancel,
    CancelReply,
    Command,
    Event,
    HelloReply,
    Home,
    HomeReply,
    Hourglass,
    HourglassReply,
    Light,
    LightReply,
    LinkLost,
    Mute,
    MuteReply,
    Parts,
    Ping,
    PingReply,
    Refusal,
    ResetCause,
    Result,
    Sectors,
    SectorsReply,
    Spin,
    SpinReply,
    Status,
    StatusReply,
    TimeLimit,
)
from referee.box.protocol import Glass as AskGlass
from referee.box.wire import Deframer

#: The firmware is reset so long after it has hung; the fuses wait; so does a bootloader. (ms)
WATCHDOG_MS, FUSES_MS, BOOTLOADER_MS = 250, 65, 1000
#: There is no stack to measure.
STACK_FREE = 0xFFFF


class FakeBoard:
    """A box that is switched on when made. Times are true seconds since then.

    clock_ppm: By how much its clock runs fast. (ppm)
    faults: What its line does to frames.
    protocol: The version that it speaks.
    resets_on_open: Opening the port resets it, as an Uno without the capacitor.
    """

    def __init__(
        self,
        *,
        clock_ppm: int = 0,
        faults: Faults | None = None,
        protocol: int = PROTOCOL,
        resets_on_open: bool = False,
    ) -> None:
        self.timers = Timers()
        self.resets_on_open = resets_on_open
        self.arrow = Arrow()
        self.outputs = Outputs(self.timers)
        self.outputs.on_step = self.arrow.step
        #: Commands done since it was made, each time that one is done.
        self.done: list[Command] = []
        self._clock = BoardClock(self.timers, clock_ppm)
        self.line = Line(self.timers, faults or Faults(), self._receive)
        self._deframer = Deframer(MAX_PAYLOAD)
        self._protocol = protocol
        self._boot_id = 0
        self._cause = ResetCause.POWER_ON
        self._deaf = False
        self._plugged_in_at = 0
        self._sound = Sound(self._clock, self.outputs, lambda: self._limit(Parts.SOUND))
        self._glass = Glass(self._clock, self._sound, self._tell)
        self._light = LightPart(self._clock, lambda: self._limit(Parts.LIGHT))
        self._buttons = FakeButtons(self._clock, self._tell)
        self._spinner = Spinner(
            self._clock, self.outputs, self.arrow, self._tell, lambda: self._limit(Parts.SPINNER)
        )
        self._link = BoardLink(
            self._clock,
            protocol=protocol,
            do=self._do,
            hello=self._hello,
            send=lambda frame: self.line.send(frame.to_bytes()),
            line_free_at=lambda: self.line.to_host_free_at,
            on_lost=self._host_lost,
        )
        self._ring = Ring(
            self._clock, self.outputs, self._glass, self._light, lambda: self._link.up
        )
        self._boot(ResetCause.POWER_ON, 0)

    @property
    def now(self) -> float:
        """True time in seconds."""
        return self.timers.now / NS

    def run(self, seconds: float, *, until_frame: bool = False) -> None:
        """Lets time pass; with `until_frame` only until a frame has come to the host."""
        until = self.timers.now + max(round(seconds * NS), 0)
        while True:
            limit = until
            if until_frame and (comes := self.line.next_at()) is not None:
                limit = min(until, max(comes, self.timers.now))
            happens = self.timers.next_at()
            if happens is None or happens > limit:
                break
            self.timers.step()
        self.timers.now = limit

    def press(self, button: Button, down: bool = True) -> None:
        """Moves a button."""
        self._buttons.contact(button, down)

    def watch(self, *, ring: bool = False) -> Record | None:
        """Returns what the outputs did since the last call; writes them down from now on."""
        before, self.outputs.record = self.outputs.record, Record()
        self.outputs.ring_watched = ring
        if ring:
            self._ring.wake()
        return before

    def picture(self) -> tuple[tuple[int, int, int], ...]:
        """Returns what the ring shows: green, red, blue of each LED."""
        return self._ring.picture()

    def reset(self, cause: ResetCause = ResetCause.EXTERNAL) -> None:
        """Resets it."""
        self._freeze()
        loses_power = cause is ResetCause.POWER_ON
        self._boot(cause, FUSES_MS, may_resume=not loses_power)

    def stall(self, seconds: float) -> None:
        """It hears and says nothing for so long, and goes on; less than the watchdog's time."""
        self._deaf = True
        self.timers.after(round(seconds * NS), self._hear_again)

    def hang(self) -> None:
        """The firmware hangs, until the watchdog resets it."""
        self._freeze()
        self._sound.freeze()
        self._spinner.freeze()
        self._deaf = True
        away = WATCHDOG_MS + FUSES_MS
        self.timers.after(WATCHDOG_MS * NS // 1000, lambda: self._boot(ResetCause.WATCHDOG, away))

    def unplug(self, seconds: float | None = None) -> None:
        """Pulls the USB cable, for so long or until `plug_in`; it keeps its power."""
        forever = 1 << 62
        self._plugged_in_at = forever if seconds is None else self.timers.now + round(seconds * NS)
        self.line.clear()

    def plug_in(self) -> None:
        """Plugs the USB cable in."""
        self._plugged_in_at = self.timers.now

    @property
    def events(self) -> EventQueue:
        """Events that wait for the host."""
        return self._link.events

    @property
    def plugged_in(self) -> bool:
        """Whether the USB cable is plugged in."""
        return self.timers.now >= self._plugged_in_at

    def opened(self) -> None:
        """The host has opened the port."""
        self.line.clear()
        if self.resets_on_open:
            self._freeze()
            self._boot(ResetCause.EXTERNAL, BOOTLOADER_MS)
            self.stall(BOOTLOADER_MS / 1000)

    def _freeze(self) -> None:
        self._glass.freeze()
        self._link.freeze()

    def _boot(self, cause: ResetCause, away_ms: int, *, may_resume: bool = True) -> None:
        self._boot_id += 1
        self._cause = cause
        self._deaf = False
        self._clock.boot()
        self._deframer = Deframer(MAX_PAYLOAD)
        self._link.boot()
        self._buttons.boot()
        self._light.off()
        self._sound.boot()
        self._spinner.boot()
        self._ring.boot()
        resumed = self._glass.boot(may_resume, away_ms)
        self._tell(Booted(self._clock.us(), self._boot_id, cause, resumed))

    def _hear_again(self) -> None:
        self._deaf = False

    def _tell(self, event: Event) -> None:
        self._link.tell(event)

    def _receive(self, data: bytes) -> None:
        if self._deaf or not self.plugged_in:
            return
        for frame in self._deframer.feed(data):
            self._link.receive(frame)

    def _hello(self, next_event: int) -> HelloReply:
        return HelloReply(
            self._protocol,
            Board.FAKE,
            committed_hash(),
            self._boot_id,
            self._cause,
            self._clock.ms(),
            next_event,
        )

    def _host_lost(self) -> None:
        stopped = self._stop(Parts.SOUND | Parts.SPINNER | Parts.LIGHT, Stop.LINK_LOST)
        self._tell(LinkLost(self._clock.us(), stopped))

    def _limit(self, part: Parts) -> None:
        stopped = self._stop(part, Stop.TIME_LIMIT)
        self._tell(TimeLimit(self._clock.us(), stopped))

    def _active(self) -> Parts:
        active = Parts(0)
        for part, on in (
            (Parts.GLASS, self._glass.active()),
            (Parts.SOUND, self._sound.active(Voice.HOST)),
            (Parts.SPINNER, self._spinner.turning()),
            (Parts.LIGHT, self._light.on()),
        ):
            if on:
                active |= part
        return active

    def _stop(self, parts: Parts, why: Stop) -> Parts:
        stopped = parts & self._active()
        if Parts.GLASS in stopped:
            self._glass.cancel()
        if Parts.SOUND in stopped:
            self._sound.stop(Voice.HOST)
        if Parts.SPINNER in stopped:
            self._spinner.stop(why)
        if Parts.LIGHT in stopped:
            self._light.off()
        return stopped

    def _do(self, command: Command) -> Answer:
        self.done.append(command)
        match command:
            case Ping():
                now = self._clock.us()
                return PingReply(now, now)
            case Status():
                return self._status()
            case Hourglass():
                return HourglassReply(self._glass.start(command))
            case AskGlass():
                return self._glass.look()
            case Cancel():
                return CancelReply(self._stop(command.parts, Stop.CANCELLED))
            case Buzz():
                self._sound.play(Voice.HOST, command.pattern, command.volume)
                return BuzzReply()
            case Mute():
                self._sound.mute(command.muted)
                return MuteReply()
            case Sectors():
                return self._spinner.set_sectors(command.starts) or SectorsReply()
            case Home():
                return self._spinner.home() or HomeReply()
            case Spin():
                steps = self._spinner.spin(command)
                return steps if isinstance(steps, Refusal) else SpinReply(steps)
            case Light():
                self._light.set(command)
                return LightReply()
            case _:
                return Refusal(Result.UNKNOWN_COMMAND)

    def _status(self) -> StatusReply:
        return StatusReply(
            active=self._active(),
            spinner=self._spinner.state,
            sector=self._spinner.sector(),
            position=self._spinner.angle(),
            sectors=len(self._spinner.starts),
            muted=self._sound.muted,
            buttons=self._buttons.held(),
            events_waiting=len(self._link.events.waiting),
            events_lost=self._link.events.lost,
            bad_frames=min(self._deframer.bad, 0xFFFF),
            overruns=0,
            stack_free=STACK_FREE,
        )
