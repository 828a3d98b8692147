"""The plane from four corners that a person gives."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.errors import UnreadableError
from vision.plane.geometry import Plane, corners_of, shown, signed_area, too_large
from vision.plane.pinhole import Landmark, Lens, fit_view, view_from_homography


def plane_from_corners(
    corners_px: ArrayLike, size_mm: tuple[float, float], image_size: tuple[int, int]
) -> Plane:
    """The plane whose corners are seen at `corners_px`, shape (4, 2).

    The first corner is the plane's top left, the others follow clockwise as seen; if they follow
    counter-clockwise, the first is kept and the others are taken in reverse, since no camera
    sees a table mirrored. `image_size` is (width, height) in pixels.

    Raises UnreadableError unless they are four corners, within the picture, of a convex quad.
    """
    corners = np.asarray(corners_px, dtype=np.float64)
    again = "Give the plane's four corners clockwise, the top left one first."
    if corners.ndim != 2 or corners.shape[1] != 2 or len(corners) != 4:
        count = corners.size / 2
        raise UnreadableError(
            "The plane has four corners, but {count} were given.", again, count=f"{count:g}"
        )
    if not np.isfinite(corners).all():
        raise UnreadableError(
            "A corner of the plane is no number: {corners}.", again, corners=shown(corners)
        )
    if not (np.isfinite(size_mm).all() and min(size_mm) > 0):
        raise UnreadableError(
            "A plane of {width} x {height} mm can't be.",
            "Give its width and height in millimetres, both above 0.",
            width=f"{size_mm[0]:g}",
            height=f"{size_mm[1]:g}",
        )
    reach = 0.005 * max(image_size)
    if (corners < -0.5 - reach).any() or (corners > np.array(image_size) - 0.5 + reach).any():
        raise too_large(image_size, corners)
    if signed_area(corners) < 0:
        corners = corners[[0, 3, 2, 1]]
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    lengths = np.linalg.norm(edges, axis=1)
    if lengths.min() < 8:
        raise UnreadableError(
            "Two corners of the plane lie within {pixels} pixels: {corners}.",
            again,
            pixels=f"{lengths.min():.0f}",
            corners=shown(corners),
        )
    bends = (edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]) / lengths
    if (bends / np.roll(lengths, -1) < 0.02).any():
        raise UnreadableError(
            "The corners {corners} make no convex quad.", again, corners=shown(corners)
        )
    landmarks = [
        Landmark.point(place, corner)
        for place, corner in zip(corners_of(size_mm).tolist(), corners, strict=True)
    ]
    homography = np.asarray(
        cv2.getPerspectiveTransform(
            corners_of(size_mm).astype(np.float32), corners.astype(np.float32)
        ),
        np.float64,
    )
    view = view_from_homography(homography, Lens.ordinary(image_size))
    view = fit_view(view, landmarks, image_size, ask=corners_of(size_mm), known=False).view
    straight = Lens(view.lens.matrix, np.zeros(5))
    # The corners hold exactly; the camera only says where upright points.
    upright = view_from_homography(homography, straight).projection
    scale = homography[2, 2] / upright[2, 3]
    projection = np.column_stack([homography[:, :2], upright[:, 2] * scale, homography[:, 2]])
    return Plane(size_mm, (), image_size, projection, straight, sigma_mm=0.0)
