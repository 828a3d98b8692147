"""Matches as a judge has them: the small game, and a real position of Tumult Royale."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

from referee.box.box import Box
from referee.games.tumult_royale import Phase, apply
from referee.games.tumult_royale.art import drawings
from referee.games.tumult_royale.edition import edition_text
from referee.games.tumult_royale.moves import Build
from referee.games.tumult_royale.state import State
from referee.games.tumult_royale.tiles import count
from referee.journal import EvidenceStore, Journal, header_of
from referee.match.live import Live
from referee.match.match import Match
from referee.match.watch import Watch
from referee.simulation.conditions import Conditions
from referee.web.gear import Opened
from referee.web.house import House
from referee.web.page import MatchPage
from referee.web.screens import Screens
from referee.web.sessions import Sessions
from referee.web.site import Site
from tests.referee.games.tumult_royale.tables import KIT, position
from tests.referee.match.judge import PACE_S, HeldUndrawn, TimedEyes, the_game
from tests.referee.simulation.eyes import BLANK
from tests.referee.web.conftest import PIN
from tests.referee.web.houses import DrawnGear
from tests.referee.web.stage import Stage
from vision.camera import Drawn
from vision.scene.cameras import overhead_camera
from vision.scene.description import Lamp, Sensor

#: Who judges in these tests.
NAME = "Mia"


class Home(House):
    """A house in which a match is open already."""

    def __init__(self, folder: Path, match: Opened | None = None) -> None:
        super().__init__(DrawnGear(), folder, file=folder / "settings.toml")
        self._match = match


def opened(stage: Stage | RoyaleStage, box: Box | None = None) -> Opened:
    """The match of a stage, as a house has it."""
    return Opened(stage.game, stage.journal, stage.evidence, stage.watch, box, stage.live)


def judged(stage: Stage | RoyaleStage, sessions: Sessions) -> Site:
    """A site at which the match of a stage is judged."""
    home = Home(stage.journal.path.parent, opened(stage))
    return Site(stage.screens, home, sessions=sessions)


def log_in(tab: Page, address: str) -> None:
    """Gives the PIN, as the page that asks for it does."""
    request = tab.context.request
    token = request.get(f"{address}/api/session").json()["token"]
    answer = request.post(
        f"{address}/api/login",
        data={"pin": PIN},
        headers={"X-Referee": token, "Origin": address},
    )
    assert answer.json()["accepted"], answer.text()


def sit_down(tab: Page, address: str, name: str = NAME) -> Page:
    """Opens the judge's page as somebody who has said their name on this device before."""
    log_in(tab, address)
    if name:
        tab.add_init_script(f"localStorage.setItem('by', {name!r})")
    tab.goto(f"{address}/judge")
    tab.locator("#panel").wait_for()
    return tab


#: Yellow is to build, and has more than it needs.
ROYALE = position(Phase.BUILD, ("r1c1", "r5c1"), ("b11m2", "t2"), ranks=(1, 2), turn=0, round=1)


class RoyaleStage:
    """A match of Tumult Royale at a real position; eyes without fault look at its table."""

    def __init__(self, folder: Path, start: State = ROYALE) -> None:
        self.game = the_game()
        header = header_of(
            game=self.game.name,
            edition=self.game.edition,
            edition_text=edition_text("kit"),
            setup={},
            people={},
            calibration="",
        )
        self.journal = Journal.create(folder / "royale.match", header, now=time.time)
        self.evidence = EvidenceStore(folder / "royale.evidence")
        Match.begin(self.game, self.journal, start, "host")
        match = Match(
            self.game, self.journal, now=time.monotonic(), wall=time.time, pictures=self.evidence
        )
        plan = self.game.plan(start)
        eyes = TimedEyes(plan)
        camera = overhead_camera(plan.size, (BLANK.shape[1], BLANK.shape[0]))
        conditions = Conditions(camera, "wood", 1, Lamp(), Sensor())
        art = {name: np.zeros((2, 2, 4), np.uint8) for name in drawings(KIT)}
        self.table = HeldUndrawn(plan, art, conditions, seed=1)
        eyes.table = self.table
        self.watch = Watch(Drawn(self._paced), eyes.as_session)
        self.live: Live[Any, Any] = Live(match, self.watch, None)
        page: MatchPage[Any, Any] = MatchPage(
            self.game, self.live, self.watch, self.evidence, art.get
        )
        self.screens = Screens(lambda: page)
        self.lay(start)

    def _paced(self) -> NDArray[np.uint8]:
        time.sleep(PACE_S)
        return self.table.frame()

    def lay(self, state: State) -> None:
        """Lays the table as a position says."""
        self.table.lay(self.game.placement(state), relaid=False)

    @property
    def state(self) -> State:
        """The position on record."""
        state = self.live.view.position
        assert isinstance(state, State)
        return state

    def until(self, holds: Callable[[], bool]) -> None:
        """Waits for something to become true; fails after ten seconds."""
        deadline = time.monotonic() + 10.0
        while not holds():
            assert time.monotonic() < deadline, "it did not happen"
            time.sleep(0.01)


@contextmanager
def royale(folder: Path, start: State = ROYALE) -> Iterator[RoyaleStage]:
    """A running match."""
    stage = RoyaleStage(folder, start)
    stage.watch.start()
    stage.live.start()
    stage.screens.start()
    try:
        yield stage
    finally:
        stage.screens.stop()
        stage.live.stop()
        stage.watch.stop()
        stage.evidence.close()
        stage.journal.close()


def overpaid() -> tuple[Build, State]:
    """Yellow builds on a pasture, and pays a tile more than it costs: the move, and the table."""
    build = Build(0, ROYALE.board.number("r1c2"), count(["bread-1", "bread-1", "marble-2"]))
    return build, apply(ROYALE, build)
