"""Moves the sides of outlines onto the edges that the picture shows, to a fraction of a pixel."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles.sampling import sample

Array = NDArray[np.float32]

#: Samples along a side, and the share of its length that they cover: corners are rounded.
SAMPLES, COVERED = 10, 0.84
#: Places to each side of the guess, and over how many of them a step of colour is taken.
PLACES, OVER = 8, 3
#: How far a side may lie from the guess, in shares of the shorter side, and in pixels at most.
REACH, REACH_PX = 0.09, 6.0
#: Colour step, in grey levels, that counts half as an edge.
FAINT = 6.0
#: What it costs to stray from the guess by all of the reach: without an edge nothing moves.
PRICE = 0.25
#: Tilts that are tried, in shares of the reach by which a side's end strays from its middle.
TILTS = (-0.7, -0.35, 0.0, 0.35, 0.7)

_SUPPORT = (np.arange(256) / (np.arange(256) + FAINT)).astype(np.float32)
"""How far a step of so many grey levels counts as an edge."""


def refine(image: NDArray[np.uint8], quads: Array, share: float = REACH) -> Array:
    """Quads (n, 4, 2) in pixels of a BGR image whose sides lie best on edges near the given ones.

    Each side may move, by `share` of the shorter side, and turn by itself, so that the result is
    any quadrangle.
    """
    if not len(quads):
        return quads
    starts, ends = quads, np.roll(quads, -1, axis=1)
    along = ends - starts
    lengths = np.maximum(np.linalg.norm(along, axis=2), 1e-3)
    outward = np.stack([along[..., 1], -along[..., 0]], axis=2) / lengths[..., None]
    reach = np.minimum(lengths.min(axis=1) * share, REACH_PX)[:, None]
    # Places across are in units of each outline's own reach, so all have as many.
    places = np.linspace(-1, 1, 2 * PLACES + 1, dtype=np.float32)
    shares = 0.5 + COVERED * np.linspace(-0.5, 0.5, SAMPLES, dtype=np.float32)
    change = _change(image, starts, along, outward * reach[..., None], shares)
    drift = np.rint(np.array(TILTS)[:, None] * (2 * shares - 1) * PLACES).astype(int)
    lines = np.stack([_along(_SUPPORT.take(change), shifts) for shifts in drift.tolist()])
    cost = PRICE * (places**2 + 0.5 * np.array(TILTS, np.float32)[:, None] ** 2)
    worth = np.moveaxis(lines - cost[:, None, None].astype(np.float32), 0, 2)
    tilt, place = np.divmod(worth.reshape(len(quads), 4, -1).argmax(axis=2), len(places))
    # What is left is found by the middle of the edge, for each half of a side.
    first, second = (part * reach for part in _middles(change, place[..., None] + drift[tilt]))
    apart = float(shares[SAMPLES // 2 :].mean() - shares[: SAMPLES // 2].mean())
    middle, slope = (first + second) / 2, (second - first) / (2 * apart)
    moved_starts = starts + outward * (middle - slope)[..., None]
    moved_ends = ends + outward * (middle + slope)[..., None]
    return _crossings(moved_starts, moved_ends)


def _change(
    image: NDArray[np.uint8], starts: Array, along: Array, across: Array, shares: Array
) -> NDArray[np.uint8]:
    """The step of colour at each place: (n, 4, places, samples).

    `across` (n, 4, 2) goes outward from each side as far as is looked.
    """
    ground = starts[:, :, None] + along[:, :, None] * shares[:, None]
    wide = PLACES + OVER / 2
    steps = np.linspace(-wide, wide, 2 * PLACES + 1 + OVER, dtype=np.float32) / PLACES
    off = across[:, :, None, None] * steps.astype(np.float32)[:, None, None]
    at = np.asarray(ground[:, :, None] + off, np.float32)
    colours = sample(image, at[..., 0], at[..., 1])
    change = cv2.absdiff(
        *(part.reshape(-1, SAMPLES, 3) for part in (colours[:, :, OVER:], colours[:, :, :-OVER]))
    )
    strongest = np.maximum.reduce(cv2.split(change))
    return np.asarray(strongest.reshape(*at.shape[:2], 2 * PLACES + 1, SAMPLES), np.uint8)


def _middles(change: NDArray[np.uint8], line: NDArray[np.intp]) -> tuple[Array, Array]:
    """Where the edge near a line is, in the first and second half of each side: (n, 4) each.

    `line` (n, 4, samples) tells the place of the line at each sample; the results are in units
    of the reach, from the guess.
    """
    around = np.arange(-OVER, OVER + 1)
    near = line[..., None, :] + around[:, None]
    seen = np.take_along_axis(change, near.clip(0, 2 * PLACES), axis=2).astype(np.float32)
    halves = seen.reshape(*seen.shape[:3], 2, SAMPLES // 2).mean(axis=-1)
    weight = halves - halves.min(axis=2, keepdims=True) + 1e-3
    off = (weight * around[:, None]).sum(axis=2) / weight.sum(axis=2)
    place = line.reshape(*line.shape[:2], 2, SAMPLES // 2).mean(axis=-1) + off
    moved = np.asarray((place - PLACES) / PLACES, np.float32)
    return moved[..., 0], moved[..., 1]


def _along(edges: Array, shifts: list[int]) -> Array:
    """Mean (n, 4, places) of edges along lines that stray by `shifts` places at each sample."""
    mean = np.zeros(edges.shape[:3], np.float32)
    depth = edges.shape[2]
    for k, shift in enumerate(shifts):
        low, high = max(0, -shift), depth - max(0, shift)
        mean[:, :, low:high] += edges[:, :, low + shift : high + shift, k]
    return np.asarray(mean / edges.shape[3], np.float32)


def _crossings(starts: Array, ends: Array) -> Array:
    """Where each line (n, 4, 2) to (n, 4, 2) crosses the one before it: corners (n, 4, 2)."""
    before_start, before_end = np.roll(starts, 1, axis=1), np.roll(ends, 1, axis=1)
    a, b, gap = before_end - before_start, ends - starts, starts - before_start
    cross = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    share = (gap[..., 0] * b[..., 1] - gap[..., 1] * b[..., 0]) / cross
    return np.asarray(before_start + a * share[..., None], np.float32)
