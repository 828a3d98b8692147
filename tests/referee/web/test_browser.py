"""A whole evening at the page of a match, in a real browser."""

from __future__ import annotations

from pathlib import Path

from referee.match.commands import Do
from referee.match.fold import Stage
from referee.web.app import create_app
from tests.referee.observations import down, sure
from tests.referee.web.browser import Browser, browser, served
from tests.referee.web.stage import Stage as Table

ENTER = ("Enter", 13, "\r")
ONE_DOWN = [
    *sure("centre", "a"),
    *sure("centre", "b", 2),
    *sure("centre", "c", 2),
    down("castle"),
]
#: How long the page takes no decision after the match has gone on (ms).
CALM = "new Promise(done => setTimeout(done, 650))"


def text(page: Browser, selector: str) -> str:
    return str(page.run(f"document.querySelector({selector!r}).innerText"))


def shown(page: Browser, selector: str) -> bool:
    return bool(page.run(f"document.querySelector({selector!r}).checkVisibility()"))


def says(selector: str, words: str) -> str:
    """Whether words are shown there, in whatever case the style writes them."""
    node = f"document.querySelector({selector!r})"
    return f"{node}.innerText.toUpperCase().includes({words.upper()!r})"


def test_a_match_is_played_at_its_page(stage: Table, tmp_path: Path) -> None:
    with browser(tmp_path / "profile") as page:
        with served(create_app(stage.page)) as address:
            page.open(address)
            page.until("!document.body.classList.contains('waiting')")
            decide(page, stage)
            correct_a_tile(page, stage)
            take_back(page, stage)
            assert page.errors == []
            assert shown(page, "main")
            assert shown(page, "#hand")
        page.until("!document.querySelector('#lost').hidden")
        assert "has not answered" in text(page, "#lost")
        assert not shown(page, "main")
        assert not shown(page, "#hand")


def decide(page: Browser, stage: Table) -> None:
    """Nobody decides without a name; a move is written with the keyboard alone."""
    assert text(page, "#title") == "Toy"
    assert text(page, "#caption") == "Do the spin."
    page.click("button.start")
    assert text(page, "#answer") == "Say first who decides."
    assert page.run("document.activeElement.id") == "by"
    page.write("Ann")
    page.run("document.querySelector('summary').focus()")
    page.press(*ENTER)
    page.run("document.querySelector('#move').focus()")
    page.write("spin 2 -")
    page.press(*ENTER)
    page.until(says("#verdict", "spin 2"))
    assert "RULED BY ANN" in text(page, "#verdict").upper()
    # What is pressed just as the match goes on was meant for what stood there before.
    page.click("button.start")
    assert "just gone on" in text(page, "#answer")
    page.run(CALM)
    page.click("button.start")
    page.until("!document.querySelector('#glass').hidden")
    page.click("button.stop")
    assert "just gone on" in text(page, "#answer")
    page.until("Number(document.querySelector('#glass b').innerText) < 20")
    assert stage.view.device.stage is Stage.RUNNING


def correct_a_tile(page: Browser, stage: Table) -> None:
    """The verdict says what is missing; the tile is pointed at, and its face chosen."""
    stage.say(Do.STOP)
    stage.see(ONE_DOWN)
    page.until(says("#now", "One tile lies face down."))
    page.until("document.querySelectorAll('#tiles polygon').length === 6")
    page.until("document.querySelector('#picture').naturalWidth === 1280")
    page.click("#tiles polygon:last-child")
    page.until("document.querySelector('#face').open")
    assert "face down" in text(page, "#face-text")
    page.click("#faces button[value=a]")
    page.until(says("#verdict", "confirmed"))
    assert stage.view.moves[-1] == "raid - a"


def take_back(page: Browser, stage: Table) -> None:
    """Undo asks first; no is no."""
    page.run(CALM)
    page.click("[data-key=undo]")
    page.until("document.querySelector('#ask').open")
    page.click("#ask button[value=no]")
    assert stage.view.state_id == 2
    page.click("[data-key=undo]")
    page.click("#ask-yes")
    page.until(says("#verdict", "taken back"))
    assert stage.view.position.phase == "raid"
