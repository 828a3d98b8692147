"""What is told of what is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import referee.mqtt
from referee.mqtt.states import OUTCOMES, states
from tests.referee.mqtt.documents import NO_MATCH, PLAYING


def test_without_a_match_little_is_known() -> None:
    told = states(NO_MATCH, "en")
    assert told == {
        "match": "OFF",
        "phase": "No match",
        "turn": "None",
        "round": "None",
        "timer_end": "None",
        "verdict": "none",
        "verdict/details": '{"headline": "", "remedy": "", "rules": [], "sentences": []}',
        "review": "OFF",
        "trouble": "OFF",
        "trouble/details": '{"troubles": []}',
    }


def test_a_match_is_told() -> None:
    told = states(PLAYING, "de")
    assert {key: told[key] for key in ("match", "phase", "turn", "round", "verdict")} == {
        "match": "ON",
        "phase": "Tumulte",
        "turn": "Red, Blue",
        "round": "2",
        "verdict": "confirmed",
    }
    assert told["timer_end"] == "2026-05-01T18:30:00+00:00"
    assert json.loads(told["verdict/details"])["headline"] == "spin 2"


def test_an_open_question_goes_before_the_last_move() -> None:
    asked: dict[str, Any] = {
        "outcome": "out-of-sync",
        "headline": "It differs.",
        "remedy": "Decide.",
        "missing": [],
        "findings": [{"illegal": True, "rule": "2", "text": "Too many.", "seats": []}],
        "rules": ["2"],
    }
    told = states({**PLAYING, "verdict": asked, "review": True}, "en")
    assert (told["verdict"], told["review"]) == ("out-of-sync", "ON")
    assert json.loads(told["verdict/details"]) == {
        "headline": "It differs.",
        "sentences": ["Too many."],
        "remedy": "Decide.",
        "rules": ["2"],
    }


def test_only_outcomes_that_were_announced_are_told() -> None:
    for kind in ("begin", "back", "set", "ruled"):
        told = states({**PLAYING, "last": {"kind": kind, "headline": "x"}}, "en")
        assert told["verdict"] in OUTCOMES


def test_the_end_and_what_does_not_work() -> None:
    over = {**PLAYING, "over": True, "troubles": [{"part": "camera", "text": "It is dark."}]}
    del over["step"]
    told = states(over, "en")
    assert (told["match"], told["phase"], told["turn"]) == ("OFF", "Finished", "None")
    assert told["trouble"] == "ON"
    assert json.loads(told["trouble/details"]) == {"troubles": ["It is dark."]}


def test_what_lies_on_the_table_is_not_told() -> None:
    assert "label" not in str(states(PLAYING, "en"))


def test_every_topic_is_documented() -> None:
    text = (Path(referee.mqtt.__file__).parent / "README.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `([\w/]+)` \|", text, re.MULTILINE))
    assert documented == {"availability", *states(NO_MATCH, "en")}
