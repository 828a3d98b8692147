"""Section 3.4: placing statues and paying for them."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.tumult_royale import (
    Build,
    Kind,
    Pass,
    Phase,
    Reason,
    State,
    apply,
    check,
    legal_moves,
)
from tests.referee.games.tumult_royale.tables import (
    build,
    found,
    house,
    number,
    position,
)


def at_turn(castle: str, statues: dict[str, int] | str = "r1c1", **more: Any) -> State:
    """Yellow is king and builds first with these tiles; blue has none."""
    return position(Phase.BUILD, (statues, "r5c1"), (castle, "-"), **more)


# Order


def test_the_king_builds_first_then_down_the_ranks_then_again_from_the_top() -> None:
    state = position(
        Phase.BUILD, ("r1c4", "r5c1", "r4c5"), ("b1m1", "b1m1", "b1m1"), ranks=(2, 3, 1)
    )
    turns = []
    for field in ("r4c6", "r1c5", "r4c1"):
        turns.append(state.turn)
        assert found(state, field, "b1m1") == []
        state = apply(state, build(state, field, "b1m1"))
    assert turns == [2, 0, 1]
    assert state.turn == 2
    assert state.phase is Phase.BUILD


def test_who_passes_is_out_for_the_rest_of_the_phase() -> None:
    state = position(Phase.BUILD, ("r1c1", "r5c1"), ("b11m11", "b11m11"))
    state = apply(state, Pass(0))
    state = apply(state, build(state, "r4c1", "b1m1"))
    assert state.turn == 1
    state = apply(state, Pass(1))
    assert state.phase is Phase.RANKS


def test_building_again_in_another_pass() -> None:
    state = position(Phase.BUILD, ("r1c1", "r5c1"), ("b11m1t1", "b1m1"))
    state = apply(state, build(state, "r1c2", "b1m1"))
    state = apply(state, Pass(1))
    assert state.turn == 0
    assert found(state, "r1c3", "b1t1") == []
    state = apply(state, build(state, "r1c3", "b1t1"))
    assert state.seats[0].built == 3


def test_out_of_turn_is_illegal() -> None:
    state = position(Phase.BUILD, ("r1c1", "r5c1"), ("-", "b1m1"))
    findings = check(state, build(state, "r4c1", "b1m1", seat=1))
    assert [(f.reason, f.rule) for f in findings] == [(Reason.OUT_OF_TURN, "3.4")]
    assert findings[0].text == "Blue acts, but it is Yellow's turn."
    assert [f.reason for f in check(state, Pass(1))] == [Reason.OUT_OF_TURN]


# Fields


@pytest.mark.parametrize(
    ("field", "payment", "statues"),
    [
        ("r1c2", "b1m1", 1),  # pasture
        ("r2c1", "m1t1", 1),  # mountain
        ("r2c2", "b2m2", 2),  # village
    ],
)
def test_statues_by_type_of_field(field: str, payment: str, statues: int) -> None:
    state = at_turn(payment, {"r1c1": 1, "r2c3": 1})
    after = apply(state, build(state, field, payment))
    assert found(state, field, payment) == []
    assert after.seats[0].statues_on(number(state, field)) == statues
    assert after.seats[0].built == state.seats[0].built + statues
    assert after.statues_left(0) == state.statues_left(0) - statues


def test_a_castle_takes_three_statues_and_costs_two_marble_and_three_tools() -> None:
    state = at_turn("m2t12", "r3c3")
    after = apply(state, build(state, "r4c3", "m2t12"))
    assert found(state, "r4c3", "m2t12") == []
    assert after.seats[0].statues_on(number(state, "r4c3")) == 3
    assert after.seats[0].supporters == state.seats[0].supporters


def test_a_forest_costs_bread_and_tools() -> None:
    state = at_turn("b1t1", "r1c2")
    assert found(state, "r1c3", "b1t1") == []
    assert found(at_turn("b1m1", "r1c2"), "r1c3", "b1m1") == [("ILLEGAL", Reason.PAID_TOO_LITTLE)]


def test_a_field_with_statues_is_not_free() -> None:
    state = position(Phase.BUILD, ("r1c1", "r1c2"), ("b1m1", "-"))
    assert found(state, "r1c2", "b1m1") == [("ILLEGAL", Reason.NOT_FREE)]
    assert ("ILLEGAL", Reason.NOT_FREE) in found(state, "r1c1", "b1m1")


def test_face_down_regions_cannot_be_built() -> None:
    state = at_turn("b2m2", "r2c3")
    assert found(state, "r2c4", "b2m2") == [("ILLEGAL", Reason.FACE_DOWN)]


def test_a_field_beside_the_map() -> None:
    state = at_turn("b1m1")
    findings = check(state, Build(0, 36, state.seats[0].tiles))
    assert [f.reason for f in findings] == [Reason.NO_SUCH_FIELD]


def test_touching_by_a_corner_is_not_touching() -> None:
    """r2c2 is a village; from r1c1 and r3c3 it is only met by corners."""
    state = at_turn("b2m2", {"r1c1": 1, "r3c3": 1})
    assert found(state, "r2c2", "b2m2") == [("ILLEGAL", Reason.NOT_ADJACENT)]


def test_edges_of_the_map_do_not_touch_each_other() -> None:
    """With four players r1c12 and r2c1 follow each other in number, but lie far apart."""
    state = position(Phase.BUILD, ("r1c4", "r5c4", "r6c5", "r3c6"), ("b2m2", "-", "-", "-"))
    right_end = state.board.touching(1 << number(state, "r1c12"))
    assert right_end == 1 << number(state, "r1c11") | 1 << number(state, "r2c12")
    left_end = state.board.touching(1 << number(state, "r6c1"))
    assert left_end == 1 << number(state, "r5c1") | 1 << number(state, "r6c2")


def test_opponents_statues_do_not_count_for_touching() -> None:
    state = position(Phase.BUILD, ("r1c1", "r1c2"), ("b1t1", "-"))
    assert found(state, "r1c3", "b1t1") == [("ILLEGAL", Reason.PAID_TOO_LITTLE)]


# Double cost off-adjacent


def test_a_pasture_that_touches_nothing_costs_double() -> None:
    state = at_turn("b11m2")
    assert found(state, "r6c3", "b11m2") == []
    after = apply(state, build(state, "r6c3", "b11m2"))
    assert after.seats[0].supporters == state.seats[0].supporters
    assert after.seats[0].built == 2


def test_single_price_for_a_pasture_apart_is_too_little() -> None:
    state = at_turn("b1m1")
    findings = check(state, build(state, "r6c3", "b1m1"))
    assert [f.reason for f in findings] == [Reason.PAID_TOO_LITTLE]
    assert "double cost" in findings[0].text


def test_a_forest_apart_costs_double() -> None:
    assert found(at_turn("b2t2"), "r5c3", "b2t2") == []


@pytest.mark.parametrize(
    ("field", "payment"),
    [("r5c2", "m2t2"), ("r6c1", "b22m22"), ("r4c3", "m22t33")],
    ids=["mountain", "village", "castle"],
)
def test_other_fields_apart_cannot_be_built_at_any_price(field: str, payment: str) -> None:
    state = position(Phase.BUILD, ("r1c1", "r1c2"), (payment, "-"))
    assert found(state, field, payment) == [("ILLEGAL", Reason.NOT_ADJACENT)]


def test_a_touching_pasture_at_double_cost_has_spare_tiles() -> None:
    assert found(at_turn("b11m11"), "r1c2", "b11m11") == [("ILLEGAL", Reason.SPARE_TILE)]


# Payments


def test_exact_payment() -> None:
    state = at_turn("b1m1")
    after = apply(state, build(state, "r1c2", "b1m1"))
    assert found(state, "r1c2", "b1m1") == []
    assert after.seats[0].supporters == 30
    assert sum(after.seats[0].tiles) == 0


def test_overpaid_by_one_unavoidable() -> None:
    state = at_turn("b2m1")
    after = apply(state, build(state, "r1c2", "b2m1"))
    assert found(state, "r1c2", "b2m1") == []
    assert after.seats[0].supporters == 31
    assert after.supply == state.supply - 1


def test_every_symbol_too_much_brings_a_supporter() -> None:
    state = at_turn("b3m3")
    after = apply(state, build(state, "r1c2", "b3m3"))
    assert found(state, "r1c2", "b3m3") == []
    assert after.seats[0].supporters == 34


def test_a_tile_could_be_left_out() -> None:
    state = at_turn("b12m1")
    findings = check(state, build(state, "r1c2", "b12m1"))
    assert [(f.kind, f.reason, f.rule) for f in findings] == [
        (Kind.ILLEGAL, Reason.SPARE_TILE, "3.4")
    ]
    assert "bread 1" in findings[0].text


def test_a_tile_of_another_commodity_could_be_left_out() -> None:
    assert found(at_turn("b1m1t1"), "r1c2", "b1m1t1") == [("ILLEGAL", Reason.SPARE_TILE)]


def test_two_tiles_of_which_the_smaller_is_needed() -> None:
    """Village: 2 bread. 1+2 pays 3, and the 1 can go; 1+1 pays exactly."""
    state = at_turn("b112m2", "r1c2")
    assert found(state, "r2c2", "b12m2") == [("ILLEGAL", Reason.SPARE_TILE)]
    assert found(state, "r2c2", "b11m2") == []
    assert found(state, "r2c2", "b2m2") == []


def test_three_tools_from_two_twos_is_overpaid_by_one_but_needs_both() -> None:
    state = at_turn("m2t22", "r3c3")
    assert found(state, "r4c3", "m2t22") == []
    assert apply(state, build(state, "r4c3", "m2t22")).seats[0].supporters == 31


def test_cheaper_payment_existed() -> None:
    state = at_turn("b12m1")
    findings = check(state, build(state, "r1c2", "b2m1"))
    assert [(f.kind, f.reason) for f in findings] == [(Kind.ADVISORY, Reason.CHEAPER_PAYMENT)]
    assert build(state, "r1c2", "b2m1") in legal_moves(state)


def test_cheaper_payment_is_illegal_under_the_option() -> None:
    state = at_turn("b12m1", edition=house(cheaper_payment="illegal"))
    assert found(state, "r1c2", "b2m1") == [("ILLEGAL", Reason.CHEAPER_PAYMENT)]
    assert build(state, "r1c2", "b2m1") not in legal_moves(state)
    assert build(state, "r1c2", "b1m1") in legal_moves(state)


def test_a_spare_tile_is_advisory_under_the_option() -> None:
    state = at_turn("b12m1", edition=house(spare_tile="advisory"))
    assert found(state, "r1c2", "b12m1") == [("ADVISORY", Reason.SPARE_TILE)]
    assert build(state, "r1c2", "b12m1") in legal_moves(state)


def test_paid_too_little() -> None:
    findings = check(at_turn("b1"), build(at_turn("b1"), "r1c2", "b1"))
    assert [f.reason for f in findings] == [Reason.PAID_TOO_LITTLE]
    text = "The pasture r1c2 costs 1 bread and 1 marble; bread 1 does not pay that."
    assert findings[0].text == text


def test_tiles_that_are_not_there() -> None:
    assert found(at_turn("b1"), "r1c2", "b1m1") == [("ILLEGAL", Reason.TILES_NOT_OWNED)]


def test_paid_tiles_return_and_cannot_pay_twice() -> None:
    state = at_turn("b1m1")
    after = apply(apply(state, build(state, "r1c2", "b1m1")), Pass(1))
    assert after.centre[0] == state.centre[0] + 1
    assert legal_moves(after) == (Pass(0),)


def test_the_supply_gives_as_many_supporters_as_there_are() -> None:
    state = at_turn("b3m3", supporters=(52, 52))
    assert state.supply == 1
    after = apply(state, build(state, "r1c2", "b3m3"))
    assert after.seats[0].supporters == 53
    assert after.supply == 0


def test_a_short_supply_gives_nothing_under_the_option() -> None:
    state = at_turn("b3m3", supporters=(52, 52), edition=house(short_supply="none"))
    assert apply(state, build(state, "r1c2", "b3m3")).seats[0].supporters == 52


# Statues left


def test_with_fewer_statues_left_a_field_cannot_be_built() -> None:
    state = at_turn("b22m22", "r1c2", seats=({"built": 24},))
    assert found(state, "r2c2", "b2m2") == [("ILLEGAL", Reason.TOO_FEW_STATUES)]
    assert build(state, "r2c2", "b2m2") not in legal_moves(state)
    assert build(state, "r1c1", "b2m2") in legal_moves(state)


def test_the_rest_may_be_placed_under_the_option() -> None:
    edition = house(too_few_statues="place_rest")
    state = at_turn("b2m2", "r1c2", seats=({"built": 24},), edition=edition)
    assert found(state, "r2c2", "b2m2") == []
    after = apply(state, build(state, "r2c2", "b2m2"))
    assert after.seats[0].built == 25
    assert after.seats[0].statues_on(number(state, "r2c2")) == 1


# Consolation, and what is left over


def consoled(seats: tuple[dict[str, bool], ...], **more: Any) -> tuple[int, ...]:
    """Supporters gained by each when nobody builds any more."""
    state = position(Phase.BUILD, ("r1c1", "r5c1"), seats=seats, **more)
    after = apply(apply(state, Pass(0)), Pass(1))
    assert after.phase is Phase.RANKS
    pairs = zip(after.seats, state.seats, strict=True)
    return tuple(now.supporters - before.supporters for now, before in pairs)


def test_who_built_nothing_is_consoled() -> None:
    assert consoled(({"has_built": True}, {})) == (0, 2)
    assert consoled(({}, {})) == (2, 2)


def test_the_punished_are_not_consoled() -> None:
    assert consoled(({"punished": True}, {})) == (0, 2)
    everybody = house(consolation_if_punished=True)
    assert consoled(({"punished": True}, {}), edition=everybody) == (2, 2)


def test_a_short_supply_consoles_the_higher_rank_first() -> None:
    state = position(Phase.BUILD, ("r1c1", "r5c1"), ranks=(2, 1), supporters=(51, 51))
    after = apply(apply(state, Pass(1)), Pass(0))
    assert [seat.supporters for seat in after.seats] == [52, 53]


def test_tiles_left_over_go_back() -> None:
    state = at_turn("b123m2t1")
    after = apply(apply(state, Pass(0)), Pass(1))
    assert all(sum(seat.tiles) == 0 for seat in after.seats)
    assert after.centre == after.edition.tiles_in_play[2]
    assert sum(after.aside) == 0


# The options about passing


def test_passing_is_not_final_under_the_option() -> None:
    edition = house(pass_is_final=False)
    state = position(Phase.BUILD, ("r1c1", "r5c1"), ("b11m11", "b11m11"), edition=edition)
    state = apply(state, Pass(0))
    state = apply(state, build(state, "r4c1", "b1m1"))
    assert state.turn == 0
    assert build(state, "r1c2", "b1m1") in legal_moves(state)
    state = apply(apply(state, Pass(0)), Pass(1))
    assert state.phase is Phase.RANKS
