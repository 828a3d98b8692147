"""What the network is to say of a picture.

A piece is a parallelogram with corners c ± u ± v. With u and v as complex numbers, S = u² + v² and
P = u² v² stay the same when u and v change places or signs, so they do not depend on where an
outline starts, and nothing jumps as a piece turns; Q = P / √|P| has the dimension of S. Back again
u² and v² are the roots of z² - S z + Q |Q| = 0. A square has S = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tiles.cells import HALF, STRIDE

#: Pieces of which at least this share is seen are to be found; less than LEAST are to be left.
FOUND, LEAST = 0.42, 0.22
#: Deviation of the heat around a centre, as a share of the shorter side and in pixels at least.
HEAT, HEAT_PX = 0.12, 2.6
#: Cells as warm as this are asked for the outline.
WARM = 0.35
#: Around what may be found or not, no heat is asked for, within this share of the shorter side.
OPEN = 0.35
#: Sides that differ from the one asked for by less than the first factor are meant, by more than
#: the second one are not.
ALIKE, UNLIKE = 1.16, 1.32


@dataclass(frozen=True, eq=False)
class Targets:
    """For a picture of (rows, columns) cells."""

    heat: NDArray[np.float32]
    """(rows, columns), 1 at centres; -1 where nothing is asked."""
    outline: NDArray[np.float32]
    """(7, rows, columns): offset of the centre, S, Q, visible share; where heat is WARM."""


def targets(
    quads: NDArray[np.float32],
    visible: NDArray[np.float32],
    cells: tuple[int, int],
    side: float = 0.0,
) -> Targets:
    """The targets for pieces (k, 4, 2) in pixels in a picture of (rows, columns) cells.

    Asked for are those whose shorter side is about `side` pixels, or all if it is 0.
    """
    rows, columns = cells
    heat = np.zeros((rows, columns), np.float32)
    open_ = np.zeros((rows, columns), np.bool_)
    outline = np.zeros((7, rows, columns), np.float32)
    centres = quads.mean(axis=1)
    u = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 4
    v = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 4
    s, q = invariants(u, v)
    short = 2 * np.minimum(np.hypot(*u.T), np.hypot(*v.T))
    cell = (centres - (STRIDE - 1) / 2) / STRIDE
    off = np.abs(np.log(short / side)) if side else np.zeros(len(short))
    for k in np.flatnonzero((visible > LEAST) & (off < np.log(UNLIKE))):
        (x, y), sigma = cell[k], max(HEAT * short[k], HEAT_PX) / STRIDE
        reach = int(max(3 * sigma, OPEN * short[k] / STRIDE)) + 1
        left, top = max(0, int(x) - reach), max(0, int(y) - reach)
        right, bottom = min(columns, int(x) + reach + 2), min(rows, int(y) + reach + 2)
        if left >= right or top >= bottom or not (-0.5 <= x < columns and -0.5 <= y < rows):
            continue
        dx = x - np.arange(left, right, dtype=np.float32)[None]
        dy = y - np.arange(top, bottom, dtype=np.float32)[:, None]
        away = dx * dx + dy * dy
        window = (slice(top, bottom), slice(left, right))
        if visible[k] < FOUND or off[k] > np.log(ALIKE):
            open_[window] |= away < (OPEN * short[k] / STRIDE) ** 2
            continue
        warmth = np.exp(-away / (2 * sigma * sigma))
        warmth[away == away.min()] = 1.0
        nearest = warmth > heat[window]
        heat[window][nearest] = warmth[nearest]
        numbers = np.array([s[k].real, s[k].imag, q[k].real, q[k].imag], np.float32) / HALF**2
        part = outline[:, *window]
        part[0][nearest] = np.broadcast_to(dx, away.shape)[nearest]
        part[1][nearest] = np.broadcast_to(dy, away.shape)[nearest]
        part[2:6, nearest] = numbers[:, None]
        part[6][nearest] = visible[k]
    heat[open_ & (heat < WARM)] = -1.0
    return Targets(heat, outline)


def invariants(
    u: NDArray[np.floating], v: NDArray[np.floating]
) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """S and Q of half edges (k, 2)."""
    u2, v2 = ((part[:, 0] + 1j * part[:, 1]) ** 2 for part in (u, v))
    p = u2 * v2
    return u2 + v2, p / np.sqrt(np.maximum(np.abs(p), 1e-12))
