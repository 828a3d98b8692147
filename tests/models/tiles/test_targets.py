"""What the network is asked for is what the program reads out of its answer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.tiles.targets import targets
from vision.tiles.cells import decode


def _quad(x: float, y: float, width: float, height: float, degrees: float) -> NDArray[np.float32]:
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2)
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + (x, y), np.float32)


def test_targets_decode_to_the_pieces_that_are_to_be_found() -> None:
    quads = np.stack(
        [_quad(40, 50, 24, 24, 10), _quad(90, 60, 22, 33, 70), _quad(60, 100, 30, 30, 0)]
    )
    wanted = targets(quads, np.array([1.0, 0.8, 0.1], np.float32), (32, 32))
    cells = np.concatenate([wanted.heat.clip(0)[None], wanted.outline])
    found = decode(cells.astype(np.float32), 0.99)
    assert len(found) == 2
    for quad in quads[:2]:
        assert (
            min(
                np.abs(np.roll(one, k, axis=0) - quad).max()
                for one in found.quads
                for k in range(4)
            )
            < 0.01
        )


def test_nothing_is_asked_around_a_piece_that_may_be_found_or_not() -> None:
    quads = _quad(60, 60, 28, 28, 0)[None]
    heat = targets(quads, np.array([0.3], np.float32), (32, 32)).heat
    assert heat[15, 15] == -1  # Pixel 61.5 is the middle of cell 15.
    assert heat[2, 2] == 0
