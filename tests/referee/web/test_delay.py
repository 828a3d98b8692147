"""Who asked for a delay is shown what was, and can't have what is in any other way."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest

from referee.match.commands import Do
from referee.web import socket
from referee.web.app import create_app
from referee.web.site import Site
from tests.referee.web.browser import served
from tests.referee.web.stage import Stage
from tests.referee.web.test_state import raided, table
from tests.referee.web.viewer import Viewer

DELAY_S = 1.5


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    with served(create_app(site)) as address:
        yield address


@pytest.mark.parametrize("audience", ["overlay", "table"])
def test_a_delayed_client_is_told_late(stage: Stage, address: str, audience: str) -> None:
    stage.until(lambda: stage.frame >= 0)
    stage.shown()
    time.sleep(DELAY_S)
    with Viewer(address, f"audience={audience}&delay={DELAY_S}") as late:
        assert late.until("state", 0)["seq"] == 1
        moved = time.monotonic()
        stage.say(Do.ENTER, "spin 2 -")
        with Viewer(address, f"audience={audience}") as live:
            live.until("state", 1)
        while late.document["state"] == 0:
            late.hear()
        assert time.monotonic() - moved >= DELAY_S
        assert late.document["state"] == 1


def test_a_delayed_client_that_comes_is_told_what_was_then(stage: Stage, address: str) -> None:
    stage.until(lambda: stage.frame >= 0)
    stage.shown()
    time.sleep(DELAY_S)
    stage.say(Do.ENTER, "spin 2 -")
    stage.shown()
    with Viewer(address, f"audience=overlay&delay={DELAY_S}") as late:
        late.hear()
        assert (late.document["state"], late.document["demand"]) == (0, 0)
        late.until("state", 1)


def test_before_anything_is_old_enough_a_client_is_told_to_wait(stage: Stage, address: str) -> None:
    stage.shown()
    with Viewer(address, "audience=overlay&delay=300") as late:
        late.hear()
        assert late.document["waiting"] is True
        assert "match" not in late.document


def test_a_delayed_hourglass_runs_out_late(stage: Stage, address: str) -> None:
    """Its end is told in server time, and the time that a client is told is as late as the rest."""
    stage.say(Do.ENTER, "spin 2 -")
    stage.say(Do.START)
    began = time.time()
    with (
        Viewer(address, "audience=overlay") as live,
        Viewer(address, f"audience=overlay&delay={DELAY_S}") as late,
    ):
        for viewer, behind in ((live, 0.0), (late, DELAY_S)):
            viewer.until("state", 1)
            while "end" not in viewer.document["timer"]:
                viewer.hear()
            while viewer.hear()["kind"] != "beat":
                pass
            assert abs(time.time() - behind - viewer.at) < 0.5
            left = viewer.document["timer"]["end"] - viewer.at
            assert abs(left - (20.0 - (time.time() - behind - began))) < 0.5


def test_there_is_no_picture_with_a_delay(address: str) -> None:
    """None is kept that long, and a new one would tell what is to be told later."""
    with Viewer(address, f"audience=table&delay={DELAY_S}", path="/ws/video") as late:
        assert late.closed() == socket.FORBIDDEN
    with Viewer(address, "audience=overlay", path="/ws/video") as viewer:
        assert viewer.closed() == socket.UNKNOWN


def test_evidence_can_not_be_had_before_it_is_told(stage: Stage, address: str) -> None:
    """Names are easily guessed; the seals that a document tells are not."""
    stage.until(lambda: stage.frame >= 0)
    stage.shown()
    time.sleep(DELAY_S)
    with Viewer(address, f"audience=table&delay={DELAY_S}") as late:
        late.hear()
        raided(stage)
        stage.see(table("a", "c"))
        stage.until(lambda: stage.view.state_id == 2)
        urls = [each["url"] for each in stage.shown()["last"]["evidence"]]
        assert len(urls) == 2
        assert late.document["state"] == 0
        assert not any(url in json.dumps(late.document) for url in urls)
        late.until("state", 2)
        assert [each["url"] for each in late.document["last"]["evidence"]] == urls
