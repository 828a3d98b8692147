"""Table tops, made by rule and chance from a seed: wood, felt, linen, laminate.

Every table top has its own generator, so a kept one takes nothing from a scene's chances.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np

from vision.scene.arrays import Array, enlarge, single
from vision.scene.colour import to_linear
from vision.scene.projection import View

Random = np.random.Generator

# Texels per millimetre, and the part of the table that is made; beyond it the table is mirrored.
_PER_MM = 1.6
_SIZE = (2048, 1536)
_MIDDLE_MM = (480.0, 310.0)
#: How much of the lamp each table top mirrors, beside glossy print.
_GLOSS = {"wood": 0.25, "felt": 0.0, "linen": 0.0, "laminate": 0.6}

# BGR; from pale to dark.
_WOODS = (
    (150, 190, 215),
    (105, 160, 200),
    (80, 130, 178),
    (60, 95, 145),
    (42, 66, 105),
    (34, 44, 62),
)
_FELTS = (
    (60, 95, 35),
    (105, 60, 30),
    (45, 35, 120),
    (70, 70, 72),
    (38, 36, 34),
    (120, 150, 165),
)
_LINENS = ((205, 215, 222), (170, 190, 202), (120, 130, 138), (110, 85, 60), (55, 50, 48))
_LAMINATES = ((225, 228, 230), (190, 200, 208), (140, 142, 145), (95, 120, 140), (52, 50, 50))


def surface(name: str, seed: int, view: View) -> Array:
    """The bare table as `view` sees it: (rows, columns, 4), linear BGR and gloss.

    Raises ValueError for a name that is not "wood", "felt", "linen" or "laminate".
    """
    texture = _table_top(name, seed)
    ground = view.ground(view.picture)
    where = (ground - single(_MIDDLE_MM)) * _PER_MM + single(_SIZE) / 2 - 0.5
    across, down = cv2.split(single(where))
    seen = cv2.remap(texture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    canvas = np.empty((*seen.shape[:2], 4), dtype=np.float32)
    canvas[..., :3] = to_linear(seen)
    canvas[..., 3] = _GLOSS[name]
    return canvas


@lru_cache(maxsize=3)
def _table_top(name: str, seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    makers: dict[str, Callable[[Random], Array]] = {
        "wood": _wood,
        "felt": _felt,
        "linen": _linen,
        "laminate": _laminate,
    }
    if name not in makers:
        raise ValueError(f"surface: expected one of {', '.join(makers)}, got {name!r}")
    rng = np.random.default_rng([seed, *name.encode()])
    levels = makers[name](rng)
    # Nobody lays a camera square to the grain.
    angle = float(rng.normal(0.0, 4.0)) + 90.0 * float(rng.integers(0, 2))
    middle = (_SIZE[0] / 2, _SIZE[1] / 2)
    turned = cv2.warpAffine(
        np.clip(levels, 0, 255).astype(np.uint8),
        cv2.getRotationMatrix2D(middle, angle, 1.0),
        _SIZE,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    return np.asarray(turned, dtype=np.uint8)


def _wood(rng: Random) -> Array:
    """Planks along x: growth rings cut lengthwise, pores, and a seam between planks."""
    base = single(_WOODS[rng.integers(len(_WOODS))]) * float(rng.uniform(0.85, 1.15))
    width, height = _SIZE
    board = int(rng.uniform(70, 170) * _PER_MM)
    seam_depth = float(rng.uniform(0.0, 0.5))
    contrast = float(rng.uniform(0.08, 0.22))
    wobble = _clouds(rng, width / 2.2, height / 10)
    fine = _clouds(rng, 60, 2.2) * 0.6 + _clouds(rng, 25, 1.2) * 0.4
    pores = np.minimum(np.maximum(-_clouds(rng, 22, 1.0) - 0.6, 0.0), 1.2)
    y = np.arange(height, dtype=np.float32)[:, None] + np.zeros((1, width), dtype=np.float32)
    plank = (y // board).astype(np.int32)
    count = int(plank.max()) + 1
    tone = rng.normal(1.0, 0.06, count).astype(np.float32)[plank]
    ring = rng.uniform(10, 26, count).astype(np.float32)[plank]
    phase = rng.uniform(0, 100, count).astype(np.float32)[plank]
    rings = (y % board + phase + wobble * 34.0) / ring
    late = (rings % 1.0) ** 2.5
    shade = tone * (1.0 - contrast * late + 0.05 * fine - 0.10 * pores)
    edge = np.minimum(y % board, board - 1 - y % board)
    shade *= 1.0 - seam_depth * np.exp(-((edge / 1.1) ** 2))
    levels = shade[..., None] * base
    levels[..., 2] *= 1.0 + 0.03 * wobble
    return np.asarray(levels, dtype=np.float32)


def _felt(rng: Random) -> Array:
    """Pressed fibres: fine speckle and faint clouds on one colour."""
    base = single(_FELTS[rng.integers(len(_FELTS))]) * float(rng.uniform(0.85, 1.2))
    fibres = _clouds(rng, 3.0, 1.3) + _clouds(rng, 1.3, 3.0) + 0.8 * _clouds(rng, 1.0, 1.0)
    shade = 1.0 + 0.05 * fibres + 0.03 * _clouds(rng, 160, 160)
    return np.asarray(shade[..., None] * base, dtype=np.float32)


def _linen(rng: Random) -> Array:
    """A plain weave of threads of uneven thickness."""
    base = single(_LINENS[rng.integers(len(_LINENS))]) * float(rng.uniform(0.9, 1.1))
    width, height = _SIZE
    period = float(rng.uniform(2.2, 4.0))
    x = np.arange(width, dtype=np.float32)[None, :] + _clouds(rng, 40, 200) * 1.5
    y = np.arange(height, dtype=np.float32)[:, None] + _clouds(rng, 200, 40) * 1.5
    warp, weft = np.sin(2 * np.pi * x / period), np.sin(2 * np.pi * y / period)
    slub = 0.05 * _clouds(rng, 1.6, 90) + 0.05 * _clouds(rng, 90, 1.6)
    folds = 0.03 * _clouds(rng, 420, 260)
    shade = 1.0 + 0.07 * warp * weft + slub + folds
    return np.asarray(shade[..., None] * base, dtype=np.float32)


def _laminate(rng: Random) -> Array:
    """A smooth board, plain or with flecks."""
    base = single(_LAMINATES[rng.integers(len(_LAMINATES))])
    flecks = float(rng.choice([0.0, 0.05, 0.14]))
    spots = np.tanh(3.0 * _clouds(rng, 3.0, 3.0)) * 0.6 + np.tanh(3.0 * _clouds(rng, 8, 8)) * 0.4
    tint = 1.0 + 0.004 * _clouds(rng, 300, 300)[..., None] * rng.normal(0, 1, 3).astype(np.float32)
    shade = (1.0 - flecks * np.maximum(spots, 0.0)) * (1.0 + 0.008 * _clouds(rng, 1.0, 1.0))
    return np.asarray(shade[..., None] * tint * base, dtype=np.float32)


def _clouds(rng: Random, across: float, down: float) -> Array:
    """Smooth chance of mean 0 and deviation about 1, with lumps of so many texels."""
    width, height = _SIZE
    cells = (int(np.ceil(width / across)) + 3, int(np.ceil(height / down)) + 3)
    grid = rng.standard_normal((cells[1], cells[0]), dtype=np.float32)
    size = (int(cells[0] * across) + 1, int(cells[1] * down) + 1)
    smooth = enlarge(grid, size, smooth=True)
    top, left = int(1.5 * down), int(1.5 * across)
    return np.asarray(smooth[top : top + height, left : left + width], dtype=np.float32)
