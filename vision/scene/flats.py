"""Draws flat printed things: the face where it really is, the cut edge, the shadows."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.arrays import Array, affine, blur, planes, sample, shrink, single
from vision.scene.colour import to_linear
from vision.scene.description import Flat
from vision.scene.light import Light
from vision.scene.projection import Box, View
from vision.scene.sprites import Shade, Sprite
from vision.scene.textures import TextureCache

# Each pixel is the mean of this many samples across and down.
_SAMPLES = 2
# Anything that lies higher than this is carried: its shadow falls on the table itself.
_CARRIED_MM = 10.0
# Printed card mirrors the lamp fully, its cut edge not at all.
_PRINT_GLOSS = 1.0


def corners_mm(flat: Flat) -> NDArray[np.float64]:
    """Corners on the plane, (4, 2), clockwise from the top left of the print."""
    w, h = flat.size
    local = np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) / 2.0
    return np.asarray(np.asarray(flat.centre) + local @ _turn(flat.angle).T)


def flat_sprite(flat: Flat, view: View, light: Light, textures: TextureCache) -> Sprite | None:
    """The flat as the camera sees it, or None if it lies outside the picture."""
    top = flat.base + flat.thickness
    corners = corners_mm(flat)
    top_px, base_px = view.project(corners, top), view.project(corners, flat.base)
    shade = _shade(flat, view, light, textures)
    box = Box.around(np.concatenate([top_px, base_px]), 2) & view.picture
    if box.empty:
        return None
    face = _sample(flat, view.ground(box, top, _SAMPLES), view, textures)
    face_cover = _pixels(np.ascontiguousarray(face[..., 3]))
    edge = _edge(flat, box, view, light, textures, float(np.abs(top_px - base_px).max()))
    if edge is not None:
        face += edge * (1.0 - face[..., 3:])
    colour = planes(_pixels(face))
    cover = colour[3].copy()
    colour[3] = face_cover * _PRINT_GLOSS
    return Sprite(
        box,
        colour,
        cover,
        face_cover > 0.5,
        _area(top_px) * float((flat.texture[..., 3] > 127).mean()),
        shade,
    )


def _edge(
    flat: Flat, box: Box, view: View, light: Light, textures: TextureCache, lean_px: float
) -> Array | None:
    """The cut edge, as slices of the outline from the under side up to the face."""
    slices = math.ceil(lean_px / 0.7)
    if slices == 0 or flat.thickness == 0.0:
        return None
    cover = np.zeros((box.height * _SAMPLES, box.width * _SAMPLES), dtype=np.float32)
    for step in range(slices):
        ground = view.ground(box, flat.base + flat.thickness * step / slices, _SAMPLES)
        np.maximum(cover, _sample_cover(flat, ground, view, textures), out=cover)
    ground = view.ground(box, flat.base + flat.thickness / 2, _SAMPLES)
    local = (ground - single(flat.centre)) @ single(_turn(flat.angle)) / single(flat.size)
    # The nearer side of the rectangle is the one whose edge is seen; it faces straight outward.
    sideways = np.abs(local[..., 0]) > np.abs(local[..., 1])
    to_lamp = light.direction(flat.centre)
    across, down = to_lamp[:2] @ _turn(flat.angle)
    facing = np.where(sideways, np.sign(local[..., 0]) * across, np.sign(local[..., 1]) * down)
    ambient = light.lamp.ambient
    level = 0.6 * ambient + (1.0 - ambient) * np.clip(facing / to_lamp[2], 0, 1)
    paint = np.append(to_linear(flat.edge), np.float32(1.0))
    edge = cover[..., None] * paint
    edge[..., :3] *= level[..., None].astype(np.float32)
    return np.asarray(edge, dtype=np.float32)


def _shade(flat: Flat, view: View, light: Light, textures: TextureCache) -> tuple[Shade, ...]:
    """The shadow that the lamp casts, and the darkness close around where it touches."""
    floor = flat.base if flat.base <= _CARRIED_MM else 0.0
    rise = flat.base + flat.thickness - floor
    if rise <= 0.0:
        return ()
    scale = view.scale_at(flat.centre, floor)
    close_mm = 0.5 * rise + 0.6
    soft_px = max(0.5, light.penumbra(rise) * scale)
    close_px = close_mm * scale
    reach = 3.0 * max(soft_px, close_px)
    corners = corners_mm(flat)
    shifts = [light.shift(flat.centre, height) for height in (flat.base - floor, rise)]
    footprints = [view.project(corners + shift, floor) for shift in (np.zeros(2), *shifts)]
    box = Box.around(np.concatenate(footprints), reach) & view.picture.grown(int(reach) + 1)
    if box.empty:
        return ()
    ground = view.ground(box, floor)
    enclosed = _sample_cover(flat, ground, view, textures)
    first, last = shifts
    steps = max(1, math.ceil(float(np.hypot(*(last - first))) * scale / 0.7))
    hidden = np.zeros_like(enclosed)
    for step in range(steps + 1):
        shift = single(first + (last - first) * step / steps)
        np.maximum(hidden, _sample_cover(flat, ground - shift, view, textures), out=hidden)
    hidden = blur(hidden, soft_px)
    enclosed = blur(enclosed, close_px)
    # The room's light is closed off less, the higher a thing hovers.
    strength = 0.75 / (1.0 + (flat.base - floor) / 10.0)
    return (Shade(box, light.shaded(hidden, strength * enclosed)),)


def _sample(flat: Flat, ground: Array, view: View, textures: TextureCache) -> Array:
    return _lookup(flat, ground, textures.reduced(flat.texture, _factor(flat, view)))


def _sample_cover(flat: Flat, ground: Array, view: View, textures: TextureCache) -> Array:
    texture = textures.reduced(flat.texture, _factor(flat, view))
    return _lookup(flat, ground, np.ascontiguousarray(texture[..., 3]))


def _factor(flat: Flat, view: View) -> int:
    """By how much the print is shrunk so that one texel is about one sample."""
    scale = view.scale_at(flat.centre, flat.base + flat.thickness) * _SAMPLES
    return max(1, round(float(flat.texture.shape[1]) / (flat.size[0] * scale)))


def _lookup(flat: Flat, ground: Array, texture: Array) -> Array:
    height, width = texture.shape[:2]
    per_mm = np.array([width / flat.size[0], height / flat.size[1]])
    # Middle of texel i is at i + 1/2; outside of the print is clear, so its rim is half covered.
    matrix = _turn(flat.angle).T * per_mm[:, None]
    middle = np.array([width, height]) / 2.0 - 0.5
    offset = middle - matrix @ np.asarray(flat.centre)
    return sample(texture, affine(ground, matrix, offset))


def _pixels(samples: Array) -> Array:
    size = (samples.shape[1] // _SAMPLES, samples.shape[0] // _SAMPLES)
    return shrink(samples, size)


def _turn(degrees: float) -> NDArray[np.float64]:
    """Turns clockwise as seen, y pointing down."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s], [s, c]])


def _area(quad: NDArray[np.float64]) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))
