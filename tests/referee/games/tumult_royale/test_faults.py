"""Impossible positions: each fault by name, alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from referee.games.tumult_royale import (
    Ending,
    Fault,
    Laid,
    Outcome,
    Phase,
    RandomPlayer,
    State,
    deal,
    faults,
    parse_tiles,
    play,
)
from tests.referee.games.tumult_royale.tables import KIT, number, position


def seats(state: State, index: int, **changes: Any) -> State:
    """A seat changed; the supply makes up for its supporters."""
    seat = state.seats[index]
    changed = replace(seat, **changes)
    row = (*state.seats[:index], changed, *state.seats[index + 1 :])
    return replace(state, seats=row, supply=state.supply + seat.supporters - changed.supporters)


def statue(state: State, index: int, field: str, statues: int = 1, built: int = 1) -> State:
    """A seat with more statues on a field, and so many more off its track."""
    seat = state.seats[index]
    planes = seat.planes_with(number(state, field), statues)
    return seats(state, index, planes=planes, built=seat.built + built)


def spinning() -> State:
    return position(Phase.SENTIMENT)


def building() -> State:
    return position(Phase.BUILD, castles=("b1m1", "t1"))


MAKERS: list[tuple[Fault, Callable[[], State]]] = [
    (Fault.PLAYERS, lambda: replace(spinning(), seats=spinning().seats[:1])),
    (Fault.COLOURS, lambda: seats(spinning(), 0, colour="blue")),
    (Fault.COLOURS, lambda: seats(spinning(), 0, colour="red")),
    (Fault.RANKS, lambda: seats(spinning(), 1, rank=3)),
    (Fault.SUPPORTERS, lambda: replace(spinning(), supply=44)),
    (Fault.SUPPORTERS, lambda: seats(spinning(), 0, supporters=-1)),
    (Fault.TILES, lambda: replace(building(), centre=parse_tiles("b1"))),
    (Fault.SET_ASIDE, lambda: aside_grows(building())),
    (Fault.CASTLE_TILES, lambda: castle_grows(spinning())),
    (Fault.STATUE_COUNT, lambda: statue(spinning(), 0, "r1c2", built=0)),
    (Fault.FIELD_SHARED, lambda: statue(spinning(), 0, "r5c1")),
    (Fault.FIELD_COUNT, lambda: statue(spinning(), 0, "r1c2", 2, 2)),
    (Fault.FIELD_COUNT, lambda: statue(statue(spinning(), 0, "r1c2"), 0, "r2c2", 1, 1)),
    (Fault.FIELD_FACE_DOWN, lambda: statue(spinning(), 0, "r1c4")),
    (Fault.FIELD_ALONE, lambda: statue(spinning(), 0, "r6c1", 2, 2)),
    (Fault.FIRST_STATUE, lambda: seats(spinning(), 0, planes=(0, 0, 0), built=0)),
    (Fault.FIRST_STATUE, lambda: position(Phase.FIRST_STATUES, round=0, demand=0)),
    (Fault.REGIONS, lambda: places(spinning(), Laid(2, 0), Laid(2, 1))),
    (Fault.REGIONS, lambda: places(spinning(), Laid(11, 0), Laid(2, 0))),
    (Fault.REVEALED, lambda: replace(spinning(), board=spinning().board.turn_up(2, Laid(5, 0)))),
    (Fault.CHRONICLE, lambda: seats(replace(spinning(), chronicle=((0, 1),)), 0, built=2)),
    (Fault.CHRONICLE, lambda: second_round(statues=2)),
    (Fault.DEMAND, lambda: replace(spinning(), demand=3)),
    (Fault.DEMAND, lambda: replace(building(), demand=6)),
    (Fault.DEMAND, lambda: replace(building(), demand=0)),
    (Fault.MERCY, lambda: seats(spinning(), 0, mercy=True)),
    (Fault.MERCY, lambda: seats(seats(second_round(), 0, mercy=True), 1, mercy=True)),
    (Fault.TURN, lambda: replace(spinning(), turn=1)),
    (Fault.TURN, lambda: seats(building(), 0, passed=True)),
    (Fault.TURN, lambda: replace(building(), phase=Phase.TUMULTS, turn=0)),
    (Fault.OUTCOME, lambda: replace(spinning(), outcome=Outcome(0, Ending.GAP))),
    (Fault.OUTCOME, lambda: replace(spinning(), phase=Phase.OVER, demand=3, turn=-1)),
]


def aside_grows(state: State) -> State:
    """A tile too many set aside, taken from the centre."""
    one = parse_tiles("b2")
    return replace(
        state,
        centre=tuple(a - b for a, b in zip(state.centre, one, strict=True)),
        aside=tuple(a + b for a, b in zip(state.aside, one, strict=True)),
    )


def castle_grows(state: State) -> State:
    one = parse_tiles("b2")
    centre = tuple(a - b for a, b in zip(state.centre, one, strict=True))
    return seats(replace(state, centre=centre), 0, tiles=one)


def places(state: State, first: Laid, third: Laid) -> State:
    return replace(state, board=replace(state.board, places=(first, None, third, None)))


def second_round(statues: int = 1) -> State:
    state = replace(spinning(), round=2, chronicle=((0, statues),))
    return seats(state, 0, built=1 + statues)


@pytest.mark.parametrize(("fault", "make"), MAKERS, ids=lambda part: getattr(part, "name", ""))
def test_fault(fault: Fault, make: Callable[[], State]) -> None:
    assert faults(make()) == fault


def test_every_fault_has_a_test() -> None:
    tested = Fault.NONE
    for fault, _ in MAKERS:
        tested |= fault
    assert tested == ~Fault.NONE


def test_the_positions_that_these_are_made_from_have_none() -> None:
    for state in (spinning(), building(), second_round()):
        assert faults(state) == Fault.NONE


def test_several_faults_are_told_together() -> None:
    state = replace(statue(spinning(), 0, "r1c4"), supply=0, turn=1)
    assert faults(state) == Fault.FIELD_FACE_DOWN | Fault.SUPPORTERS | Fault.TURN


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_position_of_a_real_game_has_one(players: int) -> None:
    rng = Random(players)
    for _ in range(20):
        state = deal(KIT, players, rng)
        assert faults(state) == Fault.NONE
        for _, after in play(state, [RandomPlayer()] * players, rng):
            assert faults(after) == Fault.NONE
