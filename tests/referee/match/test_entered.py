"""Positions that people write down: what is half a line, or of another match, is refused."""

from __future__ import annotations

from random import Random

import pytest

from referee.cli.kitset import kit_edition
from referee.games.tumult_royale import deal
from referee.games.tumult_royale.game import TumultRoyale
from referee.match.entered import read_position

GAME = TumultRoyale(kit_edition())
HERE = deal(kit_edition(), 3, Random(1))
LINE = GAME.write_state(HERE)


def test_the_own_position_is_read() -> None:
    assert read_position(GAME, LINE, HERE) == HERE


@pytest.mark.parametrize("seats_left", [2, 1])
def test_a_line_that_lost_its_last_players_is_refused(seats_left: int) -> None:
    # Somebody is to move who still plays in what is left.
    line = LINE.replace("turn=grey", "turn=yellow")
    with pytest.raises(ValueError, match=r"play this match|2 to 4 players"):
        read_position(GAME, " ".join(line.split()[: seats_left - 3]), HERE)


def test_players_do_not_change_places_in_a_match() -> None:
    *rest, second, third = LINE.split()
    with pytest.raises(ValueError, match="in this order"):
        read_position(GAME, " ".join([*rest, third, second]), HERE)
