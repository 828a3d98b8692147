"""Patterns for cameras are found by OpenCV, where they are and with the sizes they claim."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.games.table import Marker, TablePlan
from referee.kit import rasterise
from referee.kit.markers import (
    CHARUCO_SQUARE,
    CHARUCO_SQUARES,
    charuco_board,
    charuco_drawing,
    marker_bits,
    marker_items,
    place_of,
)
from referee.kit.raster import on_paper

PX_PER_MM = 4.0


def plan_with(*markers: Marker) -> TablePlan:
    return TablePlan((900.0, 600.0), markers, (), (), (35.0, 35.0), 2.0, {}, 13.0, 26.0)


def test_every_marker_is_decoded_with_its_id_and_size() -> None:
    ids = (0, 3, 17, 49)
    plan = plan_with(*(Marker(i, (0.0, 0.0), 60.0) for i in ids))
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    detector = cv2.aruco.ArucoDetector(dictionary)
    for wanted, item in zip(ids, marker_items(plan, 8.0), strict=True):
        assert item.front.size == (76.0, 76.0)
        picture = on_paper(rasterise(item.front, PX_PER_MM))
        corners, found, _ = detector.detectMarkers(picture)
        assert np.asarray(found).ravel().tolist() == [wanted]
        # Clockwise from the top left of the marker: it stands upright.
        quad = (corners[0].reshape(4, 2) + 0.5) / PX_PER_MM
        assert quad == pytest.approx(np.array([[8, 8], [68, 8], [68, 68], [8, 68]]), abs=0.3)


def test_bits_are_those_of_the_dictionary() -> None:
    bits = marker_bits(5)
    assert bits.shape == (6, 6)
    assert bits[0].all()
    assert bits[:, -1].all()
    picture = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), 5, 60
    )
    assert (bits == (picture[5::10, 5::10] == 0)).all()


@pytest.mark.parametrize("px_per_mm", [1.0, 3.0])
def test_the_calibration_board_is_detected_whole(px_per_mm: float) -> None:
    drawing = charuco_drawing()
    columns, rows = CHARUCO_SQUARES
    assert drawing.size == (columns * CHARUCO_SQUARE, rows * CHARUCO_SQUARE)
    page = on_paper(rasterise(drawing, px_per_mm))
    picture = cv2.copyMakeBorder(page, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=(255,) * 3)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(picture)
    assert sorted(np.asarray(ids).ravel()) == list(range((columns - 1) * (rows - 1)))
    # Inner corners lie on the grid of squares, row by row.
    for corner, number in zip(np.asarray(corners).reshape(-1, 2), ids.ravel(), strict=True):
        row, column = divmod(int(number), columns - 1)
        where = (corner + 0.5 - 20) / px_per_mm
        assert where == pytest.approx(
            ((column + 1) * CHARUCO_SQUARE, (row + 1) * CHARUCO_SQUARE), abs=0.5 / px_per_mm
        )


@pytest.mark.parametrize(
    ("centre", "words"),
    [
        ((0, 0), "top left"),
        ((900, 600), "bottom right"),
        ((450, 0), "top middle"),
        ((0, 300), "left middle"),
        ((450, 300), "middle"),
    ],
)
def test_places_in_words(centre: tuple[float, float], words: str) -> None:
    assert place_of(Marker(1, centre, 60.0), (900.0, 600.0)) == words
