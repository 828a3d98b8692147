"""Small copies of a frame: one to compare, one for the networks."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Floats = NDArray[np.float32]

#: Rows of the copy that is compared; the one for the networks has about twice as many.
ROWS = 135


@dataclass(frozen=True, eq=False)
class Copies:
    """A frame made small: BGR of shape (h, w, 3), h near ROWS, and twice that for `middle`.

    `scale` is how many pixels of the frame one of `small` spans.
    """

    small: Image
    middle: Image
    scale: float


def copies_of(image: Image) -> Copies:
    """The small copies of a BGR picture of any size; less than 0.5 ms at 1920x1080.

    Taking a few pixels of each block is enough: what does not move gives the same each time.
    """
    rows, columns = image.shape[:2]
    factor = max(1, min(rows, columns) // ROWS)
    size = (columns // factor, rows // factor)
    if factor == 1:
        return Copies(image, image, 1.0)
    middle = cv2.resize(image, (2 * size[0], 2 * size[1]), interpolation=cv2.INTER_LINEAR)
    small = cv2.resize(middle, size, interpolation=cv2.INTER_AREA)
    return Copies(np.asarray(small, np.uint8), np.asarray(middle, np.uint8), columns / size[0])
