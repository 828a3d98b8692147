"""The messages between host and box.

Generated from referee/box/protocol.toml by firmware/generator: change it there.
PROTOCOL.md in firmware/ explains them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import ClassVar

from referee.box.wire import Field, Frame, Message, ProtocolError

#: Version of the protocol.
PROTOCOL = 1
#: Speed of the line. (baud)
BAUD = 115200
#: The longest payload of a frame. (bytes)
MAX_PAYLOAD = 56
#: A command without a reply, and an event without EVENT_ACK, are sent again after this time. (ms)
RESEND_MS = 150
#: The host sends PING when it has sent nothing else for this time. (ms)
HEARTBEAT_MS = 500
#: This long after the last valid frame the box takes the safe state. (ms)
HOST_SILENT_MS = 1500
#: For this time HELLO is tried: a board that was reset when the port was opened starts late. (ms)
HELLO_FOR_MS = 3000
#: LEDs of the ring; the first is the one at the data input. (LEDs)
RING_LEDS = 24
#: Steps of the arrow's motor a turn: 200 full steps in eighths. (steps)
STEPS_PER_TURN = 1600
#: A home pass that is off by fewer steps counts as the sensor's jitter, not as lost steps. (steps)
LOST_STEPS_LIMIT = 8
#: The arrow's sector is not known.
SECTOR_UNKNOWN = 255
#: The motor never runs longer at a stretch. (ms)
MOTOR_MAX_MS = 30000
#: The piezo never sounds longer at a stretch. (ms)
SOUND_MAX_MS = 5000
#: A light that LIGHT switched on goes out after this time. (ms)
LIGHT_MAX_MS = 3600000
#: The longest hourglass. (ms)
GLASS_MAX_MS = 1800000


class Result(IntEnum):
    """How a command went."""

    #: Done, or begun.
    OK = 0
    #: HELLO comes first.
    NO_SESSION = 1
    #: Neither the next sequence nor the last one.
    OUT_OF_ORDER = 2
    #: This firmware has no such command.
    UNKNOWN_COMMAND = 3
    #: The payload is not as long as the command's fields.
    BAD_LENGTH = 4
    #: A field is out of its range.
    OUT_OF_RANGE = 5
    #: The box speaks another version of the protocol.
    WRONG_PROTOCOL = 6
    #: The arrow is still turning.
    BUSY = 7
    #: The arrow's place is not known: HOME comes first.
    NOT_HOMED = 8
    #: SECTORS comes first, or there is no sector of that number.
    NO_SECTORS = 9


class ResetCause(IntEnum):
    """Why the microcontroller started."""

    #: The bootloader did not hand it on.
    UNKNOWN = 0
    #: Power came.
    POWER_ON = 1
    #: The reset pin: the button, or the port was opened.
    EXTERNAL = 2
    #: The supply fell too low.
    BROWN_OUT = 3
    #: The firmware hung, and was reset.
    WATCHDOG = 4


class Board(IntEnum):
    """What speaks."""

    #: The microcontroller, real or simulated.
    ATMEGA328P = 1
    #: The firmware's core built for the computer.
    HOST_BUILD = 2
    #: The fake board.
    FAKE = 3


class Pattern(IntEnum):
    """A row of tones.

    None is longer than SOUND_MAX_MS.
    """

    #: No sound.
    NONE = 0
    #: One short click at 2000 Hz, as in the last seconds of the hourglass.
    TICK = 1
    #: Two rising tones.
    YES = 2
    #: Two falling tones.
    NO = 3
    #: Three short tones.
    ATTENTION = 4
    #: Three long tones and a longer one: the time is over.
    END = 5
    #: Four rising tones.
    FANFARE = 6


class LightMode(IntEnum):
    """What the ring shows while no hourglass runs."""

    #: Dark.
    OFF = 0
    #: All LEDs in the colour.
    STEADY = 1
    #: All LEDs swell and fade in four seconds.
    BREATHE = 2
    #: A spot with a tail goes round once a second.
    TURN = 3
    #: The first `amount` LEDs.
    BAR = 4


class GlassState(IntEnum):
    """The hourglass."""

    #: None was started since boot, or it was cancelled.
    IDLE = 0
    #: The sand runs.
    RUNNING = 1
    #: The last one ran out.
    ENDED = 2


class SpinnerState(IntEnum):
    """The arrow."""

    #: At rest, its place not known.
    NOT_HOMED = 0
    #: At rest, its place known.
    AT_REST = 1
    #: Looks for the home sensor.
    HOMING = 2
    #: Turns to a sector.
    SPINNING = 3


class Profile(IntEnum):
    """How the arrow speeds up and slows down (both eased)."""

    #: Two turns a second, stops within two thirds of a second.
    BRISK = 0
    #: Two turns a second, slows down over two and a half seconds.
    LONG = 1
    #: Half a turn a second.
    SLOW = 2


class Button(IntEnum):
    """A button."""

    #: The players' button: "Stop!"
    STOP = 0
    #: The judge's button.
    JUDGE = 1


class HomeOutcome(IntEnum):
    """How homing went."""

    #: The sensor was found; the arrow stands at its edge.
    FOUND = 0
    #: A turn and a quarter without the sensor.
    NOT_FOUND = 1
    #: CANCEL stopped it.
    CANCELLED = 2
    #: The host fell silent.
    LINK_LOST = 3


class SpinOutcome(IntEnum):
    """How a spin went."""

    #: It stopped in the middle of the wanted sector, as far as it knows.
    STOPPED = 0
    #: A turn and a quarter without the sensor: stalled, or the sensor is broken.
    HOME_NOT_SEEN = 1
    #: CANCEL stopped it; its place is no longer known.
    CANCELLED = 2
    #: The host fell silent; its place is no longer known.
    LINK_LOST = 3
    #: MOTOR_MAX_MS went by; its place is no longer known.
    TIME_LIMIT = 4


class Parts(IntFlag):
    """Parts of the box."""

    #: The hourglass, with its sounds.
    GLASS = 1
    #: A pattern of BUZZ.
    SOUND = 2
    #: The arrow.
    SPINNER = 4
    #: The light of LIGHT.
    LIGHT = 8


class Buttons(IntFlag):
    """Buttons that are held down."""

    #: The players' button.
    STOP = 1
    #: The judge's button.
    JUDGE = 2


class Command(Message):
    """What the host asks of the box.

    `REPLY` is the class of its answer.
    """


@dataclass(frozen=True, slots=True)
class Hello(Command):
    """Opens a session and tells who speaks.

    protocol: The version that the host speaks.
    session: Drawn anew by the host for each session.
    """

    protocol: int
    session: int

    ID: ClassVar[int] = 0x01
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("protocol", "B", 0, 255),
        Field("session", "H", 1, 65535),
    )


@dataclass(frozen=True, slots=True)
class Ping(Command):
    """Heartbeat, and a pair of stamps to compare the clocks."""

    ID: ClassVar[int] = 0x02


@dataclass(frozen=True, slots=True)
class Status(Command):
    """All that can be known of the box."""

    ID: ClassVar[int] = 0x03


@dataclass(frozen=True, slots=True)
class Hourglass(Command):
    """Starts an hourglass, in place of any other.

    It ends and sounds by itself, without the host.

    glass_id: Chosen by the host, to know its hourglass again.
    duration_ms: By the host's clock. (ms)
    warn_s: In the last so many seconds each one ticks; 0: none. (s)
    pattern: Sounds at the end.
    volume: Of the ticks and the end; 4 is the loudest.
    clock_ppm: By how much the box's clock runs faster than the host's, as the host has measured;
        the box stretches the time by it. (ppm)
    """

    glass_id: int
    duration_ms: int
    warn_s: int
    pattern: Pattern
    volume: int
    clock_ppm: int

    ID: ClassVar[int] = 0x04
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("glass_id", "H", 0, 65535),
        Field("duration_ms", "I", 100, 1800000),
        Field("warn_s", "B", 0, 30),
        Field("pattern", "B", 0, 6, Pattern),
        Field("volume", "B", 1, 4),
        Field("clock_ppm", "h", -20000, 20000),
    )


@dataclass(frozen=True, slots=True)
class Glass(Command):
    """Asks for the hourglass: after a lost link the host takes it up again with this."""

    ID: ClassVar[int] = 0x05


@dataclass(frozen=True, slots=True)
class Cancel(Command):
    """Stops parts at once.

    parts: What to stop.
    """

    parts: Parts

    ID: ClassVar[int] = 0x06
    FIELDS: ClassVar[tuple[Field, ...]] = (Field("parts", "B", 0, 15, Parts),)


@dataclass(frozen=True, slots=True)
class Buzz(Command):
    """Sounds a pattern, in place of any other of BUZZ.

    The hourglass's own sounds go first.

    pattern: The pattern.
    volume: 4 is the loudest.
    """

    pattern: Pattern
    volume: int

    ID: ClassVar[int] = 0x07
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("pattern", "B", 0, 6, Pattern),
        Field("volume", "B", 1, 4),
    )


@dataclass(frozen=True, slots=True)
class Mute(Command):
    """Switches all sound off or on, the hourglass's too.

    Holds until the next boot.

    muted: No sound.
    """

    muted: bool

    ID: ClassVar[int] = 0x08
    FIELDS: ClassVar[tuple[Field, ...]] = (Field("muted", "B", 0, 1, bool),)


@dataclass(frozen=True, slots=True)
class Sectors(Command):
    """Tells the sectors of the arrow's dial.

    Each runs from its start to the next one's, the last one to the first one's.

    starts: Angles from home in the sense of rotation, rising. (1/65536 turn)
    """

    starts: tuple[int, ...]

    ID: ClassVar[int] = 0x09
    FIELDS: ClassVar[tuple[Field, ...]] = (Field("starts", "H", 0, 65535, count=(2, 24)),)


@dataclass(frozen=True, slots=True)
class Home(Command):
    """Turns the arrow slowly to the home sensor.

    HOMED tells the end.
    """

    ID: ClassVar[int] = 0x0A


@dataclass(frozen=True, slots=True)
class Spin(Command):
    """Turns the arrow to the middle of a sector.

    SPIN_DONE tells the end. What the arrow really points to is for the camera to say.

    sector: Number of the sector, from 0.
    turns: Whole turns before it: at least one, so that the home sensor is passed.
    profile: How it speeds up and slows down.
    """

    sector: int
    turns: int
    profile: Profile

    ID: ClassVar[int] = 0x0B
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("sector", "B", 0, 23),
        Field("turns", "B", 1, 10),
        Field("profile", "B", 0, 2, Profile),
    )


@dataclass(frozen=True, slots=True)
class Light(Command):
    """Sets what the ring shows while no hourglass runs.

    The firmware shows a quarter of each level: a full white ring draws 0.36 A.

    mode: What it shows.
    red: Level.
    green: Level.
    blue: Level.
    amount: For BAR: how many LEDs. (LEDs)
    """

    mode: LightMode
    red: int
    green: int
    blue: int
    amount: int

    ID: ClassVar[int] = 0x0C
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("mode", "B", 0, 4, LightMode),
        Field("red", "B", 0, 255),
        Field("green", "B", 0, 255),
        Field("blue", "B", 0, 255),
        Field("amount", "B", 0, 24),
    )


class Reply(Message):
    """What the box answers to a command that it did."""


@dataclass(frozen=True, slots=True)
class HelloReply(Reply):
    """Answer to Hello.

    protocol: The version that the box speaks.
    board: What speaks.
    source_hash: First four bytes of the SHA-256 of the firmware's sources.
    boot_id: Another one after each reset.
    reset_cause: Why it started last.
    uptime_ms: Time since boot; wraps after 49 days. (ms)
    next_event: Sequence of the oldest event that waits, or of the next one.
    """

    protocol: int
    board: Board
    source_hash: int
    boot_id: int
    reset_cause: ResetCause
    uptime_ms: int
    next_event: int

    ID: ClassVar[int] = 0x41
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("protocol", "B", 0, 255),
        Field("board", "B", 1, 3, Board),
        Field("source_hash", "I", 0, 4294967295),
        Field("boot_id", "H", 0, 65535),
        Field("reset_cause", "B", 0, 4, ResetCause),
        Field("uptime_ms", "I", 0, 4294967295),
        Field("next_event", "B", 0, 255),
    )


@dataclass(frozen=True, slots=True)
class PingReply(Reply):
    """Answer to Ping.

    received_us: When the last byte of PING had arrived. (us)
    sent_us: When the first byte of this reply was handed to the line. (us)
    """

    received_us: int
    sent_us: int

    ID: ClassVar[int] = 0x42
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("received_us", "I", 0, 4294967295),
        Field("sent_us", "I", 0, 4294967295),
    )


@dataclass(frozen=True, slots=True)
class StatusReply(Reply):
    """Answer to Status.

    active: Parts that are running, sounding, turning or lit.
    spinner: The arrow.
    sector: The sector that the arrow is believed to point to, or SECTOR_UNKNOWN.
    position: The arrow's angle from home; 0 if not homed. (1/65536 turn)
    sectors: How many sectors SECTORS has set.
    muted: MUTE.
    buttons: Buttons held down, debounced.
    events_waiting: Events not yet acknowledged.
    events_lost: Events since boot that found no room.
    bad_frames: Frames dropped since boot: not COBS, wrong length or CRC.
    overruns: Bytes lost since boot because they came too fast.
    stack_free: Memory that the stack has never reached since boot. (bytes)
    """

    active: Parts
    spinner: SpinnerState
    sector: int
    position: int
    sectors: int
    muted: bool
    buttons: Buttons
    events_waiting: int
    events_lost: int
    bad_frames: int
    overruns: int
    stack_free: int

    ID: ClassVar[int] = 0x43
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("active", "B", 0, 15, Parts),
        Field("spinner", "B", 0, 3, SpinnerState),
        Field("sector", "B", 0, 255),
        Field("position", "H", 0, 65535),
        Field("sectors", "B", 0, 255),
        Field("muted", "B", 0, 1, bool),
        Field("buttons", "B", 0, 3, Buttons),
        Field("events_waiting", "B", 0, 255),
        Field("events_lost", "H", 0, 65535),
        Field("bad_frames", "H", 0, 65535),
        Field("overruns", "H", 0, 65535),
        Field("stack_free", "H", 0, 65535),
    )


@dataclass(frozen=True, slots=True)
class HourglassReply(Reply):
    """Answer to Hourglass.

    started_us: When the sand began to run. (us)
    """

    started_us: int

    ID: ClassVar[int] = 0x44
    FIELDS: ClassVar[tuple[Field, ...]] = (Field("started_us", "I", 0, 4294967295),)


@dataclass(frozen=True, slots=True)
class GlassReply(Reply):
    """Answer to Glass.

    state: The hourglass.
    glass_id: Of the one that runs or ended last; 0 if there is none.
    duration_ms: As it was started; 0 if there is none. (ms)
    remaining_ms: By the host's clock, at `asked_us`; 0 unless RUNNING. (ms)
    interrupted: The box was reset while it ran: what remains is right to within two seconds only.
    asked_us: The box's clock when it looked. (us)
    """

    state: GlassState
    glass_id: int
    duration_ms: int
    remaining_ms: int
    interrupted: bool
    asked_us: int

    ID: ClassVar[int] = 0x45
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("state", "B", 0, 2, GlassState),
        Field("glass_id", "H", 0, 65535),
        Field("duration_ms", "I", 0, 4294967295),
        Field("remaining_ms", "I", 0, 4294967295),
        Field("interrupted", "B", 0, 1, bool),
        Field("asked_us", "I", 0, 4294967295),
    )


@dataclass(frozen=True, slots=True)
class CancelReply(Reply):
    """Answer to Cancel.

    stopped: What of it was active.
    """

    stopped: Parts

    ID: ClassVar[int] = 0x46
    FIELDS: ClassVar[tuple[Field, ...]] = (Field("stopped", "B", 0, 15, Parts),)


@dataclass(frozen=True, slots=True)
class BuzzReply(Reply):
    """Answer to Buzz."""

    ID: ClassVar[int] = 0x47


@dataclass(frozen=True, slots=True)
class MuteReply(Reply):
    """Answer to Mute."""

    ID: ClassVar[int] = 0x48


@dataclass(frozen=True, slots=True)
class SectorsReply(Reply):
    """Answer to Sectors."""

    ID: ClassVar[int] = 0x49


@dataclass(frozen=True, slots=True)
class HomeReply(Reply):
    """Answer to Home."""

    ID: ClassVar[int] = 0x4A


@dataclass(frozen=True, slots=True)
class SpinReply(Reply):
    """Answer to Spin.

    steps: Steps that it will make if none is lost. (steps)
    """

    steps: int

    ID: ClassVar[int] = 0x4B
    FIELDS: ClassVar[tuple[Field, ...]] = (Field("steps", "H", 0, 65535),)


@dataclass(frozen=True, slots=True)
class LightReply(Reply):
    """Answer to Light."""

    ID: ClassVar[int] = 0x4C


class Event(Message):
    """What the box tells by itself.

    `at_us`: its clock at that moment, wraps at 2**32.
    """

    at_us: int


@dataclass(frozen=True, slots=True)
class Booted(Event):
    """The firmware started.

    at_us: The box's clock at that moment. (us)
    boot_id: Of this start.
    reset_cause: Why.
    glass_resumed: An hourglass ran before the reset, and runs on.
    """

    at_us: int
    boot_id: int
    reset_cause: ResetCause
    glass_resumed: bool

    ID: ClassVar[int] = 0x80
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("at_us", "I", 0, 4294967295),
        Field("boot_id", "H", 0, 65535),
        Field("reset_cause", "B", 0, 4, ResetCause),
        Field("glass_resumed", "B", 0, 1, bool),
    )


@dataclass(frozen=True, slots=True)
class Pressed(Event):
    """A button went down; the stamp is of its first contact.

    at_us: The box's clock at that moment. (us)
    button: Which.
    """

    at_us: int
    button: Button

    ID: ClassVar[int] = 0x81
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("at_us", "I", 0, 4294967295),
        Field("button", "B", 0, 1, Button),
    )


@dataclass(frozen=True, slots=True)
class GlassEnded(Event):
    """The hourglass ran out; the end signal began at the stamp.

    at_us: The box's clock at that moment. (us)
    glass_id: Which.
    interrupted: The box was reset while it ran: the end is right to within two seconds only.
    """

    at_us: int
    glass_id: int
    interrupted: bool

    ID: ClassVar[int] = 0x82
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("at_us", "I", 0, 4294967295),
        Field("glass_id", "H", 0, 65535),
        Field("interrupted", "B", 0, 1, bool),
    )


@dataclass(frozen=True, slots=True)
class Homed(Event):
    """Homing is over.

    at_us: The box's clock at that moment. (us)
    outcome: How it went.
    steps: Steps made. (steps)
    """

    at_us: int
    outcome: HomeOutcome
    steps: int

    ID: ClassVar[int] = 0x83
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("at_us", "I", 0, 4294967295),
        Field("outcome", "B", 0, 3, HomeOutcome),
        Field("steps", "H", 0, 65535),
    )


@dataclass(frozen=True, slots=True)
class SpinDone(Event):
    """The arrow stands.

    at_us: The box's clock at that moment. (us)
    outcome: How it went.
    sector: The sector that the firmware believes it points to, or SECTOR_UNKNOWN.
    steps: Steps made. (steps)
    lost: Steps found lost during this spin, and made up for. (steps)
    """

    at_us: int
    outcome: SpinOutcome
    sector: int
    steps: int
    lost: int

    ID: ClassVar[int] = 0x84
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("at_us", "I", 0, 4294967295),
        Field("outcome", "B", 0, 4, SpinOutcome),
        Field("sector", "B", 0, 255),
        Field("steps", "H", 0, 65535),
        Field("lost", "h", -32768, 32767),
    )


@dataclass(frozen=True, slots=True)
class StepsLost(Event):
    """A home pass came early or late.

    The arrow's place was corrected by it.

    at_us: The box's clock at that moment. (us)
    lost: Steps that the motor was told but did not make; negative if it was pushed on. (steps)
    """

    at_us: int
    lost: int

    ID: ClassVar[int] = 0x85
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("at_us", "I", 0, 4294967295),
        Field("lost", "h", -32768, 32767),
    )


@dataclass(frozen=True, slots=True)
class LinkLost(Event):
    """The host fell silent, and the box took its safe state.

    at_us: The box's clock at that moment. (us)
    stopped: What was stopped by it.
    """

    at_us: int
    stopped: Parts

    ID: ClassVar[int] = 0x86
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("at_us", "I", 0, 4294967295),
        Field("stopped", "B", 0, 15, Parts),
    )


@dataclass(frozen=True, slots=True)
class TimeLimit(Event):
    """Parts were stopped because they had run for their longest time.

    at_us: The box's clock at that moment. (us)
    parts: Which.
    """

    at_us: int
    parts: Parts

    ID: ClassVar[int] = 0x87
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("at_us", "I", 0, 4294967295),
        Field("parts", "B", 0, 15, Parts),
    )


@dataclass(frozen=True, slots=True)
class EventAck(Message):
    """From the host: the event of this frame's sequence has arrived.

    No payload, no reply.
    """

    ID: ClassVar[int] = 0xC0


#: Commands, and what answers them, by the command's type.
COMMANDS: dict[int, type[Command]] = {
    Hello.ID: Hello,
    Ping.ID: Ping,
    Status.ID: Status,
    Hourglass.ID: Hourglass,
    Glass.ID: Glass,
    Cancel.ID: Cancel,
    Buzz.ID: Buzz,
    Mute.ID: Mute,
    Sectors.ID: Sectors,
    Home.ID: Home,
    Spin.ID: Spin,
    Light.ID: Light,
}
REPLIES: dict[int, type[Reply]] = {
    Hello.ID: HelloReply,
    Ping.ID: PingReply,
    Status.ID: StatusReply,
    Hourglass.ID: HourglassReply,
    Glass.ID: GlassReply,
    Cancel.ID: CancelReply,
    Buzz.ID: BuzzReply,
    Mute.ID: MuteReply,
    Sectors.ID: SectorsReply,
    Home.ID: HomeReply,
    Spin.ID: SpinReply,
    Light.ID: LightReply,
}
#: Events by type.
EVENTS: dict[int, type[Event]] = {
    Booted.ID: Booted,
    Pressed.ID: Pressed,
    GlassEnded.ID: GlassEnded,
    Homed.ID: Homed,
    SpinDone.ID: SpinDone,
    StepsLost.ID: StepsLost,
    LinkLost.ID: LinkLost,
    TimeLimit.ID: TimeLimit,
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """The box did not do a command.

    result: Why.
    detail: For OUT_OF_RANGE the number of the field, for WRONG_PROTOCOL the box's version.
    """

    result: Result
    detail: int = 0


def command_frame(sequence: int, command: Command) -> Frame:
    """Returns the frame of a command; RangeError if a field is out of its range."""
    return Frame(sequence, command.ID, command.payload())


def read_command(frame: Frame) -> Command:
    """Reads a command, as the box does; ProtocolError if it is none, or none of this version."""
    if (kind := COMMANDS.get(frame.type)) is None:
        raise ProtocolError(f"0x{frame.type:02x} is no command.", "Flash the box.")
    return kind.from_payload(frame.payload)


def reply_frame(sequence: int, command_type: int, answer: Reply | Refusal) -> Frame:
    """Returns the frame of an answer to the command of that type, as the box sends it."""
    if isinstance(answer, Refusal):
        return Frame(sequence, command_type | 0x40, bytes([answer.result, answer.detail]))
    return Frame(sequence, command_type | 0x40, bytes([Result.OK, 0]) + answer.payload())


def read_reply(frame: Frame) -> Reply | Refusal:
    """Reads an answer; ProtocolError if it is none, or none of this version."""
    kind = REPLIES.get(frame.type & ~0x40)
    if kind is None or frame.type & 0x40 == 0 or len(frame.payload) < 2:
        raise ProtocolError(f"0x{frame.type:02x} is no answer.", "Flash the box.")
    result, detail = frame.payload[:2]
    if result == Result.OK:
        return kind.from_payload(frame.payload[2:])
    if result not in set(Result):
        raise ProtocolError(f"The box answers with result {result}.", "Flash the box.")
    return Refusal(Result(result), detail)


def event_frame(sequence: int, event: Event) -> Frame:
    """Returns the frame of an event, as the box sends it."""
    return Frame(sequence, event.ID, event.payload())


def read_event(frame: Frame) -> Event:
    """Reads an event; ProtocolError if it is none, or none of this version."""
    if (kind := EVENTS.get(frame.type)) is None:
        raise ProtocolError(f"0x{frame.type:02x} is no event.", "Flash the box.")
    return kind.from_payload(frame.payload)


def ack_frame(sequence: int) -> Frame:
    """Returns the frame that acknowledges the event of that sequence."""
    return Frame(sequence, EventAck.ID)
