"""The demo's page: what it serves of a snapshot, and to whom."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import cv2
import httpx
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.games.show import Beat, Good, Line, Show
from referee.games.step import Counts, Step, TileAsk
from referee.games.table import Placement, TablePlan
from referee.match.demo import Record, Snapshot
from referee.match.reveal import rule_on
from referee.web.demo_app import create_app
from referee.web.demo_page import DemoPage
from tests.referee.looks import look
from tests.referee.observations import down, observe, sure
from vision.observation import Observation
from vision.session import Look

LABELS = ("bread-1", "bread-2")
ZONES = ("centre", "castle")
PICTURE = np.full((72, 128, 3), 90, np.uint8)
PLAN = TablePlan((9.0, 9.0), (), (), (), (1.0, 1.0), 1.0, {"blue": (40, 90, 190)}, 0.0, 0.0)
STEP: Step[Counts] = Step(
    TileAsk(ZONES, (), 3, {"bread-1": 3, "bread-2": 3}),
    lambda counts: counts,
    ("3.3",),
    lambda ruling: ("Tumult!", "Bread is short."),
)
BEAT: Beat[Counts] = Beat(
    placement=Placement(),
    title="The reveal",
    caption="All tiles are turned.",
    rule="3.2",
    round=2,
    demand=4,
    lines=(Line("Blue", "blue", "castle", 1, (("rank", "king"),), ("mercy",)),),
    turn="Blue",
)
SHOW: Show[Counts] = Show(
    "A game",
    PLAN,
    (Good("bread", "loaf", {"bread-1": 1, "bread-2": 2}),),
    "centre",
    iter(()),  # type: ignore[arg-type]
)
OPEN = [*sure("centre", "bread-1"), *sure("centre", "bread-2"), *sure("castle", "bread-2")]


class Stage:
    """What the page is told; a test changes it."""

    def __init__(self) -> None:
        self.snapshot: Snapshot[Any] | None = None
        self.look: Look | None = None

    def see(self, observation: Observation | None, frame: int = 7, age: float = 0.0) -> None:
        observation = replace(observation, size_px=(128, 72)) if observation else None
        self.look = look(observation, number=frame, age=age, picture=PICTURE)


@pytest.fixture
def stage() -> Stage:
    return Stage()


class Client:
    """Asks the application, without a network."""

    def __init__(self, page: DemoPage) -> None:
        self._transport = httpx.ASGITransport(create_app(page))

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
        async def ask() -> httpx.Response:
            base = "http://127.0.0.1:8000"
            async with httpx.AsyncClient(transport=self._transport, base_url=base) as client:
                return await client.get(path, headers=headers)

        return asyncio.run(ask())


@pytest.fixture
def client(stage: Stage) -> Client:
    art = {"loaf": np.full((4, 4, 4), 200, np.uint8)}
    return Client(DemoPage(lambda: stage.snapshot, lambda: stage.look, art.get))


def decoded(jpeg: bytes) -> NDArray[Any]:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return image


def test_the_page_needs_nothing_from_elsewhere(client: Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "http://" not in page.text
    assert "https://" not in page.text


def test_only_this_machine_is_answered(client: Client) -> None:
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
    assert client.get("/", headers={"Host": "localhost:8000"}).status_code == 200


def test_health_is_the_age_of_the_picture(client: Client, stage: Stage) -> None:
    assert client.get("/healthz").status_code == 503
    stage.see(None)
    assert client.get("/healthz").json()["ok"] is True
    stage.see(None, age=60.0)
    stale = client.get("/healthz")
    assert stale.status_code == 503
    assert stale.json()["frame_age_s"] >= 60


def test_the_picture_is_a_jpeg_with_its_number(client: Client, stage: Stage) -> None:
    stage.see(observe(OPEN, LABELS, ZONES), frame=7)
    answer = client.get("/frame.jpg")
    assert (answer.status_code, answer.headers["x-frame"]) == (200, "7")
    assert answer.headers["content-type"] == "image/jpeg"
    assert decoded(answer.content).shape == PICTURE.shape
    assert client.get("/frame.jpg?after=6").status_code == 200
    assert client.get("/frame.jpg?after=7").status_code == 204


def test_a_picture_without_a_table_is_shown_as_it_is(client: Client, stage: Stage) -> None:
    stage.see(None)
    image = decoded(client.get("/frame.jpg").content)
    assert np.abs(image.astype(int) - PICTURE).max() <= 2


def test_before_the_first_beat(client: Client) -> None:
    assert client.get("/api/state").json() == {"ready": False}


def test_tallies_are_what_is_seen(client: Client, stage: Stage) -> None:
    stage.snapshot = Snapshot(SHOW, BEAT)
    stage.see(observe([*OPEN, down("castle")], LABELS, ZONES))
    state = client.get("/api/state").json()
    assert (state["title"], state["phase"], state["rule"]) == ("A game", "The reveal", "3.2")
    assert (state["round"], state["demand"], state["turn"]) == (2, 4, "Blue")
    assert state["goods"] == [
        {"name": "bread", "art": "art/loaf.png", "left": 3, "sentence": ""},
    ]
    (line,) = state["lines"]
    assert line["goods"] == [2]
    assert line["down"] == 1
    assert line["colour"] == "rgb(40, 90, 190)"
    assert line["badges"] == ["mercy"]
    assert state["verdict"] is None


def test_nobody_knows_what_lies_face_down(client: Client, stage: Stage) -> None:
    stage.snapshot = Snapshot(SHOW, BEAT)
    stage.see(observe([*OPEN, down("centre")], LABELS, ZONES))
    assert client.get("/api/state").json()["goods"][0]["left"] is None


def test_a_verdict_keeps_what_was_counted_then(client: Client, stage: Stage) -> None:
    verdict = rule_on(observe(OPEN, LABELS, ZONES), STEP)
    record = Record(confirmed=1, agrees=True)
    stage.snapshot = Snapshot(SHOW, BEAT, STEP, verdict, frame=7, record=record)
    stage.see(observe(sure("castle", "bread-1"), LABELS, ZONES), frame=9)
    state = client.get("/api/state").json()
    assert state["verdict"] == {
        "outcome": "confirmed",
        "headline": "Tumult!",
        "remedy": "",
        "rules": ["3.3"],
    }
    assert state["goods"][0]["left"] == 3
    assert state["goods"][0]["sentence"] == "Bread is short."
    assert state["record"] == {
        "confirmed": 1,
        "inconclusive": 0,
        "disagreements": 0,
        "agrees": True,
    }


def test_no_verdict_says_why_and_marks_the_tile(client: Client, stage: Stage) -> None:
    seen = observe([*OPEN[:2], down("castle")], LABELS, ZONES)
    stage.see(seen, frame=7)
    stage.snapshot = Snapshot(SHOW, BEAT)
    plain = client.get("/frame.jpg").content
    stage.snapshot = Snapshot(SHOW, BEAT, STEP, rule_on(seen, STEP), frame=7)
    stage.see(seen, frame=8)
    assert client.get("/frame.jpg").content != plain
    verdict = client.get("/api/state").json()["verdict"]
    assert verdict["outcome"] == "inconclusive"
    assert verdict["headline"] == "One tile lies face down."
    assert verdict["remedy"]


def test_drawings(client: Client) -> None:
    assert client.get("/art/loaf.png").content.startswith(b"\x89PNG")
    assert client.get("/art/cake.png").status_code == 404
