"""A match gives way to nothing that is thrown at it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from referee.cli.kitset import kit_edition
from referee.games.tumult_royale import deal
from referee.games.tumult_royale.game import TumultRoyale
from referee.journal import Journal
from tests.referee.simulation.random_match import Hail, Memory, header


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_command_in_any_order_leads_to_an_impossible_match(players: int) -> None:
    game, rounds, confirmed = TumultRoyale(kit_edition()), 0, 0
    for seed in range(12):
        rng = Random(100 * players + seed)
        hail = Hail(game, deal(kit_edition(), players, rng), Memory(header(game)), rng)
        for _ in range(300):
            hail.throw()
            if hail.match.view.step is None:
                break
        hail.check_fold()
        rounds += hail.outcomes.rounds
        confirmed += hail.outcomes.confirmed
    assert rounds >= 12
    assert confirmed >= 12


def test_a_real_journal_holds_the_same(tmp_path: Path) -> None:
    game, rng = TumultRoyale(kit_edition()), Random(1)
    path = tmp_path / "hail.match"
    with Journal.create(path, header(game), now=lambda: 1_800_000_000.0) as journal:
        hail = Hail(game, deal(kit_edition(), 2, rng), journal, rng)
        for _ in range(150):
            hail.throw()
        hail.check_fold()
