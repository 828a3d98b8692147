"""Hands, match and game together, many rounds: eyes without fault see what hands do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from referee.cli.kitset import kit_edition
from referee.games.tumult_royale import PLAYERS, deal
from referee.games.tumult_royale.art import drawings
from referee.games.tumult_royale.cheats import Cheating
from referee.games.tumult_royale.game import TumultRoyale
from referee.games.tumult_royale.hands import Hands, Temper
from referee.simulation.conditions import Conditions
from referee.simulation.players.match import play_match
from referee.simulation.players.tally import Tally
from tests.referee.simulation.eyes import Eyes, Undrawn
from vision.scene.cameras import overhead_camera
from vision.scene.description import Lamp, Sensor

ART = {name: np.zeros((2, 2, 4), np.uint8) for name in drawings(kit_edition())}


def played(seed: int, kind: Cheating | None, rounds: int, folder: Path) -> Tally:
    rng, players = Random(seed), 2 + seed % 3
    game, start = TumultRoyale(kit_edition()), deal(kit_edition(), players, rng)
    tempers = [
        Temper(PLAYERS[rng.choice(sorted(PLAYERS))], 0.0, kind if seat < 2 else None)
        for seat in range(players)
    ]
    plan = game.plan(start)
    eyes = Eyes(plan)
    camera = overhead_camera(plan.size, (128, 72))
    conditions = Conditions(camera, "wood", 1, Lamp(), Sensor())

    def table(clock: Callable[[], float], pause: Callable[[float], None]) -> Undrawn:
        eyes.table = Undrawn(
            plan, ART, conditions, seed=seed, sweep_seconds=0.2, clock=clock, pause=pause
        )
        return eyes.table

    hands = Hands(start, tempers, rng).play(rounds)
    return play_match(game, start, hands, folder / f"{seed}.match", eyes.as_session(), table)


@pytest.mark.parametrize("kind", [None, *Cheating])
def test_the_record_is_the_truth_and_every_cheat_is_found(
    kind: Cheating | None, tmp_path: Path
) -> None:
    tally = Tally()
    for seed in range(3):
        tally.add(played(seed, kind, 2, tmp_path))
    told = [f"{failure.what}: {failure.told}" for failure in tally.failures]
    assert not told
    assert (tally.wrong, tally.false, tally.stuck, tally.without_evidence) == (0, 0, 0, 0)
    assert tally.rounds == 6
    assert not tally.open
    assert tally.found == tally.cheats
    assert (tally.cheats.total() > 0) == (kind is not None)
