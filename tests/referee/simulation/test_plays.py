"""Hands, match and game together, many rounds: eyes without fault see what hands do."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from referee.cli.kitset import kit_edition
from referee.games.tumult_royale import PLAYERS, deal
from referee.games.tumult_royale.cheats import Cheating
from referee.games.tumult_royale.game import TumultRoyale
from referee.games.tumult_royale.hands import Hands, Temper
from referee.simulation.players.tally import Tally
from tests.referee.simulation.eyes import play_seen


def played(seed: int, kind: Cheating | None, rounds: int, folder: Path) -> Tally:
    rng, players = Random(seed), 2 + seed % 3
    game, start = TumultRoyale(kit_edition()), deal(kit_edition(), players, rng)
    tempers = [
        Temper(PLAYERS[rng.choice(sorted(PLAYERS))], 0.0, kind if seat < 2 else None)
        for seat in range(players)
    ]
    hands = Hands(start, tempers, rng).play(rounds)
    return play_seen(game, start, hands, folder / f"{seed}.match", seed)


@pytest.mark.parametrize("kind", [None, *Cheating])
def test_the_record_is_the_truth_and_every_cheat_is_found(
    kind: Cheating | None, tmp_path: Path
) -> None:
    tally = Tally()
    for seed in range(9):
        tally.add(played(seed, kind, 1, tmp_path))
        if tally.rounds > 1 and (kind is None or tally.cheats.total()):
            break
    told = [f"{failure.what}: {failure.told}" for failure in tally.failures]
    assert not told
    assert (tally.wrong, tally.false, tally.stuck, tally.without_evidence) == (0, 0, 0, 0)
    assert not tally.open
    assert tally.found == tally.cheats
    assert (tally.cheats.total() > 0) == (kind is not None)
