"""What the match's page shows of a match."""

from __future__ import annotations

import time
from typing import Any

from referee.match.commands import Do
from tests.referee.observations import Tile, doubtful, down, sure
from tests.referee.web.client import Client
from tests.referee.web.stage import Stage


def table(*castle: str, also: tuple[Tile, ...] = ()) -> list[Tile]:
    """The six tiles of the game, those in the castle by label, and others that replace some."""
    left = ["a", "a", "b", "b", "c", "c"]
    tiles = []
    for label in castle:
        left.remove(label)
        tiles += sure("castle", label)
    return [*tiles, *also, *(tile for label in left[len(also) :] for tile in sure("centre", label))]


#: Two tiles, one of which is "a" and the other "b": which of them lies in the castle?
EITHER = [
    *sure("centre", "a"),
    *sure("centre", "b"),
    *sure("centre", "c", 2),
    doubtful("centre", "a", "b"),
    doubtful("castle", "a", "b"),
]


def raided(stage: Stage) -> None:
    """The hourglass has run; two tiles may be taken."""
    stage.say(Do.ENTER, "spin 2 -")
    stage.say(Do.START)
    stage.say(Do.STOP)


def deeds(state: dict[str, Any]) -> list[str]:
    return [deed["do"] for deed in state["by_hand"]["deeds"]]


def test_a_match_that_begins(stage: Stage) -> None:
    state = stage.shown()
    assert (state["title"], state["round"], state["state"]) == ("Toy", 1, 0)
    assert state["step"] == {
        "phase": "spin",
        "title": "The spin",
        "instruction": "Do the spin.",
        "rule": "1",
        "actors": ["Red"],
    }
    assert [line["acts"] for line in state["lines"]] == [True, False]
    assert [line.get("player") for line in state["lines"]] == ["Ann", None]
    assert state["last"]["kind"] == "begin"
    assert "undo" not in state["by_hand"]
    assert deeds(state) == ["start", "done"]


def test_tallies_are_what_is_seen(stage: Stage) -> None:
    stage.see(table("a", "c"))
    stage.until(lambda: stage.shown()["current"])
    state = stage.shown()
    assert [good["left"] for good in state["goods"]] == [1, 2, 1]
    assert state["goods"][0]["art"] == "art/drawing-a.png"
    assert state["lines"][0]["castle"] == {"goods": [1, 0, 1], "down": 0, "unread": 0}
    assert state["lines"][0]["colour"] == "rgb(190, 40, 40)"


def test_of_what_lies_face_down_only_the_number_is_known(stage: Stage) -> None:
    stage.see(table("a", also=(down("centre"), down("castle"))))
    stage.until(lambda: stage.shown()["current"])
    state = stage.shown()
    assert all("left" not in good for good in state["goods"])
    assert state["lines"][0]["castle"] == {"goods": [1, 0, 0], "down": 1, "unread": 0}
    hidden = [tile for tile in state["tiles"]["tiles"] if tile["down"]]
    assert [(tile.get("label"), tile["rivals"]) for tile in hidden] == [(None, [])] * 2


def test_a_table_that_is_out_of_sight_is_shown_as_it_was(stage: Stage) -> None:
    stage.see(table("a"))
    stage.until(lambda: stage.shown()["current"])
    stage.eyes.sees = None
    stage.until(lambda: not stage.shown()["current"])
    assert stage.shown()["lines"][0]["castle"]["goods"] == [1, 0, 0]


def test_the_hourglass_has_seconds_left(stage: Stage) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    assert deeds(stage.shown()) == ["start", "done"]
    before = stage.shown()["step"]["instruction"]
    stage.say(Do.START)
    assert stage.shown()["step"]["instruction"] == "Take!"
    device = stage.shown()["device"]
    assert (device["kind"], device["stage"], device["seconds"]) == ("glass", "running", 20.0)
    assert 15 < device["end"] - time.time() <= 20
    assert deeds(stage.shown()) == ["stop"]
    stage.say(Do.STOP)
    device = stage.shown()["device"]
    assert (device["stage"], "end" in device) == ("over", False)
    assert stage.shown()["step"]["instruction"] == before
    assert deeds(stage.shown()) == ["done"]


def test_no_verdict_says_why_and_marks_the_tile(stage: Stage) -> None:
    raided(stage)
    stage.see(table(also=(down("castle"),)))
    stage.until(lambda: stage.shown()["current"])
    stage.until(lambda: stage.view.verdict is not None)
    verdict = stage.shown()["verdict"]
    assert verdict["outcome"] == "inconclusive"
    assert verdict["headline"] == "One tile lies face down."
    assert verdict["remedy"] == "Turn every tile face up where it lies."
    assert verdict["evidence"] == []


def test_a_verdict_is_told_with_its_rule_and_its_pictures(stage: Stage, client: Client) -> None:
    raided(stage)
    stage.see(table("a", "c"))
    stage.until(lambda: stage.view.state_id == 2)
    state = stage.shown()
    assert "verdict" not in state
    last = state["last"]
    assert (last["kind"], last["headline"], last["rules"]) == ("confirmed", "raid", ["2"])
    assert [picture["words"] for picture in last["evidence"]] == [
        "when time was up",
        "as it was judged",
    ]
    for picture in last["evidence"]:
        assert client.get(f"/{picture['url']}").content.startswith(b"\xff\xd8")


def test_what_a_person_ruled_says_who(stage: Stage) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    last = stage.shown()["last"]
    assert (last["kind"], last["by"], last["headline"]) == ("ruled", "Ann", "spin 2")
    assert last["evidence"] == []


def test_a_contradiction_is_settled_by_people(stage: Stage) -> None:
    stage.see(table(), dial="1")
    stage.say(Do.DONE)
    stage.until(lambda: stage.view.state_id == 1)
    stage.say(Do.START)
    # While the hourglass runs nobody is judged.
    stage.see(table("a", "b"))
    frame = stage.frame
    stage.until(lambda: stage.frame > frame + 1)
    stage.say(Do.STOP)
    stage.until(lambda: stage.view.apart)
    state = stage.shown()
    assert state["apart"] is True
    assert state["verdict"]["outcome"] == "out-of-sync"
    assert [each["words"] for each in state["verdict"]["evidence"]][-1] == "as it was judged"
    (finding,) = state["verdict"]["findings"]
    assert finding == {
        "illegal": True,
        "rule": "2",
        "text": "More than 1 tiles were taken.",
        "seats": [],
    }
    assert [(each["do"], each["why"], each.get("judge")) for each in state["by_hand"]["deeds"]] == [
        ("table-right", True, True),
        ("record-right", False, None),
    ]
    stage.say(Do.TABLE_RIGHT, reason="all agree")
    last = stage.shown()["last"]
    assert last["kind"] == "ruled"
    assert [finding["illegal"] for finding in last["findings"]] == [True]


def test_moves_can_be_picked_and_written(stage: Stage) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    stage.say(Do.ENTER, "raid - a,c")
    by_hand = stage.shown()["by_hand"]
    assert by_hand["choices"] == [
        {"text": "pay a -", "words": "Pay a"},
        {"text": "pay c -", "words": "Pay c"},
    ]
    assert by_hand["example"] == "pay a -"
    assert by_hand["faces"] == ["a", "b", "c"]
    stage.say(Do.ENTER, "pay a -")
    by_hand = stage.shown()["by_hand"]
    assert (by_hand["due"], by_hand["example"]) == (["shake"], "shake - -")
    assert [deed["do"] for deed in by_hand["deeds"]] == ["done"]


def test_undo_goes_on_where_it_went_back_to(stage: Stage) -> None:
    """Taking back twice goes two moves back: the first undo is not what the second one undoes."""
    stage.say(Do.ENTER, "spin 2 -")
    stage.say(Do.ENTER, "raid - a")
    undo = stage.shown()["by_hand"]["undo"]
    assert undo == {"to": 1, "words": "raid"}
    stage.say(Do.UNDO, to=undo["to"])
    state = stage.shown()
    assert state["last"]["kind"] == "back"
    assert state["by_hand"]["undo"] == {"to": 0, "words": "spin 2"}
    stage.say(Do.UNDO, to=0)
    state = stage.shown()
    assert "undo" not in state["by_hand"]
    assert [(each["state"], each["holds"]) for each in state["recent"]] == [
        (4, True), (3, False), (2, False), (1, False), (0, True),
    ]  # fmt: skip


def test_a_tile_that_a_person_corrected_counts_as_they_say(stage: Stage, client: Client) -> None:
    raided(stage)
    stage.see(EITHER)
    stage.until(lambda: stage.view.verdict is not None)
    state = stage.shown()
    tile = state["tiles"]["tiles"][5]
    assert tile["rivals"] == ["a", "b"]
    assert state["lines"][0]["castle"]["unread"] == 1
    body = {
        "do": "correct", "at": state["state"], "id": "c", "by": "Ann",
        "text": "a", "to": tile["tile"], "frame": state["tiles"]["frame"],
    }  # fmt: skip
    assert client.send(body).json()["accepted"]
    stage.until(lambda: stage.view.state_id == 2)
    state = stage.shown()
    assert state["lines"][0]["castle"] == {"goods": [1, 0, 0], "down": 0, "unread": 0}


def test_a_game_that_is_over_has_a_winner(stage: Stage) -> None:
    stage.say(Do.POSITION, "3 shake 1 a 0", reason="to be short")
    assert stage.shown()["last"]["kind"] == "set"
    stage.say(Do.DONE)
    state = stage.shown()
    assert (state["over"], "step" in state, "device" in state) == (True, False, False)
    assert state["winner"] == "Red has won."
    assert deeds(state) == []
