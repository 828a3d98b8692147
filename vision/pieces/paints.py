"""What painted things look like under the light of a picture.

A painted solid shows its paint in many brightnesses, and some of the lamp's white on top of it:
its pixels lie on the patch of colours shade x paint + gloss x white. How near a pixel is to that
patch, compared with all other paints and with an unknown ground, is its evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.layout import Layout
from vision.plane import Plane

Array = NDArray[np.float32]
Image = NDArray[np.uint8]
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
#: So many of a field's commonest colours are tried as its ground.
_GROUNDS = 3
#: Evidence that only paint gives, not a ground that is a little like it.
_PAINTED = 0.6
#: Share of a field that pieces leave bare even if three of them lean over it.
_LEAST_BARE = 0.25
#: Bits a channel by which colours are looked up.
_BITS = 5
#: Where a marker's paper is surely white: this far from its centre, in sides of its black square.
_PAPER = 0.55
#: Paper is never darker than this in a picture that can be read.
_DARKEST = 0.02
#: Light above this may be more than the sensor tells.
_CLIPPED = (250.0 / 255.0) ** 2.2
#: Exponent by which cameras code light.
_GAMMA = 2.2


@dataclass(frozen=True, eq=False)
class White:
    """How white paper looks in a picture: places (n, 2) in mm, and linear BGR (n, 3) there."""

    places: Array
    light: Array

    def balanced(self, patch: Image, corner_mm: tuple[float, float], px_per_mm: float) -> Image:
        """A top view as it would be under even white light in which paper is just white.

        `corner_mm` is the plane point of its top left corner. The light is taken to change evenly
        over the table.
        """
        height, width = patch.shape[:2]
        logs = np.log(np.maximum(self.light, _DARKEST))
        middle = self.places.mean(axis=0)
        level, slopes = logs.mean(axis=0), np.zeros((2, 3))
        if len(self.places) >= 4:
            slopes = np.linalg.lstsq(self.places - middle, logs - level, rcond=0.1)[0]
        x = (np.arange(width) + 0.5) / px_per_mm + corner_mm[0] - middle[0]
        y = (np.arange(height) + 0.5) / px_per_mm + corner_mm[1] - middle[1]
        # Levels are gamma coded: a gain of light is its root.
        across = np.exp(-(level + x[:, None] * slopes[0]) / _GAMMA).astype(np.float32)
        down = np.exp(-(y[:, None] * slopes[1]) / _GAMMA).astype(np.float32)
        return np.asarray(cv2.multiply(patch, across * down[:, None], dtype=cv2.CV_8U), np.uint8)


def paper_white(image: Image, plane: Plane, layout: Layout) -> White:
    """White as the paper around the plane's markers shows it.

    If none was seen, the picture's brightest levels stand for neutral white.
    """
    # A square's rim: a circle pushed out until one coordinate is 1.
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    rim = circle / np.abs(circle).max(axis=1, keepdims=True)
    places, lights = [], []
    for marker in layout.markers:
        if marker.id not in plane.markers:
            continue
        points = np.rint(plane.to_px(marker.centre + rim * marker.side * _PAPER)).astype(int)
        inside = (points >= 0).all(axis=1) & (points < (image.shape[1], image.shape[0])).all(axis=1)
        if inside.any():
            levels = to_linear(image[points[inside, 1], points[inside, 0]])
            # The marker may be turned: the brighter half lies on the paper.
            bright = levels.sum(axis=1)
            places.append(marker.centre)
            lights.append(np.median(levels[bright >= np.median(bright)], axis=0))
    # Where a channel is at its limit the paper's colour is unknown.
    clear = [i for i, light in enumerate(lights) if light.max() < _CLIPPED]
    if clear:
        places, lights = [places[i] for i in clear], [lights[i] for i in clear]
    if not places:
        brightest = np.percentile(image[::8, ::8].max(axis=2), 99)
        places, lights = [(0.0, 0.0)], [np.repeat(to_linear(brightest), 3)]
    return White(np.array(places, np.float32), np.array(lights, np.float32))


def to_linear(levels: ArrayLike) -> Array:
    """Light, 0 to 1, of gamma coded levels, 0 to 255."""
    return np.asarray((np.asarray(levels, np.float32) / 255.0) ** _GAMMA, np.float32)


def evidence(patch: Image, paints: tuple[Paint, ...]) -> Array:
    """How much each pixel speaks for each sRGB paint: shape (paints, h, w), -1 to 1."""
    shift = 8 - _BITS
    blue, green, red = (channel.astype(np.intp) for channel in cv2.split(patch >> shift))
    index = (blue << (2 * _BITS)) | (green << _BITS) | red
    return np.stack([table[index] for table in _tables(paints)])


def ground_likeness(patch: Image, painted: Array) -> Array:
    """How much each pixel of a field is like the commonest colour of its ground, 0 to 1.

    `painted` (h, w) is the evidence of the likeliest paint: the ground is what is no paint, unless
    that is too little of the field, as where the ground has a paint's colour itself.
    """
    levels = patch[::2, ::2].reshape(-1, 3)
    bare = painted[::2, ::2].ravel() < _PAINTED
    if bare.mean() > _LEAST_BARE:
        levels = levels[bare]
    blue, green, red = (levels >> 4).astype(np.int32).T
    coarse = blue * 256 + green * 16 + red
    counts = np.bincount(coarse)
    # A printed ground is spread over more bins than a plain piece: its likes are counted too.
    bins = np.argsort(-counts, kind="stable")[:_GROUNDS]
    sums = [np.bincount(coarse, weights=channel)[bins] for channel in levels.T]
    grounds = (np.column_stack(sums) / np.maximum(counts[bins], 1)[:, None]).astype(np.float32)
    ground = grounds[_likeness(levels, grounds[:, None]).sum(axis=1).argmax()]
    return _likeness(patch, ground)


def _likeness(levels: Image, colour: Array) -> Array:
    off = levels - colour
    square = np.einsum("...c,...c->...", off, off)
    return np.asarray(np.exp(square * np.float32(-0.5 / _GROUND_SIGMA**2)), np.float32)


@lru_cache(maxsize=8)
def _tables(paints: tuple[Paint, ...]) -> Array:
    """Evidence for each paint by coded BGR, shape (paints, 2 ** (3 * _BITS))."""
    steps = (np.arange(2**_BITS, dtype=np.float32) + 0.5) * 2 ** (8 - _BITS)
    colours = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    near = np.empty((len(colours), len(paints)), np.float32)
    for i, paint in enumerate(paints):
        base = to_linear(np.array(paint[::-1]))
        bright = _BRIGHT if np.ptp(base) > _HUE * base.max() else _GREY_BRIGHT
        shades = np.geomspace(_DARK, bright, _SHADES, dtype=np.float32)
        light = shades[:, None, None] * base + _GLOSSES[None, :, None]
        shown = 255.0 * np.minimum(light.reshape(-1, 3), 1.0) ** (1 / _GAMMA)
        off = np.full(len(colours), np.inf, np.float32)
        for look in shown.astype(np.float32):
            np.minimum(off, ((colours - look) ** 2).sum(axis=1), out=off)
        near[:, i] = np.exp(-off / (2 * _SIGMA**2))
    ground = np.exp(-(_NEUTRAL**2) / 2)
    table = np.empty_like(near)
    for i in range(len(paints)):
        others = np.maximum(np.delete(near, i, axis=1).max(axis=1, initial=0.0), ground)
        table[:, i] = (near[:, i] - others) / (near[:, i] + others)
    return np.ascontiguousarray(table.T)
