"""Values of a picture at scattered points."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

#: Points a row of the map that OpenCV is given: no side of a map may exceed 32767.
_ROW = 1024


def sample(image: NDArray[Any], x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[Any]:
    """Values of `image`, (h, w) or (h, w, c), between its pixels at the points (x, y).

    `x` and `y` have one shape, (...); the values have the shape (...) or (..., c), and the image's
    type. Beyond the image its edge goes on.
    """
    count = x.size
    if not count:
        return np.zeros((*x.shape, *image.shape[2:]), image.dtype)
    rows = -(-count // _ROW)
    grid = np.zeros((2, rows * _ROW), np.float32)
    grid[0, :count], grid[1, :count] = x.ravel(), y.ravel()
    values = cv2.remap(
        image,
        grid[0].reshape(rows, _ROW),
        grid[1].reshape(rows, _ROW),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return values.reshape(rows * _ROW, *image.shape[2:])[:count].reshape(*x.shape, *image.shape[2:])


def spread(
    quads: NDArray[np.float32], u: NDArray[np.floating[Any]], v: NDArray[np.floating[Any]]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """x and y (n, len(v) * len(u)) of points of quads (n, 4, 2), bilinear between the corners.

    `u` and `v` are shares of the way from the first corner to the second, and to the fourth.
    """
    across, down = (part.ravel() for part in np.meshgrid(u, v))
    left, up = 1 - across, 1 - down
    weights = np.stack([left * up, across * up, across * down, left * down]).astype(np.float32)
    x, y = np.moveaxis(quads, 2, 0)
    return x @ weights, y @ weights


def whole(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The quad of a whole picture, shape (1, 4, 2)."""
    height, width = picture.shape[:2]
    return np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32) - 0.5
