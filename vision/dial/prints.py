"""Pictures of dials as the search for them needs them: of one size, and in floating point."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

#: Pixels across the disc in all comparisons: about what a webcam at 1280x720 has.
ACROSS = 120
#: The disc's cut rim is left out: beside it lies whatever lies there.
_RIM = 0.98
#: What a clear part of a print is taken to show: middle grey.
_CLEAR = 128.0
#: Sigma in pixels by which a camera's picture is softer than a print.
_SOFT = 0.7
#: Levels that differ by less from a picture's corner belong to the paper around an arrow.
_PAPER = 12
#: The light is fitted so often, each time without errors of more than so many deviations.
_FITS, _TRIM = 3, 1.5
#: No picture is so flat that it has less of the print's contrast.
_FLATTEST = 0.1


def disc_print(picture: Image) -> Array:
    """A disc's square picture, BGR or BGRA, as (ACROSS, ACROSS, 3) levels, 0 to 255."""
    small = cv2.resize(_levels(picture), (ACROSS, ACROSS), interpolation=cv2.INTER_AREA)
    seen = small[..., :3] + _CLEAR * (1.0 - small[..., 3:])
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), _SOFT), np.float32)


def arrow_print(picture: Image, size_mm: tuple[float, float], diameter_mm: float) -> Array:
    """An arrow's picture (BGRA, it points left), pointing up over the middle of a clear disc.

    Shape (ACROSS, ACROSS, 4): levels times cover, and cover, 0 to 1.
    """
    levels = _levels(picture)
    scale = ACROSS / diameter_mm
    wanted = (max(1, round(size_mm[0] * scale)), max(1, round(size_mm[1] * scale)))
    small = cv2.resize(levels, wanted, interpolation=cv2.INTER_AREA)
    # From pixels of the shrunk picture, its middle to the disc's, turned by a quarter.
    middle, rim = np.array([wanted[0] - 1, wanted[1] - 1]) / 2, (ACROSS - 1) / 2
    across = size_mm[0] * scale / wanted[0]
    down = size_mm[1] * scale / wanted[1]
    matrix = np.array([[0.0, -down, 0.0], [across, 0.0, 0.0]])
    matrix[:, 2] = rim - matrix[:, :2] @ middle
    upright = cv2.warpAffine(small, matrix, (ACROSS, ACROSS), flags=cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(upright, (0, 0), _SOFT), np.float32)


def cuts_of(arrow: Image) -> tuple[Image, ...]:
    """An arrow (BGRA) as it may be cut: with the paper around it, and along its outline.

    If it has no paper around it, there is only one way.
    """
    levels = np.ascontiguousarray(arrow[..., :3])
    height, width = levels.shape[:2]
    if min(arrow[y, x, 3] for y in (0, height - 1) for x in (0, width - 1)) < 255:
        return (arrow,)
    mask = np.zeros((height + 2, width + 2), np.uint8)
    how = 4 | cv2.FLOODFILL_MASK_ONLY | cv2.FLOODFILL_FIXED_RANGE | 255 << 8
    for corner in ((0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)):
        cv2.floodFill(levels, mask, corner, 0, (_PAPER,) * 3, (_PAPER,) * 3, how)
    outline = arrow.copy()
    outline[..., 3] = np.where(mask[1:-1, 1:-1] > 0, 0, 255)
    return arrow, outline


def light_of(seen: Array, printed: Array) -> tuple[Array, Array]:
    """Gain and offset of each channel that make a print look as it is seen: both of shape (3, 1).

    `seen` and `printed` are levels of shape (3, n); what doesn't fit, as an arrow, is left out.
    """
    kept = np.ones_like(seen)
    for _ in range(_FITS):
        total = _dots(kept, kept)
        mean_x, mean_y = _dots(kept, printed) / total, _dots(kept, seen) / total
        x = kept * (printed - mean_x)
        gain = np.maximum(_dots(x, seen) / _dots(x, x), _FLATTEST)
        offset = mean_y - gain * mean_x
        error = gain * printed + offset - seen
        kept = (np.abs(error) <= _TRIM * np.sqrt(_dots(error, error) / len(error[0]))).astype(
            np.float32
        )
    return gain, offset


def _dots(one: Array, other: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->i", one, other)[:, None], np.float32)


def turned(picture: Array, degrees: float, shift: tuple[float, float] = (0.0, 0.0)) -> Array:
    """A square picture, turned clockwise about its middle and then shifted by (x, y) pixels."""
    side = picture.shape[0]
    matrix = turn_matrix(degrees, (side - 1) / 2, shift)
    return np.asarray(
        cv2.warpAffine(picture, matrix, (side, side), flags=cv2.INTER_LINEAR), np.float32
    )


def turn_matrix(
    degrees: float, middle: float, shift: tuple[float, float] = (0.0, 0.0)
) -> NDArray[np.float64]:
    """The matrix (2, 3) that turns clockwise as seen about (middle, middle), then shifts."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turn = np.array([[c, -s], [s, c]])
    offset = middle - turn @ (middle, middle) + shift
    return np.column_stack([turn, offset])


def slope_of(picture: Array, axis: int) -> Array:
    """By how much the levels change from pixel to pixel along an axis."""
    dx, dy = (1, 0) if axis == 1 else (0, 1)
    return np.asarray(cv2.Sobel(picture, cv2.CV_32F, dx, dy, ksize=3, scale=0.125), np.float32)


def disc_mask(side: int) -> NDArray[np.bool_]:
    """The pixels (side, side) of a disc that fills the square, but for its rim."""
    from_middle = np.arange(side) - (side - 1) / 2
    return np.asarray(np.hypot(from_middle[:, None], from_middle) <= _RIM * side / 2)


def _levels(picture: Image) -> Array:
    """Levels times cover, and cover: (h, w, 4)."""
    if picture.shape[2] == 3:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), np.uint8)
    levels = picture.astype(np.float32)
    levels[..., 3] /= 255.0
    levels[..., :3] *= levels[..., 3:]
    return levels
