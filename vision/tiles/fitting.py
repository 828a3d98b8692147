"""Fits tiles of a known size to the edges around rough guesses, and says how well they fit.

A tile's pose is fitted by its four sides together: for each small turn and each small change of
size, opposite sides are shifted together until most of their length lies on edges. How well a
pose fits is the share of its sides that lies on an edge, a faint edge counting nearly as much as
a strong one, times the share of the strip just inside the sides that has one colour, as the
border of a tile has.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles.sampling import sample

Array = NDArray[np.float32]

#: Samples along a side, and the share of its length that they cover: corners are rounded.
SAMPLES, SAMPLED = 8, 0.86
#: Colour step, in grey levels over two pixels, that counts half as an edge.
FAINT = 4.0
#: What a step away from the guess costs: where there is no edge, noise must not move a tile.
PRICE = 0.02
#: Least true size of a tile over the given one.
SMALLEST = 0.95
#: Contrast below which two colours pass for the same, and above which they surely differ.
ALIKE, UNLIKE = 0.2, 0.05
#: Grey levels that are added to what a contrast is relative to: the dark is noisy.
DARK = 32.0
#: How far inside its sides, in shares of the shorter one, a tile's border is looked at,
#: and as far outside them the ground.
INSET = 0.075


_SUPPORT = (np.arange(256) / (np.arange(256) + FAINT)).astype(np.float32)
"""How far a colour step of so many grey levels counts as an edge, 0 to 1."""


@dataclass(frozen=True, eq=False)
class Poses:
    """n tiles in a top view, in its pixels."""

    centres: Array
    """(n, 2)"""
    angles: Array
    """(n,) radians, clockwise as seen, from the view's x to the tile's width."""
    scales: Array
    """(n,) true size over the given one."""
    sides: Array
    """(n, 4) share of each side that lies on an edge, 0 to 1: right, bottom, left, top."""

    def __len__(self) -> int:
        return len(self.angles)

    def select(self, keep: NDArray[np.bool_] | NDArray[np.intp] | slice) -> Poses:
        """Those that `keep` names: a mask or indices."""
        return Poses(self.centres[keep], self.angles[keep], self.scales[keep], self.sides[keep])

    def merged(self, other: Poses) -> Poses:
        """These, followed by those of `other`."""
        return Poses(
            *(
                np.concatenate([getattr(self, part.name), getattr(other, part.name)])
                for part in fields(self)
            )
        )

    def outlines(self) -> Poses:
        """The same with the sizes of tiles: one much too small was fitted to a frame within."""
        return replace(self, scales=np.where(self.scales < SMALLEST, np.float32(1), self.scales))

    def quads(self, tile: tuple[float, float]) -> Array:
        """Corners (n, 4, 2) of tiles of nominal (width, height), clockwise from the top left."""
        corner = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * tile / 2
        corners = corner[None] * self.scales[:, None, None]
        x, y = _axes(self.angles)
        placed = corners[..., :1] * x[:, None] + corners[..., 1:] * y[:, None]
        return np.asarray(placed + self.centres[:, None], np.float32)


@dataclass(frozen=True)
class Search:
    """How far around a guess a fit looks, in pixels of the view at the sides' ends."""

    step: float
    shift: int
    """Steps by which the tile may be shifted to each side."""
    turn: int
    """Steps by which the tile may be turned to each side, measured at the end of half a side."""
    grow: int
    """Steps by which each side may lie further out."""
    shrink: int
    """Steps by which it may lie further in."""


def fit(view: NDArray[np.uint8], tile: tuple[float, float], start: Poses, search: Search) -> Poses:
    """The poses near `start` whose sides lie best on edges of the top `view`.

    It is BGRA, whose pixels are read twice as fast as those of three channels.
    """
    n = len(start)
    if not n:
        return start
    reach = search.shift + max(search.grow, search.shrink) + search.turn
    edges = _edges(view, tile, start, search.step, reach)
    halves = np.array([tile[1], tile[0], tile[1], tile[0]]) / 2
    turns = np.arange(-search.turn, search.turn + 1)
    shifts = np.arange(-search.shift, search.shift + 1)
    grows = np.arange(-search.shrink, search.grow + 1)
    # Shifting a tile to the right moves its right side outwards and its left side inwards.
    forth, back = (reach + grows[:, None] + sign * shifts for sign in (1, -1))
    angles = turns * (search.step / max(halves))
    lines = np.stack(
        [_along_tilted_lines(edges, -angle * halves / search.step) for angle in angles]
    )
    # By turn, growth, shift and pose.
    price = PRICE * np.abs(shifts).astype(np.float32)[:, None]
    across = lines[:, :, 0].take(forth, axis=1) + lines[:, :, 2].take(back, axis=1) - price
    down = lines[:, :, 1].take(forth, axis=1) + lines[:, :, 3].take(back, axis=1) - price
    # The least change wins where several explain the picture equally well.
    dear = PRICE * (np.abs(turns)[:, None, None] + np.abs(grows)[:, None])
    total = across.max(axis=2) + down.max(axis=2) - dear
    k, g = np.unravel_index(total.reshape(-1, n).argmax(axis=0), total.shape[:2])
    rows = np.arange(n)
    i, j = across[k, g, :, rows].argmax(axis=1), down[k, g, :, rows].argmax(axis=1)
    places = np.stack([forth[g, i], forth[g, j], back[g, i], back[g, j]], axis=1)
    sides = lines[k[:, None], places, np.arange(4), rows[:, None]]
    x, y = _axes(start.angles)
    moved = (shifts[i, None] * x + shifts[j, None] * y) * search.step
    return Poses(
        np.asarray(start.centres + moved, np.float32),
        np.asarray(start.angles + angles[k], np.float32),
        np.asarray(start.scales + grows[g] * (search.step * 2 / min(tile)), np.float32),
        sides,
    )


def alignment(edges: Array, tile: tuple[float, float], poses: Poses, ratio: float) -> Array:
    """Mean alignment (n,) of the edges along the sides with the sides, -1 to 1.

    `edges` are those of `Votes`, of a view `ratio` times as large as that of the poses.
    """
    small = Poses((poses.centres + 0.5) * ratio - 0.5, poses.angles, poses.scales, poses.sides)
    tile = (tile[0] * ratio, tile[1] * ratio)
    found = _sample(edges, tile, small, np.zeros(1, np.float32))
    # Left and right sides run across the tile's width, the others along it.
    cosine, sine = (
        found[..., 0, ::2, :, part].mean(axis=(0, 1))
        - found[..., 0, 1::2, :, part].mean(axis=(0, 1))
        for part in (0, 1)
    )
    axis = 2 * poses.angles
    return np.asarray((cosine * np.cos(axis) + sine * np.sin(axis)) / 2, np.float32)


def border(view: NDArray[np.uint8], tile: tuple[float, float], poses: Poses) -> tuple[Array, Array]:
    """How like a tile's border the strip just inside the sides is: its unity and distinctness.

    Unity (n,) is the share of the strip whose colour is that of most of it. Distinctness (n,) is
    the share of the sides along which inside and outside differ in colour: a printed line shuts
    in a square as a tile's edge does, but the ground goes on beyond it.
    """
    beside = np.array([-INSET, INSET], np.float32) * min(tile)
    colours = np.moveaxis(_sample(view, tile, poses, beside)[..., :3], -1, 0).astype(np.float32)
    inside, outside = (colours[:, :, k].reshape(3, 4 * SAMPLES, len(poses)) for k in (0, 1))
    usual = np.median(inside, axis=1, keepdims=True)
    unity = (_contrast(inside, usual) < ALIKE).mean(axis=0)
    distinctness = (_contrast(inside, outside) > UNLIKE).mean(axis=0)
    return np.asarray(unity, np.float32), np.asarray(distinctness, np.float32)


def _contrast(colours: Array, others: Array) -> Array:
    """Largest difference in a channel, relative to the brighter of the two: free of exposure.

    The channels are the first axis.
    """
    brighter = np.maximum(colours, others).max(axis=0)
    return np.asarray(np.abs(colours - others).max(axis=0) / (brighter + DARK), np.float32)


def _axes(angles: Array) -> tuple[Array, Array]:
    """Unit vectors (n, 2) along the width and the height of tiles turned by `angles`."""
    cos, sin = np.cos(angles), np.sin(angles)
    return np.stack([cos, sin], axis=1), np.stack([-sin, cos], axis=1)


def _sample(
    view: NDArray[Any], tile: tuple[float, float], poses: Poses, out: Array
) -> NDArray[Any]:
    """Values (SAMPLES, len(out), 4, n, c) along lines beside the sides, `out` further out."""
    # Right, bottom, left, top: outward normals, and along the side, clockwise.
    turns = poses.angles + np.float32(np.pi / 2) * np.arange(4, dtype=np.float32)[:, None]
    cos, sin = np.cos(turns), np.sin(turns)
    width, height = (np.float32(length / 2) * poses.scales for length in tile)
    reach = np.stack([width, height, width, height]) + out[:, None, None]
    half = np.stack([height, width, height, width])
    along = half * np.linspace(-SAMPLED, SAMPLED, SAMPLES, dtype=np.float32)[:, None, None]
    centre_x, centre_y = poses.centres.T
    return sample(
        view,
        (centre_x + cos * reach) - (sin * along)[:, None],
        (centre_y + sin * reach) + (cos * along)[:, None],
    )


def _edges(
    view: NDArray[np.uint8], tile: tuple[float, float], poses: Poses, step: float, reach: int
) -> Array:
    """Edge support (SAMPLES, 2 * reach + 1, 4, n), 0 to 1, across the sides: thinned crests."""
    wide = round(1 / step)  # A step of colour is taken over two pixels, whatever the step is.
    out = np.arange(-reach - wide, reach + wide + 1, dtype=np.float32) * step
    colours = _sample(view, tile, poses, out)
    further, nearer = colours[:, 2 * wide :], colours[:, : -2 * wide]
    change = cv2.absdiff(further.reshape(SAMPLES, -1), nearer.reshape(SAMPLES, -1))
    channels = cv2.split(change.reshape(-1, 1, view.shape[2]))[:3]
    strength = np.maximum.reduce(channels).reshape(further.shape[:-1])
    beside = np.zeros_like(strength)
    beside[:, 1:] = strength[:, :-1]
    np.maximum(beside[:, :-1], strength[:, 1:], out=beside[:, :-1])
    crest = _SUPPORT.take(strength * (strength >= beside))
    spread: Array = crest.copy()
    for away, weight in ((1, np.float32(0.8)), (2, np.float32(0.4))):
        fainter = weight * crest
        np.maximum(spread[:, away:], fainter[:, :-away], out=spread[:, away:])
        np.maximum(spread[:, :-away], fainter[:, away:], out=spread[:, :-away])
    return spread


def _along_tilted_lines(edges: Array, tilt: NDArray[np.float64]) -> Array:
    """Mean of `edges` (SAMPLES, d, 4, n) along lines that stray `tilt` (4,) steps by their end.

    Opposite sides stray alike. What would lie beyond the edges known counts nothing.
    """
    mean = np.zeros(edges.shape[1:], np.float32)
    depth = len(mean)
    sides = [slice(0, 4)] if tilt[0] == tilt[1] else [slice(0, 4, 2), slice(1, 4, 2)]
    for k, along in enumerate(np.linspace(-SAMPLED, SAMPLED, SAMPLES)):
        for pair in sides:
            shift = round(tilt[pair.start] * along)
            into = slice(max(0, -shift), depth - max(0, shift))
            mean[into, pair] += edges[k, into.start + shift : into.stop + shift, pair]
    mean /= SAMPLES
    return mean
