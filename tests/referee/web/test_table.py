"""An evening at the table screen, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from referee.match.commands import Do
from referee.match.fold import Stage
from referee.web.app import create_app
from referee.web.site import Site
from tests.referee.observations import down, sure
from tests.referee.web.browser import PHONE, SERVER_GONE, TABLET, TV, UPRIGHT, Pages, served
from tests.referee.web.stage import Stage as Table
from tests.referee.web.standin import StandIn

ONE_DOWN = [
    *sure("centre", "a"),
    *sure("centre", "b", 2),
    *sure("centre", "c", 2),
    down("castle"),
]
#: How long the page takes no decision after the match has gone on (ms).
CALM_MS = 650
#: A seat whose player gave a name.
BLUE: dict[str, Any] = {
    "seat": 0, "name": "Blue", "player": "Ann", "piece": "blue", "colour": "rgb(0, 0, 200)",
    "rank": 1, "facts": [], "badges": [], "acts": True,
}  # fmt: skip
#: A match as the table's document tells it.
BEGUN: dict[str, Any] = {
    "round": 1, "demand": 0, "over": False, "winner": "", "goods": [], "lines": [BLUE],
    "step": {"phase": "spin", "title": "Spin", "instruction": "Do the spin.", "rule": "1"},
    "camera": False, "current": False, "apart": False, "behind": False, "troubles": [],
    "last": {"kind": "begin", "by": "Ann", "headline": "The match begins.", "sentences": [],
             "rules": [], "findings": [], "evidence": []},
    "by_hand": {"deeds": [], "rivals": [], "choices": [], "example": "", "faces": []},
    "recent": [],
}  # fmt: skip
SIZES = {"tv": TV, "tablet": TABLET, "upright": UPRIGHT, "phone": PHONE}


@contextmanager
def open_at(site: Site, page: Pages, port: int = 0) -> Iterator[str]:
    """The site on a port; pages that still stand open when it stops may say so."""
    with served(create_app(site), port) as address:
        yield address
        page.allow(*SERVER_GONE)


def said(tab: Page) -> Locator:
    """What the referee says, all of it."""
    return tab.locator(".side .fit")


def answer(tab: Page) -> Locator:
    return tab.locator(".now .answer")


def deed(tab: Page, do: str) -> Locator:
    return tab.locator(f".now [data-do={do}]")


def test_a_match_is_played_at_its_screen(stage: Table, site: Site, page: Pages) -> None:
    tab = page()
    with open_at(site, page) as address:
        tab.goto(address)
        decide(tab, stage)
        correct_a_tile(tab, stage)
        pick_and_write(tab, stage)
    # What was shown before says nothing while nobody answers.
    expect(tab.get_by_role("alert")).to_contain_text("does not answer")
    for part in (".now", ".side", ".seats", ".by-hand"):
        expect(tab.locator(part)).to_have_count(0)


def decide(tab: Page, stage: Table) -> None:
    """Nobody decides without a name; right after the match went on, nothing is decided."""
    expect(tab.get_by_role("heading", level=1)).to_have_text("Toy")
    expect(tab.locator(".now .who")).to_contain_text("Red")
    expect(tab.locator(".now .instruction")).to_have_text("Do the spin.")
    tab.locator(".by-hand").click()
    tab.locator("dialog summary").first.click()
    tab.get_by_label("Move", exact=True).fill("spin 2 -")
    tab.keyboard.press("Enter")
    naming = tab.get_by_role("dialog", name="Who decides on this device?")
    expect(naming).to_be_visible()
    tab.keyboard.press("Escape")
    expect(tab.locator("dialog .answer")).to_have_text("Say first who decides.")
    assert stage.view.state_id == 0
    tab.get_by_label("Move", exact=True).press("Enter")
    naming.get_by_label("Somebody else").fill("Ann")
    tab.keyboard.press("Enter")
    expect(said(tab)).to_contain_text("spin 2")
    expect(said(tab)).to_contain_text("decided by Ann", ignore_case=True)
    tab.keyboard.press("Escape")
    deed(tab, "start").click()
    expect(answer(tab)).to_contain_text("just gone on")
    tab.wait_for_timeout(CALM_MS)
    deed(tab, "start").dblclick()
    glass = tab.get_by_role("timer", name="Hourglass")
    expect(glass).to_be_visible()
    # The second press of a double click finds "Stop" in the place of "Start".
    deed(tab, "stop").click()
    expect(answer(tab)).to_contain_text("just gone on")
    expect(glass.locator(".number")).to_have_text(re.compile(r"^1?[0-9]$"))
    assert stage.view.device.stage is Stage.RUNNING


def correct_a_tile(tab: Page, stage: Table) -> None:
    """The verdict says what is missing; two taps correct the tile."""
    stage.say(Do.STOP)
    stage.see(ONE_DOWN)
    expect(said(tab)).to_contain_text("One tile lies face down.")
    expect(said(tab)).to_contain_text("Turn every tile face up where it lies.")
    tiles = tab.locator(".tiles polygon")
    expect(tiles).to_have_count(6)
    expect(tab.locator(".seen img")).to_have_js_property("naturalWidth", 1280)
    tiles.last.click()
    asked = tab.get_by_role("dialog", name="What does this tile show?")
    expect(asked).to_contain_text("face down")
    asked.get_by_role("button", name="good a 1").click()
    expect(said(tab)).to_contain_text("confirmed", ignore_case=True)
    stage.until(lambda: stage.view.state_id == 2)
    assert stage.view.moves[-1] == "raid - a"


def pick_and_write(tab: Page, stage: Table) -> None:
    """What the rules forbid is refused in a sentence; a legal move is one press."""
    tab.wait_for_timeout(CALM_MS)
    tab.locator(".by-hand").click()
    tab.locator("dialog summary").first.click()
    written = tab.get_by_label("Move", exact=True)
    written.fill("pay b -")
    written.press("Enter")
    expect(tab.locator("dialog .answer")).to_have_class(re.compile("wrong"))
    expect(tab.locator("dialog .answer")).not_to_be_empty()
    assert stage.view.state_id == 2
    tab.get_by_role("button", name="Pay a").click()
    stage.until(lambda: stage.view.state_id == 3)
    expect(tab.locator("dialog")).to_contain_text("What happened last")
    tab.keyboard.press("Escape")
    expect(tab.locator(".by-hand")).to_be_focused()


def test_tiles_are_reached_by_keyboard_and_the_focus_stays(
    stage: Table, site: Site, page: Pages
) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    stage.say(Do.START)
    stage.say(Do.STOP)
    stage.see(ONE_DOWN)
    tab = page()
    with open_at(site, page) as address:
        tab.goto(address)
        tiles = tab.locator(".tiles polygon")
        expect(tiles).to_have_count(6)
        tiles.first.focus()
        tab.keyboard.press("ArrowRight")
        expect(tiles.nth(1)).to_be_focused()
        # Whatever is told meanwhile, the focus stays.
        parts = "document.querySelectorAll('.now, .verdict, .seat, .good, .tiles polygon')"
        tab.evaluate(f"{parts}.forEach(each => {{ each.stays = true; }})")
        stage.say(Do.ENTER, "raid - a")
        stage.say(Do.UNDO, to=1)
        expect(said(tab)).to_contain_text("taken back", ignore_case=True)
        # Nothing was drawn anew that is still there, so nothing flickers.
        assert tab.evaluate(f"[...{parts}].filter(each => !each.stays).length") == 0
        expect(tiles.nth(1)).to_be_focused()
        tab.keyboard.press("ArrowLeft")
        tab.keyboard.press("ArrowLeft")
        expect(tiles.last).to_be_focused()
        tab.keyboard.press("Enter")
        tab.get_by_label("Somebody else").fill("Ben")
        tab.keyboard.press("Enter")
        expect(tab.get_by_role("dialog", name="What does this tile show?")).to_be_visible()
        tab.keyboard.press("Escape")
        expect(tiles.last).to_be_focused()


def test_it_goes_on_after_the_server_was_restarted(stage: Table, site: Site, page: Pages) -> None:
    tab = page()
    with open_at(site, page) as address:
        tab.goto(address)
        expect(tab.locator(".now .instruction")).to_have_text("Do the spin.")
    expect(tab.get_by_role("alert")).to_contain_text("does not answer")
    stage.say(Do.ENTER, "spin 2 -")
    with open_at(site, page, port=int(address.rsplit(":", 1)[1])):
        expect(said(tab)).to_contain_text("spin 2")
        expect(tab.get_by_role("alert")).to_have_count(0)


def test_evidence_is_shown_on_demand_until_it_is_deleted(
    stage: Table, site: Site, page: Pages
) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    stage.say(Do.START)
    stage.say(Do.STOP)
    stage.see([*sure("centre", "a"), *sure("centre", "b", 2), *sure("centre", "c", 2),
               *sure("castle", "a")])  # fmt: skip
    stage.until(lambda: stage.view.state_id == 2)
    tab = page()
    with open_at(site, page) as address:
        tab.goto(address)
        pictures = said(tab).get_by_role("button")
        expect(pictures).to_have_text(["when time was up", "as it was judged"])
        pictures.last.click()
        large = tab.get_by_role("dialog", name="As it was judged").get_by_role("img")
        expect(large).to_have_js_property("complete", True)
        assert large.evaluate("each => each.naturalWidth") > 0
        tab.keyboard.press("Escape")
        page.allow("404")
        for name in ("buzzer", "verdict"):
            tab.route(f"**/evidence/{name}-*", lambda route: route.fulfill(status=404))
        tab.reload()
        expect(said(tab)).to_contain_text("raid")
        expect(pictures).to_have_count(0)


def test_a_device_that_may_only_watch_sees_no_controls(
    stage: Table, site: Site, page: Pages
) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    stage.see(ONE_DOWN)
    tab = page()
    tab.route(
        "**/api/session",
        lambda route: route.fulfill(json={"access": "watch", "own": False, "token": "x"}),
    )
    with open_at(site, page) as address:
        tab.goto(address)
        expect(tab.locator(".goods")).to_be_visible()
        expect(said(tab)).to_contain_text("spin 2")
        expect(tab.get_by_role("button")).to_have_text(["☰ Menu"])
        expect(tab.locator(".tiles")).to_have_count(0)


def test_a_review_is_told_and_nothing_can_be_done_meanwhile(
    stage: Table, site: Site, page: Pages, shot: Callable[..., bytes]
) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    tab = page(size=TV)
    with open_at(site, page) as address:
        tab.goto(address)
        expect(deed(tab, "start")).to_be_visible()
        stage.say(Do.REVIEW, reason="was it in time?")
        expect(tab.locator(".review")).to_contain_text("The judges are looking at this.")
        expect(tab.locator(".now button")).to_have_count(0)
        shot(tab, "table-review")
        stage.say(Do.RESUME, reason="it was")
        expect(tab.locator(".review")).to_have_count(0)
        expect(deed(tab, "start")).to_be_visible()


def test_table_and_record_that_differ(
    stage: Table, site: Site, page: Pages, shot: Callable[..., bytes]
) -> None:
    """What overrules is the judges' to decide, and the screen says so."""
    contradict(stage)
    tab = page(size=TV)
    with open_at(site, page) as address:
        tab.goto(address)
        expect(tab.locator(".now .note")).to_contain_text("Table and record differ")
        expect(said(tab)).to_contain_text("table and record differ", ignore_case=True)
        expect(said(tab)).to_contain_text("More than 1 tiles were taken.")
        expect(said(tab).locator(".rule").first).to_have_text("rules 2")
        shot(tab, "table-differs")
        tab.get_by_role("button", name="Decide …").click()
        hand = tab.get_by_role("dialog", name="By hand")
        expect(hand.get_by_role("link", name="Judge")).to_be_visible()
        expect(hand.locator("[data-do=table-right]")).to_have_count(0)


def contradict(stage: Table) -> None:
    """More was taken than is allowed."""
    stage.say(Do.ENTER, "spin 1 -")
    stage.say(Do.START)
    stage.see([*sure("centre", "b"), *sure("centre", "a"), *sure("centre", "c", 2),
               *sure("castle", "a"), *sure("castle", "b")])  # fmt: skip
    frame = stage.frame
    stage.until(lambda: stage.frame > frame + 1)
    stage.say(Do.STOP)
    stage.until(lambda: stage.view.apart)


def test_without_a_camera_all_is_done_by_hand(
    tmp_path: Path, page: Pages, axe: Callable[..., None], shot: Callable[..., bytes]
) -> None:
    stage = Table(tmp_path / "blind", camera=False)
    stage.start()
    try:
        tab = page()
        with open_at(Site(stage.screens), page) as address:
            tab.goto(address)
            hand = tab.get_by_role("region", name="By hand")
            expect(hand).to_contain_text("what happens is entered by hand")
            hand.locator("summary").first.click()
            hand.get_by_label("Move", exact=True).fill("spin 2 -")
            tab.keyboard.press("Enter")
            tab.get_by_role("button", name="Red").click()
            expect(said(tab)).to_contain_text("spin 2")
            expect(said(tab)).to_contain_text("decided by Ann", ignore_case=True)
            # What must remain is known all the same.
            expect(tab.locator(".goods .number")).to_have_text("2")
            expect(tab.locator(".goods li")).to_have_count(0)
            axe(tab)
            shot(tab, "table-by-hand")
    finally:
        stage.stop()


def test_who_may_not_watch_any_more_is_told(page: Pages) -> None:
    other = StandIn()
    other.refuse = 4403
    tab = page()
    with served(other.app) as address:
        tab.goto(address + "/static/table/index.html")
        expect(tab.get_by_role("main")).to_contain_text("This device may not watch here.")
        page.allow(*SERVER_GONE)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_without_a_match_it_says_so_and_shows_the_next_by_itself(
    page: Pages, lang: str, axe: Callable[..., None], shot: Callable[..., bytes]
) -> None:
    other = StandIn()
    other.doc = {"audience": "table", "state": -1, "seq": 0, "title": "", "review": False}
    tab = page(size=TV, lang=lang)
    with served(other.app) as address:
        tab.goto(address + "/static/table/index.html")
        waits = {"en": "No match is being played.", "de": "Es wird keine Partie gespielt."}
        expect(tab.get_by_role("main")).to_contain_text(waits[lang])
        expect(tab.get_by_role("button")).to_have_count(1)
        axe(tab)
        shot(tab, f"table-none-{lang}")
        other.change({"match": "m", "state": 0, "title": "Toy", **BEGUN})
        expect(tab.get_by_role("heading", level=1)).to_have_text("Toy")
        expect(tab.locator(".now .instruction")).to_have_text("Do the spin.")
        expect(tab.locator(".now .who")).to_have_text("Ann Blue")
        page.allow(*SERVER_GONE)


@pytest.mark.parametrize(
    ("lang", "dark", "sizes"),
    [
        ("en", False, "tv tablet upright phone"),
        ("de", True, "tv tablet upright phone"),
        ("en", True, "tv"),
        ("de", False, "tv"),
    ],
    ids=["en-light", "de-dark", "en-dark", "de-light"],
)
def test_every_size_can_be_read_by_everybody(
    stage: Table, site: Site, page: Pages, lang: str, dark: bool, sizes: str,
    axe: Callable[..., None], shot: Callable[..., bytes],
) -> None:  # fmt: skip
    contradict(stage)
    with open_at(site, page) as address:
        for name, size in ((name, SIZES[name]) for name in sizes.split()):
            tab = page(size=size, lang=lang, dark=dark)
            tab.goto(address)
            expect(tab.locator("html")).to_have_attribute("lang", lang)
            expect(tab.locator(".seats li")).to_have_count(2)
            expect(tab.locator(".seen img")).to_have_js_property("naturalWidth", 1280)
            assert overflowing(tab) == []
            shot(tab, f"table-{name}-{lang}{'-dark' * dark}", whole=size[0] < 960)
            if name in ("tv", "phone"):
                axe(tab)
                tab.locator(".by-hand").click()
                axe(tab)
                shot(tab, f"table-hand-{name}-{lang}{'-dark' * dark}")


def overflowing(tab: Page) -> list[str]:
    """Texts that stick out of their page or their box."""
    found = tab.evaluate(
        """() => [...document.querySelectorAll("body *")].filter(each => {
            const style = getComputedStyle(each);
            if (each.closest("svg, select") || !each.checkVisibility()) return false;
            const box = each.getBoundingClientRect();
            return box.right > innerWidth + 1
                || (style.overflowX !== "auto" && each.scrollWidth > each.clientWidth + 1
                    && each.clientWidth > 0 && style.display !== "inline");
        }).map(each => each.outerHTML.slice(0, 90))"""
    )
    assert isinstance(found, list)
    return found


def test_a_television_needs_no_scrolling(stage: Table, site: Site, page: Pages) -> None:
    contradict(stage)
    tab = page(size=TV)
    with open_at(site, page) as address:
        tab.goto(address)
        expect(tab.locator(".seats li")).to_have_count(2)
        assert tab.evaluate("document.documentElement.scrollHeight <= innerHeight")
        # What does not fit, although it is written small, can be reached by keyboard: nothing here.
        expect(tab.locator(".fit[tabindex]")).to_have_count(0)
        # Three metres: nothing that matters is smaller than 20 pixels.
        small = tab.evaluate(
            """() => [...document.querySelectorAll(".now *, .side *, .goods *, .seats *")]
                .filter(each => each.checkVisibility() && [...each.childNodes].some(
                    node => node.nodeType === 3 && node.data.trim()))
                .filter(each => parseFloat(getComputedStyle(each).fontSize) < 20)
                .map(each => each.outerHTML.slice(0, 90))"""
        )
        assert small == []


def test_each_page_loads_little(site: Site, page: Pages) -> None:
    """First paint on slow tablets: no page has more than 150 kB of scripts."""
    with open_at(site, page) as address:
        for path in ("/", "/overlay", "/overlay/help"):
            tab = page()
            scripts: list[Response] = []

            def keep(answer: Response, scripts: list[Response] = scripts) -> None:
                if answer.url.endswith(".js"):
                    scripts.append(answer)

            tab.on("response", keep)
            tab.goto(address + path, wait_until="load")
            expect(tab.locator("body > div > *").first).to_be_attached()
            assert 0 < sum(len(each.body()) for each in scripts) <= 150_000, path
