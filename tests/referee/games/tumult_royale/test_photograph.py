"""The reveal's question to the table, and how the answer reads in the rules and in words."""

from __future__ import annotations

import pytest

from referee.games.game import Counts, Step, Table
from referee.games.tumult_royale import Tumults, load_edition
from referee.games.tumult_royale.edition import Edition
from referee.games.tumult_royale.photograph import Standing, reveal
from referee.games.tumult_royale.sections import COLOURS
from referee.games.tumult_royale.words import tell
from referee.games.tumult_royale.zones import heaps


@pytest.fixture(scope="module")
def edition() -> Edition:
    return load_edition("kit")


def standings(players: int) -> list[Standing]:
    return [Standing(colour, rank, 15) for rank, colour in enumerate(COLOURS[:players], 1)]


def ruled(step: Step[Tumults], counts: Counts) -> Tumults:
    """What the rules make of the one way to see the table."""
    (explained,) = step.explain(Table(counts)).moves
    return explained.move


@pytest.mark.parametrize(
    ("players", "in_play", "remaining"), [(2, 21, 15), (3, 30, 21), (4, 39, 27)]
)
def test_tiles_in_play_less_three_per_player(
    edition: Edition, players: int, in_play: int, remaining: int
) -> None:
    asked = reveal(edition, 3, standings(players)).ask
    assert asked is not None
    ask = asked.tiles
    assert ask is not None
    assert sum(ask.in_play.values()) == in_play
    assert ask.expected == remaining
    assert ask.aside == 3 * players
    assert ask.zones == ("centre", *(f"castle-{colour}" for colour in COLOURS[:players]))
    assert ask.boards == ask.zones[1:]


def test_counts_become_tiles_by_kind() -> None:
    counts = {"centre": {"bread-1": 2, "tools-3": 1}, "castle-blue": {"marble-2": 4}}
    assert heaps(counts, ["blue"]) == (
        (2, 0, 0, 0, 0, 0, 0, 0, 1),
        ((0, 0, 0, 0, 4, 0, 0, 0, 0),),
    )


def test_a_ruling_in_words(edition: Edition) -> None:
    """Rules 3.3: 1 < 3 bread is a tumult, 3 marble are enough, 0 < 3 tools but nobody has any."""
    step = reveal(edition, 3, [Standing("yellow", 1, 15), Standing("blue", 2, 2)])
    ruling = ruled(
        step,
        {
            "centre": {"bread-1": 1, "marble-3": 1},
            "castle-yellow": {"bread-2": 1},
            "castle-blue": {"bread-1": 1, "bread-2": 1, "bread-3": 1},
        },
    )
    headline, bread, marble, tools = tell(ruling, ["yellow", "blue"])
    assert headline == "Tumult over bread and tools!"
    assert bread == (
        "One symbol of bread remains, 3 demanded: tumult. Blue is the greediest with 6; Blue loses "
        "two supporters, keeps one bread tile with one symbol and returns two tiles."
    )
    assert marble == "Three symbols of marble remain, 3 demanded: no tumult."
    assert tools == (
        "No symbols of tools remain, 3 demanded: tumult, but nobody was greedy. Nobody is punished."
    )
    assert step.rule == "3.3"


def test_the_higher_rank_among_equals_is_said_to_be_the_reason(edition: Edition) -> None:
    step = reveal(edition, 2, [Standing("yellow", 2, 15), Standing("blue", 1, 15)])
    one = {"tools-1": 1}
    ruling = ruled(
        step, {"centre": {"bread-2": 1, "marble-2": 1}, "castle-yellow": one, "castle-blue": one}
    )
    assert (
        "Blue is the greediest with 1, being of higher rank" in tell(ruling, ["yellow", "blue"])[3]
    )
    assert "keeps the only tools tile" in tell(ruling, ["yellow", "blue"])[3]


def test_whom_mercy_leaves_without_greed_is_not_said_to_have_taken_nothing(
    edition: Edition,
) -> None:
    step = reveal(edition, 2, [Standing("yellow", 1, 15), Standing("blue", 2, 15, mercy=True)])
    centre = {"bread-2": 1, "marble-2": 1}
    ruling = ruled(step, {"centre": centre, "castle-yellow": {}, "castle-blue": {"tools-1": 1}})
    assert ruling.commodities[2].greed == (0, 0)
    assert tell(ruling, ["yellow", "blue"])[3] == (
        "No symbols of tools remain, 2 demanded: tumult, but nobody was greedy. Nobody is punished."
    )


def test_no_tumult_in_words(edition: Edition) -> None:
    step = reveal(edition, 2, standings(2))
    enough = {"bread-2": 1, "marble-2": 1, "tools-2": 1}
    ruling = ruled(step, {"centre": enough, "castle-yellow": {}, "castle-blue": {}})
    assert tell(ruling, ["yellow", "blue"])[0] == "The people are content: no tumult."
