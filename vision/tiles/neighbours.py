"""What tiles say of each other: all are of one size, some touch, some lie on others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.tiles.packing import hidden

#: How near, in a tile's sides, the middles of finds of one tile lie.
SAME = 0.15
#: The same for tiles that touch.
TOUCHING = 1.15
#: Share of a tile that another hides if it lies on it: what touches it seems to hide some too. And
#: the share that all together may hide of what is a find of its own.
LEAST_COVERED, MOST_COVERED = 0.15, 0.45
#: Cells along a side in which that is counted.
_CELLS = 12


def _lies_at(quads_mm: NDArray[np.float32], middles: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which quads (n, 4, 2) have their middle at one of `middles` (m, 2)."""
    away = np.linalg.norm(quads_mm.mean(axis=1)[:, None] - middles[None], axis=2)
    return np.asarray((away < SAME * _sides(quads_mm)[:, None]).any(axis=1), np.bool_)


def outlined(
    quads_mm: NDArray[np.float32], outlines: NDArray[np.float32], certain: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which of the `certain` tiles show an outline, or touch such a one, or one that does.

    `outlines` (n, 2) are the middles of finds whose outline can be seen. Where tiles touch, their
    seams may be unseen; a coin on pale cloth may pass for the print of a tile, but nothing around
    it shows a tile's edge.
    """
    centres, sides = quads_mm.mean(axis=1), _sides(quads_mm)
    near = np.linalg.norm(centres[:, None] - centres[None], axis=2) < TOUCHING * sides
    reached = np.asarray(certain & _lies_at(quads_mm, outlines), np.bool_)
    while (grown := certain & (near & reached).any(axis=1)).sum() > reached.sum():
        reached = np.asarray(grown, np.bool_)
    return reached


def sizes(quads_mm: NDArray[np.float32], certain: NDArray[np.bool_]) -> NDArray[np.float32]:
    """How many times as large as the tiles that are certain quads (n, 4, 2) are; 1 if none is."""
    diagonals = np.linalg.norm(quads_mm[:, 2] - quads_mm[:, 0], axis=1)
    if not certain.any():
        return np.ones(len(quads_mm), np.float32)
    return np.asarray(diagonals / np.median(diagonals[certain]), np.float32)


def lies_below(quads: NDArray[np.float32], above: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which quads (n, 4, 2) can be seen, though one of those `above` (m, 4, 2) lies on them."""
    cells = hidden(quads, above, _CELLS, _CELLS)
    largest = cells.mean(axis=(2, 3)).max(axis=1, initial=0)
    together = cells.any(axis=1).mean(axis=(1, 2))
    return np.asarray((largest >= LEAST_COVERED) & (together <= MOST_COVERED), np.bool_)


def _sides(quads_mm: NDArray[np.float32]) -> NDArray[np.float32]:
    """The longest side (n,) of each quad."""
    along = np.roll(quads_mm, -1, axis=1) - quads_mm
    return np.asarray(np.linalg.norm(along, axis=2).max(axis=1), np.float32)
