"""Training pictures: repeatable, and their labels lie where the pieces are."""

from __future__ import annotations

import cv2
import numpy as np

from models.tables import Stock, Table, draw_table, stock
from models.tables.pieces import Heap

SIZE = (160, 120)


def _tables(count: int) -> list[Table]:
    rng = np.random.default_rng(5)
    sets = [stock(rng) for _ in range(4)]
    return [draw_table(np.random.default_rng(k), SIZE, sets) for k in range(count)]


def test_the_same_seed_draws_the_same_picture() -> None:
    for one, other in zip(_tables(3), _tables(3), strict=True):
        np.testing.assert_array_equal(one.image, other.image)
        np.testing.assert_array_equal(one.quads, other.quads)


def test_pictures_and_labels_have_their_shapes() -> None:
    for table in _tables(12):
        assert table.image.shape == (SIZE[1], SIZE[0], 3)
        assert table.quads.shape == (len(table.visible), 4, 2)
        assert ((table.visible >= 0) & (table.visible <= 1)).all()
        for quad in table.quads:  # Clockwise as seen.
            assert cv2.contourArea(quad, oriented=True) > 0


def _plain() -> Stock:
    print_ = np.full((40, 40, 4), 255, np.uint8)
    return Stock(1.0, (print_,), (255, 255, 255), (200, 200, 200))


def _square(x: float, y: float, side: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)], np.float64)


def test_what_is_seen_of_a_piece_is_what_is_left_uncovered_within_the_picture() -> None:
    image = np.full((200, 200, 3), 90, np.uint8)
    heap = Heap(image, 40.0, (0.0, 0.0), np.random.default_rng(0))
    heap._lean = 0.0
    kind = _plain()
    heap.add([_square(20, 20, 40), _square(180, 100, 40)], list(kind.prints) * 2, kind)
    heap.add([_square(40, 20, 40)], kind.prints, kind)
    mask = np.zeros((200, 200), np.uint8)
    mask[20:30, 40:80] = 255
    heap.cover(mask)
    # Pixels that an outline touches count as covered: half a pixel more on each side.
    np.testing.assert_allclose(heap.visible(), [0.5, 0.5, 0.75], atol=0.06)
