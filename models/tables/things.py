"""What lies about on tables and is no piece: coins, cubes, figures, dice, phones, hands."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.tables.canvas import (
    Image,
    Random,
    any_colour,
    dim,
    fill,
    lit,
    rectangle,
    stroke,
    tinted,
)

Point = NDArray[np.float64]

_SKINS = ((150, 180, 225), (120, 150, 205), (80, 115, 170), (45, 70, 110), (35, 45, 70))


def litter(rng: Random, image: Image, unit: float, shadow: Point) -> Image:
    """Draws some thing that is no piece, in place; the mask of what it covers."""
    height, width = image.shape[:2]
    centre = rng.uniform((0, 0), (width, height))
    kinds = (_disc, _disc, _cube, _figure, _figure, _die, _slab, _slab, _cord, _scrap)
    kind = kinds[int(rng.integers(len(kinds)))]
    outline, draw = kind(rng, centre, unit)
    return _put(image, outline, draw, shadow * float(rng.uniform(0.5, 3)), rng)


def _put(image: Image, outline: list[Point], draw: list[tuple[Point, tuple[int, int, int]]],
         shadow: Point, rng: Random) -> Image:  # fmt: skip
    mask = np.zeros(image.shape[:2], np.uint8)
    shade = np.zeros_like(mask)
    for part in outline:
        fill(mask, part, 255)
        fill(shade, part + shadow, 255)
    reach = float(np.hypot(*shadow))
    shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), 0.7 + 0.3 * reach), np.uint8)
    dim(image, shade, float(rng.uniform(0.2, 0.65)))
    for part, colour in draw:
        fill(image, part, colour)
    return mask


Parts = tuple[list[Point], list[tuple[Point, tuple[int, int, int]]]]


def _ring(centre: Point, reach: float, squash: float = 1.0, turn: float = 0.0) -> Point:
    angle = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    x, y = reach * np.cos(angle), reach * squash * np.sin(angle)
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(centre + np.stack([cos * x - sin * y, sin * x + cos * y], axis=1), np.float64)


def _disc(rng: Random, centre: Point, unit: float) -> Parts:
    reach, colour = unit * float(rng.uniform(0.15, 0.6)), any_colour(rng)
    outer = _ring(centre, reach)
    parts = [(outer, lit(colour, 0.8)), (_ring(centre, reach * 0.9), colour)]
    if rng.random() < 0.5:
        count = int(rng.integers(3, 8))
        parts.append(
            (_ring(centre, reach * 0.5)[::count], lit(colour, float(rng.uniform(0.6, 1.4))))
        )
    return [outer], parts


def _cube(rng: Random, centre: Point, unit: float) -> Parts:
    side, colour = unit * float(rng.uniform(0.18, 0.45)), any_colour(rng, (0.4, 1))
    base = rectangle(centre, (side, side), float(rng.uniform(0, 6.3)))
    lean = rng.normal(0, side * 0.4, 2)
    top = base + lean
    walls = [
        (np.array([base[k], base[k - 1], top[k - 1], top[k]]), lit(colour, 0.5 + 0.1 * k))
        for k in range(4)
    ]
    return [base, top, *(wall for wall, _ in walls)], [*walls, (top, lit(colour, 1.1))]


def _figure(rng: Random, centre: Point, unit: float) -> Parts:
    reach, colour = unit * float(rng.uniform(0.12, 0.3)), any_colour(rng, (0.0, 1))
    lean = rng.normal(0, reach * 1.5, 2)
    parts = [
        (_ring(centre + lean * share, reach * size), lit(colour, tone))
        for share, size, tone in ((0, 1, 0.7), (0.2, 0.8, 0.8), (0.4, 0.6, 0.9), (0.6, 0.5, 0.95),
                                  (0.85, 0.6, 1.0), (0.95, 0.4, 1.25))
    ]  # fmt: skip
    return [part for part, _ in parts], parts


def _die(rng: Random, centre: Point, unit: float) -> Parts:
    side, turn = unit * float(rng.uniform(0.2, 0.5)), float(rng.uniform(0, 6.3))
    colour = tinted(rng, (235, 235, 235), 10) if rng.random() < 0.6 else any_colour(rng, (0.5, 1))
    quad = rectangle(centre, (side, side), turn)
    parts = [(quad, lit(colour, 0.8)), (rectangle(centre, (side * 0.9, side * 0.9), turn), colour)]
    ink = lit(colour, 0.2) if sum(colour) > 350 else (235, 235, 235)
    for x, y in rng.permutation(9)[: int(rng.integers(1, 7))][:, None] // (1, 3) % 3:
        spot = centre + (quad[1] - quad[0]) * (x - 1) * 0.27 + (quad[3] - quad[0]) * (y - 1) * 0.27
        parts.append((_ring(spot, side * 0.09), ink))
    return [quad], parts


def _slab(rng: Random, centre: Point, unit: float) -> Parts:
    """A phone, book, box or sheet, far larger than a piece."""
    width, length = unit * float(rng.uniform(2.0, 4)), unit * float(rng.uniform(2.6, 6))
    turn, colour = float(rng.uniform(0, 6.3)), any_colour(rng, (0, 0.7))
    quad = rectangle(centre, (width, length), turn)
    inner = rectangle(centre, (width * 0.92, length * 0.9), turn)
    parts = [(quad, colour), (inner, lit(colour, float(rng.choice([0.8, 1.0, 1.15]))))]
    across, down = (inner[1] - inner[0]), (inner[3] - inner[0])
    if rng.random() < 0.5:  # Lines of type.
        ink = lit(colour, 0.3) if sum(colour) > 300 else (200, 200, 200)
        for y in np.arange(0.08, 0.92, float(rng.uniform(0.03, 0.06))):
            a, b = (
                inner[0] + across * 0.08 + down * y,
                inner[0] + across * rng.uniform(0.6, 0.92) + down * y,
            )
            parts.append((np.array([a, b, b + down * 0.008, a + down * 0.008]), ink))
    else:  # Pictures.
        for _ in range(int(rng.integers(0, 12))):
            points = inner[0] + rng.random((3, 1)) * across + rng.random((3, 1)) * down
            parts.append((points, any_colour(rng, (0, 0.9))))
    return [quad], parts


def _cord(rng: Random, centre: Point, unit: float) -> Parts:
    """A cable or pen."""
    heading, bend = float(rng.uniform(0, 6.3)), float(rng.normal(0, 0.25))
    width, colour = unit * float(rng.uniform(0.04, 0.25)), any_colour(rng, (0, 0.8))
    steps = np.arange(int(rng.integers(2, 14))) * bend + heading
    line = centre + np.cumsum(unit * 0.6 * np.stack([np.cos(steps), np.sin(steps)], 1), axis=0)
    across = width / 2 * np.stack([-np.sin(steps), np.cos(steps)], axis=1)
    band = np.concatenate([line + across, (line - across)[::-1]])
    shine = np.concatenate([line + across * 0.5, (line - across * 0.1)[::-1]])
    return [band], [(band, colour), (shine, lit(colour, 1.3))]


def _scrap(rng: Random, centre: Point, unit: float) -> Parts:
    """An uneven piece of paper, leaf or token."""
    count, colour = int(rng.integers(3, 9)), any_colour(rng)
    turn = np.linspace(0, 2 * np.pi, count, endpoint=False) + float(rng.uniform(0, 6))
    spokes = unit * rng.uniform(0.2, 1.2, count)
    shape = centre + np.stack([np.cos(turn), np.sin(turn)], axis=1) * spokes[:, None]
    return [shape], [(shape, colour)]


def hand(rng: Random, image: Image, unit: float, shadow: Point) -> Image:
    """Draws a forearm and hand that reach in, in place; the mask of what they cover."""
    height, width = image.shape[:2]
    colour = tinted(rng, _SKINS[int(rng.integers(len(_SKINS)))], 8)
    tip = rng.uniform((0.1 * width, 0.1 * height), (0.9 * width, 0.9 * height))
    heading = float(rng.uniform(0, 2 * np.pi))
    along = np.array([np.cos(heading), np.sin(heading)])
    across = np.array([-along[1], along[0]])
    size = unit * float(rng.uniform(1.6, 2.6))
    palm = tip + along * size
    wrist, elbow = palm + along * size * 0.5, palm + along * (width + height)
    half = size * 0.3
    arm = np.array([wrist + across * half, elbow + across * half * 1.5, elbow - across * half * 1.5,
                    wrist - across * half])  # fmt: skip
    parts = [(arm, any_colour(rng) if rng.random() < 0.5 else lit(colour, 0.95))]
    parts.append((_ring(palm, size * 0.55, 0.8, heading), colour))
    spread = float(rng.uniform(0.1, 0.35))
    for k in range(5):
        angle = heading + np.pi + (k - 2) * spread + (0.6 if k == 4 else 0)
        way = np.array([np.cos(angle), np.sin(angle)])
        reach = size * (0.95, 1.1, 1.15, 1.0, 0.8)[k] * float(rng.uniform(0.6, 1.0))
        side = np.array([-way[1], way[0]]) * size * 0.11
        root, end = palm + way * size * 0.2, palm + way * reach
        parts.append(
            (np.array([root + side, end + side, end - side, root - side]), lit(colour, 0.97))
        )
        parts.append((_ring(end, size * 0.11), lit(colour, 1.03)))
    mask = _put(image, [part for part, _ in parts], parts, shadow * float(rng.uniform(3, 10)), rng)
    shade = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(size * 0.15, 1)), np.uint8)
    dim(image, np.asarray(cv2.min(mask, 255 - shade), np.uint8), 0.5)
    if rng.random() < 0.3:
        stroke(image, [wrist - across * half, wrist + across * half], lit(colour, 0.5), 3)
    return mask
