"""What lens and sensor make of the light: first what stays from frame to frame, then the rest."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.arrays import Array, blur
from vision.scene.colour import slope, to_levels
from vision.scene.description import Image, Sensor
from vision.scene.projection import View

Roots = NDArray[np.int16]

# Light that middle grey reflects, and how much of the noise there does not come from photons.
_MIDDLE_GREY = 0.18
_READ_SHARE = 0.15
# Variance of the noise, 1 at middle grey, for each unit of light.
_PHOTONS = (1.0 - _READ_SHARE) / _MIDDLE_GREY
# Roots are whole numbers of so many to 1; light above so much is white in any noise.
_FINE = 8192
_WHITE = 1.5
# Noise in roots stays below this, so that no sum leaves 16 bits.
_LOUDEST = 10_000
# Radius of the halo that a webcam's sharpening draws, in pixels (sigma), and pixels of its kernel:
# weights further out are 0 in 8 bits.
_HALO_PX, _HALO_SIDE = 1.1, 7
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


class Webcam:
    """Lens, sensor and processor of one webcam, for pictures of one size.

    The sensor's signal is kept as roots: the noise of light has a variance of a + b light, so that
    of sqrt(a + b light) is the same everywhere (Anscombe 1948), and a frame's noise is one sum.
    """

    def __init__(self, sensor: Sensor, size: tuple[int, int]) -> None:
        """`size` is (width, height) in pixels."""
        self._sensor = sensor
        columns, rows = size
        middle = sensor.noise / slope(_MIDDLE_GREY)
        self._deviation = middle * _PHOTONS / 2.0
        self._noise = _noise(rows, columns, self._deviation) if sensor.noise > 0.0 else None
        # Working space, the same for each frame.
        self._noisy = np.empty((rows, columns), dtype=np.int16)
        self._levels = np.empty((rows, columns), dtype=np.uint8)
        self._colours = np.empty((rows, columns, 3), dtype=np.uint8)
        self._soft, self._sharp = np.empty_like(self._colours), np.empty_like(self._colours)

    @property
    def reach(self) -> int:
        """By how many pixels the lens spreads a change."""
        return math.ceil(4.0 * self._sensor.blur) + 1

    def expose(self, light: Array, corner: tuple[int, int]) -> Roots:
        """What light (3, rows, columns) leaves at photosites of one colour each: roots.

        `corner` (x, y) is the place in the picture of the first pixel: it fixes the pattern's
        phase (blue at even rows and columns, red at odd ones, green elsewhere).
        """
        if self._sensor.blur > 0.0:
            blue, green, red = (blur(plane, self._sensor.blur) for plane in light)
        else:
            blue, green, red = light[0], light[1].copy(), light[2]
        sites = green
        x, y = corner[0] % 2, corner[1] % 2
        sites[y::2, x::2] = blue[y::2, x::2]
        sites[1 - y :: 2, 1 - x :: 2] = red[1 - y :: 2, 1 - x :: 2]
        # Squaring a root adds its noise's variance to the mean: it is taken off beforehand.
        least = max(_READ_SHARE - self._deviation**2, 0.0)
        np.clip(sites, 0.0, _WHITE, out=sites)
        sites *= _PHOTONS * _FINE**2
        sites += least * _FINE**2
        cv2.sqrt(sites, dst=sites)
        sites += 0.5
        return sites.astype(np.int16)

    def develop(self, roots: Roots, rng: np.random.Generator) -> Image:
        """One frame: noise, colours filled in, sharpening, JPEG. BGR, uint8."""
        noisy = roots
        if self._noise is not None:
            x, y = rng.integers(0, _NOISE_PLAY, 2)
            noise = self._noise[y : y + roots.shape[0], x : x + roots.shape[1]]
            change = np.add if rng.choice((-1.0, 1.0)) > 0.0 else np.subtract
            noisy = change(roots, noise, out=self._noisy)
        cv2.LUT(noisy.view(np.uint16), _levels(), dst=self._levels)
        picture = cv2.cvtColor(self._levels, cv2.COLOR_BayerBGGR2BGR_EA, dst=self._colours)
        if self._sensor.sharpening > 0.0:
            side, amount = (_HALO_SIDE, _HALO_SIDE), self._sensor.sharpening
            soft = cv2.GaussianBlur(picture, side, _HALO_PX, dst=self._soft)
            picture = cv2.addWeighted(picture, 1.0 + amount, soft, -amount, 0.0, dst=self._sharp)
        if self._sensor.jpeg is None:
            return np.array(picture, dtype=np.uint8)
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._sensor.jpeg])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


@lru_cache(maxsize=2)
def _chance(rows: int, columns: int) -> Array:
    """More than a frame of noise of deviation 1, made once: frames take parts of it by chance."""
    shape = (rows + _NOISE_PLAY, columns + _NOISE_PLAY)
    return np.random.default_rng(0).standard_normal(shape, dtype=np.float32)


def _noise(rows: int, columns: int, deviation: float) -> Roots:
    scaled = _chance(rows, columns) * np.float32(deviation * _FINE)
    np.clip(scaled, -_LOUDEST, _LOUDEST, out=scaled)
    return np.asarray(np.rint(scaled), dtype=np.int16)


@lru_cache(maxsize=1)
def _levels() -> Image:
    """The level of each root, by its bits: those of negative roots stand after the others."""
    root = np.arange(2**16).astype(np.uint16).view(np.int16) / _FINE
    return to_levels((np.maximum(root, 0.0) ** 2 - _READ_SHARE) / _PHOTONS)
