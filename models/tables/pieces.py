"""Pieces upon a picture: their faces, cut edges, shadows and seams, and what is seen of them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.tables.canvas import Array, Colour, Image, Random, dim, fill, lit, paste, stroke
from models.tables.prints import Stock

Quad = NDArray[np.float64]


class Heap:
    """Draws pieces, level after level, and keeps which pixel shows which."""

    def __init__(self, image: Image, unit: float, shadow: ArrayLike, rng: Random) -> None:
        """Draws into `image`; pieces are about `unit` wide, shadows fall along `shadow`."""
        self.image = image
        self.quads: list[Quad] = []
        self._ids = np.zeros(image.shape[:2], np.int16)
        self._unit, self._shadow = unit, np.asarray(shadow, np.float64)
        height, width = image.shape[:2]
        #: The point of the table below the camera, and how far faces are seen shifted from it.
        self._below = rng.uniform((-0.5 * width, -0.5 * height), (1.5 * width, 1.5 * height))
        lean = float(rng.choice([0.0, rng.uniform(0, 0.03), rng.uniform(0.02, 0.22)]))
        self._lean = lean * unit / max(width, height)
        self._depth = float(rng.uniform(0.15, 0.7))
        self._soft = float(rng.uniform(0.3, 0.12 * unit + 0.5))
        self._bevel = float(rng.choice([0.0, rng.uniform(0, 0.5)]))
        seams = (0.0, rng.uniform(0, 0.15), rng.uniform(0, 0.8))
        self._seam = float(rng.choice(seams, p=[0.2, 0.3, 0.5]))
        self._room = 1 + int(unit > 30 and rng.random() < 0.4)

    def add(self, quads: Sequence[Quad], prints: Sequence[Image], stock: Stock) -> None:
        """Lays pieces that lie equally high; `quads` are where they stand on what is below."""
        tops = [self._seen(quad) for quad in quads]
        shade = np.zeros(self.image.shape[:2], np.uint8)
        for base, top in zip(quads, tops, strict=True):
            fill(shade, base + self._shadow, 255)
            fill(shade, top + self._shadow * 0.5, 255)
        soft = cv2.GaussianBlur(shade, (0, 0), self._soft)
        dim(self.image, np.asarray(soft, np.uint8), self._depth)
        # What lies nearer to the point below the camera hides the walls of what is further.
        far = [-float(np.hypot(*(quad.mean(axis=0) - self._below))) for quad in quads]
        for k in np.argsort(far).tolist():
            self._draw(quads[k], tops[k], prints[k], stock)

    def cover(self, mask: Image) -> None:
        """Tells that something else hides the pixels of `mask`."""
        self._ids[mask > 127] = -1

    def visible(self) -> Array:
        """Share (n,) of each face that is seen within the picture."""
        seen = np.bincount(self._ids[self._ids > 0].ravel(), minlength=len(self.quads) + 1)[1:]
        areas = [abs(cv2.contourArea(quad.astype(np.float32))) for quad in self.quads]
        return np.asarray(np.minimum(seen / np.maximum(areas, 1), 1), np.float32)

    def _seen(self, quad: Quad) -> Quad:
        """The face of a piece that stands at `quad`, which is nearer to the camera."""
        return np.asarray(quad + (quad - self._below) * self._lean)

    def _draw(self, base: Quad, top: Quad, print_: Image, stock: Stock) -> None:
        gap = np.abs(top - base).max()
        if gap > 0.5:
            for k in range(4):
                wall = np.array([base[k - 1], base[k], top[k], top[k - 1]])
                fill(self.image, wall, lit(stock.edge, self._facing(base, k)))
        if self._seam:
            stroke(self.image, top, lit(self._mean_colour(stock), 1 - self._seam), self._room,
                   closed=True)  # fmt: skip
        paste(self.image, print_, top)
        if self._bevel:
            for k in range(4):
                tone = 1 + self._bevel * (self._facing(top, k) - 0.8)
                inset = top.mean(axis=0) + (top[[k - 1, k]] - top.mean(axis=0)) * 0.97
                stroke(self.image, inset, lit(stock.colour, tone), 1)
        self.quads.append(top)
        outline = np.rint(top * 16).astype(np.int32).reshape(-1, 1, 2)
        cv2.fillPoly(self._ids, [outline], len(self.quads), cv2.LINE_8, 4)

    def _facing(self, quad: Quad, side: int) -> float:
        """How light the wall below a side is: it faces the lamp or not."""
        along = quad[side] - quad[side - 1]
        outward = np.array([along[1], -along[0]]) / max(np.hypot(*along), 1e-6)
        return float(0.8 - 0.5 * outward @ self._shadow / max(np.hypot(*self._shadow), 1e-6))

    @staticmethod
    def _mean_colour(stock: Stock) -> Colour:
        return stock.colour
