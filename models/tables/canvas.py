"""Drawing on BGR pictures of uint8, as all training pictures need it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[np.uint8]
Array = NDArray[np.float32]
Random = np.random.Generator
Colour = tuple[int, int, int]

#: Fractional bits of coordinates given to OpenCV.
_SHIFT = 4


def clouds(rng: Random, size: tuple[int, int], across: float, down: float) -> Array:
    """Smooth chance (height, width) of deviation about 1; lumps `across` by `down` pixels."""
    width, height = size
    across, down = max(across, 1.0), max(down, 1.0)
    cells = (int(width / across) + 4, int(height / down) + 4)
    grid = rng.standard_normal((cells[1], cells[0]), dtype=np.float32)
    full = cv2.resize(
        grid, (int(cells[0] * across) + 1, int(cells[1] * down) + 1), interpolation=cv2.INTER_CUBIC
    )
    top, left = int(1.5 * down), int(1.5 * across)
    return np.asarray(full[top : top + height, left : left + width], np.float32)


def tinted(rng: Random, colour: ArrayLike, spread: float) -> Colour:
    """A colour near the given one: each channel off by `spread` levels (sigma)."""
    levels = np.clip(np.asarray(colour, np.float64) + rng.normal(0, spread, 3), 2, 253)
    return int(levels[0]), int(levels[1]), int(levels[2])


def any_colour(rng: Random, saturation: tuple[float, float] = (0.0, 1.0)) -> Colour:
    """Any hue; saturation uniform in the range, and any lightness from nearly black to white."""
    hsv = np.array([[[rng.uniform(0, 180), 255 * rng.uniform(*saturation), rng.uniform(20, 255)]]])
    b, g, r = cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR)[0, 0].tolist()
    return b, g, r


def lit(colour: ArrayLike, factor: float) -> Colour:
    """The colour in `factor` times the light, levels clipped."""
    levels = np.clip(np.asarray(colour, np.float64) * factor, 0, 255)
    return int(levels[0]), int(levels[1]), int(levels[2])


def fill(image: Image, polygon: ArrayLike, colour: Sequence[int] | int) -> None:
    """Fills a polygon (n, 2), in place, with smooth edges."""
    points = np.rint(np.asarray(polygon, np.float64) * (1 << _SHIFT)).astype(np.int32)
    tone = (colour,) if isinstance(colour, int) else tuple(colour)
    cv2.fillPoly(image, [points.reshape(-1, 1, 2)], tone, cv2.LINE_AA, _SHIFT)


def stroke(
    image: Image, line: ArrayLike, colour: Sequence[int] | int, width: int, *, closed: bool = False
) -> None:
    """Draws a line through points (n, 2), in place."""
    points = np.rint(np.asarray(line, np.float64) * (1 << _SHIFT)).astype(np.int32)
    tone = (colour,) if isinstance(colour, int) else tuple(colour)
    cv2.polylines(image, [points.reshape(-1, 1, 2)], closed, tone, width, cv2.LINE_AA, _SHIFT)


def paste(image: Image, texture: Image, quad: ArrayLike) -> None:
    """Lays a BGRA texture so that its corners, clockwise from the top left, come upon `quad`."""
    corners = np.asarray(quad, np.float32)
    height, width = image.shape[:2]
    x0, y0 = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0).tolist()
    x1, y1 = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 2, (width, height)).tolist()
    if x0 >= x1 or y0 >= y1:
        return
    rows, columns = texture.shape[:2]
    source = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32) - 0.5
    target = corners - np.array([x0, y0], np.float32)
    warp = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    drawn = cv2.warpPerspective(texture, warp, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    window = image[y0:y1, x0:x1]
    cover = drawn[..., 3:].astype(np.uint16)
    mixed = drawn[..., :3] * cover + window * (255 - cover)
    window[:] = (mixed + 127) // 255


def dim(image: Image, mask: Image, share: float) -> None:
    """Takes `share` of the light, in place, where `mask` is 255, less where it is less."""
    factor = 1.0 - mask.astype(np.float32) * (share / 255.0)
    image[:] = cv2.multiply(image, cv2.merge([factor] * 3), dtype=cv2.CV_8U)


def rectangle(centre: ArrayLike, size: tuple[float, float], angle: float) -> NDArray[np.float64]:
    """Corners (4, 2), clockwise from the top left, of a rectangle turned `angle` radians."""
    w, h = size
    local = np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) / 2.0
    cos, sin = np.cos(angle), np.sin(angle)
    turned = local @ np.array([[cos, sin], [-sin, cos]])
    return np.asarray(centre + turned, np.float64)
