"""What the network for arms must keep: its grid, its range, and no arm on a bare table."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.network import network
from vision.stillness import Settings


def answer(levels: NDArray[np.float32]) -> NDArray[np.float32]:
    (limb,) = network("limbs").run(levels)
    return limb


@pytest.mark.parametrize("size", [(144, 256), (256, 144), (144, 144), (288, 512)])
def test_one_answer_for_each_eight_pixels_of_any_batch(size: tuple[int, int]) -> None:
    noise = np.random.default_rng(0).uniform(0, 255, (2, 3, *size)).astype(np.float32)
    limb = answer(noise)
    assert limb.shape == (2, 1, size[0] // 8, size[1] // 8)
    assert limb.min() >= 0
    assert limb.max() <= 1


@pytest.mark.parametrize("level", [60.0, 130.0, 200.0])
def test_a_bare_table_shows_no_arm(level: float) -> None:
    grain = np.random.default_rng(1).normal(level, 3, (1, 3, 144, 256)).astype(np.float32)
    assert answer(grain).max() < Settings().limb
