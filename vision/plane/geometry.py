"""The table plane of one picture: millimetres to pixels and back, at any height."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import UnreadableError
from vision.plane.pinhole import Array, Lens

Points = NDArray[np.float32]
Image = NDArray[np.uint8]

#: Maps for `patch` are computed on every such pixel and interpolated between.
_MAP_STEP = 16


@dataclass(frozen=True, eq=False)
class Plane:
    """The table plane of one picture.

    Plane coordinates are millimetres, origin at the top left corner, x right, y down; heights
    are millimetres above the table top. All maps take points of shape (..., 2) and return
    float32 of the same shape.
    """

    size: tuple[float, float]
    """Width and height in mm."""
    markers: tuple[int, ...]
    """Ids of the markers that the plane rests on, ascending; none if it was given by hand."""
    image_size: tuple[int, int]
    """Width and height in pixels of the picture."""
    projection: Array
    """Matrix (3, 4) from (x, y, z, 1), z into the table, to pixels before distortion."""
    lens: Lens
    sigma_mm: float
    """Standard deviation of a position at the worst corner of the plane, as the fit sees it."""

    @property
    def calibration_id(self) -> str:
        """Names this calibration: the same numbers give the same id."""
        numbers = (self.projection, self.lens.matrix, self.lens.distortion)
        return hashlib.sha256(b"".join(part.tobytes() for part in numbers)).hexdigest()[:12]

    @property
    def px_per_mm(self) -> float:
        """Mean scale: root of the plane's area in square pixels over that in square mm."""
        corners = self.to_px(corners_of(self.size))
        return float(np.sqrt(abs(signed_area(corners)) / (self.size[0] * self.size[1])))

    def to_mm(self, points_px: ArrayLike) -> Points:
        """Where on the table top the points seen at `points_px` lie."""
        return self.drop(points_px, 0.0)

    def to_px(self, points_mm: ArrayLike) -> Points:
        """Where points of the table top are seen."""
        return self.lift(points_mm, 0.0)

    def lift(self, points_mm: ArrayLike, height_mm: ArrayLike) -> Points:
        """Where points `height_mm` above the given points of the table top are seen.

        `height_mm` is one number, or one for each point.
        """
        points = np.asarray(points_mm, dtype=np.float64)
        height = np.broadcast_to(np.asarray(height_mm, np.float64), points.shape[:-1])[..., None]
        ahead = np.concatenate([points, -height, np.ones_like(height)], axis=-1)
        image = ahead @ self.projection.T
        straight = image[..., :2] / image[..., 2:]
        return self._bend(straight).astype(np.float32)

    def drop(self, points_px: ArrayLike, height_mm: float) -> Points:
        """Points of the table top above which, at `height_mm`, lies what is seen at `points_px`."""
        straight = self.lens.straightened(np.asarray(points_px, dtype=np.float64))
        inverse = np.linalg.inv(self._homography(height_mm))
        image = np.concatenate([straight, np.ones_like(straight[..., :1])], axis=-1) @ inverse.T
        return np.asarray(image[..., :2] / image[..., 2:], dtype=np.float32)

    def rectify(self, image: Image, px_per_mm: float, margin_mm: float = 0.0) -> Image:
        """The plane seen from straight above, grown by `margin_mm` on all sides.

        Pixel (u, v) shows plane point ((u + 0.5) / px_per_mm - margin_mm, and so for v).
        """
        corner = (-margin_mm, -margin_mm)
        size = (self.size[0] + 2 * margin_mm, self.size[1] + 2 * margin_mm)
        return self.patch(image, corner, size, px_per_mm)

    def patch(
        self,
        image: Image,
        corner_mm: tuple[float, float],
        size_mm: tuple[float, float],
        px_per_mm: float,
        height_mm: float = 0.0,
    ) -> Image:
        """An upright rectangle of the plane seen from straight above, at a height.

        Pixel (u, v) shows plane point `corner_mm` + ((u, v) + 0.5) / px_per_mm.
        """
        only = self.patches(image, [corner_mm], size_mm, px_per_mm, [height_mm])
        return np.asarray(only[0], np.uint8)

    def patches(
        self,
        image: Image,
        corners_mm: ArrayLike,
        size_mm: tuple[float, float],
        px_per_mm: float,
        heights_mm: ArrayLike,
    ) -> Image:
        """Equal rectangles as by `patch`, in one array: shape (n, h, w) or (n, h, w, 3).

        They have their own corners, shape (n, 2), and heights, shape (n,).
        """
        corners = np.asarray(corners_mm, np.float64)[:, None, None]
        heights = np.asarray(heights_mm, np.float64)[:, None, None]
        width, height = (max(1, round(length * px_per_mm)) for length in size_mm)
        # Nodes stand one step beyond every side, so that none of the pixels is extrapolated.
        columns, rows = (np.arange(-1, -(-n // _MAP_STEP) + 1) + 0.5 for n in (width, height))
        grid = np.stack(np.meshgrid(columns, rows), axis=-1) * (_MAP_STEP / px_per_mm)
        nodes = self.lift(grid + corners, np.broadcast_to(heights, (len(corners), *grid.shape[:2])))
        # One below the other, they are interpolated and looked up at once.
        x, y = (
            cv2.resize(part, None, fx=_MAP_STEP, fy=_MAP_STEP, interpolation=cv2.INTER_LINEAR)
            .reshape(len(corners), -1, len(columns) * _MAP_STEP)[
                :, _MAP_STEP : _MAP_STEP + height, _MAP_STEP : _MAP_STEP + width
            ]
            .reshape(-1, width)
            for part in cv2.split(nodes.reshape(-1, len(columns), 2))
        )
        tall = np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR), np.uint8)
        return np.asarray(tall.reshape(len(corners), height, *tall.shape[1:]), np.uint8)

    def _homography(self, height_mm: float) -> Array:
        """From (x, y, 1) at a height to pixels before distortion."""
        p = self.projection
        return np.column_stack([p[:, 0], p[:, 1], p[:, 3] - height_mm * p[:, 2]])

    def _bend(self, straight: Array) -> Array:
        """Pixels as the lens shows them."""
        if not self.lens.distortion.any() or not straight.size:
            return straight
        k = self.lens.matrix
        rays = (straight - k[:2, 2]) / k[[0, 1], [0, 1]]
        ahead = np.concatenate([rays, np.ones_like(rays[..., :1])], axis=-1).reshape(-1, 1, 3)
        none = np.zeros(3)
        bent, _ = cv2.projectPoints(ahead, none, none, k, self.lens.distortion)
        return np.asarray(bent.reshape(straight.shape), np.float64)


def grey_of(image: Image) -> Image:
    """The grey levels of a BGR or grey picture."""
    return (
        image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    )


def corners_of(size: tuple[float, float]) -> Array:
    """The corners of a rectangle at the origin, clockwise from the top left."""
    return np.array([(0.0, 0.0), (size[0], 0.0), (size[0], size[1]), (0.0, size[1])])


def signed_area(quad: ArrayLike) -> float:
    """Area of a polygon, above 0 if its corners are clockwise as seen."""
    x, y = np.asarray(quad, np.float64).T
    return float((x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


def too_large(size: tuple[int, int], corners: Array | None = None) -> UnreadableError:
    """What to say of a plane that a picture of `size` (w, h) px doesn't hold."""
    where = "" if corners is None else f" (corners {shown(corners)})"
    return UnreadableError(
        f"The plane is larger than the picture of {size[0]} x {size[1]} pixels{where}.",
        "Move the camera back until the whole plane is in the picture.",
    )


def shown(corners: Array) -> str:
    """Corners as people write them."""
    return " ".join(f"({x:g}, {y:g})" for x, y in corners)
