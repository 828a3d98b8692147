"""Documents over real WebSockets: what clients are told, and which are closed."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.match.commands import Do
from referee.web import publish, socket
from referee.web.app import create_app
from referee.web.page import MatchPage
from referee.web.publish import Audience
from referee.web.site import Site
from referee.words import localised
from tests.referee.web.browser import served
from tests.referee.web.client import Client
from tests.referee.web.conftest import PIN
from tests.referee.web.stage import Stage
from tests.referee.web.viewer import Viewer

TABLE = "audience=table"


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    with served(create_app(site)) as address:
        yield address


def cookie_of(client: Client) -> str:
    return "; ".join(f"{name}={value}" for name, value in client.cookies.items())


# What clients are told.


def test_a_client_is_told_all_then_the_time_then_what_changes(stage: Stage, address: str) -> None:
    stage.until(lambda: stage.frame >= 0)
    stage.shown()
    with Viewer(address, TABLE) as viewer:
        whole, beat = viewer.hear(), viewer.hear()
        assert whole["kind"] == "whole"
        assert whole["doc"] == json.loads(json.dumps({**stage.shown(), "lang": "en"}))
        assert (beat["kind"], beat["v"]) == ("beat", whole["v"])
        assert abs(beat["at"] - time.time()) < 2.0
        stage.say(Do.ENTER, "spin 2 -")
        while (change := viewer.hear())["kind"] == "beat":
            pass
        assert (change["kind"], change["from"]) == ("change", whole["v"])
        assert "title" not in change["patch"]
        assert viewer.document == json.loads(json.dumps({**stage.shown(), "lang": "en"}))


def test_a_client_is_told_in_its_language(stage: Stage, address: str) -> None:
    stage.until(lambda: stage.frame >= 0)
    stage.shown()
    for lang, words in (("de", "Die Partie beginnt."), ("en", "The match begins.")):
        with Viewer(address, f"{TABLE}&lang={lang}") as viewer:
            document = viewer.until("lang", lang)
            assert document["last"]["headline"] == words
            assert document == localised({**stage.shown(), "lang": lang}, lang)


def test_whoever_comes_back_is_told_all_again(stage: Stage, address: str) -> None:
    with Viewer(address, TABLE) as viewer:
        viewer.until("state", 0)
        stage.say(Do.ENTER, "spin 2 -")
        viewer.until("state", 1)
    with Viewer(address, TABLE) as viewer:
        viewer.until("state", 1)
        assert viewer.kinds == ["whole"]


def test_a_server_that_was_started_again_says_so(tmp_path: Path) -> None:
    epochs = []
    for run in range(2):
        stage = Stage(tmp_path / str(run))
        stage.start()
        try:
            with served(create_app(Site(stage.screens))) as address, Viewer(address, TABLE) as one:
                one.until("state", 0)
                epochs.append(one.epoch)
        finally:
            stage.stop()
    assert epochs[0] != epochs[1]


def test_when_another_match_is_open_its_document_comes(
    stage: Stage, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[MatchPage[Any, Any] | None] = [stage.page]
    monkeypatch.setattr(stage.screens.publisher, "_source", lambda: shown[0])
    other = Stage(tmp_path, camera=False, name="other")
    other.live.start()
    try:
        with Viewer(address, TABLE) as viewer:
            viewer.until("match", "toy")
            shown[0] = None
            viewer.until("match", None)
            assert viewer.document == {
                "audience": "table", "state": -1, "seq": 0, "title": "", "lang": "en",
                "review": False,
            }  # fmt: skip
            shown[0] = other.page
            viewer.until("match", "other")
            assert viewer.document["lines"][0]["name"] == "Red"
    finally:
        shown[0] = None
        other.live.stop()
        other.evidence.close()
        other.journal.close()


def test_of_many_who_come_and_go_all_end_with_the_same(stage: Stage, address: str) -> None:
    """While moves are made and taken back, clients join, leave and read when they like."""
    over = threading.Event()
    ends: list[dict[str, Any]] = []
    failures: list[BaseException] = []

    def watch(number: int) -> None:
        try:
            while not over.is_set():
                with Viewer(address, TABLE) as viewer:
                    for _ in range(3 + number):
                        with contextlib.suppress(TimeoutError):
                            viewer.hear(0.2)
            with Viewer(address, TABLE) as viewer:
                ends.append(dict(viewer.until("state", 40)))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=watch, args=(number,)) for number in range(12)]
    with Viewer(address, TABLE) as steady:
        for thread in threads:
            thread.start()
        for _ in range(20):
            stage.say(Do.ENTER, "spin 2 -")
            stage.say(Do.UNDO)
        over.set()
        for thread in threads:
            thread.join(30.0)
        steady.until("state", 40)
    assert failures == []
    assert len(ends) == len(threads)
    assert all(end == steady.document for end in ends)


# Which are closed.


@pytest.mark.parametrize(
    "query",
    [
        "", "audience=cake", f"{TABLE}&delay=-1", f"{TABLE}&delay=301", f"{TABLE}&delay=nan",
        f"{TABLE}&delay=x",
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_closed(address: str, query: str) -> None:
    with Viewer(address, query) as viewer:
        assert viewer.closed() == socket.UNKNOWN


def test_the_judges_document_needs_the_pin(site: Site, address: str) -> None:
    with Viewer(address, "audience=judge") as viewer:
        assert viewer.closed() == socket.LOG_IN
    client = Client(create_app(site), base=address)
    client.log_in(PIN)
    with Viewer(address, "audience=judge", cookie_of(client)) as viewer:
        document = viewer.until("audience", "judge")
        assert document["position"] == "1 spin 0 - 0"
        # Who logs out is not told any more.
        assert client.post("/api/logout", {}).status_code == 200
        assert viewer.closed() == socket.LOG_IN


def test_a_silent_client_is_closed(
    stage: Stage, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "PATIENCE_S", 3.0)
    monkeypatch.setattr(socket, "BEAT_S", 0.2)
    with Viewer(address, TABLE) as silent, Viewer(address, TABLE) as viewer:
        silent.answers = False
        while stage.screens.hub.clients[Audience.TABLE] == 2:
            viewer.hear()
        assert silent.closed() == socket.SILENT
        # Whoever answers stays.
        for _ in range(5):
            viewer.hear()
        assert stage.screens.hub.clients[Audience.TABLE] == 1


@pytest.mark.parametrize(
    "message", ["", "beat", "[]", '{"kind":"shown"}', "x" * 500, '{"kind":"beat","v":1' + " " * 300]
)
def test_a_client_that_says_something_else_is_closed(address: str, message: str) -> None:
    with Viewer(address, TABLE) as viewer:
        viewer.say(message)
        assert viewer.closed() == socket.MALFORMED


def test_a_client_that_says_too_much_is_closed(address: str) -> None:
    with Viewer(address, TABLE) as viewer:
        for _ in range(socket.MOST_MESSAGES + 1):
            viewer.say({"kind": "beat", "v": 0})
        assert viewer.closed() == socket.TOO_MANY


def test_a_client_that_does_not_read_holds_up_nobody_and_is_closed(
    stage: Stage, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told nothing any more once its buffers are full; all others are told all."""
    monkeypatch.setattr(socket, "PATIENCE_S", 2.5)
    editions = stage.screens.publisher.editions(Audience.OVERLAY)
    with Viewer(address, "audience=overlay") as stuck, Viewer(address, TABLE) as viewer:
        stage.until(lambda: stage.screens.hub.clients[Audience.OVERLAY] == 1)
        monkeypatch.setattr(stage.screens.publisher, "_source", lambda: None)
        time.sleep(0.2)
        for k in range(60):
            editions.add({"k": k, "much": f"{k:06}" * 30_000}, stage.screens.publisher.clock())
            stage.screens.hub._news()
            time.sleep(0.01)
        monkeypatch.undo()
        monkeypatch.setattr(socket, "PATIENCE_S", 2.5)
        stage.say(Do.ENTER, "spin 2 -")
        viewer.until("state", 1)
        deadline = time.monotonic() + 8.0
        while stage.screens.hub.clients[Audience.OVERLAY]:
            assert time.monotonic() < deadline, "it is still waited for"
            with contextlib.suppress(TimeoutError):
                viewer.hear(0.1)
        stuck.socket.socket.close()


# A publisher that fails.


def test_nothing_is_said_of_what_can_not_be_told(
    stage: Stage, address: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Clients hear nothing more, so that pages say so; when it works again they are told."""
    monkeypatch.setattr(publish, "SILENT_S", 0.3)
    monkeypatch.setattr(socket, "BEAT_S", 0.2)
    publisher, documents = stage.screens.publisher, stage.page.documents

    def broken() -> dict[Audience, dict[str, Any]]:
        raise ZeroDivisionError("broken")

    with Viewer(address, TABLE) as viewer:
        viewer.until("state", 0)
        monkeypatch.setattr(stage.page, "documents", broken)
        stage.until(lambda: not publisher.alive)
        heard = threading.Event()
        with contextlib.suppress(TimeoutError):
            for _ in range(50):
                viewer.hear(1.0)
            heard.set()
        assert not heard.is_set()
        monkeypatch.setattr(stage.page, "documents", documents)
        stage.say(Do.ENTER, "spin 2 -")
        viewer.until("state", 1)
        stage.until(lambda: publisher.alive)
    assert publisher.failures > 1
    assert len([each for each in caplog.records if "published" in each.message]) == 1
