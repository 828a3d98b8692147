"""Arrays of single precision, and OpenCV's resampling of them under one convention."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float32]


def single(values: ArrayLike) -> Array:
    """The values in single precision."""
    return np.asarray(values, dtype=np.float32)


def planes(pixels: Array) -> Array:
    """Pixels (rows, columns, n) as one plane for each of n: whole rows of one kind are faster."""
    return np.stack(cv2.split(pixels))


def sample(texture: Array, where: Array) -> Array:
    """The texture at texels `where` (rows, columns, 2); beyond its rim it is 0."""
    across, down = cv2.split(where)
    return single(
        cv2.remap(texture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    )


def affine(points: Array, matrix: NDArray[np.float64], offset: NDArray[np.float64]) -> Array:
    """`matrix` (2, 2) times each of the points (rows, columns, 2), plus `offset`."""
    return single(cv2.transform(points, np.column_stack([matrix, offset])))


def blur(values: Array, sigma: float) -> Array:
    """Gaussian blur; at the rim the outermost value goes on."""
    return single(cv2.GaussianBlur(values, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE))


def shrink(values: Array, size: tuple[int, int]) -> Array:
    """Resized to (width, height) by the mean over each new pixel's area."""
    return single(cv2.resize(values, size, interpolation=cv2.INTER_AREA))


def enlarge(values: Array, size: tuple[int, int], smooth: bool = False) -> Array:
    """Resized to (width, height), linearly or by smooth (cubic) interpolation."""
    method = cv2.INTER_CUBIC if smooth else cv2.INTER_LINEAR
    return single(cv2.resize(values, size, interpolation=method))
