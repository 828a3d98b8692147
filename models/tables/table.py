"""One training picture: a ground, perhaps boards, pieces and other things, light and camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.tables.camera import illuminate, photograph
from models.tables.canvas import Array, Colour, Image, Random, paste, rectangle
from models.tables.grounds import board, ground
from models.tables.laying import lay
from models.tables.pieces import Heap
from models.tables.prints import Stock
from models.tables.things import hand, litter

#: Shorter side of a piece in pixels of the finished picture: uniform in its logarithm.
SIDES = (17.0, 44.0)
#: Pictures are drawn up to so many times larger than they are returned.
FINEST = 1.6
#: Share of the pictures in which what pieces lie on has about their own colour: then only edges,
#: shadows and print tell that they are there.
ALIKE = 0.35


@dataclass(frozen=True, eq=False)
class Table:
    """A picture and the pieces in it."""

    image: Image
    """BGR, (h, w, 3)."""
    quads: Array
    """Corners of the top faces in pixels, (n, 4, 2), clockwise from any; partly out of sight."""
    visible: Array
    """Share of each top face that is seen in the picture, (n,)."""


def draw_table(rng: Random, size: tuple[int, int], sets: Sequence[Stock]) -> Table:
    """A table with pieces of `sets`, in a picture of (width, height) pixels."""
    zoom = float(rng.uniform(1.0, FINEST))
    fine = (round(size[0] * zoom), round(size[1] * zoom))
    unit = float(np.exp(rng.uniform(*np.log(SIDES)))) * zoom
    own = sets[int(rng.integers(len(sets)))]
    like = own.colour if rng.random() < ALIKE else None
    image = ground(rng, fine, unit, like)
    shadow = rng.normal(0, 1, 2)
    shadow *= unit * float(rng.choice([0.02, 0.05, 0.12])) / max(np.hypot(*shadow), 1e-6)
    grid = None
    for _ in range(int(rng.choice([0, 0, 1, 1, 2]))):
        grid = _lay_board(rng, image, unit, like)
    for _ in range(int(rng.poisson(1.0))):
        litter(rng, image, unit, shadow)
    heap = Heap(image, unit, shadow, rng)
    empty = rng.random() < 0.05
    for k in range(0 if empty else int(rng.choice([1, 1, 2]))):
        size_k = unit * (1.0 if k == 0 else float(rng.uniform(0.8, 1.25)))
        other = sets[int(rng.integers(len(sets)))]
        lay(rng, heap, own if k == 0 else other, size_k, grid if k == 0 else None)
    for _ in range(int(rng.poisson(1.2))):
        heap.cover(litter(rng, image, unit, shadow))
    if rng.random() < 0.12:
        heap.cover(hand(rng, image, unit, shadow))
    finished = photograph(rng, illuminate(rng, image), size)
    quads = np.array(heap.quads, np.float64).reshape(-1, 4, 2)
    scale = np.array(size) / np.array(fine)
    quads_px = np.asarray((quads + 0.5) * scale - 0.5, np.float32)
    return Table(finished, quads_px, heap.visible())


def _lay_board(
    rng: Random, image: Image, unit: float, like: Colour | None
) -> tuple[NDArray[np.float64], float]:
    """Lays a printed board, in place; its frame, and the pitch of its cells.

    It has about the colour `like`, if one is given. The frame (3, 2) is its corner, and one of its
    pixels along and down.
    """
    height, width = image.shape[:2]
    across, high = (int(n) for n in rng.uniform(2.5 * unit, 1.1 * max(width, height), 2))
    extent = (across, high)
    drawn, pitch = board(rng, extent, unit, like)
    turn = float(rng.normal(0, 0.1)) if rng.random() < 0.8 else float(rng.uniform(0, 6.3))
    quad = rectangle(rng.uniform((0, 0), (width, height)), extent, turn)
    shade = np.zeros((height, width), np.uint8)
    cv2.polylines(shade, [np.rint(quad).astype(np.int32)], True, 255, 3)
    paste(image, drawn, quad)
    along, down = (quad[1] - quad[0]) / extent[0], (quad[3] - quad[0]) / extent[1]
    return np.stack([quad[0], along, down]), pitch
