"""Draws a hand and forearm that reach over the table, as an occluder with a soft shadow."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.arrays import Array, affine, blur, enlarge, planes, sample, single
from vision.scene.colour import to_linear
from vision.scene.description import Hand
from vision.scene.light import Light
from vision.scene.projection import Box, View
from vision.scene.sprites import Shade, Sprite

# Texels per millimetre of the drawn arm, and the margin around it in mm.
_PER_MM = 1.25
_MARGIN_MM = 12.0
# Shadows of hands are so soft that they are worked out on every n-th pixel.
_COARSE = 4

# Round cones (from, radius there, to, radius there): along the arm from the longest finger's tip
# and across it (the thumb's side is positive), in palm widths.
_Cone = tuple[tuple[float, float], float, tuple[float, float], float]
_FINGERS: tuple[_Cone, ...] = (
    ((0.22, 0.30), 0.095, (1.08, 0.33), 0.125),
    ((0.09, 0.10), 0.098, (1.02, 0.11), 0.125),
    ((0.20, -0.10), 0.094, (1.05, -0.11), 0.120),
    ((0.50, -0.31), 0.080, (1.15, -0.32), 0.110),
)
_THUMB: tuple[_Cone, ...] = (
    ((0.88, 0.62), 0.100, (1.20, 0.57), 0.120),
    ((1.20, 0.57), 0.120, (1.70, 0.26), 0.190),
)
_PALM: tuple[_Cone, ...] = (
    ((1.08, 0.31), 0.140, (2.00, 0.13), 0.240),
    ((1.02, 0.10), 0.140, (2.00, 0.03), 0.270),
    ((1.05, -0.11), 0.140, (2.00, -0.05), 0.270),
    ((1.15, -0.30), 0.130, (2.00, -0.12), 0.240),
)
_WRIST_AT, _WRIST = 2.05, 0.34
_ELBOW = 0.52
_SLEEVE_AT = 3.3


def hand_sprite(hand: Hand, view: View, light: Light) -> Sprite | None:
    """The hand as the camera sees it, or None if neither it nor its shadow is in the picture."""
    tip, elbow = np.asarray(hand.tip), np.asarray(hand.elbow)
    length = float(np.linalg.norm(elbow - tip))
    along = (elbow - tip) / max(length, 1e-6)
    arm = _arm(round(length), round(hand.width), hand.bgr)
    across = np.array([-along[1], along[0]])
    axes = np.stack([along, across])
    half = (arm.shape[0] / 2.0) / _PER_MM
    ends = np.array([(-_MARGIN_MM, -half), (length, -half), (length, half), (-_MARGIN_MM, half)])
    outline = tip + ends @ axes
    hidden_by = _shade(hand, arm, axes, outline, view, light)
    box = Box.around(view.project(outline, hand.height), 1) & view.picture
    if box.empty:
        return None
    seen = planes(_lookup(arm, view.ground(box, hand.height), tip, axes))
    cover = seen[3].copy()
    seen[3] = 0.0
    shown = cover > 0.5
    return Sprite(box, seen, cover, shown, float(shown.sum()), hidden_by)


def _lookup(
    arm: Array, ground: Array, tip: NDArray[np.float64], axes: NDArray[np.float64]
) -> Array:
    matrix = axes * _PER_MM
    origin = np.array([_MARGIN_MM * _PER_MM, arm.shape[0] / 2.0]) - 0.5
    return sample(arm, affine(ground, matrix, origin - matrix @ tip))


def _shade(
    hand: Hand,
    arm: Array,
    axes: NDArray[np.float64],
    outline: NDArray[np.float64],
    view: View,
    light: Light,
) -> tuple[Shade, ...]:
    shift = light.shift(hand.tip, hand.height)
    scale = view.scale_at(hand.tip)
    soft_px = max(1.0, light.penumbra(hand.height) * scale)
    close_px = max(1.0, 0.35 * hand.height * scale)
    both = np.concatenate([view.project(outline), view.project(outline + shift)])
    margin = 2.5 * max(soft_px, close_px)
    box = Box.around(both, margin) & view.picture.grown(round(margin))
    if box.empty:
        return ()
    # Whole coarse cells, so that the full size is an exact multiple.
    columns, rows = -(-box.width // _COARSE), -(-box.height // _COARSE)
    box = Box(box.x0, box.y0, box.x0 + columns * _COARSE, box.y0 + rows * _COARSE)
    ground = view.ground(box, scale=1 / _COARSE)
    tip = np.asarray(hand.tip)
    cover = np.ascontiguousarray(arm[..., 3])
    hidden = blur(_lookup(cover, ground, tip + shift, axes), max(0.5, soft_px / _COARSE))
    enclosed = blur(_lookup(cover, ground, tip, axes), close_px / _COARSE)
    factor = light.shaded(hidden, 0.55 * enclosed)
    return (Shade(box, enlarge(factor, (box.width, box.height))),)


@lru_cache(maxsize=8)
def _arm(length: int, width: int, bgr: tuple[int, int, int]) -> Array:
    """The arm from above, tip at the left: (h, w, 4), linear BGR times cover, and cover."""
    columns = round((length + _MARGIN_MM) * _PER_MM)
    rows = round((1.5 * width + 2 * _MARGIN_MM) * _PER_MM)
    u = ((np.arange(columns, dtype=np.float32) + 0.5) / _PER_MM - _MARGIN_MM) / width
    v = ((np.arange(rows, dtype=np.float32) + 0.5) - rows / 2) / _PER_MM / width
    grid = single(np.stack(np.meshgrid(u, v), axis=-1))
    reach = length / width
    forearm: tuple[_Cone, ...] = (
        ((_WRIST_AT, 0.0), _WRIST, (max(reach, _WRIST_AT + 0.1), 0.0), _ELBOW),
    )
    relief = np.zeros(grid.shape[:2], dtype=np.float32)
    for cones, flat in ((forearm, 0.75), (_PALM, 1.1), (_THUMB, 1.0), (_FINGERS, 1.0)):
        for cone in cones:
            relief = np.maximum(relief, flat * _bulge(grid, cone))
    sleeve = _sleeve(grid, reach)
    relief = np.where(sleeve, np.maximum(relief, _bulge(grid, _cuff(reach))), relief)
    cover = blur(single(relief > 0.012), 0.7)
    height = blur(single(relief), 0.022 * width * _PER_MM)
    to_texels = width * _PER_MM
    slope_u = cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=to_texels / 8)
    slope_v = cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=to_texels / 8)
    up = 1.0 / np.sqrt(1.0 + slope_u**2 + slope_v**2)
    rng = np.random.default_rng([*bgr, 7])
    mottle = _mottle(rng, grid.shape[:2])
    # Blood shows at the finger tips and knuckles.
    red = np.exp(-(((grid[..., 0] - 0.15) / 0.2) ** 2)) + 0.6 * np.exp(
        -(((grid[..., 0] - 1.05) / 0.12) ** 2)
    )
    skin = to_linear(bgr) * (1.0 + 0.06 * mottle[..., None])
    skin = skin * (1.0 - red[..., None] * single([0.14, 0.12, 0.0]))
    skin = _nails(single(skin), grid)
    cloth = to_linear(rng.integers(25, 150, 3)) * (1.0 + 0.08 * mottle[..., None])
    paint = np.where(sleeve[..., None], cloth, skin)
    level = 0.30 + 0.70 * up**1.3
    arm = np.empty((*cover.shape, 4), dtype=np.float32)
    arm[..., :3] = paint * (level * cover)[..., None]
    arm[..., 3] = cover
    return arm


def _bulge(grid: Array, cone: _Cone) -> Array:
    """Height of a round cone above its axis, 0 beside it."""
    (x0, y0), r0, (x1, y1), r1 = cone
    start, axis = single((x0, y0)), single((x1 - x0, y1 - y0))
    share = np.clip(((grid - start) @ axis) / float(axis @ axis), 0, 1)
    radius = r0 + (r1 - r0) * share
    nearest = start + share[..., None] * axis
    square = ((grid - nearest) ** 2).sum(axis=-1)
    return np.asarray(np.sqrt(np.maximum(radius**2 - square, 0.0)), dtype=np.float32)


def _cuff(reach: float) -> _Cone:
    widest = _ELBOW + 0.08
    return ((_SLEEVE_AT, 0.0), 0.46, (max(reach, _SLEEVE_AT + 0.1), 0.0), widest)


def _sleeve(grid: Array, reach: float) -> NDArray[np.bool_]:
    edge = _SLEEVE_AT + 0.03 * np.sin(9.0 * grid[..., 1])
    return np.asarray((grid[..., 0] > edge) & (reach > _SLEEVE_AT + 0.1))


def _nails(skin: Array, grid: Array) -> Array:
    for (x, y), radius, *_ in _FINGERS:
        u = (grid[..., 0] - x - 0.02) / (0.85 * radius)
        v = (grid[..., 1] - y) / (0.62 * radius)
        nail = np.clip(4.0 * (1.0 - u**2 - v**2), 0, 1)[..., None]
        skin = skin * (1.0 - nail) + np.minimum(skin * single([1.35, 1.2, 1.1]), 1.0) * nail
    return np.asarray(skin, dtype=np.float32)


def _mottle(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    rows, columns = (math.ceil(n / 14) + 2 for n in shape)
    grid = rng.standard_normal((rows, columns), dtype=np.float32)
    full = enlarge(grid, (columns * 14, rows * 14), smooth=True)
    return np.asarray(full[: shape[0], : shape[1]], dtype=np.float32)
