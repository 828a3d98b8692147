"""What a game tells the match: positions and moves as text, steps, and what the table must show.

The match knows no game by name. It keeps moves as text, asks the game what a settled table means,
and shows people the game's own words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Generic, Protocol, TypeVar

from referee.games.fact import Fact, FactValue
from referee.games.measure import Amount, Measure
from referee.games.table import Placement, TablePlan

#: How many tiles of each label lie in each zone: zone -> label -> number.
Counts = Mapping[str, Mapping[str, int]]
#: The name of everything that lies in no zone.
OUTSIDE = ""

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


@dataclass(frozen=True, slots=True)
class TileAsk:
    """Tiles that must be settled before a step can be explained.

    `boards` are the boards that bear a zone and must have been found where they lie; `expected`
    tiles lie in `zones` together, face up or face down; `in_play` says how many tiles of each label
    there can be at most; up to `aside` tiles may lie face down outside every zone.
    """

    zones: tuple[str, ...]
    boards: tuple[str, ...]
    expected: int
    in_play: Mapping[str, int]
    aside: int = 0
    face_up: bool = True


@dataclass(frozen=True, slots=True)
class Ask:
    """What a step needs to know of the table; `boards` must have been found where they lie."""

    tiles: TileAsk | None = None
    fields: bool = False
    """Whether standing pieces matter."""
    dial: bool = False
    """Whether the number at the dial's arrow matters."""
    boards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """What surely lies on the table, in the rules' terms.

    `faces` are the tiles that lie face up by zone and label, `backs` those that lie face down by
    zone; `OUTSIDE` is the zone of those in none. `pieces` are the standing pieces by field and
    colour of all `sure_fields`: a sure field that is not in it is empty. Nothing is known of other
    fields. `dial` is the label at the arrow, None if it can't be read.
    """

    faces: Counts = field(default_factory=dict)
    backs: Mapping[str, int] = field(default_factory=dict)
    pieces: Counts = field(default_factory=dict)
    sure_fields: frozenset[str] = frozenset()
    dial: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to say about a move or a table; it breaks a rule if it is `illegal`.

    `reason` is a word of the game's own list, `rule` the section, such as "3.4"; `seats` are those
    whom it concerns, `zones` and `fields` where.
    """

    illegal: bool
    reason: str
    rule: str
    text: str
    seats: tuple[int, ...] = ()
    zones: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explained(Generic[MoveT]):
    """A move that accounts for what differs between the record and the table.

    What others did too early may be left until their turn has come; it is then to be explained.
    `findings` are what the rules say of it as it lies there now. `missing` says in sentences what
    would complete it; as long as there is something, an illegal move is merely not finished.
    """

    move: MoveT
    findings: tuple[Finding, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether it breaks no rule."""
        return not any(finding.illegal for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Explanation(Generic[MoveT]):
    """What a table means at a step.

    `moves` are all ways to explain it, best first; there is none if the table is as it was
    (`differs` is empty then too), or if no single move explains what `differs` from the record.
    `missing` says in sentences what is under way if that is no move yet.
    """

    moves: tuple[Explained[MoveT], ...] = ()
    differs: tuple[Finding, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SpinDial:
    """The box turns the arrow to one of these labels, clockwise from the top, by chance."""

    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunGlass:
    """The box runs an hourglass; `meanwhile` says what players do as long as it runs."""

    seconds: float
    meanwhile: str = ""


Device = SpinDial | RunGlass


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a person may enter by hand: the move as text, and in words."""

    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Step(Generic[MoveT]):
    """What must happen next, and how it is seen.

    A step with a `device` is judged only after the device has done its part, or a person says that
    it was done by hand. `due` is the one move that the rules leave where no camera sees it: a
    person confirms that it was carried out. `explain` tells what a settled table means; it is asked
    only if there is an `ask`.
    """

    phase: str
    """A word of the game's own list."""
    rule: str
    title: str
    instruction: str
    """What the players must do, in a sentence or two."""
    actors: tuple[int, ...]
    """The seats that act."""
    ask: Ask | None
    explain: Callable[[Table], Explanation[MoveT]]
    device: Device | None = None
    due: MoveT | None = None


@dataclass(frozen=True, slots=True)
class Good:
    """Something that tiles bear symbols of: its name, a drawing of it, symbols by label."""

    name: str
    drawing: str
    worth: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat that somebody may take: the game's word for it, what people call it, its sRGB."""

    word: str
    title: str
    colour: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Line:
    """A seat on the score sheet; `zone` is where its tiles lie, `badges` what it is just now."""

    name: str
    colour: str
    zone: str
    rank: int
    facts: tuple[tuple[str, str], ...]
    badges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A position for the screens, a line a seat.

    `demand` is 0 as long as it does not matter; `winner` is a sentence.
    """

    round: int
    demand: int
    lines: tuple[Line, ...]
    winner: str = ""


class Game(Protocol[StateT, MoveT]):
    """The rules of one game with one edition. Positions are immutable; nothing here does I/O."""

    name: str
    """The folder's name."""
    title: str
    edition: str
    """Names the edition and its content: two that differ in any value have different ones."""
    goods: tuple[Good, ...]
    store: str
    """The zone where what must remain is counted."""
    chairs: tuple[Chair, ...]
    """The seats that may be taken."""
    players: tuple[int, ...]
    """How many may play."""
    measures: tuple[Measure, ...]
    """What is counted of a match, the most telling first."""

    def draw(self, setup: Mapping[str, str], rng: Random) -> dict[str, str]:
        """The same setup, with everything drawn that chance decides and that is not in it.

        Raises ValueError if it lacks what nobody can draw: who plays.
        """

    def begin(self, setup: Mapping[str, str]) -> StateT:
        """The start that people have set up. Raises ValueError saying what is missing or wrong."""

    def lay(self, state: StateT) -> tuple[str, ...]:
        """How people lay out the table for a start, in sentences."""

    def write_state(self, state: StateT) -> str:
        """A position as one line."""

    def read_state(self, text: str) -> StateT:
        """The position of a line; it may be an impossible one. Raises ValueError."""

    def write_move(self, move: MoveT, state: StateT) -> str:
        """A move as one line, in the position in which it is made."""

    def read_move(self, text: str, state: StateT) -> MoveT:
        """The move of a line; whether it is legal is not asked. Raises ValueError."""

    def check(self, state: StateT, move: MoveT) -> tuple[Finding, ...]:
        """Everything that the rules say of a move."""

    def possible(self, state: StateT, move: MoveT) -> bool:
        """Whether `apply` can do a move, be it illegal: a person may overrule a rule."""

    def apply(self, state: StateT, move: MoveT) -> StateT:
        """The position after a possible move."""

    def faults(self, state: StateT) -> tuple[str, ...]:
        """Everything that can't be right about a position, in sentences."""

    def facts(self, state: StateT) -> tuple[Fact, ...]:
        """What a person may set in a position, each thing by itself."""

    def with_facts(self, state: StateT, values: Mapping[str, FactValue]) -> StateT:
        """The position with some facts as a person says, by key; it may be an impossible one.

        What can be counted from the others follows, unless it is given too: what is in nobody's
        hands, say. Raises ValueError for an unknown key, or for what can't be such a value.
        """

    def step(self, state: StateT) -> Step[MoveT] | None:
        """What must happen next; None if the game is over."""

    def choices(self, state: StateT) -> tuple[Choice, ...]:
        """The legal moves that a person can pick from; empty if they are too many to list."""

    def tell(self, state: StateT, move: MoveT) -> tuple[str, ...]:
        """What a move means: a headline, then a sentence for each part."""

    def sheet(self, state: StateT) -> Sheet:
        """The position for the screens."""

    def levels(self, state: StateT) -> tuple[Amount, ...]:
        """What each seat has in a position, of the measures that are levels."""

    def counted(self, state: StateT, move: MoveT) -> tuple[Amount, ...]:
        """What a possible move adds to the measures that add up."""

    def winners(self, state: StateT) -> tuple[int, ...]:
        """The seats that have won; nobody as long as the game goes on."""

    def plan(self, state: StateT) -> TablePlan:
        """The table of this match: it does not change during one."""

    def placement(self, state: StateT) -> Placement:
        """What lies where in a position."""
