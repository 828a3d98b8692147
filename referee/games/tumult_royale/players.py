"""Simple players for the demo, the tests and the benchmarks, and chance at the table.

All randomness comes from the `random.Random` that the caller gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from referee.games.tumult_royale.edition import (
    Edition,
)
from referee.games.tumult_royale.legal import cost_on, legal_moves
from referee.games.tumult_royale.moves import Build, Move, Pass, Plead, Reveal, Spin, TimeUp
from referee.games.tumult_royale.payments import excess
from referee.games.tumult_royale.play import apply
from referee.games.tumult_royale.sections import COLOURS, Colour
from referee.games.tumult_royale.state import Phase, State, start
from referee.games.tumult_royale.tiles import (
    KINDS,
    MOST_SYMBOLS,
    NO_TILES,
    Tiles,
    symbols_of,
)

#: About how long a hand needs to take a tile, look at it, and put it down somewhere.
SECONDS_A_LOOK = 1.6


class Player(Protocol):
    """Decides for one seat."""

    def keeps(self, state: State, kind: int, castle: Tiles, rng: Random) -> bool:
        """Whether to keep the tile just looked at, beside those already on the castle."""

    def wants_more(self, castle: Tiles) -> bool:
        """Whether to look at yet another tile."""

    def chooses(self, state: State, moves: Sequence[Move], rng: Random) -> Move:
        """One of the legal moves."""


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Does anything that is legal; keeps a tile with the given chance."""

    chance: float = 0.4

    def keeps(self, state: State, kind: int, castle: Tiles, rng: Random) -> bool:
        """By chance."""
        return rng.random() < self.chance

    def wants_more(self, castle: Tiles) -> bool:
        """Always."""
        return True

    def chooses(self, state: State, moves: Sequence[Move], rng: Random) -> Move:
        """Any move, all equally likely."""
        return rng.choice(moves)


@dataclass(frozen=True, slots=True)
class Builder:
    """Takes up to `wanted` symbols of each commodity, then builds as much as that pays.

    The fewer it wants, the less often it is punished; it pays with the least excess.
    """

    wanted: tuple[int, int, int]

    def keeps(self, state: State, kind: int, castle: Tiles, rng: Random) -> bool:
        """Whether the tile's commodity is still wanted."""
        commodity = kind // MOST_SYMBOLS
        return symbols_of(castle)[commodity] < self.wanted[commodity]

    def wants_more(self, castle: Tiles) -> bool:
        """Until enough of everything lies on the castle."""
        return any(
            has < enough for has, enough in zip(symbols_of(castle), self.wanted, strict=True)
        )

    def chooses(self, state: State, moves: Sequence[Move], rng: Random) -> Move:
        """The build with most statues, then the cheapest; anything of other moves."""
        builds = [move for move in moves if isinstance(move, Build)]
        if not builds:
            pleas = [move for move in moves if isinstance(move, Plead)]
            return max(pleas, key=lambda plea: sum(plea.seats)) if pleas else rng.choice(moves)
        prices = [self._price(state, move) for move in builds]
        best = min(prices)
        return rng.choice([b for b, price in zip(builds, prices, strict=True) if price == best])

    def _price(self, state: State, move: Build) -> tuple[int, int]:
        type_, cost = state.board.types[move.field], cost_on(state, move.seat, move.field)
        assert type_ is not None
        assert cost is not None
        return -state.edition.statues_on[type_], sum(cost) + excess(cost, move.payment)


#: Takes what two cheap fields cost.
MODEST = Builder((2, 2, 1))
#: Takes what a castle and a pasture cost.
STEADY = Builder((3, 3, 3))
#: Takes whatever it can, and is punished for it.
GREEDY = Builder((9, 9, 9))

PLAYERS: dict[str, Player] = {
    "modest": MODEST,
    "steady": STEADY,
    "greedy": GREEDY,
    "random": RandomPlayer(),
}


@dataclass(frozen=True, slots=True)
class Look:
    """A seat looked at a tile of the centre, and kept it or put it back."""

    seat: int
    kind: int
    kept: bool


@dataclass(frozen=True, slots=True)
class Raid:
    """A tax phase as it happened: tiles set aside, every look in order, what lies where then."""

    aside: Tiles
    looks: tuple[Look, ...]
    centre: Tiles
    castles: tuple[Tiles, ...]

    @property
    def time_up(self) -> TimeUp:
        """The move when the hourglass has run out."""
        return TimeUp(tuple(sum(castle) for castle in self.castles))

    @property
    def reveal(self) -> Reveal:
        """The move when all tiles lie face up."""
        return Reveal(self.centre, self.castles)


def raid(state: State, players: Sequence[Player], rng: Random) -> Raid:
    """Sets tiles aside unseen, then lets all hands rob at once until time is up (section 3.2)."""
    table = [kind for kind in range(KINDS) for _ in range(state.centre[kind])]
    rng.shuffle(table)
    aside = [0] * KINDS
    for _ in range(state.edition.numbers.set_aside * state.players):
        aside[table.pop()] += 1
    castles = [NO_TILES] * len(players)
    looks: list[Look] = []
    for _ in range(len(players) * int(state.edition.numbers.hourglass / SECONDS_A_LOOK)):
        seat = int(rng.random() * len(players))
        castle = castles[seat]
        if not table or not players[seat].wants_more(castle):
            continue
        at = int(rng.random() * len(table))
        kind = table[at]
        kept = players[seat].keeps(state, kind, castle, rng)
        looks.append(Look(seat, kind, kept))
        if kept:
            castles[seat] = (*castle[:kind], castle[kind] + 1, *castle[kind + 1 :])
            table[at] = table[-1]
            table.pop()
    centre = tuple(table.count(kind) for kind in range(KINDS))
    return Raid(tuple(aside), tuple(looks), centre, tuple(castles))


def deal(edition: Edition, players: int, rng: Random) -> State:
    """A start with everything that is dealt at random: ranks, regions and how they lie."""
    colours: tuple[Colour, ...] = COLOURS[:players]
    regions = rng.sample(range(1, len(edition.regions) + 1), players)
    return start(
        edition,
        colours,
        rng.sample(range(1, players + 1), players),
        [(region, rng.randrange(4)) for region in regions],
    )


def decide(state: State, players: Sequence[Player], rng: Random) -> Move:
    """The next move in any phase but TAXES and REVEAL, which `raid` plays.

    Chance spins and turns regions; the seat whose turn it is does the rest.
    """
    if state.phase is Phase.SENTIMENT:
        return Spin(rng.choice(state.edition.spinner))
    moves = legal_moves(state)
    if len(moves) == 1 or state.phase is Phase.REGIONS:
        return rng.choice(moves)
    if isinstance(moves[-1], Pass) or state.phase is Phase.FIRST_STATUES:
        return players[state.turn].chooses(state, moves, rng)
    return players[state.king].chooses(state, moves, rng)


def play(state: State, players: Sequence[Player], rng: Random) -> Iterator[tuple[Move, State]]:
    """Plays on to the end: each move with the position that it leads to."""
    robbed: Raid | None = None
    while state.phase is not Phase.OVER:
        move: Move
        if state.phase is Phase.TAXES:
            robbed = raid(state, players, rng)
            move = robbed.time_up
        elif state.phase is Phase.REVEAL:
            robbed = robbed or raid(state, players, rng)
            move = robbed.reveal
        else:
            move = decide(state, players, rng)
        state = apply(state, move)
        yield move, state
