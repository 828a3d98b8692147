"""Pictures of tables without any limb: what the network must call empty.

Table tops and flat prints come from the project's renderer; on them lie things of every kind that
might be taken for an arm: rods, books and cloth that reach in from the border, cables, cups,
skin-coloured wood and cardboard.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.simulation.conditions import SURFACES, random_conditions
from vision.scene.description import Flat, Scene
from vision.scene.render import render

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

#: Columns and rows of the pictures that are composed; the network sees them smaller.
SIZE = (384, 216)
#: How many tables are rendered with one table top.
#: Size in mm of the plane that the camera is laid out for, least and most.
_TABLES_A_TOP = 8
_PLANE = ((450.0, 300.0), (1100.0, 700.0))


def rendered_tables(seed: int) -> list[Image]:
    """Tables of the renderer, all with one table top, since that takes the most time to make."""
    rng = np.random.default_rng([seed, 1])
    top = str(rng.choice(SURFACES)), int(rng.integers(2**20))
    return [_rendered(rng, top) for _ in range(_TABLES_A_TOP)]


def table(rendered: Sequence[Image], rng: np.random.Generator) -> Image:
    """A table with things on it, one of `rendered` or a painted one: BGR of shape (216, 384, 3)."""
    if rng.random() < 0.6:
        picture = rendered[int(rng.integers(len(rendered)))].copy()
    else:
        picture = _painted(rng)
    for _ in range(int(rng.integers(0, 3))):
        _thing_at_border(picture, rng)
    for _ in range(int(rng.integers(0, 7))):
        _clutter(picture, rng)
    return picture


def _rendered(rng: np.random.Generator, top: tuple[str, int]) -> Image:
    """A table `top` (name, seed) of the renderer with flat prints on it."""
    low, high = _PLANE
    scale = rng.uniform(0.0, 1.0)
    plane = tuple(a + scale * (b - a) for a, b in zip(low, high, strict=True))
    conditions = random_conditions(rng, (plane[0], plane[1]), SIZE)
    flats = [_flat(rng, plane, (120.0, 420.0), 3.0) for _ in range(int(rng.integers(0, 4)))]
    flats += [_flat(rng, plane, (18.0, 70.0), 2.0) for _ in range(int(rng.integers(0, 45)))]
    scene = Scene(
        conditions.camera,
        tuple(flats),
        surface=top[0],
        surface_seed=top[1],
        lamp=conditions.lamp,
        sensor=conditions.sensor,
        seed=int(rng.integers(2**31)),
    )
    return render(scene).image


def _flat(
    rng: np.random.Generator, plane: tuple[float, ...], sizes: tuple[float, float], thick: float
) -> Flat:
    side = float(rng.uniform(*sizes))
    size = (side, side * float(rng.choice([1.0, 1.0, rng.uniform(0.5, 1.8)])))
    cells = (max(8, round(size[0] / 2)), max(8, round(size[1] / 2)))
    texture = np.dstack([_print(rng, cells), np.full(cells[::-1], 255, np.uint8)])
    if rng.random() < 0.2:
        cv2.circle(
            mask := np.zeros(cells[::-1], np.uint8),
            (cells[0] // 2, cells[1] // 2),
            min(cells) // 2,
            255,
            -1,
        )
        texture[..., 3] = mask
    return Flat(
        texture,
        size,
        (float(rng.uniform(-40, plane[0] + 40)), float(rng.uniform(-40, plane[1] + 40))),
        float(rng.uniform(0, 360)) if rng.random() < 0.6 else float(rng.normal(0, 4)),
        base=0.0 if thick > 2.5 else float(rng.choice([0.0, 3.0])),
        thickness=float(rng.uniform(0.3, thick)),
        kind="scenery",
    )


def colour(rng: np.random.Generator) -> tuple[int, int, int]:
    """BGR: any colour, or one close to that of skin, wood and cardboard."""
    if rng.random() < 0.4:
        hue, saturation = rng.normal(14.0, 5.0), rng.uniform(30, 190)
    else:
        hue, saturation = rng.uniform(0, 180), rng.uniform(0, 230)
    pixel = (int(hue) % 180, int(saturation), int(rng.uniform(25, 255)))
    hsv = np.array([[pixel]], np.uint8)
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return int(b), int(g), int(r)


def _print(rng: np.random.Generator, size: tuple[int, int]) -> Image:
    """A print of `size` (columns, rows): bars, discs, patches, writing, on paper or colour."""
    columns, rows = size
    picture = np.full((rows, columns, 3), colour(rng), np.uint8)
    if rng.random() < 0.5:
        picture[:] = rng.integers(190, 250)
    kind = rng.integers(0, 5)
    if kind == 0:
        picture = _cloudy(rng, size, picture)
    least = max(1, min(size) // 10)
    for _ in range(int(rng.integers(1, 14))):
        x, y = int(rng.integers(columns)), int(rng.integers(rows))
        reach = int(rng.integers(least, max(min(size) // 3, least + 1) + 1))
        ink = colour(rng)
        shape = rng.integers(0, 4)
        if shape == 0:
            cv2.circle(picture, (x, y), reach, ink, -1, cv2.LINE_AA)
        elif shape == 1:
            cv2.rectangle(picture, (x - reach, y - reach // 2), (x + reach, y + reach), ink, -1)
        elif shape == 2:
            points = (np.array([x, y]) + rng.normal(0, reach, (5, 2))).astype(np.int32)
            cv2.fillPoly(picture, [points], ink, cv2.LINE_AA)
        else:
            cv2.putText(
                picture,
                "abcde"[: 1 + reach % 5],
                (x // 2, y),
                0,
                max(0.2, reach / 40),
                ink,
                1,
                cv2.LINE_AA,
            )
    if rng.random() < 0.4:
        cv2.rectangle(
            picture, (0, 0), (columns - 1, rows - 1), colour(rng), max(1, min(size) // 14)
        )
    return np.asarray(picture, np.uint8)


def _cloudy(rng: np.random.Generator, size: tuple[int, int], picture: Image) -> Image:
    """Noise of several sizes over `picture`."""
    total = np.zeros((size[1], size[0], 3), np.float32)
    for cells in (2, 5, 12, 30):
        grid = rng.normal(0, 1, (cells, cells * 2, 3)).astype(np.float32)
        grid = grid.mean(axis=2, keepdims=True) + 0.35 * (grid - grid.mean(axis=2, keepdims=True))
        total += cv2.resize(grid, size, interpolation=cv2.INTER_CUBIC) * 22 / np.sqrt(cells)
    strength = rng.uniform(0.4, 3.0)
    return np.asarray(np.clip(picture + strength * total, 0, 255), np.uint8)


def _painted(rng: np.random.Generator) -> Image:
    """A table top made of noise, stripes, planks or a big print: no renderer, odder colours."""
    columns, rows = SIZE
    base = np.full((rows, columns, 3), colour(rng), np.uint8)
    picture = _cloudy(rng, SIZE, base)
    kind = rng.integers(0, 5)
    if kind == 1:
        grain = rng.normal(0, 1, (rows, 6)).astype(np.float32)
        streaks = cv2.resize(grain, SIZE, interpolation=cv2.INTER_CUBIC)
        grain = np.asarray(cv2.GaussianBlur(streaks, (0, 0), 0.8), np.float32)
        picture = np.clip(picture + rng.uniform(4, 26) * grain[..., None], 0, 255).astype(np.uint8)
        if rng.random() < 0.5:
            picture = np.ascontiguousarray(
                cv2.resize(cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE), SIZE)
            )
    elif kind == 2:
        step = int(rng.integers(12, 70))
        for x in range(int(rng.integers(0, step)), columns, step):
            cv2.line(
                picture,
                (x, 0),
                (x + int(rng.normal(0, 5)), rows),
                colour(rng),
                int(rng.integers(1, 3)),
                cv2.LINE_AA,
            )
    elif kind == 3:
        big = cv2.resize(_print(rng, (96, 54)), SIZE, interpolation=cv2.INTER_CUBIC)
        picture = np.asarray(cv2.addWeighted(picture, 0.3, big, 0.7, 0), np.uint8)
    for _ in range(int(rng.integers(0, 4))):
        paste(picture, rng, rng.uniform(60, 230), rng.uniform(0.5, 1.5))
    for _ in range(int(rng.integers(0, 30))):
        paste(picture, rng, rng.uniform(8, 36), rng.choice([1.0, rng.uniform(0.5, 1.8)]))
    return picture


def paste(picture: Image, rng: np.random.Generator, side: float, shape: float) -> None:
    """A print lying anywhere, turned by chance, with a slight shadow; a hexagon now and then."""
    cells = (max(6, round(side)), max(6, round(side * shape)))
    art = _print(rng, cells)
    at = rng.uniform((0, 0), SIZE)
    middle = (cells[0] / 2, cells[1] / 2)
    turn = np.array(cv2.getRotationMatrix2D(middle, float(rng.uniform(0, 360)), 1.0), np.float64)
    turn[:, 2] += at - np.array(cells) / 2
    mask = np.zeros(cells[::-1], np.uint8)
    corners = int(rng.choice([4, 4, 4, 6, 24]))
    if corners == 4:
        mask[:] = 255
    else:
        ring = np.arange(corners) * 2 * np.pi / corners
        points = (
            np.stack([np.cos(ring), np.sin(ring)], 1) * np.array(cells) / 2 + np.array(cells) / 2
        )
        cv2.fillPoly(mask, [points.astype(np.int32)], 255)
    over = cv2.warpAffine(art, turn, SIZE, flags=cv2.INTER_LINEAR)
    cover = np.asarray(cv2.warpAffine(mask, turn, SIZE)[..., None], np.float32) / np.float32(255)
    _shadow(picture, cover[..., 0], rng, (1.0, 4.0))
    picture[:] = (picture * (1 - cover) + over * cover).astype(np.uint8)


def _shadow(
    picture: Image, cover: Floats, rng: np.random.Generator, reach: tuple[float, float]
) -> None:
    """Darkens `picture` beside a thing."""
    far = rng.uniform(*reach)
    angle = rng.uniform(0, 2 * np.pi)
    shift = np.array([[1, 0, far * np.cos(angle)], [0, 1, far * np.sin(angle)]], np.float32)
    shade = cv2.GaussianBlur(cv2.warpAffine(cover, shift, SIZE), (0, 0), max(0.7, far / 2))
    picture[:] = (picture * (1 - rng.uniform(0.1, 0.55) * shade[..., None])).astype(np.uint8)


def _thing_at_border(picture: Image, rng: np.random.Generator) -> None:
    """A thing that reaches in from outside and is no limb: straight, thin, or a heap of cloth."""
    columns, rows = SIZE
    start = _on_border(rng)
    inward = np.array([columns / 2, rows / 2]) + rng.normal(0, 60, 2) - start
    inward /= np.linalg.norm(inward)
    layer = np.zeros((rows, columns), np.uint8)
    kind = rng.integers(0, 4)
    if kind == 0:
        length, half = rng.uniform(15, 400), rng.uniform(2, 40)
        side = np.array([-inward[1], inward[0]])
        ends = [start - 30 * inward, start + length * inward]
        corners = [
            ends[0] + half * side,
            ends[1] + half * side,
            ends[1] - half * side,
            ends[0] - half * side,
        ]
        cv2.fillPoly(layer, [np.array(corners, np.int32)], 255, cv2.LINE_AA)
    elif kind == 1:
        points = [start]
        heading = inward
        for _ in range(14):
            heading = heading + rng.normal(0, 0.35, 2)
            heading /= np.linalg.norm(heading)
            points.append(points[-1] + heading * rng.uniform(5, 18))
        cv2.polylines(
            layer, [np.array(points, np.int32)], False, 255, int(rng.integers(1, 6)), cv2.LINE_AA
        )
    elif kind == 2:
        ring = np.linspace(0, 2 * np.pi, 11)[:-1]
        radii = rng.uniform(12, 60) * rng.uniform(0.7, 1.3, 10)
        outline = start + np.stack([np.cos(ring) * radii, np.sin(ring) * radii], 1)
        cv2.fillPoly(layer, [outline.astype(np.int32)], 255, cv2.LINE_AA)
        layer = np.asarray(cv2.GaussianBlur(layer, (0, 0), 1.5), np.uint8)
    else:
        cv2.ellipse(
            layer, start.astype(int).tolist(), (int(rng.uniform(10, 60)),) * 2, 0, 0, 360, 255, -1
        )
        if rng.random() < 0.5:
            cv2.circle(layer, start.astype(int).tolist(), int(rng.uniform(4, 30)), 0, -1)
    cover = layer.astype(np.float32) / np.float32(255)
    fill = np.full((rows, columns, 3), colour(rng), np.uint8)
    if rng.random() < 0.5:
        fill = np.asarray(cv2.resize(_print(rng, (96, 54)), SIZE), np.uint8)
    elif rng.random() < 0.5:
        fill = _cloudy(rng, SIZE, fill)
    _shadow(picture, cover, rng, (1.0, 12.0))
    picture[:] = (picture * (1 - cover[..., None]) + fill * cover[..., None]).astype(np.uint8)


def _on_border(rng: np.random.Generator) -> NDArray[np.float64]:
    columns, rows = SIZE
    side = rng.integers(0, 4)
    x, y = rng.uniform(0, columns), rng.uniform(0, rows)
    return np.array([(x, 0.0), (x, rows - 1.0), (0.0, y), (columns - 1.0, y)][side])


def _clutter(picture: Image, rng: np.random.Generator) -> None:
    """A small thing on the table: counters, dice, coins, a cup, a pen."""
    columns, rows = SIZE
    at = rng.uniform((0, 0), (columns, rows))
    cover = np.zeros((rows, columns), np.uint8)
    kind = rng.integers(0, 4)
    if kind == 0:
        for _ in range(int(rng.integers(2, 14))):
            spot = at + rng.normal(0, 14, 2)
            cv2.circle(
                cover, spot.astype(int).tolist(), int(rng.integers(1, 5)), 255, -1, cv2.LINE_AA
            )
    elif kind == 1:
        cv2.circle(
            cover,
            at.astype(int).tolist(),
            int(rng.uniform(6, 26)),
            255,
            int(rng.choice([-1, 4])),
            cv2.LINE_AA,
        )
    elif kind == 2:
        angle, length = rng.uniform(0, np.pi), rng.uniform(14, 60)
        end = at + length * np.array([np.cos(angle), np.sin(angle)])
        cv2.line(
            cover,
            at.astype(int).tolist(),
            end.astype(int).tolist(),
            255,
            int(rng.integers(2, 8)),
            cv2.LINE_AA,
        )
    else:
        points = at + rng.normal(0, rng.uniform(4, 22), (4, 2))
        cv2.fillConvexPoly(cover, cv2.convexHull(points.astype(np.int32)), 255, cv2.LINE_AA)
    soft = cover.astype(np.float32) / np.float32(255)
    _shadow(picture, soft, rng, (1.0, 8.0))
    picture[:] = (picture * (1 - soft[..., None]) + np.array(colour(rng)) * soft[..., None]).astype(
        np.uint8
    )
