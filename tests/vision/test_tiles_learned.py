from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import vision.network
from tests.vision.tables import SCALE, Tile, corners_px, face, ground, photograph, plane_of
from vision.tiles import (
    ClassicDetector,
    Detections,
    LearnedDetector,
    Together,
    default_detector,
    find_loose,
    overlaps,
    pack,
)
from vision.tiles.loose import _of_one_stock

SIZE = (300.0, 220.0)
PALE, RED, WOOD = (200, 225, 235), (40, 40, 190), (60, 90, 130)
#: Millimetres by which a corner may be off: a pixel and a half of these pictures.
NEAR = 1.0


@pytest.fixture(scope="module")
def detector() -> LearnedDetector:
    return LearnedDetector()


def _find(
    detector: LearnedDetector, tiles: Sequence[Tile], bgr: tuple[int, int, int]
) -> Detections:
    photo = photograph(ground(SIZE, bgr, seed=1), tiles)
    size = tiles[0].size if tiles else (35.0, 35.0)
    found = detector.detect(photo, plane_of(SIZE, photo), size, 0.0)
    sure = np.where(found.scores >= 0.5, found.scores, 0).astype(np.float32)
    return found.select(pack(sure, overlaps(found.quads_mm)))


def _error(quads: NDArray[np.float32], true: NDArray[np.float64]) -> float:
    """Largest distance of a corner, for the quad and the turn that fit best."""
    turns = [np.roll(quads, k, axis=1) for k in range(4)]
    apart = [np.linalg.norm(quads - true, axis=2).max(axis=1) for quads in turns]
    return float(np.min(apart, initial=np.inf))


def _scattered() -> list[Tile]:
    places = [(50.0 + 65 * (k % 4), 50.0 + 60 * (k // 4)) for k in range(12)]
    return [Tile(face("R", RED, PALE), place, angle=7.5 * k) for k, place in enumerate(places)]


def test_tiles_at_any_angle_are_found_and_nothing_else(detector: LearnedDetector) -> None:
    tiles = _scattered()
    found = _find(detector, tiles, WOOD)
    assert len(found) == len(tiles)
    assert max(_error(found.quads_mm, tile.quad) for tile in tiles) < NEAR


@pytest.mark.xfail(reason="the network misses rows that touch, see models/tiles/README.md")
def test_touching_tiles_are_told_apart(detector: LearnedDetector) -> None:
    tiles = [Tile(face("disc", RED, PALE), (60.0 + 35 * k, 100.0)) for k in range(5)]
    found = _find(detector, tiles, WOOD)
    assert len(found) == len(tiles)
    assert max(_error(found.quads_mm, tile.quad) for tile in tiles) < 2 * NEAR


def test_a_bare_table_bears_nothing(detector: LearnedDetector) -> None:
    assert len(_find(detector, [], WOOD)) == 0


def test_pieces_of_another_size_are_no_tiles(detector: LearnedDetector) -> None:
    tiles = [Tile(face("R", RED, PALE), (70.0 + 80 * k, 100.0), size=(56.0, 56.0)) for k in (0, 1)]
    photo = photograph(ground(SIZE, WOOD, seed=1), tiles)
    found = detector.detect(photo, plane_of(SIZE, photo), (35.0, 35.0), 0.0)
    assert (found.scores < 0.5).all()


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, 120.0])
def test_cards_start_with_a_side_of_their_width(detector: LearnedDetector, angle: float) -> None:
    picture = np.full((88, 57, 3), 235, np.uint8)
    picture[30:60, 20:40] = RED
    card = Tile(picture, (150.0, 110.0), angle, size=(57.0, 88.0))
    found = _find(detector, [card], (60, 60, 60))
    assert len(found) == 1
    quad = found.quads_mm[0]
    assert np.linalg.norm(quad[1] - quad[0]) == pytest.approx(57.0, abs=1.5)
    assert np.linalg.norm(quad[2] - quad[1]) == pytest.approx(88.0, abs=1.5)


def test_a_tile_that_sticks_out_of_the_plane(detector: LearnedDetector) -> None:
    tiles = [Tile(face("R", RED, PALE), (100.0, -4.0)), Tile(face("R", RED, PALE), (297.0, 100.0))]
    found = _find(detector, tiles, WOOD)
    assert max(_error(found.quads_mm, tile.quad) for tile in tiles) < NEAR


def test_nothing_is_found_where_no_tile_may_lie(detector: LearnedDetector) -> None:
    photo = photograph(ground(SIZE, WOOD, seed=1), _scattered())

    def above(centres: NDArray[np.float32]) -> NDArray[np.bool_]:
        return np.asarray(centres[:, 1] < 80, np.bool_)

    found = detector.detect(photo, plane_of(SIZE, photo), (35.0, 35.0), 0.0, above)
    sure = found.scores >= 0.5
    # The first of three rows of four.
    assert len(pack(found.scores * sure, overlaps(found.quads_mm))) == 4
    assert (found.quads_mm.mean(axis=1)[:, 1] < 85).all()


def test_pixels_and_millimetres_agree_and_the_best_come_first(detector: LearnedDetector) -> None:
    photo = photograph(ground(SIZE, WOOD, seed=1), _scattered())
    plane = plane_of(SIZE, photo)
    found = detector.detect(photo, plane, (35.0, 35.0), 2.0)
    np.testing.assert_allclose(found.quads_px, plane.lift(found.quads_mm, 2.0), atol=0.02)
    assert (np.diff(found.scores) <= 0).all()


def test_a_missing_network_is_told_once_and_the_classic_detector_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(vision.network, "models_folder", lambda: tmp_path)
    vision.network.network.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert isinstance(default_detector(), ClassicDetector)
    vision.network.network.cache_clear()
    assert len(caplog.records) == 1
    assert "tiles.onnx" in caplog.records[0].getMessage()


def _cards() -> tuple[NDArray[np.uint8], list[NDArray[np.float64]]]:
    """A photo of four cards and a small square, and the cards' corners in its pixels."""
    picture = np.full((88, 57, 3), 235, np.uint8)
    picture[30:60, 20:40] = RED
    cards = [
        Tile(picture, (55.0 + 80 * k, 70.0 + 40 * (k % 2)), 15.0 * k, (40.0, 62.0))
        for k in range(3)
    ]
    small = Tile(face("blank", RED, PALE), (60.0, 180.0), 10.0, (14.0, 14.0))
    photo = photograph(ground(SIZE, (45, 45, 45), seed=2), [*cards, small])
    origin = corners_px(SIZE)[0]
    return photo, [card.quad * SCALE + origin for card in cards]


def test_cards_are_found_without_plane_or_scale() -> None:
    photo, quads = _cards()
    found = find_loose(photo, 62 / 40)
    assert len(found) == len(quads)
    assert max(_error(found.quads, quad) for quad in quads) < 1.5


def test_the_aspect_says_what_is_no_card() -> None:
    photo, _ = _cards()
    assert len(find_loose(photo, 3.0)) == 0


def test_an_empty_photo_holds_no_loose_pieces() -> None:
    assert len(find_loose(ground(SIZE, WOOD, seed=3))) == 0


def test_a_doubtful_find_is_of_the_stock_of_the_plain_ones() -> None:
    """A piece of floor as large as three white cards; a plain find may be of other stock."""
    photo, quads = _cards()
    beside = quads[0] + np.array([0.0, 130.0])
    finds = np.asarray([*quads, beside], np.float32)
    for last, kept in ((0.8, False), (0.97, True)):
        scores = np.array([0.99, 0.98, 0.7, last], np.float32)
        assert _of_one_stock(photo, finds, scores).tolist() == [True, True, True, kept]
    assert _of_one_stock(photo, finds, np.full(4, 0.6, np.float32)).all()


class Said:
    """A detector that finds what it is told to."""

    def __init__(self, *scores: float) -> None:
        quads = np.zeros((len(scores), 4, 2), np.float32)
        self._found = Detections.of(quads, quads, np.array(scores, np.float32))

    def detect(self, *asked: object) -> Detections:
        return self._found


def test_what_the_first_detector_finds_is_looked_at_first() -> None:
    nothing = np.zeros((1, 1, 3), np.uint8)
    plane = plane_of(SIZE, photograph(ground(SIZE, WOOD, seed=1), []))
    found = Together(Said(0.4, 0.3), Said(), Said(0.9)).detect(nothing, plane, (1.0, 1.0), 0.0)
    assert found.scores.tolist() == pytest.approx([0.4, 0.3, 0.9])
    assert found.tiers.tolist() == [0, 0, 2]
