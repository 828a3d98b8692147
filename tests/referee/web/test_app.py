"""What the match's page is served, to whom, and who may decide."""

from __future__ import annotations

import json
import threading
import time
from contextlib import closing
from dataclasses import fields
from typing import Any

import cv2
import numpy as np
import pytest

from referee.match.commands import Command, Do
from referee.web.app import create_app
from referee.web.assets import MEDIA_TYPES, Assets
from referee.web.commands import CommandBody
from referee.web.guard import MOST_BYTES
from referee.web.site import Site
from tests.referee.observations import down, sure
from tests.referee.web.client import Client
from tests.referee.web.conftest import PIN
from tests.referee.web.stage import PICTURE, Stage

ALL_BUT_ONE_DOWN = [
    *sure("centre", "a"),
    *sure("centre", "b", 2),
    *sure("centre", "c", 2),
    down("castle"),
]


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
        assert client.ask(method, "/api/state").status_code == 403


def test_a_long_body_is_not_read(stage: Stage, client: Client) -> None:
    answer = client.send(command("note", 0, text="x" * MOST_BYTES))
    assert answer.status_code == 413


def test_only_who_judges_sends_pictures(client: Client) -> None:
    picture = {"content": b"x" * MOST_BYTES * 2, "headers": {**client.ours()}}
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
    assert answer.status_code == 409
    assert answer.json()["state"] == 1
    assert "gone on" in answer.json()["text"]


def test_a_double_click_is_done_once(stage: Stage, client: Client) -> None:
    body = command("enter", 0, text="spin 2 -")
    assert client.send(body).status_code == 200
    assert client.send(body).status_code == 200
    assert stage.view.state_id == 1


def test_what_the_rules_forbid_needs_a_reason(stage: Stage, client: Client) -> None:
    stage.say(Do.ENTER, "spin 1 -")
    body = command("enter", 1, text="raid - a,b")
    refused = client.send(body)
    assert refused.status_code == 409
    assert "More than 1" in refused.json()["text"]
    assert client.send({**body, "overrule": True, "reason": "agreed"}).status_code == 200


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
        text = part.text.replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text
        assert "https://" not in text
    assert client.get("/static/demo.html").status_code == 404
    assert client.get("/static/..%2fapp.py").status_code == 404


def test_the_state_is_told_as_soon_as_there_is_an_event(stage: Stage, client: Client) -> None:
    timer = threading.Timer(0.2, lambda: stage.say(Do.ENTER, "spin 2 -"))
    timer.start()
    state = client.get("/api/state?after=1").json()
    timer.join()
    assert (state["state"], state["seq"]) == (1, 2)


def test_without_an_event_the_state_comes_all_the_same(client: Client) -> None:
    assert client.get("/api/state?after=1").json()["seq"] == 1


def test_the_picture_is_a_jpeg_with_its_number(stage: Stage, client: Client) -> None:
    stage.see(ALL_BUT_ONE_DOWN)
    stage.until(lambda: stage.page.frame_id >= 0)
    answer = client.get("/frame.jpg")
    assert answer.headers["content-type"] == "image/jpeg"
    image = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == PICTURE.shape
    number = int(answer.headers["x-frame"])
    assert int(client.get(f"/frame.jpg?after={number}").headers["x-frame"]) > number


def test_nothing_outside_the_table_is_shown(stage: Stage, client: Client) -> None:
    stage.see([])
    stage.until(lambda: stage.page.frame_id >= 0)
    picture = client.get("/frame.jpg").content
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    # The table ends at 118 x 62 pixels; the rest of the room is as grey as the table.
    assert int(image[40, 60].min()) > 60
    assert int(image[200:, 300:].max()) < 10


def test_without_a_camera_there_is_no_picture(tmp_path: Any) -> None:
    stage = Stage(tmp_path / "other", camera=False)
    stage.start()
    try:
        client = Client(create_app(Site(stage.page)))
        assert client.get("/frame.jpg").status_code == 204
        assert client.get("/healthz").json()["camera"] is None
        assert client.get("/healthz").status_code == 200
        assert client.state()["camera"] is False
    finally:
        stage.stop()


def test_evidence_is_served_by_name_and_nothing_else(stage: Stage, client: Client) -> None:
    stage.evidence.keep("verdict-7", cv2.imencode(".jpg", PICTURE)[1].tobytes(), time.time())
    stage.evidence.keep("teach-7", b"\x89PNG", time.time())
    assert client.get("/evidence/verdict-7.jpg").headers["content-type"] == "image/jpeg"
    for name in ("verdict-8", "teach-7", "verdict-", "..%2ftoy", "verdict-7%00"):
        assert client.get(f"/evidence/{name}.jpg").status_code == 404


def test_drawings(client: Client) -> None:
    assert client.get("/art/drawing-a.png").content.startswith(b"\x89PNG")
    assert client.get("/art/cake.png").status_code == 404


def test_the_position_can_be_copied_to_be_put_right(stage: Stage, client: Client) -> None:
    assert client.get("/api/position").status_code == 401
    client.log_in(PIN)
    told = client.get("/api/position").json()
    assert told == {"at": 0, "text": "1 spin 0 - 0"}
    body = command("position", 0, text="2 pay 1 a 0", reason="as photographed")
    assert client.send(body).status_code == 200
    assert client.get("/api/position").json() == {"at": 1, "text": "2 pay 1 a 0"}


# Health.


def test_health_is_the_age_of_the_picture(stage: Stage, client: Client) -> None:
    stage.until(lambda: stage.page.frame_id >= 0)
    healthy = client.get("/healthz")
    assert healthy.status_code == 200
    assert healthy.json()["camera"]["vision_failures"] == 0
    stage.clock_ahead = 60.0
    stale = client.get("/healthz")
    assert stale.status_code == 503
    assert stale.json()["camera"]["frame_age_s"] >= 60
    assert "old" in client.state()["troubles"][0]["text"]


def test_a_record_that_can_not_be_written_is_told(stage: Stage, client: Client) -> None:
    stage.until(lambda: stage.page.frame_id >= 0)
    with closing(stage.blocked()):
        answer = client.send(command("enter", 0, text="spin 2 -"))
        assert answer.status_code == 409
        assert answer.json()["text"]
        assert stage.view.state_id == 0
        told = client.get("/healthz")
        assert told.status_code == 503
        assert told.json()["journal"]
        assert client.state()["troubles"][0]["part"] == "record"
    assert client.send(command("enter", 0, text="spin 2 -")).status_code == 200
    assert client.get("/healthz").json()["journal"] == ""
