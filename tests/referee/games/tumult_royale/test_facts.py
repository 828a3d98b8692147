"""Positions taken apart into facts, and put together as a person says."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from referee.games.fact import Fact, FactValue
from referee.games.tumult_royale import Phase, State, deal, parse_tiles, play
from referee.games.tumult_royale.facts import facts
from referee.games.tumult_royale.facts_set import with_facts
from referee.games.tumult_royale.faults import sentences
from tests.referee.games.tumult_royale.tables import KIT, position
from tests.referee.games.tumult_royale.test_random_games import MIXED

BUILDING = position(Phase.BUILD, castles=("b1m2", "t3"), turn=0)


def of(state: State, key: str) -> Fact:
    return {fact.key: fact for fact in facts(state)}[key]


def all_of(state: State) -> dict[str, FactValue]:
    return {fact.key: fact.value for fact in facts(state)}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_position_of_a_game_is_put_together_from_its_facts(players: int) -> None:
    start = deal(KIT, players, Random(players))
    phases = set()
    for _, state in play(start, MIXED[:players], Random(5)):
        phases.add(state.phase)
        assert with_facts(state, {}) == state
        assert with_facts(state, all_of(state)) == state
        # However different the position was before.
        made = with_facts(start, all_of(state))
        assert replace(made, hands_empty=state.hands_empty) == state
    assert phases >= set(Phase) - {Phase.FIRST_STATUES, Phase.PLEAS}


def test_every_value_fits_its_fact_and_has_words() -> None:
    for _, state in play(deal(KIT, 4, Random(1)), MIXED, Random(2)):
        for fact in facts(state):
            assert fact.fits(fact.value), fact
            assert fact.words
            assert fact.group
            assert all(words for _, words in fact.options)


def test_supporters_come_from_the_supply() -> None:
    made = with_facts(BUILDING, {"yellow.supporters": 5})
    assert made.seats[0].supporters == 5
    assert made.supply == BUILDING.supply + BUILDING.seats[0].supporters - 5
    assert not sentences(made)
    given = with_facts(BUILDING, {"yellow.supporters": 5, "supply": BUILDING.supply})
    assert given.supply == BUILDING.supply
    assert sentences(given) == ("The supporters of players and supply are not all that there are.",)


def test_tiles_come_from_the_centre() -> None:
    made = with_facts(BUILDING, {"yellow.tiles": {"bread-1": 2}})
    assert made.seats[0].tiles == parse_tiles("b11")
    assert made.centre[0] == BUILDING.centre[0] - 1
    assert made.centre[4] == BUILDING.centre[4] + 1
    assert not sentences(made)


def test_more_tiles_than_there_are_can_not_be() -> None:
    there = KIT.tiles_in_play[2][0]
    with pytest.raises(ValueError, match=r"There would lie \d+ tiles more than this game has"):
        with_facts(BUILDING, {"yellow.tiles": {"bread-1": there}, "blue.tiles": {"bread-1": 1}})


def test_statues_built_are_those_on_map_and_chronicle() -> None:
    made = with_facts(BUILDING, {"blue.statues": {"r5c1": 1, "r6c1": 2}})
    assert made.seats[1].built == 3
    assert made.seats[1].statues_on(made.board.number("r6c1")) == 2
    crowned = with_facts(BUILDING, {"chronicle-1": "yellow*1"})
    assert (crowned.chronicle, crowned.seats[0].built) == (((0, 1),), 2)


def test_a_rank_given_twice_is_a_fault_and_no_error() -> None:
    made = with_facts(BUILDING, {"yellow.rank": "2"})
    assert sentences(made) == ("The ranks are not 1, 2 and so on, each once.",)


def test_facts_of_tiles_and_statues_say_where_the_camera_reads_them() -> None:
    assert of(BUILDING, "yellow.tiles").zone == "castle-yellow"
    assert of(BUILDING, "centre").zone == "centre"
    assert of(BUILDING, "blue.statues").colour == "blue"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("nothing", 1),
        ("phase", "lunch"),
        ("round", "2"),
        ("round", True),
        ("round", -1),
        ("yellow.tiles", {"bread-9": 1}),
        ("yellow.tiles", {"bread-1": -1}),
        ("yellow.tiles", "b1"),
        ("place-1", "11@0"),
    ],
)
def test_what_can_be_no_value_is_refused(key: str, value: FactValue) -> None:
    with pytest.raises(ValueError, match=r"has no fact|can't be that"):
        with_facts(BUILDING, {key: value})
