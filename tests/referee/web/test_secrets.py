"""What lies face down, was set aside, or is a score: nobody but the judge is told of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from referee.match.commands import Do
from referee.web.publish import PUBLIC, Audience
from referee.words import LANGUAGES, localised
from tests.referee.observations import Tile, doubtful, down, sure
from tests.referee.web.stage import Stage
from tests.referee.web.test_state import EITHER, raided, table

#: What only vision's own diagnostics say.
SCORES = re.compile(r"score|certain|found|percent|%|(?<![\w-])0\.\d")


def strings(value: Any) -> Iterator[str]:
    """Every text in a document, the names of its members too."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)
    elif isinstance(value, str):
        yield value


def labels_of_tiles(document: dict[str, Any]) -> list[str]:
    """What is told of tiles that lie on the table."""
    tiles = document.get("tiles", {}).get("tiles", [])
    return [label for tile in tiles for label in [tile.get("label"), *tile["rivals"]] if label]


@pytest.mark.parametrize("audience", PUBLIC)
def test_no_score_is_told(stage: Stage, audience: Audience) -> None:
    stage.see(EITHER)
    raided(stage)
    stage.until(lambda: stage.view.verdict is not None)
    document = stage.shown(audience)
    for lang in LANGUAGES:
        said = [each for each in strings(localised(document, lang)) if SCORES.search(each)]
        assert said == []
    # The judge is told: the test would find it.
    judges = json.dumps(stage.shown(Audience.JUDGE))
    assert '"found"' in judges
    assert '"certain"' in judges


def test_a_tile_that_was_turned_over_is_not_told_any_more(stage: Stage) -> None:
    """All six tiles were seen; then two of them, whose places are known, are turned."""
    stage.see(table("a"))
    stage.until(lambda: bool(stage.shown().get("current")))
    assert sorted(labels_of_tiles(stage.shown())) == ["a", "a", "b", "b", "c", "c"]
    turned = table("a", also=(down("centre"), down("centre")))
    stage.see(turned)
    stage.until(lambda: sum(tile["down"] for tile in stage.shown()["tiles"]["tiles"]) == 2)
    document = stage.shown()
    assert len(labels_of_tiles(document)) == 4
    hidden = [tile for tile in document["tiles"]["tiles"] if tile["down"]]
    assert all("label" not in tile and tile["rivals"] == [] for tile in hidden)
    # What remains can't be counted either: that would tell by difference.
    assert all("left" not in good for good in document["goods"])


def test_a_tile_that_somebody_named_and_that_was_turned_over_is_not_told(stage: Stage) -> None:
    """A correction holds for the face that lay there; turned over it is anybody's guess again."""
    raided(stage)
    stage.see(EITHER)
    stage.until(lambda: stage.view.verdict is not None)
    document = stage.shown()
    tile = document["tiles"]["tiles"][5]
    stage.say(Do.CORRECT, "a", to=tile["tile"])
    stage.until(lambda: stage.view.state_id == 2)
    turned = [*EITHER[:4], *sure("centre", "b"), down("castle")]
    stage.see(turned)
    stage.until(lambda: any(each["down"] for each in stage.shown()["tiles"]["tiles"]))
    named = [each for each in stage.shown()["tiles"]["tiles"] if each["tile"] == tile["tile"]]
    assert [(each.get("label"), each["rivals"], each["corrected"]) for each in named] == [
        (None, [], False)
    ]
    castle = stage.shown()["lines"][0]["castle"]
    assert (castle["goods"], castle["down"]) == ([0, 0, 0], 1)


def test_a_named_tile_is_not_told_when_no_step_asks_for_it(stage: Stage) -> None:
    """Nobody judges the table while an hourglass runs, and yet it is turned over."""
    raided(stage)
    stage.see(EITHER)
    stage.until(lambda: stage.view.verdict is not None)
    tile = stage.shown()["tiles"]["tiles"][5]["tile"]
    stage.say(Do.CORRECT, "a", to=tile)
    stage.until(lambda: stage.view.state_id == 2)
    stage.say(Do.ENTER, "pay a -")
    assert stage.view.step is not None
    assert stage.view.step.ask is None
    stage.see([*EITHER[:4], *sure("centre", "b"), down("castle")])
    stage.until(lambda: any(each["down"] for each in stage.shown()["tiles"]["tiles"]))
    for document in (stage.shown(), stage.shown(Audience.JUDGE)):
        named = [each for each in document["tiles"]["tiles"] if each["tile"] == tile]
        assert [each.get("label") for each in named] == [None]


@pytest.mark.parametrize(
    "aside",
    [down(None), doubtful(None, "a", "b"), *sure(None, "a")],
    ids=["down", "doubtful", "up"],
)
def test_tiles_set_aside_are_no_part_of_any_count(stage: Stage, aside: Tile) -> None:
    stage.see(table("c", also=(aside,)))
    stage.until(lambda: bool(stage.shown().get("current")))
    document = stage.shown()
    assert document["lines"][0]["castle"] == {"goods": [0, 0, 1], "down": 0, "unread": 0}
    assert document["goods"][0]["left"] == 1


def test_the_overlay_has_no_tiles_and_no_pictures(stage: Stage) -> None:
    raided(stage)
    stage.see(table("a", "c"))
    stage.until(lambda: stage.view.state_id == 2)
    document = stage.shown(Audience.OVERLAY)
    assert {"tiles", "readings", "position", "by_hand", "goods"}.isdisjoint(document)
    assert not any("evidence" in each or ".jpg" in each for each in strings(document))


@pytest.mark.parametrize("audience", PUBLIC)
def test_the_position_is_the_judges(stage: Stage, audience: Audience) -> None:
    """Its notation tells what was set aside, and more."""
    stage.say(Do.ENTER, "spin 2 -")
    text = stage.game.write_state(stage.view.position)
    assert stage.shown(Audience.JUDGE)["position"] == text
    assert text not in list(strings(stage.shown(audience)))


@pytest.mark.parametrize("audience", PUBLIC)
def test_what_only_the_judge_is_told_is_in_no_other_document(
    stage: Stage, audience: Audience
) -> None:
    stage.see(EITHER)
    stage.until(lambda: bool(stage.shown().get("current")))
    public, judges = stage.shown(audience), stage.shown(Audience.JUDGE)
    assert {"readings", "position"} <= judges.keys() - public.keys()
