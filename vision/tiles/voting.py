"""Where the centres of tiles of a known size may be: edges vote for them.

A straight edge says that a tile's centre may lie half a side away, square to it. For each of a
few directions the alignment of all edges with that direction is summed along the four sides that
a tile would have around each point, and the best direction is kept. Alignment is the structure
tensor in its double-angle form (Bigün and Granlund 1987), divided by its trace: it is 1 along the
direction, -1 across it and averages 0 in texture, and a faint edge counts as much as a strong one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

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

    score: Array
    """Mean alignment of the four sides, -1 to 1, shape (h, w)."""
    direction: NDArray[np.int16]
    """Index of the best direction, shape (h, w)."""
    edges: Array
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
    """Votes in a top `view` (BGR) for tiles of (width, height) pixels."""
    cosine, sine = _alignment(view)
    square = tile[0] == tile[1]
    count = DIRECTIONS if square else 2 * DIRECTIONS
    step = (np.pi / 2 if square else np.pi) / count
    halves = (tile[0] / 2, tile[1] / 2)
    # Within a margin as wide as a tile reaches, a shift of the rows laid end to end is one in
    # both axes; the last pixels are for what rounding adds.
    margin = int(math.hypot(*halves)) + 3
    edges = np.asarray(cv2.merge([cosine, sine]), np.float32)
    ballot = _Ballot(_padded(cosine, margin), _padded(sine, margin), halves)
    best = np.full(ballot.score.shape, np.iinfo(np.int16).min, np.int16)
    for k in range(count):  # Each score carries the number of its direction along.
        ballot.cast(k * step)
        ballot.score <<= DIGITS
        ballot.score |= k
        np.maximum(best, ballot.score, out=best)
    best = best.reshape(ballot.shape)[margin:-margin, margin:-margin]
    score = np.multiply(best >> DIGITS, np.float32(1 / (4 * SAMPLES * ONE)), dtype=np.float32)
    return Votes(score, best & (1 << DIGITS) - 1, edges, step)


def _alignment(view: NDArray[np.uint8]) -> tuple[Array, Array]:
    """Double-angle alignment of the edges of all channels: cosine and sine, each -1 to 1."""
    xx, yy, xy = (np.zeros(view.shape[:2], np.float32) for _ in range(3))
    gx, gy, near = np.empty_like(xx), np.empty_like(xx), np.empty_like(xx)
    for channel in cv2.split(view)[:3]:
        cv2.Sobel(channel, cv2.CV_32F, 1, 0, dst=gx, scale=1 / 8)
        cv2.Sobel(channel, cv2.CV_32F, 0, 1, dst=gy, scale=1 / 8)
        cv2.accumulateSquare(gx, xx)
        cv2.accumulateSquare(gy, yy)
        cv2.accumulateProduct(gx, gy, xy)
    for part in (xx, yy, xy):
        cv2.blur(part, (3, 3), dst=part)
    strength = np.add(xx, yy, out=gx)
    # Only the crest of an edge votes in full: its blur must not make a tile's place vague.
    steepest = cv2.dilate(strength, np.ones((3, 3), np.uint8), dst=gy)
    np.maximum(steepest, NOISE**2, out=steepest)
    weight = np.sqrt(np.divide(strength, steepest, out=near), out=near)
    weight /= np.add(strength, NOISE**2, out=strength)
    cosine = np.subtract(xx, yy, out=xx)
    cosine *= weight
    xy *= 2
    xy *= weight
    return cosine, xy


def _padded(values: Array, margin: int) -> Array:
    """Values with a margin of zeros around them."""
    padded = cv2.copyMakeBorder(values, margin, margin, margin, margin, cv2.BORDER_CONSTANT)
    return np.asarray(padded, np.float32)


class _Ballot:
    """Votes for one direction after another, counted in memory that is asked for once."""

    def __init__(self, cosine: Array, sine: Array, halves: tuple[float, float]) -> None:
        """Takes the alignment of edges, (h, w) each, and half a tile's (width, height)."""
        self.shape = cosine.shape
        #: Sum of the alignment along the sides of a tile at each centre, the rows end to end.
        self.score = np.empty(cosine.size, np.int16)
        self._cosine, self._sine, self._halves = cosine, sine, halves
        self._along = np.empty(self.shape, np.int8)
        self._sums = np.empty((SAMPLES.bit_length() - 1, cosine.size), np.int8)
        self._wide = np.empty_like(self.score)

    def cast(self, angle: float) -> None:
        """Makes `score` the votes for tiles that are turned by `angle`."""
        cosine, sine = ONE * math.cos(2 * angle), ONE * math.sin(2 * angle)
        cv2.addWeighted(self._cosine, cosine, self._sine, sine, 0, dst=self._along, dtype=cv2.CV_8S)
        x = complex(math.cos(angle), math.sin(angle))
        y = x * 1j
        width, height = self._halves
        self.score.fill(0)
        # Edges across x align with +, those across y with -.
        for normal, side, half, reach, add in (
            (x, y, width, height, np.add),
            (y, x, height, width, np.subtract),
        ):
            middle = self._line_sums(side * (2 * SAMPLED * reach / (SAMPLES - 1)))
            for out in (half, -half):
                self._add(self.score, self._wide, normal * out - middle, add)

    def _line_sums(self, step: complex) -> complex:
        """Makes `_wide` the sums of SAMPLES values, `step` apart; and tells where they lie."""
        middle = 0j
        values = self._along.ravel()
        for k, doubled in enumerate(self._sums):
            np.copyto(doubled, values)
            middle += self._add(doubled, values, step * 2**k, np.add) / 2
            values = doubled
        np.copyto(self._wide, values)
        return middle

    def _add(
        self,
        into: NDArray[np.integer],
        values: NDArray[np.integer],
        shift: complex,
        add: np.ufunc,
    ) -> complex:
        """Adds to each pixel of `into` the value `shift` (x + y i) away, in whole pixels: these."""
        x, y = round(shift.real), round(shift.imag)
        ahead = y * self.shape[1] + x
        target = into[max(0, -ahead) : into.size - max(0, ahead)]
        add(target, values[max(0, ahead) : values.size - max(0, -ahead)], out=target)
        return complex(x, y)
