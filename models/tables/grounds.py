"""What pieces lie on: table tops, cloths, floors and printed boards."""

from __future__ import annotations

import cv2
import numpy as np

from models.tables.canvas import (
    Array,
    Colour,
    Image,
    Random,
    any_colour,
    clouds,
    fill,
    lit,
    rectangle,
    stroke,
    tinted,
)

_WOODS = ((150, 190, 215), (105, 160, 200), (80, 130, 178), (60, 95, 145), (42, 66, 105),
          (30, 42, 66), (24, 26, 30), (200, 215, 225), (120, 128, 135))  # fmt: skip


def ground(rng: Random, size: tuple[int, int], unit: float, like: Colour | None = None) -> Image:
    """A bare table of (width, height) pixels; pieces on it are about `unit` pixels wide.

    On the whole it has about the colour `like`, if one is given.
    """
    makers = (_wood, _wood, _cloth, _felt, _felt, _plain, _plain, _stone, _carpet, _checks,
              _floor, _print)  # fmt: skip
    levels = makers[int(rng.integers(len(makers)))](rng, size, unit)
    if like is not None:
        levels = levels * (_near(rng, like) / np.maximum(levels.mean(axis=(0, 1)), 1.0))
    return np.asarray(np.clip(levels, 0, 255), np.uint8)


def _near(rng: Random, colour: Colour) -> Array:
    """A colour hard to tell from the given one, or a little lighter or darker."""
    tone = float(np.exp(rng.normal(0, 0.08)))
    return np.array(tinted(rng, lit(colour, tone), float(rng.uniform(1, 12))), np.float32)


def _turned(rng: Random, levels: Array, size: tuple[int, int]) -> Array:
    """The middle of a larger picture, turned by any angle."""
    height, width = levels.shape[:2]
    angle = float(rng.choice([0.0, 90.0])) + float(rng.normal(0, 12.0))
    middle = (width / 2, height / 2)
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, angle, 1.0), np.float64)
    matrix[:, 2] += np.array([size[0] - width, size[1] - height]) / 2
    return np.asarray(
        cv2.warpAffine(levels, matrix, size, borderMode=cv2.BORDER_REFLECT_101), np.float32
    )


def _larger(size: tuple[int, int]) -> tuple[int, int]:
    return int(1.25 * size[0]), int(1.25 * size[1])


def _dyed(rng: Random, shade: Array, colour: tuple[int, int, int]) -> Array:
    tint = 1.0 + rng.normal(0, 0.02, 3).astype(np.float32)
    return np.asarray(shade[..., None] * (np.array(colour, np.float32) * tint), np.float32)


def _wood(rng: Random, size: tuple[int, int], unit: float) -> Array:
    big = _larger(size)
    base = tinted(rng, _WOODS[int(rng.integers(len(_WOODS)))], 8)
    grain, scale = float(rng.uniform(0.03, 0.3)), unit * float(rng.uniform(0.4, 2.5))
    wobble = clouds(rng, big, 12 * scale, scale)
    y = np.arange(big[1], dtype=np.float32)[:, None]
    rings = ((y / scale * 2 + wobble * float(rng.uniform(0.5, 3))) % 1.0) ** 2
    shade = 1.0 - grain * rings
    shade += 0.3 * grain * clouds(rng, big, 1.2 * unit, max(1.0, unit / 20))
    if rng.random() < 0.5:  # Planks, with gaps between them.
        plank = unit * float(rng.uniform(1.5, 6))
        tone = rng.normal(1, 0.07, int(big[1] / plank) + 2).astype(np.float32)
        shade *= tone[(y / plank).astype(int)]
        depth, width = float(rng.uniform(0, 0.8)), float(rng.uniform(0.6, 3))
        beside = np.minimum(y % plank, plank - y % plank)
        shade *= 1.0 - depth * np.exp(-((beside / width) ** 2))
    return _turned(rng, _dyed(rng, np.asarray(shade, np.float32), base), size)


def _cloth(rng: Random, size: tuple[int, int], unit: float) -> Array:
    big = _larger(size)
    x, y = (np.arange(n, dtype=np.float32) for n in big)
    period = max(2.0, unit * float(rng.uniform(0.05, 0.2)))
    weave = np.sin(2 * np.pi * x / period)[None] * np.sin(2 * np.pi * y / period)[:, None]
    shade = 1.0 + float(rng.uniform(0.02, 0.12)) * weave
    shade += 0.05 * clouds(rng, big, 1, 2 * unit) + 0.05 * clouds(rng, big, 2 * unit, 1)
    shade += float(rng.uniform(0, 0.08)) * clouds(rng, big, 6 * unit, 3 * unit)
    levels = _dyed(rng, shade.astype(np.float32), any_colour(rng, (0.0, 0.8)))
    if rng.random() < 0.3:  # Stripes or gingham.
        other = np.array(any_colour(rng, (0.0, 0.8)), np.float32)
        pitch = unit * float(rng.uniform(0.5, 3))
        for along in (x[None, :, None], y[:, None, None])[: 1 + int(rng.random() < 0.6)]:
            on = ((along / pitch) % 1.0 < float(rng.uniform(0.2, 0.6))).astype(np.float32)
            levels = levels + 0.45 * on * (other - levels)
    return _turned(rng, np.asarray(levels, np.float32), size)


def _felt(rng: Random, size: tuple[int, int], unit: float) -> Array:
    shade = 1.0 + 0.03 * clouds(rng, size, 3, 1.3) + 0.03 * clouds(rng, size, 1.3, 3)
    shade += 0.04 * clouds(rng, size, 4 * unit, 4 * unit)
    return _dyed(rng, np.asarray(shade, np.float32), any_colour(rng, (0.0, 0.9)))


def _plain(rng: Random, size: tuple[int, int], unit: float) -> Array:
    shade = 1.0 + float(rng.uniform(0, 0.02)) * clouds(rng, size, 1, 1)
    shade += float(rng.uniform(0, 0.1)) * clouds(rng, size, 8 * unit, 8 * unit)
    return _dyed(rng, np.asarray(shade, np.float32), any_colour(rng, (0.0, 0.3)))


def _stone(rng: Random, size: tuple[int, int], unit: float) -> Array:
    shade = np.ones(size[::-1], np.float32)
    for k in range(4):
        lump = unit * 3 / 2**k
        shade += 0.06 * clouds(rng, size, lump, lump)
    veins = np.abs(clouds(rng, size, 3 * unit, 2 * unit) + 0.3 * clouds(rng, size, unit, unit))
    shade -= float(rng.uniform(0, 0.5)) * np.exp(-((veins / 0.06) ** 2))
    levels = _dyed(rng, shade, any_colour(rng, (0.0, 0.25)))
    if rng.random() < 0.4:  # Terrazzo: chips of other colours.
        chips = clouds(rng, size, unit / 4, unit / 4)
        for low in (1.2, -1.8):
            on = (chips > low) if low > 0 else (chips < low)
            levels[on] = np.array(any_colour(rng, (0, 0.5)), np.float32)
    return levels


def _carpet(rng: Random, size: tuple[int, int], unit: float) -> Array:
    lump = max(1.0, unit * float(rng.uniform(0.02, 0.12)))
    depth = float(rng.uniform(0.06, 0.3))
    shade = 1.0 + depth * clouds(rng, size, lump, lump) + 0.05 * clouds(rng, size, unit, unit)
    levels = _dyed(rng, np.asarray(shade, np.float32), any_colour(rng, (0.0, 0.4)))
    levels += 12 * clouds(rng, size, lump, lump)[..., None] * rng.normal(0, 1, 3)
    return np.asarray(levels, np.float32)


def _checks(rng: Random, size: tuple[int, int], unit: float) -> Array:
    big = _larger(size)
    pitch = unit * float(rng.uniform(0.4, 2.5))
    x, y = (np.arange(n) / pitch + float(rng.random()) for n in big)
    on = ((x[None].astype(int) + y[:, None].astype(int)) % 2).astype(np.float32)[..., None]
    one, other = (np.array(any_colour(rng, (0, 0.7)), np.float32) for _ in range(2))
    levels = one + on * (other - one)
    levels *= 1.0 + 0.03 * clouds(rng, big, unit / 4, unit / 4)[..., None]
    return _turned(rng, np.asarray(levels, np.float32), size)


def _floor(rng: Random, size: tuple[int, int], unit: float) -> Array:
    """Ceramic tiles with grout, far larger than the pieces."""
    big = _larger(size)
    base = any_colour(rng, (0, 0.4))
    levels = _dyed(rng, 1 + 0.05 * clouds(rng, big, unit, unit), base)
    pitch, width = unit * float(rng.uniform(2.2, 6)), max(1.0, unit * float(rng.uniform(0.04, 0.2)))
    grout = np.array(lit(base, float(rng.choice([0.6, 0.8, 1.2, 1.4]))), np.float32)
    for axis, n in enumerate(big[::-1]):
        on = (np.arange(n) + float(rng.uniform(0, pitch))) % pitch < width
        levels[on if axis == 0 else (slice(None), on)] = grout
    return _turned(rng, levels, size)


def _print(rng: Random, size: tuple[int, int], unit: float) -> Array:
    """Busy print: shapes of all sizes and colours, as on boards, magazines and table cloths."""
    image = np.full((*size[::-1], 3), any_colour(rng, (0, 0.6)), np.uint8)
    palette = [any_colour(rng, (0, 0.9)) for _ in range(5)]
    for _ in range(int(rng.integers(10, 120))):
        centre = rng.uniform((0, 0), size)
        reach = unit * float(rng.uniform(0.1, 1.2))
        colour = palette[int(rng.integers(5))]
        kind = rng.random()
        if kind < 0.3:
            cv2.circle(image, centre.astype(int).tolist(), int(reach), colour, -1, cv2.LINE_AA)
        elif kind < 0.6:
            count = int(rng.integers(3, 9))
            turn = np.linspace(0, 2 * np.pi, count, endpoint=False) + rng.uniform(0, 6)
            spokes = reach * rng.uniform(0.4, 1.0, count)
            fill(
                image, centre + np.stack([np.cos(turn), np.sin(turn)], 1) * spokes[:, None], colour
            )
        elif kind < 0.8:
            stroke(
                image, centre + rng.normal(0, reach * 2, (3, 2)), colour, int(rng.integers(1, 5))
            )
        else:
            word = "".join(chr(c) for c in rng.integers(65, 91, int(rng.integers(1, 8))))
            place, scale = centre.astype(int).tolist(), reach / 30
            cv2.putText(image, word, place, cv2.FONT_HERSHEY_DUPLEX, scale, colour, 1, cv2.LINE_AA)
    return image.astype(np.float32) * (1 + 0.02 * clouds(rng, size, 2, 2)[..., None])


def board(
    rng: Random, size: tuple[int, int], unit: float, like: Colour | None = None
) -> tuple[Image, float]:
    """A printed board (height, width, 4) of (width, height) pixels, and the pitch of its cells.

    It bears a grid, tracks of numbered squares, or framed squares as large as a piece, on paper
    of about the colour `like`, if one is given.
    """
    width, height = size
    colour = any_colour(rng, (0, 0.5))
    if rng.random() < 0.5:
        colour = tinted(rng, (225, 232, 235), 12)
    if like is not None:
        colour = lit(_near(rng, like), 1.0)
    shade = 1.0 + float(rng.uniform(0, 0.06)) * clouds(rng, size, unit * 2, unit * 2)
    image = np.clip(_dyed(rng, np.asarray(shade, np.float32), colour), 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        _masonry(rng, image, unit, colour)
    ink = lit(colour, float(rng.choice([0.3, 0.55, 0.75, 0.9, 1.15])))
    accent = any_colour(rng, (0.3, 1))
    pitch = unit * float(rng.choice([1.0, 1.03, 1.1, 1.3, 0.5, 0.7, 1.6]))
    start = rng.uniform(0, pitch, 2)
    thin = max(1, int(unit * rng.uniform(0.01, 0.05)))
    kind = rng.random()
    if kind < 0.5:
        for at in np.arange(start[0], width, pitch):
            stroke(image, [(at, 0), (at, height)], ink, thin)
        for at in np.arange(start[1], height, pitch):
            stroke(image, [(0, at), (width, at)], ink, thin)
    filled = float(rng.choice([0.0, 0.0, 0.05, 0.15, 0.6], p=[0.4, 0.2, 0.2, 0.15, 0.05]))
    for x in np.arange(start[0], width - pitch, pitch):
        for y in np.arange(start[1], height - pitch, pitch):
            if rng.random() < filled:
                _cell(rng, image, (x + pitch / 2, y + pitch / 2), pitch, ink, accent)
    if rng.random() < 0.4:  # A track of small numbered squares along a side.
        step = unit * float(rng.uniform(0.3, 0.6))
        for row in range(int(rng.integers(1, 4))):
            for k in range(int(width / step)):
                quad = rectangle(((k + 0.5) * step, (row + 0.6) * step), (step, step), 0)
                fill(image, quad, lit(accent, 1.1 if (k + row) % 2 else 1.0))
                stroke(image, quad, ink, 1, closed=True)
    if rng.random() < 0.7:  # A band around it.
        inset = unit * float(rng.uniform(0, 0.5))
        frame = rectangle((width / 2, height / 2), (width - inset * 2, height - inset * 2), 0)
        stroke(image, frame, accent, max(1, int(unit * rng.uniform(0.02, 0.3))), closed=True)
    if rng.random() < 0.4:  # A thin line inside it, with rounded corners.
        _rounded(image, unit * float(rng.uniform(0.3, 0.9)), unit, ink, thin)
    return np.dstack([image, np.full((height, width), 255, np.uint8)]), pitch


def _masonry(rng: Random, image: Image, unit: float, colour: Colour) -> None:
    """Courses of faint stones or boards, some of them of another tone."""
    height, width = image.shape[:2]
    course = unit * float(rng.uniform(0.25, 1.2))
    long_ = course * float(rng.uniform(1.5, 4))
    line = lit(colour, float(rng.choice([0.8, 0.9, 0.95, 1.06, 1.12])))
    for row in range(int(height / course) + 1):
        for column in range(-1, int(width / long_) + 1):
            left, top = (column + 0.5 * (row % 2)) * long_, row * course
            quad = rectangle((left + long_ / 2, top + course / 2), (long_, course), 0)
            if rng.random() < 0.25:
                fill(image, quad, lit(colour, float(rng.normal(1, 0.03))))
            stroke(image, quad, line, 1, closed=True)


def _rounded(image: Image, inset: float, unit: float, ink: Colour, width: int) -> None:
    """A rectangle with round corners, `inset` pixels inside the picture's border."""
    rows, columns = image.shape[:2]
    radius = min(0.3 * unit, columns / 2 - inset, rows / 2 - inset)
    if radius <= 0:
        return
    turn = np.linspace(0, np.pi / 2, 6)
    arc = radius * np.column_stack([np.cos(turn), np.sin(turn)])
    left, top, right, bottom = inset + radius, inset + radius, columns - inset, rows - inset
    middles = [(right - radius, bottom - radius), (left, bottom - radius), (left, top),
               (right - radius, top)]  # fmt: skip
    corners = []
    for quarter, middle in enumerate(middles):
        cos, sin = np.cos(quarter * np.pi / 2), np.sin(quarter * np.pi / 2)
        corners.append(np.array(middle) + arc @ np.array([[cos, sin], [-sin, cos]]))
    stroke(image, np.concatenate(corners), ink, width, closed=True)


def _cell(
    rng: Random,
    image: Image,
    centre: tuple[float, float],
    pitch: float,
    ink: tuple[int, int, int],
    accent: tuple[int, int, int],
) -> None:
    """A printed square with a frame, or a tint, or a sign in it."""
    side = pitch * float(rng.uniform(0.8, 1.0))
    quad = rectangle(centre, (side, side), 0)
    kind = rng.random()
    if kind < 0.4:
        fill(image, quad, lit(accent, float(rng.uniform(0.8, 1.2))))
    if kind > 0.3:
        stroke(
            image, quad, accent if rng.random() < 0.5 else ink, max(1, int(side / 12)), closed=True
        )
    if rng.random() < 0.6:
        at = (int(centre[0] - side * 0.25), int(centre[1] + side * 0.25))
        sign = str(int(rng.integers(0, 30)))
        cv2.putText(image, sign, at, cv2.FONT_HERSHEY_DUPLEX, side / 45, ink, 1, cv2.LINE_AA)
