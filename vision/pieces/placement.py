"""Which placement of a few equal solids best explains where paint is seen in a top view.

Each pixel that a piece covers pays its evidence (-1 to 1) less a cost, each piece costs, and what
looks like the piece right beside it counts against it: a large area of the colour is no piece.
Pieces share covered pixels but no room: their feet stand apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Pixels = NDArray[np.intp]
Image = NDArray[np.uint8]

#: What evidence a pixel must give on average before a piece is worth assuming.
PIXEL_COST = 0.3
#: What a piece must explain beyond that, as a share of its silhouette.
PIECE_COST = 0.15
#: Evidence against a piece counts no more than this: a pixel can be glare or another piece's edge.
AGAINST = -0.5
#: A look at half the size tells a piece's worth this exactly.
_SLACK = 0.05
#: Radius at some heights of a turned figure with a foot, a waist and a head, as shares.
_HEIGHTS = (0.0, 0.12, 0.35, 0.6, 0.75, 0.93)
_RADII = (1.0, 0.95, 0.55, 0.4, 0.5, 0.4)
#: Width of the rim around a silhouette that must not look like the piece, as share of diameter,
#: and the weight of the whole rim against the whole silhouette.
_RIM = 0.2
_RIM_WEIGHT = 0.7
#: Two feet are at least this far apart, in diameters: side by side, seen a bit off.
_APART = 0.9
#: A piece of which others hide more than this share is not looked for.
_MOST_HIDDEN = 0.6
#: So many pieces are tried at any rate, more while they explain more.
ALWAYS = 3
#: No more candidates than this, the best alone, are combined.
_CANDIDATES = 24


@dataclass(frozen=True, eq=False)
class Silhouette:
    """A piece in a top view: offsets (n, 2), x and y in pixels, from the middle of its foot."""

    body: Pixels
    edge: Pixels
    """Between body and rim, where their colours mix."""
    rim: Pixels
    small_corner: Pixels
    """First pixel of the small masks, which are half the size, from the middle of the foot."""
    small_body: Array
    """Share of the body in each pixel."""
    small_rim: Array
    diameter: float
    """Of the foot, in pixels."""


@dataclass(frozen=True)
class Placement:
    """Where equal pieces stand, and how well that explains what is seen."""

    feet: tuple[tuple[int, int], ...]
    """Pixels (x, y)."""
    worth: float
    """In fully seen silhouettes."""
    spill: float
    """Mean evidence, 0 to 1, beside the pieces: solids stand out, flat prints run on."""


@lru_cache(maxsize=1024)
def silhouette(lean: tuple[float, float], diameter: float) -> Silhouette:
    """The silhouette of a turned piece whose top is seen `lean` pixels away from its foot."""
    radius = diameter / 2
    half = int(np.ceil(max(map(abs, lean)) + (1 + 2 * _RIM) * diameter)) + 2
    # The middle is the first pixel of a block of 2 x 2.
    half += half % 2
    canvas = np.zeros((2 * half + 2, 2 * half + 2), np.uint8)
    for share in np.linspace(0.0, _HEIGHTS[-1], 9):
        wide = float(np.interp(share, _HEIGHTS, _RADII)) * radius
        x, y = (round((half + share * part) * 16) for part in lean)
        cv2.circle(canvas, (x, y), round(wide * 16), 255, -1, cv2.LINE_AA, shift=4)
    whole = (canvas > 127).astype(np.uint8)
    # Along the outline colours mix, and feet stand between the grid's steps.
    body = cv2.erode(whole, _disc(1))
    near = cv2.dilate(whole, _disc(1))
    rim = cv2.dilate(near, _disc(max(1, round(diameter * _RIM)))) - near
    # A small pixel's share is that of its four pixels together, not their mean.
    x, y, width, height = cv2.boundingRect((halved(rim.astype(np.float32)) > 0.0).astype(np.uint8))
    small_body, small_rim = (
        halved(mask * np.float32(4.0 / mask.sum()))[y : y + height, x : x + width]
        for mask in (body, rim)
    )
    return Silhouette(
        _offsets(body, half),
        _offsets(near - body, half),
        _offsets(rim, half),
        np.array((x, y)) - half // 2,
        small_body,
        small_rim,
        diameter,
    )


def placements(
    evidence: Array, seen: Image, feet: Pixels, shape: Silhouette, most: int
) -> Iterator[Placement]:
    """The best placement of one piece, of two, and so on, up to `most` while more explain more.

    `evidence` (h, w) is that of the pieces' paint, `seen` (h, w) is 0 where something else is
    already known to cover the view; `feet` (n, 2) are the candidates.
    """
    if not len(feet):
        return
    feet = feet[_promising(evidence, seen, feet, shape)]
    if not len(feet):
        return
    reach = np.concatenate([shape.body, shape.rim])
    low = feet.min(axis=0) + reach.min(axis=0)
    high = feet.max(axis=0) + reach.max(axis=0) + 1
    window = (slice(low[1], high[1]), slice(low[0], high[0]))
    stride = np.array([1, high[0] - low[0]])
    look, sight = evidence[window].ravel(), seen[window].ravel()
    clue = (np.maximum(look, AGAINST) - PIXEL_COST) * sight / np.float32(len(shape.body))
    like = np.maximum(look, 0.0) * sight * np.float32(_RIM_WEIGHT / len(shape.rim))
    start = ((feet - low) @ stride)[:, None]
    covered, beside = start + shape.body @ stride, start + shape.rim @ stride
    worth = clue.take(covered).sum(axis=1) - like.take(beside).sum(axis=1)
    good = np.flatnonzero(worth > 0.0)
    good = good[np.argsort(-worth[good], kind="stable")[:_CANDIDATES]]
    good = good[sight[covered[good]].mean(axis=1) >= 1.0 - _MOST_HIDDEN]
    if not len(good):
        return
    feet, alone = feet[good], worth[good] - np.float32(PIECE_COST)
    # What two are worth beyond each alone: what both cover counts once, and one's body is no
    # fault in the other's rim.
    totals = [alone]
    gaps = np.linalg.norm(feet[:, None] - feet[None], axis=-1)
    near = gaps < _APART * shape.diameter
    if most > 1 and not near.all():
        row = np.arange(len(good))[:, None]
        body = np.zeros((len(good), len(look)), np.float32)
        body[row, covered[good]] = 1.0
        whole = body.copy()
        whole[row, beside[good]] = 1.0
        pairs = (whole * like) @ whole.T - (body * (clue + like)) @ body.T
        pairs[near] = -np.inf
        # Bodies that stand apart have no pixel in common by threes worth counting. What is left out
        # of three that touch counts against two of them; a fourth is sought where three are best.
        while len(totals) < min(most, ALWAYS) or (
            len(totals) < most and totals[-1].max() > max(total.max() for total in totals[:-1])
        ):
            totals.append(_one_more(totals[-1], alone, pairs))
    for total in totals:
        chosen = np.unravel_index(int(total.argmax()), total.shape)
        if np.isfinite(total[chosen]):
            spots = tuple((int(feet[i, 0]), int(feet[i, 1])) for i in chosen)
            # What one piece covers is no rim of another.
            free = np.zeros(len(look), np.bool_)
            free[beside[good[list(chosen)]]] = True
            for part in (shape.body, shape.edge):
                free[start[good[list(chosen)]] + part @ stride] = False
            spill = float(np.maximum(look[free], 0.0).mean()) if free.any() else 0.0
            yield Placement(spots, float(total[chosen]), spill)


def _one_more(totals: Array, alone: Array, pairs: Array) -> Array:
    """What one more piece makes of totals (n, ..., n) of so many: one axis more."""
    count, many = len(alone), totals.ndim
    beside = (
        pairs.reshape([count if axis in (one, many) else 1 for axis in range(many + 1)])
        for one in range(many)
    )
    return np.asarray(sum(beside, totals[..., None] + alone), np.float32)


def _promising(evidence: Array, seen: Image, feet: Pixels, shape: Silhouette) -> NDArray[np.bool_]:
    """Which feet may bear a piece worth assuming: a quick look at half the size."""
    corners = feet // 2 + shape.small_corner
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    height, width = shape.small_body.shape
    window = (slice(2 * top, 2 * (bottom + height)), slice(2 * left, 2 * (right + width)))
    look, sight = evidence[window], seen[window]
    clue = halved((np.maximum(look, AGAINST) - PIXEL_COST) * sight)
    like = halved(np.maximum(look, 0.0) * sight)
    gain = cv2.matchTemplate(clue, shape.small_body, cv2.TM_CCORR)
    loss = cv2.matchTemplate(like, shape.small_rim, cv2.TM_CCORR)
    columns, rows = (corners - (left, top)).T
    return np.asarray((gain - _RIM_WEIGHT * loss)[rows, columns] > -_SLACK, np.bool_)


def halved(values: NDArray[np.floating[Any]]) -> Array:
    """Means of blocks of 2 x 2 pixels, for a whole number of them."""
    small = cv2.resize(values, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _disc(radius: int) -> Image:
    size = 2 * radius + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def _offsets(mask: NDArray[np.generic], half: int) -> Pixels:
    rows, columns = np.nonzero(mask)
    return np.column_stack([columns, rows]) - half
