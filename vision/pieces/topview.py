"""The top view of a board in which its pieces are looked for: always equally large feet."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.pieces.white import White
from vision.plane import Plane

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

#: Pixels across a piece's foot.
FOOT_PX = 12.0
#: Width and height of a view are multiples of this many pixels.
STEP = 8
#: The lean changes slowly: it is worked out on every such pixel and interpolated between.
_LEAN_STEP = 16


@dataclass(frozen=True, eq=False)
class TopView:
    """A part of the plane from straight above, at the height of a board's face."""

    pixels: Image
    """BGR (h, w, 3) as under even white light, paper being just white."""
    lean: Array
    """From a foot to where its piece's top is seen, (h, w, 2): x and y in diameters of a foot."""
    corner: tuple[float, float]
    """Plane point (mm) of the top left corner."""
    px_per_mm: float

    def to_pixels(self, points_mm: ArrayLike) -> Array:
        """Pixels (..., 2) of points of the plane."""
        points = np.asarray(points_mm, np.float64)
        return np.asarray((points - self.corner) * self.px_per_mm - 0.5, np.float32)

    def to_mm(self, points_px: ArrayLike) -> Array:
        """Points of the plane (..., 2) that pixels show."""
        points = np.asarray(points_px, np.float64)
        return np.asarray((points + 0.5) / self.px_per_mm + self.corner, np.float32)


def top_view(
    image: Image,
    plane: Plane,
    white: White,
    corner: tuple[float, float],
    size_px: tuple[int, int],
    *,
    height: float,
    piece: tuple[float, float],
) -> TopView:
    """The view of `size_px` (w, h) pixels from `corner` (mm), of what lies at `height` mm.

    `piece` is the diameter and height of a piece in mm.
    """
    diameter, tall = piece
    scale = FOOT_PX / diameter
    columns, rows = size_px
    size_mm = (columns / scale, rows / scale)
    patch = white.balanced(plane.patch(image, corner, size_mm, scale, height), corner, scale)
    nodes = np.stack(
        np.meshgrid(
            *((np.arange(-(-n // _LEAN_STEP)) + 0.5) * _LEAN_STEP / scale for n in (columns, rows))
        ),
        axis=-1,
    )
    nodes += corner
    lean = (plane.drop(plane.lift(nodes, height + tall), height) - nodes) / diameter
    whole = (lean.shape[1] * _LEAN_STEP, lean.shape[0] * _LEAN_STEP)
    full = cv2.resize(lean.astype(np.float32), whole, interpolation=cv2.INTER_LINEAR)
    return TopView(patch, np.asarray(full[:rows, :columns], np.float32), corner, scale)
