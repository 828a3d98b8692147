"""What the judge's page asks of the server: the record in words, the diagnostics, the position."""

from __future__ import annotations

import logging
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from referee.box.box import Box
from referee.games.tumult_royale import Phase
from referee.journal import Cause, Event
from referee.journal.telling import _WORDS
from referee.match.commands import Command, Do
from referee.match.lineage import Origins, lineage, origins_after
from referee.web.app import create_app
from referee.web.judging.audit import GROUPS, Audit
from referee.web.judging.diagnostics import Diagnostics
from referee.web.judging.position import checked
from referee.web.pin import Pin
from referee.web.screens import Screens
from referee.web.sessions import Sessions
from referee.web.site import Site
from tests.referee.games.tumult_royale.tables import position
from tests.referee.match.judge import the_game
from tests.referee.observations import doubtful, sure
from tests.referee.web.client import Client
from tests.referee.web.conftest import PIN
from tests.referee.web.judged import Home, judged, opened
from tests.referee.web.stage import Stage
from vision.camera import Held

CENTRE = [*sure("centre", "a", 2), *sure("centre", "b", 2), *sure("centre", "c")]
TABLE = [*CENTRE, *sure("castle", "c")]


@pytest.fixture
def judge(stage: Stage, pin: Pin) -> Client:
    """Somebody who gave the PIN."""
    client = Client(create_app(judged(stage, Sessions(pin))))
    client.log_in(PIN)
    return client


def audit(judge: Client, query: str = "", language: str = "en") -> dict[str, Any]:
    answer = judge.get(f"/api/judge/audit?lang={language}&{query}")
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert isinstance(told, dict)
    return told


def words(page: dict[str, Any]) -> list[str]:
    return [row["words"] for row in page["rows"]]


# The record.


def test_every_event_is_told_with_its_cause_newest_first(stage: Stage, judge: Client) -> None:
    stage.say(Do.ENTER, "spin 2 -", reason="seen")
    stage.say(Do.NOTE, "the lamp was moved")
    page = audit(judge)
    assert words(page) == [
        "note: the lamp was moved",
        "spin 2 [ruled by a person] (why: seen)",
        "the match begins",
    ]
    assert [(row["cause"], row["who"], row["ruled"]) for row in page["rows"]] == [
        ("person", "Ann", True)
    ] * 3
    assert [row["seq"] for row in page["rows"]] == [3, 2, 1]
    assert page["rows"][1]["rules"] == ["1"]
    assert all(abs(row["at"] - time.time()) < 60 for row in page["rows"])
    newest = list(stage.journal.events(2))[-1]
    assert page["head"] == {"seq": 3, "hash": newest.hash}
    assert (page["total"], page["next"], page["trouble"]) == (3, None, "")


def test_thousands_of_events_come_in_pages(stage: Stage, judge: Client) -> None:
    for number in range(120):
        stage.say(Do.NOTE, f"note {number}")
    first = audit(judge, "count=50")
    assert [row["seq"] for row in first["rows"]] == list(range(121, 71, -1))
    assert first["next"] == 72
    # What happens meanwhile does not shift what comes next.
    stage.say(Do.NOTE, "meanwhile")
    second = audit(judge, f"count=50&before={first['next']}")
    assert [row["seq"] for row in second["rows"]] == list(range(71, 21, -1))
    last = audit(judge, f"count=50&before={second['next']}")
    assert [row["seq"] for row in last["rows"]] == list(range(21, 0, -1))
    assert last["next"] is None


def test_events_are_found_by_kind_word_name_and_number(stage: Stage, judge: Client) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    stage.say(Do.START)
    stage.say(Do.NOTE, "Blue was late")
    assert words(audit(judge, "group=moves")) == ["spin 2 [ruled by a person]", "the match begins"]
    assert [row["kind"] for row in audit(judge, "group=box")["rows"]] == ["glass", "glass"]
    assert [row["kind"] for row in audit(judge, "group=rulings&group=moves")["rows"]] == [
        "note", "move", "begin",
    ]  # fmt: skip
    assert words(audit(judge, "text=blue%20WAS")) == ["note: Blue was late"]
    assert len(audit(judge, "text=ann")["rows"]) == 4
    assert audit(judge, "text=nobody")["rows"] == []
    assert judge.get("/api/judge/audit?group=weather").status_code == 422
    assert judge.get("/api/judge/audit?count=100000").status_code == 422


def test_what_was_taken_back_is_marked_and_what_took_it_back_is_not(
    stage: Stage, judge: Client
) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    stage.say(Do.ENTER, "raid - a")
    stage.say(Do.UNDO, to=1, reason="misread")
    stage.say(Do.NOTE, "he was sure")
    stage.say(Do.ENTER, "raid - c")
    rows = audit(judge, "group=moves")["rows"]
    assert [(row["words"], row["gone"], row["back"]) for row in rows] == [
        ("raid [ruled by a person]", False, 3),
        ("taken back to state 1 (why: misread)", False, None),
        ("raid [ruled by a person]", True, None),
        ("spin 2 [ruled by a person]", False, 0),
        ("the match begins", False, None),
    ]
    assert words(audit(judge, "gone=true")) == ["raid [ruled by a person]"]
    assert "raid [ruled by a person]" in words(audit(judge, "gone=false&group=moves"))
    # Going back to before what was taken back restores it.
    stage.say(Do.UNDO, to=2, reason="it was right")
    gone = [row["gone"] for row in audit(judge, "group=moves")["rows"] if row["kind"] == "move"]
    assert gone == [True, False, False]


def test_an_event_leads_to_its_evidence(stage: Stage, judge: Client) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    stage.say(Do.START)
    stage.say(Do.STOP)
    stage.see(TABLE)
    stage.until(lambda: stage.view.state_id == 2)
    rows = audit(judge)["rows"]
    (move,) = [row for row in rows if row["kind"] == "move" and row["cause"] == "camera"]
    assert [each["words"] for each in move["evidence"]] == ["when time was up", "as it was judged"]
    for each in move["evidence"]:
        assert judge.get(f"/{each['url']}").content.startswith(b"\xff\xd8")
    assert move["ruled"] is False


def test_the_record_is_told_in_german(stage: Stage, judge: Client) -> None:
    stage.say(Do.START)
    page = audit(judge, language="de")
    assert words(page)[-1] == "Die Partie beginnt"
    assert audit(judge, "text=Partie", language="de")["rows"] != []
    assert audit(judge, "text=match", language="de")["rows"] == []


def test_a_record_that_can_not_be_read_says_so(stage: Stage) -> None:
    stage.say(Do.NOTE, "before")
    trail = Audit(stage.journal.path)
    assert trail.page()["total"] == 2
    with closing(sqlite3.connect(stage.journal.path)) as other:
        triggers = other.execute("SELECT name FROM sqlite_master WHERE type='trigger'").fetchall()
        for (name,) in triggers:
            other.execute(f"DROP TRIGGER {name}")
        other.execute("UPDATE events SET data = '{}' WHERE seq = 2")
        other.commit()
    fresh = Audit(stage.journal.path).page()
    assert "damaged" in fresh["trouble"]
    assert [row["seq"] for row in fresh["rows"]] == [1]


def test_every_kind_of_event_is_listed_with_those_like_it() -> None:
    grouped = [kind for kinds in GROUPS.values() for kind in kinds]
    assert sorted(grouped) == sorted(_WORDS)


def test_lineage_follows_undos_of_undos() -> None:
    origins: Origins = ()
    for seq, (kind, to) in enumerate(
        [("begin", 0), ("move", 0), ("move", 0), ("undo", 1), ("undo", 2), ("position", 0)]
    ):
        event = Event(kind, Cause("referee"), seq, {"to": to}, seq + 1, 0.0, "")
        origins = origins_after(origins, event)
    assert origins == (0, 1, 2, 1, 2, 5)
    assert lineage(origins) == [5, 2, 1, 0]


# The diagnostics.


@pytest.fixture
def parts(stage: Stage) -> Diagnostics:
    return Diagnostics(opened(stage), Audit(stage.journal.path))


def part(told: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return {each["part"]: each for each in told}[name]


def values(told: dict[str, Any]) -> dict[str, Any]:
    return {str(words): value for words, value in told["values"]}


def test_every_part_is_told_with_a_heartbeat_and_what_to_do(stage: Stage, judge: Client) -> None:
    stage.see([*CENTRE, doubtful("castle", "c", "b")])
    assert judge.get("/api/judge/diagnostics").status_code == 200
    stage.until(lambda: stage.shown()["current"])
    time.sleep(0.2)
    answer = judge.get("/api/judge/diagnostics").json()
    told = answer["parts"]
    assert [each["part"] for each in told] == [
        "camera", "vision", "plane", "readings", "settings", "box", "record", "evidence", "program",
        "screens",
    ]  # fmt: skip
    for each in told:
        assert each["state"] in ("good", "doubtful", "bad", "absent")
        assert each["title"]
        assert each["says"]
        assert each["remedy"] or each["state"] in ("good", "absent")
    camera, vision = part(told, "camera"), part(told, "vision")
    assert camera["state"] == vision["state"] == "good"
    assert 0 <= camera["beat_s"] < 5
    assert 0 <= vision["beat_s"] < 5
    assert values(camera)["pictures a second"] > 1
    assert values(vision)["looks a second"] > 0
    assert values(vision)["looks that failed"] == 0
    assert values(part(told, "plane"))["markers that hold it"] == 4
    readings = part(told, "readings")
    assert readings["state"] == "doubtful"
    assert values(readings)["tiles in doubt"] == 1
    assert values(readings)["least certain tile, score"] == 0.9
    assert values(part(told, "screens"))["failures"] == 0
    record = values(part(told, "record"))
    newest = list(stage.journal.events())[-1]
    assert record["events on record"] == newest.seq
    assert record["hash of the newest event"] == newest.hash


def test_diagnostics_in_german(judge: Client) -> None:
    told = judge.get("/api/judge/diagnostics?lang=de").json()["parts"]
    assert part(told, "record")["title"] == "Protokoll der Partie"
    assert "Ereignisse im Protokoll" in values(part(told, "record"))


def test_a_camera_that_has_stopped_is_told(stage: Stage) -> None:
    stage.until(lambda: stage.page.look is not None)
    match, trail = opened(stage), Audit(stage.journal.path)
    later = Diagnostics(match, trail, clock=lambda: time.monotonic() + 60)
    camera = part(later.parts(), "camera")
    assert camera["state"] == "bad"
    assert camera["says"] == "The newest picture is 60 s old."
    assert camera["beat_s"] >= 60


def test_a_record_that_can_not_be_written_is_told(stage: Stage, parts: Diagnostics) -> None:
    with closing(stage.blocked()):
        assert not stage.live.command(Command(Do.ENTER, 0, "x", "Ann", "spin 2 -")).accepted
        told = part(parts.parts(), "record")
    assert told["state"] == "bad"
    assert told["says"]


def test_settings_that_did_not_hold_are_told(stage: Stage) -> None:
    held = (Held("exposure", 100, 100, True), Held("focus", 20, None, False))
    parts = Diagnostics(opened(stage), Audit(stage.journal.path), held=lambda: held)
    told = part(parts.parts(), "settings")
    assert (told["state"], told["says"]) == ("doubtful", "Left to the camera: focus.")
    assert values(told) == {"exposure": 100, "focus": None}


def test_a_box_is_told_with_its_firmware(stage: Stage) -> None:
    box = Box("fake://")
    absent = part(Diagnostics(opened(stage), Audit(stage.journal.path)).parts(), "box")
    assert absent["state"] == "absent"
    parts = Diagnostics(opened(stage, box), Audit(stage.journal.path))
    assert part(parts.parts(), "box")["state"] == "bad"
    try:
        hello = box.connect()
        told = part(parts.parts(), "box")
        assert told["state"] in ("good", "doubtful")
        assert values(told)["firmware of the box"] == f"{hello.source_hash:08x}"
    finally:
        box.close()


def test_the_newest_lines_of_the_log_are_kept(judge: Client) -> None:
    logging.getLogger("referee.test").error("Something broke: %s", "the lamp")
    log = judge.get("/api/judge/diagnostics").json()["log"]
    (line,) = [each for each in log if each["name"] == "referee.test"][-1:]
    assert (line["level"], line["text"]) == ("error", "Something broke: the lamp")
    assert abs(line["at"] - time.time()) < 60


# The position.


def test_a_position_is_taken_apart(judge: Client) -> None:
    told = judge.get("/api/judge/position").json()
    assert (told["at"], told["text"], told["faults"]) == (0, "1 spin 0 - 0", [])
    assert [fact["key"] for fact in told["facts"]] == ["round", "phase", "most", "castle"]
    assert told["facts"][3]["zone"] == "castle"


def test_a_position_is_checked_and_nothing_is_done(stage: Stage, judge: Client) -> None:
    by_facts = judge.post("/api/judge/position", {"values": {"castle": {"a": 1}, "most": 2}})
    assert by_facts.json() == {
        "wrong": "",
        "text": "1 spin 2 a 0",
        "values": {"round": 1, "phase": "spin", "most": 2, "castle": {"a": 1}},
        "faults": [],
        "next": "Do the spin.",
    }
    by_text = judge.post("/api/judge/position", {"text": "2 pay 1 a,a,a,a,a,a,a 0"}).json()
    assert by_text["faults"] == ["There are too many tiles."]
    assert by_text["next"] is None
    assert judge.post("/api/judge/position", {"text": "nonsense"}).json() == {
        "wrong": "'nonsense' is no position"
    }
    assert judge.post("/api/judge/position", {"values": {"most": 99}}).json()["wrong"]
    assert stage.view.state_id == 0
    for body in ({}, {"text": "x", "values": {}}, {"values": {"most": True}}, {"more": 1}):
        assert judge.post("/api/judge/position", body).status_code == 422


def test_a_position_from_which_no_match_goes_on_is_none() -> None:
    game, state = the_game(), position(Phase.TUMULTS, castles=("b1", "t2"))
    told = checked(game, state, values={"yellow.rank": "2"})
    assert "different ranks" in told["wrong"]
    told = checked(game, state, values={"blue.supporters": 1})
    assert (told["wrong"], told["faults"]) == ("", [])


def test_without_a_match_it_says_so(pin: Pin, tmp_path: Path) -> None:
    site = Site(Screens(lambda: None), Home(tmp_path), sessions=Sessions(pin))
    client = Client(create_app(site))
    client.log_in(PIN)
    for path in ("audit", "diagnostics", "position"):
        answer = client.get(f"/api/judge/{path}?lang=de")
        assert answer.status_code == 404
        assert answer.json() == {"text": "Es läuft keine Partie."}
    assert client.post("/api/judge/position", {"text": "x"}).status_code == 404
