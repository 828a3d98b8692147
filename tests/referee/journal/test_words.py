"""Events in words, as tables, and without names."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping

import pytest

from referee.journal import Cause, Event, Json, header_of, software, told
from referee.journal.events import CauseKind
from referee.journal.export import as_csv, as_json
from referee.journal.redact import redacted, redactor, without_names
from tests.referee.journal.making import HEADER, START


def event(
    kind: str, data: Mapping[str, Json], *, who: str = "Eve", cause: CauseKind = "person"
) -> Event:
    return Event(kind, Cause(cause, who), 3, data, 7, START, "ab" * 32)


RULED: Mapping[str, Json] = {"outcome": "ruled"}
OUT: Mapping[str, Json] = {
    "outcome": "out-of-sync",
    "sentence": "The table differs from the record in one thing.",
    "findings": [{"text": "Blue took a tile after the buzzer.", "rule": "3.2"}],
    "missing": [],
}


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        ("begin", {"setup": {"players": "3"}, "position": "xyz"}, "the match begins: players 3"),
        ("begin", {"position": "xyz", "over": False}, "the match begins"),
        (
            "move",
            {"text": "b", "told": ["Blue builds on 17.", "It pays.", "It gains."], "verdict": OUT},
            "Blue builds on 17. It pays. It gains.",
        ),
        (
            "move",
            {"text": "b", "told": ["Blue builds"], "verdict": RULED, "reason": "all agree"},
            "Blue builds [ruled by a person] (why: all agree)",
        ),
        ("undo", {"to": 4, "position": "x", "reason": ""}, "taken back to state 4"),
        ("position", {"position": "x", "reason": "it fell"},
         "the position was set by hand (why: it fell)"),
        (
            "verdict",
            {"verdict": OUT, "claims": {"tiles": [1] * 99}, "evidence": ["p"]},
            "out-of-sync: The table differs from the record in one thing. "
            "Blue took a tile after the buzzer.",
        ),
        ("note", {"text": "two\nlines"}, "note: two lines"),
        ("run", {"software": {"version": "0.1.0", "models": {}}},
         "the program was started (version 0.1.0)"),
        ("correction", {"label": "bread-2", "was": None},
         "a tile that could not be read shows bread-2"),
        ("glass", {"stage": "running", "by_hand": True}, "the hourglass runs, by hand"),
        ("check", {"results": [{"step": "camera", "outcome": "failed"},
                               {"step": "box", "outcome": "passed"}], "parts": "a1" * 32},
         "checked before the match: 1 passed, 1 failed (camera); parts a1a1a1a1a1a1"),
        ("other", {"ok": True, "parts": ["buzzer", "lamp"], "n": 1, "x": None},
         "other: ok yes, parts buzzer, lamp, n 1, x -"),
        ("never heard of", {}, "never heard of"),
        ("long", {"text": "x" * 999}, f"long: text {'x' * 154}…"),
    ],
)  # fmt: skip
def test_words(kind: str, data: Mapping[str, Json], words: str) -> None:
    assert told(event(kind, data)) == words


def test_names_are_left_out_everywhere() -> None:
    header: Mapping[str, Json] = {
        "people": [["yellow", "Anna"], ["blue", "blue"], ["grey", "Jo Ann"]]
    }
    events = [
        event("note", {"text": "ANNA asked; Annabel and jo ann, too. Eve: (Anna)"}, who="Eve"),
        event("note", {"Anna": [{"by": "Eve"}, 1, None]}, who="Anna"),
        event("note", {"text": "blue is no name, Eve!"}, who="blue"),
        event("note", {"text": "camera"}, who="camera", cause="camera"),
        event("note", {}, who="judge"),
    ]
    redact = redactor(header, events)
    without = [redacted(each, redact) for each in events]
    assert without[0].data["text"] == (
        "player 1 asked; Annabel and player 3, too. judge 1: (player 1)"
    )
    assert without[1].data == {"player 1": [{"by": "judge 1"}, 1, None]}
    assert without[2].data["text"] == "blue is no name, judge 1!"
    assert [each.cause.who for each in without] == [
        "judge 1",
        "player 1",
        "blue",
        "camera",
        "judge",
    ]
    assert not any(each.hash for each in without)
    assert without_names(header, redact) == {
        "people": [["yellow", "player 1"], ["blue", "blue"], ["grey", "player 3"]]
    }


def test_a_table_for_spreadsheets() -> None:
    text = as_csv([event("note", {"text": 'Größe; "so", sagt er'}), event("=1+1", {}, who="+Eve")])
    assert text.startswith("\ufeffseq,")
    rows = list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"))))
    assert rows[0]["words"] == 'note: Größe; "so", sagt er'
    assert json.loads(rows[0]["data"]) == {"text": 'Größe; "so", sagt er'}
    assert rows[0]["time"] == "2026-11-30T19:05:00.000+00:00"
    assert (rows[1]["kind"], rows[1]["who"], rows[1]["words"]) == ("'=1+1", "'+Eve", "'=1+1")


def test_json() -> None:
    whole = json.loads(as_json(HEADER, [event("note", {"text": "é"})], damage="torn", named=True))
    assert whole["header"] == HEADER
    assert (whole["damage"], whole["named"]) == ("torn", True)
    assert whole["events"][0]["words"] == "note: é"
    assert whole["events"][0]["cause"] == {"kind": "person", "who": "Eve"}


def test_the_header_says_what_runs_here() -> None:
    header = header_of(
        game="g", edition="e-1", edition_text="all", setup={"players": "2"},
        people={"yellow": "Anna"}, calibration="c",
    )  # fmt: skip
    assert header["software"] == software()
    assert header["people"] == [["yellow", "Anna"]]
    models = software()["models"]
    assert isinstance(models, dict)
    assert all(len(str(sha256)) == 64 for sha256 in models.values())
    assert models
