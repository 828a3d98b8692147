"""Training pictures on disk, in shards: drawn once, in parallel, the same for the same seed."""

from __future__ import annotations

import multiprocessing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from models.prints.icons import Icons
from models.tables import draw_table, printed, stock

#: Pictures in a shard, and their width and height in pixels.
SHARD, SIDE = 128, 256
#: Sets of pieces of each of two kinds that the pictures of a shard share.
SETS = 16


@dataclass(frozen=True, eq=False)
class Pictures:
    """Many pictures and the pieces in them."""

    images: NDArray[np.uint8]
    """BGR, (n, SIDE, SIDE, 3)."""
    starts: NDArray[np.int64]
    """Where the pieces of each picture start in `quads`, and where the last ones end, (n + 1,)."""
    quads: NDArray[np.float32]
    """(m, 4, 2)"""
    visible: NDArray[np.float32]
    """(m,)"""

    def __len__(self) -> int:
        return len(self.images)

    def pieces(self, picture: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Quads (k, 4, 2) and visible shares (k,) of the pieces of one picture."""
        part = slice(self.starts[picture], self.starts[picture + 1])
        return self.quads[part], self.visible[part]


def pictures(folder: Path, seed: int, shards: range, workers: int) -> Pictures:
    """The pictures of the given shards of a seed; those that `folder` lacks are drawn first."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [k for k in shards if not _path(folder, seed, k).exists()]
    if missing:
        with multiprocessing.get_context("spawn").Pool(workers) as pool:
            drawn = pool.imap_unordered(partial(_draw, folder, seed), missing)
            for _ in tqdm(drawn, "drawing tables", len(missing), unit="shard"):
                pass
    loaded = [np.load(_path(folder, seed, k)) for k in shards]
    counts = np.concatenate([part["counts"] for part in loaded])
    return Pictures(
        np.concatenate([part["images"] for part in loaded]),
        np.concatenate([[0], np.cumsum(counts)]),
        *(np.concatenate([part[name] for part in loaded]) for name in ("quads", "visible")),
    )


@cache
def _icons() -> Icons:
    """The icons, once for each process."""
    return Icons()


def _path(folder: Path, seed: int, shard: int) -> Path:
    return folder / f"tables-{seed}-{shard:04}.npz"


def _draw(folder: Path, seed: int, shard: int) -> None:
    cv2.setNumThreads(1)
    rng, icons = np.random.default_rng([seed, shard]), _icons()
    sets = [stock(rng) for _ in range(SETS)] + [printed(rng, icons) for _ in range(SETS)]
    tables = [
        draw_table(np.random.default_rng([seed, shard, k]), (SIDE, SIDE), sets)
        for k in range(SHARD)
    ]
    partial_file = folder / f"partial-{seed}-{shard:04}.npz"
    np.savez(
        partial_file,
        images=np.stack([table.image for table in tables]),
        counts=np.array([len(table.quads) for table in tables]),
        quads=np.concatenate([table.quads for table in tables]),
        visible=np.concatenate([table.visible for table in tables]),
    )
    partial_file.rename(_path(folder, seed, shard))
