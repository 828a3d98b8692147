"""What is counted of a match adds up to what the positions say."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from referee.games.tumult_royale import GREEDY, MODEST, STEADY, Build, Phase, deal, play
from referee.games.tumult_royale.measures import MEASURES, counted, levels, winners
from referee.games.tumult_royale.moves import Punish
from referee.games.tumult_royale.tiles import symbols_of
from tests.referee.games.tumult_royale.tables import KIT


@pytest.mark.parametrize("seed", range(6))
def test_what_is_counted_adds_up(seed: int) -> None:
    rng = Random(seed)
    state = deal(KIT, 3, rng)
    sums: Counter[tuple[str, int]] = Counter()
    paid, lost, rounds = Counter[int](), Counter[int](), 0
    known = {(each.key, part) for each in MEASURES for part, _ in each.parts or (("", ""),)}
    for move, after in play(state, [GREEDY, MODEST, STEADY], rng):
        for amount in counted(state, move):
            assert (amount.measure, amount.part) in known
            sums[amount.measure, amount.seat] += amount.number
        if isinstance(move, Build):
            paid[move.seat] += sum(symbols_of(move.payment))
        if isinstance(move, Punish):
            for seat in range(3):
                less = state.seats[seat].supporters - after.seats[seat].supporters
                lost[seat] += less
        assert winners(state) == ()
        rounds = max(rounds, after.round)
        state = after
    assert state.phase is Phase.OVER
    assert state.outcome is not None
    assert winners(state) == (state.outcome.winner,)
    assert sum(sums["king", seat] for seat in range(3)) == rounds
    for seat, player in enumerate(state.seats):
        assert sums["placed", seat] + sums["crowned", seat] == player.built
        # The first statue costs nothing.
        assert sums["bought", seat] == sums["placed", seat] - 1
        assert sums["paid", seat] == paid[seat]
        assert sums["lost", seat] == lost[seat]
        assert (sums["tumults", seat] > 0) >= (lost[seat] > 0)
    now = {(each.measure, each.seat): each.number for each in levels(state)}
    assert now["statues", 1] == state.seats[1].built
    assert now["supporters", 2] == state.seats[2].supporters
    assert {key for key, _ in now} == {each.key for each in MEASURES if each.level}
