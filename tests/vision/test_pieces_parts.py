"""The parts of the reading of pieces: top view, feet out of a network's maps, fields."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.marked_tables import LAYOUT, Image, Pose, picture, prints
from vision.layout import Board, Field
from vision.network import ModelMissingError, Network
from vision.observation import NONE
from vision.pieces import reading
from vision.pieces.feet import COVER, GROUND, PIECE, Feet, find_feet
from vision.pieces.fields import on_fields
from vision.pieces.reading import read_fields
from vision.pieces.topview import FOOT_PX, TopView, top_view
from vision.pieces.white import White
from vision.plane import Plane, find_boards, find_plane

Array = NDArray[np.float32]

#: Two fields side by side, four feet wide, in a view of 96 x 64 pixels.
QUADS = np.array([[(x, 8), (x + 40, 8), (x + 40, 48), (x, 48)] for x in (8, 48)], np.float32)
LEAN = np.zeros((64, 96, 2), np.float32)
SURE, DOUBTFUL = 0.999, 0.4


def feet(*those: tuple[float, float, float, int], shows: Array | None = None) -> Feet:
    """Feet at x, y with a chance and a paint of two, 2 being none of them."""
    colours = np.full((len(those), 3), 0.0005, np.float32)
    for k, foot in enumerate(those):
        colours[k, foot[3]] = 0.999
    ground = np.zeros((3, 32, 48), np.float32)
    ground[GROUND] = 1.0
    return Feet(
        np.array([foot[:2] for foot in those], np.float32).reshape(-1, 2),
        np.array([foot[2] for foot in those], np.float32),
        colours,
        ground if shows is None else shows,
    )


def test_pieces_stand_on_the_field_that_holds_their_foot() -> None:
    stands = on_fields(feet((20, 20, SURE, 1), (70, 30, SURE, 0), (80, 40, SURE, 0)), QUADS, LEAN)
    assert stands.fields.tolist() == [0, 1, 1]
    assert stands.colours.tolist() == [1, 0, 0]
    assert stands.sure.tolist() == [True, True]


def test_a_foot_beside_all_fields_is_none_of_theirs() -> None:
    stands = on_fields(feet((20, 58, SURE, 1)), QUADS, LEAN)
    assert not len(stands.fields)
    assert stands.sure.all()


def test_a_foot_on_a_border_makes_both_fields_doubtful() -> None:
    stands = on_fields(feet((47.5, 30, SURE, 1)), QUADS, LEAN)
    assert stands.fields.tolist() == [0]
    assert not stands.sure.any()


@pytest.mark.parametrize("foot", [(20, 20, DOUBTFUL, 1), (20, 20, SURE, 2)])
def test_a_doubtful_or_strange_foot_makes_its_field_doubtful(
    foot: tuple[float, float, float, int],
) -> None:
    stands = on_fields(feet(foot, (70, 30, SURE, 0)), QUADS, LEAN)
    assert stands.sure.tolist() == [False, True]
    assert stands.colours[0] == (NONE if foot[3] == 2 else foot[3])


def test_two_likely_paints_are_doubtful() -> None:
    found = feet((20, 20, SURE, 1))
    stands = on_fields(replace(found, colours=np.array([[0.4, 0.6, 0.0]], np.float32)), QUADS, LEAN)
    assert stands.colours.tolist() == [1]
    assert not stands.sure[0]


def test_four_pieces_on_a_field_are_doubtful() -> None:
    crowd = [(18.0, 18.0), (38.0, 18.0), (18.0, 38.0), (38.0, 38.0)]
    stands = on_fields(feet(*((x, y, SURE, 0) for x, y in crowd)), QUADS, LEAN)
    assert len(stands.fields) == 4
    assert stands.sure.tolist() == [False, True]


def test_a_hand_over_a_field_makes_it_doubtful() -> None:
    shows = feet().shows.copy()
    shows[GROUND, :, 30:], shows[COVER, :, 30:] = 0.0, 1.0
    stands = on_fields(feet(shows=shows), QUADS, LEAN)
    assert stands.sure.tolist() == [True, False]


def test_what_looks_like_a_piece_is_explained_by_a_foot_or_makes_doubt() -> None:
    shows = feet().shows.copy()
    shows[GROUND, 8:16, 8:14], shows[PIECE, 8:16, 8:14] = 0.0, 1.0
    assert on_fields(feet(shows=shows), QUADS, LEAN).sure.tolist() == [False, True]
    assert on_fields(feet((21, 23, SURE, 0), shows=shows), QUADS, LEAN).sure.all()


def test_a_field_beyond_the_view_is_doubtful() -> None:
    shifted = np.add(QUADS, (10, 0), dtype=np.float32)
    assert on_fields(feet(), shifted, LEAN).sure.tolist() == [True, False]


class Maps:
    """A network that says what it was told to."""

    def __init__(self, *maps: Array) -> None:
        self.maps = maps

    def run(self, *_inputs: NDArray[np.generic]) -> list[Array]:
        return [part[None] for part in self.maps]


def test_feet_are_peaks_between_pixels_and_stand_apart() -> None:
    chance = np.full((1, 32, 48), -9.0, np.float32)
    chance[0, 10, 10:12] = 3.0, 3.0
    chance[0, 20, 30] = 4.0
    chance[0, 20, 32] = 2.0  # A third of a foot beside the likelier one.
    colours = np.zeros((3, 32, 48), np.float32)
    colours[0, :, :20], colours[1, :, 20:] = 9.0, 9.0
    shows = np.zeros((3, 32, 48), np.float32)
    view = TopView(np.zeros((64, 96, 3), np.uint8), LEAN, (0.0, 0.0), 1.0)
    net = cast(Network, Maps(chance, shows, colours))
    found = find_feet(net, view, np.zeros((2, 3), np.float32))
    assert len(found.points) == 2
    first, second = found.points
    assert abs(first - (60.5, 40.5)).max() < 0.5
    # Between the middles of two pixels of half the size.
    assert abs(second - (21.5, 20.5)).max() < 0.1
    assert found.colours.argmax(axis=1).tolist() == [1, 0]
    assert np.allclose(found.shows.sum(axis=0), 1.0)


@pytest.fixture(scope="module")
def seen() -> tuple[Image, Plane]:
    """A table seen aslant."""
    image = picture(Pose(tilt=25.0), prints())
    return image, find_plane(image, LAYOUT)


def test_a_top_view_knows_how_pieces_lean(seen: tuple[Image, Plane]) -> None:
    image, plane = seen
    white = White(np.zeros((1, 2), np.float32), np.ones((1, 3), np.float32))
    view = top_view(image, plane, white, (600.0, 100.0), (160, 96), height=2.0, piece=(13.0, 26.0))
    assert view.pixels.shape == (96, 160, 3)
    assert view.lean.shape == (96, 160, 2)
    for column, row in ((0, 0), (80, 40), (159, 95)):
        (foot,) = view.to_mm([(column, row)])
        head = plane.drop(plane.lift([foot], 28.0), 2.0)[0]
        # Foreseen for every 16th pixel only: a quarter of a pixel is exact enough.
        seen_px = view.lean[row, column] * FOOT_PX + (column, row)
        assert np.abs(seen_px - view.to_pixels(head)).max() < 0.25


def test_without_the_model_nothing_is_read_and_one_is_told(
    seen: tuple[Image, Plane], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Network:
        raise ModelMissingError(f"{name} is missing.", "Install it.")

    monkeypatch.setattr(reading, "network", missing)
    image, plane = seen
    square = ((0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0))
    board = Board("map", (40.0, 40.0), (300.0, 200.0), fields=(Field("r0c0", square),))
    plan = replace(
        LAYOUT,
        boards=(board,),
        piece_colours={"blue": (40, 90, 190)},
        piece_diameter=13.0,
        piece_height=26.0,
    )
    with pytest.warns(RuntimeWarning, match="Pieces on fields are not read"):
        pieces, sure = read_fields(image, plane, find_boards(image, plane, plan), plan)
    assert not len(pieces)
    assert sure.tolist() == [False]
