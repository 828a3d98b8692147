"""Makes the training pictures once, by seed, and keeps them in files."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.limbs.arms import Arm, Sprite
from models.limbs.samples import sample
from models.limbs.tables import rendered_tables

Image = NDArray[np.uint8]

#: Pictures in one file, poses and table tops that they are made of.
SHARD, POSES, TOPS = 500, 160, 10


def shard(wheel: Path, seed: int, number: int, folder: Path) -> Path:
    """File `number` of the pictures that `seed` makes; made unless it is there."""
    file = folder / f"pictures-{seed}-{number:03}.npz"
    if not file.is_file():
        rng = np.random.default_rng([seed, number])
        arm = _arm(wheel)
        sprites: list[Sprite] = [arm.sprite(rng) for _ in range(POSES)]
        tables = [t for i in range(TOPS) for t in rendered_tables(1000 * seed + TOPS * number + i)]
        pairs = [sample(sprites, tables, rng) for _ in range(SHARD)]
        unfinished = file.with_suffix(".part.npz")
        np.savez(
            unfinished, seen=np.stack([p[0] for p in pairs]), limb=np.stack([p[1] for p in pairs])
        )
        unfinished.replace(file)
    return file


class Pictures:
    """Makes shards in the background, in order, while the first are learnt from."""

    def __init__(self, wheel: Path, seed: int, count: int, folder: Path, workers: int) -> None:
        """`count` pictures in all; `folder` keeps them; `workers` processes make them."""
        folder.mkdir(parents=True, exist_ok=True)
        self._pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))
        self._jobs = [
            self._pool.submit(shard, wheel, seed, number, folder)
            for number in range(-(-count // SHARD))
        ]
        self._loaded: list[tuple[Image, Image]] = []

    def first(self, count: int) -> tuple[Image, Image]:
        """The first `count` pictures (n, 144, 256, 3) and their limbs (n, 36, 64); waits."""
        needed = -(-count // SHARD)
        for job in self._jobs[len(self._loaded) : needed]:
            with np.load(job.result()) as file:
                self._loaded.append((file["seen"], file["limb"]))
        seen, limb = zip(*self._loaded[:needed], strict=True)
        return np.concatenate(seen)[:count], np.concatenate(limb)[:count]


@cache
def _arm(wheel: Path) -> Arm:
    return Arm(wheel)
