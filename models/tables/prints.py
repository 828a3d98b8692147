"""What pieces show: the art of one set, its stock, its frames, its backs."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.prints import Prints
from models.prints.icons import Icons
from models.tables.canvas import (
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

#: Shorter side of a print, in pixels.
SIDE = 80


@dataclass(frozen=True, eq=False)
class Stock:
    """A set of equal pieces."""

    aspect: float
    """Height over width."""
    prints: tuple[Image, ...]
    """BGRA; corners may be rounded."""
    colour: Colour
    edge: Colour


def stock(rng: Random, count: int = 8) -> Stock:
    """A set with `count` different prints, faces and backs."""
    square = rng.random() < 0.62
    aspect = 1.0 if square else float(rng.uniform(1.1, 1.75))
    tone = rng.random()
    if tone < 0.5:
        colour = tinted(rng, (232, 238, 240), 10)
    elif tone < 0.72:
        colour = tinted(rng, (28, 28, 28), 9)
    else:
        colour = any_colour(rng, (0, 0.6))
    size = (SIDE, round(SIDE * aspect))
    corner = float(rng.choice([0.0, rng.uniform(0, 0.06), rng.uniform(0.04, 0.14)]))
    frame = _frame(rng, colour)
    palette = [any_colour(rng, (0.4, 1)) for _ in range(4)] + [lit(colour, 0.4)]
    draw = (_symbols, _symbols, _symbols, _pips, _court, _text, _blank)
    makers = [draw[int(rng.integers(len(draw)))] for _ in range(2)]
    prints = []
    for k in range(count):
        image = np.full((size[1], size[0], 3), colour, np.uint8)
        if k == count - 1:
            _back(rng, image, palette)
        else:
            makers[k % 2](rng, image, palette)
        if rng.random() < frame[0]:
            _draw_frame(image, frame[1], frame[2], frame[3])
        prints.append(_cut(image, corner))
    edges = (lit(colour, 0.8), (200, 205, 210), (150, 180, 200), lit(colour, 0.6))
    return Stock(aspect, tuple(prints), colour, edges[int(rng.integers(len(edges)))])


def printed(rng: Random, icons: Icons, count: int = 8) -> Stock:
    """A set with faces and a back as the network that tells faces apart is trained on."""
    aspect = 1.0 if rng.random() < 0.62 else float(rng.uniform(1.1, 1.75))
    prints = Prints(rng, icons)
    faces = prints.set(count - 1, side=round(SIDE * aspect), aspect=1 / aspect, backs=1)
    pictures = tuple(picture for face in faces for picture in (face.print, *face.others[:1]))
    rim = np.concatenate([picture[4:8, 8:-8, :3].reshape(-1, 3) for picture in pictures])
    b, g, r = np.median(rim, axis=0).astype(int).tolist()
    return Stock(aspect, pictures, (b, g, r), lit((b, g, r), float(rng.choice([0.6, 0.8, 1.0]))))


def _cut(image: Image, corner: float) -> Image:
    """The print with its corners rounded by a share of its shorter side, as BGRA."""
    height, width = image.shape[:2]
    radius = corner * min(width, height)
    mask = np.full((height, width), 255, np.uint8)
    if radius >= 1:
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        dx = np.maximum(radius - 0.5 - np.minimum(x, width - 1 - x), 0)
        dy = np.maximum(radius - 0.5 - np.minimum(y, height - 1 - y), 0)
        mask = (np.clip(radius - np.hypot(dx, dy) + 0.5, 0, 1) * 255).astype(np.uint8)
    return np.asarray(np.dstack([image, mask]), np.uint8)


def _frame(rng: Random, colour: Colour) -> tuple[float, Colour, float, float]:
    """How often a print has a frame; its colour, inset and width as shares of the width."""
    often = float(rng.choice([0.0, 0.0, 0.3, 1.0]))
    ink = (
        lit(colour, float(rng.choice([0.2, 0.5, 0.85]))) if rng.random() < 0.5 else any_colour(rng)
    )
    inset = float(rng.choice([0.0, rng.uniform(0, 0.14)]))
    return often, ink, inset, float(rng.uniform(0.015, 0.1))


def _draw_frame(image: Image, ink: Colour, inset: float, width: float) -> None:
    rows, columns = image.shape[:2]
    line = max(1, round(width * columns))
    off = inset * columns + line / 2
    middle = ((columns - 1) / 2, (rows - 1) / 2)
    stroke(image, rectangle(middle, (columns - 2 * off, rows - 2 * off), 0), ink, line, closed=True)


def _sign(rng: Random, image: Image, centre: tuple[float, float], reach: float, ink: Colour,
          shape: int) -> None:  # fmt: skip
    """One symbol; the same `shape` looks the same but for its turn."""
    kind = shape % 8
    x, y = centre
    if kind == 0:
        cv2.circle(image, (int(x), int(y)), int(reach), ink, -1, cv2.LINE_AA)
    elif kind == 1:
        axes = (int(reach), max(1, int(reach * 0.55)))
        cv2.ellipse(image, (int(x), int(y)), axes, shape % 90, 0, 360, ink, -1, cv2.LINE_AA)
    elif kind == 2:
        letter = chr(65 + shape % 26)
        at = (int(x - reach * 0.7), int(y + reach * 0.7))
        width = 1 + shape % 4
        cv2.putText(image, letter, at, cv2.FONT_HERSHEY_DUPLEX, reach / 14, ink, width, cv2.LINE_AA)
    else:
        count = 3 + shape % 7
        inner = (1.0, 0.4, 0.6, 0.75)[shape % 4]
        turn = np.arange(2 * count) * np.pi / count + (np.pi / 4 if count == 4 else 0)
        spokes = reach * np.where(np.arange(2 * count) % 2, inner, 1.0)
        fill(image, np.array(centre) + np.stack([np.cos(turn), np.sin(turn)], 1) * spokes[:, None],
             ink)  # fmt: skip
        if kind > 5:
            cv2.circle(image, (int(x), int(y)), max(1, int(reach / 3)), lit(ink, 1.6), -1)


def _symbols(rng: Random, image: Image, palette: list[Colour]) -> None:
    """One to four symbols, large or small."""
    rows, columns = image.shape[:2]
    count = int(rng.choice([1, 1, 1, 2, 3, 4]))
    ink, shape = palette[int(rng.integers(len(palette)))], int(rng.integers(1000))
    reach = columns * (
        float(rng.uniform(0.22, 0.42)) if count == 1 else float(rng.uniform(0.1, 0.17))
    )
    for k in range(count):
        angle = 2 * np.pi * k / count + 0.6
        away = 0.0 if count == 1 else 0.24
        centre = (columns * (0.5 + away * np.cos(angle)), rows * (0.5 + away * np.sin(angle)))
        _sign(rng, image, centre, reach, ink, shape)


def _pips(rng: Random, image: Image, palette: list[Colour]) -> None:
    """As many symbols in columns as a playing card has, and its index in two corners."""
    rows, columns = image.shape[:2]
    ink, shape = palette[int(rng.integers(len(palette)))], int(rng.integers(1000))
    across, down = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    for i in range(across):
        for j in range(down):
            centre = (columns * (i + 1) / (across + 1), rows * (j + 1) / (down + 1))
            _sign(rng, image, centre, columns * 0.3 / max(across, 1.5), ink, shape)
    if rng.random() < 0.5:
        for x, y in ((0.05, 0.16), (0.8, 0.95)):
            at = (int(x * columns), int(y * rows))
            cv2.putText(image, str(across * down), at, cv2.FONT_HERSHEY_DUPLEX, 0.4, ink, 1)


def _court(rng: Random, image: Image, palette: list[Colour]) -> None:
    """A busy picture within a frame."""
    rows, columns = image.shape[:2]
    left, top = int(columns * rng.uniform(0, 0.2)), int(rows * rng.uniform(0, 0.14))
    inner = image[top : rows - top, left : columns - left]
    if rng.random() < 0.5:
        inner[:] = any_colour(rng, (0, 0.6))
    high, wide = inner.shape[:2]
    for _ in range(int(rng.integers(6, 25))):
        points = rng.uniform((0, 0), (wide, high), (int(rng.integers(3, 6)), 2))
        ink = palette[int(rng.integers(len(palette)))]
        if rng.random() < 0.6:
            fill(inner, points.mean(0) + (points - points.mean(0)) * 0.5, ink)
        else:
            stroke(inner, points, ink, int(rng.integers(1, 4)))
    if rng.random() < 0.6:
        edge = [
            (left, top),
            (columns - left, top),
            (columns - left, rows - top),
            (left, rows - top),
        ]
        stroke(image, edge, palette[0], 1, closed=True)


def _text(rng: Random, image: Image, palette: list[Colour]) -> None:
    """Lines of small type, and a picture above them."""
    rows, columns = image.shape[:2]
    ink = palette[-1]
    top = rng.uniform(0.1, 0.5) * rows
    if top > 0.25 * rows:
        fill(image, [(8, 8), (columns - 8, 8), (columns - 8, top - 4), (8, top - 4)],
             palette[int(rng.integers(4))])  # fmt: skip
    for y in np.arange(top, rows - 8, rng.uniform(5, 9)):
        stroke(image, [(8, y), (columns * rng.uniform(0.6, 0.9), y)], ink, 1)


def _blank(rng: Random, image: Image, palette: list[Colour]) -> None:
    """Hardly anything: a small sign in the middle, or none."""
    rows, columns = image.shape[:2]
    if rng.random() < 0.6:
        ink, shape = palette[int(rng.integers(len(palette)))], int(rng.integers(1000))
        _sign(
            rng, image, (columns / 2, rows / 2), columns * float(rng.uniform(0.08, 0.2)), ink, shape
        )


def _back(rng: Random, image: Image, palette: list[Colour]) -> None:
    """A pattern all over, within a rim or up to the edge."""
    rows, columns = image.shape[:2]
    rim = int(columns * float(rng.choice([0.0, rng.uniform(0.03, 0.12)])))
    inner = image[rim : rows - rim, rim : columns - rim]
    inner[:] = palette[0]
    high, wide = inner.shape[:2]
    kind, ink, pitch = rng.random(), palette[1], float(rng.uniform(4, 16))
    if kind < 0.4:
        for at in np.arange(-high, wide, pitch):
            stroke(inner, [(at, 0), (at + high, high)], ink, 1)
            if rng.random() < 0.9:
                stroke(inner, [(at + high, 0), (at, high)], ink, 1)
    elif kind < 0.7:
        _sign(rng, inner, (wide / 2, high / 2), wide * 0.35, ink, int(rng.integers(1000)))
    elif kind < 0.85:
        shade = 1 + 0.15 * clouds(rng, (wide, high), pitch, pitch)
        inner[:] = np.clip(inner * shade[..., None], 0, 255)
