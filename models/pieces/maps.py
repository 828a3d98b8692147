"""Prints of maps that nobody sells: fields of any terrain, with icons, fog, frames and clutter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Levels = NDArray[np.float32]
Colour = NDArray[np.float32]

#: Resolution of a print.
PX_PER_MM = 2.5


@dataclass(frozen=True, eq=False)
class Map:
    """A print (BGRA, `PX_PER_MM`), and its fields: upper left corners (n, 2) and side in mm."""

    print: Image
    size: tuple[float, float]
    corners: NDArray[np.float32]
    side: float


def random_map(rng: np.random.Generator, paints: Sequence[tuple[int, int, int]]) -> Map:
    """A map of 3 x 3 to 7 x 7 fields; some of its ink is like `paints` (BGR)."""
    rows, columns = (int(n) for n in rng.integers(3, 8, 2))
    side = float(rng.uniform(26.0, 46.0))
    border = float(rng.uniform(3.0, 26.0))
    size = (columns * side + 2 * border, rows * side + 2 * border)
    width, height = (round(length * PX_PER_MM) for length in size)
    ink = _Ink(rng, paints)
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = ink.any()
    if rng.random() < 0.5:
        canvas += _cloud(rng, (height, width), int(rng.integers(4, 40)))[..., None] * 25.0
    terrains = [_Terrain(rng, ink) for _ in range(int(rng.integers(2, 8)))]
    region = int(rng.integers(1, 4))
    fog = rng.random((-(-rows // region), -(-columns // region))) < rng.choice([0.0, 0.15, 0.35])
    fog_terrain = _Terrain(rng, ink)
    step, start = side * PX_PER_MM, border * PX_PER_MM
    line = float(rng.choice([0.0, 0.4, 0.8, 1.6]))
    line_ink = ink.any()
    corners = []
    for row in range(rows):
        for column in range(columns):
            corners.append((border + column * side, border + row * side))
            x0, y0 = round(start + column * step), round(start + row * step)
            x1, y1 = round(start + (column + 1) * step), round(start + (row + 1) * step)
            part = canvas[y0:y1, x0:x1]
            if fog[row // region, column // region]:
                fog_terrain.fill(part, rng, icons=False)
            else:
                terrains[int(rng.integers(len(terrains)))].fill(part, rng)
            if line:
                cv2.rectangle(
                    canvas, (x0, y0), (x1, y1), line_ink.tolist(), max(1, round(line * PX_PER_MM))
                )
    _regions(canvas, rng, ink, (rows, columns), region, start, step)
    for _ in range(int(rng.integers(0, 12))):
        _clutter(canvas, rng, ink)
    if rng.random() < 0.5:
        canvas += _cloud(rng, (height, width), int(rng.integers(8, 120)))[..., None] * 12.0
    if rng.random() < 0.5:
        canvas += rng.standard_normal((height, width, 1), np.float32) * rng.uniform(2, 9)
    if rng.random() < 0.35:
        canvas = canvas * 0.55 + 255.0 * 0.4
    elif rng.random() < 0.25:
        canvas = canvas * 0.6
    printed = np.full((height, width, 4), 255, np.uint8)
    printed[..., :3] = canvas.clip(0, 255)
    return Map(printed, size, np.array(corners, np.float32), side)


class _Ink:
    """Draws colours at random: any, earthy, grey, or like one of the paints."""

    def __init__(self, rng: np.random.Generator, paints: Sequence[tuple[int, int, int]]) -> None:
        self._rng, self._paints = rng, paints

    def any(self) -> Colour:
        """A colour, BGR."""
        rng, kind = self._rng, self._rng.random()
        if kind < 0.25:
            near = np.array(self._paints[int(rng.integers(len(self._paints)))], np.float32)
            return np.asarray((near * rng.uniform(0.5, 1.4) + rng.normal(0, 14, 3)), np.float32)
        if kind < 0.45:
            return np.asarray(rng.uniform(30, 245) + rng.normal(0, 9, 3), np.float32)
        hue, full = rng.uniform(0, 180), rng.uniform(30, 255) * rng.uniform(0.3, 1.0)
        pixel = np.array([[[hue, full, rng.uniform(40, 250)]]]).astype(np.uint8)
        return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float32)

    def near(self, colour: Colour) -> Colour:
        """A colour a little darker or paler than another."""
        rng = self._rng
        return np.asarray(colour * rng.uniform(0.55, 1.35) + rng.normal(0, 8, 3), np.float32)


class _Terrain:
    """A kind of field: a ground with texture, and what is drawn on it."""

    def __init__(self, rng: np.random.Generator, ink: _Ink) -> None:
        self._ground = ink.any()
        self._grain = float(rng.choice([0.0, 6.0, 14.0, 28.0]))
        self._cell = int(rng.integers(3, 26))
        self._marks = int(rng.choice([0, 0, 12, 40]))
        self._mark_ink = ink.near(self._ground)
        self._icons = [_Icon(rng, ink) for _ in range(int(rng.integers(0, 4)))]

    def fill(self, part: Levels, rng: np.random.Generator, *, icons: bool = True) -> None:
        """Draws a field on `part` (h, w, 3)."""
        height, width = part.shape[:2]
        ground = np.empty_like(part)
        ground[:] = self._ground
        if self._grain:
            ground += _cloud(rng, (height, width), self._cell)[..., None] * self._grain
        for _ in range(self._marks):
            x, y = (int(v) for v in rng.uniform(0, (width, height)))
            dx, dy = (int(v) for v in rng.normal(0, 4, 2))
            cv2.line(ground, (x, y), (x + dx, y + dy), self._mark_ink.tolist(), 1, cv2.LINE_AA)
        for icon in self._icons if icons else ():
            icon.draw(ground, rng)
        part[:] = ground


class _Icon:
    """A symbol: polygons and discs in two inks, some with an outline."""

    def __init__(self, rng: np.random.Generator, ink: _Ink) -> None:
        self._kind = str(
            rng.choice(
                ["peak", "castle", "house", "trees", "disc", "blot", "figure", "text", "hex"]
            )
        )
        self._fill, self._second = ink.any(), ink.any()
        self._outline = None if rng.random() < 0.4 else (rng.uniform(0, 90) * np.ones(3))
        self._many = int(rng.choice([1, 1, 1, 2, 3]))
        self._share = float(rng.uniform(0.15, 0.6))
        self._letters = "".join(chr(int(c)) for c in rng.integers(48, 91, int(rng.integers(1, 5))))

    def draw(self, field: Levels, rng: np.random.Generator) -> None:
        """Draws it once or more on a field."""
        side = min(field.shape[:2])
        turn = float(rng.integers(4)) * 90.0 if rng.random() < 0.7 else float(rng.uniform(0, 360))
        for _ in range(self._many):
            size = self._share * side / np.sqrt(self._many) * rng.uniform(0.8, 1.2)
            at = rng.uniform(0.15, 0.85, 2) * (field.shape[1], field.shape[0])
            for points, second in self._shapes(rng):
                self._polygon(field, points, at, size, turn, second)
            if self._kind == "text":
                # OpenCV writes on bytes only.
                text = np.zeros(field.shape[:2], np.uint8)
                start = (int(at[0] - size / 2), int(at[1]))
                font, bold = int(rng.integers(0, 5)), int(rng.integers(1, 4))
                cv2.putText(text, self._letters, start, font, size / 45, 255, bold, cv2.LINE_AA)
                cover = text[..., None].astype(np.float32) / 255
                field += cover * (self._fill - field)

    def _shapes(self, rng: np.random.Generator) -> list[tuple[NDArray[np.float64], bool]]:
        """Outlines in units of the icon's size, and whether they are in the second ink."""
        if self._kind == "peak":
            peak = np.array([(-0.5, 0.4), (0.0, -0.45), (0.5, 0.4)])
            snow = np.array([(-0.14, -0.2), (0.0, -0.45), (0.14, -0.2)])
            beside = peak * 0.7 + (0.4, 0.12)
            return [(beside, False), (peak, False), (snow, True)]
        if self._kind == "castle":
            x = [-0.5, -0.5, -0.25, -0.25, -0.1, -0.1, 0.1, 0.1, 0.25, 0.25, 0.5, 0.5]
            y = [0.5, -0.5, -0.5, -0.25, -0.25, -0.5, -0.5, -0.25, -0.25, -0.5, -0.5, 0.5]
            gate = np.array([(-0.12, 0.5), (-0.12, 0.1), (0.12, 0.1), (0.12, 0.5)])
            return [(np.column_stack([x, y]), False), (gate, True)]
        if self._kind == "house":
            wall = np.array([(-0.35, 0.0), (0.35, 0.0), (0.35, 0.4), (-0.35, 0.4)])
            roof = np.array([(-0.5, 0.05), (0.0, -0.4), (0.5, 0.05)])
            return [(wall, False), (roof, True)]
        if self._kind == "trees":
            spots = rng.uniform(-0.8, 0.8, (int(rng.integers(3, 9)), 2))
            return [(_ring(12) * rng.uniform(0.1, 0.25) + spot, False) for spot in spots]
        if self._kind == "disc":
            inner = float(rng.uniform(0.3, 0.9))
            return [(_ring(28) * 0.5, False), (_ring(28) * 0.5 * inner, True)]
        if self._kind == "figure":
            # A picture of a piece: a printed foot and head in flat ink.
            body = np.array([(-0.3, 0.5), (-0.12, -0.15), (0.12, -0.15), (0.3, 0.5)])
            return [(body, False), (_ring(16) * 0.22 + (0, -0.28), False)]
        if self._kind == "hex":
            return [(_ring(int(rng.integers(3, 9))) * 0.5, bool(rng.random() < 0.5))]
        if self._kind == "blot":
            count = int(rng.integers(5, 12))
            return [(_ring(count) * rng.uniform(0.2, 0.6, (count, 1)), False)]
        return []

    def _polygon(
        self,
        field: Levels,
        points: NDArray[np.float64],
        at: NDArray[np.float64],
        size: float,
        turn: float,
        second: bool,
    ) -> None:
        c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
        fixed = np.rint((points @ np.array([[c, s], [-s, c]]) * size + at) * 16).astype(np.int32)
        ink = self._second if second else self._fill
        cv2.fillPoly(field, [fixed], ink.tolist(), cv2.LINE_AA, 4)
        if self._outline is not None:
            cv2.polylines(field, [fixed], True, self._outline.tolist(), 1, cv2.LINE_AA, 4)


def _regions(
    canvas: Levels,
    rng: np.random.Generator,
    ink: _Ink,
    grid: tuple[int, int],
    region: int,
    start: float,
    step: float,
) -> None:
    """Seams and shades between the pieces of cardboard that a map is put together from."""
    if rng.random() < 0.4:
        return
    colour, wide = ink.any().tolist(), int(rng.integers(1, 4))
    for row in range(0, grid[0], region):
        for column in range(0, grid[1], region):
            x0, y0 = round(start + column * step), round(start + row * step)
            x1 = round(start + min(column + region, grid[1]) * step)
            y1 = round(start + min(row + region, grid[0]) * step)
            canvas[y0:y1, x0:x1] *= rng.uniform(0.93, 1.05)
            cv2.rectangle(canvas, (x0, y0), (x1, y1), colour, wide, cv2.LINE_AA)


def _clutter(canvas: Levels, rng: np.random.Generator, ink: _Ink) -> None:
    """Text, a path or a disc anywhere on the map."""
    height, width = canvas.shape[:2]
    x, y = (int(v) for v in rng.uniform(0, (width, height)))
    kind = rng.random()
    if kind < 0.4:
        _Icon(rng, ink).draw(canvas[max(0, y - 40) : y + 60, max(0, x - 40) : x + 60], rng)
    elif kind < 0.7:
        points = np.array((x, y)) + np.cumsum(rng.normal(0, 25, (6, 2)), axis=0)
        wide = int(rng.integers(1, 7))
        cv2.polylines(
            canvas, [points.astype(np.int32)], False, ink.any().tolist(), wide, cv2.LINE_AA
        )
    else:
        radius = int(rng.uniform(4, 22))
        cv2.circle(canvas, (x, y), radius, ink.any().tolist(), -1, cv2.LINE_AA)


def _ring(count: int) -> NDArray[np.float64]:
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _cloud(rng: np.random.Generator, shape: tuple[int, int], cell: int) -> Levels:
    """Smooth noise of deviation about 1 with blots of `cell` pixels."""
    rows, columns = (-(-n // cell) + 2 for n in shape)
    coarse = rng.standard_normal((rows, columns), np.float32)
    size = (columns * cell, rows * cell)
    kind = cv2.INTER_CUBIC if rng.random() < 0.8 else cv2.INTER_NEAREST
    fine = cv2.resize(coarse, size, interpolation=kind)
    return np.asarray(fine[: shape[0], : shape[1]], np.float32)
