from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.tables import Tile, face, ground, photograph, plane_of
from vision.tiles import (
    SHADE,
    ClassicDetector,
    Detections,
    Glimpse,
    common_change,
    hidden,
    lies_below,
    overlaps,
    pack,
    rims,
    share_of_stock,
    share_under_glare,
    shifted,
)

SIZE = (300.0, 220.0)
PALE, BLACK, RED = (200, 225, 235), (25, 25, 25), (40, 40, 190)
WOOD = (60, 90, 130)


def _find(tiles: Sequence[Tile], bgr: tuple[int, int, int], **kinds: float) -> Detections:
    photo = photograph(ground(SIZE, bgr, seed=1, **kinds), tiles)
    size = tiles[0].size if tiles else (35.0, 35.0)
    return ClassicDetector().detect(photo, plane_of(SIZE, photo), size, 0.0)


def _corner_error(found: Detections, tile: Tile) -> float:
    """Largest distance in mm of a corner, for the find and the turn that fit the tile best."""
    turns = [np.roll(found.quads_mm, k, axis=1) for k in range(4)]
    apart = [np.linalg.norm(quads - tile.quad, axis=2).max(axis=1) for quads in turns]
    return float(np.min(apart, initial=np.inf))


def test_tiles_at_any_angle_are_found_to_a_millimetre() -> None:
    places = [(50.0 + 65 * (k % 4), 50.0 + 60 * (k // 4)) for k in range(12)]
    tiles = [Tile(face("R", RED, PALE), place, angle=7.5 * k) for k, place in enumerate(places)]
    found = _find(tiles, WOOD)
    assert max(_corner_error(found, tile) for tile in tiles) < 1.2


def test_the_best_of_overlapping_finds_are_the_tiles() -> None:
    tiles = [Tile(face("R", RED, PALE), (60.0 + 80 * k, 100.0), angle=20.0 * k) for k in range(3)]
    found = _find(tiles, WOOD)
    kept = found.select(pack(found.scores, overlaps(found.quads_mm))[:3])
    assert max(_corner_error(kept, tile) for tile in tiles) < 1.2


@pytest.mark.parametrize("symbol", ["square", "disc", "R"])
def test_a_row_without_seams_is_split(symbol: str) -> None:
    tiles = [Tile(face(symbol, RED, BLACK), (60.0 + 35 * k, 100.0), angle=0.0) for k in range(5)]
    found = _find(tiles, (225, 225, 225))
    assert max(_corner_error(found, tile) for tile in tiles) < 2.0


def test_touching_tiles_of_two_angles() -> None:
    tiles = [
        Tile(face("R", RED, PALE), (100.0, 100.0)),
        Tile(face("K", RED, PALE), (135.3, 104.0)),
        Tile(face("S", RED, PALE), (122.0, 145.5), angle=40.0),
    ]
    found = _find(tiles, (60, 110, 60))
    assert max(_corner_error(found, tile) for tile in tiles) < 1.5


def test_a_tile_whose_print_shows_hardly_an_edge_to_its_ground() -> None:
    tiles = [Tile(face("R", RED, PALE), (150.0, 110.0), angle=33.0)]
    found = _find(tiles, (188, 213, 223), grain=2.0)
    assert _corner_error(found, tiles[0]) < 1.5


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, 120.0])
def test_cards_start_with_a_side_of_their_width(angle: float) -> None:
    picture = np.full((88, 57, 3), 235, np.uint8)
    picture[30:60, 20:40] = RED
    card = Tile(picture, (150.0, 110.0), angle, size=(57.0, 88.0))
    found = _find([card], (60, 60, 60))
    quad = found.quads_mm[0]
    assert np.linalg.norm(quad[1] - quad[0]) == pytest.approx(57.0, abs=2.5)
    assert np.linalg.norm(quad[2] - quad[1]) == pytest.approx(88.0, abs=2.5)
    assert _corner_error(found, card) < 1.5


def test_a_tile_that_sticks_out_of_the_plane() -> None:
    tiles = [Tile(face("R", RED, PALE), (100.0, -4.0)), Tile(face("R", RED, PALE), (297.0, 100.0))]
    found = _find(tiles, WOOD)
    assert max(_corner_error(found, tile) for tile in tiles) < 1.2


def test_a_bare_table_has_no_plain_outline() -> None:
    assert (_find([], WOOD, grain=10.0).scores < 0.4).all()


def test_the_corners_in_pixels_are_those_in_millimetres() -> None:
    photo = photograph(ground(SIZE, WOOD, seed=1), [Tile(face("R", RED, PALE), (90.0, 90.0))])
    plane = plane_of(SIZE, photo)
    found = ClassicDetector().detect(photo, plane, (35.0, 35.0), 2.0)
    np.testing.assert_allclose(found.quads_px, plane.lift(found.quads_mm, 2.0), atol=0.01)
    assert (np.diff(found.scores) <= 0).all()


def test_nothing_is_looked_for_where_no_tile_may_lie() -> None:
    tiles = [Tile(face("R", RED, PALE), (x, 100.0), angle=20.0) for x in (70.0, 220.0)]
    photo = photograph(ground(SIZE, WOOD, seed=1), tiles)

    def on_the_left(centres: NDArray[np.float32]) -> NDArray[np.bool_]:
        return np.asarray(centres[:, 0] < 150, np.bool_)

    args = (photo, plane_of(SIZE, photo), (35.0, 35.0), 0.0)
    everywhere, left = (ClassicDetector().detect(*args, *x) for x in ((), (on_the_left,)))
    assert (everywhere.quads_mm.mean(axis=1)[:, 0] > 155).any()
    assert (left.quads_mm.mean(axis=1)[:, 0] < 155).all()
    assert _corner_error(left, tiles[0]) == _corner_error(everywhere, tiles[0])


def test_arrays_of_detections_are_checked() -> None:
    with pytest.raises(ValueError, match=r"quads_mm: expected float32 of shape \(1, 4, 2\)"):
        Detections.of(
            np.zeros((1, 2), np.float32), np.zeros((1, 4, 2), np.float32), np.ones(1, np.float32)
        )


def _square(x: float, y: float) -> NDArray[np.float32]:
    return np.array([(x, y), (x + 10, y), (x + 10, y + 10), (x, y + 10)], np.float32)


def test_a_find_between_two_gives_way_to_both() -> None:
    quads = np.stack([_square(0, 0), _square(5, 0), _square(10, 0)])
    worth = np.array([0.6, 0.9, 0.5], np.float32)
    assert set(pack(worth, overlaps(quads)).tolist()) == {0, 2}


def test_a_find_that_is_worth_more_than_both_stays() -> None:
    quads = np.stack([_square(0, 0), _square(5, 0), _square(10, 0)])
    worth = np.array([0.4, 0.9, 0.4], np.float32)
    assert pack(worth, overlaps(quads)).tolist() == [1]


def test_what_is_worth_nothing_is_left_out() -> None:
    quads = np.stack([_square(0, 0), _square(20, 0)])
    assert pack(np.array([0.0, 0.1], np.float32), overlaps(quads)).tolist() == [1]
    assert pack(np.zeros(0, np.float32), overlaps(quads[:0])).tolist() == []


def test_a_glimpse_knows_a_taught_face_in_any_turn_and_no_other() -> None:
    tiles = [
        Tile(face("R", RED, PALE), (60.0, 60.0), angle=100.0),
        Tile(face("disc", RED, PALE), (160.0, 60.0)),
        Tile(face("blank", RED, PALE), (240.0, 60.0)),
    ]
    photo = photograph(ground(SIZE, WOOD, seed=1), tiles)
    quads = plane_of(SIZE, photo).to_px(np.array([np.roll(t.quad, 1, axis=0) for t in tiles]))
    glimpse = Glimpse([face("R", RED, PALE)], 1.0)
    like, shift = glimpse.look(photo, quads)
    assert like[0] > 0.8
    assert like[0] > like[1] > like[2]
    assert like[2] < 0.4
    assert (shift[0] == 0).all()


def test_a_glimpse_tells_where_the_face_really_is() -> None:
    tile = Tile(face("R", RED, PALE), (60.0, 60.0))
    photo = photograph(ground(SIZE, WOOD, seed=1), [tile])
    off = np.array([-2.4, 0.0])
    quads = plane_of(SIZE, photo).to_px((tile.quad + off)[None])
    like, shift = Glimpse([tile.face], 1.0).look(photo, quads)
    np.testing.assert_allclose(shift[0] * 35, -off, atol=0.8)
    np.testing.assert_allclose(
        shifted(quads, shift), plane_of(SIZE, photo).to_px(tile.quad)[None], atol=1.5
    )
    assert like[0] > 0.8


def test_rims_have_the_colour_of_the_stock_in_light_and_shade() -> None:
    tile = Tile(face("R", RED, PALE), (90.0, 90.0))
    photo = photograph(ground(SIZE, WOOD, seed=1), [tile])
    quads = plane_of(SIZE, photo).to_px(np.stack([tile.quad, tile.quad + np.array([0.0, 17.5])]))
    seen = rims(photo, quads)
    np.testing.assert_allclose(np.median(seen[0], axis=0), PALE, atol=6)
    stock = np.array([PALE], np.float64)
    assert share_of_stock(seen, stock, 0.0)[0] > 0.95
    assert share_of_stock(seen, stock, 0.0)[1] < 0.6
    assert share_of_stock(np.asarray(seen * 0.7, np.uint8), stock, 0.0)[0] > 0.95
    assert share_of_stock(seen, np.array([BLACK], np.float64), 0.0)[0] < 0.05


def test_a_rim_may_be_much_darker_in_a_shadow_but_no_brighter() -> None:
    stock = np.full((1, 3), 100.0)
    # Less than half as bright in red, two thirds in the other channels; and as much brighter.
    shadow, glare = np.full((2, 1, 32, 3), 0, np.uint8)
    shadow[:], glare[:] = (66, 66, 45), (230, 230, 240)
    assert share_of_stock(shadow, stock, 0.0) == 0.0
    assert share_of_stock(shadow, stock, 0.0, SHADE) == 1.0
    assert share_of_stock(glare, stock, 0.0, SHADE) == 0.0


def test_a_dark_rim_may_be_paled_by_glare_but_have_no_other_hue() -> None:
    """A fifth of white light is added to (60, 90, 160): 0.042, 0.101 and 0.359 in light."""
    stock = np.array([[60.0, 90.0, 160.0]])
    glare, blue, dark = np.full((3, 1, 32, 3), 0, np.uint8)
    glare[:], blue[:], dark[:] = (133, 147, 194), (194, 147, 133), (20, 30, 55)
    assert share_of_stock(glare, stock, 0.0) == 0.0
    assert share_under_glare(glare, stock, 0.0) == 1.0
    assert share_under_glare(blue, stock, 0.0) == 0.0
    assert share_under_glare(dark, stock, 0.0) == 0.0
    # Taken half as bright, all of it.
    assert share_under_glare(np.asarray(glare * 0.73, np.uint8), stock, np.log(0.73)) == 1.0
    # Pale wood is no black stock under glare: black has no hue that could stay.
    wood = np.full((1, 1, 32, 3), (142, 165, 180), np.uint8)
    assert share_under_glare(wood[0], np.array([[44.0, 46.0, 50.0]]), 0.0) == 0.0


def test_which_cells_of_a_quad_others_hide() -> None:
    quads = np.array([[[0, 0], [4, 0], [4, 2], [0, 2]]], np.float32)
    others = np.array([[[3, -1], [6, -1], [6, 1], [3, 1]], [[9, 9], [10, 9], [10, 10], [9, 10]]])
    cells = hidden(quads, others.astype(np.float32), 4, 2)
    first, second = [[False, False, False, True], [False] * 4], [[False] * 4] * 2
    assert cells.tolist() == [[first, second]]


def test_a_tile_lies_below_one_that_hides_a_good_part_of_it_not_between_two_that_touch_it() -> None:
    tile = np.array([[[0, 0], [10, 0], [10, 10], [0, 10]]], np.float32)
    for shifts, lies in (
        ([(7, 3)], True),  # Hides a fifth.
        ([(9, 0)], False),  # Touches it, and seems to hide a tenth.
        ([(9, 0), (-9, 0)], False),
        ([(2, 3)], False),  # Hides more than half: no outline is to be trusted.
        ([], False),
    ):
        above = np.array([tile[0] + shift for shift in shifts], np.float32).reshape(-1, 4, 2)
        assert lies_below(tile, above).tolist() == [lies]


def test_most_rims_tell_how_much_brighter_the_picture_is() -> None:
    dark, white = np.full((3, 32, 3), 34, np.uint8), np.full((2, 32, 3), 226, np.uint8)
    stock = np.full((5, 3), 18.0)
    # Three black tiles, brighter by (34 + 16) / (18 + 16), outvote two blank cells.
    change = common_change(np.concatenate([dark, white]), stock)
    assert change == pytest.approx(np.log(50 / 34), abs=1e-6)
    assert share_of_stock(dark, stock, change).min() == 1.0
    assert share_of_stock(white, stock, change).max() == 0.0
    assert common_change(dark[:0], stock[:0]) == 0.0
