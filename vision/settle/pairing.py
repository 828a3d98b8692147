"""Pairs of things that are near each other, each thing in one pair at most."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def nearest_pairs(
    one: Floats, other: Floats, reach: float | Floats, allowed: NDArray[np.bool_] | None = None
) -> list[tuple[int, int]]:
    """Indices into `one` (n, 2) and `other` (m, 2), nearest pairs first.

    Pairs are at most `reach` apart (one number, or one for each of `one`) and `allowed` (n, m).
    """
    if not len(one) or not len(other):
        return []
    apart = np.linalg.norm(one[:, None] - other[None], axis=2)
    fits = apart <= np.broadcast_to(np.asarray(reach, np.float32), (len(one),))[:, None]
    if allowed is not None:
        fits &= allowed
    rows, columns = np.nonzero(fits)
    taken_one: set[int] = set()
    taken_other: set[int] = set()
    pairs: list[tuple[int, int]] = []
    for k in np.argsort(apart[rows, columns], kind="stable"):
        i, j = int(rows[k]), int(columns[k])
        if i not in taken_one and j not in taken_other:
            taken_one.add(i)
            taken_other.add(j)
            pairs.append((i, j))
    return pairs


def groups(frames: list[Floats], reaches: list[Floats]) -> NDArray[np.intp]:
    """Which entries of the frames are one thing: (things, frames), NONE (-1) where unseen.

    `frames` are places (n, 2), `reaches` how near (n,) a place of another frame must be. The last
    frame leads: a thing's place is where it was seen last.
    """
    table: list[list[int]] = []
    places: list[Floats] = []
    for number in range(len(frames) - 1, -1, -1):
        here = frames[number]
        known = np.array(places, np.float32).reshape(-1, 2)
        pairs = nearest_pairs(here, known, reaches[number])
        for entry, thing in pairs:
            table[thing][number] = entry
        for entry in sorted(set(range(len(here))) - {entry for entry, _ in pairs}):
            row = [-1] * len(frames)
            row[number] = entry
            table.append(row)
            places.append(here[entry])
    return np.array(table, np.intp).reshape(-1, len(frames))
