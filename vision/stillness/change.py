"""What differs between two pictures of one table, apart from the camera's own doing.

Exposure and white balance multiply each channel, so each channel's median ratio is taken out
first. A shadow or a lamp changes brightness smoothly and leaves the texture; a thing does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.stillness.pictures import Floats, Image, Mask

#: Grey levels that noise, compression and rounding may make of averaged pixels, and the share of
#: the brightness that is allowed for on top.
_LEVELS, _SHARE = 9.0, 0.03
#: In the dark noise makes more: so many times the median grain of the difference.
_NOISE = 9.0
#: Levels between which a ratio of two pixels says something about exposure.
_DARK, _BRIGHT = 12, 243
#: Changed places are at least this wide: thinner ones are edges that tremble, or painted lines.
_WIDTH = 3
#: What moves changes two places, where it was and where it is: fewer pixels are no motion.
_LEAST_PLACES = 2 * _WIDTH**2
#: Added to levels before their logarithm, so that noise in the dark counts little.
_FLOOR = 14.0
#: Radius (sigma) within which light is taken to be even, in pixels of the small copy.
_EVEN_PX = 4.0
#: Difference of log texture and of log colour from which a place shows another thing.
_TEXTURE, _COLOUR = 0.12, 0.14


@dataclass(frozen=True, eq=False)
class Change:
    """Where two small copies differ.

    `places` (h, w) uint8 is 1 where they do; `share` of the watched picture.
    """

    places: Mask
    share: float


def change_between(now: Image, before: Image, watched: Mask | None = None) -> Change:
    """What differs, within `watched` (h, w, 1 where it counts) if given."""
    expected = exposed(before, now)
    apart = _most(np.asarray(cv2.absdiff(now, expected), np.uint8))
    levels = max(_LEVELS, _NOISE * _grain(now, expected))
    limit = np.uint8(min(levels, 255.0 - 255.0 * _SHARE)) + (
        expected.max(axis=2) * np.float32(_SHARE)
    ).astype(np.uint8)
    differs = (apart > limit).view(np.uint8)
    # What was and is burnt out, or was and is black, may have been anything in between.
    differs[(_least(now) >= 250) & (_least(before) >= 235)] = 0
    if watched is not None:
        differs &= watched
    places = cv2.morphologyEx(differs, cv2.MORPH_OPEN, _square(_WIDTH))
    if np.count_nonzero(places) < _LEAST_PLACES:
        places[:] = 0
    total = places.size if watched is None else max(1, int(np.count_nonzero(watched)))
    return Change(np.asarray(places, np.uint8), np.count_nonzero(places) / total)


def exposed(before: Image, now: Image) -> Image:
    """`before` with the exposure and white balance of `now`."""
    a, b = now[::3, ::3].reshape(-1, 3), before[::3, ::3].reshape(-1, 3)
    fit = np.asarray(((np.minimum(a, b) >= _DARK) & (np.maximum(a, b) <= _BRIGHT)).all(axis=1))
    if np.count_nonzero(fit) < fit.size // 20:
        return before
    gains = np.median(a[fit].astype(np.float32) / b[fit], axis=0)
    if np.abs(gains - 1).max() < 0.004:
        return before
    table = np.rint(np.arange(256)[:, None] * gains).clip(0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(before, table[None]), np.uint8)


def _most(picture: Image) -> Image:
    """The highest channel of each pixel; far faster than numpy over so short an axis."""
    one, two, three = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(one, two), three), np.uint8)


def _least(picture: Image) -> Image:
    """The lowest channel of each pixel."""
    one, two, three = cv2.split(picture)
    return np.asarray(cv2.min(cv2.min(one, two), three), np.uint8)


def _grain(now: Image, expected: Image) -> float:
    """Median noise of the difference in levels: what of it is not shared by its neighbours."""
    apart = cv2.subtract(now[..., 1], expected[..., 1], dtype=cv2.CV_16S)
    return float(np.median(np.abs(apart - cv2.blur(apart, (3, 3)))[::2, ::2]))


def things(now: Image, before: Image, change: Change) -> Mask:
    """Where, within `change`, another thing is seen, not only another light; (h, w), 0 or 1."""
    if not change.share:
        return change.places
    one, other = (np.log(p.astype(np.float32) + _FLOOR) for p in (now, exposed(before, now)))
    apart = one - other
    # A lamp has its own colour: what all pixels changed by is no sign of a thing.
    colour = apart[..., (0, 2)] - apart[..., 1:2]
    colour = np.abs(colour - np.median(colour.reshape(-1, 2), axis=0)).max(axis=2)
    grey = apart.mean(axis=2)
    texture = np.abs(grey - _smooth(grey))
    return np.asarray(
        ((texture > _TEXTURE) | (colour > _COLOUR)) & (change.places > 0), dtype=np.uint8
    )


def _smooth(field: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(field, (0, 0), _EVEN_PX), np.float32)


def _square(side: int) -> Mask:
    return np.ones((side, side), np.uint8)
