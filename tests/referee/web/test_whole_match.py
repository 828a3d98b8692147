"""A round of Tumult Royale as everybody sees it at once: table screen, judge and stream.

Its players lay things under eyes without fault, and enter what the box would do.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from referee.games.hands import Press
from referee.games.tumult_royale import MODEST, STEADY, Phase, deal
from referee.games.tumult_royale.hands import Hands, Temper
from referee.match.commands import Do
from referee.web.app import create_app
from referee.web.page import MatchPage
from referee.web.pin import Pin
from referee.web.screens import Screens
from referee.web.sessions import Sessions
from referee.web.site import Site
from referee.words import in_language
from tests.referee.games.tumult_royale.tables import KIT
from tests.referee.web.acted import Players
from tests.referee.web.browser import SERVER_GONE, TABLET, TV, Pages, served
from tests.referee.web.judged import Home, RoyaleStage, log_in, opened, royale, sit_down

LANGUAGES = ("en", "de")
#: Where each page says what the referee said last, and whose each line of the score sheet is.
HEADLINES = {"table": ".side .verdict h2", "judge": "#panel .verdict h2", "overlay": ".said h2"}
LINES = {"table": ".seats > li", "judge": ".sheet tbody tr", "overlay": ".standings li"}


class Everybody:
    """All pages of a match, in both languages."""

    def __init__(self, page: Pages, address: str) -> None:
        self.tabs: dict[tuple[str, str], Page] = {}
        for lang in LANGUAGES:
            self.tabs["table", lang] = table = page(size=TV, lang=lang)
            table.goto(address)
            self.tabs["judge", lang] = sit_down(page(size=TABLET, lang=lang), address)
            self.tabs["overlay", lang] = overlay = page(size=TV, lang=lang)
            overlay.goto(f"{address}/overlay?parts=turn,timer,verdict,standings")

    def agree(self, stage: RoyaleStage) -> None:
        """Every page says what is on record: the last headline, and all that each seat has."""
        view = stage.live.view
        for (kind, lang), tab in self.tabs.items():
            headline = in_language(view.told[0], lang)
            expect(tab.locator(HEADLINES[kind]).last).to_contain_text(headline)
            expect(tab.locator(LINES[kind])).to_have_count(len(view.sheet.lines))
            for line in view.sheet.lines:
                name = in_language(line.name, lang)
                told = tab.locator(LINES[kind], has_text=name)
                for _, value in line.facts:
                    expect(told).to_contain_text(in_language(value, lang))

    def say(self, kind: str, english: str, german: str) -> None:
        """One kind of page says something, in each language."""
        expect(self.tabs[kind, "en"].locator("body")).to_contain_text(english)
        expect(self.tabs[kind, "de"].locator("body")).to_contain_text(german)


def test_everybody_sees_the_same_round(
    tmp_path: Path, page: Pages, pin: Pin, shot: Callable[..., bytes]
) -> None:
    rng = Random(5)
    start = deal(KIT, 2, rng)
    hands = Hands(start, [Temper(MODEST), Temper(STEADY)], rng).play(1)
    with royale(tmp_path, start) as stage:
        home = Home(tmp_path, opened(stage))
        site = Site(stage.screens, home, sessions=Sessions(pin))
        with served(create_app(site)) as address:
            everybody = Everybody(page, address)
            everybody.say("table", "Setting up", "Aufbau")
            players = Players(stage, hands)
            players.play()
            # The round is over, and nearly all of it was seen.
            assert stage.state.round == 2
            assert stage.state.phase is Phase.SENTIMENT
            assert players.seen >= 6
            everybody.agree(stage)
            for kind in ("table", "overlay"):
                everybody.say(kind, "Round 2", "Runde 2")
            for (kind, lang), tab in everybody.tabs.items():
                shot(tab, f"whole-match-{kind}-{lang}", clear=kind == "overlay")
            correct(everybody, stage)
            players.press(Press(Do.DONE.value))
            everybody.agree(stage)
            told_later(everybody.tabs["table", "de"], address, stage)
            page.allow(*SERVER_GONE)
        lost(everybody)
        again(everybody, stage, home, pin, int(address.rpartition(":")[2]))


def correct(everybody: Everybody, stage: RoyaleStage) -> None:
    """What the judge takes back is taken back everywhere."""
    judge = everybody.tabs["judge", "en"]
    state = stage.live.view.state_id
    judge.locator("[data-do=undo]").click()
    asked = judge.get_by_role("dialog")
    asked.get_by_role("button", name="It was entered by mistake.").click()
    asked.locator(".yes").click()
    stage.until(lambda: stage.live.view.state_id == state + 1)
    assert stage.state.round == 1
    for kind in ("table", "overlay"):
        everybody.say(kind, "Round 1", "Runde 1")


def told_later(tab: Page, address: str, stage: RoyaleStage) -> None:
    """The page of matches on record knows it too."""
    told: dict[str, Any] = tab.evaluate(
        f"fetch('/api/history/{stage.journal.id}').then(answer => answer.json())"
    )
    assert told["trouble"] == ""
    supporters = next(each for each in told["measures"] if each["key"] == "supporters")
    assert [seat["total"] for seat in supporters["seats"]] == [
        seat.supporters for seat in stage.state.seats
    ]


def lost(everybody: Everybody) -> None:
    """Without a server nothing that may be old is shown."""
    for (kind, _), tab in everybody.tabs.items():
        expect(tab.locator(HEADLINES[kind])).to_have_count(0)


def again(everybody: Everybody, stage: RoyaleStage, home: Home, pin: Pin, port: int) -> None:
    """A server that was started anew shows all of it again; whoever judges gives the PIN."""
    shown: MatchPage[Any, Any] = MatchPage(
        stage.game, stage.live, stage.watch, stage.evidence, lambda name: None
    )
    with Screens(lambda: shown) as screens:
        site = Site(screens, home, sessions=Sessions(pin))
        with served(create_app(site), port) as address:
            for lang in LANGUAGES:
                judge = everybody.tabs["judge", lang]
                expect(judge.get_by_label("PIN")).to_be_visible()
                log_in(judge, address)
                judge.goto(f"{address}/judge")
            everybody.agree(stage)
