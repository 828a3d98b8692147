"""The position of a game: everything that lies on the table, and what comes next.

A `State` never changes; `play.apply` makes a new one. It can represent impossible tables too:
`faults.faults` names what is wrong with one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from operator import attrgetter
from typing import Any, TypeVar

from referee.games.said import say
from referee.games.tumult_royale.adjudication import Taxed, Tumults, adjudicate
from referee.games.tumult_royale.board import Board, Laid, fields_in
from referee.games.tumult_royale.edition import (
    Edition,
)
from referee.games.tumult_royale.sections import COLOURS, FEWEST_PLAYERS, MOST_PLAYERS, Colour
from referee.games.tumult_royale.tiles import NO_TILES, Tiles

T = TypeVar("T")

#: The turn of a step that is everybody's.
EVERYBODY = -1


class Phase(Enum):
    """What must happen next, with its section of the rules."""

    FIRST_STATUES = "first-statues"
    SENTIMENT = "sentiment"
    SET_ASIDE = "set-aside"
    TAXES = "taxes"
    REVEAL = "reveal"
    PLEAS = "pleas"
    TUMULTS = "tumults"
    BUILD = "build"
    RANKS = "ranks"
    CROWNING = "crowning"
    REGIONS = "regions"
    MERCY = "mercy"
    OVER = "over"

    @property
    def rule(self) -> str:
        """The section of the rules."""
        return _SECTIONS[self]


_SECTIONS = {
    Phase.FIRST_STATUES: "2",
    Phase.SENTIMENT: "3.1",
    Phase.SET_ASIDE: "3.2",
    Phase.TAXES: "3.2",
    Phase.REVEAL: "3.2",
    Phase.PLEAS: "3.3",
    Phase.TUMULTS: "3.3",
    Phase.BUILD: "3.4",
    Phase.RANKS: "3.5",
    Phase.CROWNING: "3.6",
    Phase.REGIONS: "3.6",
    Phase.MERCY: "3.7",
    Phase.OVER: "4",
}


class Ending(Enum):
    """Why a game is over."""

    LAST_STATUE = "last-statue"
    GAP = "gap"
    CHRONICLE_FULL = "chronicle-full"

    @property
    def rule(self) -> str:
        """The section of the rules."""
        return "4" if self is Ending.LAST_STATUE else "3.6"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who has won, and why the game is over."""

    winner: int
    ending: Ending


#: Statues on fields as three bit masks: a field's number of statues in binary, so 0 to 7.
Planes = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's things. `built` counts statues off the track, those on the chronicle too.

    The flags `pleads`, `punished`, `has_built` and `passed` are about the current round.
    """

    colour: Colour
    rank: int
    supporters: int
    built: int = 0
    planes: Planes = (0, 0, 0)
    tiles: Tiles = NO_TILES
    mercy: bool = False
    pleads: bool = False
    punished: bool = False
    has_built: bool = False
    passed: bool = False

    @property
    def fields(self) -> int:
        """The mask of the fields that bear own statues."""
        ones, twos, fours = self.planes
        return ones | twos | fours

    def statues_on(self, number: int) -> int:
        """How many own statues stand on a field."""
        return sum((plane >> number & 1) << power for power, plane in enumerate(self.planes))

    def statues(self) -> Iterator[tuple[int, int]]:
        """Each field that bears own statues, with how many."""
        for number in fields_in(self.fields):
            yield number, self.statues_on(number)

    def planes_with(self, number: int, statues: int) -> Planes:
        """The planes after so many statues (0 to 7) were placed on a free field."""
        ones, twos, fours = self.planes
        return (
            ones | (statues & 1) << number,
            twos | (statues >> 1 & 1) << number,
            fours | (statues >> 2) << number,
        )


@dataclass(frozen=True, slots=True)
class State:
    """One position.

    Until the reveal nobody knows which tile lies where, and `centre` counts all that are in play;
    afterwards `centre` (with what was returned and paid), `aside` and the castles do.
    """

    edition: Edition = field(repr=False, hash=False)
    seats: tuple[Seat, ...]
    board: Board
    phase: Phase
    turn: int
    """The seat that acts, or EVERYBODY."""
    round: int
    """From 1; 0 while the first statues are placed."""
    demand: int
    """Symbols of each commodity that must remain; 0 before the spin."""
    centre: Tiles
    aside: Tiles
    at_time: tuple[int, ...] | None
    """How many tiles lay on each castle when time was up, if they were counted."""
    hands_empty: bool
    """Whether it is known that no hand held a tile then."""
    supply: int
    """Supporters that nobody has."""
    chronicle: tuple[tuple[int, int], ...]
    """The seat and the number of statues on each filled space."""
    to_turn: int
    """Regions that the king must still turn up."""
    outcome: Outcome | None

    @property
    def players(self) -> int:
        """2, 3 or 4."""
        return len(self.seats)

    @property
    def king(self) -> int:
        """The seat with rank 1."""
        return self.by_rank()[0]

    def by_rank(self) -> tuple[int, ...]:
        """The seats, the highest rank first."""
        seats = self.seats
        return tuple(sorted(range(len(seats)), key=lambda seat: seats[seat].rank))

    @property
    def occupied(self) -> int:
        """The mask of the fields that bear any statue."""
        mask = 0
        for seat in self.seats:
            mask |= seat.fields
        return mask

    def statues_left(self, seat: int) -> int:
        """How many statues a seat has still on its track."""
        return self.edition.numbers.statues - self.seats[seat].built


def changed(old: T, **changes: Any) -> T:
    """`dataclasses.replace` for a Seat or State, more than twice as fast."""
    read, writers = _SLOTS[type(old)]
    new = object.__new__(type(old))
    for write, value in zip(writers.values(), read(old), strict=True):
        write(new, value)
    for name, value in changes.items():
        writers[name](new, value)
    return new


def _slots(kind: type[Any]) -> tuple[Callable[[Any], tuple[Any, ...]], dict[str, Any]]:
    """How to read all slots of a class at once, and to write each, frozen or not."""
    names = [each.name for each in fields(kind)]
    return attrgetter(*names), {name: getattr(kind, name).__set__ for name in names}


_SLOTS: dict[type[Any], Any] = {kind: _slots(kind) for kind in (Seat, State)}


class SetupError(ValueError):
    """A setup that the rules don't know; says what was given and what is needed."""


def start(
    edition: Edition,
    colours: Sequence[Colour],
    ranks: Sequence[int],
    regions: Sequence[tuple[int, int]],
) -> State:
    """The position before the first statues (rules section 2).

    `colours` and `ranks` (1 is the king) are by seat, as they sit; `regions` gives number (from 1)
    and quarter turns clockwise of the face-up regions, in the order of their places. Raises
    SetupError for anything that the rules don't allow.
    """
    players = len(colours)
    if (
        not FEWEST_PLAYERS <= players <= MOST_PLAYERS
        or len({*colours}) < players
        or {*colours} - {*COLOURS}
    ):
        raise SetupError(
            say(
                "the seats are {seats}; give 2 to 4 different ones of {colours}",
                seats=list(colours),
                colours=", ".join(COLOURS),
            )
        )
    if sorted(ranks) != list(range(1, players + 1)):
        raise SetupError(
            say(
                "the ranks are {ranks}; give each of 1 to {players} once",
                ranks=list(ranks),
                players=players,
            )
        )
    setup = edition.setup_for(players)
    places = [place for place in range(1, 2 * players + 1) if place not in setup.face_down]
    numbers = [region for region, _ in regions]
    known = range(1, len(edition.regions) + 1)
    if (
        len(numbers) != len(places)
        or len({*numbers}) < len(numbers)
        or {*numbers} - {*known}
        or any(turn not in range(4) for _, turn in regions)
    ):
        raise SetupError(
            say(
                "the face-up regions are {regions}; give (number, quarter turns) of {n} different "
                "ones, numbers 1 to {most}, turns 0 to 3",
                regions=list(regions),
                n=len(places),
                most=len(known),
            )
        )
    laid = dict(zip(places, (Laid(*region) for region in regions), strict=True))
    seats = tuple(
        Seat(colour, rank, setup.supporters) for colour, rank in zip(colours, ranks, strict=True)
    )
    return State(
        edition=edition,
        seats=seats,
        board=Board(edition.regions, tuple(laid.get(n) for n in range(1, 2 * players + 1))),
        phase=Phase.FIRST_STATUES,
        turn=ranks.index(players),
        round=0,
        demand=0,
        centre=edition.tiles_in_play[players],
        aside=NO_TILES,
        at_time=None,
        hands_empty=False,
        supply=edition.supporters - players * setup.supporters,
        chronicle=(),
        to_turn=0,
        outcome=None,
    )


def tumults(state: State) -> Tumults:
    """The verdict on the tiles as revealed; for the phases PLEAS and TUMULTS."""
    asked = state.edition.rulings.mercy == "asked"
    return adjudicate(
        state.edition,
        state.demand,
        state.centre,
        [
            Taxed(seat.rank, seat.supporters, seat.pleads if asked else seat.mercy, seat.tiles)
            for seat in state.seats
        ],
    )


def ranks_due(state: State) -> tuple[int, ...]:
    """The new rank of each seat: most supporters first, then the higher old rank (section 3.5)."""
    seats = state.seats
    order = sorted(range(len(seats)), key=lambda i: (-seats[i].supporters, seats[i].rank))
    return tuple(order.index(seat) + 1 for seat in range(len(seats)))


def crown_due(state: State) -> int:
    """How many statues the king puts on the next space: as many as it takes (section 3.6).

    A king with fewer left puts those, and has then built them all.
    """
    space = len(state.chronicle)
    return min(state.edition.chronicle.statues[space], state.statues_left(state.king))


def crown_price(state: State) -> int:
    """How many supporters the king gives to the supply: all, if fewer (section 3.6)."""
    held, due = state.seats[state.king].supporters, state.edition.numbers.crown
    if held >= due:
        return due
    return held if state.edition.rulings.few_supporters_crowned == "all" else 0


def mercy_due(state: State) -> tuple[bool, ...]:
    """Which seats are shown mercy: those with the fewest statues (section 3.7)."""
    built = [seat.built for seat in state.seats]
    fewest = [number == min(built) for number in built]
    tied = sum(fewest) > 1 and state.edition.rulings.fewest_tied == "none"
    return tuple(few and not all(fewest) and not tied for few in fewest)


def leader(state: State) -> int:
    """The seat with the most statues built, among equals the higher rank (section 4)."""
    seats = state.seats
    return max(range(len(seats)), key=lambda seat: (seats[seat].built, -seats[seat].rank))
