"""A tray as the network sees it: from straight above, each cube of one size in pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.plane import Plane

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

#: Pixels along the side of a cube that lies flat.
SIDE_PX = 10
#: What is seen around the tray, in sides of a cube.
MARGIN = 1.0
#: Width and height of a patch are multiples of this.
STEP = 8


@dataclass(frozen=True)
class TrayPatch:
    """The top view of a tray at half the height of its cubes."""

    corner: tuple[float, float]
    """Top left corner of the view on the plane, in mm."""
    px_per_mm: float
    shape: tuple[int, int]
    """Rows and columns."""
    height: float
    """Height above the table top, in mm, at which the view is true to scale."""

    @classmethod
    def around(cls, polygon: ArrayLike, side: float, floor: float = 0.0) -> TrayPatch:
        """The view of a tray whose floor is `polygon` (n, 2) in mm, at height `floor`."""
        corners = np.asarray(polygon, np.float64)
        low = corners.min(axis=0) - MARGIN * side
        size = corners.max(axis=0) + MARGIN * side - low
        columns, rows = (STEP * np.ceil(size * SIDE_PX / side / STEP)).astype(int).tolist()
        corner = (float(low[0]), float(low[1]))
        return cls(corner, SIDE_PX / side, (rows, columns), floor + side / 2)

    def cut(self, image: Image, plane: Plane) -> Image:
        """The view of a BGR picture."""
        rows, columns = self.shape
        size = (columns / self.px_per_mm, rows / self.px_per_mm)
        return plane.patch(image, self.corner, size, self.px_per_mm, self.height)

    def to_plane(self, points: ArrayLike) -> Array:
        """Points (…, 2) of the plane in mm of points (x, y) of the view in pixels."""
        mm = (np.asarray(points, np.float64) + 0.5) / self.px_per_mm + self.corner
        return np.asarray(mm, np.float32)
