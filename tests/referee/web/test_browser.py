"""A whole evening at the page of a match, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from referee.match.commands import Do
from referee.match.fold import Stage
from referee.web.app import create_app
from referee.web.site import Site
from tests.referee.observations import down, sure
from tests.referee.web.browser import SERVER_GONE, Pages, served
from tests.referee.web.stage import Stage as Table

ONE_DOWN = [
    *sure("centre", "a"),
    *sure("centre", "b", 2),
    *sure("centre", "c", 2),
    down("castle"),
]
#: How long the page takes no decision after the match has gone on (ms).
CALM_MS = 650


def test_a_match_is_played_at_its_page(stage: Table, page: Pages) -> None:
    tab = page()
    with served(create_app(Site(stage.page))) as address:
        tab.goto(address)
        expect(tab.locator("body")).not_to_have_class(re.compile("waiting"))
        decide(tab, stage)
        correct_a_tile(tab, stage)
        take_back(tab, stage)
        expect(tab.locator("main")).to_be_visible()
        expect(tab.locator("#hand")).to_be_visible()
        page.allow(*SERVER_GONE)
    expect(tab.locator("#lost")).to_contain_text("has not answered")
    expect(tab.locator("main")).to_be_hidden()
    expect(tab.locator("#hand")).to_be_hidden()


def decide(tab: Page, stage: Table) -> None:
    """Nobody decides without a name; a move is written with the keyboard alone."""
    expect(tab.locator("#title")).to_have_text("Toy")
    expect(tab.locator("#caption")).to_have_text("Do the spin.")
    tab.click("button.start")
    expect(tab.locator("#answer")).to_have_text("Say first who decides.")
    expect(tab.locator("#by")).to_be_focused()
    tab.keyboard.type("Ann")
    tab.locator("summary").first.focus()
    tab.keyboard.press("Enter")
    tab.locator("#move").focus()
    tab.keyboard.type("spin 2 -")
    tab.keyboard.press("Enter")
    expect(tab.locator("#verdict")).to_contain_text("spin 2", ignore_case=True)
    expect(tab.locator("#verdict")).to_contain_text("ruled by Ann", ignore_case=True)
    # What is pressed just as the match goes on was meant for what stood there before.
    tab.click("button.start")
    expect(tab.locator("#answer")).to_contain_text("just gone on")
    tab.wait_for_timeout(CALM_MS)
    tab.click("button.start")
    expect(tab.locator("#glass")).to_be_visible()
    tab.click("button.stop")
    expect(tab.locator("#answer")).to_contain_text("just gone on")
    expect(tab.locator("#glass b")).to_have_text(re.compile("^(0|1?[0-9])$"))
    assert stage.view.device.stage is Stage.RUNNING


def correct_a_tile(tab: Page, stage: Table) -> None:
    """The verdict says what is missing; the tile is pointed at, and its face chosen."""
    stage.say(Do.STOP)
    stage.see(ONE_DOWN)
    expect(tab.locator("#now")).to_contain_text("One tile lies face down.", ignore_case=True)
    expect(tab.locator("#tiles polygon")).to_have_count(6)
    expect(tab.locator("#picture")).to_have_js_property("naturalWidth", 1280)
    tab.click("#tiles polygon:last-child")
    expect(tab.locator("#face-text")).to_contain_text("face down")
    tab.click("#faces button[value=a]")
    expect(tab.locator("#verdict")).to_contain_text("confirmed", ignore_case=True)
    assert stage.view.moves[-1] == "raid - a"


def take_back(tab: Page, stage: Table) -> None:
    """Undo asks first; no is no."""
    tab.wait_for_timeout(CALM_MS)
    tab.click("[data-key=undo]")
    tab.click("#ask button[value=no]")
    assert stage.view.state_id == 2
    tab.click("[data-key=undo]")
    tab.click("#ask-yes")
    expect(tab.locator("#verdict")).to_contain_text("taken back", ignore_case=True)
    assert stage.view.position.phase == "raid"
