"""Simulated tables: one picture of a placement, or a live table that hands play at."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from referee.games.table import Placement, TablePlan
from referee.simulation.arrangement import TIDY, Arrangement, Habits
from referee.simulation.conditions import Conditions
from referee.simulation.motion import Sweep, during, sweeps
from referee.simulation.staging import Art, scene_of, tile_flat
from vision.scene.description import Flat, Rendered, Scene
from vision.scene.render import Renderer


def arrange(
    plan: TablePlan,
    placement: Placement,
    art: Art,
    rng: np.random.Generator,
    conditions: Conditions,
    *,
    habits: Habits = TIDY,
    scenery: Sequence[Flat] = (),
) -> Scene:
    """The scene of a placement, laid out at random as people do.

    Tiles lie in their zones, without overlap unless the habits say so; statues stand on their
    fields. `art` holds the drawings (BGRA) by name. Raises NoRoomError if a zone can't hold its
    tiles, ValueError for a zone or field that the plan lacks, KeyError for art that is missing.
    """
    arrangement = Arrangement.empty(plan, rng, habits).relaid(placement, rng, habits)
    seed = int(rng.integers(2**31))
    return scene_of(arrangement, art, conditions, scenery=scenery, seed=seed)


class SimulatedTable:
    """A table under a camera. Things stay where they lie until a hand moves them.

    One thread may lay things while another one takes frames.
    """

    def __init__(
        self,
        plan: TablePlan,
        art: Art,
        conditions: Conditions,
        *,
        seed: int = 0,
        habits: Habits = TIDY,
        sweep_seconds: float = 0.0,
        scenery: Sequence[Flat] = (),
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """`sweep_seconds` is what a hand takes to come, carry and go; 0 for no hands at all."""
        self._rng = np.random.default_rng(seed)
        self._art, self._conditions, self._habits = art, conditions, habits
        self._scenery = tuple(scenery)
        self._sweep_seconds, self._clock, self._pause = sweep_seconds, clock, pause
        self._arrangement = self._meant = Arrangement.empty(plan, self._rng, habits)
        self._sweeps: list[Sweep] = []
        self._began = 0.0
        self._frames = 0
        self._renderer = Renderer()
        self._change, self._draw = threading.Lock(), threading.Lock()

    def lay(
        self,
        placement: Placement,
        *,
        relaid: bool,
        slip: Callable[[Arrangement, np.random.Generator], Arrangement] | None = None,
    ) -> None:
        """Lays things so, and returns when the last hand has left.

        What lay there before stays where it is, unless the tiles are to be `relaid`. A `slip`
        lays something askew; the next hands put that straight. Raises as `arrange`.
        """
        before = self._arrangement
        self._meant = after = self._meant.relaid(
            placement, self._rng, self._habits, keep=not relaid
        )
        if slip is not None:
            after = slip(after, self._rng)
        hands = sweeps(before, after) if self._sweep_seconds > 0.0 else []
        with self._change:
            self._arrangement, self._sweeps, self._began = after, hands, self._clock()
        if hands:
            self._pause(len(hands) * self._sweep_seconds)

    def scene(self, now: float | None = None) -> Scene:
        """The table at a time of the clock, by default now."""
        with self._change:
            arrangement, hands, began = self._arrangement, self._sweeps, self._began
            self._frames += 1
            seed = self._frames
        passed = (self._clock() if now is None else now) - began
        at = int(passed // self._sweep_seconds) if hands else 0
        if at >= len(hands):
            return self._staged(arrangement, seed)
        share = max(0.0, passed / self._sweep_seconds - at)
        table, carried, hand = during(hands[at], share)
        flats = [tile_flat(tile, table, self._art) for tile in carried]
        return scene_of(
            table,
            self._art,
            self._conditions,
            scenery=self._scenery,
            hands=(hand,),
            carried=flats,
            seed=seed,
        )

    def rendered(self, now: float | None = None) -> Rendered:
        """The next frame, with its truth."""
        scene = self.scene(now)
        with self._draw:
            return self._renderer.render(scene)

    def frame(self, now: float | None = None) -> NDArray[np.uint8]:
        """The next frame, BGR."""
        return self.rendered(now).image

    def _staged(self, arrangement: Arrangement, seed: int) -> Scene:
        return scene_of(arrangement, self._art, self._conditions, scenery=self._scenery, seed=seed)
