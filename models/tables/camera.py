"""Light on the finished table, and what a camera makes of it."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from models.tables.canvas import Array, Image, Random, clouds, dim, fill

#: Largest picture that noise is made for, and by how much two pictures' noise may be apart.
_LARGEST, _PLAY = 1024, 512


@cache
def _grain() -> Array:
    """Noise of deviation 1, made once: pictures take parts of it by chance."""
    side = _LARGEST + _PLAY
    return np.random.default_rng(0).standard_normal((side, side, 3), dtype=np.float32)


def illuminate(rng: Random, image: Image) -> Image:
    """Uneven, coloured light, hard shadows and glare."""
    height, width = image.shape[:2]
    size = (width, height)
    if rng.random() < 0.25:  # The edge of a shadow or of a patch of sun.
        mask = np.zeros((height, width), np.uint8)
        middle = rng.uniform((0, 0), size)
        fill(mask, middle + rng.normal(0, width, (int(rng.integers(3, 5)), 2)), 255)
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.6, 12))), np.uint8)
        dim(image, mask, float(rng.uniform(0.15, 0.6)))
    x, y = (np.linspace(-1, 1, n, dtype=np.float32) for n in (width, height))
    slope = rng.normal(0, 0.15, 2).astype(np.float32)
    level = 1 + slope[0] * x[None] + slope[1] * y[:, None]
    exposure = float(np.exp(rng.normal(-0.12, 0.35)))
    if rng.random() < 0.08:
        exposure *= float(rng.uniform(0.3, 0.6))
    warmth = float(rng.normal(0, 0.12))
    colour = exposure * np.exp(np.array([-warmth, rng.normal(0, 0.03), warmth]))
    light = image * (level[..., None] * colour.astype(np.float32))
    if rng.random() < 0.25:  # A lamp mirrored by glossy print.
        at_x, at_y, reach = rng.uniform((-1, -1, 0.02), (1, 1, 0.4)).astype(np.float32)
        glare = np.exp(-((y[:, None] - at_y) ** 2) / reach) * np.exp(
            -((x[None] - at_x) ** 2) / reach
        )
        light += (np.float32(rng.uniform(20, 190)) * glare)[..., None]
    if rng.random() < 0.2:
        light += np.float32(rng.uniform(3, 35))  # A veil: haze, or a dim sensor's black level.
    return np.asarray(np.clip(light, 0, 255), np.uint8)


def photograph(rng: Random, image: Image, size: tuple[int, int]) -> Image:
    """The picture with blur, noise, sharpening and JPEG, reduced to (width, height)."""
    poor = float(rng.random())
    sigma = float(rng.uniform(0.0, 0.5 + 0.8 * poor))
    if sigma > 0.25:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)
    if rng.random() < 0.06:  # The camera or the table moved.
        reach = int(rng.integers(2, 5))
        kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
        angle = float(rng.uniform(0, np.pi))
        way = np.array([np.cos(angle), np.sin(angle)]) * reach
        tip = (reach + way).round().astype(int).tolist()
        cv2.line(kernel, (2 * reach - tip[0], 2 * reach - tip[1]), tip, 1.0)
        image = np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)
    height, width = image.shape[:2]
    noise = float(rng.uniform(0.3, 1.5 + 6 * poor**2))
    top, left = rng.integers(_PLAY, size=2)
    levels = image + np.float32(noise) * _grain()[top : top + height, left : left + width]
    if rng.random() < 0.5:  # A camera that smooths leaves lumps.
        lump = float(rng.uniform(1, 2))
        levels += (np.float32(noise) * clouds(rng, (width, height), lump, lump))[..., None]
    image = np.asarray(np.clip(levels + np.float32(0.5), 0, 255), np.uint8)
    sharpening = float(rng.uniform(0, 0.9)) if rng.random() < 0.6 else 0.0
    if sharpening:
        soft = cv2.GaussianBlur(image, (0, 0), 1.1)
        image = np.asarray(cv2.addWeighted(image, 1 + sharpening, soft, -sharpening, 0), np.uint8)
    quality = round(96 - 50 * poor * float(rng.random()))
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    method = cv2.INTER_AREA if rng.random() < 0.7 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=method), np.uint8)
