"""From an event of the journal to the pixels of the pages, among 50 other viewers.

A match of the small game and its real pages in a real Chromium on this machine. The time runs from
the journal's own stamp of an event, taken before it is written to the disk, to the first task after
the frame in which the table screen shows what it led to. What a person does on a tablet then is
timed from there, until table screen, overlay and judge show it. Environment: PAINTED_EVENTS (120).
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

import numpy as np
from playwright.sync_api import Page, sync_playwright

from referee.match.commands import Do
from referee.web.app import create_app
from referee.web.pin import Pin
from referee.web.sessions import Sessions
from referee.web.site import Site
from tests.bench.crowd import Crowd
from tests.bench.report import AbsentError, Figure, Report
from tests.referee.web.browser import TABLET, TV, UPRIGHT, Pages, chromium, running, served
from tests.referee.web.stage import Stage

OTHERS, EVENTS, CORRECTIONS = 50, 120, 30
#: Seconds between two events, at random; so many first ones warm up and do not count.
PAUSES_S, WARM_UP = (0.2, 0.5), 10
#: What a page shows at the start of the match, and after its first move.
STEPS, FACTS = ("The spin", "The raid"), ("may take 0", "may take 2")
PIN = "271828"
#: Notes when a page shows the other of both: ms since 1970, after the frame with it.
_WATCH = """([first, second]) => {
  window.painted = [];
  let shown = -1;
  const look = () => {
    const text = document.body.innerText;
    const now = text.includes(second) ? 1 : text.includes(first) ? 0 : -1;
    if (now === shown) return;
    shown = now;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      const at = () => performance.timeOrigin + performance.now();
      port1.onmessage = () => window.painted.push([now, at()]);
      port2.postMessage(0);
    });
  };
  new MutationObserver(look).observe(document.body,
    { subtree: true, childList: true, characterData: true, attributes: true });
  look();
}"""
#: Sends a body as our own pages do; when that was, in ms since 1970, and the answer.
_SEND = """async ([path, body]) => {
  const { token } = await (await fetch("/api/session")).json();
  const headers = { "Content-Type": "application/json", "X-Referee": token };
  const at = performance.timeOrigin + performance.now();
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return [at, (await answer.json()).accepted];
}"""


def run(report: Report) -> None:
    """Enters a move and takes it back, PAINTED_EVENTS times in all."""
    binary = chromium()
    if binary is None:
        raise AbsentError("Chromium is not installed")
    events = int(os.environ.get("PAINTED_EVENTS", EVENTS))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stage = Stage(folder, camera=False)
        stage.start()
        stack.callback(stage.stop)
        site = Site(stage.screens, sessions=Sessions(Pin(PIN, cost=2)))
        address = stack.enter_context(served(create_app(site)))
        url = address.replace("http", "ws") + "/ws?audience=table"
        stack.enter_context(Crowd(url)).ask("join", OTHERS)
        debugging = stack.enter_context(running(binary, folder / "profile"))
        playwright = stack.enter_context(sync_playwright())
        pages = Pages(playwright.chromium.connect_over_cdp(debugging))
        stack.callback(pages.close)
        # A match without a house has nobody who takes its position apart for the judge.
        pages.allow("api/judge/position")
        table = _opened(pages, address, STEPS)
        steps = report.progress("painted", range(events + WARM_UP), events + WARM_UP)
        took = [_event(stage, table, Random(number)) for number in steps][WARM_UP:]
        tablet, judge = pages(size=UPRIGHT), pages(size=TABLET)
        tablet.goto(address)
        judge.goto(f"{address}/login")
        assert judge.evaluate(_SEND, ["/api/login", {"pin": PIN}])[1]
        overlay = _opened(pages, f"{address}/overlay?parts=standings", FACTS)
        screens = [table, overlay, _opened(judge, f"{address}/judge", STEPS)]
        steps = report.progress("agree", range(CORRECTIONS), CORRECTIONS)
        agreed = [_correction(stage, tablet, screens, Random(number)) for number in steps]
        _report(report, took, agreed, len(pages.errors))


def _opened(page: Pages | Page, address: str, shown: tuple[str, str]) -> Page:
    """A page that notes when it shows another of two texts."""
    page = page(size=TV) if isinstance(page, Pages) else page
    page.goto(address)
    page.get_by_text(re.compile("|".join(shown))).first.wait_for()
    page.evaluate(_WATCH, list(shown))
    return page


def _event(stage: Stage, page: Page, chance: Random) -> float:
    """Milliseconds from the next event until the page shows it."""
    time.sleep(chance.uniform(*PAUSES_S))
    at_start = stage.view.position == stage.view.positions[0]
    before = page.evaluate("window.painted.length")
    if at_start:
        stage.say(Do.ENTER, "spin 2 -")
    else:
        stage.say(Do.UNDO, to=0)
    (event,) = stage.journal.events(stage.view.seq - 1)
    return _painted(page, before, int(at_start)) - 1000.0 * event.at


def _correction(stage: Stage, tablet: Page, screens: Sequence[Page], chance: Random) -> float:
    """Milliseconds from what somebody does on a tablet until all screens show it."""
    time.sleep(chance.uniform(*PAUSES_S))
    view = stage.view
    at_start = view.position == view.positions[0]
    deed = {"do": "enter", "text": "spin 2 -"} if at_start else {"do": "undo"}
    body = {**deed, "at": view.state_id, "id": f"c{view.seq}", "by": "Ann"}
    before = [screen.evaluate("window.painted.length") for screen in screens]
    at, accepted = tablet.evaluate(_SEND, ["/api/command", body])
    assert accepted
    painted = [
        _painted(screen, n, int(at_start)) for screen, n in zip(screens, before, strict=True)
    ]
    return max(painted) - float(at)


def _painted(page: Page, before: int, wanted: int) -> float:
    """When a page showed what comes after so many others, in ms since 1970."""
    page.wait_for_function("count => window.painted.length > count", arg=before)
    shown, painted = page.evaluate("window.painted.at(-1)")
    assert shown == wanted
    return float(painted)


def _report(report: Report, took: list[float], agreed: list[float], errors: int) -> None:
    note = f"{len(took)} events, {OTHERS} other viewers"
    for name, percent, floor in (("median", 50, 100.0), ("95 % below", 95, 250.0)):
        value = float(np.percentile(took, percent))
        report.add(Figure("painted", f"event to pixels, {name}", value, "ms", floor, "<=", note))
    note = f"at most, of {len(agreed)}: table screen, overlay and judge"
    name = "deed on a tablet to all screens"
    report.add(Figure("painted", name, max(agreed), "ms", 1000.0, "<=", note))
    report.add(Figure("painted", "errors in the browser's console", errors, "", 0.0, "<="))
