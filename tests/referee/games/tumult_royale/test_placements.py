"""Counts of the ways to build on from three fixed positions, as chess programs count moves.

The numbers were worked out by the second adjudicator, which counts again here.
"""

from __future__ import annotations

from copy import deepcopy

import pytest

from referee.games.tumult_royale import Phase, State, apply, legal_moves
from tests.referee.games.tumult_royale import naive
from tests.referee.games.tumult_royale.tables import position
from tests.referee.games.tumult_royale.test_against_naive import grid_of, pairs

TWO = position(Phase.BUILD, ("r1c1", "r5c1"), ("b1123m12t3", "b12m13t22"))
THREE = position(
    Phase.BUILD,
    ({"r1c4": 1, "r2c4": 1}, "r5c1", {"r4c5": 1, "r5c5": 3}),
    ("b12m2t1", "b113m12t2", "m12t12"),
    ranks=(2, 3, 1),
)
FOUR = position(
    Phase.BUILD,
    ({"r1c4": 1, "r1c5": 1}, {"r3c7": 1, "r2c7": 1}, "r5c4", {"r6c9": 1, "r5c9": 1}),
    ("b13m2t1", "b12m12t3", "b1m1t12", "b2m2t2"),
    ranks=(4, 1, 3, 2),
)
#: Sequences of 1, 2 and 3 moves: builds, each with each payment, and passes.
COUNTS: dict[str, tuple[State, tuple[int, int, int]]] = {
    "two": (TWO, (39, 657, 10062)),
    "three": (THREE, (5, 70, 2600)),
    "four": (FOUR, (37, 782, 3682)),
}


def sequences(state: State, depth: int) -> int:
    """The number of ways to make so many moves; a phase that ends earlier is one way."""
    if depth == 0 or state.phase is not Phase.BUILD:
        return 1
    return sum(sequences(apply(state, move), depth - 1) for move in legal_moves(state))


def naive_sequences(table: naive.Table, depth: int) -> int:
    builder = table.next_builder()
    if depth == 0 or builder is None:
        return 1
    passed = deepcopy(table)
    passed.drop_out()
    ways = naive_sequences(passed, depth - 1)
    for field, payments in table.builds(builder).items():
        for payment in payments:
            after = deepcopy(table)
            after.build(field, payment)
            ways += naive_sequences(after, depth - 1)
    return ways


def table_of(state: State) -> naive.Table:
    table = naive.Table(state.players, grid_of(state), [seat.rank for seat in state.seats])
    table.reveal(0, [], [list(pairs(seat.tiles)) for seat in state.seats])
    table.built = [seat.built for seat in state.seats]
    for player, seat in enumerate(state.seats):
        for number, _ in seat.statues():
            table.owner[divmod(number, state.board.width)] = player
    return table


@pytest.mark.parametrize("name", COUNTS)
def test_counts_of_placements(name: str) -> None:
    state, counts = COUNTS[name]
    assert tuple(sequences(state, depth) for depth in (1, 2, 3)) == counts


@pytest.mark.parametrize("name", COUNTS)
def test_the_second_adjudicator_counts_the_same(name: str) -> None:
    state, counts = COUNTS[name]
    assert tuple(naive_sequences(table_of(state), depth) for depth in (1, 2, 3)) == counts
