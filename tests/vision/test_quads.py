"""Points in quads, and the orders of their corners."""

from __future__ import annotations

import numpy as np

from vision.quads import ORDERS, in_any

SQUARE = [(0, 0), (10, 0), (10, 10), (0, 10)]
DIAMOND = [(20, 0), (25, 5), (20, 10), (15, 5)]


def test_which_points_lie_in_any_of_several_quads() -> None:
    points = np.array([(5, 5), (20, 5), (12, 5), (16, 1), (-1, 5)], np.float32)
    quads = np.array([SQUARE, DIAMOND], np.float32)
    assert in_any(points, quads).tolist() == [True, True, False, False, False]
    assert not in_any(points, np.zeros((0, 4, 2), np.float32)).any()


def test_each_order_goes_around_from_another_corner() -> None:
    assert [[SQUARE[k] for k in order] for order in ORDERS] == [
        SQUARE,
        [(10, 0), (10, 10), (0, 10), (0, 0)],
        [(10, 10), (0, 10), (0, 0), (10, 0)],
        [(0, 10), (0, 0), (10, 0), (10, 10)],
    ]
