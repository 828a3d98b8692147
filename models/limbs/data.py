"""Makes the training pictures once, by seed, and keeps them in files."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.limbs.arms import Arm, Sprite
from models.limbs.samples import sample
from models.limbs.tables import rendered_tables
from models.limbs.wood import wooden_tables

Image = NDArray[np.uint8]

#: Pictures in one file, poses and table tops that they are made of.
SHARD, POSES, TOPS = 500, 160, 10
#: The first files show tables of all kinds, those from here on figured wood; so many are made.
FIRST_WOOD, WOODEN = 6, 40


def shard(wheel: Path, seed: int, number: int, folder: Path) -> Path:
    """File `number` of the pictures that `seed` makes; made unless it is there."""
    file = folder / f"pictures-{seed}-{number:03}.npz"
    if not file.is_file():
        rng = np.random.default_rng([seed, number])
        arm = _arm(wheel)
        sprites: list[Sprite] = [arm.sprite(rng) for _ in range(POSES)]
        if number < FIRST_WOOD:
            tops = range(TOPS)
            tables = [t for i in tops for t in rendered_tables(1000 * seed + TOPS * number + i)]
        else:
            tables = wooden_tables(rng, WOODEN)
        pairs = [sample(sprites, tables, rng) for _ in range(SHARD)]
        unfinished = file.with_suffix(".part.npz")
        np.savez(
            unfinished, seen=np.stack([p[0] for p in pairs]), limb=np.stack([p[1] for p in pairs])
        )
        unfinished.replace(file)
    return file


class Pictures:
    """Makes files of pictures in the background, in order, while the first are learnt from."""

    def __init__(
        self, wheel: Path, seed: int, numbers: Sequence[int], folder: Path, workers: int
    ) -> None:
        """The files `numbers` of `seed`; `folder` keeps them; `workers` processes make them."""
        folder.mkdir(parents=True, exist_ok=True)
        self._pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))
        self._jobs = {
            number: self._pool.submit(shard, wheel, seed, number, folder) for number in numbers
        }

    def file(self, number: int) -> tuple[Image, Image]:
        """Pictures (SHARD, 144, 256, 3) of a file and their limbs (SHARD, 36, 64); waits."""
        with np.load(self._jobs[number].result()) as file:
            return file["seen"], file["limb"]


@cache
def _arm(wheel: Path) -> Arm:
    return Arm(wheel)
