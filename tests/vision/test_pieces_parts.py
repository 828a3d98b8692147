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
from vision.observation import PieceReadings
from vision.pieces import PieceReader, reading
from vision.pieces.bare import BARE, Strangeness
from vision.pieces.feet import COVER, GROUND, Feet, find_feet
from vision.pieces.fields import Standing, agrees
from vision.pieces.likely import likely_pieces
from vision.pieces.topview import FOOT_PX, TopView, top_view
from vision.pieces.white import White
from vision.plane import Plane, find_boards, find_plane

Array = NDArray[np.float32]

#: Two fields side by side, four feet wide, in a view of 96 x 64 pixels.
QUADS = np.array([[(x, 8), (x + 40, 8), (x + 40, 48), (x, 48)] for x in (8, 48)], np.float32)
LEAN = np.zeros((64, 96, 2), np.float32)
SURE, DOUBTFUL = 0.999, 0.3
SQUARE = ((0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0))
ONE_FIELD = replace(
    LAYOUT,
    boards=(Board("map", (40.0, 40.0), (300.0, 200.0), fields=(Field("r0c0", SQUARE),)),),
    piece_colours={"blue": (40, 90, 190)},
    piece_diameter=13.0,
    piece_height=26.0,
)
#: The print neither shows nor is surely hidden anywhere: it says nothing.
OPEN = Strangeness(
    TopView(np.zeros((64, 96, 3), np.uint8), LEAN, (0.0, 0.0), 1.0),
    np.full((64, 96), 1.5 * BARE, np.float32),
    np.zeros((64, 96), np.bool_),
)


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


def standing(*those: tuple[float, float, int, int], clear: bool = True) -> Standing:
    """What was found: x, y, paint and field."""
    n = len(those)
    return Standing(
        np.array([one[:2] for one in those], np.float32).reshape(n, 2),
        np.array([one[2] for one in those], np.int16),
        np.array([one[3] for one in those], np.int16),
        np.full(n, clear, np.bool_),
    )


def test_what_was_found_less_clearly_needs_a_plainer_foot() -> None:
    likely, plain = feet((20, 20, 0.7, 1)), feet((20, 20, 0.8, 1))
    assert agrees(likely, standing((20, 20, 1, 0)), QUADS, OPEN)[0]
    assert not agrees(likely, standing((20, 20, 1, 0), clear=False), QUADS, OPEN)[0]
    assert agrees(plain, standing((20, 20, 1, 0), clear=False), QUADS, OPEN)[0]


@pytest.mark.parametrize(("x", "field", "sure"), [(47, 0, False), (49, 1, False), (45, 0, True)])
def test_a_foot_on_the_border_may_stand_on_either_field(x: float, field: int, sure: bool) -> None:
    """Then it is unknown of both what stands there: one was called empty, and a move illegal."""
    at_border = feet((x, 20, SURE, 1))
    assert agrees(at_border, standing((x, 20, 1, field)), QUADS, OPEN).tolist() == [sure, sure]


def test_a_foot_that_only_the_network_sees_on_a_border_keeps_both_fields_in_doubt() -> None:
    assert agrees(feet((47, 20, SURE, 1)), standing(), QUADS, OPEN).tolist() == [False, False]


def test_both_see_the_same_pieces() -> None:
    found = standing((20, 20, 1, 0), (70, 30, 0, 1), (80, 40, 0, 1))
    seen = feet((21, 19, SURE, 1), (70, 32, SURE, 0), (80, 40, SURE, 0))
    assert agrees(seen, found, QUADS, OPEN).tolist() == [True, True]


def test_a_piece_that_the_network_does_not_see_is_in_doubt() -> None:
    found = standing((20, 20, 1, 0), (70, 30, 0, 1))
    assert agrees(feet((70, 30, SURE, 0)), found, QUADS, OPEN).tolist() == [False, True]
    # A foot a whole diameter away is another piece's.
    assert not agrees(feet((32, 20, SURE, 1)), standing((20, 20, 1, 0)), QUADS, OPEN)[0]


@pytest.mark.parametrize("foot", [(20, 20, DOUBTFUL, 1), (20, 20, SURE, 0), (20, 20, SURE, 2)])
def test_a_faint_foot_or_one_in_another_paint_supports_nothing(
    foot: tuple[float, float, float, int],
) -> None:
    assert agrees(feet(foot), standing((20, 20, 1, 0)), QUADS, OPEN).tolist() == [False, True]


def test_one_foot_is_not_that_of_two_pieces() -> None:
    found = standing((20, 16, 1, 0), (20, 28, 1, 0))
    assert agrees(feet((20, 16, SURE, 1), (20, 28, SURE, 1)), found, QUADS, OPEN)[0]
    assert not agrees(feet((20, 21, SURE, 1)), found, QUADS, OPEN)[0]


@pytest.mark.parametrize(("print_hidden", "agreed"), [(2.5, True), (1.5, False)])
def test_the_less_visible_of_two_that_touch_is_supported_by_a_hidden_print(
    print_hidden: float, agreed: bool
) -> None:
    strange = replace(OPEN, values=np.full_like(OPEN.values, print_hidden * BARE))
    found = standing((20, 16, 1, 0), (20, 28, 1, 0))
    seen = feet((20, 16, 0.7, 1), (20, 28, 0.4, 1))
    assert agrees(seen, found, QUADS, strange)[0] == agreed


@pytest.mark.parametrize(("chance", "agreed"), [(0.75, False), (0.6, True)])
def test_a_plain_foot_counts_where_the_print_is_hardly_hidden(chance: float, agreed: bool) -> None:
    strange = replace(OPEN, values=np.full_like(OPEN.values, 0.9 * BARE))
    seen = feet((20, 16, SURE, 1), (20, 32, chance, 1))
    assert agrees(seen, standing((20, 16, 1, 0)), QUADS, strange)[0] == agreed


def test_one_piece_more_is_in_doubt() -> None:
    seen = feet((20, 20, SURE, 1), (38, 38, SURE, 0))
    assert agrees(seen, standing((20, 20, 1, 0)), QUADS, OPEN).tolist() == [False, True]


def test_who_found_nothing_is_doubted_sooner_than_who_found_pieces() -> None:
    faint = (30.0, 30.0, DOUBTFUL, 0)
    assert agrees(feet((20, 20, SURE, 1), faint), standing((20, 20, 1, 0)), QUADS, OPEN)[0]
    assert not agrees(feet(faint), standing(), QUADS, OPEN)[0]


@pytest.mark.parametrize(("print_hidden", "agreed"), [(0.6, True), (0.7, False)])
def test_a_faint_foot_away_from_all_pieces_is_no_part_of_them(
    print_hidden: float, agreed: bool
) -> None:
    strange = replace(OPEN, values=np.full_like(OPEN.values, print_hidden * BARE))
    seen = feet((14, 14, SURE, 1), (40, 40, DOUBTFUL, 0))
    assert agrees(seen, standing((14, 14, 1, 0)), QUADS, strange)[0] == agreed


def test_a_foot_beside_all_fields_is_none_of_theirs() -> None:
    assert agrees(feet((20, 58, SURE, 1)), standing(), QUADS, OPEN).all()


def test_a_hand_over_a_field_makes_it_doubtful() -> None:
    shows = feet().shows.copy()
    shows[GROUND, :, 30:], shows[COVER, :, 30:] = 0.0, 1.0
    assert agrees(feet(shows=shows), standing(), QUADS, OPEN).tolist() == [True, False]


def test_a_field_beyond_the_view_is_doubtful() -> None:
    shifted = np.add(QUADS, (10, 0), dtype=np.float32)
    assert agrees(feet(), standing(), shifted, OPEN).tolist() == [True, False]


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


def test_without_the_model_nothing_is_sure_and_one_is_told(
    seen: tuple[Image, Plane],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def missing(name: str) -> Network:
        raise ModelMissingError(f"{name} is missing.", "Install it.")

    monkeypatch.setattr(reading, "network", missing)
    image, plane = seen
    reader = PieceReader(ONE_FIELD)
    assert "No reading of a piece will be certain" in caplog.text
    face = np.full((80, 80, 3), 200, np.uint8)
    pieces, sure = reader.read(image, plane, find_boards(image, plane, ONE_FIELD), {"map": face})
    assert not pieces.certain.any()
    assert sure.tolist() == [False]


def found_at(*those: tuple[float, float, int]) -> PieceReadings:
    """What a search found at x, y (mm) in a paint, all on the first field."""
    points = np.array([one[:2] for one in those], np.float32).reshape(-1, 2)
    paints = np.array([one[2] for one in those], np.int16)
    scores, n = np.ones(len(those), np.float32), len(those)
    return PieceReadings(points, points, paints, np.zeros(n, np.int16), scores, scores > 0)


@pytest.mark.parametrize(
    ("chance", "searched", "read"),
    [
        (0.6, (20, 21, 1), True),
        (0.6, (20, 21, 0), False),  # The same place in another paint.
        (0.6, (30, 20, 1), False),  # Another place.
        (0.45, (20, 21, 1), False),
        (0.75, None, True),
        (0.65, None, False),
    ],
)
def test_on_an_unknown_print_a_foot_is_read_if_it_is_likely(
    seen: tuple[Image, Plane], chance: float, searched: tuple[float, float, int] | None, read: bool
) -> None:
    """One pixel of the view is one millimetre, pixel middles half a millimetre from the corner."""
    found = found_at(*(() if searched is None else (searched,)))
    quads = QUADS + np.float32(0.5)
    pieces = likely_pieces(feet((20, 20, chance, 1)), found, OPEN.view, seen[1], quads, 2.0)
    assert pieces.colour_ids.tolist() == [1] * read
    assert not pieces.certain.any()
    if read:
        assert np.allclose(pieces.points_mm, (20.5, 20.5))
        assert np.allclose(pieces.scores, chance, rtol=0.01)


def test_likely_feet_are_told_by_their_fields(seen: tuple[Image, Plane]) -> None:
    """What is beside all fields, or in no taught paint, is none of their pieces."""
    those = feet((70, 20, SURE, 0), (20, 20, SURE, 1), (20, 60, SURE, 1), (80, 30, SURE, 2))
    pieces = likely_pieces(those, found_at(), OPEN.view, seen[1], QUADS + np.float32(0.5), 2.0)
    assert pieces.field_ids.tolist() == [0, 1]
    assert pieces.colour_ids.tolist() == [1, 0]
    nothing = likely_pieces(feet(), found_at(), OPEN.view, seen[1], QUADS, 2.0)
    assert not len(nothing)


def test_of_a_board_whose_print_is_unknown_no_field_is_sure(seen: tuple[Image, Plane]) -> None:
    image, plane = seen
    reader, boards = PieceReader(ONE_FIELD), find_boards(image, plane, ONE_FIELD)
    where = boards[0].to_plane(np.array([(0, 0), (40, 40)]))
    (left, top), (right, bottom) = where.tolist()
    assert right - left == pytest.approx(bottom - top)
    bare = {"map": plane.patch(image, (left, top), (right - left, bottom - top), 2.0, 0.0)}
    assert not reader.read(image, plane, boards)[1].any()
    assert reader.read(image, plane, boards, bare)[1].all()
