"""What lies on tables and is no face: blank stock, cloth, coins, text, backs, halves of tiles."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.faces.camera import PRINT
from models.prints import Face, Prints
from models.prints.looks import clouds, ground

Image = NDArray[np.uint8]
Canvas = NDArray[np.float32]


def thing(rng: np.random.Generator, prints: Prints, faces: list[Face]) -> Image:
    """A picture BGRA (PRINT, PRINT, 4) of something that is none of `faces`, or only a part."""
    kinds: tuple[Callable[..., Canvas], ...] = (_blank, _cloth, _coin, _text, _dice, _edge)
    kind = int(rng.integers(len(kinds) + 4))
    if kind < len(kinds):
        picture = _painted(kinds[kind](rng))
    elif kind == len(kinds):
        picture = square(prints.back(PRINT))
    else:
        one, other = (faces[int(k)] for k in rng.integers(len(faces), size=2))
        picture = _part(rng, square(one.print), square(other.print), kind - len(kinds))
    return picture


def square(picture: Image) -> Image:
    """A picture BGRA as (PRINT, PRINT, 4); an oblong one is squeezed, as a matcher does."""
    return np.asarray(cv2.resize(picture, (PRINT, PRINT), interpolation=cv2.INTER_AREA), np.uint8)


def _painted(canvas: Canvas) -> Image:
    opaque = np.full((PRINT, PRINT), 255, np.float32)
    return np.asarray(np.clip(np.dstack([canvas, opaque]), 0, 255), np.uint8)


def _blank(rng: np.random.Generator) -> Canvas:
    return np.full((PRINT, PRINT, 3), ground(rng), np.float32)


def _cloth(rng: np.random.Generator) -> Canvas:
    rows, columns = rng.integers(2, 40, 2)
    seeds = rng.standard_normal((rows, columns)).astype(np.float32)
    pattern = cv2.resize(seeds, (PRINT, PRINT), interpolation=cv2.INTER_LINEAR)
    return np.asarray(ground(rng) * (1 + rng.uniform(0.05, 0.4) * pattern[..., None]), np.float32)


def _coin(rng: np.random.Generator) -> Canvas:
    canvas, metal = _blank(rng).astype(np.uint8), ground(rng)
    middle = tuple(int(v) for v in rng.integers(24, 40, 2))
    radius = int(rng.integers(16, 34))
    cv2.circle(canvas, middle, radius, metal.tolist(), -1, cv2.LINE_AA)
    cv2.circle(canvas, middle, radius - 3, (metal * 0.7).tolist(), 1, cv2.LINE_AA)
    number = str(rng.choice(["1", "2", "5", "10", "K"]))
    where = (middle[0] - 8, middle[1] + 7)
    cv2.putText(canvas, number, where, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (metal * 0.6).tolist(), 2)
    return canvas.astype(np.float32)


def _text(rng: np.random.Generator) -> Canvas:
    canvas, ink = _blank(rng).astype(np.uint8), ground(rng).tolist()
    size = rng.uniform(0.3, 1.2)
    for line in range(int(4 / size) + 1):
        words = "".join(rng.choice(list("abdefgRST mn31 "), 12))
        where = (int(rng.integers(-20, 8)), int((line + 0.8) * 24 * size))
        cv2.putText(canvas, words, where, cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)
    return canvas.astype(np.float32)


def _dice(rng: np.random.Generator) -> Canvas:
    canvas, ink = _blank(rng).astype(np.uint8), ground(rng).tolist()
    for x, y in rng.choice(3, (int(rng.integers(1, 7)), 2)):
        cv2.circle(canvas, (16 + 16 * int(x), 16 + 16 * int(y)), 5, ink, -1, cv2.LINE_AA)
    return canvas.astype(np.float32)


def _edge(rng: np.random.Generator) -> Canvas:
    y, x = np.mgrid[-1 : 1 : PRINT * 1j, -1 : 1 : PRINT * 1j]
    angle, at = rng.uniform(0, 2 * np.pi), rng.uniform(-0.7, 0.7)
    beyond = (np.cos(angle) * x + np.sin(angle) * y > at).astype(np.float32)
    beyond = cv2.GaussianBlur(beyond, (0, 0), rng.uniform(0.5, 4))[..., None]
    rough = 1 + 0.1 * clouds(rng, (PRINT, PRINT), 6)[..., None]
    return np.asarray(_blank(rng) * (1 - beyond) + ground(rng) * beyond * rough, np.float32)


def _part(rng: np.random.Generator, one: Image, other: Image, kind: int) -> Image:
    """Two tiles where one should be, a tile askew, or one that is far too large or too small."""
    if kind == 1:
        cut = int(rng.integers(PRINT // 4, 3 * PRINT // 4))
        joined = np.concatenate([one[:, cut:], other[:, :cut]], axis=1)
        return np.ascontiguousarray(np.rot90(joined, int(rng.integers(4))))
    middle = (PRINT / 2, PRINT / 2)
    turn = rng.uniform(25, 65) if kind == 2 else 0.0
    zoom = float(rng.choice([0.6, 1.7])) if kind == 3 else 1.0
    move = cv2.getRotationMatrix2D(middle, turn, zoom)
    return np.asarray(
        cv2.warpAffine(one, move, (PRINT, PRINT), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
