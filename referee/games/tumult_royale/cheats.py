"""How players of Tumult Royale cheat: each kind makes of an honest table one that breaks a rule."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from random import Random

from referee.games.hands import Cheat
from referee.games.tumult_royale.board import fields_in
from referee.games.tumult_royale.checks import Reason
from referee.games.tumult_royale.legal import APART, cost_on, legal_builds, twice
from referee.games.tumult_royale.moves import Build
from referee.games.tumult_royale.payments import payments, spare_tile, suffices
from referee.games.tumult_royale.state import State
from referee.games.tumult_royale.things import OFF, Things
from referee.games.tumult_royale.tiles import KINDS, Tiles, plus
from referee.games.tumult_royale.zones import CENTRE, castle_zone


class Cheating(Enum):
    """The kinds of cheats."""

    LATE_GRAB = "late grab of one tile"
    LATE_GRABS = "late grab of more tiles"
    PUT_BACK = "tile put back after time"
    HIDDEN = "tile hidden"
    ONE_TOO_MANY = "one statue too many"
    ONE_TOO_FEW = "one statue too few"
    APART_SINGLE = "field apart at single price"
    OVERPAID = "overpaid"
    MOVED_OTHERS = "another's statue moved"


#: What a right accusation may say.
REASONS = {
    Cheating.LATE_GRAB: {Reason.TAKEN_AFTER_TIME},
    Cheating.LATE_GRABS: {Reason.TAKEN_AFTER_TIME},
    Cheating.PUT_BACK: {Reason.PUT_BACK_AFTER_TIME},
    Cheating.HIDDEN: {Reason.TILES_MISSING},
    Cheating.ONE_TOO_MANY: {Reason.WRONG_STATUE_COUNT},
    Cheating.ONE_TOO_FEW: {Reason.WRONG_STATUE_COUNT},
    Cheating.APART_SINGLE: {Reason.PAID_TOO_LITTLE},
    Cheating.OVERPAID: {Reason.SPARE_TILE},
    Cheating.MOVED_OTHERS: {Reason.STATUE_MOVED},
}
#: Those at a reveal; all others are about a build.
AT_REVEAL = (Cheating.LATE_GRAB, Cheating.LATE_GRABS, Cheating.PUT_BACK, Cheating.HIDDEN)
#: Those that look like something unfinished until the player says that it is done.
SAYS_DONE = (Cheating.ONE_TOO_FEW, Cheating.APART_SINGLE)
#: Those after which a judge may rule that the table is right: the position can hold them.
MAY_STAND = (Cheating.LATE_GRABS, Cheating.PUT_BACK, Cheating.OVERPAID)


def cheat_of(kind: Cheating, seat: int) -> Cheat:
    """The cheat as a simulation tallies it."""
    reasons = frozenset(reason.name for reason in REASONS[kind])
    return Cheat(kind.value, seat, reasons, missing=kind is Cheating.HIDDEN)


def at_reveal(
    kind: Cheating, state: State, things: Things, seat: int, rng: Random
) -> Things | None:
    """The tiles as a cheat leaves them after time; None if there is no way to."""
    castle = castle_zone(state.seats[seat].colour)
    if kind is Cheating.PUT_BACK or (kind is Cheating.HIDDEN and rng.random() < 0.5):
        start, end = castle, CENTRE if kind is Cheating.PUT_BACK else OFF
    else:
        start, end = CENTRE, OFF if kind is Cheating.HIDDEN else castle
    tiles = rng.randint(2, 3) if kind is Cheating.LATE_GRABS else 1
    lying = things.within(start)
    if len(lying) < tiles:
        return None
    for at in rng.sample(lying, tiles):
        things = things.moved(at, end)
    return things


def built(state: State, things: Things, build: Build) -> Things:
    """The table when a build is done as the rules say."""
    colour, name = state.seats[build.seat].colour, state.board.name(build.field)
    type_ = state.board.types[build.field]
    assert type_ is not None
    statues = min(state.edition.statues_on[type_], state.statues_left(build.seat))
    paid = things.carried(build.payment, castle_zone(colour), CENTRE)
    return paid.stood(name, colour, statues)


def at_build(
    kind: Cheating, state: State, things: Things, build: Build | None, seat: int, rng: Random
) -> tuple[Things, Build | None] | None:
    """The table as a cheat leaves it instead of a build, and the breach as a move if it is one.

    `build` is the honest one, if there is one; None if there is no way to cheat.
    """
    return _AT_BUILD[kind](state, things, build, seat, rng)


Trick = tuple[Things, Build | None] | None


def _too_many(state: State, things: Things, build: Build | None, seat: int, rng: Random) -> Trick:
    if build is None or state.statues_left(seat) <= 3:
        return None
    name, colour = state.board.name(build.field), state.seats[seat].colour
    return built(state, things, build).stood(name, colour, 1), None


def _too_few(state: State, things: Things, build: Build | None, seat: int, rng: Random) -> Trick:
    filled = state.edition.statues_on
    large: dict[int, Build] = {}
    for each in legal_builds(state, seat):
        if (type_ := state.board.types[each.field]) and filled[type_] > 1:
            # The first payment of a field is the one with the least excess: nothing else is wrong.
            large.setdefault(each.field, each)
    if not large or state.statues_left(seat) <= 3:
        return None
    build = rng.choice(list(large.values()))
    name, colour = state.board.name(build.field), state.seats[seat].colour
    return built(state, things, build).stood(name, colour, -1), None


def _apart(state: State, things: Things, build: Build | None, seat: int, rng: Random) -> Trick:
    player, board = state.seats[seat], state.board
    free = board.face_up & ~state.occupied & ~board.touching(player.fields)
    ways = [
        (number, payment)
        for number in fields_in(free)
        if (type_ := board.types[number]) in APART and type_ is not None
        for payment in payments(state.edition.cost_of[type_], player.tiles, state.edition.rulings)[
            :1
        ]
    ]
    # Tiles that happen to pay the double cost too make it no cheat.
    ways = [way for way in ways if not _pays_double(state, *way)]
    if not ways or not state.statues_left(seat):
        return None
    breach = Build(seat, *rng.choice(ways))
    return built(state, things, breach), breach


def _pays_double(state: State, number: int, payment: Tiles) -> bool:
    type_ = state.board.types[number]
    assert type_ is not None
    return suffices(twice(state.edition.cost_of[type_]), payment)


def _overpaid(state: State, things: Things, build: Build | None, seat: int, rng: Random) -> Trick:
    if build is None:
        return None
    player, cost = state.seats[seat], cost_on(state, seat, build.field)
    assert cost is not None
    for kind in rng.sample(range(KINDS), KINDS):
        more = plus(build.payment, tuple(int(k == kind) for k in range(KINDS)))
        if more[kind] <= player.tiles[kind] and spare_tile(cost, more):
            breach = Build(seat, build.field, more)
            return built(state, things, breach), breach
    return None


def _moved_others(
    state: State, things: Things, build: Build | None, seat: int, rng: Random
) -> Trick:
    board = state.board
    ways = [
        (other.colour, number, to)
        for index, other in enumerate(state.seats)
        if index != seat
        for number, statues in other.statues()
        if statues == 1
        for to in fields_in(board.touching(1 << number) & board.face_up & ~state.occupied)
    ]
    if not ways:
        return None
    colour, number, to = rng.choice(ways)
    things = things.stood(board.name(number), colour, -1).stood(board.name(to), colour, 1)
    return things, None


_AT_BUILD: dict[Cheating, Callable[[State, Things, Build | None, int, Random], Trick]] = {
    Cheating.ONE_TOO_MANY: _too_many,
    Cheating.ONE_TOO_FEW: _too_few,
    Cheating.APART_SINGLE: _apart,
    Cheating.OVERPAID: _overpaid,
    Cheating.MOVED_OTHERS: _moved_others,
}
