"""What ink and ground look like: colours, textures, shading, frames."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from models.prints.icons import Mask, rim, silhouette

Colour = NDArray[np.float32]
Picture = NDArray[np.float32]

#: Least difference in one channel between an ink and the paper.
STANDS_OUT = 70.0


def colour(rng: np.random.Generator, hue: float, pure: float, light: float) -> Colour:
    """A BGR colour, 0 to 255, of hue 0 to 1, purity and lightness 0 to 1."""
    angle = 2 * np.pi * hue
    around = np.cos(angle - np.array([4, 2, 0]) * np.pi / 3)
    # Lightness as the eye weighs the channels, so that yellow is light and blue dark.
    bright = light * (0.75 + 0.35 * float(around @ [0.1, 0.55, 0.35]))
    mixed = bright * (1 + pure * around * rng.uniform(0.9, 1.1))
    return np.asarray(np.clip(mixed * 255, 0, 255), np.float32)


def inks(rng: np.random.Generator, n: int, paper: Colour) -> list[Colour]:
    """`n` colours that stand out from `paper`: of all hues, or sometimes of close ones."""
    dark_ground = float(paper.mean()) < 110
    start = rng.uniform()
    close = rng.uniform() < 0.35
    step = rng.uniform(0.06, 0.12) if close else 1 / max(n, 3)
    made = []
    for k in range(n):
        hue = start + k * step + rng.uniform(-0.2, 0.2) * step
        light = rng.uniform(0.55, 1.0) if dark_ground else rng.uniform(0.3, 0.85)
        made.append(colour(rng, hue, rng.uniform(0.5, 1.0), light))
    if n > 1 and rng.uniform() < 0.3:
        grey = rng.uniform(200, 250) if dark_ground else rng.uniform(10, 60)
        made[int(rng.integers(n))] = np.full(3, grey, np.float32)
    return [_apart(ink, paper) for ink in made]


def _apart(ink: Colour, paper: Colour) -> Colour:
    """The ink, darker or lighter if it would hardly be seen on the paper."""
    missing = STANDS_OUT - float(abs(ink - paper).max())
    if missing <= 0:
        return ink
    away = 1.0 if paper.mean() < 128 else -1.0
    return np.asarray(np.clip(ink + away * 2 * missing, 0, 255), np.float32)


def ground(rng: np.random.Generator) -> Colour:
    """The colour of the stock: white, cream, black, or a colour."""
    kind = rng.uniform()
    if kind < 0.35:
        return np.asarray(rng.uniform(215, 255) * rng.uniform(0.96, 1, 3), np.float32)
    if kind < 0.55:
        return np.asarray(np.array([180, 215, 235]) * rng.uniform(0.85, 1.05, 3), np.float32)
    if kind < 0.75:
        return np.asarray(rng.uniform(8, 45) * rng.uniform(0.9, 1.1, 3), np.float32)
    return colour(rng, rng.uniform(), rng.uniform(0.1, 0.7), rng.uniform(0.25, 0.95))


def clouds(rng: np.random.Generator, size: tuple[int, int], grain: int) -> Picture:
    """Smooth noise (height, width) of deviation about 1; `grain` cells along a side."""
    seeds = rng.standard_normal((grain + 1, grain + 1)).astype(np.float32)
    return np.asarray(cv2.resize(seeds, size, interpolation=cv2.INTER_CUBIC), np.float32)


def stock(rng: np.random.Generator, size: tuple[int, int], base: Colour, rough: float) -> Picture:
    """A ground (height, width, 3) with texture of strength `rough`, 0 for flat."""
    picture = np.full((size[1], size[0], 3), base, np.float32)
    if rough:
        wide = clouds(rng, size, int(rng.integers(2, 5)))
        fine = clouds(rng, size, int(rng.integers(8, 24)))
        picture *= (1 + rough * (0.6 * wide + 0.4 * fine))[..., None]
    return picture


def paint(
    rng: np.random.Generator, mask: Mask, ink: Colour, paper: Colour, style: str, bold: float
) -> tuple[Picture, Picture]:
    """A symbol in one of STYLES: colours (side, side, 3) and opacity (side, side), 0 to 1.

    `bold`, about 1, is how wide its lines are.
    """
    side = len(mask)
    inked = np.broadcast_to(ink, (side, side, 3)).astype(np.float32)
    solid = silhouette(mask)
    edge = rim(solid, 0.03 * bold)
    if style == "flat":
        return inked, _share(mask)
    if style == "solid":
        return inked, _share(solid)
    if style == "outline":
        return inked, _share(rim(solid, 0.05 * bold))
    if style == "thick":
        return inked, _share(rim(solid, 0.12 * bold))
    if style == "striped":
        return inked, _share(np.maximum(edge, np.minimum(_stripes(side, 14 / bold), solid)))
    if style == "tinted":
        pale = 0.35 * ink + 0.65 * paper
        share = _share(edge)[..., None]
        return np.asarray(inked * share + pale * (1 - share), np.float32), _share(solid)
    if style == "detailed":
        lines = _share(np.minimum(mask, solid))[..., None]
        dark = ink * 0.35
        return np.asarray(inked * (1 - lines) + dark * lines, np.float32), _share(solid)
    # Painterly: light from one side, cloudy colour, a dark edge.
    x, y = np.meshgrid(np.linspace(-1, 1, side), np.linspace(-1, 1, side))
    towards = rng.uniform(0, 2 * np.pi)
    lit = (
        1 + 0.3 * (x * np.cos(towards) + y * np.sin(towards)) + 0.12 * clouds(rng, (side, side), 8)
    )
    hole = 1 - 0.45 * _share(np.minimum(solid, 255 - mask)) * (mask.mean() < solid.mean() * 0.97)
    shaded = inked * (lit * hole * (1 - 0.5 * _share(edge)))[..., None]
    return np.asarray(np.clip(shaded, 0, 255), np.float32), _share(solid)


#: Ways to print a symbol. The first four of a solid form differ only in shading.
STYLES = ("solid", "outline", "striped", "tinted", "flat", "thick", "detailed", "painted")


def frame(
    picture: Picture, widths: Sequence[float], colours: Sequence[Colour], inset: float
) -> None:
    """Draws rectangles of these widths and colours along the edge, outermost first.

    `widths` and `inset`, the distance of the first from the edge, are shares of the shorter side.
    """
    height, width = picture.shape[:2]
    at = inset * min(height, width)
    for share, ink in zip(widths, colours, strict=True):
        thick = share * min(height, width)
        outer = _inside(height, width, at)
        inner = _inside(height, width, at + thick)
        cover = np.clip(outer - inner, 0, 1)[..., None]
        picture += cover * (ink - picture)
        at += thick


def rounded(height: int, width: int, radius: float) -> Picture:
    """Opacity (height, width), 0 to 1, of a rectangle with round corners of `radius` pixels."""
    radius = max(radius, 0.5)  # A pixel's middle is so far from the edge: it is covered whole.
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) + 0.5
    beside = np.maximum(abs(x - width / 2) - width / 2 + radius, 0)
    below = np.maximum(abs(y - height / 2) - height / 2 + radius, 0)
    return np.asarray(np.clip(radius + 0.5 - np.hypot(beside, below), 0, 1), np.float32)


def _inside(height: int, width: int, inset: float) -> Picture:
    """How far each pixel lies inside a rectangle of this inset, clipped to 0 … 1."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) + 0.5
    inward = np.minimum(np.minimum(x, width - x), np.minimum(y, height - y))
    return np.asarray(np.clip(inward - inset + 0.5, 0, 1), np.float32)


def _stripes(side: int, number: float) -> Mask:
    """Upright stripes."""
    x = np.arange(side) * number / side % 1
    row = np.clip((0.35 - abs(x - 0.5)) * 255 * 4, 0, 255)
    return np.asarray(np.broadcast_to(row, (side, side)), np.uint8)


def _share(mask: Mask) -> Picture:
    return np.asarray(mask, np.float32) / np.float32(255)
