"""What lens and sensor make of the light: first what stays from frame to frame, then the rest."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np

from vision.scene.arrays import Array, blur
from vision.scene.colour import slope, to_levels
from vision.scene.description import Image, Sensor
from vision.scene.projection import View

# Light that middle grey reflects, and how much of the noise there does not come from photons.
_MIDDLE_GREY = 0.18
_READ_SHARE = 0.15
# Radius of the halo that a webcam's sharpening draws, in pixels (sigma).
_HALO_PX = 1.1
# By how many pixels across and down two frames' noise may be apart.
_NOISE_PLAY = 256


def gain(view: View, sensor: Sensor) -> Array:
    """By what each pixel's light is multiplied: exposure, white balance, darker corners."""
    width, height = view.camera.size
    x = (np.arange(width, dtype=np.float32) - (width - 1) / 2) / (width / 2)
    y = (np.arange(height, dtype=np.float32) - (height - 1) / 2) / (height / 2)
    square = (x[None, :] ** 2 + y[:, None] ** 2) / 2.0
    level = sensor.exposure * (1.0 - sensor.vignetting * square)
    return np.asarray(
        level[..., None] * np.asarray(sensor.white_balance, dtype=np.float32), dtype=np.float32
    )


@lru_cache(maxsize=2)
def _noise(rows: int, columns: int) -> Array:
    """More than a frame of noise of deviation 1, made once: frames take parts of it by chance."""
    shape = (rows + _NOISE_PLAY, columns + _NOISE_PLAY)
    return np.random.default_rng(0).standard_normal(shape, dtype=np.float32)


def reach(sensor: Sensor) -> int:
    """By how many pixels the lens spreads a change."""
    return math.ceil(4.0 * sensor.blur) + 1


def mosaic(light: Array, sensor: Sensor, corner: tuple[int, int]) -> Array:
    """Light (rows, columns, 3), blurred by the lens, at photosites of one colour each.

    `corner` (x, y) is the place in the picture of the first pixel: it fixes the pattern's phase
    (blue at even rows and columns, red at odd ones, green elsewhere).
    """
    if sensor.blur > 0.0:
        light = blur(light, sensor.blur)
    x, y = corner[0] % 2, corner[1] % 2
    sites = np.ascontiguousarray(light[..., 1])
    sites[y::2, x::2] = light[y::2, x::2, 0]
    sites[1 - y :: 2, 1 - x :: 2] = light[1 - y :: 2, 1 - x :: 2, 2]
    return sites


def deviation(sites: Array, sensor: Sensor) -> Array:
    """Sigma of the noise at each photosite: reading noise and the square root of the light."""
    middle = sensor.noise / slope(_MIDDLE_GREY)
    photons = (1.0 - _READ_SHARE) / _MIDDLE_GREY * np.clip(sites, 0, 1)
    return np.asarray(middle * np.sqrt(_READ_SHARE + photons), dtype=np.float32)


def develop(sites: Array, sigma: Array, sensor: Sensor, rng: np.random.Generator) -> Image:
    """One frame: noise, colours filled in, sharpening, JPEG. BGR, uint8."""
    if sensor.noise > 0.0:
        x, y = rng.integers(0, _NOISE_PLAY, 2)
        noise = _noise(*sites.shape)[y : y + sites.shape[0], x : x + sites.shape[1]]
        sites = sites + sigma * noise * np.float32(rng.choice((-1.0, 1.0)))
    picture = cv2.cvtColor(to_levels(sites), cv2.COLOR_BayerBGGR2BGR_EA)
    if sensor.sharpening > 0.0:
        soft = cv2.GaussianBlur(picture, (0, 0), _HALO_PX)
        amount = sensor.sharpening
        picture = cv2.addWeighted(picture, 1.0 + amount, soft, -amount, 0.0)
    if sensor.jpeg is not None:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return np.asarray(picture, dtype=np.uint8)
