"""The overlay of a stream: what it shows, what stays transparent, and that it never gives up."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page, expect

from referee.match.commands import Do
from referee.web.app import create_app
from referee.web.site import Site
from tests.referee.web.browser import SERVER_GONE, TV, Pages, served
from tests.referee.web.stage import Stage as Table
from tests.referee.web.standin import StandIn

OVERLAY = Path(__file__).parents[3] / "referee" / "web" / "static" / "overlay"
PARAMETERS = ("parts", "theme", "lang", "scale", "delay", "side")
#: Text smaller than this (pixels of a picture of 1080 lines) is lost in a stream.
LEGIBLE_PX = 22


@contextmanager
def open_at(site: Site, page: Pages, port: int = 0) -> Iterator[str]:
    """The site on a port; pages that still stand open when it stops may say so."""
    with served(create_app(site), port) as address:
        yield address
        page.allow(*SERVER_GONE)


def playing(stage: Table) -> None:
    """A hourglass runs after somebody has ruled."""
    stage.say(Do.ENTER, "spin 2 -")
    stage.say(Do.START)


def painted(shot: bytes) -> NDArray[np.uint8]:
    """How opaque each pixel is: 0 to 255."""
    image = cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_UNCHANGED)
    assert image is not None
    assert image.shape[2] == 4
    return np.asarray(image[:, :, 3], np.uint8)


def box_of(tab: Page, selector: str) -> tuple[int, int, int, int]:
    box = tab.locator(selector).bounding_box()
    assert box is not None
    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
    return math.floor(box["x"]), math.floor(box["y"]), math.ceil(right), math.ceil(bottom)


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("theme", ["dark", "light", "contrast"])
def test_only_its_parts_are_painted(
    stage: Table, site: Site, page: Pages, lang: str, theme: str,
    axe: Callable[..., None], shot: Callable[..., bytes],
) -> None:  # fmt: skip
    """By pixels; and its texts can be read over any picture, at the size of a stream."""
    playing(stage)
    tab = page(size=TV)
    with open_at(site, page) as address:
        tab.goto(f"{address}/overlay?theme={theme}&lang={lang}&parts=turn,timer,verdict,standings")
        expect(tab.locator(".part")).to_have_count(4)
        expect(tab.locator("html")).to_have_attribute("lang", lang)
        alpha = painted(shot(tab, f"overlay-{theme}-{lang}", clear=True))
        parts = np.zeros(alpha.shape, bool)
        for k in range(4):
            left, top, right, bottom = box_of(tab, f".part >> nth={k}")
            parts[top:bottom, left:right] = True
            middle = alpha[top + 16 : bottom - 16, left + 16 : right - 16]
            assert middle.min() == 255, "a part's ground must hide whatever is under it"
        assert parts.mean() < 0.35
        assert alpha[~parts].max() == 0
        small = tab.evaluate(
            """least => [...document.querySelectorAll(".part *")]
                .filter(each => [...each.childNodes].some(
                    node => node.nodeType === 3 && node.data.trim()))
                .filter(each => parseFloat(getComputedStyle(each).fontSize) < least)
                .map(each => each.outerHTML.slice(0, 90))""",
            LEGIBLE_PX,
        )
        assert small == []
        axe(tab)


def test_it_shows_the_parts_that_are_asked_for(stage: Table, site: Site, page: Pages) -> None:
    playing(stage)
    tab = page(size=TV)
    with open_at(site, page) as address:
        tab.goto(f"{address}/overlay?parts=standings,verdict&side=right&scale=1.5")
        expect(tab.locator(".part")).to_have_count(2)
        expect(tab.locator(".part").first).to_have_class(re.compile("standings"))
        expect(tab.locator(".said")).to_contain_text("spin 2")
        expect(tab.locator(".standings li")).to_have_count(2)
        left, _, right, _ = box_of(tab, ".standings")
        assert left > TV[0] / 2
        assert right <= TV[0]
        assert (
            tab.evaluate("getComputedStyle(document.querySelector('.overlay')).fontSize") == "36px"
        )
        tab.goto(f"{address}/overlay?parts=timer")
        expect(tab.locator(".timer .number")).to_have_text(re.compile("^1?[0-9]$"))
        expect(tab.locator(".part")).to_have_count(1)
        stage.say(Do.STOP)
        expect(tab.locator(".part")).to_have_count(0)


def test_what_it_does_not_know_is_told(site: Site, page: Pages) -> None:
    tab = page(size=TV)
    with open_at(site, page) as address:
        tab.goto(f"{address}/overlay?parts=timer,scores&themes=dark&scale=99&delay=x")
        expect(tab.locator(".wrong")).to_contain_text("parts=scores, scale=99, delay=x, themes")


def test_it_says_reconnecting_rather_than_an_old_score(
    stage: Table, site: Site, page: Pages, shot: Callable[..., bytes]
) -> None:
    tab = page(size=TV)
    with open_at(site, page) as address:
        tab.goto(address + "/overlay")
        expect(tab.locator(".standings")).to_be_visible()
        page.allow(*SERVER_GONE)
    expect(tab.locator(".again")).to_have_text("Reconnecting …")
    expect(tab.locator(".part")).to_have_count(1)
    shot(tab, "overlay-reconnecting", clear=True)
    stage.say(Do.ENTER, "spin 2 -")
    # As long as it takes: then all of the state comes again.
    with open_at(site, page, int(address.rsplit(":", 1)[1])):
        expect(tab.locator(".again")).to_have_count(0)
        expect(tab.locator(".said")).to_contain_text("spin 2")


def test_it_comes_back_after_a_change_of_scene(stage: Table, site: Site, page: Pages) -> None:
    """A source that is shut down while it is not visible is opened anew."""
    tab = page(size=TV)
    with open_at(site, page) as address:
        tab.goto(address + "/overlay")
        expect(tab.locator(".standings")).to_be_visible()
        tab.goto("about:blank")
        stage.say(Do.ENTER, "spin 2 -")
        tab.goto(address + "/overlay")
        expect(tab.locator(".said")).to_contain_text("spin 2")
        background = "getComputedStyle(document.{}).backgroundColor"
        for node in ("body", "documentElement"):
            assert tab.evaluate(background.format(node)) == "rgba(0, 0, 0, 0)"


def test_during_a_review_no_verdict_is_shown(stage: Table, site: Site, page: Pages) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    tab = page(size=TV)
    with open_at(site, page) as address:
        tab.goto(address + "/overlay?parts=verdict")
        expect(tab.locator(".said")).to_contain_text("spin 2")
        stage.say(Do.REVIEW, reason="was it in time?")
        expect(tab.locator(".said")).to_contain_text("The judges are looking at this.")
        expect(tab.locator(".said")).not_to_contain_text("spin 2")


def test_the_delay_is_kept_by_the_server(stage: Table, site: Site, page: Pages) -> None:
    tab = page(size=TV)
    told: list[str] = []
    tab.on("websocket", lambda line: line.on("framereceived", lambda text: told.append(str(text))))
    with open_at(site, page) as address:
        tab.goto(address + "/overlay?delay=3")
        expect(tab.locator(".standings")).to_be_visible()
        stage.say(Do.ENTER, "spin 2 -")
        said = time.monotonic()
        tab.wait_for_timeout(1500)
        assert not any("spin 2" in text for text in told)
        expect(tab.locator(".said")).to_contain_text("spin 2")
        assert time.monotonic() - said > 2.5


def test_every_parameter_is_documented(site: Site, page: Pages) -> None:
    """The page reads none but those that the help lists; the help lists what it may be."""
    source = (OVERLAY / "parameters.js").read_text(encoding="utf-8")
    declared = re.findall(r'^    name: "(\w+)"', source, re.MULTILINE)
    assert sorted(declared) == sorted(PARAMETERS)
    others = "".join(path.read_text(encoding="utf-8") for path in OVERLAY.glob("*.js")
                     if path.name != "parameters.js")  # fmt: skip
    assert "URLSearchParams" not in others
    used = set(re.findall(r"values\.(\w+)", others)) - {"unknown"}
    assert used <= set(declared)
    tab = page()
    with open_at(site, page) as address:
        tab.goto(address + "/overlay/help")
        expect(tab.locator("legend code")).to_have_text(list(declared))
        for name in declared:
            assert len(tab.locator(f"#about-{name}").inner_text()) > 20
        for value in re.findall(r"among: \[(.*?)\]", source):
            for each in re.findall(r'"(\w+)"', value):
                expect(tab.locator(f"fieldset code:text-is('{each}')")).to_be_visible()


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_help_makes_the_address_and_shows_what_it_gives(
    stage: Table, site: Site, page: Pages, lang: str, dark: bool,
    axe: Callable[..., None], shot: Callable[..., bytes],
) -> None:  # fmt: skip
    tab = page(lang=lang, dark=dark)
    with open_at(site, page) as address:
        tab.goto(address + "/overlay/help")
        url = tab.locator("input.url")
        expect(url).to_have_value(address + "/overlay")
        tab.get_by_role("checkbox", name="timer").uncheck()
        tab.get_by_role("radio", name="right").check()
        tab.get_by_role("spinbutton", name="delay").fill("20")
        tab.get_by_role("spinbutton", name="delay").press("Tab")
        expect(url).to_have_value(address + "/overlay?parts=verdict,standings&delay=20&side=right")
        expect(tab.locator(".frame .overlay.right .standings li")).to_have_count(2)
        axe(tab)
        shot(tab, f"overlay-help-{lang}{'-dark' * dark}", whole=True)


def test_a_saved_file_waits_for_the_referee(
    stage: Table, site: Site, page: Pages, tmp_path: Path
) -> None:
    """OBS does not ask again for a page that was not there; a file on its own disk does."""
    tab = page(size=TV)
    with open_at(site, page) as address:
        tab.goto(address + "/overlay/help")
        with tab.expect_download() as saved:
            tab.get_by_role("button", name="Save as a file for OBS").click()
        file = tmp_path / saved.value.suggested_filename
        saved.value.save_as(file)
    page.allow(*SERVER_GONE, "asked for file:")
    tab.goto(file.as_uri())
    tab.wait_for_timeout(1200)
    assert tab.url == file.as_uri()
    with open_at(site, page, int(address.rsplit(":", 1)[1])):
        expect(tab.locator(".standings")).to_be_visible(timeout=15_000)
        assert tab.url == address + "/overlay"


def test_nothing_is_cut_however_much_there_is_to_say(page: Pages) -> None:
    """A long verdict is told in brief, and what is still too much is drawn smaller."""
    other = StandIn()
    verdict = {"outcome": "confirmed", "stamp": "Confirmed", "headline": "Tumult over bread!",
               "sentences": ["Two symbols of bread remain."], "rules": ["3.3"]}  # fmt: skip
    line = {"colour": "rgb(9, 9, 200)", "piece": "blue", "rank": 1, "badges": [], "acts": False,
            "facts": [["statues", "1 of 25"], ["supporters", "15"]]}  # fmt: skip
    seats = [{**line, "seat": k, "name": name} for k, name in enumerate(("Ann", "Ben", "Cleo"))]
    seats[0]["player"] = "Annegret"
    other.doc = {"match": "m", "state": 1, "seq": 1, "verdict": verdict, "standings": seats}
    tab = page(size=TV)
    with served(other.app) as address:
        tab.goto(address + "/static/overlay/index.html")
        expect(tab.locator(".said")).to_contain_text("Two symbols of bread remain.")
        other.change({"verdict": {"headline": "Tumult!", "sentences": ["A long story. " * 30] * 3}})
        expect(tab.locator(".said")).to_contain_text("Tumult!")
        expect(tab.locator(".said")).not_to_contain_text("A long story.")
        expect(tab.locator(".standings .seat-name")).to_have_text(["Annegret Ann", "Ben", "Cleo"])
        assert fits(tab)
        other.change({"verdict": {"headline": "Again", "sentences": ["One is greedy."]}})
        expect(tab.locator(".said")).to_contain_text("One is greedy.")
        tab.set_viewport_size({"width": 480, "height": 400})
        other.change({"verdict": {"headline": "Once more"}})
        expect(tab.locator(".said")).to_contain_text("Once more")
        assert fits(tab)
        page.allow(*SERVER_GONE)


def fits(tab: Page) -> bool:
    box = "document.querySelector('.overlay')"
    return bool(tab.evaluate(f"{box}.scrollHeight <= {box}.clientHeight + 1"))
