"""Convex quads, clockwise as seen: what lies in them, and which corner comes first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: The four orders of a quad's corners, each beginning with another one.
ORDERS = (np.arange(4) + np.arange(4)[:, None]) % 4


def side_lines(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """The lines (n, 3, 4) of the sides of quads (n, 4, 2).

    The product of (x, y, 1) with all four is above 0 inside.
    """
    x, y = np.moveaxis(quads, 2, 0)
    dx, dy = (np.roll(part, -1, axis=1) - part for part in (x, y))
    return np.stack([-dy, dx, dy * x - dx * y], axis=1)


def depths(points: NDArray[np.float32], quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """How far points (n, 2) lie within quads (k, 4, 2): (n, k), below 0 outside."""
    lines = side_lines(quads)
    lines /= np.linalg.norm(lines[:, :2], axis=1, keepdims=True)
    inward = np.column_stack([points, np.ones(len(points), np.float32)]) @ lines
    return np.asarray(inward.min(axis=2).T, np.float32)
