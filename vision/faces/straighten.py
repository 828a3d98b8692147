"""Cutting the faces of tiles out of a picture, straight and of one size."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.features import Image


def straighten(image: Image, quads_px: NDArray[np.float32], size: tuple[int, int]) -> Image:
    """The picture inside each quad, warped to `size` (width, height).

    `image` is BGR uint8 (h, w, 3); `quads_px` (n, 4, 2) runs clockwise from the corner that becomes
    the top left one, an integer being the centre of a pixel. Returns uint8 (n, height, width, 3).
    What lies outside the picture repeats its edge.
    """
    width, height = size
    crops = np.empty((len(quads_px), height, width, 3), np.uint8)
    quads = np.asarray(quads_px, np.float32)
    for crop, quad, over in zip(crops, quads, _oversampling(quads, size), strict=True):
        fine = (width * over, height * over)
        corners = np.array([[0, 0], [fine[0], 0], fine, [0, fine[1]]], np.float32) - 0.5
        transform = cv2.getPerspectiveTransform(quad, corners)
        warped = cv2.warpPerspective(
            image, transform, fine, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        crop[:] = cv2.resize(warped, size, interpolation=cv2.INTER_AREA) if over > 1 else warped
    return crops


def turned(quads: NDArray[np.float32], turns: NDArray[np.integer]) -> NDArray[np.float32]:
    """The same quads (n, 4, 2), each beginning at its corner number `turns` (n,).

    With the turns of `Matches` a quad then begins at the top left of the print as drawn.
    """
    corner = (np.arange(4)[None] + np.asarray(turns, np.intp)[:, None]) % 4
    return np.take_along_axis(quads, corner[:, :, None], axis=1)


def lengthwise(quads_mm: NDArray[np.float32], aspect: float) -> NDArray[np.int8]:
    """By how many corners (0 or 1) to turn each quad so that it lies as its face is drawn.

    `aspect` is the face's width over its height. An oblong face's longer side decides; a square
    face's quad is left as it is, since the print alone tells its top.
    """
    along = np.linalg.norm(quads_mm - np.roll(quads_mm, -1, axis=1), axis=2)
    first, second = along[:, 0] + along[:, 2], along[:, 1] + along[:, 3]
    if aspect == 1:
        return np.zeros(len(quads_mm), np.int8)
    return np.asarray((first < second) if aspect > 1 else (first > second), np.int8)


def _oversampling(quads: NDArray[np.float32], size: tuple[int, int]) -> list[int]:
    """How many samples a side an output pixel needs, so that no pixel of a quad is skipped."""
    sides = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    pixels = (sides / (*size, *size)).max(axis=1)
    return [int(samples) for samples in np.clip(np.ceil(pixels), 1, 8)]
