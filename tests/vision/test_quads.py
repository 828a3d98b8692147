"""Points in quads, and the orders of their corners."""

from __future__ import annotations

import numpy as np

from vision.quads import ORDERS, depths

SQUARE = [(0, 0), (10, 0), (10, 10), (0, 10)]
DIAMOND = [(20, 0), (25, 5), (20, 10), (15, 5)]


def test_which_points_lie_in_any_of_several_quads() -> None:
    points = np.array([(5, 5), (20, 5), (12, 5), (16, 1), (-1, 5)], np.float32)
    quads = np.array([SQUARE, DIAMOND], np.float32)
    assert (depths(points, quads) > 0).any(axis=1).tolist() == [True, True, False, False, False]
    assert depths(points, np.zeros((0, 4, 2), np.float32)).shape == (5, 0)
    # To the diamond's nearest side: ten beyond it and five within, over the root of two.
    np.testing.assert_allclose(depths(points, quads)[:2], [[5, -7.071], [-10, 3.536]], atol=1e-3)


def test_each_order_goes_around_from_another_corner() -> None:
    assert [[SQUARE[k] for k in order] for order in ORDERS] == [
        SQUARE,
        [(10, 0), (10, 10), (0, 10), (0, 0)],
        [(10, 10), (0, 10), (0, 0), (10, 0)],
        [(0, 10), (0, 0), (10, 0), (10, 10)],
    ]
