"""The light of a picture, worked out from all pieces in it at once, whatever their colours are.

One light falls on all pieces of a picture, evenly or changing slowly across it. It shifts all looks
alike (von Kries), and haze, gloss and the camera's curve draw all colours towards white or away
from it. So pieces of different colours tell each other's apart: which light makes the most of them
look like taught paints? The fit is by expectation and maximisation, from many starts; what the
fits disagree on stays in doubt.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.pieces.colours_look import Array, noise

#: Spreads (sigma; lightness, red against blue, green against both) of what the light does to all
#: looks. Lamps between candle and sky differ by 1.4 from red to blue; white balance undoes most.
_SHIFT = np.array([1.5, 0.6, 0.2])
#: The same where white was seen: paper is not the piece's neighbour, and cameras bend its curve.
#: From rendered trays (half of their spread is haze, gloss and the camera's taste).
_SHIFT_SEEN = np.array([0.55, 0.25, 0.12])
#: How much that changes from the middle of the picture to its rim.
_CHANGE = np.array([0.5, 0.3, 0.1])
#: Spread of the logarithm of how colourful a picture is.
_VIVID = 0.35
#: Spread of one piece about its paint: its sides are lit differently, and are more or less glossy;
#: a strong colour strays farther than a pale one.
_STRAY = np.array([0.8, 0.1, 0.06])
_STRAY_VIVID = 0.08
#: Share of pieces that bear no taught paint or were cropped badly, and the room of all looks.
_STRANGE, _ROOM = 0.02, 80.0
#: What the model of light gets wrong, it gets wrong for all pieces of a colour alike: however many
#: there are, so many a colour are independent evidence of the light.
_TELLING = 4
_STARTS, _ROUNDS = 12, 15
#: How colourful the picture may be when a fit starts, and how far apart the shifts of two starts.
_VIVIDS = (0.5, 0.7, 1.0, 1.4)
_APART = np.array([0.5, 0.2, 0.15])
#: So many pieces are tried as the first of a fit.
_FIRST = 24


@dataclass(frozen=True, eq=False)
class Lit:
    """What one fit says: shares (n, colours + 1) of each paint and of none; how good it is."""

    shares: NDArray[np.float64]
    worth: float


def colour_shares(
    looks: Array, places: Array | None, paints: Array, doubts: Array, shift: Array | None
) -> NDArray[np.float64]:
    """How probable each paint is for each piece: (n, colours + 1), the last one is "none of them".

    `looks` (n, 3) are those of the pieces of one picture, `places` (n, 2) where they are in it,
    from -1 to 1, or None if unknown. `paints` (colours, 3) are looks under even white light of 1 if
    `shift` (n, 3), the looks of white at the pieces, is given; else under one unknown light.
    `doubts` (colours, 3) are the variances of `paints`.
    """
    if not len(looks):
        return np.zeros((0, len(paints) + 1))
    fit = _Fit(looks, places, paints, doubts, shift)
    fits = [fit.run(*start) for start in fit.starts()]
    best = max(one.worth for one in fits)
    # Fits that say the same count once.
    kept: list[Lit] = []
    for one in sorted(fits, key=lambda one: -one.worth):
        if one.worth > best - 12.0 and all(
            np.abs(one.shares - other.shares).max() > 0.05 for other in kept
        ):
            kept.append(one)
    weights = np.exp(np.array([one.worth for one in kept]) - best)
    shares = np.stack([one.shares for one in kept])
    return np.asarray(np.einsum("f,fnc->nc", weights / weights.sum(), shares))


class _Fit:
    """The pieces of one picture, and the paints that they may bear."""

    def __init__(
        self,
        looks: Array,
        places: Array | None,
        paints: Array,
        doubts: Array,
        shift: Array | None,
    ) -> None:
        self.paints = paints.astype(np.float64)
        known = shift is not None
        self.looks = looks.astype(np.float64) - (0.0 if shift is None else shift)
        self.spread = _SHIFT_SEEN if known else _SHIFT
        n = len(looks)
        self.base = np.ones((n, 1))
        if places is not None and n >= 4:
            self.base = np.column_stack([self.base, places])
        vivid = np.linalg.norm(self.paints[:, 1:] - self.paints[:, 1:].mean(axis=0), axis=1)
        stray = np.tile(_STRAY, (len(paints), 1))
        stray[:, 1:] += _STRAY_VIVID * vivid[:, None]
        #: (n, colours, 3)
        self.variance = noise(looks)[:, None] + np.square(stray) + doubts
        self.middle = self.paints.mean(axis=0)
        self.weight = min(1.0, _TELLING * len(paints) / n)
        self.anchor = np.zeros(3) if known else self.middle

    def starts(self) -> list[tuple[NDArray[np.float64], float]]:
        """The likeliest lights, apart from each other, under which some piece takes some paint."""
        step = max(1, len(self.looks) // _FIRST)
        tried = [(np.zeros(3), 1.0)]
        for vivid in _VIVIDS:
            shifts = (self.looks[::step, None] - self._shown(vivid)).reshape(-1, 3)
            tried += [(shift, vivid) for shift in shifts]
        worth = [self._worth(shift, vivid) for shift, vivid in tried]
        chosen: list[tuple[NDArray[np.float64], float]] = []
        for i in np.argsort(worth)[::-1].tolist():
            shift, vivid = tried[i]
            if all(
                vivid != other or (np.abs(shift - near) > _APART).any() for near, other in chosen
            ):
                chosen.append((shift, vivid))
            if len(chosen) == _STARTS:
                break
        return chosen

    def _worth(self, shift: NDArray[np.float64], vivid: float) -> float:
        """How well one light everywhere explains the pieces."""
        likelihood = self._likelihoods(np.tile(shift, (len(self.looks), 1)), vivid)[1]
        penalty = float(np.square(shift / self.spread).sum() + (np.log(vivid) / _VIVID) ** 2)
        return likelihood - 0.5 * penalty

    def run(self, shift: NDArray[np.float64], vivid: float) -> Lit:
        """Betters the light by what it makes of the pieces, in turn."""
        field = np.tile(shift, (len(self.looks), 1))
        worth = 0.0
        shares = np.zeros((len(self.looks), len(self.paints) + 1))
        for _ in range(_ROUNDS):
            shares, likelihood = self._likelihoods(field, vivid)
            weights = self.weight * shares[:, :-1, None] / self.variance
            field, penalty = self._light(weights, vivid)
            vivid = self._vividness(weights, field)
            worth = likelihood - penalty - 0.5 * (np.log(vivid) / _VIVID) ** 2
        return Lit(shares, worth)

    def _shown(self, vivid: float) -> NDArray[np.float64]:
        """The paints in a picture that is more or less colourful."""
        shown = self.anchor + vivid * (self.paints - self.anchor)
        shown[:, 0] = self.paints[:, 0]
        return shown

    def _likelihoods(
        self, field: NDArray[np.float64], vivid: float
    ) -> tuple[NDArray[np.float64], float]:
        """Shares of paints for each piece, and the logarithm of the likelihood of all."""
        off = self.looks[:, None] - field[:, None] - self._shown(vivid)
        exponent = -0.5 * (np.square(off) / self.variance).sum(axis=2)
        density = np.exp(exponent) / np.sqrt((2 * np.pi * self.variance).prod(axis=2))
        parts = np.column_stack(
            [
                density * (1.0 - _STRANGE) / len(self.paints),
                np.full(len(density), _STRANGE / _ROOM),
            ]
        )
        total = parts.sum(axis=1)
        return parts / total[:, None], self.weight * float(np.log(total).sum())

    def _light(
        self, weights: NDArray[np.float64], vivid: float
    ) -> tuple[NDArray[np.float64], float]:
        """The shift at each piece (n, 3) by ridge regression, and what its size costs."""
        off = self.looks[:, None] - self._shown(vivid)
        field, penalty = np.empty_like(self.looks), 0.0
        for axis in range(3):
            weight = weights[..., axis].sum(axis=1)
            target = (weights[..., axis] * off[..., axis]).sum(axis=1)
            prior = np.full(self.base.shape[1], _CHANGE[axis] ** -2)
            prior[0] = self.spread[axis] ** -2
            matrix = (self.base * weight[:, None]).T @ self.base + np.diag(prior)
            slopes = np.linalg.solve(matrix, self.base.T @ target)
            field[:, axis] = self.base @ slopes
            penalty += 0.5 * float((prior * np.square(slopes)).sum())
        return field, penalty

    def _vividness(self, weights: NDArray[np.float64], field: NDArray[np.float64]) -> float:
        """How colourful the picture is against the taught paints, by ridge regression about 1."""
        arm = (self.paints - self.anchor)[None, :, 1:]
        target = (self.looks - field - self.anchor)[:, None, 1:]
        weight = weights[..., 1:]
        prior = _VIVID**-2
        up = float((weight * arm * target).sum()) + prior
        down = float((weight * np.square(arm)).sum()) + prior
        return float(np.clip(up / down, 0.4, 2.5))
