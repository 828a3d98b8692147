"""Where pieces stand in a top view and in which paint, as the network sees it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import Network
from vision.pieces.topview import FOOT_PX, TopView

Array = NDArray[np.float32]

#: What the network may say that a pixel shows, by the place in its output.
GROUND, PIECE, COVER = 0, 1, 2
#: Below this chance a peak is not even doubtful.
LEAST = 0.08
#: Two feet are at least this far apart, in diameters: flat figures stand close.
_APART = 0.55
#: The network's maps are half the size of the view.
_HALF = 2


@dataclass(frozen=True, eq=False)
class Feet:
    """What the network says of one view; n feet, k paints."""

    points: Array
    """(n, 2): x and y in pixels of the view."""
    chances: Array
    """(n,): that a foot's middle is there, 0 to 1; at least `LEAST`."""
    colours: Array
    """(n, k + 1): chance of each paint, and last that of none of them."""
    shows: Array
    """(3, h / 2, w / 2): chance that a pixel shows the map, a piece, or something else."""


def find_feet(network: Network, view: TopView, taught: Array) -> Feet:
    """All feet of a view, likeliest first. `taught` (k, 3): sRGB of the paints, 0 to 1."""
    stacked = np.empty((1, 5, *view.pixels.shape[:2]), np.float32)
    np.multiply(cv2.split(view.pixels), np.float32(1 / 255), out=stacked[0, :3])
    stacked[0, 3:] = view.lean.transpose(2, 0, 1)
    feet, shows, colours = network.run(stacked, taught[None])
    chance = 1 / (1 + np.exp(-feet[0, 0]))
    rows, columns = _peaks(chance)
    return Feet(
        _refined(chance, rows, columns),
        chance[rows, columns],
        _softmax(_around(colours[0], rows, columns)),
        _softmax(shows[0]),
    )


def _peaks(chance: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of local maxima, likeliest first, none too near a likelier one."""
    highest = cv2.dilate(chance, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((chance >= highest) & (chance >= LEAST))
    order = np.argsort(-chance[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    near = np.hypot(rows[:, None] - rows, columns[:, None] - columns) < _APART * FOOT_PX / _HALF
    kept = np.ones(len(rows), np.bool_)
    for k in np.flatnonzero(np.triu(near, 1).any(axis=1)).tolist():
        if kept[k]:
            kept[k + 1 :] &= ~near[k, k + 1 :]
    return rows[kept], columns[kept]


def _refined(chance: Array, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Array:
    """Peaks between the pixels, by the middle of what is around them, in pixels of the view."""
    padded = np.pad(chance, 1)
    steps = np.arange(3)
    around = padded[rows[:, None, None] + steps[:, None], columns[:, None, None] + steps]
    weight = around.sum(axis=(1, 2))
    x = columns + (around.sum(axis=1) @ (steps - 1.0)) / weight
    y = rows + (around.sum(axis=2) @ (steps - 1.0)) / weight
    # A pixel of half the size is the mean of two by two.
    return np.asarray(np.column_stack([x, y]) * _HALF + (_HALF - 1) / 2, np.float32)


def _around(maps: Array, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Array:
    """The mean of each map over 3 x 3 pixels around places: shape (n, maps)."""
    padded = np.pad(maps, ((0, 0), (1, 1), (1, 1)), mode="edge")
    steps = np.arange(3)
    around = padded[:, rows[:, None, None] + steps[:, None], columns[:, None, None] + steps]
    return np.asarray(around.mean(axis=(2, 3)).T, np.float32)


def _softmax(logits: Array) -> Array:
    """Chances from logits; along the last axis of rows (n, k), the first of maps (k, h, w)."""
    axis = -1 if logits.ndim == 2 else 0
    powers = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis=axis, keepdims=True), np.float32)
