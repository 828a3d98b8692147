"""How people lay pieces: scattered, in rows and blocks, in heaps, on the cells of a board."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.tables.canvas import Image, Random, rectangle
from models.tables.pieces import Heap
from models.tables.prints import Stock

Quad = NDArray[np.float64]
Grid = tuple[NDArray[np.float64], float]


def lay(rng: Random, heap: Heap, stock: Stock, side: float, grid: Grid | None) -> None:
    """Lays pieces of one set whose shorter side is `side` pixels; on the cells of `grid` if any."""
    height, width = heap.image.shape[:2]
    area = (width, height)
    size = (side, side * stock.aspect)
    prints = [_fit(print_, size) for print_ in stock.prints]
    warp = _perspective(rng, area)
    kind = rng.random()
    levels: list[list[Quad]]
    if grid is not None and rng.random() < 0.6:
        levels = [_on_cells(rng, area, size, grid)]
    elif kind < 0.4:
        levels = [_blocks(rng, area, size)]
    elif kind < 0.75:
        levels = [_scattered(rng, area, size)]
    else:
        levels = [_scattered(rng, area, size)]
        levels += [[quad] for quad in _upon(rng, levels[0], size)]
    for level in levels:
        quads = [_through(warp, quad) for quad in level]
        chosen = [prints[int(rng.integers(len(prints)))] for _ in quads]
        turned = [np.roll(quad, 2 * int(rng.integers(2)), axis=0) for quad in quads]
        if quads:
            heap.add(turned, chosen, stock)


def _fit(print_: Image, size: tuple[float, float]) -> Image:
    """The print, reduced so far that drawing it skips no pixels."""
    scale = 1.15 * size[0] / print_.shape[1]
    if scale >= 1:
        return print_
    reduced = cv2.resize(print_, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(reduced, np.uint8)


def _perspective(rng: Random, area: tuple[int, int]) -> NDArray[np.float64]:
    """A slight look from the side, most often none."""
    if rng.random() < 0.5:
        return np.eye(3)
    slant = float(rng.choice([0.03, 0.1, 0.25]))
    middle = np.array(area) / 2
    shift, back = np.eye(3), np.eye(3)
    shift[:2, 2], back[:2, 2] = -middle, middle
    squash = np.eye(3)
    squash[:2, :2] += rng.normal(0, slant / 2, (2, 2))
    squash[2, :2] = rng.normal(0, slant, 2) / max(area)
    return np.asarray(back @ squash @ shift)


def _through(warp: NDArray[np.float64], quad: Quad) -> Quad:
    ahead = np.column_stack([quad, np.ones(4)]) @ warp.T
    return np.asarray(ahead[:, :2] / ahead[:, 2:])


def _scattered(rng: Random, area: tuple[int, int], size: tuple[float, float]) -> list[Quad]:
    """Pieces apart from each other, or just touching, at any angle or nearly upright."""
    reach = float(np.hypot(*size))
    most = area[0] * area[1] / (size[0] * size[1])
    free = rng.random() < 0.7
    usual = float(rng.uniform(0, np.pi))
    quads: list[Quad] = []
    for _ in range(int(rng.uniform(1, 0.5 * most + 2))):
        angle = float(rng.uniform(0, 2 * np.pi)) if free else usual + float(rng.normal(0, 0.12))
        centre = rng.uniform((-0.3 * size[0], -0.3 * size[1]), np.array(area) + 0.3 * size[0])
        quad = rectangle(centre, size, angle)
        near = [q for q in quads if np.hypot(*(q.mean(axis=0) - centre)) < reach]
        if rng.random() < 0.4 and near:  # Pushed against another one.
            continue
        if not any(_overlap(quad, q) > 0.01 for q in near):
            quads.append(quad)
    return quads


def _blocks(rng: Random, area: tuple[int, int], size: tuple[float, float]) -> list[Quad]:
    """Rows and blocks of pieces side by side, touching or nearly."""
    quads: list[Quad] = []
    for _ in range(int(rng.integers(1, 5))):
        corner = rng.uniform((0, 0), area)
        angle = float(rng.choice([0, np.pi / 2])) + float(rng.normal(0, 0.05))
        if rng.random() < 0.4:
            angle = float(rng.uniform(0, 2 * np.pi))
        gap = float(rng.choice([0.0, 0.0, rng.uniform(0, 0.08), rng.uniform(0, 0.4)])) * size[0]
        loose = float(rng.choice([0.0, 0.01, 0.03]))
        share = float(rng.choice([1.0, 1.0, 0.6]))
        columns, rows = int(rng.integers(1, 8)), int(rng.integers(1, 5))
        cos, sin = np.cos(angle), np.sin(angle)
        for i in range(columns):
            for j in range(rows):
                if rng.random() > share:
                    continue
                step = np.array([i * (size[0] + gap), j * (size[1] + gap)])
                step += np.abs(rng.normal(0, loose * size[0] + 1e-9, 2)) * (i + j + 1) * 0.5
                centre = corner + np.array([cos * step[0] - sin * step[1],
                                            sin * step[0] + cos * step[1]])  # fmt: skip
                quad = rectangle(centre, size, angle + float(rng.normal(0, loose + 1e-9)))
                if _inside(centre, area) and not _meets(quad, quads, 0.06):
                    quads.append(quad)
    return quads


def _on_cells(
    rng: Random, area: tuple[int, int], size: tuple[float, float], grid: Grid
) -> list[Quad]:
    """Pieces on the cells of a board, more or less straight."""
    (origin, along, down), pitch = grid
    pitch = max(pitch, size[0] * 1.0)
    turn = float(np.arctan2(along[1], along[0]))
    share, loose = float(rng.uniform(0.05, 0.8)), float(rng.choice([0.0, 0.03, 0.1]))
    start = rng.uniform(0, 1, 2) * pitch
    quads: list[Quad] = []
    tall = max(pitch, size[1])
    for i in range(int(2 * max(area) / pitch)):
        for j in range(int(2 * max(area) / tall)):
            if rng.random() > share:
                continue
            centre = origin + along * (start[0] + i * pitch) + down * (start[1] + j * tall)
            centre = centre + rng.normal(0, loose * size[0] + 1e-9, 2)
            quad = rectangle(centre, size, turn + float(rng.normal(0, loose + 1e-9)))
            if _inside(centre, area) and not _meets(quad, quads, 0.06):
                quads.append(quad)
    return quads


def _upon(rng: Random, below: list[Quad], size: tuple[float, float]) -> list[Quad]:
    """Pieces that lie on others, most of which stay in sight."""
    quads = []
    for quad in below:
        if rng.random() < 0.4:
            angle = float(rng.uniform(0, 2 * np.pi))
            away = (
                np.array([np.cos(angle), np.sin(angle)]) * size[0] * float(rng.uniform(0.45, 1.1))
            )
            tilted = rectangle(quad.mean(axis=0) + away, size, float(rng.uniform(0, 2 * np.pi)))
            quads.append(tilted + rng.normal(0, 0.015 * size[0], (4, 2)))
    return quads


def _inside(centre: NDArray[np.float64], area: tuple[int, int]) -> bool:
    return bool((centre > -20).all() and (centre < np.array(area) + 20).all())


def _meets(quad: Quad, others: list[Quad], share: float) -> bool:
    reach = float(np.hypot(*(quad[2] - quad[0])))
    centre = quad.mean(axis=0)
    return any(
        np.hypot(*(other.mean(axis=0) - centre)) < reach and _overlap(quad, other) > share
        for other in others
    )


def _overlap(one: Quad, other: Quad) -> float:
    """Area that two convex quads share, over the first's."""
    common, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(common) / max(float(abs(cv2.contourArea(one.astype(np.float32)))), 1e-6)
