"""Where the centres of tiles of a known size may be: edges vote for them.

A straight edge says that a tile's centre may lie half a side away, square to it. For each of a
few directions the alignment of all edges with that direction is summed along the four sides that
a tile would have around each point, and the best direction is kept. Alignment is the structure
tensor in its double-angle form (Bigün and Granlund 1987), divided by its trace: it is 1 along the
direction, -1 across it and averages 0 in texture, and a faint edge counts as much as a strong one.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

#: Directions tried over a quarter turn: the ends of a side stray by at most 1/15 of its half.
DIRECTIONS = 12
#: Samples along a side: a power of two, since they are summed by doubling.
SAMPLES = 8
#: Share of a side that is sampled: corners are rounded.
SAMPLED = 0.88
#: Gradient, in grey levels a pixel, of noise: it must not look like an edge. A sensor's 2 to 3
#: levels, averaged over the pixels of a coarse one, leave about 1 in the gradient of all channels.
NOISE = 1.0
#: Alignment 1, in the whole numbers that are summed: SAMPLES of them just fit into a byte.
ONE = 15
#: By so many bits a direction's score is set off from its number: 4 * SAMPLES * ONE still fit.
DIGITS = 5


@dataclass(frozen=True, eq=False)
class Votes:
    """Votes for a tile's centre at each pixel of a top view."""

    score: NDArray[np.float32]
    """Mean alignment of the four sides, -1 to 1, shape (h, w)."""
    direction: NDArray[np.int16]
    """Index of the best direction, shape (h, w)."""
    edges: NDArray[np.float32]
    """Double-angle alignment of the edge at each pixel: cosine and sine, shape (h, w, 2)."""
    step: float
    """Radians from one direction to the next, clockwise as seen."""

    def peaks(
        self, least: float, apart: int, most: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Points (n, 2) of the local maxima over `least`, best first, and their angles (n,)."""
        window = np.ones((2 * apart + 1, 2 * apart + 1), np.uint8)
        top = (self.score >= cv2.dilate(self.score, window)) & (self.score > least)
        y, x = np.nonzero(top)
        order = np.argsort(-self.score[y, x], kind="stable")[:most]
        y, x = y[order], x[order]
        points = np.stack([x, y], axis=1).astype(np.float32)
        return points, (self.direction[y, x] * self.step).astype(np.float32)


def vote(view: NDArray[np.uint8], tile: tuple[float, float]) -> Votes:
    """Votes in a top `view` (BGR or BGRA) for tiles of (width, height) pixels."""
    cosine, sine = _alignment(view)
    square = tile[0] == tile[1]
    count = DIRECTIONS if square else 2 * DIRECTIONS
    step = (np.pi / 2 if square else np.pi) / count
    halves = np.array(tile) / 2
    # Within a margin as wide as a tile reaches, a shift of the rows laid end to end is one in
    # both axes; the last pixels are for what rounding adds.
    margin = int(np.hypot(*halves)) + 3
    edges = np.asarray(cv2.merge([cosine, sine]), np.float32)
    cosine, sine = (np.pad(part, margin) for part in (cosine, sine))
    best = np.full(cosine.shape, np.iinfo(np.int16).min, np.int16)
    for k in range(count):  # Each score carries the number of its direction along.
        np.maximum(best, _vote_one(cosine, sine, halves, k * step) << DIGITS | k, out=best)
    best = best[margin:-margin, margin:-margin]
    score = np.asarray((best >> DIGITS) / np.float32(4 * SAMPLES * ONE), np.float32)
    return Votes(score, best & (1 << DIGITS) - 1, edges, step)


def _alignment(view: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Double-angle alignment of the edges of all channels: cosine and sine, each -1 to 1."""
    xx, yy, xy = np.zeros((3, *view.shape[:2]), np.float32)
    for channel in cv2.split(view)[:3]:
        gx = cv2.Sobel(channel, cv2.CV_32F, 1, 0, scale=1 / 8)
        gy = cv2.Sobel(channel, cv2.CV_32F, 0, 1, scale=1 / 8)
        cv2.accumulateSquare(gx, xx)
        cv2.accumulateSquare(gy, yy)
        cv2.accumulateProduct(gx, gy, xy)
    xx, yy, xy = (cv2.blur(part, (3, 3)) for part in (xx, yy, xy))
    strength = xx + yy
    # Only the crest of an edge votes in full: its blur must not make a tile's place vague.
    steepest = cv2.dilate(strength, np.ones((3, 3), np.uint8))
    crest = np.sqrt(strength / np.maximum(steepest, NOISE**2))
    weight = crest / (strength + NOISE**2)
    return (xx - yy) * weight, 2 * xy * weight


def _vote_one(
    cosine: NDArray[np.float32],
    sine: NDArray[np.float32],
    halves: NDArray[np.float64],
    angle: float,
) -> NDArray[np.int16]:
    """Sum of the alignment along the sides of a tile turned by `angle`, at each centre."""
    double = ONE * np.cos(2 * angle), ONE * np.sin(2 * angle)
    along = np.asarray(
        cv2.addWeighted(cosine, double[0], sine, double[1], 0, dtype=cv2.CV_8S), np.int8
    )
    x = np.array([np.cos(angle), np.sin(angle)])
    y = np.array([-x[1], x[0]])
    score = np.zeros(along.shape, np.int16)
    # Edges across x align with +, those across y with -.
    for normal, side, half, reach, add in (
        (x, y, halves[0], halves[1], np.add),
        (y, x, halves[1], halves[0], np.subtract),
    ):
        sums, middle = _line_sums(along, side * (2 * SAMPLED * reach / (SAMPLES - 1)))
        wide = sums.astype(np.int16)
        for out in (half, -half):
            _accumulate(score, wide, np.rint(normal * out - middle).astype(int), add)
    return score


def _line_sums(
    values: NDArray[np.int8], step: NDArray[np.float64]
) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """Sums of SAMPLES values, `step` apart, by doubling; and where their middle lies."""
    middle = np.zeros(2)
    times = 1
    while times < SAMPLES:
        shift = np.rint(step * times).astype(int)
        doubled = values.copy()
        _accumulate(doubled, values, shift, np.add)
        values = doubled
        middle += shift / 2
        times *= 2
    return values, middle


def _accumulate(
    into: NDArray[np.integer], values: NDArray[np.integer], shift: NDArray[np.int_], add: np.ufunc
) -> None:
    """Adds to each pixel of `into` the value that lies `shift` (x, y) away, the rows end to end."""
    ahead = int(shift[1]) * values.shape[1] + int(shift[0])
    target = into.ravel()[max(0, -ahead) : into.size - max(0, ahead)]
    add(target, values.ravel()[max(0, ahead) : values.size - max(0, -ahead)], out=target)
