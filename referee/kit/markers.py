"""Square patterns that cameras find: table markers and the calibration board, as vectors."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.games.drawing import (
    Colour,
    Drawing,
    LineTo,
    MarkerImage,
    MoveTo,
    Paint,
    Path,
    Point,
    PrintItem,
    Rect,
    Shape,
    Text,
)
from referee.games.said import say
from referee.games.table import Marker, TablePlan

Bits = NDArray[np.bool_]

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
_GREY: Colour = (120, 120, 120)

#: The calibration board: squares across and down, side of a square and of a marker in mm. Its
#: dictionary is another one than the table's, so that neither is taken for the other.
CHARUCO_SQUARES = (7, 9)
CHARUCO_SQUARE = 25.0
CHARUCO_MARKER = 18.0
CHARUCO_DICTIONARY = "DICT_5X5_100"

_TABLE_DICTIONARY = "DICT_4X4_50"

#: Nine places on the plane, row by row.
_PLACES = (
    (say("top left"), say("top middle"), say("top right")),
    (say("left middle"), say("middle"), say("right middle")),
    (say("bottom left"), say("bottom middle"), say("bottom right")),
)


def charuco_board() -> cv2.aruco.CharucoBoard:
    """The calibration board as OpenCV detects it; its lengths are millimetres."""
    return cv2.aruco.CharucoBoard(
        CHARUCO_SQUARES, CHARUCO_SQUARE, CHARUCO_MARKER, _dictionary(CHARUCO_DICTIONARY)
    )


def charuco_drawing() -> Drawing:
    """The calibration board as it is printed."""
    board = charuco_board()
    columns, rows = CHARUCO_SQUARES
    black = np.ones((rows, columns), dtype=bool)
    markers: list[Shape] = []
    for corners, marker_id in zip(
        board.getObjPoints(), np.asarray(board.getIds()).ravel(), strict=True
    ):
        x, y = (float(value) for value in np.asarray(corners)[0, :2])
        black[int(y // CHARUCO_SQUARE), int(x // CHARUCO_SQUARE)] = False
        bits = marker_bits(int(marker_id), CHARUCO_DICTIONARY)
        markers.append(bit_pattern(bits, (x, y), CHARUCO_MARKER))
    size = (columns * CHARUCO_SQUARE, rows * CHARUCO_SQUARE)
    squares = bit_pattern(black, (0.0, 0.0), size[0])
    return Drawing("charuco", size, (squares, *markers))


def marker_bits(marker_id: int, dictionary: str = _TABLE_DICTIONARY) -> Bits:
    """The cells of an ArUco marker with its border, shape (n, n); True is black."""
    markers = _dictionary(dictionary)
    return np.asarray(
        cv2.aruco.generateImageMarker(markers, marker_id, markers.markerSize + 2) == 0
    )


def bit_pattern(black: Bits, corner: Point, width: float) -> Path:
    """Square cells as one path, so that no hairline shows between neighbours; `width` in mm."""
    cell = width / black.shape[1]
    steps: list[MoveTo | LineTo] = []
    for row, column in np.argwhere(black):
        left, top = corner[0] + float(column) * cell, corner[1] + float(row) * cell
        steps += [
            MoveTo((left, top)),
            LineTo((left + cell, top)),
            LineTo((left + cell, top + cell)),
            LineTo((left, top + cell)),
        ]
    return Path(tuple(steps), Paint(fill=BLACK))


def marker_items(plan: TablePlan, margin: float) -> tuple[PrintItem, ...]:
    """The markers of a table to cut out, with `margin` mm of white, labelled with their places."""
    return tuple(
        PrintItem(
            say("Marker {id}: {place}", id=marker.id, place=place_of(marker, plan.size)),
            Drawing(
                f"marker-{marker.id}",
                (marker.side + 2 * margin, marker.side + 2 * margin),
                tuple(_marker_shapes(marker, plan.size, margin)),
            ),
            sheet=say("Table markers"),
        )
        for marker in plan.markers
    )


def place_of(marker: Marker, size: tuple[float, float]) -> str:
    """Where on the plane a marker lies, in words: "top left", "right middle"."""
    across = min(2, int(3 * marker.centre[0] / size[0]))
    down = min(2, int(3 * marker.centre[1] / size[1]))
    return _PLACES[down][across]


def _marker_shapes(marker: Marker, size: tuple[float, float], margin: float) -> Iterator[Shape]:
    whole = marker.side + 2 * margin
    yield Rect((0, 0), (whole, whole), Paint(fill=WHITE))
    yield MarkerImage(marker.id, (margin, margin), marker.side)
    # Small and at the very edge: the white next to the black square is part of the marker.
    text = say("{id}: {place}, this way up", id=marker.id, place=place_of(marker, size))
    yield Text((whole / 2, 2.8), text, 2.2, _GREY)


def _dictionary(name: str) -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
