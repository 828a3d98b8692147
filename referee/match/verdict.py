"""What the referee says of a table: a verdict, or why there is none yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

from referee.games.game import Counts, Finding

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
    """Why a table was not ruled on: code, sentence for one, sentence for {n}, what to do."""

    PLANE_NOT_FOUND = (
        "plane-not-found",
        "The camera does not see where the table lies.",
        "The camera does not see where the table lies.",
        "Clear the corner markers, or point the camera so that it sees them all.",
    )
    BOARD_NOT_FOUND = (
        "board-not-found",
        "The marker of one board is not seen.",
        "The markers of {n} boards are not seen.",
        "Uncover the small marker in the board's corner.",
    )
    TILE_FACE_DOWN = (
        "tile-face-down",
        "One tile lies face down.",
        "{n} tiles lie face down.",
        "Turn every tile face up where it lies.",
    )
    TILE_OUTSIDE_ZONES = (
        "tile-outside-zones",
        "One tile lies neither in the centre nor on a board.",
        "{n} tiles lie neither in the centre nor on a board.",
        "Push every tile to where it belongs.",
    )
    TILES_MISSING = (
        "tiles-missing",
        "One tile is missing.",
        "{n} tiles are missing.",
        "Look under other tiles, beside the table and in hands; every tile must be seen whole.",
    )
    TOO_MANY_TILES = (
        "too-many-tiles",
        "There is one tile too many.",
        "There are {n} tiles too many.",
        "Take away what was set aside for this round, and anything that looks like a tile.",
    )
    MULTISET_BROKEN = (
        "multiset-broken",
        "One face is seen on more tiles than this game has of it.",
        "{n} faces are seen on more tiles than this game has of them.",
        "Check the marked tiles: one belongs to another game, or is not in play.",
    )
    TILE_UNREADABLE = (
        "tile-unreadable",
        "One tile can't be read.",
        "{n} tiles can't be read.",
        "Move it out of the glare, or from under what covers it.",
    )
    TOO_MANY_DOUBTFUL = (
        "too-many-doubtful",
        "One tile is hard to read.",
        "{n} tiles are hard to read, too many to settle.",
        "More even light or a sharper picture will help; check the camera's focus.",
    )
    TILE_DOUBTFUL = (
        "tile-doubtful",
        "One tile may be read in more than one way.",
        "{n} tiles may be read in more than one way.",
        "Move it a little, and see that nothing covers it or shines on it.",
    )
    UNFINISHED = (
        "unfinished",
        "Something is still to be done.",
        "Something is still to be done.",
        "Finish it, or say by hand what happened.",
    )
    AMBIGUOUS = (
        "ambiguous",
        "What was done can be understood in more than one way.",
        "What was done can be understood in more than one way.",
        "Say by hand which it was.",
    )
    NOT_CARRIED_OUT = (
        "not-carried-out",
        "The table is not yet as it is on record.",
        "The table is not yet as it is on record.",
        "Do on the table what was entered by hand, or take it back.",
    )
    CONTRADICTS_RECORD = (
        "contradicts-record",
        "The table differs from the record in one thing.",
        "The table differs from the record in {n} things.",
        "Put it right on the table, or decide: the table is right, or the record is.",
    )
    DIAL_UNREADABLE = (
        "dial-unreadable",
        "The number at the arrow can't be read.",
        "The number at the arrow can't be read.",
        "See that nothing covers the spinner, or enter the number by hand.",
    )
    DIAL_DISAGREES = (
        "dial-disagrees",
        "The arrow does not point to where the motor turned it.",
        "The arrow does not point to where the motor turned it.",
        "Look at the arrow, and enter the number by hand.",
    )
    PIECE_DOUBTFUL = (
        "piece-doubtful",
        "What was placed is not seen for sure.",
        "What was placed is not seen for sure.",
        "Say that it is right, or see that nothing hides it.",
    )
    LOOKS_DISAGREE = (
        "looks-disagree",
        "The table looks different each time.",
        "The table looks different each time.",
        "Keep hands off the table, and see that the light is steady.",
    )
    HAND_OVER_TABLE = (
        "hand-over-table",
        "A hand is over the table.",
        "A hand is over the table.",
        "Take hands and arms away from the table.",
    )
    TABLE_MOVES = (
        "table-moves",
        "Something on the table moves.",
        "Something on the table moves.",
        "Leave everything where it lies for a moment.",
    )
    LIGHT_CHANGES = (
        "light-changes",
        "The light changes.",
        "The light changes.",
        "Let the light be steady for a moment.",
    )
    NO_NEW_PICTURES = (
        "no-new-pictures",
        "The camera sends no new pictures.",
        "The camera sends no new pictures.",
        "Check the camera's cable; unplug it and plug it in again.",
    )
    CAMERA_MOVED = (
        "camera-moved",
        "The camera was moved.",
        "The camera was moved.",
        "Leave the camera and its arm alone for a moment.",
    )

    def __init__(self, code: str, one: str, many: str, remedy: str) -> None:
        self.code = code
        self.one = one
        self.many = many
        self.remedy = remedy

    def sentence(self, n: int) -> str:
        """What is wrong, in plain words, for `n` things concerned."""
        return self.one if n == 1 else self.many.format(n=n)


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
