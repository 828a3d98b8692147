"""The page of matches on record, in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from referee.web.app import create_app
from referee.web.pin import Pin
from referee.web.screens import Screens
from referee.web.sessions import Sessions
from referee.web.site import Site
from tests.referee.web.browser import DESK, PHONE, TABLET, TV, Pages, served
from tests.referee.web.conftest import PIN
from tests.referee.web.records import Recorded

LOOKS: dict[str, dict[str, Any]] = {
    "en": {"size": TV, "lang": "en", "dark": False},
    "de": {"size": TABLET, "lang": "de", "dark": True},
    "phone": {"size": PHONE, "lang": "de", "dark": False},
}
LONG = "Annegret-Katharina"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evening's matches: two that were finished, one that was not, and no journal."""
    folder = tmp_path_factory.mktemp("matches")
    first = Recorded(folder, "one", {"yellow": "Ann", "blue": LONG, "grey": "Zoë"})
    first.saw(
        {
            "outcome": "out-of-sync",
            "sentence": "The table differs from the record in one thing.",
            "findings": [{"illegal": True, "rule": "3.4", "text": "Too little.", "seats": [1]}],
        },
        "verdict-9",
    )
    Recorded(folder, "two", {"yellow": "Ann", "purple": "purple"}, seed=2, at=first.now)
    Recorded(folder, "three", {"grey": "Zoë", "blue": "Ann"}, moves=30, at=first.now + 9e4)
    (folder / "broken.match").write_bytes(b"no journal")
    return folder


@pytest.fixture
def address(folder: Path, pin: Pin) -> Iterator[str]:
    site = Site(Screens(lambda: None), folder=folder, sessions=Sessions(pin))
    with served(create_app(site)) as address:
        yield address


def fits(tab: Page) -> bool:
    """Whether nothing sticks out to the side."""
    return bool(tab.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("name", LOOKS)
def test_all_matches_are_listed(
    address: str, page: Pages, axe: Callable[..., None], shot: Callable[..., bytes], name: str
) -> None:
    tab = page(**LOOKS[name])
    tab.goto(f"{address}/history")
    expect(tab.locator(".match")).to_have_count(4)
    expect(tab.locator(".match").last).to_contain_text("broken")
    expect(tab.locator("progress")).to_have_count(0)
    expect(tab.get_by_role("rowheader", name="Zoë")).to_be_visible()
    expect(tab.locator(".won")).to_have_count(2)
    assert fits(tab)
    axe(tab)
    shot(tab, f"history-{name}", whole=True)


@pytest.mark.parametrize("name", LOOKS)
def test_a_match_is_told_with_plots(
    address: str, page: Pages, axe: Callable[..., None], shot: Callable[..., bytes], name: str
) -> None:
    tab = page(**LOOKS[name])
    tab.goto(f"{address}/history")
    tab.locator(".match", has_text=LONG).get_by_role("link").click()
    plots = tab.get_by_role("img")
    expect(plots.first).to_be_visible()
    names = [plots.nth(k).locator("title").text_content() or "" for k in range(2)]
    assert all(who in told for told in names for who in ("Ann", LONG, "Zoë"))
    # Every plot has its numbers beside it.
    assert tab.locator("figure").count() == tab.locator("figure table").count() >= 8
    expect(tab.locator("details[open] .entry.differs .finding")).to_contain_text(LONG)
    tab.locator("details[open] .evidence button").click()
    expect(tab.locator("dialog")).to_be_visible()
    tab.keyboard.press("Escape")
    tab.locator("summary").first.focus()
    tab.keyboard.press("Enter")
    expect(tab.locator("details[open]")).to_have_count(2)
    assert fits(tab)
    axe(tab)
    shot(tab, f"history-match-{name}", whole=True)


def test_whoever_judges_exports_and_deletes(
    address: str, page: Pages, folder: Path, axe: Callable[..., None]
) -> None:
    tab = page(size=DESK)
    tab.goto(f"{address}/history?match=three")
    expect(tab.get_by_role("heading", name="What happened")).to_be_visible()
    expect(tab.get_by_role("button", name="Delete")).to_have_count(0)
    tab.evaluate(
        """async pin => {
            const { token } = await (await fetch("/api/session")).json();
            await fetch("/api/login", { method: "POST", body: JSON.stringify({ pin }),
                headers: { "X-Referee": token, "Content-Type": "application/json" } });
        }""",
        PIN,
    )
    tab.reload()
    with tab.expect_download() as download:
        tab.get_by_role("link", name="CSV without names").click()
    assert download.value.suggested_filename == "three.csv"
    tab.get_by_role("button", name="Delete this match …").click()
    axe(tab, "dialog")
    tab.get_by_role("button", name="Cancel").click()
    assert (folder / "three.match").exists()
    tab.get_by_role("button", name="Delete this match …").click()
    tab.get_by_role("button", name="Delete it for good").click()
    expect(tab.locator(".match")).to_have_count(3)
    assert not list(folder.glob("three*"))


def test_a_match_that_is_not_there_says_so(address: str, page: Pages) -> None:
    tab = page(lang="de")
    page.allow("404")
    tab.goto(f"{address}/history?match=nothing")
    expect(tab.get_by_role("alert")).to_have_text("Diese Partie gibt es nicht.")
