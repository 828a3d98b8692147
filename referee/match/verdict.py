"""What the referee says of a table: a verdict, or why there is none yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

from referee.games.game import Counts, Finding
from referee.games.said import say, say_n

RulingT = TypeVar("RulingT")


class Outcome(Enum):
    """How a question to the table ended; only CONFIRMED and RULED change a match."""

    CONFIRMED = "confirmed"
    """The table was read without doubt, and the rules have one answer."""
    INCONCLUSIVE = "inconclusive"
    """Something must be tidied up or seen better first; costs nobody anything."""
    OUT_OF_SYNC = "out-of-sync"
    """The table was read without doubt, and contradicts what is on record."""
    DEGRADED = "degraded"
    """The camera is unfit to read the table."""
    RULED = "ruled"
    """A person decided."""


class Reason(Enum):
    """Why a table was not ruled on: code, what is wrong with how many things, what to do."""

    PLANE_NOT_FOUND = (
        "plane-not-found",
        lambda n: say("The camera does not see where the table lies."),
        say("Clear the corner markers, or point the camera so that it sees them all."),
    )
    BOARD_NOT_FOUND = (
        "board-not-found",
        lambda n: say_n(
            n, "The marker of one board is not seen.", "The markers of {n} boards are not seen."
        ),
        say("Uncover the small marker in the board's corner."),
    )
    TILE_FACE_DOWN = (
        "tile-face-down",
        lambda n: say_n(n, "One tile lies face down.", "{n} tiles lie face down."),
        say("Turn every tile face up where it lies."),
    )
    TILE_OUTSIDE_ZONES = (
        "tile-outside-zones",
        lambda n: say_n(
            n,
            "One tile lies neither in the centre nor on a board.",
            "{n} tiles lie neither in the centre nor on a board.",
        ),
        say("Push every tile to where it belongs."),
    )
    TILES_MISSING = (
        "tiles-missing",
        lambda n: say_n(n, "One tile is missing.", "{n} tiles are missing."),
        say(
            "Look under other tiles, beside the table and in hands; every tile must be seen whole."
        ),
    )
    TOO_MANY_TILES = (
        "too-many-tiles",
        lambda n: say_n(n, "There is one tile too many.", "There are {n} tiles too many."),
        say("Take away what was set aside for this round, and anything that looks like a tile."),
    )
    MULTISET_BROKEN = (
        "multiset-broken",
        lambda n: say_n(
            n,
            "One face is seen on more tiles than this game has of it.",
            "{n} faces are seen on more tiles than this game has of them.",
        ),
        say("Check the marked tiles: one belongs to another game, or is not in play."),
    )
    TILE_UNREADABLE = (
        "tile-unreadable",
        lambda n: say_n(n, "One tile can't be read.", "{n} tiles can't be read."),
        say("Move it out of the glare, or from under what covers it."),
    )
    TOO_MANY_DOUBTFUL = (
        "too-many-doubtful",
        lambda n: say_n(
            n, "One tile is hard to read.", "{n} tiles are hard to read, too many to settle."
        ),
        say("More even light or a sharper picture will help; check the camera's focus."),
    )
    TILE_DOUBTFUL = (
        "tile-doubtful",
        lambda n: say_n(
            n,
            "One tile may be read in more than one way.",
            "{n} tiles may be read in more than one way.",
        ),
        say("Move it a little, and see that nothing covers it or shines on it."),
    )
    UNFINISHED = (
        "unfinished",
        lambda n: say("Something is still to be done."),
        say("Finish it, or say by hand what happened."),
    )
    AMBIGUOUS = (
        "ambiguous",
        lambda n: say("What was done can be understood in more than one way."),
        say("Say by hand which it was."),
    )
    NOT_CARRIED_OUT = (
        "not-carried-out",
        lambda n: say("The table is not yet as it is on record."),
        say("Do on the table what was entered by hand, or take it back."),
    )
    CONTRADICTS_RECORD = (
        "contradicts-record",
        lambda n: say_n(
            n,
            "The table differs from the record in one thing.",
            "The table differs from the record in {n} things.",
        ),
        say("Put it right on the table, or decide: the table is right, or the record is."),
    )
    DIAL_UNREADABLE = (
        "dial-unreadable",
        lambda n: say("The number at the arrow can't be read."),
        say("See that nothing covers the spinner, or enter the number by hand."),
    )
    DIAL_DISAGREES = (
        "dial-disagrees",
        lambda n: say("The arrow does not point to where the motor turned it."),
        say("Look at the arrow, and enter the number by hand."),
    )
    PIECE_DOUBTFUL = (
        "piece-doubtful",
        lambda n: say("What was placed is not seen for sure."),
        say("Say that it is right, or see that nothing hides it."),
    )
    LOOKS_DISAGREE = (
        "looks-disagree",
        lambda n: say("The table looks different each time."),
        say("Keep hands off the table, and see that the light is steady."),
    )
    HAND_OVER_TABLE = (
        "hand-over-table",
        lambda n: say("A hand is over the table."),
        say("Take hands and arms away from the table."),
    )
    TABLE_MOVES = (
        "table-moves",
        lambda n: say("Something on the table moves."),
        say("Leave everything where it lies for a moment."),
    )
    LIGHT_CHANGES = (
        "light-changes",
        lambda n: say("The light changes."),
        say("Let the light be steady for a moment."),
    )
    NO_NEW_PICTURES = (
        "no-new-pictures",
        lambda n: say("The camera sends no new pictures."),
        say("Check the camera's cable; unplug it and plug it in again."),
    )
    CAMERA_MOVED = (
        "camera-moved",
        lambda n: say("The camera was moved."),
        say("Leave the camera and its arm alone for a moment."),
    )

    def __init__(self, code: str, sentence: Callable[[int], str], remedy: str) -> None:
        self.code = code
        self.sentence = sentence
        """What is wrong, in plain words, for so many things concerned."""
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Verdict(Generic[RulingT]):
    """An outcome, what the rules say if it is CONFIRMED, and the readings that it rests on."""

    outcome: Outcome
    reason: Reason | None = None
    """Why there is no ruling; None if there is one."""
    number: int = 0
    """How many things the reason is about: tiles, missing tiles, boards."""
    tiles: tuple[int, ...] = ()
    """Readings that it rests on, or that the reason concerns: indices into the Observation."""
    boards: tuple[str, ...] = ()
    """Boards that the reason concerns."""
    counts: Counts = field(default_factory=dict)
    """Tiles of each label in each zone: settled if CONFIRMED, else those read without doubt."""
    ruling: RulingT | None = None
    """What the rules make of it: a move of the game."""
    findings: tuple[Finding, ...] = ()
    """What the rules say of the ruling, or of a table that is OUT_OF_SYNC."""
    missing: tuple[str, ...] = ()
    """Sentences: what would finish what is UNFINISHED."""
    rivals: tuple[RulingT, ...] = ()
    """The rulings between which it can't be decided."""
    references: tuple[str, ...] = ()
    """Sections of the rules that the ruling rests on."""

    @property
    def sentence(self) -> str:
        """The reason in plain words, or an empty text."""
        return "" if self.reason is None else self.reason.sentence(self.number)

    @property
    def remedy(self) -> str:
        """What a person can do about the reason, or an empty text."""
        return "" if self.reason is None else self.reason.remedy
