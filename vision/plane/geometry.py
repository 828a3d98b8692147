"""The table plane of one picture: millimetres to pixels and back, at any height."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import UnreadableError
from vision.plane.maps import MapCache, Maps, maps_between, nodes_of, seen_through
from vision.plane.pinhole import Array, Lens

Points = NDArray[np.float32]
Image = NDArray[np.uint8]

#: The maps of all planes' patches.
_MAPS = MapCache()


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

    @cached_property
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
        size = _size_px(size_mm, px_per_mm)
        key = (self.calibration_id, corner_mm, size, px_per_mm, height_mm)
        maps = _MAPS.get(key, lambda: self._maps([corner_mm], size, px_per_mm, [height_mm]))
        return seen_through(image, maps)

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
        size = _size_px(size_mm, px_per_mm)
        tall = seen_through(image, self._maps(corners_mm, size, px_per_mm, heights_mm))
        return tall.reshape(-1, size[1], *tall.shape[1:])

    def _maps(
        self,
        corners_mm: ArrayLike,
        size: tuple[int, int],
        px_per_mm: float,
        heights_mm: ArrayLike,
    ) -> Maps:
        """Maps for patches of `size` (w, h) px, one below the other."""
        corners = np.asarray(corners_mm, np.float64)[:, None, None]
        grid = corners + (nodes_of(size) + 0.5) / px_per_mm
        heights = np.asarray(heights_mm, np.float64)[:, None, None]
        return maps_between(self.lift(grid, np.broadcast_to(heights, grid.shape[:-1])), size)

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


def _size_px(size_mm: tuple[float, float], px_per_mm: float) -> tuple[int, int]:
    """Width and height in pixels, at least 1, of a rectangle in mm."""
    width, height = (max(1, round(length * px_per_mm)) for length in size_mm)
    return width, height


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
    what = "The plane is larger than the picture of {width} x {height} pixels."
    if corners is not None:
        what = (
            "The plane is larger than the picture of {width} x {height} pixels (corners {corners})."
        )
    return UnreadableError(
        what,
        "Move the camera back until the whole plane is in the picture.",
        width=size[0],
        height=size[1],
        corners="" if corners is None else shown(corners),
    )


def shown(corners: Array) -> str:
    """Corners as people write them."""
    return " ".join(f"({x:g}, {y:g})" for x, y in corners)
