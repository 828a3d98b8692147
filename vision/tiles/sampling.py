"""Values of a picture at scattered points."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

#: Points a row of the map that OpenCV is given: no side of a map may exceed 32767.
_ROW = 1024


def sample(image: NDArray[Any], points: NDArray[np.floating[Any]]) -> NDArray[Any]:
    """Values of `image`, (h, w) or (h, w, c), between its pixels at points (..., 2).

    Returns them in the shape (..., c) or (...), in the image's type; beyond the image its edge
    goes on.
    """
    count = points.size // 2
    rows = -(-count // _ROW)
    if not count:
        return np.zeros((*points.shape[:-1], *image.shape[2:]), image.dtype)
    x, y = np.zeros((2, rows * _ROW), np.float32)
    x[:count], y[:count] = points.reshape(-1, 2).T
    values = cv2.remap(
        image,
        x.reshape(rows, _ROW),
        y.reshape(rows, _ROW),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    flat = values.reshape(rows * _ROW, *image.shape[2:])[:count]
    return flat.reshape(*points.shape[:-1], *image.shape[2:])
