"""Tables drawn with known geometry, independent of the scene renderer, for tests of vision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Plane, plane_from_corners

Image = NDArray[np.uint8]

#: Pixels for a millimetre of the table.
SCALE = 1.5
#: The picture shows this much around the plane, in mm.
AROUND = 40.0
#: Drawn so many times finer, then averaged.
_FINE = 4


@dataclass(frozen=True)
class Tile:
    """A face (h, w, 3) at `centre` mm on the plane, turned `angle` degrees clockwise."""

    face: Image
    centre: tuple[float, float]
    angle: float = 0.0
    size: tuple[float, float] = (35.0, 35.0)

    @property
    def quad(self) -> NDArray[np.float64]:
        """Corners in mm, clockwise from the top left of the face."""
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * self.size / 2
        cos, sin = np.cos(np.radians(self.angle)), np.sin(np.radians(self.angle))
        return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + self.centre)


def face(symbol: str, paint: tuple[int, int, int], stock: tuple[int, int, int]) -> Image:
    """A face of 70 x 70 pixels: a symbol on plain stock; a letter has no symmetry."""
    image = np.full((70, 70, 3), stock, np.uint8)
    if symbol == "square":
        cv2.rectangle(image, (18, 18), (51, 51), paint, cv2.FILLED)
    elif symbol == "disc":
        cv2.circle(image, (35, 35), 18, paint, cv2.FILLED, cv2.LINE_AA)
    elif symbol != "blank":
        cv2.putText(image, symbol, (16, 54), cv2.FONT_HERSHEY_SIMPLEX, 1.8, paint, 6, cv2.LINE_AA)
    return image


def ground(
    size_mm: tuple[float, float], bgr: tuple[int, int, int], seed: int, grain: float = 6.0
) -> Image:
    """A bare table top with blotches of `grain` grey levels."""
    width, height = (round((length + 2 * AROUND) * SCALE) for length in size_mm)
    noise = np.random.default_rng(seed).normal(0, 1, (height, width)).astype(np.float32)
    blotches = cv2.GaussianBlur(noise, (0, 0), 3.0)
    shown = blotches * (grain / blotches.std())
    return np.asarray(np.clip(np.array(bgr) + shown[:, :, None], 0, 255), np.uint8)


def photograph(table: Image, tiles: Sequence[Tile], seed: int = 0, noise: float = 2.0) -> Image:
    """The table top with the tiles on it, later ones above earlier ones."""
    fine = cv2.resize(table, None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_LINEAR)
    for tile in tiles:
        height, width = tile.face.shape[:2]
        source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
        target = ((tile.quad + AROUND) * SCALE * _FINE - 0.5).astype(np.float32)
        left, upper = np.maximum(np.floor(target.min(axis=0)).astype(int) - 1, 0)
        right, lower = np.ceil(target.max(axis=0)).astype(int) + 2
        part = fine[upper:lower, left:right]
        target -= np.array([left, upper], np.float32)
        to_fine = cv2.getPerspectiveTransform(source, target)
        size = (part.shape[1], part.shape[0])
        drawn = cv2.warpPerspective(
            tile.face, to_fine, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        mask = np.zeros(size[::-1], np.uint8)
        cv2.fillConvexPoly(mask, np.rint(target * 16).astype(np.int32), 255, cv2.LINE_8, 4)
        part[mask > 0] = drawn[mask > 0]
    small = cv2.resize(fine, table.shape[1::-1], interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), 0.7).astype(np.float64)
    grained = blurred + np.random.default_rng(seed).normal(0, noise, blurred.shape)
    return np.clip(grained, 0, 255).astype(np.uint8)


def corners_px(size_mm: tuple[float, float]) -> NDArray[np.float32]:
    """Where the plane's corners are seen in such a photograph."""
    width, height = size_mm
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)])
    return np.asarray((corners + AROUND) * SCALE - 0.5, np.float32)


def plane_of(size_mm: tuple[float, float], photo: Image) -> Plane:
    """The plane of such a photograph."""
    return plane_from_corners(corners_px(size_mm), size_mm, (photo.shape[1], photo.shape[0]))
