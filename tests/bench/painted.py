"""From an event of the journal to the pixels of the table screen, among 50 other viewers.

A match of the small game and its real page in a real Chromium on this machine. The time runs from
the journal's own stamp of an event, taken before it is written to the disk, to the first task after
the frame in which the page shows the step that it led to. Environment: PAINTED_EVENTS (120).
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

import numpy as np
from playwright.sync_api import Page, sync_playwright

from referee.match.commands import Do
from referee.web.app import create_app
from referee.web.site import Site
from tests.bench.crowd import Crowd
from tests.bench.report import AbsentError, Figure, Report
from tests.referee.web.browser import TV, Pages, chromium, running, served
from tests.referee.web.stage import Stage

OTHERS, EVENTS = 50, 120
#: Seconds between two events, at random; so many first ones warm up and do not count.
PAUSES_S, WARM_UP = (0.2, 0.5), 10
#: What the page shows of the steps between which the match goes to and fro.
SPIN, RAID = "The spin", "The raid"
#: Notes when the page shows another of both steps: ms since 1970, after the frame with it.
_WATCH = """([spin, raid]) => {
  window.painted = [];
  let shown = "";
  const look = () => {
    const text = document.body.innerText;
    const now = text.includes(raid) ? raid : text.includes(spin) ? spin : "";
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
        address = stack.enter_context(served(create_app(Site(stage.screens))))
        url = address.replace("http", "ws") + "/ws?audience=table"
        stack.enter_context(Crowd(url)).ask("join", OTHERS)
        debugging = stack.enter_context(running(binary, folder / "profile"))
        playwright = stack.enter_context(sync_playwright())
        pages = Pages(playwright.chromium.connect_over_cdp(debugging))
        stack.callback(pages.close)
        page = pages(size=TV, lang="en")
        page.goto(address)
        page.get_by_text(SPIN).first.wait_for()
        page.evaluate(_WATCH, [SPIN, RAID])
        steps = report.progress("painted", range(events + WARM_UP), events + WARM_UP)
        took = [_event(stage, page, Random(number)) for number in steps][WARM_UP:]
        _report(report, took, len(pages.errors))


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
    page.wait_for_function("count => window.painted.length > count", arg=before)
    shown, painted = page.evaluate("window.painted.at(-1)")
    assert shown == (RAID if at_start else SPIN)
    return float(painted) - 1000.0 * event.at


def _report(report: Report, took: list[float], errors: int) -> None:
    note = f"{len(took)} events, {OTHERS} other viewers"
    median, p95 = statistics.median(took), float(np.percentile(took, 95))
    report.add(Figure("painted", "event to pixels, median", median, "ms", 100.0, "<=", note))
    report.add(Figure("painted", "event to pixels, 95 % below", p95, "ms", 250.0, "<="))
    report.add(Figure("painted", "errors in the browser's console", errors, "", 0.0, "<="))
