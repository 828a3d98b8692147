"""Examples on disk: made once for a range of seeds, in chunks, so that a stop loses little."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pieces.tables import SIDE, make

#: So many seeds are in one file.
CHUNK = 20
#: The lean is smooth: it is kept on every such pixel.
LEAN_STEP = 8


@dataclass(frozen=True, eq=False)
class Examples:
    """Many examples as aligned arrays; see `models.pieces.tables.Example`."""

    pixels: NDArray[np.uint8]
    lean: NDArray[np.float32]
    """(n, SIDE / LEAN_STEP, SIDE / LEAN_STEP, 2), at the middles of blocks of pixels."""
    shows: NDArray[np.uint8]
    feet: NDArray[np.float32]
    taught: NDArray[np.float32]
    fields: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.pixels)


NAMES = ("pixels", "lean", "shows", "feet", "taught", "fields")


def chunks(folder: Path, seeds: range, workers: int = 1) -> Iterator[Path]:
    """The files of a range of seeds in order, made if they are not there.

    With several workers, processes make them and run ahead of who asks.
    """
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [
        (folder / f"{first:07}.npz", range(first, min(first + CHUNK, seeds.stop)))
        for first in range(seeds.start, seeds.stop, CHUNK)
    ]
    if workers == 1:
        yield from map(_ensured, jobs)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield from pool.imap(_ensured, jobs)


def _ensured(job: tuple[Path, range]) -> Path:
    path, seeds = job
    if not path.exists():
        fresh = path.with_suffix(".part.npz")
        np.savez(fresh, allow_pickle=False, **_made(seeds))
        fresh.rename(path)
    return path


def load(paths: Sequence[Path]) -> Examples:
    """The examples of some files, one after the other."""
    parts = [np.load(path) for path in paths]
    return Examples(*(np.concatenate([part[name] for part in parts]) for name in NAMES))


def _made(seeds: range) -> dict[str, NDArray[Any]]:
    cv2.setNumThreads(1)
    examples = [example for seed in seeds for example in make(seed)]
    arrays = {name: np.stack([getattr(e, name) for e in examples]) for name in NAMES}
    small = (SIDE // LEAN_STEP, SIDE // LEAN_STEP)
    arrays["lean"] = np.stack(
        [cv2.resize(e.lean, small, interpolation=cv2.INTER_AREA) for e in examples]
    )
    return arrays
