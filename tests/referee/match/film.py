"""A round that honest players play, filmed once: a few pictures, shown as often as one likes."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cli.kitset import kit_edition
from referee.games.hands import Deed, Screen
from referee.games.tumult_royale import STEADY, State, deal
from referee.games.tumult_royale.game import TumultRoyale
from referee.games.tumult_royale.hands import Hands, Temper
from referee.match.commands import Do
from referee.simulation.conditions import random_conditions
from referee.simulation.staging import Art
from referee.simulation.table import SimulatedTable

Image = NDArray[np.uint8]

PLAYERS = 2
#: Seconds that a hand takes, and when in that time it is filmed.
_SWEEP_S, _SHOTS = 0.4, (0.35, 0.65)
#: Fresh noise of a picture, in grey levels, and by how many pixels a field of it is larger.
_NOISE, _ROOM = 2.0, 64


@dataclass(frozen=True)
class Scene:
    """A deed, pictures of the hands that do it, and one of the table when they have left."""

    deed: Deed
    hands: tuple[Image, ...]
    table: Image


@dataclass(frozen=True)
class Film:
    """A start, and all that is done in one round from there."""

    game: TumultRoyale
    start: State
    scenes: tuple[Scene, ...]

    @classmethod
    def shot(cls, art: Art, size: tuple[int, int]) -> Film:
        """Plays and films a round in which nobody ends the hourglass."""
        game = TumultRoyale(kit_edition())
        seed, start = 0, deal(kit_edition(), PLAYERS, Random(0))
        deeds = _deeds(start, seed)
        while any(press.do == Do.STOP.value for deed in deeds for press in deed.before):
            seed += 1
            start = deal(kit_edition(), PLAYERS, Random(seed))
            deeds = _deeds(start, seed)
        plan, clock = game.plan(start), _Clock()
        conditions = random_conditions(np.random.default_rng(seed), plan.size, size)
        table = SimulatedTable(
            plan,
            art,
            conditions,
            seed=seed,
            sweep_seconds=_SWEEP_S,
            clock=clock.read,
            pause=clock.film,
        )
        scenes = []
        for deed in deeds:
            clock.table, clock.shots = table, []
            table.lay(deed.placement, relaid=deed.relaid)
            scenes.append(Scene(deed, tuple(clock.shots), table.frame(clock.now)))
        return cls(game, start, tuple(scenes))


class Grain:
    """Fresh noise for each picture, cut out of two fields of it."""

    def __init__(self, size: tuple[int, int], seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        shape = (size[1] + _ROOM, size[0] + _ROOM, 3)
        self._fields = [
            np.rint(np.abs(self._rng.normal(0.0, _NOISE / np.sqrt(2.0), shape))).astype(np.uint8)
            for _ in range(2)
        ]

    def on(self, picture: Image) -> Image:
        """The picture as another frame of the camera."""
        height, width = picture.shape[:2]
        lighter, darker = (
            field[y : y + height, x : x + width]
            for field, (y, x) in zip(
                self._fields, self._rng.integers(0, _ROOM, (2, 2)).tolist(), strict=True
            )
        )
        return np.asarray(cv2.subtract(cv2.add(picture, lighter), darker), np.uint8)


class _Clock:
    """Stands still but while hands move; then it films them."""

    def __init__(self) -> None:
        self.now = 0.0
        self.table: SimulatedTable
        self.shots: list[Image] = []

    def read(self) -> float:
        return self.now

    def film(self, seconds: float) -> None:
        self.shots = [self.table.frame(self.now + share * seconds) for share in _SHOTS]
        self.now += seconds


def _deeds(start: State, seed: int) -> list[Deed]:
    """What hands do in the first round, if the referee takes all that is a move."""
    hands = Hands(start, [Temper(STEADY)] * len(start.seats), Random(seed)).play(1)
    deeds = [next(hands)]
    try:
        while True:
            deeds.append(hands.send(Screen(moved=deeds[-1].move is not None)))
    except StopIteration:
        return deeds
