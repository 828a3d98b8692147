"""Where the table appears in the picture, and what part of the table a pixel sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.scene.arrays import Array, enlarge, single
from vision.scene.description import Camera

# The table-to-picture map bends so little that between nodes this far apart a straight line is
# right to about a hundredth of a pixel.
_NODE_STEP = 8


class Box(NamedTuple):
    """A rectangle of whole pixels; x1 and y1 are exclusive."""

    x0: int
    y0: int
    x1: int
    y1: int

    @staticmethod
    def around(points: ArrayLike, margin: float = 0.0) -> Box:
        """The smallest box that holds `points` (…, 2) with `margin` pixels around them."""
        flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        x0, y0 = np.floor(flat.min(axis=0) - margin).astype(int)
        x1, y1 = np.ceil(flat.max(axis=0) + margin).astype(int) + 1
        return Box(int(x0), int(y0), int(x1), int(y1))

    @property
    def width(self) -> int:
        """Columns."""
        return self.x1 - self.x0

    @property
    def height(self) -> int:
        """Rows."""
        return self.y1 - self.y0

    @property
    def empty(self) -> bool:
        """Whether it holds no pixel."""
        return self.x1 <= self.x0 or self.y1 <= self.y0

    @property
    def slices(self) -> tuple[slice, slice]:
        """Indices of the box in a picture."""
        return slice(self.y0, self.y1), slice(self.x0, self.x1)

    def within(self, outer: Box) -> tuple[slice, slice]:
        """Indices of the box in an array that covers `outer`."""
        return (
            slice(self.y0 - outer.y0, self.y1 - outer.y0),
            slice(self.x0 - outer.x0, self.x1 - outer.x0),
        )

    def meets(self, other: Box) -> bool:
        """Whether two boxes that are not empty share a pixel."""
        return (
            self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1
        )

    def grown(self, margin: int) -> Box:
        """The box with `margin` pixels more on each side."""
        return Box(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)

    def __and__(self, other: Box) -> Box:
        return Box(
            max(self.x0, other.x0),
            max(self.y0, other.y0),
            min(self.x1, other.x1),
            min(self.y1, other.y1),
        )

    def __or__(self, other: Box) -> Box:
        return Box(
            min(self.x0, other.x0),
            min(self.y0, other.y0),
            max(self.x1, other.x1),
            max(self.y1, other.y1),
        )


def merged(boxes: Sequence[Box], picture: Box) -> list[Box]:
    """Windows that cover all of `boxes` within the picture, none of which meet."""
    windows: list[Box] = []
    for box in boxes:
        window = box & picture
        if window.empty:
            continue
        met = [other for other in windows if other.meets(window)]
        while met:
            for other in met:
                windows.remove(other)
                window |= other
            met = [other for other in windows if other.meets(window)]
        windows.append(window)
    return windows


class View:
    """A camera that looks at the plane; heights are millimetres above it."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self._rotation = cv2.Rodrigues(np.asarray(camera.rvec, dtype=np.float64))[0]
        shift = np.asarray(camera.tvec, dtype=np.float64).reshape(3)
        self._eye = -self._rotation.T @ shift

    @property
    def picture(self) -> Box:
        """All pixels."""
        return Box(0, 0, *self.camera.size)

    @property
    def eye(self) -> tuple[float, float, float]:
        """Where the camera is: x and y on the plane, and its height."""
        x, y, z = self._eye
        return float(x), float(y), float(-z)

    def project(self, points_mm: ArrayLike, height: ArrayLike = 0.0) -> NDArray[np.float64]:
        """Where points (…, 2) at `height` (a number, or of shape (…)) appear, in pixels (…, 2)."""
        points = np.asarray(points_mm, dtype=np.float64)
        z = np.broadcast_to(-np.asarray(height, dtype=np.float64), points.shape[:-1])
        solid = np.concatenate([points, z[..., None]], axis=-1).reshape(-1, 1, 3)
        c = self.camera
        pixels, _ = cv2.projectPoints(
            np.ascontiguousarray(solid), c.rvec, c.tvec, c.matrix, c.distortion
        )
        return np.asarray(pixels, dtype=np.float64).reshape(points.shape)

    def ground(self, box: Box, height: float = 0.0, scale: float = 1) -> Array:
        """What each pixel of `box` sees at `height`: plane millimetres, (rows, columns, 2).

        With `scale` n each pixel is split into n by n; with 1/n, n by n are one, and the box is a
        multiple of n. Exact at nodes, linear between them.
        """
        columns, rows = round(box.width * scale), round(box.height * scale)
        x = self._nodes(columns) / scale + box.x0 - 0.5
        y = self._nodes(rows) / scale + box.y0 - 0.5
        coarse = self.see(np.stack(np.meshgrid(x, y), axis=-1), height)
        size = (coarse.shape[1] * _NODE_STEP, coarse.shape[0] * _NODE_STEP)
        fine = enlarge(coarse, size)
        inner = slice(_NODE_STEP, None)
        return np.ascontiguousarray(fine[inner, inner][:rows, :columns])

    def scale_at(self, point_mm: tuple[float, float], height: float = 0.0) -> float:
        """Pixels per millimetre around a point of the plane."""
        x, y = point_mm
        corners = self.project([(x, y), (x + 1.0, y), (x, y + 1.0)], height)
        across, down = corners[1:] - corners[0]
        return float(np.sqrt(abs(across[0] * down[1] - across[1] * down[0])))

    @staticmethod
    def _nodes(length: int) -> NDArray[np.float64]:
        # cv2.resize aligns the middles of cells: a node stands for the middle of a cell of pixels.
        count = -(-length // _NODE_STEP)
        return np.asarray((np.arange(-1, count + 1) + 0.5) * _NODE_STEP)

    def see(self, pixels: NDArray[np.float64], height: float = 0.0) -> Array:
        """What pixels (…, 2) see at `height`: plane millimetres (…, 2)."""
        rays = cv2.undistortPoints(
            np.ascontiguousarray(pixels.reshape(-1, 1, 2)),
            self.camera.matrix,
            self.camera.distortion,
            criteria=(cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-10),
        ).reshape(-1, 2)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ self._rotation
        # A ray at or above the horizon sees the table as far away as makes no difference.
        reach = (-height - self._eye[2]) / np.maximum(directions[:, 2], 1e-3)
        seen = self._eye[:2] + directions[:, :2] * reach[:, None]
        return single(seen.reshape(pixels.shape))
