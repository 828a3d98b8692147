"""What a straightened face looks like, apart in shape and in colour.

Shape is lightness with its slow changes held down, so that light and shadow across a face count
little. Colour is the logarithm of the ratios red : green and blue : green in linear light: another
light (von Kries: a gain for each channel) adds the same two numbers to every pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

#: Pixels along the shorter side of the grid on which shapes are compared; colours take half of it.
GRID = 24
#: Shares of the shorter side at the edge that count nothing, and from where on all counts: a quad
#: is a pixel or two off, and a frame or the gap beside the piece may or may not be in the crop.
EDGE, FULL = 0.03, 0.12
#: Changes of lightness slower than this share of the side are held down by this share.
SLOW, HELD_DOWN = 0.12, 0.7
#: Flare and sensor noise as a share of the brightest part of the face: darker chroma is unknown.
FLOOR = 0.1
#: Linear light above which a channel is clipped, and its ratio to the others unknown.
CLIPPED = 0.95
#: Power of log chroma, averaged over a cell, that is noise and JPEG rather than print.
CHROMA_NOISE = 0.02**2

_LINEAR = np.where(
    np.arange(256) <= 0.04045 * 255,
    np.arange(256) / 255 / 12.92,
    ((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4,
).astype(np.float32)
"""sRGB to linear light, IEC 61966-2-1."""


@dataclass(frozen=True, eq=False)
class Shapes:
    """`pattern` (n, rows, columns): lightness without its slow part; `contrast` (n,): spread."""

    pattern: Array
    contrast: Array


@dataclass(frozen=True, eq=False)
class Colours:
    """`chroma` (n, 2, rows, columns) and how well it is known, `weight` (n, rows, columns)."""

    chroma: Array
    weight: Array


def grid_size(aspect: float) -> tuple[int, int]:
    """Columns and rows of the grid, even numbers, for faces of this width over height."""
    columns, rows = (GRID * aspect, GRID) if aspect > 1 else (GRID, GRID / aspect)
    return 2 * round(columns / 2), 2 * round(rows / 2)


def shapes(crops: Image, size: tuple[int, int]) -> Shapes:
    """The shapes of BGR crops (n, h, w, 3) on a grid of `size` (columns, rows)."""
    sigma = SLOW * min(size)
    pattern = np.empty((len(crops), size[1], size[0]), np.float32)
    for cell, crop in zip(pattern, crops, strict=True):
        grey = cv2.cvtColor(averaged(crop, size), cv2.COLOR_BGR2GRAY).astype(np.float32) / 255
        slow = cv2.GaussianBlur(grey, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
        cell[:] = grey - HELD_DOWN * slow
    inside = window(size)
    share = inside / inside.sum()
    mean = (pattern * share).sum((1, 2), keepdims=True)
    contrast = np.sqrt(((pattern - mean) ** 2 * share).sum((1, 2)))
    return Shapes(pattern, contrast)


def unit_patterns(shape: Shapes) -> Array:
    """Vectors (n, rows x columns) whose products are the correlations of the patterns."""
    inside = window(shape.pattern.shape[:0:-1])
    mean = (shape.pattern * inside).sum((1, 2), keepdims=True) / inside.sum()
    flat = ((shape.pattern - mean) * np.sqrt(inside)).reshape(len(mean), -1)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6))


def colours(crops: Image, size: tuple[int, int], veil: float = 0.0) -> Colours:
    """The colours of BGR crops (n, h, w, 3) on half of a grid of `size` (columns, rows).

    `veil` adds as much light everywhere, a share of the face's white: haze on a lens, or gloss.
    """
    cells = (size[0] // 2, size[1] // 2)
    light = np.empty((len(crops), cells[1], cells[0], 3), np.float32)
    for face, crop in zip(light, crops, strict=True):
        face[:] = cv2.GaussianBlur(averaged(_LINEAR.take(averaged(crop, size)), cells), (3, 3), 0)
    peak = light.max(axis=3)
    white = np.quantile(peak, 0.95, axis=(1, 2), keepdims=True) + 1e-3
    known = (peak / (peak + FLOOR * white)) ** 2
    light += veil * white[..., None]
    clipped = np.clip((peak - CLIPPED) / (1 - CLIPPED), 0, 0.9)
    log = np.log(light + FLOOR * white[..., None])
    chroma = np.stack([log[..., 2] - log[..., 1], log[..., 0] - log[..., 1]], axis=1)
    weight = window(cells) * known * (1 - clipped)
    return Colours(chroma.astype(np.float32), weight.astype(np.float32))


def mean_chroma(colour: Colours) -> Array:
    """Mean log chroma (n, 2) of faces."""
    share = colour.weight / np.maximum(colour.weight.sum((1, 2), keepdims=True), 1e-6)
    return np.asarray((colour.chroma * share[:, None]).sum((2, 3)), np.float32)


def unit_chroma(colour: Colours) -> Array:
    """Vectors (n, 2 x rows x columns) whose products are the correlations of the colours.

    A face with less colour than noise has a shorter vector.
    """
    share = colour.weight / np.maximum(colour.weight.sum((1, 2), keepdims=True), 1e-6)
    print_ = colour.chroma - mean_chroma(colour)[:, :, None, None]
    flat = (print_ * np.sqrt(share)[:, None]).reshape(len(print_), -1)
    power = (flat**2).sum(axis=1, keepdims=True)
    return np.asarray(flat / np.sqrt(power + CHROMA_NOISE), np.float32)


def window(size: tuple[int, ...]) -> Array:
    """Weights (rows, columns), 0 at the edge to 1 inside, of a grid of `size` (columns, rows)."""
    ramps = []
    for n in size:
        middle = np.arange(n, dtype=np.float32) + 0.5
        inward = np.minimum(middle, n - middle) / min(size)
        ramps.append(np.clip((inward - EDGE) / (FULL - EDGE), 0, 1))
    return np.asarray(np.minimum(ramps[1][:, None], ramps[0][None]), np.float32)


def averaged(image: NDArray[np.integer | np.floating], size: tuple[int, int]) -> NDArray[Any]:
    """The image at another size (columns, rows), each cell the mean of its pixels if it shrinks."""
    shrinks = image.shape[1] >= size[0] and image.shape[0] >= size[1]
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
