"""Breaches of the rules on the table: each is found, is called by its name, and nothing else is.

The map is that of `tables`: yellow and blue sit there, yellow is king and builds first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from referee.games.game import Explanation, Finding, Table
from referee.games.tumult_royale import (
    NO_TILES,
    Move,
    Phase,
    Punish,
    SetAside,
    State,
    TimeUp,
    apply,
    parse_tiles,
)
from tests.referee.games.tumult_royale.seeing import (
    accused,
    breaches,
    carry,
    idle,
    legal,
    seen,
    shift,
    stand,
    told,
    unfinished,
)
from tests.referee.games.tumult_royale.tables import build, position


def building(castle: str = "b112m112t3", other: str = "b2m3", **more: Any) -> State:
    """Yellow, on r1c1, builds; blue is on r5c1 and has the king's lower rank."""
    statues = more.pop("statues", ("r1c1", "r5c1"))
    return position(Phase.BUILD, statues, (castle, other), **more)


def paid(table: Table, *labels: str, colour: str = "yellow") -> Table:
    return carry(table, labels, f"castle-{colour}", "centre")


def findings(explanation: Explanation[Move]) -> list[Finding]:
    found = [finding for each in explanation.moves for finding in each.findings]
    return [*found, *explanation.differs]


# Placing statues (3.4)


def test_a_field_apart_at_single_price_costs_double() -> None:
    """r6c3 is a pasture that touches nothing of yellow's: 2 bread and 2 marble."""
    state = building()
    table = paid(stand(seen(state), "r6c3", "yellow", 1), "bread-1", "marble-1")
    explanation = told(state, table)
    assert unfinished(explanation)
    assert breaches(explanation) == {"PAID_TOO_LITTLE"}
    (explained,) = explanation.moves
    assert explained.missing == (
        "Yellow still pays 1 bread and 1 marble for the pasture in row 6, column 3, which costs "
        "double since it touches no own field.",
    )
    (finding,) = explained.findings
    assert finding.rule == "3.4"
    assert finding.seats == (0,)
    assert finding.fields == ("r6c3",)
    assert finding.zones == ("castle-yellow", "centre")


@pytest.mark.parametrize("payment", [["marble-1", "tools-3"], ["marble-2", "tools-3"]])
def test_a_mountain_apart_cannot_be_paid_for(payment: list[str]) -> None:
    state = building()
    table = stand(seen(state), "r5c2", "yellow", 1)
    assert unfinished(told(state, table))
    assert accused(told(state, paid(table, *payment))) == {"NOT_ADJACENT"}


def test_a_statue_on_a_field_that_is_not_free() -> None:
    state = building()
    table = stand(seen(state), "r5c1", "yellow", 1)
    assert unfinished(told(state, table))
    table = paid(table, "bread-1", "bread-1", "marble-1", "marble-1")
    assert accused(told(state, table)) == {"NOT_FREE"}


def test_a_second_statue_on_an_own_field() -> None:
    state = building()
    table = paid(stand(seen(state), "r1c1", "yellow", 1), "bread-2", "marble-2")
    assert "NOT_FREE" in accused(told(state, table))


def test_a_statue_on_a_face_down_region() -> None:
    state = building(statues=("r2c3", "r5c1"))
    table = paid(stand(seen(state), "r2c4", "yellow", 1), "bread-1", "marble-1")
    assert accused(told(state, table)) == {"FACE_DOWN"}


@pytest.mark.parametrize("count", [2, 3])
def test_too_many_statues_on_a_pasture(count: int) -> None:
    state = building()
    table = paid(stand(seen(state), "r1c2", "yellow", count), "bread-1", "marble-1")
    explanation = told(state, table)
    assert accused(explanation) == {"WRONG_STATUE_COUNT"}
    (finding,) = explanation.differs
    assert (finding.seats, finding.fields) == ((0,), ("r1c2",))


def test_three_statues_on_a_village_and_one() -> None:
    """r2c2 is a village and touches r1c2: 2 statues, 2 bread and 2 marble."""
    state = building(statues=("r1c2", "r5c1"))
    table = paid(seen(state), "bread-2", "marble-2")
    assert accused(told(state, stand(table, "r2c2", "yellow", 3))) == {"WRONG_STATUE_COUNT"}
    one = told(state, stand(table, "r2c2", "yellow", 1))
    assert unfinished(one)
    assert breaches(one) == {"WRONG_STATUE_COUNT"}
    assert one.moves[0].missing == (
        "Yellow puts one more statue on the village in row 2, column 2.",
    )


def test_a_tile_too_many_in_a_payment() -> None:
    state = building()
    table = paid(stand(seen(state), "r1c2", "yellow", 1), "bread-1", "bread-1", "marble-1")
    assert accused(told(state, table)) == {"SPARE_TILE"}


def test_a_dearer_payment_than_need_be_is_legal_but_told() -> None:
    state = building()
    explanation = told(state, paid(stand(seen(state), "r1c2", "yellow", 1), "bread-2", "marble-1"))
    assert legal(explanation) == [build(state, "r1c2", "b2m1")]
    assert [(f.reason, f.illegal) for f in findings(explanation)] == [("CHEAPER_PAYMENT", False)]


def test_paying_with_tiles_of_another() -> None:
    state = building("b1")
    table = paid(stand(seen(state), "r1c2", "yellow", 1), "bread-1")
    assert unfinished(told(state, table))
    explanation = told(state, paid(table, "marble-3", colour="blue"))
    assert accused(explanation) == {"TILES_NOT_OWNED"}
    (finding,) = explanation.differs
    assert finding.seats == (0, 1)
    assert set(finding.zones) == {"castle-yellow", "castle-blue", "centre"}


def test_paying_with_a_tile_of_another_though_one_like_it_is_owned() -> None:
    state = building("b1m1", "m1")
    table = paid(stand(seen(state), "r1c2", "yellow", 1), "bread-1")
    table = paid(table, "marble-1", colour="blue")
    assert accused(told(state, table)) == {"TILES_NOT_OWNED"}


def test_another_who_pays_while_nobody_has_built_is_asked_to_wait() -> None:
    state = building()
    explanation = told(state, paid(seen(state), "marble-3", colour="blue"))
    assert unfinished(explanation)
    assert explanation.missing == (
        "Marble 3 left Blue's castle, but it is Yellow's turn: put it back.",
    )


@pytest.mark.parametrize("colour", ["yellow", "blue"])
def test_a_statue_that_was_moved(colour: str) -> None:
    """From its field to another one, whoever's it is."""
    start, seat = {"yellow": ("r1c1", 0), "blue": ("r5c1", 1)}[colour]
    state = building()
    table = stand(stand(seen(state), start, colour, -1), "r3c1", colour, 1)
    explanation = told(state, table)
    assert accused(explanation) == {"STATUE_MOVED"}
    (finding,) = explanation.differs
    assert finding.seats == (seat,)
    assert set(finding.fields) == {start, "r3c1"}


def test_a_statue_that_is_gone() -> None:
    state = building()
    table = stand(seen(state), "r5c1", "blue", -1)
    assert accused(told(state, table)) == {"STATUE_MOVED"}
    hidden = replace(table, sure_fields=table.sure_fields - {"r5c1"})
    assert idle(told(state, hidden))


def test_a_build_beside_a_moved_statue_is_not_confirmed() -> None:
    state = building()
    table = paid(stand(seen(state), "r1c2", "yellow", 1), "bread-1", "marble-1")
    table = stand(stand(table, "r5c1", "blue", -1), "r4c1", "blue", 1)
    explanation = told(state, table)
    assert not legal(explanation)
    assert accused(explanation) == {"STATUE_MOVED"}


def test_two_fields_at_once() -> None:
    state = building()
    table = stand(stand(seen(state), "r1c2", "yellow", 1), "r2c1", "yellow", 1)
    explanation = told(state, table)
    assert accused(explanation) == {"TWO_FIELDS"}
    assert explanation.differs[0].fields == ("r1c2", "r2c1")


def test_building_out_of_turn() -> None:
    """r4c1 is a pasture beside blue's r5c1."""
    state = building()
    table = stand(seen(state), "r4c1", "blue", 1)
    assert accused(told(state, table)) == {"OUT_OF_TURN"}
    explanation = told(state, paid(table, "bread-2", "marble-3", colour="blue"))
    assert accused(explanation) == {"OUT_OF_TURN"}
    assert [each.move for each in explanation.moves] == [build(state, "r4c1", "b2m3", seat=1)]


def test_who_builds_before_the_other_is_on_record_is_judged_in_turn() -> None:
    state = building()
    table = paid(stand(seen(state), "r1c2", "yellow", 1), "bread-1", "marble-1")
    table = paid(stand(table, "r4c1", "blue", 1), "bread-2", "marble-3", colour="blue")
    explanation = told(state, table)
    assert legal(explanation) == [build(state, "r1c2", "b1m1")]
    assert not breaches(explanation)


@pytest.mark.parametrize("start", ["centre", "castle-blue"])
def test_a_tile_that_came_onto_a_castle(start: str) -> None:
    state = building()
    explanation = told(state, carry(seen(state), ["bread-2"], start, "castle-yellow"))
    assert accused(explanation) == {"TILE_MOVED"}
    assert explanation.differs[0].seats[0] == 0
    assert {"castle-yellow", "centre"} <= set(explanation.differs[0].zones)


def test_a_tile_that_is_nowhere_is_said_where_it_was() -> None:
    state = building()
    explanation = told(state, carry(seen(state), ["bread-2"], "castle-blue", ""))
    assert unfinished(explanation)
    assert explanation.missing[-1] == "Missing: bread 2. Last there: bread 2 on Blue's castle."


def test_a_statue_that_may_have_been_moved_accuses_nobody_of_coming_too_early() -> None:
    """Blue's own r5c1 is not seen for sure: the new statue may be the one from there."""
    state = building()
    table = stand(seen(state), "r4c1", "blue", 1)
    explanation = told(state, replace(table, sure_fields=table.sure_fields - {"r5c1"}))
    assert unfinished(explanation)
    assert "not all others of Blue" in explanation.missing[0]


# First statues (2)


def test_first_statues() -> None:
    """Blue has the lower rank and begins; r1c3 is a forest."""
    state = position(Phase.FIRST_STATUES, ({}, {}))
    table = seen(state)
    assert accused(told(state, stand(table, "r1c3", "blue", 1))) == {"NOT_A_PASTURE"}
    assert accused(told(state, stand(table, "r1c1", "blue", 2))) == {"WRONG_STATUE_COUNT"}
    assert accused(told(state, stand(table, "r1c1", "yellow", 1))) == {"OUT_OF_TURN"}
    two = stand(stand(table, "r1c1", "blue", 1), "r1c2", "blue", 1)
    assert accused(told(state, two)) == {"TWO_FIELDS"}


# Taxes (3.2)


def aside(*numbers: int) -> Explanation[Move]:
    """So many tiles less in the centre, and more on the castles."""
    state = position(Phase.SET_ASIDE)
    zones = ("centre", "castle-yellow", "castle-blue")
    return told(state, shift(seen(state), dict(zip(zones, numbers, strict=False))))


def test_tiles_set_aside() -> None:
    """Two players set 6 aside."""
    assert legal(aside(-6)) == [SetAside(6)]
    assert unfinished(aside(-5))
    assert aside(-5).moves[0].missing == ("One tile is still to be set aside.",)
    assert accused(aside(-7)) == {"SET_ASIDE_COUNT"}
    assert unfinished(aside(-6, 3, 3))
    assert unfinished(aside(-9, 3))


def test_tiles_that_still_lie_face_up_are_to_be_turned_before_the_round() -> None:
    state = position(Phase.SET_ASIDE)
    table = replace(shift(seen(state), {"centre": -8}), faces={"centre": Counter({"bread-1": 2})})
    explanation = told(state, table)
    assert unfinished(explanation)
    assert explanation.missing == ("Two tiles lie face up: turn them down.",)


def buzzer(centre: int, yellow: int, blue: int, faces: Mapping[str, int] = {}) -> Any:
    state = position(Phase.TAXES)
    backs = {"centre": centre, "castle-yellow": yellow, "castle-blue": blue}
    return told(state, Table({"centre": faces}, backs))


def test_counting_at_the_buzzer() -> None:
    """Of 21 tiles 6 are aside: 15 lie in the centre and on the castles."""
    assert legal(buzzer(9, 4, 2)) == [TimeUp((4, 2), hands_empty=True)]
    assert unfinished(buzzer(8, 4, 2))
    assert unfinished(buzzer(10, 4, 2))


def test_a_reveal_that_began_before_the_count_is_told() -> None:
    (explained,) = buzzer(7, 4, 2, {"bread-1": 2}).moves
    assert explained.move == TimeUp((4, 2), hands_empty=True)
    assert [(f.reason, f.illegal) for f in explained.findings] == [("COUNTED_LATE", False)]
    (explained,) = buzzer(6, 4, 2, {"bread-1": 2}).moves
    assert explained.move == TimeUp(None)
    assert [(f.reason, f.illegal) for f in explained.findings] == [("NOT_COUNTED", False)]


#: Fifteen tiles of the 21 as they lie at the reveal.
REVEALED = {
    "centre": Counter({"bread-1": 2, "bread-2": 2, "marble-2": 3, "tools-2": 2}),
    "castle-yellow": Counter({"bread-3": 2, "tools-1": 1}),
    "castle-blue": Counter({"marble-1": 2, "marble-3": 1}),
}


def revealed(table: Table, *at_time: int, hands_empty: bool = True) -> Explanation[Move]:
    state = position(Phase.REVEAL, at_time=at_time or None, hands_empty=hands_empty)
    return told(state, table)


def test_a_late_grab() -> None:
    """A castle bears more than when time was up, and no hand held a tile then."""
    explanation = revealed(Table(REVEALED), 2, 3)
    assert accused(explanation) == {"TAKEN_AFTER_TIME"}
    (finding,) = findings(explanation)
    assert finding.seats == (0,)
    assert finding.zones == ("castle-yellow", "centre")
    assert accused(revealed(Table(REVEALED), 2, 2)) == {"TAKEN_AFTER_TIME"}


def test_a_tile_that_a_hand_may_have_held_accuses_nobody() -> None:
    explanation = revealed(Table(REVEALED), 2, 3, hands_empty=False)
    assert len(legal(explanation)) == 1
    assert [finding.reason for finding in findings(explanation)] == ["TAKEN_AFTER_TIME"]


def test_a_tile_put_back_after_time() -> None:
    explanation = revealed(Table(REVEALED), 3, 4)
    assert accused(explanation) == {"PUT_BACK_AFTER_TIME"}
    assert [finding.seats for finding in findings(explanation)] == [(1,)]


@pytest.mark.parametrize("zone", ["centre", "castle-yellow"])
def test_a_hidden_tile(zone: str) -> None:
    label = next(iter(REVEALED[zone]))
    explanation = revealed(carry(Table(REVEALED), [label], zone, ""), 3, 3)
    assert unfinished(explanation)
    assert breaches(explanation) == {"TILES_MISSING"}
    text = " ".join(explanation.moves[0].missing)
    assert text.startswith("One tile is nowhere to be seen.")
    assert ("Yellow's castle bore 3 when" in text) == (zone == "castle-yellow")


def test_a_tile_left_face_down_is_not_put_back() -> None:
    table = replace(
        carry(Table(REVEALED), ["tools-1"], "castle-yellow", ""), backs={"castle-yellow": 1}
    )
    explanation = revealed(table, 3, 3)
    assert unfinished(explanation)
    assert breaches(explanation) == {"TILES_MISSING"}
    assert explanation.moves[0].missing == ("One tile lies face down: turn it up.",)


# Punishment (3.3)


def test_returning_the_wrong_tiles() -> None:
    """Demand 3: no tools are left, and yellow has most of them: keeps the 1, returns 2 and 3."""
    state = position(
        Phase.TUMULTS,
        castles=("t123", "t1"),
        centre=parse_tiles("b3m3"),
        aside=parse_tiles("b11222m11222t223b3m3".replace("b3m3", "")),
    )
    table = seen(state)
    start = told(state, table)
    assert unfinished(start)
    assert start.moves[0].missing == ("Yellow still returns tools 2 and tools 3 to the centre.",)
    some = told(state, paid(table, "tools-3"))
    assert some.moves[0].missing == ("Yellow still returns tools 2 to the centre.",)
    for labels in (["tools-1"], ["tools-1", "tools-2"], ["tools-1", "tools-2", "tools-3"]):
        assert accused(told(state, paid(table, *labels))) == {"RETURNED_WRONG_TILES"}
    assert len(legal(told(state, paid(table, "tools-2", "tools-3")))) == 1
    moved = carry(table, ["tools-2", "tools-3"], "castle-yellow", "castle-blue")
    assert accused(told(state, moved)) == {"TILE_MOVED"}


def test_who_pays_before_the_verdict_is_carried_out_is_judged_in_turn() -> None:
    """Demand 3, and 3 of everything remain: nobody returns anything."""
    state = position(Phase.TUMULTS, castles=("b1m1", "-"), centre=parse_tiles("b3m3t3"))
    table = paid(stand(seen(state), "r1c2", "yellow", 1), "bread-1", "marble-1")
    (move,) = legal(told(state, table))
    assert move == Punish((NO_TILES, NO_TILES))
    after = apply(state, move)
    assert legal(told(after, table)) == [build(after, "r1c2", "b1m1")]


def test_every_accusation_has_its_rule_and_words() -> None:
    state = building()
    for table in (
        stand(seen(state), "r4c1", "blue", 1),
        stand(seen(state), "r5c1", "blue", -1),
        paid(stand(seen(state), "r5c1", "yellow", 1), "bread-1"),
        carry(seen(state), ["bread-2"], "centre", "castle-yellow"),
    ):
        for finding in findings(told(state, table)):
            assert finding.rule == "3.4"
            assert finding.text[0].isupper()
            assert finding.text.endswith(".")
            assert finding.seats
