"""What painted things look like under the light of a picture.

A painted solid shows its paint in many brightnesses, and some of the lamp's white on top of it:
its pixels lie on the patch of colours shade x paint + gloss x white. How near a pixel is to that
patch, compared with all other paints and with an unknown ground, is its evidence.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tone import to_levels, to_linear

Array = NDArray[np.float32]
Image = NDArray[np.uint8]
Pixels = NDArray[np.intp]
Paint = tuple[int, int, int]

#: Brightness of painted wood in shade and in full light, and its gloss, as shares of white. A
#: colour is known however bright it is; without a hue, brightness is all that tells a grey.
_DARK, _BRIGHT, _GREY_BRIGHT = 0.35, 2.5, 1.25
_SHADES = 14
#: A paint whose channels differ by less than this share of the strongest has no hue.
_HUE = 0.25
_GLOSSES = np.array([0.0, 0.04, 0.1])
#: Spread of a paint's colours about its patch (levels of 255): white balance, JPEG, print.
_SIGMA = 12.0
#: A pixel this many sigmas off speaks neither for nor against the paint.
_NEUTRAL = 2.5
#: Spread of the colours of a field's ground about their commonest (levels of 255).
_GROUND_SIGMA = 14.0
#: A field's colours are sampled at so many places across and down.
_SAMPLES = 16
#: So many of a field's commonest colours are tried as its ground.
_GROUNDS = 3
#: Evidence that only paint gives, not a ground that is a little like it.
_PAINTED = 0.6
#: Share of a field that pieces leave bare even if three of them lean over it.
_LEAST_BARE = 0.25


def evidence(patch: Image, paints: tuple[Paint, ...]) -> Array:
    """How much each pixel speaks for each sRGB paint: shape (paints, h, w), -1 to 1."""
    # OpenCV packs a pixel into two bytes, the lower first: five bits each of red, green and blue.
    packed = cv2.cvtColor(patch, cv2.COLOR_BGR2BGR555).view("<u2")[..., 0].astype(np.intp)
    layers = np.empty((len(paints), *packed.shape), np.float32)
    for table, layer in zip(_tables(paints), layers, strict=True):
        np.take(table, packed, out=layer, mode="clip")
    return layers


def grounds(patch: Image, painted: Array, quads: Array) -> Image:
    """The commonest colour of the ground of each field: BGR, shape (fields, 3).

    `painted` (h, w) is the evidence of the likeliest paint: the ground is what is no paint, unless
    that is too little of a field, as where the ground has a paint's colour itself. `quads`
    (fields, 4, 2) are the fields' corners in pixels.
    """
    columns, rows = _samples(quads, patch.shape[1], patch.shape[0])
    bare = painted[rows, columns] < _PAINTED
    bare[bare.mean(axis=1) <= _LEAST_BARE] = True
    levels = np.ascontiguousarray(patch[rows, columns].transpose(2, 0, 1))
    blue, green, red = levels.astype(np.intp) >> 4
    bins = (blue << 8) | (green << 4) | red
    each = np.arange(len(quads))
    counts = np.bincount((bins + (each[:, None] << 12))[bare], minlength=len(quads) << 12)
    counts = counts.reshape(len(quads), -1)
    # A printed ground is spread over more bins than a plain piece: its likes are counted too.
    shown = levels.astype(np.float32)
    best, most = np.zeros((3, len(quads)), np.float32), np.full(len(quads), -1.0, np.float32)
    for _ in range(_GROUNDS):
        fullest = counts.argmax(axis=1)
        counts[each, fullest] = 0
        inside = ((bins == fullest[:, None]) & bare).astype(np.float32)
        colours = (shown * inside).sum(axis=2) / np.maximum(inside.sum(axis=1), 1.0)
        square = np.square(shown - colours[..., None]).sum(axis=0)
        likes = (np.exp(square * np.float32(-0.5 / _GROUND_SIGMA**2)) * bare).sum(axis=1)
        best = np.where(likes > most, colours, best)
        most = np.maximum(likes, most)
    return np.rint(best.T).astype(np.uint8)


def likeness(patch: Image, ground: Image) -> Array:
    """How much each pixel is like the ground shown at the same place in `ground`, 0 to 1."""
    steps = np.arange(256, dtype=np.float32)
    squares = cv2.LUT(cv2.absdiff(patch, ground), steps**2 * np.float32(-0.5 / _GROUND_SIGMA**2))
    return np.asarray(cv2.exp(cv2.transform(squares, np.ones((1, 3)))), np.float32)


def _samples(quads: Array, width: int, height: int) -> tuple[Pixels, Pixels]:
    """Columns and rows, each (fields, n), of pixels spread evenly over each quad."""
    shares = (np.arange(_SAMPLES, dtype=np.float32) + 0.5) / _SAMPLES
    x, y = (part.ravel() for part in np.meshgrid(shares, shares))
    weights = np.stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y], axis=-1)
    columns, rows = np.moveaxis(np.rint(weights @ quads), -1, 0).astype(np.intp)
    return columns.clip(0, width - 1), rows.clip(0, height - 1)


@lru_cache(maxsize=8)
def _tables(paints: tuple[Paint, ...]) -> Array:
    """Evidence for paints by packed colour, red in the highest bits: shape (paints, 2 ** 15)."""
    steps = (np.arange(2**5, dtype=np.float32) + 0.5) * 2**3
    red, green, blue = np.meshgrid(steps, steps, steps, indexing="ij")
    colours = np.stack([blue, green, red], axis=-1).reshape(-1, 3)
    near = np.empty((len(colours), len(paints)), np.float32)
    for i, paint in enumerate(paints):
        base = to_linear(np.array(paint[::-1]))
        bright = _BRIGHT if np.ptp(base) > _HUE * base.max() else _GREY_BRIGHT
        shades = np.geomspace(_DARK, bright, _SHADES, dtype=np.float32)
        light = shades[:, None, None] * base + _GLOSSES[None, :, None]
        shown = to_levels(light.reshape(-1, 3))
        off = np.full(len(colours), np.inf, np.float32)
        for look in shown:
            np.minimum(off, ((colours - look) ** 2).sum(axis=1), out=off)
        near[:, i] = np.exp(-off / (2 * _SIGMA**2))
    ground = np.exp(-(_NEUTRAL**2) / 2)
    table = np.empty_like(near)
    for i in range(len(paints)):
        others = np.maximum(np.delete(near, i, axis=1).max(axis=1, initial=0.0), ground)
        table[:, i] = (near[:, i] - others) / (near[:, i] + others)
    return np.ascontiguousarray(table.T)
