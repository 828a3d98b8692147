"""Privacy by default: of a picture only the table is shown and kept, what is around it is black."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Plane

Image = NDArray[np.uint8]

#: So much around the plane belongs to the table: the margins of its markers. (mm)
_AROUND_MM = 45.0
#: Points along each side of the outline: a lens bends it.
_STEPS = 12


def table_only(image: Image, plane: Plane | None) -> Image:
    """A copy of a BGR picture (h, w, 3) in which all but the table is black.

    Without a plane nobody knows where the table ends: then all of it is black.
    """
    if plane is None:
        return np.zeros_like(image)
    low, (right, below) = -_AROUND_MM, (side + _AROUND_MM for side in plane.size)
    corners = np.array([(low, low), (right, low), (right, below), (low, below)])
    share = np.linspace(0, 1, _STEPS, endpoint=False)[:, None]
    sides = [
        a + (b - a) * share for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)
    ]
    outline = plane.to_px(np.concatenate(sides))
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.rint(outline).astype(np.int32)], 255)
    return np.asarray(cv2.bitwise_and(image, image, mask=mask), np.uint8)
