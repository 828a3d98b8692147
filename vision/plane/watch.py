"""Watches squares where they were last: how far each lies off by now, in pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.plane.edges import Image, Sides, measure_sides, moved_quads
from vision.plane.markers import Sighting
from vision.plane.pinhole import Array

#: A square has moved if it lies off by so many pixels in one frame, or in the mean of the last
#: few: a steady camera's picture trembles by less than 0.3 px, and half a pixel is half a
#: millimetre of a table that fills 1080 lines.
_OFF_PX, _OFF_ON_AVERAGE_PX = 0.6, 0.4
#: Weight of the newest frame in that mean.
_NEWEST = 0.4
#: The places that squares are compared with are the mean of so many frames.
_SETTLING = 10
#: Sides that tell where a square is: two that face each other, and one across.
_FEWEST_SIDES = 3
#: Fewer frames than these say nothing on average.
_FEWEST_FRAMES = 3


@dataclass(frozen=True, eq=False)
class Look:
    """What a frame shows of n squares. One that isn't `seen` is covered, unlit, or far away."""

    seen: NDArray[np.bool_]
    off: NDArray[np.bool_]
    """Which of the seen ones have moved."""
    shifts: Array
    """By how many pixels, shape (n, 2); 0 where unseen."""

    @property
    def held(self) -> NDArray[np.bool_]:
        """Which of the squares are seen where they were."""
        return np.asarray(self.seen & ~self.off, np.bool_)


class Watch:
    """Squares at the places where a frame showed them."""

    def __init__(self, image: Image, quads: Array) -> None:
        """`quads`, shape (n, 4, 2), are about where black squares on white lie in `image`."""
        n = len(quads)
        self.quads = np.array(quads, np.float64)
        self._place = np.zeros((n, 4, 2))
        self._frames = np.zeros((n, 4), np.int64)
        self._mean = np.zeros((n, 2))
        self._seen_for = np.zeros(n, np.int64)
        self._solvers = np.zeros((n, 16, 2, 4))
        self.renew(image, np.arange(n), quads)

    @property
    def centres(self) -> Array:
        """Where the diagonals of the squares cross, shape (n, 2)."""
        return np.array([Sighting(0, quad).centre for quad in self.quads]).reshape(-1, 2)

    def renew(self, image: Image, which: NDArray[np.intp], quads: Array) -> None:
        """Some of the squares lie elsewhere: now they are watched there."""
        if not len(which):
            return
        self.quads[which] = moved_quads(quads, measure_sides(image, quads))
        self._solvers[which] = _solvers(self.quads[which])
        for state in (self._place, self._frames, self._mean, self._seen_for):
            state[which] = 0
        sides = measure_sides(image, self.quads[which])
        self._place[which] = sides.offsets
        self._frames[which] = sides.seen

    def judge(self, sides: Sides) -> Look:
        """What sides measured near `quads` say, frame after frame."""
        known = sides.seen & (self._frames > 0)
        drift = np.where(known, (sides.offsets - self._place).mean(axis=-1), 0.0)
        pattern = known @ (1 << np.arange(4))
        solver = np.take_along_axis(self._solvers, pattern[:, None, None, None], axis=1)[:, 0]
        shifts = np.einsum("nij,nj->ni", solver, drift)
        seen = known.sum(axis=1) >= _FEWEST_SIDES
        shifts[~seen] = 0.0
        self._seen_for = np.where(seen, self._seen_for + 1, 0)
        newest = np.where(self._seen_for == 1, 1.0, _NEWEST)[:, None]
        self._mean = np.where(seen[:, None], self._mean + newest * (shifts - self._mean), 0.0)
        far = np.linalg.norm(shifts, axis=1) > _OFF_PX
        steady = self._seen_for >= _FEWEST_FRAMES
        far |= steady & (np.linalg.norm(self._mean, axis=1) > _OFF_ON_AVERAGE_PX)
        look = Look(np.asarray(seen, np.bool_), np.asarray(seen & far, np.bool_), shifts)
        self._settle(sides, look.held)
        return look

    def _settle(self, sides: Sides, held: NDArray[np.bool_]) -> None:
        """Lets the sides of squares that are at their places say more exactly where that is.

        A side that was covered at first counts from when its square is seen at its place.
        """
        learn = held[:, None] & sides.seen & (self._frames < _SETTLING)
        self._frames += learn
        share = np.where(learn, 1.0 / np.maximum(self._frames, 1), 0.0)[..., None]
        self._place += share * (sides.offsets - self._place)


def _solvers(quads: Array) -> Array:
    """For each quad and each pattern of seen sides, the matrix from drifts to a shift.

    Shape (n, 16, 2, 4). A side's drift outwards is its part of the shift, and how much less the
    paper blooms now, which is the same on all sides; least squares, tied to no bloom.
    """
    along = np.roll(quads, -1, axis=1) - quads
    outward = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    outward /= np.linalg.norm(outward, axis=-1, keepdims=True)
    model = np.concatenate([outward, np.ones_like(outward[..., :1])], axis=-1)
    patterns = (np.arange(16)[:, None] >> np.arange(4)) & 1
    weighted = model[:, None] * patterns[:, :, None]
    normal = weighted.mT @ weighted + np.diag([1e-9, 1e-9, 0.05])
    return np.asarray(np.linalg.solve(normal, weighted.mT)[..., :2, :])
