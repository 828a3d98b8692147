"""The currency between vision and referee refuses what does not fit together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.observation import CANDIDATES, NONE, Facing, Observation, PieceReadings, TileReadings


def tiles(*labels: int) -> TileReadings:
    n = len(labels)
    quads = np.zeros((n, 4, 2), np.float32)
    quads[:, 1:3, 0] = 35
    quads[:, 2:, 1] = 35
    quads += 100 * np.arange(n, dtype=np.float32)[:, None, None]
    candidates = np.full((n, CANDIDATES), NONE, np.int16)
    candidates[:, 0] = labels
    scores = np.zeros((n, CANDIDATES), np.float32)
    scores[:, 0] = 0.9
    return TileReadings(
        quads_mm=quads,
        quads_px=quads * 2,
        found_scores=np.ones(n, np.float32),
        label_ids=np.array(labels, np.int16),
        facings=np.full(n, Facing.UP, np.int8),
        certain=np.ones(n, np.bool_),
        candidate_ids=candidates,
        candidate_scores=scores,
        zone_ids=np.full(n, NONE, np.int16),
    )


def observation(readings: TileReadings, labels: tuple[str, ...]) -> Observation:
    return Observation(
        frame_id=1,
        captured_at=0.0,
        size_px=(640, 480),
        calibration_id="a",
        model_hash="b",
        labels=labels,
        tiles=readings,
    )


def test_empty_readings_have_every_column_and_no_entry() -> None:
    assert len(TileReadings.empty()) == 0
    assert TileReadings.empty().quads_mm.shape == (0, 4, 2)
    assert len(PieceReadings.empty()) == 0


def test_a_wrong_shape_is_refused_with_expected_and_got() -> None:
    with pytest.raises(ValueError, match=r"label_ids: .* int16 .*\(2,\), got .*\(3,\)"):
        replace(tiles(0, 1), label_ids=np.zeros(3, np.int16))


def test_a_wrong_type_is_refused() -> None:
    with pytest.raises(ValueError, match="certain: expected bool"):
        replace(tiles(0), certain=np.zeros(1, np.int8))
    with pytest.raises(TypeError, match="certain: expected an array, got list"):
        replace(tiles(0), certain=[True])  # type: ignore[arg-type]


def test_a_mask_keeps_all_columns_aligned() -> None:
    kept = tiles(0, 1, 0).select(np.array([True, False, True]))
    assert kept.label_ids.tolist() == [0, 0]
    assert kept.centres_mm[:, 0].tolist() == [17.5, 217.5]


def test_merging_puts_the_other_behind() -> None:
    assert tiles(0, 1).merged(tiles(2)).label_ids.tolist() == [0, 1, 2]


def test_an_id_beyond_its_vocabulary_is_refused() -> None:
    with pytest.raises(ValueError, match="label_ids: expected ids from -1 to 0, got 0 to 1"):
        observation(tiles(0, 1), labels=("bread-1",))


def test_words_of_a_reading() -> None:
    seen = observation(tiles(1), labels=("bread-1", "bread-2"))
    assert seen.tile_label(0) == "bread-2"
    assert seen.tile_zone(0) is None
    [(label, score)] = seen.tile_candidates(0)
    assert label == "bread-2"
    assert score == pytest.approx(0.9)
