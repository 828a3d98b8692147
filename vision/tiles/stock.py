"""The stock that tiles are made of: the colour of their rims, which all tiles of a kind share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.tiles.sampling import sample
from vision.tone import to_linear

#: How far inside the sides the rim is looked at, in shares of the shorter one: within a printed
#: frame, which may differ from tile to tile, and outside the symbols.
INSET = 0.12
#: Where along a side: towards the corners, since symbols are in the middle.
ALONG = (0.12, 0.18, 0.24, 0.3, 0.7, 0.76, 0.82, 0.88)
#: Share of the rim that must have a colour that rims of tiles have.
OF_STOCK = 0.6
#: Largest logarithm of the ratio of two pixel values of one colour: light and shade are 2.6 : 1
#: in light, and so 1.6 : 1 in sRGB values. DARK is the noise that is added to both.
OTHER_LIGHT, DARK = 0.5, 16.0
#: The same downwards in the shadow of an arm: 5 : 1 in light.
SHADE = 0.75
#: The same between a picture and the taught ones, as a standard deviation.
ANY_EXPOSURE = 0.7
#: Glare leaves a colour's channels as far apart as they are, give or take this share. In channels
#: that are no farther apart than this, in shares of white, any pale grey may be glare.
KEPT, HUED = 0.5, 0.12
_LOG = np.log(np.arange(256, dtype=np.float32) + np.float32(DARK))


def rims(image: NDArray[np.uint8], quads_px: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Colours (n, points, 3) just inside the sides of quads (n, 4, 2) of a BGR image."""
    middle = quads_px.mean(axis=1, keepdims=True)
    corners = middle + (quads_px - middle) * np.float32(1 - 2 * INSET)
    share = (np.array(ALONG, np.float32)[:, None] - INSET) / (1 - 2 * INSET)
    ends = np.roll(corners, -1, axis=1)
    points = corners[:, :, None] * (1 - share) + ends[:, :, None] * share
    points = points.reshape(len(quads_px), 4 * len(ALONG), 2)
    return np.asarray(sample(image, points[..., 0], points[..., 1]), np.uint8)


def common_change(seen: NDArray[np.uint8], stock: NDArray[np.floating[Any]]) -> float:
    """How much brighter most of n rims (n, points, 3) are than the stock (n, 3) of their faces.

    It is the logarithm of a factor, for `share_of_stock`; 0 if n is 0. One camera took them all:
    what is no tile of the set proposes another change than most, and is outvoted.
    """
    if not len(seen):
        return 0.0
    rim = np.median(_LOG.take(seen), axis=1)
    change = (rim - np.log(stock + DARK)).mean(axis=1)
    near = np.abs(change[:, None] - change[None]) < OTHER_LIGHT
    votes = near.sum(axis=1) * np.exp(-np.square(change) / (2 * ANY_EXPOSURE**2))
    return float(np.median(change[near[int(votes.argmax())]]))


def share_of_stock(
    seen: NDArray[np.uint8],
    stock: NDArray[np.floating[Any]],
    change: float,
    darker: float = OTHER_LIGHT,
) -> NDArray[np.float32]:
    """Share (n,) of rims (n, points, 3) that may have a colour of `stock` (m, 3) in other light.

    `change` is the logarithm of the factor by which the picture is brighter than the taught ones;
    `darker` is that by which a rim may be darker than that.
    """
    # By channel, colour of the stock, find and point.
    ratio = (
        _LOG.take(np.moveaxis(seen, 2, 0))[:, None]
        - (np.log(stock + DARK) + change).T[:, :, None, None]
    )
    alike = (ratio.max(axis=0) < OTHER_LIGHT) & (ratio.min(axis=0) > -darker)
    return np.asarray(alike.any(axis=0).mean(axis=1), np.float32)


def share_under_glare(
    seen: NDArray[np.uint8], stock: NDArray[np.floating[Any]], change: float
) -> NDArray[np.float32]:
    """Share (n,) of rims (n, points, 3) that may be their own `stock` (n, 3) under a lamp's glare.

    Glare adds the same light to all channels, so that a hue stays; a stock that has none is never
    taken to lie under it. `change` is as in `share_of_stock`.
    """
    own = to_linear(((stock + DARK) * np.exp(change) - DARK).clip(0))[:, None]
    light = to_linear(seen)
    off = (light - light.mean(axis=2, keepdims=True)) - (own - own.mean(axis=2, keepdims=True))
    apart = np.ptp(own, axis=2)
    paled = (light.mean(axis=2) > own.mean(axis=2)) & (apart > HUED)
    alike = paled & (np.abs(off).max(axis=2) < KEPT * apart)
    return np.asarray(alike.mean(axis=1), np.float32)
