"""The rules in motion: what a move does (rules sections 2 to 4)."""

from __future__ import annotations

from typing import Any

from referee.games.tumult_royale.edition import Edition
from referee.games.tumult_royale.legal import cost_on
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
from referee.games.tumult_royale.payments import excess, suffices
from referee.games.tumult_royale.state import (
    EVERYBODY,
    Ending,
    Outcome,
    Phase,
    Seat,
    State,
    changed,
    crown_price,
    leader,
    tumults,
)
from referee.games.tumult_royale.tiles import NO_TILES, minus, plus, total


def apply(state: State, move: Move) -> State:
    """The position after a legal move, or one that is `possible`; the old one stays as it is.

    The move is not checked. Of a move that breaks a rule, and is done since people decided so: a
    build out of turn leaves the turn as it is; with fewer statues left than a field needs, those
    are placed; only a payment that covers a price brings supporters for what is too much of it.
    """
    after: State = _EFFECTS[type(move)](state, move)
    return after


def _with_seat(state: State, seat: int, **changes: Any) -> tuple[Seat, ...]:
    seats = state.seats
    return (*seats[:seat], changed(seats[seat], **changes), *seats[seat + 1 :])


def _first_statue(state: State, move: FirstStatue) -> State:
    player = state.seats[move.seat]
    seats = _with_seat(
        state, move.seat, built=player.built + 1, planes=player.planes_with(move.field, 1)
    )
    if player.rank == 1:
        return _new_round(state, seats)
    return changed(state, seats=seats, turn=state.by_rank()[player.rank - 2])


def _new_round(state: State, seats: tuple[Seat, ...]) -> State:
    """The next round begins with the king (section 3.1)."""
    return changed(
        state,
        seats=seats,
        phase=Phase.SENTIMENT,
        turn=state.king,
        round=state.round + 1,
        demand=0,
    )


def _spin(state: State, move: Spin) -> State:
    return changed(state, phase=Phase.SET_ASIDE, turn=EVERYBODY, demand=move.demand)


def _set_aside(state: State, move: SetAside) -> State:
    return changed(state, phase=Phase.TAXES)


def _time_up(state: State, move: TimeUp) -> State:
    return changed(state, phase=Phase.REVEAL, at_time=move.castles, hands_empty=move.hands_empty)


def _reveal(state: State, move: Reveal) -> State:
    seats = tuple(
        changed(seat, tiles=tiles) for seat, tiles in zip(state.seats, move.castles, strict=True)
    )
    aside = minus(state.edition.tiles_in_play[state.players], total((move.centre, *move.castles)))
    revealed = changed(state, seats=seats, centre=move.centre, aside=aside, phase=Phase.TUMULTS)
    asked = state.edition.rulings.mercy == "asked" and any(seat.mercy for seat in seats)
    return changed(revealed, phase=Phase.PLEAS) if asked and tumults(revealed).any else revealed


def _plead(state: State, move: Plead) -> State:
    seats = tuple(
        changed(seat, pleads=pleads) for seat, pleads in zip(state.seats, move.seats, strict=True)
    )
    return changed(state, seats=seats, phase=Phase.TUMULTS)


def _punish(state: State, move: Punish) -> State:
    verdict = tumults(state)
    seats = tuple(
        changed(
            seat,
            supporters=seat.supporters - verdict.supporters_lost[index],
            tiles=minus(seat.tiles, move.returned[index]),
            punished=verdict.punished(index),
        )
        if verdict.punished(index) or any(move.returned[index])
        else seat
        for index, seat in enumerate(state.seats)
    )
    return changed(
        state,
        seats=seats,
        centre=total((state.centre, *move.returned)),
        supply=state.supply + sum(verdict.supporters_lost),
        phase=Phase.BUILD,
        turn=state.king,
    )


def _given(edition: Edition, due: int, supply: int) -> int:
    """How many of the supporters due the supply gives (section 3.4)."""
    if due <= supply:
        return due
    return supply if edition.rulings.short_supply == "as_many" else 0


def _build(state: State, move: Build) -> State:
    seat, player, edition = move.seat, state.seats[move.seat], state.edition
    cost, type_ = cost_on(state, seat, move.field), state.board.types[move.field]
    assert type_ is not None
    statues = min(edition.statues_on[type_], state.statues_left(seat))
    paid = cost is not None and suffices(cost, move.payment)
    gained = _given(edition, excess(cost, move.payment), state.supply) if cost and paid else 0
    seats = _with_seat(
        state,
        seat,
        supporters=player.supporters + gained,
        built=player.built + statues,
        planes=player.planes_with(move.field, statues),
        tiles=minus(player.tiles, move.payment),
        has_built=True,
    )
    state = changed(state, centre=plus(state.centre, move.payment), supply=state.supply - gained)
    if seats[seat].built == edition.numbers.statues and edition.rulings.last_statue == "at_once":
        return _over(changed(state, seats=seats), seat, Ending.LAST_STATUE)
    return _next_builder(state, seats) if seat == state.turn else changed(state, seats=seats)


def _pass(state: State, move: Pass) -> State:
    seats = _with_seat(state, move.seat, passed=True)
    return _next_builder(state, seats) if move.seat == state.turn else changed(state, seats=seats)


def _next_builder(state: State, seats: tuple[Seat, ...]) -> State:
    """The next lower rank that has not passed, else another pass from the highest (3.4)."""
    order = state.by_rank()
    for seat in order[order.index(state.turn) + 1 :]:
        if not seats[seat].passed:
            return changed(state, seats=seats, turn=seat)
    if all(seat.passed for seat in seats):
        return _end_building(state, seats)
    if not state.edition.rulings.pass_is_final:
        seats = tuple(changed(seat, passed=False) if seat.passed else seat for seat in seats)
    return changed(state, seats=seats, turn=next(s for s in order if not seats[s].passed))


def _end_building(state: State, before: tuple[Seat, ...]) -> State:
    """Consolation in order of rank, then all tiles go back (section 3.4)."""
    rulings, numbers = state.edition.rulings, state.edition.numbers
    seats, supply = list(before), state.supply
    for index in state.by_rank():
        seat = seats[index]
        consoled = not seat.has_built and (rulings.consolation_if_punished or not seat.punished)
        gained = _given(state.edition, numbers.consolation, supply) if consoled else 0
        supply -= gained
        seats[index] = Seat(
            seat.colour, seat.rank, seat.supporters + gained, seat.built, seat.planes,
            mercy=seat.mercy,
        )  # fmt: skip
    state = changed(
        state,
        seats=tuple(seats),
        supply=supply,
        centre=state.edition.tiles_in_play[state.players],
        aside=NO_TILES,
        at_time=None,
        hands_empty=False,
        phase=Phase.RANKS,
        turn=EVERYBODY,
    )
    if any(state.statues_left(seat) == 0 for seat in range(state.players)):
        return _over(state, leader(state), Ending.LAST_STATUE)
    return state


def _rank(state: State, move: Rank) -> State:
    seats = tuple(
        seat if seat.rank == rank else changed(seat, rank=rank)
        for seat, rank in zip(state.seats, move.ranks, strict=True)
    )
    return changed(state, seats=seats, phase=Phase.CROWNING, turn=move.ranks.index(1))


def _crown(state: State, move: Crown) -> State:
    edition, king = state.edition, state.turn
    player, due = state.seats[king], crown_price(state)
    state = changed(
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
            return changed(state, phase=Phase.REGIONS, to_turn=to_turn)
    return changed(state, phase=Phase.MERCY, turn=EVERYBODY)


def _turn_region(state: State, move: TurnRegion) -> State:
    board, to_turn = state.board.turn_up(move.place, move.laid), state.to_turn - 1
    state = changed(state, board=board, to_turn=to_turn)
    return state if to_turn else changed(state, phase=Phase.MERCY, turn=EVERYBODY)


def _show_mercy(state: State, move: ShowMercy) -> State:
    seats = tuple(
        seat if seat.mercy == mercy else changed(seat, mercy=mercy)
        for seat, mercy in zip(state.seats, move.seats, strict=True)
    )
    return _new_round(state, seats)


def _over(state: State, winner: int, ending: Ending) -> State:
    return changed(state, phase=Phase.OVER, turn=EVERYBODY, outcome=Outcome(winner, ending))


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
