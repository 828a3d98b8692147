"""`referee judge` on pictures of a table whose verdict was worked out by hand, see tables.py."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.cli.kitset import kit_edition
from referee.games.tumult_royale.notation import format_state
from referee.games.tumult_royale.state import Phase, State, start
from tests.referee.tables import TILES
from vision.camera import load_image

Shoot = Callable[..., str]


def judge(*words: str) -> Result:
    return CliRunner().invoke(main, ["judge", *words])


def verdict(*words: str) -> dict[str, Any]:
    result = judge(*words, "--json")
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(result.output)
    return told


def test_the_verdict_as_json(shoot: Shoot) -> None:
    told = verdict(shoot(), "--demand", "5", "--players", "blue,yellow")
    assert (told["outcome"], told["reason"], told["tumult"]) == ("confirmed", None, True)
    assert told["rules"] == ["3.3"]
    assert told["players"] == ["blue", "yellow"]
    assert told["counts"] == {
        zone: {label: labels.count(label) for label in sorted(set(labels))}
        for zone, labels in TILES.items()
    }
    bread, marble, tools = told["commodities"]
    # 2 of 5 remain; yellow has 1 + 2 + 3, keeps the smallest.
    assert bread == {
        "commodity": "bread",
        "remaining": 2,
        "demand": 5,
        "tumult": True,
        "greed": {"blue": 2, "yellow": 6},
        "greediest": "yellow",
        "punishment": {
            "player": "yellow",
            "supporters": 3,
            "kept": ["bread-1"],
            "returned": ["bread-2", "bread-3"],
        },
        "rule": "3.3",
    }
    # 4 of 5 remain; both have 2, the king is the greediest, and keeps the only tile.
    assert marble["remaining"] == 4
    assert marble["greed"] == {"blue": 2, "yellow": 2}
    assert marble["greediest"] == "blue"
    assert marble["punishment"]["kept"] == ["marble-2"]
    assert marble["punishment"]["returned"] == []
    # 7 of 5 remain.
    assert (tools["remaining"], tools["tumult"], tools["punishment"]) == (7, False, None)
    assert told["supporters_lost"] == {"blue": 3, "yellow": 3}
    assert len(told["reading"]["readings"]) == 15


def test_mercy_lowers_the_greed(shoot: Shoot) -> None:
    told = verdict(shoot(), "--demand", "5", "--players", "blue,yellow", "--mercy", "blue")
    assert told["commodities"][1]["greed"] == {"blue": 1, "yellow": 2}
    assert told["commodities"][1]["greediest"] == "yellow"
    assert told["supporters_lost"] == {"blue": 0, "yellow": 6}


def test_the_verdict_in_words_has_no_numbers_that_players_need_not_know(shoot: Shoot) -> None:
    result = judge(shoot(), "--demand", "5", "--players", "blue,yellow")
    assert result.exit_code == 0
    first, bread, marble, tools = result.output.splitlines()
    assert first == "CONFIRMED: Tumult over bread and marble! (rules 3.3)"
    assert "Yellow is the greediest with 6" in bread
    assert "Blue is the greediest with 2, being of higher rank" in marble
    assert "no tumult" in tools
    assert "%" not in result.output


def test_a_tile_face_down_is_inconclusive_and_shown(shoot: Shoot, tmp_path: Path) -> None:
    out = tmp_path / "evidence.png"
    image = shoot(face_down=1)
    told = verdict(image, "--demand", "3", "--players", "blue,yellow", "--draw", str(out))
    assert (told["outcome"], told["reason"]) == ("inconclusive", "tile-face-down")
    assert told["commodities"] == []
    assert told["tumult"] is None
    (tile,) = told["tiles"]
    assert (tile["facing"], tile["label"], tile["zone"]) == ("down", None, "centre")
    assert load_image(out).shape == load_image(image).shape
    words = judge(image, "--demand", "3", "--players", "blue,yellow").output
    assert words.startswith("INCONCLUSIVE: One tile lies face down.")
    assert "centre" in words


def test_missing_tiles_are_counted(shoot: Shoot) -> None:
    told = verdict(shoot(missing=2), "--demand", "3", "--players", "blue,yellow")
    assert (told["outcome"], told["reason"]) == ("inconclusive", "tiles-missing")
    assert told["sentence"].startswith("2 tiles are missing")


def test_a_table_that_is_not_found(shoot: Shoot) -> None:
    image = shoot("two-markers.png", markers=2)
    result = judge(image, "--demand", "3", "--players", "blue,yellow", "--json")
    assert result.exit_code == 1
    told = json.loads(result.output)
    assert (told["outcome"], told["reason"]) == ("inconclusive", "plane-not-found")
    assert told["error"]
    assert told["remedy"]


def position(**changes: Any) -> State:
    edition = kit_edition()
    state = start(edition, ["yellow", "blue"], [2, 1], [(1, 0), (2, 0)])
    seats = [dataclasses.replace(seat, **changes.pop(seat.colour, {})) for seat in state.seats]
    supply = edition.supporters - sum(seat.supporters for seat in seats)
    return dataclasses.replace(state, **{"seats": tuple(seats), "supply": supply, **changes})


def test_a_state_gives_ranks_supporters_mercy_and_demand(shoot: Shoot, tmp_path: Path) -> None:
    state = position(demand=5, yellow={"supporters": 2, "mercy": True})
    file = tmp_path / "position.txt"
    file.write_text(format_state(state) + "\n", encoding="utf-8")
    told = verdict(shoot(), "--state", str(file))
    assert (told["demand"], told["players"]) == (5, ["blue", "yellow"])
    assert told["commodities"][0]["greed"] == {"blue": 2, "yellow": 5}
    # Two supporters are all that yellow has.
    assert told["supporters_lost"] == {"blue": 3, "yellow": 2}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--players", "blue,yellow"], "--demand"),
        (["--demand", "3"], "--players"),
        (["--demand", "3", "--players", "blue"], "names too few players"),
        (["--demand", "3", "--players", "blue,green"], "'green' is no player"),
        (["--demand", "3", "--players", "blue,blue"], "twice"),
        (["--demand", "3", "--players", "blue,grey", "--mercy", "yellow"], "does not play"),
        (["--demand", "3", "--players", "blue,grey", "--mercy", "grey,blue"], "Not everybody"),
        (["--demand", "1", "--players", "blue,grey"], "The spinner bears 2, 3, 4, 5, but no 1."),
        (["--demand", "6", "--players", "blue,grey"], "The spinner bears 2, 3, 4, 5, but no 6."),
    ],
)
def test_what_is_missing_is_said_in_one_sentence(words: list[str], said: str) -> None:
    result = judge("table.png", *words)
    assert result.exit_code == 2
    assert said in result.output


def test_states_that_do_not_fit(tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    result = judge("table.png", "--demand", "3", "--state", str(file))
    assert "can't be read" in result.output
    file.write_text("nonsense", encoding="utf-8")
    result = judge("table.png", "--demand", "3", "--state", str(file))
    assert "is no position" in result.output
    file.write_text(format_state(position()), encoding="utf-8")
    assert "before the spin" in judge("table.png", "--state", str(file)).output
    both = judge("table.png", "--state", str(file), "--players", "yellow,blue", "--demand", "3")
    assert "--players says yellow, blue, but the state says blue, yellow" in both.output


@pytest.mark.parametrize(
    ("state", "words", "said"),
    [
        (position(demand=4), ["--demand", "3"], "--demand says 3, but the state says 4"),
        (position(demand=9), [], "but no 9"),
        (position(demand=3, seats=position().seats[:1]), [], "the colours of 2 to 4 players"),
        (position(demand=3, yellow={"rank": 1}), [], "can't be judged: ranks"),
        (position(demand=3, supply=0), [], "can't be judged: supporters"),
        (position(demand=3, phase=Phase.BUILD), [], "after the tumults"),
        (position(demand=3, phase=Phase.MERCY), [], "after the tumults"),
    ],
)
def test_a_state_that_no_verdict_can_rest_on(
    state: State, words: list[str], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "position.txt"
    file.write_text(format_state(state), encoding="utf-8")
    result = judge("table.png", "--state", str(file), *words)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


def test_no_file() -> None:
    result = judge("nowhere.png", "--demand", "3", "--players", "blue,yellow")
    assert result.exit_code == 1
    assert result.output.startswith("There is no file nowhere.png.")
