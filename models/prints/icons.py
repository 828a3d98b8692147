"""Symbols for procedural faces: the glyphs of public icon fonts, and plain geometric forms.

The fonts come with the Python package QtAwesome, which the group `train` pins; see README.md for
their licences. Nothing of the package is run: its font files are only read.
"""

from __future__ import annotations

import importlib.util
import json
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

Mask = NDArray[np.uint8]

#: Side in pixels of a mask; the symbol touches its edges.
SIDE = 96
#: Fonts whose licence allows any use, with their lists of characters.
FONTS = (
    ("materialdesignicons6-webfont-6.9.96.ttf", "materialdesignicons6-webfont-charmap-6.9.96.json"),
    ("phosphor-1.3.0.ttf", "phosphor-charmap-1.3.0.json"),
    ("remixicon-2.5.0.ttf", "remixicon-charmap-2.5.0.json"),
)
#: Glyphs that cover less of their square than this are dashes and dots, and no symbols.
BARE = 0.08
#: Masks are drawn so many times larger, for smooth edges.
_FINE = 4


class Icons:
    """The glyphs by number; drawing the same one again is free for the last few thousand."""

    def __init__(self) -> None:
        """Raises FileNotFoundError if the package with the fonts is not installed."""
        spec = importlib.util.find_spec("qtawesome")
        if spec is None or spec.origin is None:
            raise FileNotFoundError(
                "The icon fonts are missing: install the packages of the group train."
            )
        folder = Path(spec.origin).parent / "fonts"
        self._glyphs: list[tuple[ImageFont.FreeTypeFont, str]] = []
        for font_file, list_file in FONTS:
            font = ImageFont.truetype(str(folder / font_file), 2 * SIDE)
            names = json.loads((folder / list_file).read_text(encoding="utf-8"))
            characters = sorted({int(code, 16) for code in names.values()})
            self._glyphs += [(font, chr(code)) for code in characters]
        self._draw = lru_cache(maxsize=4096)(self._drawn)

    def __len__(self) -> int:
        return len(self._glyphs)

    def random(self, rng: np.random.Generator) -> Mask:
        """One of the glyphs as a mask (SIDE, SIDE), 255 inside; its own shape, not stretched."""
        for _ in range(20):
            mask = self._draw(int(rng.integers(len(self._glyphs))))
            if mask is not None:
                return mask
        return form(rng)

    def _drawn(self, number: int) -> Mask | None:
        """None for a glyph that is missing or next to nothing."""
        font, character = self._glyphs[number]
        sheet = Pillow.new("L", (3 * SIDE, 3 * SIDE))
        ImageDraw.Draw(sheet).text((SIDE // 2, SIDE // 2), character, fill=255, font=font)
        box = sheet.getbbox()
        if box is None or min(box[2] - box[0], box[3] - box[1]) < SIDE // 4:
            return None
        glyph = np.asarray(sheet.crop(box), np.uint8)
        mask = _fitted(glyph)
        return mask if mask.mean() > 255 * BARE else None


def form(rng: np.random.Generator) -> Mask:
    """A geometric form as a mask (SIDE, SIDE): what abstract games print."""
    kind = rng.integers(11)
    turn = rng.choice([0.0, 0.0, np.pi / 4, np.pi / 2])
    if kind == 0:
        outline = _ring(np.ones(72))
    elif kind == 1:
        outline = _ring(np.ones(4), np.pi / 4 + turn)
    elif kind == 2:
        outline = _ring(np.ones(int(rng.integers(3, 9))), turn)
    elif kind <= 4:
        points = int(rng.choice([4, 5, 6, 8, 12]))
        radii = np.where(np.arange(2 * points) % 2, rng.uniform(0.3, 0.65), 1.0)
        outline = _ring(radii, turn)
    elif kind == 5:
        lobes = int(rng.integers(3, 7))
        angle = np.linspace(0, 2 * np.pi, 144, endpoint=False)
        outline = _ring(1 + rng.uniform(0.15, 0.5) * np.cos(lobes * angle), turn)
    elif kind == 6:
        arm = rng.uniform(0.2, 0.45)
        corner = np.array([[-arm, -1], [arm, -1], [arm, -arm]])
        quarter = np.array([[0, -1], [1, 0]])
        outline = np.concatenate([corner @ np.linalg.matrix_power(quarter.T, k) for k in range(4)])
        outline = outline @ _turn(turn)
    elif kind == 7:
        outline = _ring(np.ones(4)) * [1, rng.uniform(0.4, 0.9)]
    elif kind == 8:
        angle = np.linspace(0, 2 * np.pi, 96, endpoint=False)
        power = rng.uniform(0.2, 1.0)
        square = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        outline = np.sign(square) * abs(square) ** power * [1, rng.uniform(0.3, 0.9)]
    elif kind == 9:
        along = np.linspace(-1, 1, 40)
        wave = rng.uniform(0.15, 0.4) * np.sin(np.pi * along * rng.uniform(0.7, 1.3))
        thick = rng.uniform(0.2, 0.4) * np.sqrt(np.clip(1 - along**4, 0, 1))
        there, back = (np.stack([along, wave + side * thick], axis=1) for side in (-1, 1))
        outline = np.concatenate([there, back[::-1]])
    else:
        outer = _ring(np.ones(60))
        bite = rng.uniform(0.3, 0.6)
        outline = np.where(
            (np.linalg.norm(outer - [bite, 0], axis=1) < 0.8)[:, None], outer * [-0.2, 1], outer
        )
    return _fitted(_filled(outline))


def silhouette(mask: Mask) -> Mask:
    """The mask with its holes filled."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(
        np.maximum(cv2.drawContours(np.zeros_like(mask), outlines, -1, 255, cv2.FILLED), mask),
        np.uint8,
    )


def rim(mask: Mask, width: float) -> Mask:
    """What of a mask lies within `width`, a share of its side, of its edge."""
    padded = np.pad(mask, 2)
    inward = cv2.distanceTransform(np.asarray(padded > 127, np.uint8), cv2.DIST_L2, 3)[2:-2, 2:-2]
    inner = np.clip(inward - width * len(mask), 0, 1) * 255
    return np.asarray(np.clip(mask - inner, 0, 255), np.uint8)


def _ring(radii: NDArray[np.float64], turn: float = 0.0) -> NDArray[np.float64]:
    """Points at these distances from the origin, evenly around, the first at the top."""
    angle = turn + np.arange(len(radii)) * 2 * np.pi / len(radii)
    return np.stack([np.sin(angle) * radii, -np.cos(angle) * radii], axis=1)


def _turn(angle: float) -> NDArray[np.float64]:
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def _filled(outline: NDArray[np.float64]) -> Mask:
    reach = float(abs(outline).max())
    points = (outline / reach * 0.49 + 0.5) * SIDE * _FINE
    sheet = np.zeros((SIDE * _FINE, SIDE * _FINE), np.uint8)
    filled = cv2.fillPoly(sheet, [np.rint(points).astype(np.int32)], 255)
    ys, xs = np.nonzero(filled)
    return np.asarray(filled[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1], np.uint8)


def _fitted(glyph: Mask) -> Mask:
    """The glyph in the middle of a mask, as large as fits."""
    height, width = glyph.shape
    scale = SIDE / max(height, width)
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    small = cv2.resize(glyph, size, interpolation=cv2.INTER_AREA)
    left, top = (SIDE - size[0]) // 2, (SIDE - size[1]) // 2
    mask = np.zeros((SIDE, SIDE), np.uint8)
    mask[top : top + size[1], left : left + size[0]] = small
    return mask
