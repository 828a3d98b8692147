"""Draws standing pieces turned on a lathe, or squeezed flat."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.arrays import Array, blur, planes, shrink, single
from vision.scene.colour import to_linear
from vision.scene.description import Piece
from vision.scene.light import Light
from vision.scene.projection import Box, View
from vision.scene.sprites import Shade, Sprite

_SAMPLES = 2
# Painted wood mirrors little of the lamp.
_PAINT_GLOSS = 0.15
# Heights as shares of the piece's height, radii as shares of its foot's radius.
_FOOT_TOP = 0.12
_BODY_FOOT, _BODY_NECK = 0.78, 0.36
_HEAD = 0.56


def profile(piece: Piece, height: float) -> tuple[float, float]:
    """Radius in mm at `height` mm above the foot, and the slope of the side (up per outward)."""
    radius = piece.diameter / 2.0
    if piece.profile:
        return _along(piece, height / piece.height, radius)
    head = _HEAD * radius
    head_middle = piece.height - head
    body_from = _FOOT_TOP * piece.height
    if height < body_from:
        return radius, 0.15
    neck_at = head_middle - 0.75 * head
    if height < neck_at:
        share = (height - body_from) / (neck_at - body_from)
        # The body sweeps in quickly above the foot, then runs up almost straight.
        sweep = (1.0 - share) ** 2
        wide = _BODY_NECK + (_BODY_FOOT - _BODY_NECK) * sweep
        slope = 2.0 * (_BODY_FOOT - _BODY_NECK) * (1.0 - share) * radius / (neck_at - body_from)
        return wide * radius, slope
    off = height - head_middle
    ball = math.sqrt(max(head**2 - off**2, 0.0))
    return ball, off / max(ball, 1e-3)


def _along(piece: Piece, share: float, radius: float) -> tuple[float, float]:
    """Radius and slope on a given outline."""
    at = 0
    while at + 2 < len(piece.profile) and share > piece.profile[at + 1][0]:
        at += 1
    (low, wide), (high, narrow) = piece.profile[at : at + 2]
    rise = max(high - low, 1e-6)
    inward = (wide - narrow) * radius / (rise * piece.height)
    return (wide + (narrow - wide) * min(max((share - low) / rise, 0.0), 1.0)) * radius, inward


def _rounded(piece: Piece) -> NDArray[np.float64]:
    """The matrix (2, 2) that makes the piece's cross-section a circle."""
    c, s = math.cos(math.radians(piece.turn)), math.sin(math.radians(piece.turn))
    return np.array([[c, s], [-s / piece.flatness, c / piece.flatness]])


def piece_sprite(piece: Piece, view: View, light: Light) -> Sprite:
    """The piece as the camera sees it, its box not clipped to the picture."""
    rim = _ring(piece, piece.diameter / 2.0)
    lean = view.project(rim, piece.base + piece.height)
    box = Box.around(np.concatenate([view.project(rim, piece.base), lean]), 2)
    # A ray is straight: what it sees at any height lies between what it sees at foot and head.
    foot = view.ground(box, piece.base, _SAMPLES) - single(piece.centre)
    head = view.ground(box, piece.base + piece.height, _SAMPLES) - single(piece.centre)
    rounded = single(_rounded(piece))
    foot, head = foot @ rounded.T, head @ rounded.T
    scale = view.scale_at(piece.centre, piece.base)
    steps = max(12, math.ceil(piece.height * scale))
    cover = np.zeros(foot.shape[:2], dtype=np.float32)
    outward = np.zeros((*foot.shape[:2], 2), dtype=np.float32)
    up = np.ones(foot.shape[:2], dtype=np.float32)
    rim_mm = 0.7 / scale
    for step in range(steps + 1):
        share = step / steps
        radius, slope = profile(piece, share * piece.height)
        offset = foot + (head - foot) * np.float32(share)
        distance = np.hypot(offset[..., 0], offset[..., 1])
        inside = distance <= radius
        if not inside.any():
            continue
        # The rim shows the side; further in one looks onto a level top.
        side = np.clip((distance[inside] - radius + rim_mm) / rim_mm, 0, 1)
        length = math.hypot(1.0, slope)
        direction = offset[inside] / np.maximum(distance[inside], 1e-3)[..., None]
        if piece.flatness != 1.0:
            direction = direction @ rounded
            direction /= np.maximum(np.linalg.norm(direction, axis=-1), 1e-3)[..., None]
        is_ball = not piece.profile and (
            share * piece.height > piece.height - 2 * _HEAD * piece.diameter / 2
        )
        side = np.ones_like(side) if is_ball else side
        outward[inside] = direction * (side / length)[..., None]
        up[inside] = 1.0 - side + side * slope / length
        cover[inside] = 1.0
    light_from = light.direction(piece.centre)
    ambient = light.lamp.ambient
    faces = (outward @ light_from[:2].astype(np.float32) + up * light_from[2]) / light_from[2]
    level = ambient * (0.6 + 0.4 * up) + (1.0 - ambient) * np.clip(faces, 0, 1.5)
    shine = piece.gloss * (1.0 - ambient) * np.clip(faces * light_from[2], 0, 1) ** 24
    colour = np.empty((*cover.shape, 4), dtype=np.float32)
    colour[..., :3] = (level[..., None] * to_linear(piece.bgr) + shine[..., None]) * cover[
        ..., None
    ]
    colour[..., 3] = _PAINT_GLOSS * cover
    size = (box.width, box.height)
    small = shrink(cover, size)
    shown = small > 0.5
    return Sprite(
        box,
        planes(shrink(colour, size)),
        small,
        shown,
        float(shown.sum()),
        (_shade(piece, view, light, scale),),
    ).clipped(view.picture)


def _shade(piece: Piece, view: View, light: Light, scale: float) -> Shade:
    """The lamp's shadow, sharp at the foot and softer up to the head; darkness around the foot."""
    slices = []
    steps = max(8, math.ceil(float(np.hypot(*light.shift(piece.centre, piece.height))) * scale / 2))
    for step in range(steps + 1):
        height = piece.height * step / steps
        radius, _ = profile(piece, height)
        shadow = _ring(piece, radius) + light.shift(piece.centre, height)
        slices.append((view.project(shadow, piece.base), step / steps))
    close_px = 0.14 * piece.height * scale
    soft_px = max(0.6, light.penumbra(piece.height) * scale)
    box = Box.around(np.concatenate([ring for ring, _ in slices]), 3 * max(close_px, soft_px))
    low, high, foot = (np.zeros((box.height, box.width), dtype=np.float32) for _ in range(3))
    for ring, share in slices:
        _fill(low if share < 0.5 else high, ring, box)
    _fill(foot, slices[0][0], box)
    hidden = np.maximum(
        blur(low, max(0.5, 0.3 * soft_px)),
        blur(high, max(0.5, 0.75 * soft_px)),
    )
    enclosed = 0.8 * blur(foot, close_px)
    return Shade(box, light.shaded(hidden, enclosed))


def _fill(mask: Array, ring: NDArray[np.float64], box: Box) -> None:
    """Fills a ring of pixels at a sixteenth of a pixel, its rim smooth."""
    fixed = np.rint((ring - (box.x0, box.y0)) * 16).astype(np.int32)
    canvas = np.zeros(mask.shape, dtype=np.uint8)
    cv2.fillPoly(canvas, [fixed], 255, lineType=cv2.LINE_AA, shift=4)
    np.maximum(mask, canvas.astype(np.float32) / 255.0, out=mask)


def _ring(piece: Piece, radius: float) -> NDArray[np.float64]:
    angles = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.asarray(piece.centre) + radius * circle @ np.linalg.inv(_rounded(piece)).T
