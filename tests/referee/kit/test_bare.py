"""The faces of a set's boards with nothing on them."""

from __future__ import annotations

import numpy as np

from referee.games.table import Board, Field, PlacedOverlay, Placement, TablePlan
from referee.kit.bare import PX_PER_MM, BareBoards

RED, GREEN, BLUE = (0, 0, 255), (0, 255, 0), (255, 0, 0)
ART = {
    "map": np.full((40, 60, 4), (*RED, 255), np.uint8),
    "castle": np.full((40, 40, 4), (*RED, 255), np.uint8),
    # Its upper half is green, its lower one blue.
    "region": np.array([[(*GREEN, 255)] * 20] * 10 + [[(*BLUE, 255)] * 20] * 10, np.uint8),
}
FIELDS = (Field("f1", (10, 10), (20, 20)),)
PLAN = TablePlan(
    size=(100.0, 100.0),
    markers=(),
    boards=(
        Board("map", "map", (60.0, 40.0), (0.0, 0.0), 2.0, fields=FIELDS),
        Board("castle", "castle", (40.0, 40.0), (60.0, 0.0), 2.0),
    ),
    zones=(),
    tile=(20.0, 20.0),
    tile_thickness=2.0,
    piece_colours={},
    piece_diameter=12.0,
    piece_height=20.0,
)


def region(turn: int) -> Placement:
    return Placement(overlays=(PlacedOverlay("region", "map", (10.0, 10.0), (20.0, 20.0), turn),))


def at(face: np.ndarray, x_mm: float, y_mm: float) -> tuple[int, ...]:
    """The colour of a face at a place."""
    return tuple(face[int(y_mm * PX_PER_MM), int(x_mm * PX_PER_MM)].tolist())


def test_a_face_has_its_boards_drawing_and_what_lies_on_it() -> None:
    faces = BareBoards(PLAN, ART).faces(region(0))
    assert list(faces) == ["map"], "no pieces stand on a castle"
    assert faces["map"].shape == (80, 120, 3)
    assert at(faces["map"], 5, 5) == RED
    assert at(faces["map"], 20, 12) == GREEN
    assert at(faces["map"], 20, 28) == BLUE


def test_what_is_turned_clockwise_shows_its_upper_half_on_the_right() -> None:
    face = BareBoards(PLAN, ART).faces(region(1))["map"]
    assert at(face, 28, 20) == GREEN
    assert at(face, 12, 20) == BLUE


def test_the_same_boards_are_the_same_object() -> None:
    boards = BareBoards(PLAN, ART)
    first = boards.faces(region(0))
    assert boards.faces(region(0)) is first
    assert boards.faces(region(2)) is not first
