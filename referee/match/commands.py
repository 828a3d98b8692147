"""What people, the box and the camera tell a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from referee.claims import Claims
from referee.match.verdict import Reason, Verdict


class Do(Enum):
    """What a person wants."""

    ENTER = "enter"
    """Enter a move by hand: `text` in the game's notation."""
    DONE = "done"
    """Say that nothing more will be done in this step; confirms what no camera sees."""
    START = "start"
    """Let the box do its part of the step."""
    STOP = "stop"
    """End the hourglass early."""
    UNDO = "undo"
    """Go back to the position that state `to` was."""
    POSITION = "position"
    """Take the position `text` instead of the recorded one."""
    TABLE_RIGHT = "table-right"
    """The table is right: record what it shows, whatever the rules say."""
    RECORD_RIGHT = "record-right"
    """The record is right: the table is to be put as it says."""
    CORRECT = "correct"
    """The tile with the identity `to`, as seen in frame `frame`, shows `text`."""
    NOTE = "note"
    """Write `text` into the journal."""
    REVIEW = "review"
    """Begin a review: the public screens stand still until it is over."""
    RESUME = "resume"
    """End the review: the public screens go on."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something that a person wants done.

    at: The id of the state on which it was decided; a stale one is refused.
    id: Its own; a command that comes twice is done once.
    by: Who wants it, as the journal names them; `button` is the box's.
    reason: Why; needed where a rule or a reading is overruled.
    overrule: Whether it stands even if the rules call it illegal.
    """

    do: Do
    at: int
    id: str
    by: str
    text: str = ""
    reason: str = ""
    to: int = -1
    frame: int = -1
    overrule: bool = False


@dataclass(frozen=True, slots=True)
class Checked:
    """What an acceptance before the match found, to be put on record: `data` is JSON."""

    by: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is to end though the game is not over: who says so, and why."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command: `state` is the id of the state now; `text` says why not."""

    accepted: bool
    state: int
    text: str = ""


def _no_picture(verdict: Verdict[Any] | None) -> bytes | None:
    return None


def _no_crop(tile: int) -> bytes | None:
    return None


@dataclass(frozen=True, eq=False)
class Sight:
    """What one frame gives to a match.

    at: When it was taken, in seconds of the clock that the match is told.
    claims: What several frames agree on; None until they do.
    read_at: When the last of those was taken, `at` if that is not given: they say nothing of what
        came after it.
    why: What keeps the table from being read, if something does.
    identities: A number for each tile of the claims, the same as long as it lies there; -1: none.
    picture: Draws the frame with a verdict as JPEG: the evidence; None if it can't.
    crop: The picture of one tile of the claims as PNG, to teach from.
    """

    frame: int
    at: float
    claims: Claims | None = None
    why: Reason | None = None
    identities: tuple[int, ...] = ()
    picture: Callable[[Verdict[Any] | None], bytes | None] = _no_picture
    crop: Callable[[int], bytes | None] = _no_crop
    read_at: float | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """The box has drawn a sector of the dial, before its arrow moves."""

    label: str


@dataclass(frozen=True, slots=True)
class Stands:
    """The arrow stands; the motor believes that it points to `label`."""

    label: str


@dataclass(frozen=True, slots=True)
class GlassRuns:
    """The box's hourglass runs until `ends_at`."""

    ends_at: float


@dataclass(frozen=True, slots=True)
class GlassOver:
    """The box's hourglass has ended at `at`."""

    at: float


@dataclass(frozen=True, slots=True)
class DeviceFails:
    """The box can't do its part: what happened, and what to do."""

    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Presses:
    """Somebody pressed the players' button of the box, or the judge's."""

    judge: bool = False


News = Drawn | Stands | GlassRuns | GlassOver | DeviceFails | Presses


@dataclass(frozen=True, slots=True)
class Order:
    """What the box is to do next."""


@dataclass(frozen=True, slots=True)
class SpinOrder(Order):
    """Draw a label and turn the arrow to it."""

    labels: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class GlassOrder(Order):
    """Run an hourglass."""

    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class StopOrder(Order):
    """End the hourglass now, and sound."""
