"""Measures the sides of markers to a fraction of a pixel, near the places where they must be.

A marker's black square ends in white paper: across each of its sides the light rises. Where it
has risen by half, in linear light, lies the side; a line through many such places is far more
exact than a corner, and can be measured even if the rest of the marker is covered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane.markers import Sighting
from vision.plane.pinhole import Array
from vision.tone import to_linear

Image = NDArray[np.uint8]

#: Lines across each side, and samples along each line.
_ACROSS, _SAMPLES = 12, 17
#: They cross a side between these shares of its length: near a corner two sides blend.
_FROM, _TO = 0.1, 0.9
#: How far they reach to either side, in sides: a marker's cells are a sixth of it. The white round
#: it may be but an eighth of it wide, and must be measured where no table blends into it.
_REACH, _NEAR_REACH = 0.8 / 6, 0.5 / 6
_LEAST_REACH_PX, _MOST_REACH_PX = 2.0, 6.0
#: A side is seen if so many of its lines agree on it within so many pixels.
_AGREEING, _SCATTER_PX = 0.7, 0.6
#: So many are enough to look for it once more, nearer.
_GLIMPSED = 0.4
#: White must be lighter than black by this much of full light, and by this factor.
_LEAST_RISE, _LEAST_RATIO = 0.01, 1.6


@dataclass(frozen=True, eq=False)
class Sides:
    """Sides of n quads as measured.

    `offsets` (n, 4, 2): how far, in pixels outwards, the side lies off the line that it was
    looked for at, at the line's start and end. `agreeing` (n, 4): the share of the lines across it
    that agree on where it is.
    """

    offsets: Array
    agreeing: Array

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Which sides were seen, shape (n, 4)."""
        return np.asarray(self.agreeing >= _AGREEING, np.bool_)

    def part(self, which: slice) -> Sides:
        """Those of some of the quads."""
        return Sides(self.offsets[which], self.agreeing[which])


def measure_sides(image: Image, quads: Array, reach: float = _REACH) -> Sides:
    """Measures the sides of black squares on white near `quads`, shape (n, 4, 2) in pixels.

    `image` is BGR or grey. Side k leads from corner k to corner k + 1, clockwise as seen. Sides
    are found that lie off by up to `reach` of their length, at most 6 pixels.
    """
    if not len(quads):
        return Sides(np.zeros((0, 4, 2)), np.zeros((0, 4)))
    along, outward, length = _frames(quads)
    reach_px = np.clip(reach * length.mean(axis=1), _LEAST_REACH_PX, _MOST_REACH_PX)
    shares = np.linspace(_FROM, _TO, _ACROSS)
    steps = np.linspace(-1.0, 1.0, _SAMPLES)
    # Shape (n, 4, across, samples, 2).
    where = (
        quads[:, :, None, None]
        + shares[:, None, None] * along[:, :, None, None]
        + (reach_px[:, None] * steps)[:, None, None, :, None] * outward[:, :, None, None]
    )
    light = _light_at(image, where.reshape(-1, _SAMPLES, 2)).reshape(where.shape[:-1])
    return _lines(_crossings(light, reach_px), shares)


def moved_quads(quads: Array, sides: Sides, agreeing: float = _AGREEING) -> Array:
    """Corners (n, 4, 2) where the measured sides cross.

    Those of `quads` where less than the share `agreeing` of a side's lines agree.
    """
    along, outward, _ = _frames(quads)
    starts = quads + sides.offsets[:, :, :1] * outward
    ends = quads + along + sides.offsets[:, :, 1:] * outward
    ahead = ends - starts
    before, behind = np.roll(starts, 1, axis=1), np.roll(ahead, 1, axis=1)
    cross = behind[..., 0] * ahead[..., 1] - behind[..., 1] * ahead[..., 0]
    gap = starts - before
    share = (gap[..., 0] * ahead[..., 1] - gap[..., 1] * ahead[..., 0]) / cross
    corners = before + share[..., None] * behind
    seen = sides.agreeing >= agreeing
    both = seen & np.roll(seen, 1, axis=1)
    return np.where(both[..., None], corners, quads)


def sharpened(image: Image, sightings: Sequence[Sighting]) -> list[Sighting]:
    """The sightings with their corners where their measured sides cross, if all four are seen."""
    quads = np.array([sighting.quad for sighting in sightings]).reshape(-1, 4, 2)
    # A corner may be far off at first, and only part of its sides within reach.
    for agreeing, reach in ((_GLIMPSED, _REACH), (_AGREEING, _NEAR_REACH)):
        sides = measure_sides(image, quads, reach)
        quads = moved_quads(quads, sides, agreeing)
    whole = np.asarray(sides.seen.all(axis=1), np.bool_)
    return [
        Sighting(known.id, quad) if exact else known
        for known, quad, exact in zip(sightings, quads, whole, strict=True)
    ]


def _frames(quads: Array) -> tuple[Array, Array, Array]:
    """Each side as a vector, its outward normal of length 1, and its length."""
    along = np.roll(quads, -1, axis=1) - quads
    length = np.linalg.norm(along, axis=2)
    outward = np.stack([along[..., 1], -along[..., 0]], axis=-1) / length[..., None]
    return along, outward, length


def _light_at(image: Image, where: Array) -> NDArray[np.float32]:
    """Linear light, 0 to 1, at places (rows, columns, 2) of the picture."""
    x, y = cv2.split(where.astype(np.float32))
    seen = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if seen.ndim == 3:
        seen = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)
    return np.asarray(_linear()[seen], np.float32)


@cache
def _linear() -> NDArray[np.float32]:
    """Linear light of grey levels."""
    return to_linear(np.arange(256))


def _crossings(light: NDArray[np.float32], reach: Array) -> Array:
    """Where along each line (n, 4, across) light has risen by half; NaN where it doesn't.

    Each line has its own black and white: a shadow may end on the side.
    """
    black, white = light[..., :2].mean(axis=-1), light[..., -2:].mean(axis=-1)
    clear = (white - black > _LEAST_RISE) & (white > _LEAST_RATIO * black)
    above = light - ((black + white) / 2)[..., None]
    rises = (above[..., :-1] < 0) & (above[..., 1:] >= 0)
    middle = (_SAMPLES - 1) // 2
    # The rise nearest to the middle: the first one outwards, or the last one before it.
    out, back = rises[..., middle:], rises[..., middle - 1 :: -1]
    first, last = out.argmax(axis=-1), back.argmax(axis=-1)
    outer = np.where(out.any(axis=-1), first, _SAMPLES)
    inner = np.where(back.any(axis=-1), last, _SAMPLES)
    clear &= np.minimum(outer, inner) < _SAMPLES
    at = np.where(outer <= inner, middle + first, middle - 1 - last)[..., None]
    below, over = (np.take_along_axis(above, at + k, axis=-1)[..., 0] for k in (0, 1))
    step = np.where(clear, below - over, 1.0)
    place = (at[..., 0] + below / step - middle) / middle * reach[:, None, None]
    return np.where(clear, place, np.nan)


def _lines(crossings: Array, shares: Array) -> Sides:
    """Lines through the crossings of each side, by least squares without those that stray."""
    known = np.isfinite(crossings)
    values = np.where(known, crossings, 0.0)
    # The first line's slope is the median of those between each place and one half a side on.
    half = _ACROSS // 2
    rise = _median(crossings[..., half:] - crossings[..., :-half]) * (_ACROSS - 1) / half
    slant = rise[..., None] * np.linspace(-0.5, 0.5, _ACROSS)
    median = _median(crossings - slant)
    kept = known & (np.abs(values - slant - median[..., None]) < 2 * _SCATTER_PX)
    for _ in range(2):
        offsets = _fitted(values, kept, shares)
        strays = values - (offsets[..., :1] + shares * (offsets[..., 1:] - offsets[..., :1]))
        scatter = np.sqrt((kept * strays**2).sum(axis=-1) / np.maximum(kept.sum(axis=-1), 1))
        kept = known & (np.abs(strays) <= np.maximum(2.5 * scatter, 0.1)[..., None])
    return Sides(offsets, np.where(scatter < _SCATTER_PX, kept.mean(axis=-1), 0.0))


def _median(values: Array) -> Array:
    """Median along the last axis of what is known, 0 if nothing is."""
    ordered = np.sort(values, axis=-1)  # What is unknown comes last.
    middle = np.maximum(np.isfinite(values).sum(axis=-1, keepdims=True) - 1, 0) // 2
    return np.nan_to_num(np.take_along_axis(ordered, middle, axis=-1)[..., 0])


def _fitted(values: Array, kept: NDArray[np.bool_], shares: Array) -> Array:
    """Values of straight lines at shares 0 and 1, shape (..., 2), fitted to those kept."""
    weight = kept.sum(axis=-1).clip(1)
    x = (kept * shares).sum(axis=-1) / weight
    y = (kept * values).sum(axis=-1) / weight
    across = np.where(kept, shares - x[..., None], 0.0)
    spread = (across**2).sum(axis=-1)
    slope = np.divide(
        (across * values).sum(axis=-1), spread, out=np.zeros_like(spread), where=spread > 1e-3
    )
    return np.stack([y - slope * x, y + slope * (1 - x)], axis=-1)
