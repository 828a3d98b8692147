"""The setup's page in a real browser: from unpacking to a running match at the demo's table."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.cli.rendered import RenderedGear
from referee.web.app import create_app
from referee.web.house import House
from referee.web.pin import Pin
from referee.web.reach import Reach
from referee.web.screens import Screens, pages_of
from referee.web.sessions import Sessions
from referee.web.site import Site
from tests.referee.web.browser import DESK, PHONE, UPRIGHT, Pages, served
from tests.referee.web.conftest import PIN
from tests.referee.web.houses import DrawnGear, a_house

#: The first picture may take a while on a busy machine. (ms)
SLOW_MS = 90_000.0
REACH = Reach(8000, lan=True, addresses=("192.168.1.5",), names=("cafe.local",))

Shot = Callable[..., bytes]
Axe = Callable[..., None]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """The demo's house before its first match."""
    file = tmp_path / "settings.toml"
    with House(RenderedGear(), tmp_path / "matches", file=file) as made:
        yield made


@pytest.fixture
def address(house: House, pin: Pin) -> Iterator[str]:
    with Screens(pages_of(house)) as screens:
        site = Site(screens, house, sessions=Sessions(pin), reach=REACH)
        with served(create_app(site)) as at:
            yield at


def log_in(tab: Page, address: str, to: str) -> None:
    tab.goto(f"{address}/login?to={to}")
    tab.locator("input").first.fill(PIN)
    tab.keyboard.press("Enter")
    expect(tab).to_have_url(re.compile(f"{to}$"))


def go(tab: Page, step: str) -> None:
    tab.locator(f'.steps a[href="#{step}"]').click()
    expect(tab.locator(f'.steps a[href="#{step}"]')).to_have_attribute("aria-current", "step")


def test_a_newcomer_comes_to_a_running_match(
    house: House, address: str, page: Pages, axe: Axe, shot: Shot
) -> None:
    tab = page(size=DESK, lang="de")
    began = time.monotonic()
    log_in(tab, address, "/setup")
    main = tab.locator("main")
    go(tab, "place")
    axe(tab)
    shot(tab, "setup-place-de", whole=True)
    main.get_by_text("Weiter: Kamera").click()
    expect(main.locator(".cameras img:not(.away)")).to_be_visible(timeout=SLOW_MS)
    main.locator(".cameras button").click()
    expect(main.locator(".note").first).to_contain_text("gut lesbar", timeout=SLOW_MS)
    axe(tab)
    shot(tab, "setup-camera-de", whole=True)
    main.get_by_text("Weiter: Marken").click()
    expect(main.locator(".checklist li.done")).to_have_count(8, timeout=SLOW_MS)
    expect(main.locator("svg .seen")).to_have_count(8)
    axe(tab)
    shot(tab, "setup-markers-de", whole=True)
    main.get_by_text("Weiter: Tisch").click()
    expect(main.locator("svg .zone")).to_have_count(5)
    axe(tab)
    shot(tab, "setup-table-de", whole=True)
    main.get_by_text("Weiter: Motive").click()
    axe(tab)
    shot(tab, "setup-faces-de", whole=True)
    main.get_by_text("Weiter: Ausgabe").click()
    expect(main.locator("details")).to_have_count(12)
    main.get_by_text("Sanduhr").first.wait_for(state="attached")
    axe(tab)
    shot(tab, "setup-edition-de", whole=True)
    main.get_by_text("Weiter: Box").click()
    main.get_by_label("Eine Box in diesem Programm").check()
    main.get_by_role("button", name="Ansprechen").click()
    expect(main.locator(".checklist li.done")).to_have_count(1)
    main.get_by_role("button", name="Leuchtring").click()
    expect(main.locator(".checklist li.done")).to_have_count(2)
    axe(tab)
    shot(tab, "setup-box-de", whole=True)
    main.get_by_text("Weiter: Partie").click()
    main.get_by_label("Gelb", exact=True).check()
    main.get_by_label("Name von Blau").fill("Jörg Großkötter")
    axe(tab)
    shot(tab, "setup-match-de", whole=True)
    main.get_by_role("button", name="Beginnen").click()
    expect(main.get_by_role("heading", name="Wer spielt")).to_be_visible(timeout=SLOW_MS)
    assert house.match is not None
    assert time.monotonic() - began < 600.0, "a newcomer has ten minutes"
    expect(main).to_contain_text("Jörg Großkötter")
    axe(tab)
    shot(tab, "setup-begun-de", whole=True)
    go(tab, "camera")
    expect(main).to_contain_text("darf sich nichts ändern")
    expect(main.locator(".cameras button")).to_be_disabled()
    go(tab, "match")
    main.get_by_text("Zum Tischbildschirm").click()
    expect(tab.locator("#screen")).to_contain_text("Statue", timeout=SLOW_MS)


def test_it_is_left_and_come_back_to(
    house: House, address: str, page: Pages, axe: Axe, shot: Shot
) -> None:
    tab = page(size=UPRIGHT, dark=True)
    log_in(tab, address, "/setup")
    main = tab.locator("main")
    expect(tab.locator('.steps a[href="#table"].done')).to_be_visible(timeout=SLOW_MS)
    for step in ("place", "camera", "markers", "table", "faces", "box", "match", "check"):
        go(tab, step)
        axe(tab)
        shot(tab, f"setup-{step}-en", whole=True)
        assert tab.evaluate("document.documentElement.scrollWidth") <= UPRIGHT[0], step
    go(tab, "edition")
    main.get_by_label("Name of your own copy").fill("our-copy")
    main.get_by_role("button", name="Copy it").click()
    expect(main.get_by_role("heading", name="Values of our-copy")).to_be_visible()
    main.get_by_label("our-copy", exact=True).check()
    summary = main.locator("summary").filter(has_text="Numbers of the rules")
    summary.click()
    glass = main.get_by_label("Hourglass", exact=True)
    glass.fill("500")
    # The page is drawn anew each second: what is typed meanwhile stays.
    tab.wait_for_timeout(2500)
    expect(glass).to_have_value("500")
    glass.blur()
    expect(main.locator(".entry.wrong")).to_contain_text("must be a whole number from 5 to 120")
    axe(tab)
    shot(tab, "setup-edition-wrong-en", whole=True)
    tab.goto("about:blank")
    tab.goto(f"{address}/setup#edition")
    expect(main.get_by_role("heading", name="Values of our-copy")).to_be_visible()
    expect(main.locator(".entry.wrong")).to_have_count(1)
    glass = main.get_by_label("Hourglass", exact=True)
    glass.fill("30")
    glass.blur()
    expect(main.locator(".entry.wrong")).to_have_count(0)
    assert house.settings.edition.endswith("our-copy.toml")


def test_a_match_that_was_put_away_is_ended_on_a_telephone(
    house: House, address: str, page: Pages, axe: Axe, shot: Shot
) -> None:
    house.change(camera="none", box="none")
    match = house.begin({"yellow": "Ann", "blue": "Ben"}).id
    house.put_away()
    tab = page(size=PHONE, lang="de", dark=True)
    log_in(tab, address, "/setup")
    go(tab, "match")
    main = tab.locator("main")
    axe(tab)
    shot(tab, "setup-go-on-de-phone", whole=True)
    assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    main.get_by_role("button", name="Diese Partie fortsetzen").click()
    main.get_by_role("button", name="Diese Partie beenden").click()
    tab.get_by_role("dialog").locator("input").fill("Feierabend")
    tab.get_by_role("dialog").get_by_role("button", name="Beenden").click()
    expect(main.get_by_role("heading", name="Eine Partie beginnen")).to_be_visible()
    assert house.match is None
    assert match not in [found.id for found in house.unfinished()]


def test_the_check_on_the_page(tmp_path: Path, pin: Pin, page: Pages, axe: Axe, shot: Shot) -> None:
    with a_house(tmp_path, DrawnGear(), box="fake://page") as house:
        house.begin({"yellow": "Ann", "blue": "Ben"})
        with Screens(pages_of(house)) as screens:
            site = Site(screens, house, sessions=Sessions(pin))
            with served(create_app(site)) as address:
                tab = page(size=DESK)
                log_in(tab, address, "/setup")
                go(tab, "check")
                main = tab.locator("main")
                main.get_by_role("button", name="Begin the check").click()
                expect(main.locator(".prompt")).to_contain_text("Lights")
                axe(tab)
                shot(tab, "setup-check-en", whole=True)
                main.get_by_role("button", name="Yes").click()
                expect(main.locator(".prompt")).to_contain_text("Buzzer")
                main.get_by_role("button", name="No", exact=True).click()
                expect(main.locator(".prompt")).to_contain_text("Button")
                main.get_by_role("button", name="Skip").click()
                expect(main.locator(".prompt")).to_contain_text("arrow point", timeout=SLOW_MS)
                main.get_by_role("button", name="Yes").click()
                expect(main.locator(".note").first).to_contain_text("failed", timeout=SLOW_MS)
                expect(main.locator(".checklist li.wrong")).to_contain_text("Buzzer")
                tab.close()


def test_the_kit_is_made_and_found(address: str, page: Pages, axe: Axe, shot: Shot) -> None:
    for lang, dark in (("de", False), ("en", True)):
        tab = page(size=DESK if lang == "de" else PHONE, lang=lang, dark=dark)
        tab.goto(f"{address}/kit")
        main = tab.locator("main")
        expect(main.locator(".addresses").first).to_contain_text("http://192.168.1.5:8000/")
        expect(main.locator(".code img")).to_have_count(2)
        for image in main.locator(".code img").all():
            expect(image).to_have_js_property("complete", True)
            assert image.evaluate("image => image.naturalWidth") > 100
        axe(tab)
        shot(tab, f"kit-{lang}", whole=True)
        if lang == "de":
            main.get_by_role("button", name="PDF erstellen").click()
            link = main.get_by_text("PDF öffnen")
            expect(link).to_be_visible(timeout=SLOW_MS)
            path = link.get_attribute("href")
            answer = tab.request.get(f"{address}{path}")
            assert answer.body().startswith(b"%PDF")


def test_only_on_this_computer_it_says_how_others_may_watch(
    house: House, pin: Pin, page: Pages, axe: Axe
) -> None:
    screens = Screens(pages_of(house))
    with screens, served(create_app(Site(screens, house, sessions=Sessions(pin)))) as address:
        tab = page(size=PHONE, lang="de")
        tab.goto(f"{address}/kit")
        expect(tab.locator("main")).to_contain_text("nur auf diesem Computer")
        expect(tab.locator("code").first).to_have_text("--lan")
        assert tab.locator(".code img").count() == 0
        axe(tab)
        tab.close()
