"""What the match's page is served, to whom, and who may decide."""

from __future__ import annotations

import json
import time
from contextlib import closing
from dataclasses import fields
from typing import Any

import cv2
import pytest

from referee.match.commands import Command, Do
from referee.web.app import create_app
from referee.web.assets import MEDIA_TYPES, Assets
from referee.web.commands import CommandBody
from referee.web.guard import MOST_BYTES
from referee.web.screens import Screens
from referee.web.site import Site
from tests.referee.web.client import Client
from tests.referee.web.conftest import PIN
from tests.referee.web.stage import PICTURE, Stage


def command(do: str, at: int, number: str = "1", **more: Any) -> dict[str, Any]:
    return {"do": do, "at": at, "id": number, "by": "Ann", **more}


# Who may do what.


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"X-Referee": ""}, 403),
        ({"X-Referee": "other"}, 403),
        ({"X-Referee": "\u00e4"}, 403),
        ({"Content-Type": ""}, 415),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:9000"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example"}, 400),
        ({"Host": "["}, 400),
        ({"Host": ""}, 400),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 400),
    ],
)
def test_other_pages_decide_nothing(
    stage: Stage, client: Client, headers: dict[str, str], status: int
) -> None:
    body = b'{"do": "enter", "at": 0, "id": "1", "by": "Ann", "text": "spin 2 -"}'
    sent = {name: value.encode() for name, value in {**client.ours(), **headers}.items()}
    answer = client.ask("POST", "/api/command", content=body, headers=sent)
    assert answer.status_code == status
    assert answer.json()["text"]
    assert stage.view.state_id == 0


def test_whatever_is_no_reading_is_denied_by_default(client: Client) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        assert client.ask(method, "/healthz").status_code == 403


def test_a_long_body_is_not_read(stage: Stage, client: Client) -> None:
    answer = client.send(command("note", 0, text="x" * MOST_BYTES))
    assert answer.status_code == 413


def test_only_who_judges_sends_pictures(client: Client) -> None:
    picture: dict[str, Any] = {"content": b"x" * MOST_BYTES * 2, "headers": {**client.ours()}}
    picture["headers"]["Content-Type"] = "image/jpeg"
    assert client.ask("POST", "/api/command", **picture).status_code == 415
    client.log_in(PIN)
    picture["headers"] |= {"X-Referee": client.ours()["X-Referee"]}
    assert client.ask("POST", "/api/command", **picture).status_code == 422


def test_the_page_itself_may_decide(stage: Stage, client: Client) -> None:
    body = command("enter", 0, text="spin 2 -")
    answer = client.send(body, Origin="http://127.0.0.1:8000")
    assert answer.status_code == 200
    assert answer.json() == {"accepted": True, "state": 1, "text": ""}
    assert stage.view.moves[-1] == "spin 2 -"


def test_only_this_machine_is_answered(client: Client) -> None:
    assert client.get("/", Host="evil.example").status_code == 400
    assert client.get("/", Host="localhost:8000").status_code == 200


def test_no_other_page_may_show_this_one_or_its_pictures(client: Client) -> None:
    for path in ("/", "/healthz", "/no-such-page"):
        headers = client.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["cross-origin-resource-policy"] == "same-origin"


# Commands.


def test_a_command_has_exactly_the_fields_of_the_match() -> None:
    assert set(CommandBody.model_fields) == {field.name for field in fields(Command)}


def test_a_stale_command_is_refused_in_a_sentence(stage: Stage, client: Client) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    answer = client.send(command("enter", 0, text="spin 1 -"))
    # To refuse is no fault: a browser must not note it as one.
    assert answer.status_code == 200
    assert (answer.json()["accepted"], answer.json()["state"]) == (False, 1)
    assert "gone on" in answer.json()["text"]


def test_a_double_click_is_done_once(stage: Stage, client: Client) -> None:
    body = command("enter", 0, text="spin 2 -")
    assert client.send(body).json()["accepted"]
    assert client.send(body).json()["accepted"]
    assert stage.view.state_id == 1


def test_what_the_rules_forbid_needs_a_reason(stage: Stage, client: Client) -> None:
    stage.say(Do.ENTER, "spin 1 -")
    body = command("enter", 1, text="raid - a,b")
    refused = client.send(body).json()
    assert not refused["accepted"]
    assert "More than 1" in refused["text"]
    overruled = {**body, "overrule": True, "reason": "agreed"}
    assert client.send(overruled).status_code == 401
    client.log_in(PIN)
    assert client.send(overruled).json()["accepted"]


@pytest.mark.parametrize("do", ["position", "table-right", "review", "resume"])
def test_what_is_the_judges_needs_the_pin(client: Client, do: str) -> None:
    assert client.send(command(do, 0, reason="so")).status_code == 401
    client.log_in(PIN)
    assert client.send(command(do, 0, reason="so")).status_code == 200


def test_players_take_back_the_last_move_and_the_judge_any(stage: Stage, client: Client) -> None:
    for text in ("spin 2 -", "raid - a", "pay a -"):
        stage.say(Do.ENTER, text)
    assert client.send(command("undo", 3, "1", to=1)).status_code == 401
    assert client.send(command("undo", 3, "2", to=2)).json()["accepted"]
    # The move before it is the last one now, however many states there are.
    assert client.send(command("undo", 4, "3", to=0)).status_code == 401
    assert client.send(command("undo", 4, "4", to=1)).json()["accepted"]
    client.log_in(PIN)
    assert client.send(command("undo", 5, "5", to=0)).json()["accepted"]
    assert stage.view.position == stage.view.positions[0]


def test_without_a_match_nothing_can_be_decided(client: Client, stage: Stage) -> None:
    client = Client(create_app(Site(Screens(lambda: None))))
    told = client.send(command("done", 0)).json()
    assert told == {"accepted": False, "state": -1, "text": "No match is open."}
    assert client.get("/evidence/verdict-1.jpg").status_code == 401
    assert client.get("/art/drawing-a.png").status_code == 404


@pytest.mark.parametrize(
    "wrong",
    [
        {"do": "jump"},
        {"at": "0"},
        {"at": 2.5},
        {"by": ""},
        {"by": "  "},
        {"by": "button"},
        {"id": ""},
        {"id": "button-3"},
        {"overrule": "yes"},
        {"score": 1},
        {"text": "x" * 5000},
        {"by": "\ud800"},
    ],
)
def test_what_is_malformed_is_refused(
    stage: Stage, client: Client, wrong: dict[str, object]
) -> None:
    body = json.dumps({**command("note", 0, text="tea"), **wrong}).encode()
    answer = client.ask("POST", "/api/command", content=body, headers=client.ours())
    assert answer.status_code == 422
    assert next(iter(wrong)) in answer.json()["text"]
    assert stage.view.seq == 1


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"do": "note"}'])
def test_what_is_no_command_is_refused(client: Client, body: bytes) -> None:
    assert (
        client.ask("POST", "/api/command", content=body, headers=client.ours()).status_code == 422
    )


# The page and its parts.


def test_the_page_needs_nothing_from_elsewhere(client: Client) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    for name in Assets().names:
        part = client.get(f"/static/{name}")
        assert part.status_code == 200
        assert part.headers["content-type"].startswith(MEDIA_TYPES["." + name.rpartition(".")[2]])
        text = part.text.replace("http://www.w3.org/2000/svg", "").replace("http://localhost:", "")
        assert "http://" not in text
        assert "https://" not in text
    assert client.get("/static/demo.html").status_code == 404
    assert client.get("/static/..%2fapp.py").status_code == 404


def test_evidence_is_served_by_its_sealed_name_and_nothing_else(
    stage: Stage, client: Client
) -> None:
    for name in ("verdict-7", "verdict-70"):
        stage.evidence.keep(name, cv2.imencode(".jpg", PICTURE)[1].tobytes(), time.time())
    stage.evidence.keep("teach-7", b"\x89PNG", time.time())
    sealed = stage.page.pictures.sealed("verdict-7")
    answer = client.get(f"/evidence/{sealed}.jpg")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/jpeg")
    # A seal is of one picture: with it nobody has another, and without one nobody has any.
    other = sealed.replace("verdict-7", "verdict-70")
    for name in ("verdict-7", "verdict-8", other, sealed[:-1], "teach-7", "verdict-"):
        assert client.get(f"/evidence/{name}.jpg").status_code == 401
    client.log_in(PIN)
    assert client.get("/evidence/verdict-7.jpg").status_code == 200
    for name in ("verdict-8", "teach-7", "verdict-", "..%2ftoy", "verdict-7%00"):
        assert client.get(f"/evidence/{name}.jpg").status_code == 404


def test_drawings(client: Client) -> None:
    assert client.get("/art/drawing-a.png").content.startswith(b"\x89PNG")
    assert client.get("/art/cake.png").status_code == 404


# Health.


def test_health_is_the_age_of_the_picture(stage: Stage, client: Client) -> None:
    stage.until(lambda: stage.page.look is not None)
    healthy = client.get("/healthz")
    assert healthy.status_code == 200
    assert healthy.json()["camera"]["vision_failures"] == 0
    stage.clock_ahead = 60.0
    stale = client.get("/healthz")
    assert stale.status_code == 503
    assert stale.json()["camera"]["frame_age_s"] >= 60
    assert "old" in stage.shown()["troubles"][0]["text"]


def test_a_record_that_can_not_be_written_is_told(stage: Stage, client: Client) -> None:
    stage.until(lambda: stage.page.look is not None)
    with closing(stage.blocked()):
        answer = client.send(command("enter", 0, text="spin 2 -"))
        assert not answer.json()["accepted"]
        assert answer.json()["text"]
        assert stage.view.state_id == 0
        told = client.get("/healthz")
        assert told.status_code == 503
        assert told.json()["journal"]
        assert stage.shown()["troubles"][0]["part"] == "record"
    assert client.send(command("enter", 0, text="spin 2 -")).json()["accepted"]
    assert client.get("/healthz").json()["journal"] == ""
