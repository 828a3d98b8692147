"""What a straightened face looks like, apart in shape and in colour.

Shape is the lightness pattern and its slopes, free of exposure and contrast. Colour is the
logarithm of the ratios red : green and blue : green in linear light, blurred alike for all faces:
a change of light (von Kries: a gain a channel) adds the same two numbers to every pixel.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

#: Pixels along the shorter side of the grid on which shapes are compared.
GRID = 24
#: Shares of the side at the edge that count nothing, and from where on all counts: a quad is a
#: pixel or two off, and a frame or the gap beside the piece may or may not be in the crop.
EDGE, FULL = 0.03, 0.12
#: How much the slopes weigh beside the lightness itself.
SLOPES = 0.5
#: Flare and sensor noise as a share of the brightest part of the face: darker chroma is unknown.
FLOOR = 0.1
#: Linear light above which a channel is clipped, and its ratio to the others unknown.
CLIPPED = 0.95

_LINEAR = np.where(
    np.arange(256) <= 0.04045 * 255,
    np.arange(256) / 255 / 12.92,
    ((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4,
).astype(np.float32)
"""sRGB to linear light, IEC 61966-2-1."""


@dataclass(frozen=True, eq=False)
class Colours:
    """Chroma of n faces on p cells: `weight` (n, p), `chroma` (n, p, 2)."""

    weight: Array
    chroma: Array


def grid_size(aspect: float) -> tuple[int, int]:
    """Columns and rows of the grid, even numbers, for faces of this width over height."""
    columns, rows = (GRID * aspect, GRID) if aspect > 1 else (GRID, GRID / aspect)
    return 2 * round(columns / 2), 2 * round(rows / 2)


def lightness(crops: NDArray[np.uint8], size: tuple[int, int]) -> Array:
    """Lightness (n, rows, columns), 0 to 1, of BGR crops (n, h, w, 3), averaged to the grid."""
    grey = np.empty((len(crops), size[1], size[0]), np.float32)
    for cell, crop in zip(grey, crops, strict=True):
        cell[:] = cv2.cvtColor(_averaged(crop, size), cv2.COLOR_BGR2GRAY)
    return grey / 255


@dataclass(frozen=True, eq=False)
class Shapes:
    """Features (n, d) of n lightness patterns: linear in the lightness, blind to its mean.

    The first `split` are the pattern itself, the others its slopes; `norm` (n, 2) is the length of
    each part.
    """

    features: Array
    split: int

    @property
    def norm(self) -> Array:
        """Length of both parts, (n, 2)."""
        parts = self.features[:, : self.split], self.features[:, self.split :]
        return np.stack([np.linalg.norm(part, axis=1) for part in parts], axis=1)

    def scaled(self, scale: Array) -> Array:
        """The features (n, d), each part times its `scale` (n, 2) and its share in the whole."""
        share = np.sqrt(np.array([1 - SLOPES, SLOPES], np.float32)) * scale
        widths = [self.split, self.features.shape[1] - self.split]
        return self.features * np.repeat(share, widths, axis=1)


def pattern_and_slopes(grey: Array) -> Shapes:
    """The shape features of lightness patterns (n, rows, columns)."""
    window = _window(grey.shape[2], grey.shape[1])
    mean = (grey * window).sum((1, 2), keepdims=True) / window.sum()
    root = np.sqrt(window)
    padded = np.pad(grey, ((0, 0), (1, 1), (1, 1)), mode="edge")
    right = padded[:, 1:-1, 2:] - padded[:, 1:-1, :-2]
    down = padded[:, 2:, 1:-1] - padded[:, :-2, 1:-1]
    parts = [((part * root).reshape(len(grey), -1)) for part in (grey - mean, right, down)]
    return Shapes(np.concatenate(parts, axis=1).astype(np.float32), grey[0].size)


def unit_shapes(grey: Array) -> Array:
    """Unit vectors (n, d) of lightness patterns (n, rows, columns); their products are likeness."""
    shapes = pattern_and_slopes(grey)
    return shapes.scaled(1 / np.maximum(shapes.norm, 1e-6))


def contrast(grey: Array) -> Array:
    """Standard deviation (n,) of the lightness patterns inside the window."""
    window = _window(grey.shape[2], grey.shape[1]) / _window(grey.shape[2], grey.shape[1]).sum()
    mean = (grey * window).sum((1, 2), keepdims=True)
    return np.asarray(np.sqrt(((grey - mean) ** 2 * window).sum((1, 2))), np.float32)


def colours(crops: NDArray[np.uint8], size: tuple[int, int]) -> Colours:
    """The chroma of BGR crops (n, h, w, 3) on half the grid."""
    cells = (size[0] // 2, size[1] // 2)
    light = np.empty((len(crops), cells[1], cells[0], 3), np.float32)
    for face, crop in zip(light, crops, strict=True):
        face[:] = cv2.GaussianBlur(_averaged(_LINEAR[crop], cells), (3, 3), 0)
    light = light.reshape(len(crops), -1, 3)
    peak = light.max(axis=2)
    white = np.quantile(peak, 0.95, axis=1, keepdims=True) + 1e-3
    window = cv2.resize(_window(*size), cells, interpolation=cv2.INTER_AREA).reshape(1, -1)
    known = peak / (peak + 2 * FLOOR * white)
    clipped = np.clip((peak - CLIPPED) / (1 - CLIPPED), 0, 0.9)
    log = np.log(light + FLOOR * white[:, :, None])
    chroma = log[:, :, [2, 0]] - log[:, :, 1:2]
    return Colours(np.asarray(window * known**2 * (1 - clipped), np.float32), chroma)


def _averaged(image: NDArray[np.generic], size: tuple[int, int]) -> NDArray[np.generic]:
    """The image at another size, each cell the mean of its pixels when it shrinks."""
    shrinks = image.shape[1] >= size[0] and image.shape[0] >= size[1]
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)


def _window(columns: int, rows: int) -> Array:
    """Weights (rows, columns), 0 at the edge to 1 inside."""
    shorter = min(columns, rows)
    ramps = []
    for n in (rows, columns):
        middle = np.arange(n) + 0.5
        ramps.append(
            np.clip((np.minimum(middle, n - middle) / shorter - EDGE) / (FULL - EDGE), 0, 1)
        )
    return np.asarray(np.minimum(ramps[0][:, None], ramps[1][None]), np.float32)
