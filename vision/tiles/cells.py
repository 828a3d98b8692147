"""Reads the output of the network that finds tiles: cells of heat become outlines.

The network tells for each cell of 4 x 4 pixels how likely the middle of a tile is there, and the
tile's outline as numbers that do not depend on where an outline starts: see `models/tiles`.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

#: Pixels of the picture across a cell.
STRIDE = 4
#: Unit of the outline's numbers: the square of half a side of so many pixels.
HALF = 14.0


@dataclass(frozen=True, eq=False)
class Finds:
    """n outlines in a picture, best first."""

    quads: Array
    """Corners in pixels, (n, 4, 2), clockwise from any."""
    scores: Array
    """(n,), 0 to 1."""
    visible: Array
    """Share of the outline that seems to be in sight, (n,), 0 to 1."""

    def __len__(self) -> int:
        return len(self.scores)


def decode(cells: Array, least: float) -> Finds:
    """The outlines of a picture whose cells (8, rows, columns) the network made.

    Only peaks of at least the score `least` are given.
    """
    heat = cells[0]
    peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat >= least)
    rows, columns = np.nonzero(peak)
    order = np.argsort(-heat[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    numbers = cells[:, rows, columns].astype(np.float64)
    centres = (
        np.stack([columns + numbers[1], rows + numbers[2]], axis=1) * STRIDE + (STRIDE - 1) / 2
    )
    s, q = (numbers[k] + 1j * numbers[k + 1] for k in (3, 5))
    # The squares of the half edges are the roots of z² - S z + Q |Q| = 0.
    spread = np.sqrt(s * s / 4 - q * np.abs(q))
    u, v = (HALF * np.sqrt(s / 2 + sign * spread) for sign in (1, -1))
    # Half edges of either sign will do, but the corners go round clockwise.
    v = np.where((np.conj(u) * v).imag < 0, -v, v)
    corners = np.stack([-u - v, u - v, u + v, v - u], axis=1)
    quads = centres[:, None] + np.stack([corners.real, corners.imag], axis=2)
    return Finds(
        np.asarray(quads, np.float32),
        np.asarray(numbers[0], np.float32),
        np.asarray(numbers[7], np.float32),
    )
