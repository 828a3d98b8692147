"""Straightening: corners, turns, and pictures that shrink."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.faces import lengthwise, straighten, turned


def _quad(*corners: tuple[float, float]) -> np.ndarray:
    return np.array([corners], np.float32)


def test_whole_picture_comes_back() -> None:
    image = np.random.default_rng(1).integers(0, 255, (30, 20, 3), np.uint8)
    quad = _quad((-0.5, -0.5), (19.5, -0.5), (19.5, 29.5), (-0.5, 29.5))
    assert np.array_equal(straighten(image, quad, (20, 30))[0], image)


def test_corners_begin_at_the_top_left() -> None:
    image = np.zeros((40, 40, 3), np.uint8)
    image[10:20, 20:30] = (0, 0, 255)
    # The square 10..30, beginning at its top right corner: red comes to lie at the top left.
    quad = _quad((29.5, 9.5), (29.5, 29.5), (9.5, 29.5), (9.5, 9.5))
    crop = straighten(image, quad, (20, 20))[0]
    assert (crop[2:8, 2:8] == (0, 0, 255)).all()
    assert not crop[:, 12:].any()
    assert not crop[12:].any()


def test_shrinking_averages() -> None:
    image = np.zeros((120, 120, 3), np.uint8)
    image[:, ::2] = 200
    quad = _quad((-0.5, -0.5), (119.5, -0.5), (119.5, 119.5), (-0.5, 119.5))
    crop = straighten(image, quad, (12, 12))
    assert np.abs(crop.astype(int) - 100).max() <= 2


def test_leaning_quad() -> None:
    face = np.zeros((60, 60, 3), np.uint8)
    face[:30, :30] = (255, 0, 0)
    corners = np.array([[12.0, 8.0], [70.0, 15.0], [66.0, 80.0], [9.0, 71.0]], np.float32)
    source = np.array([[-0.5, -0.5], [59.5, -0.5], [59.5, 59.5], [-0.5, 59.5]], np.float32)
    image = cv2.warpPerspective(face, cv2.getPerspectiveTransform(source, corners), (90, 90))
    crop = straighten(np.asarray(image, np.uint8), corners[None], (60, 60))[0]
    assert (crop[4:26, 4:26, 0] > 240).all()
    assert (crop[34:56, 4:56] < 15).all()


def test_no_quads_and_outside() -> None:
    image = np.full((10, 10, 3), 7, np.uint8)
    assert straighten(image, np.zeros((0, 4, 2), np.float32), (5, 6)).shape == (0, 6, 5, 3)
    beside = _quad((20, 20), (30, 20), (30, 30), (20, 30))
    assert (straighten(image, beside, (5, 5)) == 7).all()


def test_turned_begins_at_the_top_of_the_print() -> None:
    quad = _quad((0, 0), (9, 0), (9, 9), (0, 9))
    quads = np.repeat(quad, 4, axis=0)
    begin = turned(quads, np.arange(4, dtype=np.int8))[:, 0]
    assert begin.tolist() == [[0, 0], [9, 0], [9, 9], [0, 9]]
    # Clockwise as before.
    assert turned(quad, np.array([1], np.int8))[0].tolist() == [[9, 0], [9, 9], [0, 9], [0, 0]]


@pytest.mark.parametrize(("aspect", "want"), [(0.65, [0, 1]), (1.5, [1, 0]), (1.0, [0, 0])])
def test_longer_side_decides(aspect: float, want: list[int]) -> None:
    upright = [(0, 0), (57, 0), (57, 88), (0, 88)]
    lying = [(0, 0), (88, 0), (88, 57), (0, 57)]
    assert lengthwise(np.array([upright, lying], np.float32), aspect).tolist() == want
