"""Section 3.3: tumults, greed, mercy and punishment."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.games.tumult_royale import (
    Edition,
    Phase,
    Plead,
    Punish,
    Reason,
    Sentiment,
    Taxed,
    Tumults,
    adjudicate,
    apply,
    check,
    legal_moves,
    parse_tiles,
    tumults,
)
from tests.referee.games.tumult_royale.tables import KIT, house, position


def verdict(
    castles: Sequence[str],
    centre: str = "m333t333",
    demand: int = 3,
    *,
    ranks: Sequence[int] = (1, 2, 3, 4),
    mercy: Sequence[bool] = (False,) * 4,
    supporters: Sequence[int] = (15,) * 4,
    edition: Edition = KIT,
) -> Tumults:
    """The verdict on castles with these tiles; by default there is no bread in the centre."""
    seats = [
        Taxed(ranks[seat], supporters[seat], mercy[seat], parse_tiles(tiles))
        for seat, tiles in enumerate(castles)
    ]
    return adjudicate(edition, demand, parse_tiles(centre), seats)


def test_enough_remains_no_tumult() -> None:
    found = verdict(("b333", "-"), "b12m111t3", 3)
    assert [v.sentiment for v in found.commodities] == [Sentiment.CALM] * 3
    assert [v.remaining for v in found.commodities] == [3, 3, 3]
    assert not found.any
    assert found.supporters_lost == (0, 0)


def test_symbols_count_not_tiles() -> None:
    """One tile with three symbols is enough for a demand of 3; three would be enough for it too."""
    assert not verdict(("b1", "-"), "b3m3t3", 3).any
    assert verdict(("b1", "-"), "b11m3t3", 3).commodities[0].tumult


def test_one_symbol_too_few_is_a_tumult_of_that_commodity_alone() -> None:
    found = verdict(("m2", "m1"), "b3m2t3", 3)
    assert [v.tumult for v in found.commodities] == [False, True, False]
    assert found.commodities[1].greediest == 0
    assert found.commodities[1].rule == "3.3"


def test_the_most_symbols_are_the_greediest() -> None:
    """Two tiles with 4 symbols are greedier than three tiles with 3."""
    assert verdict(("b111", "b13", "-")).commodities[0].greediest == 1


def test_among_equals_the_higher_rank_is_the_greediest() -> None:
    assert verdict(("b12", "b3", "b111"), ranks=(3, 2, 1)).commodities[0].greediest == 2
    assert verdict(("b12", "b3", "b11"), ranks=(3, 2, 1)).commodities[0].greediest == 1


def test_mercy_takes_one_off_each_commodity() -> None:
    found = verdict(("b3t3", "b12t12"), "m333", mercy=(True, False), ranks=(1, 2))
    bread, marble, tools = found.commodities
    assert bread.greed == (2, 3)
    assert tools.greed == (2, 3)
    assert marble.greed == (0, 0)
    assert bread.greediest == tools.greediest == 1


def test_mercy_makes_equals_differ() -> None:
    assert verdict(("b3", "b3"), mercy=(True, False), ranks=(1, 2)).commodities[0].greediest == 1


def test_greed_is_not_below_nothing() -> None:
    assert verdict(("m1", "b1"), mercy=(True, True)).commodities[0].greed == (0, 0)


def test_nobody_is_punished_without_greed() -> None:
    bread = verdict(("m1", "t1")).commodities[0]
    assert bread.sentiment is Sentiment.UNPUNISHED
    assert bread.tumult
    assert bread.greediest is None
    assert bread.punishment is None
    assert verdict(("b1", "t1"), mercy=(True, False)).supporters_lost == (0, 0)


def test_the_highest_rank_is_punished_without_greed_under_the_option() -> None:
    found = verdict(("m1", "t1"), ranks=(2, 1), edition=house(no_greed_punished=True))
    assert found.commodities[0].greediest == 1
    assert found.supporters_lost == (0, 3)
    assert found.returned == (parse_tiles("-"), parse_tiles("-"))


def test_punishment_takes_three_supporters_and_all_tiles_but_one_with_the_fewest_symbols() -> None:
    found = verdict(("b1223m1", "b1"))
    punishment = found.commodities[0].punishment
    assert punishment is not None
    assert punishment.seat == 0
    assert punishment.supporters == 3
    assert punishment.kept == parse_tiles("b1")
    assert punishment.returned == parse_tiles("b223")
    assert found.returned == (parse_tiles("b223"), parse_tiles("-"))


def test_of_two_equal_smallest_tiles_one_is_kept() -> None:
    assert verdict(("b223", "b1")).returned[0] == parse_tiles("b23")


def test_a_single_tile_is_kept() -> None:
    found = verdict(("b3", "b1"))
    assert found.returned[0] == parse_tiles("-")
    assert found.supporters_lost == (3, 0)


def test_who_has_fewer_supporters_loses_all() -> None:
    assert verdict(("b3", "b1"), supporters=(2, 15)).supporters_lost == (2, 0)
    spared = house(few_supporters_punished="none")
    assert verdict(("b3", "b1"), supporters=(2, 15), edition=spared).supporters_lost == (0, 0)


def test_losses_for_several_commodities_add_up() -> None:
    found = verdict(("b12m12t12", "-"), "-", 2)
    assert found.supporters_lost == (9, 0)
    assert found.returned[0] == parse_tiles("b2m2t2")
    assert verdict(("b12m12t12", "-"), "-", 2, supporters=(7, 15)).supporters_lost == (7, 0)


def test_losses_do_not_add_up_under_the_option() -> None:
    found = verdict(("b12m12t12", "-"), "-", 2, edition=house(losses_add_up=False))
    assert found.supporters_lost == (3, 0)
    assert found.returned[0] == parse_tiles("b2m2t2")


def test_several_players_are_punished_for_different_commodities() -> None:
    found = verdict(("b3", "m3", "t3"), "-", 2)
    assert [v.greediest for v in found.commodities] == [0, 1, 2]
    assert found.supporters_lost == (3, 3, 3)
    assert all(found.punished(seat) for seat in range(3))


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match=r"different ranks .*\[1, 1\]"):
        verdict(("b1", "b1"), ranks=(1, 1))
    with pytest.raises(ValueError, match="2 to 4 seats"):
        verdict(("b1",))


# In a game


def test_the_verdict_is_carried_out() -> None:
    """Of the 14 symbols of bread with two players, 2 remain."""
    castles = ("b12233m1", "b1m1")
    calm = tumults(position(Phase.TUMULTS, castles=castles, demand=2)).commodities[0]
    assert (calm.remaining, calm.tumult) == (2, False)
    state = position(Phase.TUMULTS, castles=castles, demand=3)
    (move,) = legal_moves(state)
    assert move == Punish((parse_tiles("b2233"), parse_tiles("-")))
    after = apply(state, move)
    assert after.seats[0].tiles == parse_tiles("b1m1")
    assert after.seats[0].supporters == 27
    assert after.seats[0].punished
    assert not after.seats[1].punished
    assert after.supply == state.supply + 3
    assert (after.phase, after.turn) == (Phase.BUILD, 0)


def test_returning_the_wrong_tiles_is_illegal() -> None:
    state = position(Phase.TUMULTS, castles=("b12233m1", "b1m1"))
    (finding,) = check(state, Punish((parse_tiles("b1223"), parse_tiles("-"))))
    assert (finding.reason, finding.rule) == (Reason.RETURNED_WRONG_TILES, "3.3")
    assert finding.text == (
        "Yellow returned bread 1, bread 2, bread 2 and bread 3, "
        "but must return bread 2, bread 2, bread 3 and bread 3."
    )


def test_mercy_is_asked_for_under_the_option() -> None:
    edition = house(mercy="asked")
    state = position(
        Phase.PLEAS,
        castles=("b12233m1", "b1m1"),
        edition=edition,
        seats=({"mercy": True}, {}),
    )
    assert tumults(state).commodities[0].greed == (11, 1)
    assert legal_moves(state) == (Plead((False, False)), Plead((True, False)))
    pleaded = apply(state, Plead((True, False)))
    assert pleaded.phase is Phase.TUMULTS
    assert tumults(pleaded).commodities[0].greed == (10, 1)
    assert tumults(apply(state, Plead((False, False)))).commodities[0].greed == (11, 1)
    assert [f.reason for f in check(state, Plead((True, True)))] == [Reason.MERCY_NOT_SHOWN]
