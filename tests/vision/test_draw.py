from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.draw import annotate
from vision.observation import CANDIDATES, NONE, Facing, Observation, PieceReadings, TileReadings

GROUND = np.full((300, 400, 3), 110, np.uint8)


def _seen(*, certain: bool, facing: Facing = Facing.UP, label: int = 0) -> Observation:
    quad = np.array([[[100, 80], [200, 80], [200, 180], [100, 180]]], np.float32)
    candidates = np.full((1, CANDIDATES), NONE, np.int16)
    candidates[0, :2] = (0, 1)
    tiles = TileReadings(
        quads_mm=quad,
        quads_px=quad,
        found_scores=np.ones(1, np.float32),
        label_ids=np.array([label], np.int16),
        facings=np.array([facing], np.int8),
        certain=np.array([certain]),
        candidate_ids=candidates,
        candidate_scores=np.zeros((1, CANDIDATES), np.float32),
        zone_ids=np.array([NONE], np.int16),
    )
    return Observation(0, 0.0, (400, 300), "", "", labels=("bread-1", "bread-2"), tiles=tiles)


def _touched(seen: Observation) -> NDArray[np.bool_]:
    return np.asarray((annotate(GROUND, seen) != GROUND).any(axis=2), np.bool_)


def test_a_certain_outline_is_solid_and_a_doubtful_one_has_gaps() -> None:
    side = (80, slice(105, 196))
    assert _touched(_seen(certain=True))[side].all()
    dashed = _touched(_seen(certain=False))[side]
    assert 0.3 < dashed.mean() < 0.8
    assert (np.diff(dashed.astype(int)) != 0).sum() >= 6


def test_a_face_down_tile_is_crossed_out() -> None:
    middle = (slice(128, 133), slice(148, 153))
    assert not _touched(_seen(certain=True))[middle].any()
    assert _touched(_seen(certain=True, facing=Facing.DOWN, label=NONE))[middle].any()


def test_a_bar_marks_the_top_of_the_print() -> None:
    touched = _touched(_seen(certain=True))
    assert touched[88:97, 140:160].any()
    assert not touched[100:150, 104:112].any()


def test_the_doubtful_words_name_both_rivals() -> None:
    words = slice(130, 178), slice(103, 198)
    assert _touched(_seen(certain=False))[words].sum() > _touched(_seen(certain=True))[words].sum()


def test_pieces_are_ringed_and_named() -> None:
    pieces = PieceReadings(
        points_mm=np.zeros((1, 2), np.float32),
        points_px=np.array([[300, 100]], np.float32),
        colour_ids=np.zeros(1, np.int16),
        field_ids=np.full(1, NONE, np.int16),
        scores=np.ones(1, np.float32),
        certain=np.array([True]),
    )
    seen = replace(Observation(0, 0.0, (400, 300), "", "", colours=("yellow",)), pieces=pieces)
    touched = _touched(seen)
    assert touched[100, 304:308].any()
    assert not touched[:80].any()


def test_the_picture_stays_as_it_was_and_must_be_the_one_that_was_read() -> None:
    before = GROUND.copy()
    annotate(GROUND, _seen(certain=True))
    assert (before == GROUND).all()
    with pytest.raises(ValueError, match="expected the picture that was read"):
        annotate(GROUND[:200], _seen(certain=True))
