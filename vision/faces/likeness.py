"""How alike crops and taught faces are, in every turn and small displacement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import alignment
from vision.faces.features import (
    Array,
    Colours,
    Image,
    Shapes,
    colours,
    grid_size,
    mean_chroma,
    shapes,
    unit_chroma,
    unit_patterns,
    window,
)

Ids = NDArray[np.intp]

#: Displacements that are tried along each axis, and changes of size, as shares of the side.
SHIFTS = (-0.04, 0.0, 0.04)
SCALES = (0.94, 1.0, 1.06)
#: Pictures are kept sharp and soft: the deviation of the blur of a soft one is a share of the side.
FOCI, SOFT = 2, 0.04
#: Share of colour in the rough likeness that picks the faces worth a closer look.
ROUGH_COLOUR = 0.3
#: Most light that haze on a lens and gloss on a print add: a share of the face's white.
VEIL = 0.1
#: How many of the likeliest labels are laid exactly on a crop, and how far a label's rough
#: likeness may lie below the best one's before it is no rival.
CLOSE_LOOKS, HOPELESS = 8, 0.4


@dataclass(frozen=True, eq=False)
class Likeness:
    """How alike n crops are to the k likeliest labels of each; arrays (n, k) unless said otherwise.

    A label that is no rival at all has likeness 0 in shape and hue.
    """

    labels: Ids
    """Index of the label, roughly the likeliest first."""
    shape: Array
    """Correlation of the lightness patterns, up to 1."""
    hue: Array
    """Likeness of the colours within the face whatever the light, up to 1."""
    light: Array
    """(n, k, 2) change of light, in log chroma, from the taught colours to the seen ones."""
    veil: Array
    """(n, k, 2) what a veil of white light changes of it: much, where inks are dark."""
    turn: NDArray[np.int8]
    """Clockwise quarter turns of the print in the crop."""
    contrast: Array
    """(n,) standard deviation of the crop's lightness."""


@dataclass(frozen=True, eq=False)
class _Seen:
    """The features of n crops."""

    shape: Shapes
    colour: Colours


class Templates:
    """The pictures of taught faces, made ready for comparison in every pose.

    A pose is a turn, a focus (sharp or soft) and a small move.
    """

    def __init__(self, faces: Sequence[Sequence[Image]], aspect: float) -> None:
        """`faces` are the pictures of each label: BGR uint8, upright, all of this aspect."""
        self._size = grid_size(aspect)
        self._turns = (0, 1, 2, 3) if self._size[0] == self._size[1] else (0, 2)
        counts = [len(pictures) for pictures in faces]
        self._pictures_of = np.split(np.arange(sum(counts)), np.cumsum(counts)[:-1])
        self._pictures = sum(counts)
        fine = (self._size[0] * 2, self._size[1] * 2)
        sharp = [
            np.asarray(cv2.resize(picture, fine, interpolation=cv2.INTER_AREA), np.uint8)
            for pictures in faces
            for picture in pictures
        ]
        soft = [
            np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFT * min(fine)), np.uint8)
            for picture in sharp
        ]
        moves = _small_moves(fine)
        self._moves = len(moves)
        posed = np.stack(
            [
                _move(np.rot90(picture, -turn), move)
                for turn in self._turns
                for focused in (sharp, soft)
                for move in moves
                for picture in focused
            ]
        )
        shape, self._colours = shapes(posed, self._size), colours(posed, self._size)
        self._patterns = shape.pattern
        self._veil = mean_chroma(colours(posed, self._size, VEIL)) - mean_chroma(self._colours)
        parts = (len(self._turns), FOCI, self._moves, self._pictures, -1)
        units = unit_patterns(shape).reshape(parts)
        self._shape_columns = [_columns(units[:, focus]) for focus in range(FOCI)]
        # The focus, and rough colour, show well enough without small moves.
        self._focus_columns = [_columns(units[:, f, self._moves // 2]) for f in range(FOCI)]
        self._chroma_columns = _columns(
            unit_chroma(self._colours).reshape(parts)[:, 0, self._moves // 2]
        )

    def compare(self, crops: Image) -> Likeness:
        """Compares BGR crops (n, h, w, 3) of one frame, n > 0, with the likeliest labels of each.

        The best picture of each label stands for it.
        """
        seen = _Seen(shapes(crops, self._size), colours(crops, self._size))
        rough, pose = self._roughly(seen)
        picture = np.stack([p[rough[:, p].argmax(axis=1)] for p in self._pictures_of], axis=1)
        rough = np.take_along_axis(rough, picture, axis=1)
        labels = np.argsort(-rough, axis=1, kind="stable")[:, :CLOSE_LOOKS]
        rough = np.take_along_axis(rough, labels, axis=1)
        picture = np.take_along_axis(picture, labels, axis=1)
        pose = np.take_along_axis(pose, picture, axis=1)
        crop, rank = np.nonzero(rough > rough[:, :1] - HOPELESS)
        posed = pose[crop, rank] * self._pictures + picture[crop, rank]
        shape, hue = np.zeros((2, *labels.shape), np.float32)
        light, veil = np.zeros((2, *labels.shape, 2), np.float32)
        shape[crop, rank] = alignment.shape_likeness(
            seen.shape.pattern[crop], self._patterns[posed], window(self._size)
        )
        hue[crop, rank], light[crop, rank] = alignment.colour_likeness(
            seen.colour.chroma[crop],
            self._colours.chroma[posed],
            seen.colour.weight[crop] * self._colours.weight[posed],
        )
        veil[crop, rank] = self._veil[posed]
        turn = np.asarray(self._turns, np.int8)[pose // (FOCI * self._moves)]
        return Likeness(labels, shape, hue, light, veil, turn, seen.shape.contrast)

    def _roughly(self, seen: _Seen) -> tuple[Array, Ids]:
        """For each crop and picture (n, m) the rough likeness in its best pose, and that pose."""
        n, turns = len(seen.shape.pattern), len(self._turns)
        unit = unit_patterns(seen.shape)
        # One camera, one focus: the whole frame is compared with sharp or with soft pictures.
        sharpness = [(unit @ columns).max(axis=1).sum() for columns in self._focus_columns]
        focus = int(np.argmax(sharpness))
        every = unit @ self._shape_columns[focus]
        every = every.reshape(n, turns * self._moves, self._pictures)
        best = every.argmax(axis=1)
        shape = np.take_along_axis(every, best[:, None], axis=1)[:, 0]
        turn, move = np.divmod(best, self._moves)
        colour = unit_chroma(seen.colour) @ self._chroma_columns
        colour = colour.reshape(n, turns, self._pictures)
        hue = np.take_along_axis(colour, turn[:, None], axis=1)[:, 0]
        pose = (turn * FOCI + focus) * self._moves + move
        return (1 - ROUGH_COLOUR) * shape + ROUGH_COLOUR * hue, pose


def _columns(vectors: Array) -> Array:
    """Vectors (..., d) side by side as the columns of one matrix."""
    return np.ascontiguousarray(vectors.reshape(-1, vectors.shape[-1]).T)


def _small_moves(size: tuple[int, int]) -> list[Array]:
    """Affine maps (2, 3) of a picture of `size`: every shift with every scale."""
    width, height = size
    return [
        np.array(
            [
                [s, 0, (1 - s) * (width - 1) / 2 + dx * min(size)],
                [0, s, (1 - s) * (height - 1) / 2 + dy * min(size)],
            ],
            np.float32,
        )
        for s in SCALES
        for dx in SHIFTS
        for dy in SHIFTS
    ]


def _move(picture: Image, move: Array) -> Image:
    size = (picture.shape[1], picture.shape[0])
    picture = np.ascontiguousarray(picture)
    return np.asarray(
        cv2.warpAffine(picture, move, size, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
