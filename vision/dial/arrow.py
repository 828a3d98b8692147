"""Where an arrow points: it is what differs from the bare disc, and has the arrow's own print."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dial.prints import ACROSS, Array, disc_mask, slope_of, turn_matrix, turned

#: Pixels across the disc in the first search, and angles that are tried.
_COARSE, _ANGLES = 40, 90
_STEP = 360.0 / _ANGLES
#: Angles that differ by less are the same one, in degrees.
_SAME = 15.0
#: Steps of the fine fit; a level that is off by more than this counts less.
_FITS, _STRAY = 3, 30.0
#: How far, in diameters, the fine fit may move an arrow from where the search found it.
_PLAY = 0.05


@dataclass(frozen=True, eq=False)
class FoundArrow:
    """An arrow on an upright disc.

    `presence` says how well the arrow explains what differs from the bare disc: 1 if wholly, 0
    if no better than no arrow at all, below it if worse. `lead` compares it so with the best
    arrow at another angle: 1 if all that tells the two apart speaks for this one.
    """

    angle: float
    """Degrees clockwise from the disc's top."""
    sigma: float
    """Standard deviation of the angle in degrees, as the fit sees it."""
    presence: float
    lead: float
    seen: Array
    """The levels that disc and arrow together should show."""


class ArrowFinder:
    """Finds one arrow over one disc."""

    def __init__(self, disc: Array, arrows: Sequence[Array]) -> None:
        """All are prints of ACROSS pixels: the disc, and an arrow as it may be cut, pointing up."""
        self._disc, self._arrows = disc, tuple(arrows)
        self._strips = [_Strip(disc, arrow) for arrow in arrows]
        self._small = _shrunk(disc)
        covers, costs = [], []
        for arrow in arrows:
            for index in range(_ANGLES):
                laid = _shrunk(turned(arrow, index * _STEP))
                laid *= disc_mask(_COARSE)[..., None]
                cover, levels = laid[..., 3:], laid[..., :3]
                covers.append(np.concatenate([cover, 2.0 * levels], axis=2).reshape(-1))
                costs.append(float((levels**2 / np.maximum(cover, 1e-3)).sum()))
        # No arrow reaches all of the disc.
        self._reached = np.any(covers, axis=0)
        self._covers = np.ascontiguousarray(np.stack(covers)[:, self._reached])
        self._costs = np.array(costs)[:, None]

    def find(self, levels: Array, shifts: Sequence[tuple[float, float]]) -> FoundArrow:
        """The arrow in an upright picture (ACROSS, ACROSS, 3) in the print's levels.

        `shifts` are where its pivot may be seen, in pixels (x, y) from the disc's middle.
        """
        # By how much each cut, angle and shift explains the picture better than no arrow: the sum
        # over the arrow of (levels - disc)^2 - (levels - arrow)^2, as one product of matrices.
        gains = self._covers @ self._planes(levels, shifts) - self._costs
        best, shift = (int(i) for i in np.unravel_index(gains.argmax(), gains.shape))
        cut, index = divmod(best, _ANGLES)
        strip, at = self._strips[cut], shifts[shift]
        fit = strip.fit(levels, index * _STEP, at)
        if fit.lead < 0.0:
            fit = strip.fit(levels, fit.angle + 180.0, at)
        seen = _composed(self._disc, turned(self._arrows[cut], fit.angle, fit.place))
        # An arrow the other way round is alike but for its ends: the fit tells those apart.
        half = _ANGLES // 2
        apart = np.abs((np.arange(_ANGLES) - index + half / 2) % half - half / 2) * _STEP
        own = gains[cut * _ANGLES : (cut + 1) * _ANGLES].max(axis=1)
        rival = cut * _ANGLES + int(np.where(apart >= _SAME, own, -np.inf).argmax())
        two = [best, rival]
        due = (self._covers[two] @ self._planes(seen, [at]) - self._costs[two]).ravel()
        lead = (own[index] - gains[rival].max()) / max(float(due[0] - due[1]), 1.0)
        return FoundArrow(
            fit.angle % 360.0, fit.sigma, fit.presence, min(fit.lead, float(lead)), seen
        )

    def _planes(self, levels: Array, shifts: Sequence[tuple[float, float]]) -> Array:
        """What the covers are multiplied with, a column for each shift."""
        small = _shrunk(levels)
        bare = (self._small * (self._small - 2.0 * small)).sum(axis=2, keepdims=True)
        planes = np.concatenate([bare, small], axis=2)
        columns, scale = [], _COARSE / ACROSS
        for x, y in shifts:
            back = np.array([[1.0, 0.0, -x * scale], [0.0, 1.0, -y * scale]])
            moved = cv2.warpAffine(planes, back, (_COARSE, _COARSE), flags=cv2.INTER_LINEAR)
            columns.append(moved.reshape(-1)[self._reached])
        return np.asarray(np.stack(columns, axis=1), np.float32)


@dataclass(frozen=True, slots=True)
class _Fit:
    """An arrow's angle in degrees and its deviation, the place of its pivot, and how it is told."""

    angle: float
    sigma: float
    place: tuple[float, float]
    presence: float
    lead: float


class _Strip:
    """One cut of an arrow in the narrow window in which it points up; all else is turned to it."""

    def __init__(self, disc: Array, arrow: Array) -> None:
        self._disc = disc
        half = np.abs(np.argwhere(arrow[..., 3] > 0.0) - (ACROSS - 1) / 2).max(axis=0) + 2.0
        top, left = (max(0, math.floor((ACROSS - 1) / 2 - reach)) for reach in half)
        window = (slice(top, ACROSS - top), slice(left, ACROSS - left))
        self._corner, self._arrow = (left, top), arrow[window]
        across = np.arange(ACROSS, dtype=np.float32) - (ACROSS - 1) / 2
        x, y = across[None, window[1], None], across[window[0], None, None]
        gx, gy = (slope_of(arrow, axis)[window] for axis in (1, 0))
        slopes = (np.radians(1.0) * (x * gy - y * gx), gx, gy)
        self._slopes = [(np.ascontiguousarray(s[..., :3]), s[..., 3:].copy()) for s in slopes]

    def fit(self, levels: Array, degrees: float, place: tuple[float, float]) -> _Fit:
        """The arrow near a place, by least squares (Gauss-Newton)."""
        angle, at, start = degrees, np.array(place), np.array(place)
        for _ in range(_FITS):
            seen, disc = self._view(levels, angle, at), self._view(self._disc, angle, at)
            error = (seen - _composed(disc, self._arrow)).ravel()
            jacobian = np.stack([(part - disc * cover).ravel() for part, cover in self._slopes])
            # An arrow that moves on shows what was behind: its slope with the sign turned.
            weighted = -jacobian / (1.0 + (error / _STRAY) ** 2)
            normal = 1e-3 * np.eye(3) - weighted @ jacobian.T
            step = np.linalg.solve(normal, weighted @ error)
            turn, x, y = np.clip(step, (-3.0, -2.0, -2.0), (3.0, 2.0, 2.0))
            at = at + turn_matrix(angle, 0.0)[:, :2] @ (x, y)
            at = np.clip(at, start - _PLAY * ACROSS, start + _PLAY * ACROSS)
            angle += float(turn)
        seen, disc = self._view(levels, angle, at), self._view(self._disc, angle, at)
        one, back = _composed(disc, self._arrow), _composed(disc, self._arrow[::-1, ::-1])
        sigma = np.sqrt(np.linalg.inv(normal)[0, 0] * ((seen - one) ** 2).mean())
        return _Fit(
            angle,
            float(sigma),
            (float(at[0]), float(at[1])),
            _lead(seen, one, disc),
            _lead(seen, one, back),
        )

    def _view(self, picture: Array, angle: float, place: NDArray[np.float64]) -> Array:
        """An upright disc as an arrow at this angle and place sees it, within the window."""
        matrix = turn_matrix(angle, (ACROSS - 1) / 2, (float(place[0]), float(place[1])))
        matrix[:, 2] = matrix @ (*self._corner, 1.0)
        height, width = self._arrow.shape[:2]
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        view = cv2.warpAffine(
            picture, matrix, (width, height), flags=how, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(view, np.float32)


def _composed(disc: Array, laid: Array) -> Array:
    """What a disc with an arrow on it shows."""
    return np.asarray(disc * (1.0 - laid[..., 3:]) + laid[..., :3], np.float32)


def _lead(levels: Array, one: Array, other: Array) -> float:
    """How much better one picture explains levels than another, from 1 down to -1.

    It is the difference of the sums of their squared errors in shares of the pictures' own.
    """
    between = one - other
    return float(((2.0 * levels - one - other) * between).sum() / max((between**2).sum(), 1.0))


def _shrunk(picture: Array) -> Array:
    return np.asarray(
        cv2.resize(picture, (_COARSE, _COARSE), interpolation=cv2.INTER_AREA), np.float32
    )
