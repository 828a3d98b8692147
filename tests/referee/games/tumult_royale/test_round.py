"""Sections 2, 3.1, 3.2, 3.5 to 3.7 and 4: setup, taxes, ranks, crowning, mercy, the end."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from referee.games.tumult_royale import (
    COLOURS,
    Build,
    Crown,
    Ending,
    FirstStatue,
    Kind,
    Laid,
    Outcome,
    Pass,
    Phase,
    Rank,
    Reason,
    Reveal,
    SetAside,
    SetupError,
    ShowMercy,
    Spin,
    State,
    TimeUp,
    TurnRegion,
    apply,
    check,
    count,
    deal,
    is_legal,
    legal_moves,
    parse_tiles,
    start,
)
from tests.referee.games.tumult_royale.tables import (
    FOUR_REGIONS,
    KIT,
    build,
    house,
    number,
    position,
    reasons,
)

# 2. Setup


@pytest.mark.parametrize(
    ("players", "supporters", "tiles", "columns", "face_down"),
    [(2, 30, 21, 6, (2, 4)), (3, 20, 30, 9, (1, 3, 6)), (4, 15, 39, 12, (1, 4, 5, 8))],
)
def test_setup_by_player_count(
    players: int, supporters: int, tiles: int, columns: int, face_down: tuple[int, ...]
) -> None:
    state = start(KIT, COLOURS[:players], range(1, players + 1), FOUR_REGIONS[:players])
    assert [seat.supporters for seat in state.seats] == [supporters] * players
    assert state.supply == 105 - players * supporters
    assert sum(state.centre) == tiles
    assert state.board.width == columns
    assert len(state.board.types) == 6 * columns
    assert state.board.face_down_places == face_down
    assert state.board.face_up.bit_count() == 9 * players
    assert [state.statues_left(seat) for seat in range(players)] == [25] * players


def test_with_four_players_the_four_middle_regions_are_face_up() -> None:
    state = start(KIT, COLOURS, (1, 2, 3, 4), FOUR_REGIONS)
    columns = {n % 12 for n, type_ in enumerate(state.board.types) if type_}
    assert columns == {3, 4, 5, 6, 7, 8}


def test_the_lowest_rank_places_the_first_statue_and_the_king_the_last() -> None:
    state = start(KIT, COLOURS[:3], (2, 1, 3), FOUR_REGIONS[:3])
    turns = []
    while state.phase is Phase.FIRST_STATUES:
        turns.append(state.turn)
        state = apply(state, legal_moves(state)[0])
    assert turns == [2, 0, 1]
    assert (state.phase, state.turn, state.round) == (Phase.SENTIMENT, 1, 1)
    assert [seat.built for seat in state.seats] == [1, 1, 1]


def test_the_first_statue_goes_on_any_free_face_up_pasture() -> None:
    state = start(KIT, COLOURS[:2], (2, 1), FOUR_REGIONS[:2])
    pastures = ["r1c1", "r1c2", "r2c3", "r3c1", "r3c3", "r4c1", "r5c1", "r6c2", "r6c3"]
    assert legal_moves(state) == tuple(FirstStatue(0, number(state, name)) for name in pastures)
    forest = FirstStatue(0, number(state, "r1c3"))
    assert [(f.reason, f.rule) for f in check(state, forest)] == [(Reason.NOT_A_PASTURE, "2")]
    state = apply(state, FirstStatue(0, number(state, "r1c1")))
    taken = FirstStatue(1, number(state, "r1c1"))
    assert reasons(check(state, taken)) == [("ILLEGAL", Reason.NOT_FREE)]
    assert taken not in legal_moves(state)
    assert reasons(check(state, FirstStatue(1, 5))) == [("ILLEGAL", Reason.FACE_DOWN)]


def test_a_region_lies_turned_clockwise() -> None:
    """Region 2 is PFC/PMF/VPP; a quarter turn brings its left column to the top."""
    state = start(KIT, COLOURS[:2], (1, 2), ((2, 1), (1, 0)))
    top = [state.board.types[state.board.number(f"r1c{c}")] for c in (1, 2, 3)]
    assert top == ["village", "pasture", "pasture"]
    right = [state.board.types[state.board.number(f"r{r}c3")] for r in (1, 2, 3)]
    assert right == ["pasture", "forest", "castle"]


@pytest.mark.parametrize(
    ("colours", "ranks", "regions", "complaint"),
    [
        (("yellow",), (1,), ((1, 0),), "2 to 4 different"),
        (("yellow", "yellow"), (1, 2), ((1, 0), (2, 0)), "2 to 4 different"),
        (("yellow", "red"), (1, 2), ((1, 0), (2, 0)), "red"),
        (("yellow", "blue"), (1, 1), ((1, 0), (2, 0)), "1 to 2 once"),
        (("yellow", "blue"), (1, 2), ((1, 0),), "2 different ones"),
        (("yellow", "blue"), (1, 2), ((1, 0), (1, 1)), "2 different ones"),
        (("yellow", "blue"), (1, 2), ((1, 0), (11, 0)), "numbers 1 to 10"),
        (("yellow", "blue"), (1, 2), ((1, 0), (2, 4)), "turns 0 to 3"),
    ],
)
def test_an_impossible_setup_is_refused(
    colours: tuple[str, ...],
    ranks: tuple[int, ...],
    regions: tuple[tuple[int, int], ...],
    complaint: str,
) -> None:
    with pytest.raises(SetupError, match=complaint):
        start(KIT, colours, ranks, regions)  # type: ignore[arg-type]


# 3.1 Sentiment


def test_the_spinner_gives_the_demand() -> None:
    state = position(Phase.SENTIMENT)
    assert legal_moves(state) == tuple(Spin(n) for n in (2, 3, 4, 5))
    assert apply(state, Spin(4)).demand == 4
    assert [(f.reason, f.rule) for f in check(state, Spin(6))] == [(Reason.NOT_ON_SPINNER, "3.1")]


# 3.2 Taxes


def test_each_player_sets_three_tiles_aside() -> None:
    state = position(Phase.SET_ASIDE)
    assert legal_moves(state) == (SetAside(6),)
    (finding,) = check(state, SetAside(5))
    assert (finding.reason, finding.rule) == (Reason.SET_ASIDE_COUNT, "3.2")
    assert apply(state, SetAside(6)).phase is Phase.TAXES


@pytest.mark.parametrize(("players", "left"), [(2, 15), (3, 21), (4, 27)])
def test_tiles_that_remain_to_be_robbed(players: int, left: int) -> None:
    state = deal(KIT, players, Random(1))
    while state.phase is not Phase.TAXES:
        state = apply(state, legal_moves(state)[0])
    per_castle = (left,) + (0,) * (players - 1)
    assert check(state, TimeUp(per_castle)) == ()
    too_many = (left + 1,) + (0,) * (players - 1)
    assert reasons(check(state, TimeUp(too_many))) == [("ILLEGAL", Reason.TILES_TOO_MANY)]


def revealing(*at_time: int) -> State:
    return position(Phase.REVEAL, at_time=at_time or None)


#: 21 tiles are in play with two players; the tools but one are set aside here.
CENTRE = "b112223m112223t1"


def test_the_reveal_shows_all_tiles() -> None:
    state = revealing(1, 1)
    move = Reveal(parse_tiles(CENTRE), (parse_tiles("b3"), parse_tiles("m3")))
    assert check(state, move) == ()
    after = apply(state, move)
    assert after.phase is Phase.TUMULTS
    assert after.seats[0].tiles == count(["bread-3"])
    assert after.aside == parse_tiles("t122233")


def test_a_missing_tile_is_found_at_the_reveal() -> None:
    move = Reveal(parse_tiles("b112223m112223"), (parse_tiles("b3"), parse_tiles("m3")))
    (finding,) = check(revealing(), move)
    assert (finding.reason, finding.text) == (
        Reason.TILES_MISSING,
        "14 tiles lie face up, 1 fewer than the 15 left to rob.",
    )


def test_a_tile_too_many_is_found_at_the_reveal() -> None:
    move = Reveal(parse_tiles(CENTRE + "2"), (parse_tiles("b3"), parse_tiles("m3")))
    assert reasons(check(revealing(), move)) == [("ILLEGAL", Reason.TILES_TOO_MANY)]


def test_tiles_that_the_game_does_not_have() -> None:
    move = Reveal(parse_tiles("b112223m11222t1"), (parse_tiles("b33"), parse_tiles("m3")))
    assert reasons(check(revealing(), move)) == [("ILLEGAL", Reason.TILES_NOT_IN_EDITION)]


def test_a_tile_taken_after_time() -> None:
    move = Reveal(parse_tiles("b11222m112223t1"), (parse_tiles("b33"), parse_tiles("m3")))
    (finding,) = check(revealing(0, 1), move)
    assert (finding.kind, finding.reason, finding.rule) == (
        Kind.ILLEGAL,
        Reason.TAKEN_AFTER_TIME,
        "3.2",
    )
    assert finding.text == "Yellow's castle bore 0 tiles when time was up, and 2 at the reveal."


def test_a_tile_still_in_the_hand_may_be_kept_after_time() -> None:
    """One more on a castle than at the buzzer may have been in the hand; nobody can tell."""
    move = Reveal(parse_tiles(CENTRE), (parse_tiles("b3"), parse_tiles("m3")))
    (finding,) = check(revealing(0, 1), move)
    assert (finding.kind, finding.reason) == (Kind.ADVISORY, Reason.TAKEN_AFTER_TIME)
    assert finding.text == (
        "Yellow's castle bore 0 tiles when time was up, and 1 at the reveal: "
        "right only if the hand held that tile when time was up."
    )
    assert is_legal(revealing(0, 1), move)


def test_a_tile_on_a_castle_is_final() -> None:
    move = Reveal(parse_tiles(CENTRE), (parse_tiles("b3"), parse_tiles("m3")))
    assert reasons(check(revealing(1, 2), move)) == [("ILLEGAL", Reason.PUT_BACK_AFTER_TIME)]


# 3.5 Ranks


def test_ranks_go_by_supporters_then_by_the_old_rank() -> None:
    state = position(
        Phase.RANKS,
        ("r1c4", "r1c5", "r1c7", "r2c6"),
        ranks=(4, 3, 2, 1),
        supporters=(20, 12, 20, 9),
    )
    assert legal_moves(state) == (Rank((2, 3, 1, 4)),)
    after = apply(state, Rank((2, 3, 1, 4)))
    assert (after.phase, after.turn) == (Phase.CROWNING, 2)


def test_a_wrong_rank_is_named() -> None:
    state = position(Phase.RANKS, supporters=(28, 31))
    findings = check(state, Rank((1, 2)))
    assert [(f.reason, f.rule) for f in findings] == [(Reason.WRONG_RANK, "3.5")] * 2
    assert findings[1].text == "Blue with 31 supporters becomes rank 1, not 2."


# 3.6 Crowning


def crowning(spaces: int, built: tuple[int, int] = (10, 10), **more: Any) -> State:
    """Yellow is crowned and fills the space after so many."""
    seats = tuple({"built": number_built} for number_built in built)
    return position(
        Phase.CROWNING,
        seats=seats,
        chronicle=((1, 1),) * spaces,
        round=spaces + 1,
        **more,
    )


def test_the_new_king_gives_five_supporters_and_a_statue() -> None:
    state = crowning(0)
    assert legal_moves(state) == (Crown(1),)
    after = apply(state, Crown(1))
    assert after.seats[0].supporters == 25
    assert after.supply == state.supply + 5
    assert after.seats[0].built == 11
    assert after.chronicle == ((0, 1),)
    assert after.phase is Phase.MERCY


def test_a_king_with_fewer_supporters_gives_all() -> None:
    assert apply(crowning(0, supporters=(4, 2)), Crown(1)).seats[0].supporters == 0
    spared = house(few_supporters_crowned="none")
    after = apply(crowning(0, supporters=(4, 2), edition=spared), Crown(1))
    assert after.seats[0].supporters == 4


def test_two_statues_on_a_double_space() -> None:
    state = crowning(5)
    assert legal_moves(state) == (Crown(2),)
    assert apply(state, Crown(2)).seats[0].built == 12
    (finding,) = check(state, Crown(1))
    assert (finding.reason, finding.rule) == (Reason.WRONG_STATUE_COUNT, "3.6")


@pytest.mark.parametrize(
    ("players", "revealed"), [(2, (1, 1)), (3, (1, 2)), (4, (2, 2))], ids=["2", "3", "4"]
)
def test_regions_are_revealed_after_the_third_and_fifth_space(
    players: int, revealed: tuple[int, int]
) -> None:
    rng = Random(players)
    state = deal(KIT, players, rng)
    turned = []
    for spaces in range(1, 6):
        state = position_at_crown(state, spaces)
        before = len(state.board.face_down_places)
        state = apply(state, Crown(1))
        while state.phase is Phase.REGIONS:
            assert state.turn == state.king
            state = apply(state, rng.choice(legal_moves(state)))
        assert state.phase is Phase.MERCY
        turned.append(before - len(state.board.face_down_places))
    assert turned == [0, 0, revealed[0], 0, revealed[1]]
    assert state.board.face_down_places == ()


def position_at_crown(state: State, spaces: int) -> State:
    return replace(
        state,
        phase=Phase.CROWNING,
        turn=state.king,
        chronicle=((state.king, 1),) * (spaces - 1),
        round=spaces,
    )


def test_the_king_chooses_a_face_down_place_and_a_region_comes_up() -> None:
    state = position(Phase.REGIONS, to_turn=1, chronicle=((0, 1),) * 3, round=3)
    move = TurnRegion(2, Laid(7, 3))
    assert move in legal_moves(state)
    assert len(legal_moves(state)) == 2 * 8 * 4
    after = apply(state, move)
    assert after.board.places == (Laid(1, 0), Laid(7, 3), Laid(2, 0), None)
    assert state.board.face_down_places == (2, 4)
    assert after.phase is Phase.MERCY


def test_regions_that_cannot_come_up() -> None:
    state = position(Phase.REGIONS, to_turn=1)
    findings = check(state, TurnRegion(1, Laid(7, 0)))
    assert [(f.reason, f.rule) for f in findings] == [(Reason.PLACE_NOT_FACE_DOWN, "3.6")]
    on_map = check(state, TurnRegion(2, Laid(1, 0)))
    assert [f.reason for f in on_map] == [Reason.REGION_NOT_AVAILABLE]


@pytest.mark.parametrize(
    ("spaces", "lead", "ends"),
    [(6, 6, False), (6, 7, True), (7, 5, False), (7, 6, True), (8, 4, False), (8, 5, True),
     (9, 3, False), (9, 4, True)],
)  # fmt: skip
def test_the_game_ends_if_the_difference_is_greater_than_the_number_below(
    spaces: int, lead: int, ends: bool
) -> None:
    """The statues on the chronicle count: yellow is crowned and builds two of its lead there."""
    after = apply(crowning(spaces - 1, (8 + lead, 10)), Crown(2))
    assert after.outcome == (Outcome(0, Ending.GAP) if ends else None)


def test_no_end_check_on_a_single_space() -> None:
    assert apply(crowning(4, (20, 1)), Crown(1)).phase is Phase.REGIONS


def test_after_the_last_space_the_game_ends_in_any_case() -> None:
    after = apply(crowning(9, (8, 10)), Crown(2))
    assert after.outcome == Outcome(0, Ending.CHRONICLE_FULL)


# 3.7 Mercy


@pytest.mark.parametrize(
    ("built", "shown"),
    [
        ((9, 7, 8, 9), (False, True, False, False)),
        ((9, 7, 7, 9), (False, True, True, False)),
        ((7, 7, 7, 7), (False, False, False, False)),
        ((7, 7, 7, 8), (True, True, True, False)),
    ],
)
def test_mercy_for_the_fewest_statues(built: tuple[int, ...], shown: tuple[bool, ...]) -> None:
    state = position(
        Phase.MERCY,
        ("r1c4", "r1c5", "r1c7", "r2c6"),
        seats=tuple({"built": n, "mercy": n == 9} for n in built),
    )
    assert legal_moves(state) == (ShowMercy(shown),)
    after = apply(state, ShowMercy(shown))
    assert tuple(seat.mercy for seat in after.seats) == shown
    assert (after.phase, after.round, after.turn) == (Phase.SENTIMENT, 2, 0)


def test_ties_get_no_mercy_under_the_option() -> None:
    seats = tuple({"built": n} for n in (9, 7, 7))
    edition = house(fewest_tied="none")
    state = position(Phase.MERCY, ("r1c4", "r1c5", "r2c6"), seats=seats, edition=edition)
    assert legal_moves(state) == (ShowMercy((False, False, False)),)


def test_wrong_mercy_is_named() -> None:
    state = position(Phase.MERCY, seats=({"built": 9}, {"built": 7}))
    findings = check(state, ShowMercy((True, False)))
    assert [(f.reason, f.rule) for f in findings] == [(Reason.WRONG_MERCY, "3.7")] * 2
    assert findings[1].text == "Blue's card must show mercy."


# 4. End


def test_the_25th_statue_wins_at_once() -> None:
    state = position(Phase.BUILD, castles=("b1m1", "b1m1"), seats=({"built": 24}, {}))
    after = apply(state, build(state, "r1c2", "b1m1"))
    assert (after.phase, after.outcome) == (Phase.OVER, Outcome(0, Ending.LAST_STATUE))
    assert legal_moves(after) == ()
    assert reasons(check(after, Pass(1))) == [("ILLEGAL", Reason.WRONG_PHASE)]


def test_the_25th_statue_on_the_chronicle_wins_at_once() -> None:
    after = apply(crowning(5, (23, 20)), Crown(2))
    assert after.outcome == Outcome(0, Ending.LAST_STATUE)
    assert legal_moves(crowning(5, (24, 20))) == (Crown(1),)


def test_the_phase_is_played_out_under_the_option() -> None:
    edition = house(last_statue="end_of_phase")
    seats = ({"built": 24}, {"built": 24})
    state = position(
        Phase.BUILD, castles=("b1m1", "b1m1"), seats=seats, ranks=(2, 1), edition=edition
    )
    state = apply(state, build(state, "r4c1", "b1m1"))
    assert state.phase is Phase.BUILD
    state = apply(state, build(state, "r1c2", "b1m1"))
    assert not [m for m in legal_moves(state) if isinstance(m, Build)]
    state = apply(apply(state, Pass(1)), Pass(0))
    assert state.outcome == Outcome(1, Ending.LAST_STATUE)


def test_most_statues_win_and_among_equals_the_higher_rank() -> None:
    state = crowning(9, (9, 9), ranks=(2, 1), turn=1)
    assert apply(state, Crown(2)).outcome == Outcome(1, Ending.CHRONICLE_FULL)
    equal = crowning(9, (10, 12))
    assert apply(equal, Crown(2)).outcome == Outcome(0, Ending.CHRONICLE_FULL)
    lower = crowning(9, (12, 10), ranks=(2, 1), turn=1)
    assert apply(lower, Crown(2)).outcome == Outcome(1, Ending.CHRONICLE_FULL)


def test_a_move_of_another_phase_is_illegal() -> None:
    (finding,) = check(position(Phase.SENTIMENT), Pass(0))
    assert (finding.reason, finding.rule) == (Reason.WRONG_PHASE, "3.1")
    assert finding.text == (
        'Passing does not belong to the step "Gauge the sentiment": spinning does.'
    )
