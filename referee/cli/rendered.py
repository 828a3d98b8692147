"""A rendered table in place of a real one: a camera that draws it, players who act, a fake box."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.box.box import Box
from referee.box.draw import Dial
from referee.cli.kitset import KitArt
from referee.cli.opening import KitGear
from referee.games.game import Game
from referee.games.loading import load_game
from referee.games.table import TablePlan
from referee.games.tumult_royale import COLOURS, PLAYERS
from referee.games.tumult_royale.hands import Hands, Temper
from referee.simulation.conditions import Conditions
from referee.simulation.players.acting import Actors
from referee.simulation.table import SimulatedTable
from referee.web.gear import Opened
from referee.web.setup.settings import KIT, Settings
from vision.camera import Camera, Drawn, Found
from vision.scene.cameras import overhead_camera
from vision.scene.description import Lamp, Sensor

#: Who sits at the table: some are greedy, so that there is something to rule on, some clumsy.
TEMPERS = (
    Temper(PLAYERS["greedy"]),
    Temper(PLAYERS["modest"], clumsy=0.3),
    Temper(PLAYERS["steady"]),
    Temper(PLAYERS["modest"]),
)
FRAME_SIZE = (1280, 720)
#: Pictures a second: drawing more would only take time from reading them.
FRAME_RATE = 8.0
#: Seconds in which a hand comes, carries and goes, at normal speed.
SWEEP_SECONDS = 0.7
#: More rounds than a game can have.
ROUNDS = 99


class RenderedGear(KitGear):
    """The demo's table. It lies ready before a match; its players play whatever begins."""

    def __init__(self, *, seed: int = 1, speed: float = 1.0) -> None:
        """`speed` is how fast the players are."""
        super().__init__()
        self._seed, self._speed = seed, speed
        self._kit = KitArt()
        game = load_game(self.game, self.edition(KIT))
        start = game.begin(game.draw({"seats": ",".join(COLOURS)}, Random(seed)))
        self._table = self._made(game, start)
        self._table.lay(game.placement(start), relaid=True)
        self._actors: Actors | None = None
        self._played: list[Actors] = []
        self._stopped = threading.Event()

    @property
    def confirmed(self) -> tuple[int, int]:
        """How many moves were confirmed from pictures so far, and how many of those wrongly."""
        records = [actors.record for actors in self._played]
        return sum(each.confirmed for each in records), sum(each.wrong for each in records)

    def cameras(self) -> Sequence[Found]:
        """The rendered one."""
        return [Found(0, "Rendered table", ("rendered",))]

    def open(self, spec: str, settings: Settings) -> Camera:
        """The rendered table, whatever is named."""
        return Drawn(_paced(lambda: self._table.frame()))

    def box(self, port: str) -> Box:
        """A box in this program."""
        return Box("fake://demo")

    def laid(self, game: Game[Any, Any], position: Any, new: bool) -> Callable[[Dial], int]:
        """Lays the table of a match; players sit down at a new one."""
        table = self._made(game, position)
        self._stopped = threading.Event()
        stopped, speed = self._stopped, self._speed

        def pause(seconds: float) -> None:
            stopped.wait(seconds / speed)

        seats = len(game.sheet(position).lines)
        hands = Hands(position, TEMPERS[:seats], Random(self._seed)).play(ROUNDS)
        actors = Actors(table, hands, pause)
        if new:
            self._actors = actors
            self._played.append(actors)
        else:
            # What they had in mind before is not on record: people go on by hand.
            table.lay(game.placement(position), relaid=True)
        self._table = table
        return actors.draw

    def plays(self, match: Opened) -> None:
        """Lets the players play, if they sit there."""
        if self._actors is not None:
            play = self._actors.play
            threading.Thread(target=play, args=(match.live,), name="players", daemon=True).start()

    def over(self) -> None:
        """Lets the players go; the table stays as they leave it."""
        self._stopped.set()
        if self._actors is not None:
            self._actors.stop()
            self._actors = None

    def _made(self, game: Game[Any, Any], position: Any) -> SimulatedTable:
        plan = game.plan(position)
        return SimulatedTable(
            plan,
            self._kit,
            _conditions(plan),
            seed=self._seed,
            sweep_seconds=SWEEP_SECONDS / self._speed,
        )


def _paced(draw: Callable[[], NDArray[np.uint8]]) -> Callable[[], NDArray[np.uint8]]:
    """Draws no more often than a webcam takes pictures."""
    due = time.monotonic()

    def drawn() -> NDArray[np.uint8]:
        nonlocal due
        time.sleep(max(0.0, due - time.monotonic()))
        due = time.monotonic() + 1 / FRAME_RATE
        return draw()

    return drawn


def _conditions(plan: TablePlan) -> Conditions:
    """An evening in a café: wood, a lamp, a webcam on a stand."""
    return Conditions(
        camera=overhead_camera(plan.size, FRAME_SIZE, tilt=4.0),
        surface="wood",
        surface_seed=7,
        lamp=Lamp(colour=(0.94, 1.0, 1.05)),
        sensor=Sensor(),
    )
