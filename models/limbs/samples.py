"""Labelled pictures for the network: tables with and without arms over them, as a webcam shows."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from models.limbs.arms import Sprite
from models.limbs.tables import SIZE, colour, table

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

#: Columns and rows of what the network sees, and its step between two answers.
SEEN, STEP = (256, 144), 4
#: Share of pictures without a limb; half of those still show an arm's shadow now and then.
_EMPTY, _SHADOW_ONLY = 0.45, 0.3
#: Length of a hand in composed pixels, from far to held right under the camera.
_HAND_PX = (22.0, 62.0, 230.0)
_SPRITE_HAND_PX = 110.0


def sample(
    sprites: Sequence[Sprite], tables: Sequence[Image], rng: np.random.Generator
) -> tuple[Image, Image]:
    """A picture (144, 256, 3), BGR, and the share of limb in each 4x4 cell (36, 64), 0 to 255."""
    picture = table(tables, rng)
    limb = np.zeros((SIZE[1], SIZE[0]), np.float32)
    lamp = rng.normal(0, 1, 2)
    if rng.random() < _EMPTY:
        if rng.random() < _SHADOW_ONLY:
            cover = _placed(sprites, rng, reach=0.0)[0]
            picture = _shaded(picture, cover, lamp * rng.uniform(10, 40), rng)
    else:
        size = _hand_size(rng)
        for _ in range(int(rng.choice([1, 2, 3], p=[0.68, 0.26, 0.06]))):
            picture, cover = _with_arm(picture, sprites, rng, lamp, size * rng.uniform(0.85, 1.2))
            limb = np.maximum(limb, cover)
    picture = _webcam(picture, rng)
    seen = cv2.resize(picture, SEEN, interpolation=cv2.INTER_AREA)
    cells = cv2.resize(limb, (SEEN[0] // STEP, SEEN[1] // STEP), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        seen, cells = seen[:, ::-1], cells[:, ::-1]
    if rng.random() < 0.5:
        seen, cells = seen[::-1], cells[::-1]
    return np.ascontiguousarray(seen), np.rint(255 * np.ascontiguousarray(cells)).astype(np.uint8)


def _hand_size(rng: np.random.Generator) -> float:
    low, middle, high = _HAND_PX
    if rng.random() < 0.85:
        return float(np.exp(rng.uniform(np.log(low), np.log(middle * 1.25))))
    return float(np.exp(rng.uniform(np.log(middle), np.log(high))))


def _placed(
    sprites: Sequence[Sprite],
    rng: np.random.Generator,
    reach: float | None = None,
    size: float | None = None,
) -> tuple[Floats, Floats, Floats, tuple[float, float]]:
    """An arm that comes from outside: cover, normals, place along it (h, w), and its palm (px)."""
    columns, rows = SIZE
    sprite = sprites[int(rng.integers(len(sprites)))]
    scale = (size or _hand_size(rng)) / _SPRITE_HAND_PX
    flip = bool(rng.random() < 0.5)
    for _ in range(30):
        side = int(rng.integers(0, 4))
        outward = [90.0, -90.0, 180.0, 0.0][side] + float(rng.normal(0, 24))
        palm = rng.uniform((0, 0), (columns, rows))
        inside = float(rng.uniform(1.1, 2.2) if rng.random() < 0.1 else rng.uniform(-0.3, 1.0))
        inside = inside if reach is None else reach
        border = [
            np.array([palm[0], rows]),
            np.array([palm[0], 0]),
            np.array([0, palm[1]]),
            np.array([columns, palm[1]]),
        ][side]
        palm = border + max(inside, -0.3) * (palm - border)
        if inside < 0:
            away = np.array([[0, 1], [0, -1], [-1, 0], [1, 0]][side], float)
            palm = border - inside * 110 * scale * away
        angle = np.radians(outward)
        c, s = scale * np.cos(angle), scale * np.sin(angle)
        matrix = np.array([[c, -s, 0.0], [s, c, 0.0]])
        if flip:
            matrix[:, 1] = -matrix[:, 1]
        matrix[:, 2] = palm - matrix[:, :2] @ np.array(sprite.palm)
        far = np.where(sprite.along > 246)
        if not len(far[0]):
            break
        shoulder = matrix[:, :2] @ np.array([far[1].mean(), far[0].mean()]) + matrix[:, 2]
        if not (0 < shoulder[0] < columns and 0 < shoulder[1] < rows):
            break
    seen = cv2.warpAffine(sprite.cover, matrix, SIZE, flags=cv2.INTER_AREA)
    cover = np.asarray(seen, np.float32) / np.float32(255)
    normals = cv2.warpAffine(sprite.normals.astype(np.float32) / 127, matrix, SIZE)
    turned = normals.copy()
    turned[..., 0] = (matrix[0, 0] * normals[..., 0] + matrix[0, 1] * normals[..., 1]) / scale
    turned[..., 1] = (matrix[1, 0] * normals[..., 0] + matrix[1, 1] * normals[..., 1]) / scale
    along = cv2.warpAffine(sprite.along.astype(np.float32) / 255, matrix, SIZE)
    return (
        cover,
        np.asarray(turned, np.float32),
        np.asarray(along, np.float32),
        (float(palm[0]), float(palm[1])),
    )


def _with_arm(
    picture: Image,
    sprites: Sequence[Sprite],
    rng: np.random.Generator,
    lamp: NDArray[np.float64],
    size: float,
) -> tuple[Image, Floats]:
    cover, normals, along, palm = _placed(sprites, rng, size=size)
    paint = np.empty((*cover.shape, 3), np.float32)
    paint[:] = skin(rng)
    paint *= 1 + 0.05 * _mottle(rng, 24)[..., None]
    if rng.random() < 0.6:
        start = float(rng.choice([rng.uniform(0.2, 0.34), rng.uniform(0.3, 0.75)]))
        edge = along + 0.008 * _mottle(rng, 40)
        sleeve = ((edge > start) & (cover > 0.5)).astype(np.uint8)
        wide = max(1, round(size * rng.uniform(0.02, 0.16)))
        grown = cv2.dilate(
            sleeve, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * wide + 1,) * 2)
        )
        near = cv2.dilate(
            ((along > start - 0.03) & (cover > 0.5)).astype(np.uint8), np.ones((3, 3), np.uint8)
        )
        hand_only = ((along <= start) & (cover > 0.5)) & (near == 0)
        cloth = cv2.GaussianBlur(((grown > 0) & ~hand_only).astype(np.float32), (0, 0), 0.7)
        fabric = np.empty_like(paint)
        fabric[:] = colour(rng)
        fabric *= 1 + rng.uniform(0.05, 0.3) * _mottle(rng, int(rng.integers(12, 60)))[..., None]
        if rng.random() < 0.2:
            fabric[(np.indices(cover.shape).sum(axis=0) // int(rng.integers(3, 9))) % 2 == 0] *= 0.7
        paint = paint * (1 - cloth[..., None]) + fabric * cloth[..., None]
        outside = cv2.blur(normals, (2 * wide + 1, 2 * wide + 1))
        normals = np.where(cover[..., None] > 0.5, normals, outside)
        cover = np.maximum(cover, cloth)
    light = np.array([*(lamp * 0.5), 1.0]) / np.linalg.norm([*(lamp * 0.5), 1.0])
    lit = np.clip(normals @ light.astype(np.float32), 0, 1)
    ambient = rng.uniform(0.35, 0.75)
    paint *= (ambient + (1 - ambient) * lit)[..., None] * rng.uniform(0.65, 1.7)
    paint += (rng.uniform(0, 50) * np.clip(lit, 0, 1) ** 12)[..., None]
    picture = _shaded(picture, cover, lamp * size * rng.uniform(0.03, 0.45), rng)
    under = rng.random() < 0.12
    if under:
        _card(picture, palm, size, rng)
    mixed = picture * (1 - cover[..., None]) + np.clip(paint, 0, 255) * cover[..., None]
    out = np.asarray(np.clip(mixed, 0, 255), np.uint8)
    if not under and rng.random() < 0.15:
        held = out.copy()
        _card(held, palm, size, rng)
        cover = np.where((held != out).any(axis=2), 0, cover).astype(np.float32)
        out = held
    return out, cover


def skin(rng: np.random.Generator) -> tuple[float, float, float]:
    """BGR of skin from very dark to very pale; a glove or odd light now and then."""
    if rng.random() < 0.05:
        return colour(rng)
    pale = rng.uniform(0, 1)
    dark, light = np.array([36.0, 46.0, 72.0]), np.array([188.0, 205.0, 240.0])
    tone = dark + (light - dark) * pale
    tone[1] -= rng.uniform(0, 18)
    tone[0] -= rng.uniform(-6, 34)
    b, g, r = tone * rng.uniform(0.85, 1.08)
    return float(b), float(g), float(r)


def _card(picture: Image, palm: tuple[float, float], size: float, rng: np.random.Generator) -> None:
    """A card or tile that the hand holds."""
    side = size * rng.uniform(0.2, 1.1)
    shape = rng.uniform(0.6, 1.5)
    angle = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(angle), np.sin(angle)
    corners = np.array([(-1, -shape), (1, -shape), (1, shape), (-1, shape)]) * side / 2
    turned = corners @ np.array([[c, s], [-s, c]]) + np.array(palm) + rng.normal(0, size / 5, 2)
    cv2.fillConvexPoly(picture, turned.astype(np.int32), (238, 240, 240), cv2.LINE_AA)
    for share in (0.85, 0.5, 0.25):
        inner = (turned - turned.mean(axis=0)) * share + turned.mean(axis=0) + rng.normal(0, 2, 2)
        cv2.fillConvexPoly(picture, inner.astype(np.int32), colour(rng), cv2.LINE_AA)


def _shaded(
    picture: Image, cover: Floats, shift: NDArray[np.float64], rng: np.random.Generator
) -> Image:
    """The picture with the shadow of `cover`, moved by `shift` pixels."""
    moved = cv2.warpAffine(cover, np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32), SIZE)
    shade = cv2.GaussianBlur(moved, (0, 0), float(rng.uniform(1.0, 9.0)))
    close = cv2.GaussianBlur(cover, (0, 0), float(rng.uniform(2.0, 8.0)))
    dark = 1 - rng.uniform(0.1, 0.75) * shade - rng.uniform(0, 0.25) * close
    return np.asarray(np.clip(picture * dark[..., None], 0, 255), np.uint8)


def _mottle(rng: np.random.Generator, cells: int) -> Floats:
    grid = rng.normal(0, 1, (max(2, cells // 2), cells)).astype(np.float32)
    return np.asarray(cv2.resize(grid, SIZE, interpolation=cv2.INTER_CUBIC), np.float32)


def _webcam(picture: Image, rng: np.random.Generator) -> Image:
    """Light, white balance, exposure, contrast, lens, noise and JPEG of a webcam."""
    level = picture.astype(np.float32) / 255
    gains = np.exp(rng.normal(0, 0.12, 3)) * np.exp(rng.normal(0.0, 0.28))
    if rng.random() < 0.08:
        gains *= np.exp(rng.normal(0, 0.35, 3))
    level = np.clip(level * gains.astype(np.float32), 0, 1) ** np.float32(
        np.exp(rng.normal(0, 0.2))
    )
    if rng.random() < 0.5:
        y, x = np.mgrid[-1 : 1 : SIZE[1] * 1j, -1 : 1 : SIZE[0] * 1j]
        slope = rng.normal(0, 0.2, 2)
        level *= np.clip(1 + slope[0] * x + slope[1] * y, 0.3, 1.7)[..., None].astype(np.float32)
    grey = level.mean(axis=2, keepdims=True)
    level = grey + (level - grey) * np.float32(rng.uniform(0.4, 1.4))
    level = cv2.GaussianBlur(level, (0, 0), float(rng.uniform(0.3, 1.3)))
    level += rng.normal(0, rng.uniform(0.002, 0.02), level.shape).astype(np.float32)
    done = np.asarray(np.clip(level * 255, 0, 255), np.uint8)
    if rng.random() < 0.6:
        _, data = cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(50, 96))])
        done = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return done
