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
