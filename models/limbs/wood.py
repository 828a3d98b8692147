"""Tables of figured wood: swirling grain, knots, planks and pools of light look most like limbs."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.limbs.tables import SIZE, paste

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]


def wooden_tables(rng: np.random.Generator, count: int) -> list[Image]:
    """`count` tables without any limb, BGR of shape (216, 384, 3), with prints lying on them."""
    return [_wooden(rng) for _ in range(count)]


def _wooden(rng: np.random.Generator) -> Image:
    picture = np.asarray(np.clip(_plank(rng) * _light(rng)[..., None], 0, 255), np.uint8)
    for _ in range(int(rng.integers(0, 5))):
        paste(picture, rng, rng.uniform(40, 160), rng.uniform(0.5, 1.5))
    for _ in range(int(rng.integers(0, 30))):
        paste(picture, rng, rng.uniform(7, 26), float(rng.choice([1.0, rng.uniform(0.6, 1.6)])))
    return picture


def _plank(rng: np.random.Generator) -> Floats:
    """Rings of growth, bent by noise that is long along the grain, between two tones of wood."""
    columns, rows = SIZE
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    angle = rng.choice([0.0, np.pi / 2]) + rng.normal(0, 0.25)
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    along, across = x * c + y * s, y * c - x * s
    if rng.random() < 0.6:
        width = rng.uniform(30, 140)
        board = np.floor(across / width)
        # Each board was cut from another part of the tree.
        along = along + 517.0 * board
        across = across + 133.0 * board
    bend = np.zeros_like(x)
    for long, wide, strength in ((260, 70, 1.0), (110, 30, 0.35), (50, 14, 0.12)):
        bend += strength * _noise(rng, along / (long * rng.uniform(0.6, 1.5)), across / wide)
    step = rng.uniform(4.0, 26.0)
    ring = across / step + rng.uniform(0.2, 3.5) * bend
    wave = 0.5 + 0.5 * np.sin(2 * np.pi * ring)
    wave = wave ** np.float32(rng.uniform(0.5, 3.0))
    fine = _noise(rng, along / 40.0, across / 1.6)
    blotch = _noise(rng, along / 160.0, across / 60.0)
    share = rng.uniform(0.1, 1.0) * wave + rng.uniform(0.0, 0.25) * fine
    share = share + rng.uniform(0.0, 0.3) * blotch
    hsv = np.array([[[rng.uniform(6, 22), rng.uniform(30, 180), rng.uniform(90, 245)]]], np.float32)
    pale = cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    dark = pale * (1 - rng.uniform(0.1, 0.65) * np.array([1.1, 1.0, 0.85], np.float32))
    return np.asarray(pale + np.clip(share, 0, 1.2)[..., None] * (dark - pale), np.float32)


def _noise(rng: np.random.Generator, u: Floats, v: Floats) -> Floats:
    """Smooth noise of deviation about 0.5, a cell of it one unit of `u` and `v`."""
    grid = rng.normal(0, 0.7, (64, 64)).astype(np.float32)
    wide = np.asarray(u % 61.0, np.float32), np.asarray(v % 61.0, np.float32)
    return np.asarray(cv2.remap(grid, *wide, cv2.INTER_CUBIC, borderMode=cv2.BORDER_WRAP))


def _light(rng: np.random.Generator) -> Floats:
    """A pool of lamplight, and the dark around it."""
    columns, rows = SIZE
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    at = rng.uniform((-0.2 * columns, -0.2 * rows), (1.2 * columns, 1.2 * rows))
    far = np.hypot(x - at[0], y - at[1]) / rng.uniform(80, 400)
    pool = np.exp(-0.5 * far**2)
    return np.asarray(rng.uniform(0.35, 1.0) + rng.uniform(0.0, 0.8) * pool, np.float32)
