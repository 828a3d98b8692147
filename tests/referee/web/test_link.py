"""How pages follow the referee: whole documents, changes, silence, refusals, pictures."""

from __future__ import annotations

import time
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page

from tests.referee.web.browser import SERVER_GONE, Pages, served
from tests.referee.web.standin import StandIn
from tests.referee.web.test_patch import APPENDIX

FOLLOW = """async query => {
    const { follow, serverNow } = await import("/static/base/link.js");
    window.told = []; window.lost = []; window.refused = []; window.serverNow = serverNow;
    window.stop = follow("table", {
        onDoc: doc => window.told.push(doc), onLost: seconds => window.lost.push(seconds),
        onRefused: why => window.refused.push(why), ...query,
    });
}"""
VIDEO = """async () => {
    const { video } = await import("/static/base/link.js");
    const image = document.body.appendChild(document.createElement("img"));
    video(image, "table");
}"""
#: The examples of RFC 7396, appendix A, that a document can have.
MERGES = [example for example in APPENDIX if example[1] is not None]


@pytest.fixture
def other() -> StandIn:
    return StandIn()


@pytest.fixture
def tab(other: StandIn, page: Pages) -> Iterator[Page]:
    with served(other.app) as address:
        tab = page()
        tab.goto(address)
        yield tab
        page.allow(*SERVER_GONE)


def until(tab: Page, script: str) -> None:
    tab.wait_for_function(script)


def test_changes_are_merged_into_what_was_whole(other: StandIn, tab: Page) -> None:
    other.doc = {"state": 1, "lines": [1, 2], "step": {"title": "Spin", "rule": "1"}, "verdict": {}}
    tab.evaluate(FOLLOW, {"delay": 7.5})
    until(tab, "told.length === 1")
    assert other.queries == [{"audience": "table", "lang": "en", "delay": "7.5"}]
    other.change({"state": 2, "step": {"title": "Raid"}, "verdict": None})
    until(tab, "told.length === 2")
    assert tab.evaluate("told[1]") == {
        "state": 2, "lines": [1, 2], "step": {"title": "Raid", "rule": "1"},
    }  # fmt: skip
    assert tab.evaluate("told[0].state") == 1
    assert tab.evaluate("told[0].lines === told[1].lines")


def test_merging_as_the_standard_says(tab: Page) -> None:
    script = """async ([old, patch]) =>
        (await import("/static/base/link.js")).merged(old, patch)"""
    for old, patch, new in MERGES:
        assert tab.evaluate(script, [old, patch]) == new


def test_heartbeats_are_answered_with_what_is_shown(other: StandIn, tab: Page) -> None:
    tab.evaluate(FOLLOW)
    until(tab, "told.length === 1")
    other.change({"a": 1})
    other.beat()
    deadline = time.monotonic() + 5
    while not other.heard:
        assert time.monotonic() < deadline
        tab.wait_for_timeout(20)
    assert other.heard == [{"kind": "beat", "v": 1}]
    assert abs(tab.evaluate("serverNow()") - time.time()) < 0.5


def test_a_change_of_something_else_has_all_sent_again(other: StandIn, tab: Page) -> None:
    tab.evaluate(FOLLOW)
    until(tab, "told.length === 1")
    other.doc, other.version = {"a": 5}, 5
    other.tell({"kind": "change", "from": 4, "v": 5, "patch": {"a": 5}})
    until(tab, "told.length === 2")
    assert tab.evaluate("told[1]") == {"a": 5}
    assert tab.evaluate("lost") == []


def test_silence_is_told_and_ended_by_asking_again(other: StandIn, tab: Page) -> None:
    """A server that hangs closes nothing: only its heartbeat is missing."""
    tab.evaluate(FOLLOW)
    until(tab, "told.length === 1")
    until(tab, "lost.length > 0 && told.length > 1")
    assert tab.evaluate("lost[0]") == 3
    assert tab.evaluate("lost.at(-1)") is None


def test_it_never_gives_up(other: StandIn, page: Pages) -> None:
    tab = page()
    with served(other.app) as address:
        tab.goto(address)
        tab.evaluate(FOLLOW)
        until(tab, "told.length === 1")
        page.allow(*SERVER_GONE)
    until(tab, "lost.length >= 2")
    other.doc = {"again": True}
    with served(other.app, int(address.rsplit(":", 1)[1])):
        until(tab, "lost.at(-1) === null")
        assert tab.evaluate("told.at(-1)") == {"again": True}


@pytest.mark.parametrize(("code", "why"), [(4401, "login"), (4403, "forbidden"), (4404, "unknown")])
def test_who_is_refused_is_told_why(other: StandIn, tab: Page, code: int, why: str) -> None:
    other.refuse = code
    tab.evaluate(FOLLOW)
    until(tab, "refused.length === 1")
    assert tab.evaluate("refused") == [why]
    assert tab.evaluate("told") == []


def test_the_next_picture_is_asked_for_when_one_is_shown(other: StandIn, tab: Page) -> None:
    other.jpeg = cv2.imencode(".jpg", np.zeros((30, 40, 3), np.uint8))[1].tobytes()
    tab.evaluate(VIDEO)
    until(tab, "document.querySelector('img')?.naturalWidth === 40")
    deadline = time.monotonic() + 5
    while other.heard != [{"kind": "shown"}]:
        assert time.monotonic() < deadline
        tab.wait_for_timeout(20)
