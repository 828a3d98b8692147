"""Health, figures, the description of the routes, and what is logged."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families

from referee.match.commands import Do
from referee.web.app import create_app
from referee.web.attempts import FREE
from referee.web.logs import HIDDEN, logger, written
from referee.web.metrics import Metrics
from referee.web.reach import Reach
from referee.web.site import Site
from tests.referee.web.client import Client
from tests.referee.web.conftest import PIN
from tests.referee.web.home import at_home
from tests.referee.web.stage import Stage

REACH = Reach(8000, lan=True, addresses=("192.168.1.5",))


@pytest.fixture
def home(site: Site, stage: Stage) -> Site:
    return replace(at_home(site, stage), reach=REACH)


@pytest.fixture
def judge(home: Site) -> Client:
    client = Client(create_app(home))
    client.log_in(PIN)
    return client


def figures(client: Client) -> dict[str, float]:
    """Every figure by its name and labels."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


# Health.


def test_health_names_every_part_with_its_heartbeat(judge: Client, stage: Stage) -> None:
    stage.until(lambda: judge.get("/healthz").json()["ok"])
    told = judge.get("/healthz").json()
    assert told["match"]
    assert told["publishing"]
    parts = {part["part"]: part for part in told["parts"]}
    assert {"camera", "vision", "box", "record", "evidence"} <= parts.keys()
    assert 0 <= parts["camera"]["beat_s"] < 5
    assert parts["box"]["state"] == "absent"
    assert set(parts["camera"]) == {"part", "state", "beat_s"}


def test_without_a_house_no_parts_are_told(site: Site, stage: Stage) -> None:
    client = Client(create_app(site))
    stage.until(lambda: client.get("/healthz").status_code == 200)
    assert client.get("/healthz").json()["parts"] == []


# Figures.


def test_figures_follow_the_match(judge: Client, stage: Stage) -> None:
    stage.until(lambda: stage.watch is not None and stage.watch.looks > 0)
    before = figures(judge)
    assert before["referee_match_open"] == 1
    assert before["referee_journal_seq"] == 1
    assert before["referee_journal_writable"] == 1
    assert before["referee_camera_there"] == 1
    assert before["referee_box_there"] == 0
    assert 0 <= before["referee_frame_age_seconds"] < 5
    assert before["referee_looks_failed_total"] == 0
    assert before["referee_looks_total"] > 0
    assert before["referee_look_seconds_total"] >= 0
    assert before["referee_viewers table"] == 0
    command = {"do": "enter", "at": 0, "id": "1", "by": "Ann", "text": "spin 2 -"}
    assert judge.send(command).json()["accepted"]
    assert not judge.send({**command, "id": "2"}).json()["accepted"]
    after = figures(judge)
    assert after["referee_journal_seq"] == 2
    assert after["referee_commands_total accepted"] == 1
    assert after["referee_commands_total refused"] == 1
    stage.until(lambda: figures(judge).get("referee_verdicts_total ruled") == 1)


def test_figures_tell_of_who_is_there(home: Site) -> None:
    client = Client(create_app(home))
    client.post("/api/login", {"pin": "314159"})
    client.log_in(PIN)
    told = figures(client)
    assert told["referee_logins_total refused pin"] == 1
    assert told["referee_logins_total accepted pin"] == 1
    assert told["referee_sessions"] == 1


def test_figures_are_for_this_computer_and_for_who_judges(home: Site) -> None:
    app = create_app(home)
    tablet = Client(app, peer="192.168.1.9", base="http://192.168.1.5:8000")
    tablet.get(f"/join?code={home.sessions.code}")
    assert tablet.get("/api/session").json()["access"] == "play"
    assert tablet.get("/metrics").status_code == 401
    assert Client(app).get("/metrics").status_code == 200
    tablet.log_in(PIN)
    assert tablet.get("/metrics").status_code == 200


def test_two_servers_count_apart(home: Site, site: Site) -> None:
    one, other = Client(create_app(home)), Client(create_app(replace(site, metrics=Metrics())))
    one.post("/api/login", {"pin": "314159"})
    assert "referee_logins_total refused pin" in figures(one)
    assert "referee_logins_total refused pin" not in figures(other)


# Faults of ours.


def test_an_unexpected_error_is_a_sentence_and_a_line_in_the_log(
    judge: Client, home: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("referee.web.routes.operations.exposed", fails)
    answer = judge.get("/metrics")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "noted in the log" in answer.json()["text"]
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert "GET '/metrics' failed." in caplog.messages
    assert judge.get("/metrics", **{"Accept-Language": "de"}).json()["text"].startswith("Das ist")


# The description.


def operations(app: FastAPI, client: Client) -> Iterator[tuple[str, dict[str, Any]]]:
    schema = client.get("/openapi.json").json()
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def test_every_route_is_described(judge: Client, home: Site) -> None:
    app = create_app(home)
    told = dict(operations(app, judge))
    assert told.keys() == {
        name.replace(":path}", "}") for name in app.state.access if not name.startswith("WS ")
    }
    for name, operation in told.items():
        for part in ("summary", "description", "tags", "x-access"):
            assert operation.get(part), f"{name} says nothing of {part}"
        for status, response in operation["responses"].items():
            assert response["description"], f"{name} says nothing of {status}"
        for parameter in operation.get("parameters", ()):
            assert "schema" in parameter, name


def test_what_is_json_has_a_model(judge: Client, home: Site) -> None:
    for name, operation in operations(create_app(home), judge):
        for status, response in operation["responses"].items():
            content = response.get("content", {}).get("application/json")
            if content is not None:
                assert content["schema"], f"{name} does not say what {status} is"


def test_the_description_is_for_who_judges(home: Site) -> None:
    assert Client(create_app(home)).get("/openapi.json").status_code == 401


# Logs.


def test_a_line_is_json_if_wanted() -> None:
    to = io.StringIO()
    with written(as_json=True, to=to):
        logger("referee.x").info("It went well.", address="192.168.1.9", n=2)
        logging.getLogger("referee.y").warning("%s is %d", "This", 3)
        logging.getLogger("referee.y").debug("Nobody reads this.")
    one, other = (json.loads(line) for line in to.getvalue().splitlines())
    assert one.pop("timestamp").endswith("Z")
    assert one == {
        "event": "It went well.",
        "level": "info",
        "logger": "referee.x",
        "address": "192.168.1.9",
        "n": 2,
    }
    assert (other["event"], other["level"]) == ("This is 3", "warning")


def test_a_line_is_readable_else() -> None:
    to = io.StringIO()
    with written(to=to):
        logger("referee.x").info("It went well.", address="192.168.1.9")
        try:
            raise RuntimeError("why")
        except RuntimeError:
            logging.getLogger("referee.y").exception("It failed.")
    text = to.getvalue()
    assert "It went well." in text
    assert "address=192.168.1.9" in text
    assert "RuntimeError: why" in text
    assert "\x1b[" not in text


def test_what_is_secret_is_taken_out_whoever_logs_it() -> None:
    to = io.StringIO()
    secrets = ("271828", "J39GE43V", "kE-y_1")
    with written(as_json=True, to=to):
        log = logger("referee.x")
        log.info("named", pin="271828", code="J39GE43V", headers={"Cookie": "referee=kE-y_1"})
        log.info('{"pin": "271828"} /join?code=J39GE43V&x=1 Cookie: referee-8000=kE-y_1; a=b')
        log.info("rtsp://guest:kE-y_1@192.168.1.7:554/live and mqtt://:271828@broker")
        log.info("x-referee: kE-y_1 and {'x-referee': 'kE-y_1'} (b'x-referee', b'kE-y_1')")
        try:
            raise ValueError("GET /join?code=J39GE43V")
        except ValueError:
            logging.getLogger("uvicorn.error").exception("failed: %s", "/join?code=J39GE43V")
    text = to.getvalue()
    assert HIDDEN in text
    assert [secret for secret in secrets if secret in text] == []
    assert "x=1" in text
    assert "192.168.1.7:554/live" in text


def test_nothing_that_is_done_tells_a_secret(
    home: Site, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    to, code, app = io.StringIO(), home.sessions.code, create_app(home)
    with written(as_json=True, to=to):
        monkeypatch.setattr(logging.getLogger(), "level", logging.DEBUG)
        tablet = Client(app, peer="192.168.1.9", base="http://192.168.1.5:8000")
        tablet.get(f"/join?code={code}")
        secrets = {PIN, code, tablet.cookies["referee-8000"], tablet.ours()["X-Referee"]}
        tablet.log_in(PIN)
        secrets |= {tablet.cookies["referee-8000"], tablet.ours()["X-Referee"]}
        for body in ({"pin": [PIN]}, {"pin": PIN, "x": 1}, PIN):
            assert tablet.post("/api/login", body).status_code == 422
        for _ in range(FREE + 1):
            tablet.post("/api/login", {"pin": PIN[::-1]})
        tablet.post("/api/join-code", {})
        tablet.post("/api/logout-all", {})
        stage.say(Do.NOTE, "tea")
    text = to.getvalue()
    assert "Somebody logged in or joined." in text
    assert "Somebody was not let in." in text
    assert [secret for secret in (*secrets, PIN[::-1]) if secret in text] == []
