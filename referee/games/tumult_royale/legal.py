"""Which moves are legal (rules sections 2 to 4)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from referee.games.tumult_royale.board import Laid, fields_in
from referee.games.tumult_royale.edition import FIELD_TYPES, Edition, FieldType
from referee.games.tumult_royale.moves import (
    Build,
    Crown,
    FirstStatue,
    Move,
    Pass,
    Plead,
    Punish,
    Rank,
    Reveal,
    SetAside,
    ShowMercy,
    Spin,
    TimeUp,
    TurnRegion,
)
from referee.games.tumult_royale.payments import payments
from referee.games.tumult_royale.state import (
    Phase,
    State,
    crown_due,
    mercy_due,
    ranks_due,
    tumults,
)
from referee.games.tumult_royale.tiles import Symbols, Tiles

#: The kind of move that each phase waits for.
EXPECTED: dict[Phase, tuple[type[Move], ...]] = {
    Phase.FIRST_STATUES: (FirstStatue,),
    Phase.SENTIMENT: (Spin,),
    Phase.SET_ASIDE: (SetAside,),
    Phase.TAXES: (TimeUp,),
    Phase.REVEAL: (Reveal,),
    Phase.PLEAS: (Plead,),
    Phase.TUMULTS: (Punish,),
    Phase.BUILD: (Build, Pass),
    Phase.RANKS: (Rank,),
    Phase.CROWNING: (Crown,),
    Phase.REGIONS: (TurnRegion,),
    Phase.MERCY: (ShowMercy,),
    Phase.OVER: (),
}

#: Uninhabited fields that may be built apart from own fields, at double cost (section 3.4).
APART: tuple[FieldType, ...] = ("pasture", "forest")


def legal_moves(state: State) -> tuple[Move, ...]:
    """Every legal move, in a fixed order.

    Where players or chance decide freely what becomes of the tiles (phases TAXES and REVEAL),
    the legal moves are too many to list: the answer is empty, and `check` judges any of them.
    """
    phase = state.phase
    if phase is Phase.BUILD:
        return (*legal_builds(state, state.turn), Pass(state.turn))
    if phase is Phase.FIRST_STATUES:
        pastures = state.board.masks[FIELD_TYPES.index("pasture")] & ~state.occupied
        return tuple(FirstStatue(state.turn, number) for number in fields_in(pastures))
    if phase is Phase.SENTIMENT:
        return tuple(Spin(demand) for demand in sorted({*state.edition.spinner}))
    if phase is Phase.PLEAS:
        choices = [(False, True) if seat.mercy else (False,) for seat in state.seats]
        return tuple(Plead(seats) for seats in product(*choices))
    if phase is Phase.REGIONS:
        return tuple(
            TurnRegion(place, Laid(region, turn))
            for place in state.board.face_down_places
            for region in state.board.unseen_regions
            for turn in range(4)
        )
    only = _forced(state)
    return () if only is None else (only,)


def _forced(state: State) -> Move | None:
    """The only legal move of the phases that leave no choice."""
    if state.phase is Phase.SET_ASIDE:
        return SetAside(state.edition.numbers.set_aside * state.players)
    if state.phase is Phase.TUMULTS:
        return Punish(tumults(state).returned)
    if state.phase is Phase.RANKS:
        return Rank(ranks_due(state))
    if state.phase is Phase.CROWNING:
        return Crown(crown_due(state))
    if state.phase is Phase.MERCY:
        return ShowMercy(mercy_due(state))
    return None


def legal_builds(state: State, seat: int) -> list[Build]:
    """Every field with every payment that a seat could build with now (section 3.4)."""
    board, player = state.board, state.seats[seat]
    prices = price_list(state.edition, player.tiles)
    if not prices:
        return []
    free = board.face_up & ~state.occupied
    near = board.touching(player.fields) & free
    apart = free & ~near
    left = state.statues_left(seat)
    builds: list[Build] = []
    for price in prices:
        if left < price.fewest_statues:
            continue
        fields = board.masks[price.type_index] & (apart if price.apart else near)
        ways = price.payments
        builds += [_build(seat, number, way) for number in fields_in(fields) for way in ways]
    return builds


@lru_cache(maxsize=1 << 15)
def _build(seat: int, number: int, payment: Tiles) -> Build:
    """One move; the same come up again and again, and making one is slow."""
    return Build(seat, number, payment)


@dataclass(frozen=True, slots=True)
class Price:
    """What a castle can pay on fields of one type, near own statues or apart from them."""

    type_index: int
    apart: bool
    fewest_statues: int
    """Statues that must be left on the track."""
    payments: tuple[Tiles, ...]


@lru_cache(maxsize=1 << 14)
def price_list(edition: Edition, castle: Tiles) -> tuple[Price, ...]:
    """Every price that a castle's tiles can pay (section 3.4)."""
    place_rest = edition.rulings.too_few_statues == "place_rest"
    prices = []
    for index, type_ in enumerate(FIELD_TYPES):
        needed = 1 if place_rest else edition.statues_on[type_]
        cost = edition.cost_of[type_]
        if ways := payments(cost, castle, edition.rulings):
            prices.append(Price(index, False, needed, ways))
        if type_ in APART and (ways := payments(twice(cost), castle, edition.rulings)):
            prices.append(Price(index, True, needed, ways))
    return tuple(prices)


def twice(cost: Symbols) -> Symbols:
    """The double cost of a field that touches no own one."""
    bread, marble, tools = cost
    return (2 * bread, 2 * marble, 2 * tools)


def cost_on(state: State, seat: int, number: int) -> Symbols | None:
    """What building on a field costs a seat; None if it can't be built from where it stands.

    None for a field of a face-down region, and for one of a type that must touch an own field
    but doesn't. Whether the field is free is not asked (section 3.4).
    """
    type_ = state.board.types[number]
    if type_ is None:
        return None
    cost = state.edition.cost_of[type_]
    if state.board.touching(state.seats[seat].fields) >> number & 1:
        return cost
    return twice(cost) if type_ in APART else None
