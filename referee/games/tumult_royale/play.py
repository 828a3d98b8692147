"""The rules in motion: which moves are legal, and what a move does (rules sections 2 to 4)."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any, TypeVar

from referee.games.tumult_royale.board import Laid, fields_in
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
from referee.games.tumult_royale.payments import excess, payments
from referee.games.tumult_royale.sections import FIELD_TYPES, FieldType
from referee.games.tumult_royale.state import (
    EVERYBODY,
    Ending,
    Outcome,
    Phase,
    Seat,
    State,
    crown_due,
    leader,
    mercy_due,
    ranks_due,
    tumults,
)
from referee.games.tumult_royale.tiles import NO_TILES, Symbols, minus, plus, total

M = TypeVar("M", bound=Move)

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
    board, edition, player = state.board, state.edition, state.seats[seat]
    free = board.face_up & ~state.occupied
    near = board.touching(player.fields) & free
    left = state.statues_left(seat)
    builds: list[Build] = []
    for type_, mask in zip(FIELD_TYPES, board.masks, strict=True):
        needed = edition.statues_on[type_]
        if left < (needed if edition.rulings.too_few_statues == "forbidden" else 1):
            continue
        cost = edition.cost_of[type_]
        builds += _builds(state, seat, near & mask, cost)
        if type_ in APART:
            builds += _builds(state, seat, free & mask & ~near, _twice(cost))
    return builds


def _builds(state: State, seat: int, fields: int, cost: Symbols) -> list[Build]:
    if not fields:
        return []
    ways = payments(cost, state.seats[seat].tiles, state.edition.rulings)
    return [Build(seat, number, way) for number in fields_in(fields) for way in ways]


def _twice(cost: Symbols) -> Symbols:
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
    return _twice(cost) if type_ in APART else None


def apply(state: State, move: Move) -> State:
    """The position after a legal move; the old one stays as it is.

    The move is not checked: only moves that `check` finds legal may be given.
    """
    after: State = _EFFECTS[type(move)](state, move)
    return after


def _with_seat(state: State, seat: int, **changes: Any) -> tuple[Seat, ...]:
    seats = state.seats
    return (*seats[:seat], replace(seats[seat], **changes), *seats[seat + 1 :])


def _first_statue(state: State, move: FirstStatue) -> State:
    player = state.seats[move.seat]
    seats = _with_seat(
        state, move.seat, built=player.built + 1, planes=player.planes_with(move.field, 1)
    )
    state = replace(state, seats=seats)
    if player.rank == 1:
        return _new_round(state)
    return replace(state, turn=state.by_rank()[player.rank - 2])


def _new_round(state: State) -> State:
    """The next round begins with the king (section 3.1)."""
    return replace(state, phase=Phase.SENTIMENT, turn=state.king, round=state.round + 1, demand=0)


def _spin(state: State, move: Spin) -> State:
    return replace(state, phase=Phase.SET_ASIDE, turn=EVERYBODY, demand=move.demand)


def _set_aside(state: State, move: SetAside) -> State:
    return replace(state, phase=Phase.TAXES)


def _time_up(state: State, move: TimeUp) -> State:
    return replace(state, phase=Phase.REVEAL, at_time=move.castles)


def _reveal(state: State, move: Reveal) -> State:
    seats = tuple(
        replace(seat, tiles=tiles) for seat, tiles in zip(state.seats, move.castles, strict=True)
    )
    aside = minus(state.edition.tiles_in_play[state.players], total((move.centre, *move.castles)))
    revealed = replace(state, seats=seats, centre=move.centre, aside=aside, phase=Phase.TUMULTS)
    asked = state.edition.rulings.mercy == "asked" and any(seat.mercy for seat in seats)
    return replace(revealed, phase=Phase.PLEAS) if asked and tumults(revealed).any else revealed


def _plead(state: State, move: Plead) -> State:
    seats = tuple(
        replace(seat, pleads=pleads) for seat, pleads in zip(state.seats, move.seats, strict=True)
    )
    return replace(state, seats=seats, phase=Phase.TUMULTS)


def _punish(state: State, move: Punish) -> State:
    verdict = tumults(state)
    seats = tuple(
        replace(
            seat,
            supporters=seat.supporters - verdict.supporters_lost[index],
            tiles=minus(seat.tiles, move.returned[index]),
            punished=True,
        )
        if verdict.punished(index)
        else seat
        for index, seat in enumerate(state.seats)
    )
    return replace(
        state,
        seats=seats,
        centre=total((state.centre, *move.returned)),
        supply=state.supply + sum(verdict.supporters_lost),
        phase=Phase.BUILD,
        turn=state.king,
    )


def _take(state: State, due: int) -> int:
    """How many of the supporters due the supply gives (section 3.4)."""
    if due <= state.supply:
        return due
    return state.supply if state.edition.rulings.short_supply == "as_many" else 0


def _build(state: State, move: Build) -> State:
    seat, player, edition = move.seat, state.seats[move.seat], state.edition
    cost, type_ = cost_on(state, seat, move.field), state.board.types[move.field]
    assert cost is not None
    assert type_ is not None
    statues = min(edition.statues_on[type_], state.statues_left(seat))
    gained = _take(state, excess(cost, move.payment))
    seats = _with_seat(
        state,
        seat,
        supporters=player.supporters + gained,
        built=player.built + statues,
        planes=player.planes_with(move.field, statues),
        tiles=minus(player.tiles, move.payment),
        has_built=True,
    )
    state = replace(
        state,
        seats=seats,
        centre=plus(state.centre, move.payment),
        supply=state.supply - gained,
    )
    if state.statues_left(seat) == 0 and edition.rulings.last_statue == "at_once":
        return _over(state, seat, Ending.LAST_STATUE)
    return _next_builder(state)


def _pass(state: State, move: Pass) -> State:
    return _next_builder(replace(state, seats=_with_seat(state, move.seat, passed=True)))


def _next_builder(state: State) -> State:
    """The next lower rank that has not passed, else another pass from the highest (3.4)."""
    seats, order = state.seats, state.by_rank()
    place = order.index(state.turn)
    for seat in order[place + 1 :]:
        if not seats[seat].passed:
            return replace(state, turn=seat)
    if all(seat.passed for seat in seats):
        return _end_building(state)
    if not state.edition.rulings.pass_is_final:
        seats = tuple(replace(seat, passed=False) if seat.passed else seat for seat in seats)
    return replace(state, seats=seats, turn=next(s for s in order if not seats[s].passed))


def _end_building(state: State) -> State:
    """Consolation in order of rank, then all tiles go back (section 3.4)."""
    rulings, numbers = state.edition.rulings, state.edition.numbers
    seats, supply = list(state.seats), state.supply
    for index in state.by_rank():
        seat = seats[index]
        consoled = not seat.has_built and (rulings.consolation_if_punished or not seat.punished)
        gained = _take(replace(state, supply=supply), numbers.consolation) if consoled else 0
        supply -= gained
        seats[index] = Seat(
            seat.colour, seat.rank, seat.supporters + gained, seat.built, seat.planes,
            mercy=seat.mercy,
        )  # fmt: skip
    state = replace(
        state,
        seats=tuple(seats),
        supply=supply,
        centre=state.edition.tiles_in_play[state.players],
        aside=NO_TILES,
        at_time=None,
        phase=Phase.RANKS,
        turn=EVERYBODY,
    )
    if any(state.statues_left(seat) == 0 for seat in range(state.players)):
        return _over(state, leader(state), Ending.LAST_STATUE)
    return state


def _rank(state: State, move: Rank) -> State:
    seats = tuple(
        replace(seat, rank=rank) for seat, rank in zip(state.seats, move.ranks, strict=True)
    )
    return replace(state, seats=seats, phase=Phase.CROWNING, turn=move.ranks.index(1))


def _crown(state: State, move: Crown) -> State:
    edition, king = state.edition, state.turn
    player, due = state.seats[king], edition.numbers.crown
    if player.supporters < due:
        due = player.supporters if edition.rulings.few_supporters_crowned == "all" else 0
    state = replace(
        state,
        seats=_with_seat(
            state, king, supporters=player.supporters - due, built=player.built + move.statues
        ),
        supply=state.supply + due,
        chronicle=(*state.chronicle, (king, move.statues)),
    )
    if state.statues_left(king) == 0:
        return _over(state, king, Ending.LAST_STATUE)
    space = len(state.chronicle)
    built = [seat.built for seat in state.seats]
    if space in edition.end_numbers and max(built) - min(built) > edition.end_numbers[space]:
        return _over(state, leader(state), Ending.GAP)
    if space == len(edition.chronicle.statues):
        return _over(state, leader(state), Ending.CHRONICLE_FULL)
    if space in edition.chronicle.reveal_at:
        reveals = edition.setup_for(state.players).reveals
        if to_turn := reveals[edition.chronicle.reveal_at.index(space)]:
            return replace(state, phase=Phase.REGIONS, to_turn=to_turn)
    return replace(state, phase=Phase.MERCY, turn=EVERYBODY)


def _turn_region(state: State, move: TurnRegion) -> State:
    board, to_turn = state.board.turn_up(move.place, move.laid), state.to_turn - 1
    state = replace(state, board=board, to_turn=to_turn)
    return state if to_turn else replace(state, phase=Phase.MERCY, turn=EVERYBODY)


def _show_mercy(state: State, move: ShowMercy) -> State:
    seats = tuple(
        replace(seat, mercy=mercy) for seat, mercy in zip(state.seats, move.seats, strict=True)
    )
    return _new_round(replace(state, seats=seats))


def _over(state: State, winner: int, ending: Ending) -> State:
    return replace(state, phase=Phase.OVER, turn=EVERYBODY, outcome=Outcome(winner, ending))


_EFFECTS: dict[type[Move], Any] = {
    FirstStatue: _first_statue,
    Spin: _spin,
    SetAside: _set_aside,
    TimeUp: _time_up,
    Reveal: _reveal,
    Plead: _plead,
    Punish: _punish,
    Build: _build,
    Pass: _pass,
    Rank: _rank,
    Crown: _crown,
    TurnRegion: _turn_region,
    ShowMercy: _show_mercy,
}
