"""A match of the small game with a camera whose looks a test writes; all else is the real thing."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.games.game import Choice, Good, Line, Sheet, Step
from referee.games.table import TablePlan
from referee.journal import Journal
from referee.journal.evidence import EvidenceStore
from referee.match.commands import Answer, Command, Do
from referee.match.live import Live
from referee.match.match import Match, View
from referee.match.watch import Watch
from referee.web.page import MatchPage
from referee.web.publish import Audience
from referee.web.screens import Screens
from tests.referee.looks import look
from tests.referee.match.toy import TILES, Move, Toy, ToyGame
from tests.referee.observations import Tile, observe
from vision.camera import Drawn, Frame
from vision.dial import DialReading
from vision.session import Look, Session

PICTURE = np.full((720, 1280, 3), 90, np.uint8)
LABELS = tuple(TILES)
FRAME_S = 0.02


class ShownToy(ToyGame):
    """The small game with words and a score sheet."""

    title = "Toy"
    goods = tuple(Good(f"good {label}", f"drawing-{label}", {label: 1}) for label in LABELS)

    def step(self, state: Toy) -> Step[Move] | None:
        step = super().step(state)
        if step is None:
            return None
        return replace(step, title=f"The {step.phase}", instruction=f"Do the {step.phase}.")

    def choices(self, state: Toy) -> tuple[Choice, ...]:
        if state.phase != "pay":
            return ()
        return tuple(
            Choice(f"pay {label} -", f"Pay {label}") for label in sorted(set(state.castle))
        )

    def sheet(self, state: Toy) -> Sheet:
        over = self.step(state) is None
        lines = (
            Line("Red", "red", "castle", 2, (("may take", str(state.most)),), ("mercy",)),
            Line("Blue", "blue", "", 1, ()),
        )
        return Sheet(state.round, state.most, lines, "Red has won." if over else "")

    def plan(self, state: Toy) -> TablePlan:
        colours = {"red": (190, 40, 40), "blue": (40, 90, 190)}
        return TablePlan((9.0, 9.0), (), (), (), (1.0, 1.0), 1.0, colours, 0.0, 0.0)


class Eyes(Session):
    """Sees what a test says; the same table until it says something else."""

    def __init__(self) -> None:
        self.sees: Look | None = None

    def look(self, frame: Frame) -> Look:
        return replace(self.sees or look(None, why="motion"), frame=frame)

    def lay_bare(self, faces: Mapping[str, NDArray[np.uint8]]) -> None:
        """What it sees has no boards."""

    def look_again(self) -> None:
        """The table that is seen is read anew."""
        if self.sees is not None and self.sees.settled is not None:
            self.sees = look(self.sees.settled.observation)


def slowly() -> np.ndarray:
    time.sleep(FRAME_S)
    return PICTURE


class Stage:
    """A running match and its page."""

    def __init__(self, folder: Path, *, camera: bool = True, name: str = "toy") -> None:
        self.game, self.eyes = ShownToy(), Eyes()
        header = {"game": "toy", "edition": "toy-1"}
        self.journal = Journal.create(folder / f"{name}.match", header, now=time.time)
        self.evidence = EvidenceStore(folder / f"{name}.evidence")
        Match.begin(self.game, self.journal, Toy(), "Ann")
        match = Match(
            self.game, self.journal, now=time.monotonic(), wall=time.time, pictures=self.evidence
        )
        self.camera = Drawn(slowly)
        self.watch = Watch(self.camera, lambda: self.eyes) if camera else None
        self.live = Live(match, self.watch, None)
        art = {f"drawing-{label}": np.full((8, 8, 4), 200, np.uint8) for label in LABELS}
        self.clock_ahead = 0.0
        """Seconds by which the page believes it to be later."""
        self.page = MatchPage(
            self.game,
            self.live,
            self.watch,
            self.evidence,
            art.get,
            people={"red": "Ann"},
            clock=self._clock,
        )
        self.screens = Screens(lambda: self.page)
        self._serial = 0

    def _clock(self) -> float:
        return time.monotonic() + self.clock_ahead

    def start(self) -> None:
        if self.watch is not None:
            self.watch.start()
        self.live.start()
        self.screens.start()

    def stop(self) -> None:
        self.screens.stop()
        self.live.stop()
        if self.watch is not None:
            self.watch.stop()
        self.evidence.close()
        self.journal.close()

    @property
    def frame(self) -> int:
        """The number of the newest picture that was looked at; -1 before the first."""
        look = self.page.look
        return -1 if look is None else look.frame.id

    @property
    def view(self) -> View[Toy, Move]:
        return self.live.view

    def say(self, do: Do, text: str = "", *, reason: str = "", to: int = -1) -> Answer:
        """What a person wants; refused by nobody."""
        self._serial += 1
        command = Command(do, self.view.state_id, f"s{self._serial}", "Ann", text, reason, to)
        answer = self.live.command(command)
        assert answer.accepted, answer.text
        return answer

    def shown(self, audience: Audience = Audience.TABLE) -> dict[str, Any]:
        """The document that is published of what holds now."""
        publisher = self.screens.publisher
        looks = publisher.looks
        # The look that is under way may have begun before.
        self.until(lambda: publisher.looks >= looks + 2)
        return publisher.editions(audience).newest.document

    def see(self, tiles: list[Tile], dial: str | None = None) -> None:
        """What lies on the table from now on."""
        seen = observe(tiles, LABELS, ("centre", "castle"), fields=("f1",))
        reading = DialReading(dial, (), None, dial is not None)
        self.eyes.sees = look(replace(seen, sure_fields=("f1",), dial=reading))

    def blocked(self) -> sqlite3.Connection:
        """Another program that keeps the record to itself until its connection is closed."""
        other = sqlite3.connect(self.journal.path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        return other

    def until(self, holds: Callable[[], bool]) -> None:
        """Waits for something to become true; fails after ten seconds."""
        deadline = time.monotonic() + 10.0
        while not holds():
            assert time.monotonic() < deadline, "it did not happen"
            time.sleep(0.01)
