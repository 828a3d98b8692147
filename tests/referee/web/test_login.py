"""The page to log in, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from referee.web.app import create_app
from referee.web.attempts import FREE
from referee.web.site import Site
from tests.referee.web.browser import PHONE, SERVER_GONE, TABLET, Pages, served
from tests.referee.web.conftest import PIN
from tests.referee.web.home import at_home
from tests.referee.web.stage import Stage


@pytest.fixture
def home(site: Site, stage: Stage, page: Pages) -> Site:
    # The judge's page, which is gone on to, notices when the server is stopped.
    page.allow(*SERVER_GONE)
    return at_home(site, stage)


def type_pin(tab: Page, pin: str) -> None:
    tab.locator("input").fill(pin)
    tab.keyboard.press("Enter")


def test_whoever_has_the_pin_goes_on_to_where_they_wanted(
    home: Site, page: Pages, axe: Callable[..., None]
) -> None:
    tab = page(size=TABLET)
    with served(create_app(home)) as address:
        # The judge's page sends whoever has not logged in here.
        tab.goto(f"{address}/judge")
        expect(tab).to_have_url(f"{address}/login?to=/judge")
        expect(tab.locator("input")).to_be_focused()
        axe(tab)
        type_pin(tab, "314159")
        expect(tab.get_by_role("status")).to_have_text("This is not the PIN.")
        expect(tab.locator("input")).to_have_value("")
        tab.goto(f"{address}/login?to=/overlay/help%3Flang%3Den")
        type_pin(tab, PIN)
        expect(tab).to_have_url(f"{address}/overlay/help?lang=en")


@pytest.mark.parametrize("to", ["//evil.example/", "https://evil.example/", "javascript:alert(1)"])
def test_nobody_is_sent_elsewhere(home: Site, page: Pages, to: str) -> None:
    tab = page(size=TABLET)
    with served(create_app(home)) as address:
        tab.goto(f"{address}/login?to={to}")
        type_pin(tab, PIN)
        expect(tab).to_have_url(re.compile("/judge$"))
        assert urlsplit(tab.url).netloc == urlsplit(address).netloc


def test_who_guesses_is_told_how_long_to_wait(home: Site, page: Pages) -> None:
    tab = page(size=PHONE, lang="de")
    with served(create_app(home)) as address:
        tab.goto(f"{address}/login")
        page.allow(r"status of 429")
        for tries in range(FREE + 1):
            expect(tab.locator("form button")).to_be_enabled()
            with tab.expect_response(re.compile("/api/login")):
                type_pin(tab, f"31415{tries}")
        expect(tab.get_by_role("status")).to_contain_text("Sekunden warten")
        expect(tab.locator("form button")).to_be_disabled()


def test_who_judges_can_make_a_new_code_and_log_out(
    home: Site, page: Pages, axe: Callable[..., None]
) -> None:
    tab, code = page(size=TABLET), home.sessions.code
    with served(create_app(home)) as address:
        tab.goto(f"{address}/login?to=/login")
        type_pin(tab, PIN)
        expect(tab.locator("h1")).to_have_text("Logged in")
        axe(tab)
        tab.get_by_role("button", name="New code for players").click()
        tab.get_by_role("button", name="Make a new code").click()
        expect(tab.get_by_role("status")).to_contain_text("There is a new code")
        assert home.sessions.code != code
        tab.get_by_role("button", name="Log everybody out").click()
        tab.locator("dialog").get_by_role("button", name="Log everybody out").click()
        expect(tab.locator("h1")).to_have_text("For the judge")
        assert home.sessions.count == 0


@pytest.mark.parametrize("lang", ["en", "de"])
def test_how_it_looks(
    home: Site, page: Pages, shot: Callable[..., bytes], axe: Callable[..., None], lang: str
) -> None:
    with served(create_app(home)) as address:
        for size, dark in ((TABLET, False), (PHONE, True)):
            tab = page(size=size, lang=lang, dark=dark)
            tab.goto(f"{address}/login?join=code")
            expect(tab.get_by_role("alert")).to_be_visible()
            axe(tab)
            shot(tab, f"login-{'phone-' if dark else ''}{lang}")
            type_pin(tab, PIN)
            expect(tab).to_have_url(re.compile("/judge"))
            tab.goto(f"{address}/login")
            expect(tab.locator(".deeds")).to_be_visible()
            axe(tab)
            shot(tab, f"session-{'phone-' if dark else ''}{lang}")
