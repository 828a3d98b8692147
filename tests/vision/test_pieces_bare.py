"""Where a board shows its own print nothing stands."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.layout import Board
from vision.pieces.bare import BARE, Strangeness, strangeness
from vision.pieces.feet import Feet
from vision.pieces.fields import Standing, agrees
from vision.pieces.topview import FOOT_PX, TopView
from vision.plane import PlacedBoard

SIZE_MM = (240.0, 160.0)
#: The view shows so much around the board.
AROUND_MM = 20.0
PX_PER_MM = 1.0
PLACED = PlacedBoard(Board("map", SIZE_MM, (0.0, 0.0), 0.0), True, (0.0, 0.0), 0.0)
FOOT_AT = (100, 80)


def print_of_a_board() -> NDArray[np.uint8]:
    """Squares of many colours with small marks."""
    rng = np.random.default_rng(5)
    squares = rng.integers(40, 230, (8, 12, 3), dtype=np.uint8)
    face = cv2.resize(squares, (480, 320), interpolation=cv2.INTER_NEAREST)
    for x, y in rng.integers(0, (480, 320), (60, 2)).tolist():
        cv2.circle(face, (x, y), 6, (250, 250, 250), -1)
    return np.asarray(face, np.uint8)


def view_of(face: NDArray[np.uint8], *, beside_px: int = 0, stands: bool = False) -> TopView:
    """The board in what white balance leaves of a light: yellowish, and dimmer on the right."""
    around = int(AROUND_MM * PX_PER_MM)
    small = cv2.resize(face, (240, 160), interpolation=cv2.INTER_AREA)
    if stands:
        cv2.circle(small, FOOT_AT, int(FOOT_PX / 2), (160, 60, 30), -1)
    small = np.roll(small, beside_px, axis=1)
    light = np.linspace(1.0, 0.75, 240)[None, :, None] * np.array([0.9, 0.97, 1.0])
    table = np.full((160 + 2 * around, 240 + 2 * around, 3), (40, 70, 110), np.uint8)
    table[around:-around, around:-around] = small * light
    lean = np.zeros((*table.shape[:2], 2), np.float32)
    return TopView(table, lean, (-AROUND_MM, -AROUND_MM), PX_PER_MM)


def on_board(strange: Strangeness) -> NDArray[np.float32]:
    """The part of a view that is well within the board."""
    values = strange.values.copy()
    around = int(AROUND_MM * PX_PER_MM)
    return values[around + 8 : -around - 8, around + 8 : -around - 8]


@pytest.mark.parametrize("beside_px", [0, 1])
def test_a_bare_board_is_nowhere_strange_in_any_light(beside_px: int) -> None:
    face = print_of_a_board()
    strange = strangeness(view_of(face, beside_px=beside_px), PLACED, face)
    assert on_board(strange).max() < BARE


def test_a_piece_is_strange_where_it_stands_and_nowhere_else() -> None:
    face = print_of_a_board()
    known = strangeness(view_of(face, stands=True), PLACED, face)
    assert known.hidden_on_grid(FOOT_AT, 1.0, (1, 1)).all()
    beside = (FOOT_AT[0] + FOOT_PX, FOOT_AT[1])
    assert not known.hidden_on_grid(beside, 1.0, (1, 1)).any()
    strange = on_board(known)
    # From the view's corner to that of the part that is looked at: 8 of the board's pixels.
    x, y = FOOT_AT[0] - 8, FOOT_AT[1] - 8
    assert strange[y, x] > 2 * BARE
    strange[y - 14 : y + 15, x - 14 : x + 15] = 0
    assert strange.max() < BARE


def test_another_print_is_strange_nearly_everywhere() -> None:
    face = print_of_a_board()
    strange = on_board(strangeness(view_of(face), PLACED, np.ascontiguousarray(face[::-1, ::-1])))
    assert np.mean(strange > BARE) > 0.9


def test_a_board_beyond_the_view_is_strange_and_no_error() -> None:
    face = print_of_a_board()
    gone = PlacedBoard(PLACED.board, True, (5000.0, 5000.0), 0.0)
    assert strangeness(view_of(face), gone, face).values.min() > 2 * BARE


@pytest.mark.parametrize("level", [20, 128, 250])
@pytest.mark.parametrize("share", [1.0, 0.7])
def test_a_sheet_over_a_board_is_no_light(level: int, share: float) -> None:
    face = print_of_a_board()
    covered, wide = face.copy(), int(share * face.shape[1])
    covered[:, :wide] = level
    strange = on_board(strangeness(view_of(covered), PLACED, face))
    under = strange[:, : int(share * strange.shape[1]) - 8]
    assert np.mean(under > BARE) > 0.9


def foot(chance: float) -> Feet:
    """What a network says that sees one foot in the first paint in the middle of a field."""
    return Feet(
        np.array([[30.0, 30.0]], np.float32),
        np.array([chance], np.float32),
        np.array([[0.9, 0.1]], np.float32),
        np.zeros((3, 30, 30), np.float32),
    )


FIELD = np.array([[(6, 6), (54, 6), (54, 54), (6, 54)]], np.float32)
NOTHING = Standing(
    np.zeros((0, 2), np.float32),
    np.zeros(0, np.int16),
    np.zeros(0, np.int16),
    np.zeros(0, np.bool_),
)
PIECE = Standing(
    np.array([[30, 30]], np.float32),
    np.zeros(1, np.int16),
    np.zeros(1, np.int16),
    np.zeros(1, np.bool_),
)


@pytest.mark.parametrize(
    ("standing", "chance", "strange", "sure"),
    [
        (NOTHING, 0.5, 5.0, True),
        (NOTHING, 0.5, 60.0, False),
        (PIECE, 0.5, 60.0, True),
        (PIECE, 0.5, 20.0, False),
        (PIECE, 0.15, 60.0, False),
    ],
)
def test_the_print_dismisses_what_the_network_suspects_and_supports_what_stands(
    standing: Standing, chance: float, strange: float, sure: bool
) -> None:
    view = TopView(
        np.zeros((60, 60, 3), np.uint8), np.zeros((60, 60, 2), np.float32), (0.0, 0.0), PX_PER_MM
    )
    known = Strangeness(
        view, np.full((60, 60), strange, np.float32), np.full((60, 60), strange >= 2 * BARE)
    )
    assert agrees(foot(chance), standing, FIELD, known).tolist() == [sure]
