"""The stock that tiles are made of: the colour of their rims, which all tiles of a kind share."""

from __future__ import annotations

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


def rim_colours(image: NDArray[np.uint8], quads_px: NDArray[np.float32]) -> NDArray[np.float32]:
    """Median colours (n, 3) just inside the sides of quads (n, 4, 2) of a BGR image."""
    if not len(quads_px):
        return np.zeros((0, 3), np.float32)
    middle = quads_px.mean(axis=1, keepdims=True)
    rims = middle + (quads_px - middle) * np.float32(1 - 2 * INSET)
    share = np.linspace((1 - SAMPLED) / 2, (1 + SAMPLED) / 2, SAMPLES, dtype=np.float32)[:, None]
    ends = np.roll(rims, -1, axis=1)
    points = rims[:, :, None] * (1 - share) + ends[:, :, None] * share
    colours = sample(image, points[..., 0], points[..., 1]).reshape(len(quads_px), 4 * SAMPLES, 3)
    return np.asarray(np.median(colours, axis=1), np.float32)


def in_other_light(colours: NDArray[np.float32], stock: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which colours (n, 3) may be one of the `stock` (m, 3), lit or shaded otherwise."""
    ratio = np.log(colours + DARK)[:, None] - np.log(stock + DARK)[None]
    return np.asarray((np.abs(ratio).max(axis=2) < OTHER_LIGHT).any(axis=1), np.bool_)
