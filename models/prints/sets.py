"""Random sets of faces: a design that all share, and what tells them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from models.prints.icons import Icons, Mask, form
from models.prints.looks import (
    STYLES,
    Colour,
    Picture,
    clouds,
    colour,
    frame,
    ground,
    inks,
    paint,
    rounded,
    stock,
)

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Face:
    """One face: `label` is its meaning, `print` its picture BGRA uint8 (height, width, 4).

    `others` show the same meaning in another frame, if frames mean nothing in this set.
    """

    label: str
    print: Image
    others: tuple[Image, ...] = ()


@dataclass(frozen=True)
class _Design:
    """What all faces of a set share."""

    size: tuple[int, int]
    paper: Colour
    rough: float
    corner: float
    places: str
    scale: float
    bold: float
    frames: tuple[tuple[tuple[float, ...], tuple[Colour, ...], float], ...]
    frames_mean: bool


class Prints:
    """Draws sets of faces, all by the random numbers of `rng`."""

    def __init__(self, rng: np.random.Generator, icons: Icons | None = None) -> None:
        """`icons` may be shared by several; loading them takes a second."""
        self._rng = rng
        self._icons = Icons() if icons is None else icons

    def set(
        self, n: int, side: int = 96, aspect: float = 1.0, backs: int = 0, frames: int = 3
    ) -> list[Face]:
        """`n` faces with different labels, and `backs` of 0 or 1 called "back".

        `side` is the longer side in pixels, `aspect` the width over the height. In some sets
        faces differ in shape, in others only in count, colour, shading or frame, or in several of
        these. `frames` bounds how many frames a set has.
        """
        rng = self._rng
        design = self._design(side, aspect, frames)
        kinds = self._factors(n, design)
        shapes = [self._shape() for _ in range(kinds[0])]
        colours = inks(rng, kinds[1], design.paper)
        counts = rng.permutation(4)[: kinds[2]] + 1
        styles = self._styles(kinds[3])
        meant = len(design.frames) if design.frames_mean else 1
        grounds = [design.paper]
        own_ground = kinds[1] == 1 and rng.uniform() < 0.3
        each = list(product(range(kinds[0]), range(kinds[1]), counts, styles, range(meant)))
        chosen = [each[k] for k in rng.permutation(len(each))[:n]]
        tints = {
            k: np.asarray(np.clip(design.paper * rng.uniform(0.75, 1.1, 3), 0, 255), np.float32)
            for k in range(kinds[0])
        }
        own_ink = {k: inks(rng, 1, design.paper)[0] for k in range(kinds[0])} if own_ground else {}
        faces = []
        for shape, ink, count, style, border in chosen:
            paper = tints[shape] if own_ground else grounds[0]
            plain = self._drawn(
                design,
                paper,
                shapes[shape],
                own_ink.get(shape, colours[ink]),
                int(count),
                style,
            )
            if design.frames_mean:
                pictures = [self._finished(plain, design, border)]
            else:
                pictures = [self._finished(plain, design, k) for k in range(len(design.frames))]
            label = f"shape{shape}-ink{ink}-{count}-{style}-frame{border}"
            faces.append(Face(label, pictures[0], tuple(pictures[1:])))
        return faces + [Face("back", self.back(side, aspect)) for _ in range(backs)]

    def back(self, side: int = 96, aspect: float = 1.0) -> Image:
        """The back of a set: BGRA uint8; a pattern, one large symbol, or hardly anything."""
        rng = self._rng
        design = self._design(side, aspect, 1)
        width, height = design.size
        paper = ground(rng)
        picture = stock(rng, design.size, paper, rng.choice([0.0, 0.05, 0.15]))
        kind = rng.uniform()
        ink = inks(rng, 1, paper)[0]
        ink = ink + rng.choice([0.0, 0.4, 0.7]) * (paper - ink)
        if kind < 0.4:
            self._stamp(picture, self._shape(), ink, paper, "flat", (0.5, 0.5, 0.7))
        elif kind < 0.8:
            cells = int(rng.integers(3, 9))
            shape = self._shape()
            for y, x in product(range(cells), repeat=2):
                where = ((x + 0.5) / cells, (y + 0.5) / cells, 0.8 / cells)
                self._stamp(picture, shape, ink, paper, "flat", where)
        else:
            picture += 0.5 * (clouds(rng, (width, height), 3) > 0.3)[..., None] * (ink - picture)
        return self._finished(picture, design, 0)

    def _design(self, side: int, aspect: float, frames: int) -> _Design:
        rng = self._rng
        scale = side / max(aspect, 1.0)
        size = (
            (round(scale * aspect), round(scale)) if aspect >= 1 else (round(side * aspect), side)
        )
        frames_mean = bool(rng.uniform() < 0.1)
        count = int(rng.integers(1, frames + 1))
        if frames_mean:
            count = max(count, min(frames, 2))
        made = [self._frame() if k or rng.uniform() < 0.35 else ((), (), 0.0) for k in range(count)]
        return _Design(
            size=size,
            paper=ground(rng),
            rough=float(rng.choice([0.0, 0.0, 0.03, 0.08])),
            corner=float(rng.choice([0.0, 0.02, 0.05, 0.08])) * min(size),
            places=str(rng.choice(["dice", "row", "column", "scattered"])),
            scale=float(rng.uniform(0.55, 1.0)),
            bold=float(rng.uniform(0.7, 1.4)),
            frames=tuple(made),
            frames_mean=frames_mean and count > 1,
        )

    def _frame(self) -> tuple[tuple[float, ...], tuple[Colour, ...], float]:
        """Widths, colours and inset of a frame: thin, thick or double, black, grey or coloured."""
        rng = self._rng
        bands = 1 if rng.uniform() < 0.7 else 3
        widths = tuple(float(rng.uniform(0.012, 0.09 / bands**0.5)) for _ in range(bands))
        if rng.uniform() < 0.5:
            main = np.full(3, rng.choice([15.0, 60.0, 130.0, 235.0]), np.float32)
        else:
            main = colour(rng, rng.uniform(), rng.uniform(0.3, 1.0), rng.uniform(0.3, 0.9))
        between = np.full(3, 240, np.float32)
        inset = float(rng.choice([0.0, 0.0, rng.uniform(0.01, 0.05)]))
        return widths, tuple(between if k % 2 else main for k in range(bands)), inset

    def _factors(self, n: int, design: _Design) -> tuple[int, int, int, int]:
        """How many shapes, inks, counts and styles make at least `n` combinations."""
        rng = self._rng
        meant = len(design.frames) if design.frames_mean else 1
        most = (n, 8, 4, 4)
        kinds = [1, 1, 1, 1]
        # Which properties tell faces apart in this set; shape always may.
        open_ = [0, *(k for k in (1, 2, 3) if rng.uniform() < 0.55)]
        if len(open_) > 1 and rng.uniform() < 0.4:
            open_ = open_[1:]
        while np.prod(kinds) * meant < n:
            can = [k for k in open_ if kinds[k] < most[k]]
            if not can:
                open_ = [0]
                continue
            kinds[int(rng.choice(can))] += 1
        return kinds[0], kinds[1], kinds[2], kinds[3]

    def _styles(self, kinds: int) -> list[str]:
        rng = self._rng
        if kinds == 1:
            return [str(rng.choice(STYLES))]
        return [str(style) for style in rng.permutation(STYLES[:4])[:kinds]]

    def _shape(self) -> Mask:
        """A symbol, upright or turned."""
        rng = self._rng
        mask = form(rng) if rng.uniform() < 0.4 else self._icons.random(rng)
        return np.ascontiguousarray(np.rot90(mask, int(rng.choice([0, 0, 0, 1, 2, 3]))))

    def _drawn(
        self, design: _Design, paper: Colour, shape: Mask, ink: Colour, count: int, style: str
    ) -> Picture:
        picture = stock(self._rng, design.size, paper, design.rough)
        for where in _places(design.places, count, design.scale):
            self._stamp(picture, shape, ink, paper, style, where, design.bold)
        return picture

    def _stamp(
        self,
        picture: Picture,
        shape: Mask,
        ink: Colour,
        paper: Colour,
        style: str,
        where: tuple[float, float, float],
        bold: float = 1.0,
    ) -> None:
        """Prints a symbol at x and y, shares of the sides, as large as a share of the shorter."""
        height, width = picture.shape[:2]
        side = max(round(where[2] * min(height, width)), 4)
        inked, share = paint(self._rng, shape, ink, paper, style, bold)
        small = cv2.resize(inked, (side, side), interpolation=cv2.INTER_AREA)
        cover = cv2.resize(share, (side, side), interpolation=cv2.INTER_AREA)[..., None]
        left = int(np.clip(round(where[0] * width - side / 2), 0, width - side))
        top = int(np.clip(round(where[1] * height - side / 2), 0, height - side))
        under = picture[top : top + side, left : left + side]
        under += cover * (small - under)

    def _finished(self, plain: Picture, design: _Design, border: int) -> Image:
        """With its frame and its corners, in whole numbers."""
        picture = plain.copy()
        frame(picture, *design.frames[border])
        opaque = rounded(picture.shape[0], picture.shape[1], design.corner)
        bgra = np.dstack([picture, 255 * opaque])
        return np.clip(np.rint(bgra), 0, 255).astype(np.uint8)


def _places(kind: str, count: int, scale: float) -> Sequence[tuple[float, float, float]]:
    """Where `count` symbols stand, and how large: x, y and size."""
    if count == 1:
        return [(0.5, 0.5, 0.85 * scale)]
    if kind in ("row", "column"):
        along = [(k + 0.5) / count for k in range(count)]
        size = 0.95 * scale / count if count > 2 else 0.5 * scale
        return [(a, 0.5, size) if kind == "row" else (0.5, a, size) for a in along]
    if kind == "scattered":
        spots = [(0.3, 0.32), (0.7, 0.62), (0.28, 0.74), (0.72, 0.25)]
        return [(x, y, 0.42 * scale) for x, y in spots[:count]]
    spots = {
        2: [(0.3, 0.3), (0.7, 0.7)],
        3: [(0.5, 0.28), (0.27, 0.7), (0.73, 0.7)],
        4: [(0.28, 0.28), (0.72, 0.28), (0.28, 0.72), (0.72, 0.72)],
    }[count]
    return [(x, y, 0.45 * scale) for x, y in spots]
