"""The light of a frame: what most crops agree on, and whether another would do as well."""

from __future__ import annotations

import numpy as np
import pytest

from vision.faces.light import common_light, common_lights


def frame(*crops: list[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Votes of 1 for each light that is proposed; crops must propose equally many."""
    light = np.array(crops, np.float32)
    return np.ones(light.shape[:2], np.float32), light


def test_what_all_crops_share_wins() -> None:
    # Each crop fits two faces: one in the common light, one in a light of its own.
    vote, light = frame([(0.3, 0.1), (1.4, 0.0)], [(-0.9, 0.0), (0.3, 0.1)], [(0.3, 0.1), (0, 1.5)])
    assert common_light(vote, light) == pytest.approx([0.3, 0.1], abs=0.01)
    best, share, _ = common_lights(vote, light)
    assert best == pytest.approx([0.3, 0.1], abs=0.01)
    assert share < 0.5


def test_one_crop_alone_may_be_seen_in_two_lights() -> None:
    vote, light = frame([(0.0, 0.0), (0.7, 0.0)])
    best, share, other = common_lights(vote, light)
    assert best == pytest.approx([0, 0], abs=0.01)
    assert other == pytest.approx([0.7, 0], abs=0.01)
    # The lamp of the teaching photo is the likelier one: exp(-1/2) at one deviation.
    assert share == pytest.approx(np.exp(-0.5), abs=0.02)


def test_no_vote_is_the_light_of_teaching() -> None:
    vote, light = frame([(0.5, 0.5)])
    assert common_light(0 * vote, light).tolist() == [0, 0]
    assert common_lights(0 * vote, light)[1] == 0
