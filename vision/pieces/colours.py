"""Taught colours of painted pieces, and which of them a piece in a picture bears."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.observation import CANDIDATES, NONE
from vision.pieces.colours_light import colour_shares
from vision.pieces.colours_look import Array, Image, light_look, look, piece_look

#: Probability from which a colour may be relied on, among the taught ones, and that of none of them
#: up to which it may.
SURE = 0.99
_STRANGE = 0.2
#: A piece must fill so much of the middle of its crop that its look is its own.
_FILLS = 0.08
#: Spread (sigma) of a taught piece about its paint, and of lights about each other when pieces of
#: several pictures are taught; lightness first.
_TAUGHT = np.array([0.5, 0.12, 0.08])
_LIGHTS = np.array([1.5, 0.6, 0.2])


@dataclass(frozen=True, eq=False)
class ColourReadings:
    """The colours of n pieces."""

    colour_ids: NDArray[np.int16]
    """(n,) index into `ColourBook.names`, or NONE if it is more likely no taught colour."""
    certain: NDArray[np.bool_]
    """(n,) whether the colour may be relied on without a person or a rule."""
    candidate_ids: NDArray[np.int16]
    """(n, CANDIDATES) the likeliest colours, best first; NONE pads."""
    candidate_scores: NDArray[np.float32]
    """(n, CANDIDATES) their probabilities, 0 to 1; 0 pads."""


@dataclass(frozen=True, eq=False)
class ColourBook:
    """Colours by name, taught or given."""

    names: tuple[str, ...]
    paints: Array
    """(colours, 3) looks, see `vision.pieces.colours_look`."""
    doubts: Array
    """(colours, 3) variances of `paints`."""
    absolute: bool
    """Whether paints are looks under even white light of 1; else under some unknown light."""

    @classmethod
    def of_paints(cls, paints: Mapping[str, tuple[int, int, int]]) -> Self:
        """Colours given by their nominal sRGB, 0 to 255, as an edition states them."""
        levels = np.array([paint[::-1] for paint in paints.values()], np.float32).reshape(-1, 3)
        doubts = np.tile(np.square(_TAUGHT), (len(levels), 1)).astype(np.float32)
        return cls(tuple(paints), look(levels), doubts, absolute=True)

    @classmethod
    def teach(
        cls,
        crops: Mapping[str, Sequence[Image]],
        *,
        pictures: Mapping[str, Sequence[int]] | None = None,
        white: Mapping[str, ArrayLike] | None = None,
    ) -> Self:
        """Colours from BGR crops of pieces, as few as one a colour.

        Each crop shows one piece in its middle. `pictures` says, in the same order, which picture
        each crop is from (any numbers; else all are from one): the pictures' lights are told
        apart by what they share. `white` gives linear BGR light (n, 3) of white paper at each
        crop: the colours then hold for any light whose white is known.
        Raises ValueError if a colour has no crop, or lists do not fit.
        """
        names = tuple(crops)
        looks, colours, lights = [], [], []
        for colour, name in enumerate(names):
            if not crops[name]:
                raise ValueError(f"{name}: expected at least one crop, got none")
            own = np.stack([piece_look(crop)[0] for crop in crops[name]])
            if white is not None:
                own = own - light_look(white[name])
            looks.append(own)
            colours += [colour] * len(own)
            of = [0] * len(own) if pictures is None else list(pictures[name])
            if len(of) != len(own):
                raise ValueError(f"{name}: expected {len(own)} picture numbers, got {len(of)}")
            lights += of
        paints, doubts = _paints(
            np.concatenate(looks), np.array(colours), np.unique(lights, return_inverse=True)[1]
        )
        return cls(names, paints, doubts, absolute=white is not None)

    def judge(
        self,
        looks: Array,
        *,
        fills: Array | None = None,
        places: ArrayLike | None = None,
        white: ArrayLike | None = None,
    ) -> ColourReadings:
        """The colours of the pieces of one picture, judged together: each tells of the light.

        `looks` (n, 3) and `fills` (n,) are those of `piece_look`; `places` (n, 2) where the pieces
        are in the picture, 0 to 1 across and down; `white`, (3,) or (n, 3), the linear BGR light of
        white paper there, which counts only if the book is absolute.
        """
        where = None if places is None else np.asarray(places, np.float32) * 2.0 - 1.0
        shift = None
        if white is not None and self.absolute:
            shift = np.broadcast_to(light_look(white), looks.shape)
        shares = colour_shares(looks, where, self.paints, self.doubts, shift)
        order = np.argsort(-shares, axis=1, kind="stable")
        best = order[:, 0]
        none = len(self.names)
        taken = shares[:, :none]
        sure = taken.max(axis=1, initial=0.0) / np.maximum(taken.sum(axis=1), 1e-9)
        certain = (best != none) & (sure >= SURE) & (shares[:, none] <= _STRANGE)
        if fills is not None:
            certain &= fills >= _FILLS
        ranked = np.argsort(-shares[:, :none], axis=1, kind="stable")[:, :CANDIDATES]
        scores = np.take_along_axis(shares, ranked, axis=1)
        pad = ((0, 0), (0, CANDIDATES - ranked.shape[1]))
        return ColourReadings(
            colour_ids=np.where(best == none, NONE, best).astype(np.int16),
            certain=certain,
            candidate_ids=np.pad(ranked, pad, constant_values=NONE).astype(np.int16),
            candidate_scores=np.pad(scores, pad).astype(np.float32),
        )

    def judge_crops(
        self,
        crops: Sequence[Image],
        *,
        places: ArrayLike | None = None,
        white: ArrayLike | None = None,
    ) -> ColourReadings:
        """`judge` of the pieces in the middle of BGR crops of one picture."""
        seen = [piece_look(crop) for crop in crops]
        looks = np.array([one for one, _ in seen], np.float32).reshape(-1, 3)
        fills = np.array([share for _, share in seen], np.float32)
        return self.judge(looks, fills=fills, places=places, white=white)


def _paints(
    looks: Array, colours: NDArray[np.intp], lights: NDArray[np.intp]
) -> tuple[Array, Array]:
    """Paints and their variances from looks (n, 3) of known colours under several lights."""
    n, k, groups = len(looks), int(colours.max()) + 1, int(lights.max()) + 1
    base = np.zeros((n, k + groups))
    base[np.arange(n), colours] = 1.0
    base[np.arange(n), k + lights] = 1.0
    paints, doubts = np.empty((k, 3), np.float32), np.empty((k, 3), np.float32)
    for axis in range(3):
        prior = np.full(k + groups, 1e-4)
        # Of a single light nothing is to be told apart.
        prior[k:] = 1e6 if groups == 1 else _LIGHTS[axis] ** -2
        matrix = base.T @ base / _TAUGHT[axis] ** 2 + np.diag(prior)
        inverse = np.linalg.inv(matrix)
        solution = inverse @ (base.T @ looks[:, axis] / _TAUGHT[axis] ** 2)
        paints[:, axis] = solution[:k]
        # What all paints share is a shift of the light, and no doubt about one of them.
        centred = np.eye(k) - 1.0 / k
        doubts[:, axis] = np.diag(centred @ inverse[:k, :k] @ centred)
    return paints, doubts
