"""Settles which of several overlapping finds are kept: tiles hardly overlap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.quads import side_lines
from vision.tiles.sampling import spread

#: Two tiles may seem to overlap by this share: one lies on another, and is seen higher up.
OVERLAP = 0.45
#: Points along a side of the grid by which overlap is measured.
_GRID = 6


#: For each find the indices of those that it can't lie beside.
Rivals = list[set[int]]


def overlaps(quads: NDArray[np.float32], share_of: float = OVERLAP) -> Rivals:
    """For each quad (n, 4, 2) those that overlap it by more than a share of either."""
    n = len(quads)
    rivals: Rivals = [set() for _ in range(n)]
    if n < 2:
        return rivals
    centres = quads.mean(axis=1)
    radius = np.linalg.norm(quads - centres[:, None], axis=2).max(axis=1)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    a, b = np.nonzero((apart < radius[:, None] + radius[None]) & ~np.eye(n, dtype=bool))
    share = (np.arange(_GRID) + 0.5) / _GRID
    points = np.stack([*spread(quads, share, share), np.ones((n, _GRID**2), np.float32)], axis=1)
    inside = (side_lines(quads).transpose(0, 2, 1)[b] @ points[a]).min(axis=1) > 0
    for i, j in zip(
        *((part[inside.mean(axis=1) > share_of]).tolist() for part in (a, b)), strict=True
    ):
        rivals[i].add(j)
        rivals[j].add(i)
    return rivals


def hidden(
    quads: NDArray[np.float32], others: NDArray[np.float32], columns: int, rows: int
) -> NDArray[np.bool_]:
    """Which cells (n, m, rows, columns) of quads (n, 4, 2) lie inside others (m, 4, 2)."""
    u, v = ((np.arange(cells) + 0.5) / cells for cells in (columns, rows))
    points = np.stack([*spread(quads, u, v), np.ones((len(quads), rows * columns), np.float32)])
    inside = np.einsum("mks,knp->nmsp", side_lines(others), points).min(axis=2) > 0
    return np.asarray(inside.reshape(len(quads), len(others), rows, columns), np.bool_)


def pack(worth: NDArray[np.float32], rivals: Rivals) -> NDArray[np.intp]:
    """Indices, best first, of finds of great worth of which none rivals another.

    `worth` (n,) is above 0 for what is better kept than left out. The best are taken first; then
    one is exchanged for rivals that are worth more together, as long as that helps: a tile seen
    between two real ones has to give way to them.
    """
    kept: set[int] = set()
    for i in np.argsort(-worth, kind="stable").tolist():
        if worth[i] > 0 and kept.isdisjoint(rivals[i]):
            kept.add(i)
    exchanged = True
    while exchanged:
        exchanged = False
        for i in sorted(kept, key=lambda k: float(worth[k])):
            better = _better(i, kept, rivals, worth)
            if better:
                kept.remove(i)
                kept.update(better)
                exchanged = True
    return np.array(sorted(kept, key=lambda k: -float(worth[k])), np.intp)


def _better(i: int, kept: set[int], rivals: Rivals, worth: NDArray[np.float32]) -> list[int]:
    """Rivals that only `i` keeps out, and that are worth more together; empty if there are none."""
    others = kept - {i}
    free = [j for j in rivals[i] if worth[j] > 0 and others.isdisjoint(rivals[j])]
    chosen: list[int] = []
    for j in sorted(free, key=lambda k: -float(worth[k])):
        if rivals[j].isdisjoint(chosen):
            chosen.append(j)
    return chosen if sum(float(worth[j]) for j in chosen) > float(worth[i]) + 1e-6 else []
