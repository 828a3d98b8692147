"""A real position of Tumult Royale that table and record tell differently: three ways to settle it.

Yellow builds on a pasture and pays a tile too many: the rules forbid it, and the table shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.games.tumult_royale import parse_tiles
from referee.web.app import create_app
from referee.web.pin import Pin
from referee.web.sessions import Sessions
from tests.referee.web.browser import TABLET, Pages, served
from tests.referee.web.judged import NAME, ROYALE, RoyaleStage, judged, overpaid, royale, sit_down
from tests.referee.web.test_judge_page import confirm, done, press

BUILD, TABLE = overpaid()


@pytest.fixture
def match(tmp_path: Path) -> Iterator[RoyaleStage]:
    """The table contradicts the record, and was looked at twice."""
    with royale(tmp_path) as stage:
        stage.until(lambda: stage.watch.newest is not None)
        stage.lay(TABLE)
        stage.until(lambda: stage.live.view.apart)
        yield stage


@pytest.fixture
def address(match: RoyaleStage, pin: Pin) -> Iterator[str]:
    with served(create_app(judged(match, Sessions(pin)))) as address:
        yield address


@pytest.fixture
def tab(address: str, page: Pages) -> Page:
    tab = sit_down(page(size=TABLET), address)
    expect(tab.locator(".finding.illegal")).to_contain_text("paid without bread 1 too")
    return tab


def test_the_table_is_right(tab: Page, match: RoyaleStage) -> None:
    press(tab, "table-right")
    expect(tab.locator("dialog")).to_contain_text("It stands although the rules forbid it")
    confirm(tab, "All players agree.")
    expect(done(tab)).to_contain_text("The table stands")
    assert match.state == TABLE
    assert match.live.view.cause.who == NAME
    assert not match.live.view.apart
    # And it is taken back as easily.
    tab.wait_for_timeout(650)
    done(tab).locator(".back").click()
    confirm(tab, "All players agree.")
    match.until(lambda: match.state == ROYALE)


def test_the_record_is_right(tab: Page, match: RoyaleStage) -> None:
    press(tab, "record-right")
    confirm(tab)
    expect(done(tab)).to_contain_text("The record stands.")
    assert match.state == ROYALE
    match.lay(ROYALE)
    match.until(lambda: not match.live.view.behind)
    expect(tab.locator(".apart")).to_have_count(0)
    assert match.state == ROYALE


def test_it_is_fixed_by_hand_as_the_camera_reads_it(tab: Page, match: RoyaleStage) -> None:
    press(tab, "fix")
    card = tab.locator(".position")
    card.locator("summary").nth(1).click()
    card.locator("[data-fact='yellow.tiles'] .take").click()
    expect(card.locator(".changes")).to_contain_text("Yellow, tiles on the castle")
    expect(card.locator(".changes")).not_to_contain_text("statues on the map")
    card.locator(".take-all").click()
    expect(card.locator(".changes")).to_contain_text("Yellow, statues on the map")
    expect(card.locator(".checked")).to_contain_text("Nothing speaks against it.")
    expect(card.locator(".changes")).to_contain_text("The match, tiles in the centre")
    assert match.live.view.state_id == 0
    card.locator("[data-do=position]").click()
    expect(tab.locator("dialog")).to_contain_text("Yellow, tiles on the castle")
    confirm(tab)
    expect(done(tab)).to_contain_text("The position is set by hand.")
    assert match.state.seats[0].tiles == parse_tiles("-")
    assert match.state.seats[0].built == ROYALE.seats[0].built + 1
    assert match.state.seats[0].statues_on(BUILD.field) == 1
    assert match.state.centre == TABLE.centre
    # Table and record agree again.
    match.until(lambda: not match.live.view.apart and not match.live.view.behind)
    expect(tab.locator(".apart")).to_have_count(0)
