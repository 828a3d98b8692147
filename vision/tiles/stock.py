"""The stock that tiles are made of: the colour of their rims, which all tiles of a kind share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.tiles.sampling import sample

#: How far inside the sides the rim is looked at, in shares of the shorter one.
INSET = 0.065
#: Points along a side, and the share of its length that they cover.
SAMPLES, SAMPLED = 8, 0.8
#: Largest logarithm of the ratio of two pixel values of one colour: light and shade are 2.6 : 1
#: in light, and so 1.6 : 1 in sRGB values. DARK is the noise that is added to both.
OTHER_LIGHT, DARK = 0.5, 16.0


def rims(image: NDArray[np.uint8], quads_px: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Colours (n, points, 3) just inside the sides of quads (n, 4, 2) of a BGR image."""
    middle = quads_px.mean(axis=1, keepdims=True)
    corners = middle + (quads_px - middle) * np.float32(1 - 2 * INSET)
    share = np.linspace((1 - SAMPLED) / 2, (1 + SAMPLED) / 2, SAMPLES, dtype=np.float32)[:, None]
    ends = np.roll(corners, -1, axis=1)
    points = corners[:, :, None] * (1 - share) + ends[:, :, None] * share
    points = points.reshape(len(quads_px), 4 * SAMPLES, 2)
    return np.asarray(sample(image, points[..., 0], points[..., 1]), np.uint8)


def share_of_stock(
    seen: NDArray[np.uint8], stock: NDArray[np.floating[Any]]
) -> NDArray[np.float32]:
    """Share (n,) of rims (n, points, 3) that may have a colour of `stock` (m, 3) in other light."""
    ratio = np.log(seen + DARK)[:, :, None] - np.log(stock + DARK)
    alike = (np.abs(ratio).max(axis=3) < OTHER_LIGHT).any(axis=2)
    return np.asarray(alike.mean(axis=1), np.float32)
