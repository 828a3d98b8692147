"""How alike crops and taught faces are, in every turn and small displacement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import alignment
from vision.faces.features import (
    Colours,
    Shapes,
    colours,
    grid_size,
    shapes,
    unit_chroma,
    unit_patterns,
    window,
)

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

#: Displacements that are tried along each axis, and changes of size, as shares of the side.
SHIFTS = (-0.04, 0.0, 0.04)
SCALES = (0.94, 1.0, 1.06)


#: Pictures are kept sharp and soft: the deviation of the blur of a soft one is a share of the side.
FOCI, SOFT = 2, 0.04
#: Share of colour in the rough likeness that picks the faces worth a closer look.
ROUGH_COLOUR = 0.3


@dataclass(frozen=True, eq=False)
class Seen:
    """The features of n crops."""

    shape: Shapes
    colour: Colours


@dataclass(frozen=True, eq=False)
class Likeness:
    """How alike pairs of crops and taught pictures are, each in its best pose; arrays (n, k)."""

    shape: Array
    """Correlation of the lightness patterns, up to 1."""
    hue: Array
    """Likeness of the colours within the face whatever the light, up to 1."""
    light: Array
    """(n, k, 2) change of light, in log chroma, from the taught colours to the seen ones."""
    turn: NDArray[np.int8]
    """Clockwise quarter turns of the print in the crop."""


class Templates:
    """Taught pictures, all of one aspect, made ready for comparison in every pose.

    A pose is a turn, a focus (sharp or soft) and a small move.
    """

    def __init__(self, pictures: Sequence[Image], aspect: float) -> None:
        """`pictures` are BGR uint8, upright."""
        self.size = grid_size(aspect)
        self._turns = (0, 1, 2, 3) if self.size[0] == self.size[1] else (0, 2)
        fine = (self.size[0] * 3, self.size[1] * 3)
        upright = [cv2.resize(p, fine, interpolation=cv2.INTER_AREA) for p in pictures]
        moves = _small_moves(fine)
        soft = [cv2.GaussianBlur(p, (0, 0), SOFT * min(fine)) for p in upright]
        posed = np.stack(
            [
                _move(np.rot90(picture, -turn), move)
                for turn in self._turns
                for faces in (upright, soft)
                for move in moves
                for picture in faces
            ]
        )
        shape, self._colours = shapes(posed, self.size), colours(posed, self.size)
        self._patterns = shape.pattern
        self._pictures, self._moves = len(pictures), len(moves)
        self._shape_columns = np.ascontiguousarray(unit_patterns(shape).T)
        # Rough colour needs neither focus nor small moves: sharp and in the middle will do.
        chroma = unit_chroma(self._colours)
        chroma = chroma.reshape(len(self._turns), FOCI, self._moves, self._pictures, -1)
        middle = chroma[:, 0, self._moves // 2].reshape(len(self._turns) * self._pictures, -1)
        self._chroma_columns = np.ascontiguousarray(middle.T)

    def see(self, crops: Image) -> Seen:
        """The features of BGR crops (n, h, w, 3)."""
        return Seen(shapes(crops, self.size), colours(crops, self.size))

    def poses(self, seen: Seen) -> tuple[Array, NDArray[np.intp]]:
        """For each crop and picture (n, m) the rough likeness in its best pose, and that pose."""
        n, turns = len(seen.shape.pattern), len(self._turns)
        shape = unit_patterns(seen.shape) @ self._shape_columns
        shape = shape.reshape(n, turns, FOCI, self._moves, self._pictures)
        # One camera, one focus: the whole frame is compared with sharp or with soft pictures.
        focus = shape.max(axis=(1, 3, 4)).sum(axis=0).argmax()
        shape = shape[:, :, focus].reshape(n, turns * self._moves, self._pictures)
        best = shape.argmax(axis=1)
        turn, move = np.divmod(best, self._moves)
        colour = unit_chroma(seen.colour) @ self._chroma_columns
        colour = colour.reshape(n, turns, self._pictures)
        hue = np.take_along_axis(colour, turn[:, None], axis=1)[:, 0]
        rough = np.take_along_axis(shape, best[:, None], axis=1)[:, 0]
        pose = (turn * FOCI + focus) * self._moves + move
        return (1 - ROUGH_COLOUR) * rough + ROUGH_COLOUR * hue, pose

    def compare(
        self,
        seen: Seen,
        pictures: NDArray[np.intp],
        poses: NDArray[np.intp],
        worth: NDArray[np.bool_],
    ) -> Likeness:
        """Lays pictures on crops exactly, starting from a pose of each; all arrays (n, k).

        Pairs that are not `worth` it are left out and get no likeness at all.
        """
        crop, rank = np.nonzero(worth)
        posed = poses[crop, rank] * self._pictures + pictures[crop, rank]
        shape, hue = np.zeros((2, *worth.shape), np.float32)
        light = np.zeros((*worth.shape, 2), np.float32)
        shape[crop, rank] = alignment.shape_likeness(
            seen.shape.pattern[crop], self._patterns[posed], window(self.size)
        )
        hue[crop, rank], light[crop, rank] = alignment.colour_likeness(
            seen.colour.chroma[crop],
            self._colours.chroma[posed],
            seen.colour.weight[crop] * self._colours.weight[posed],
        )
        turn = np.asarray(self._turns, np.int8)[poses // (FOCI * self._moves)]
        return Likeness(shape, hue, light, turn)


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
    return np.asarray(
        cv2.warpAffine(np.ascontiguousarray(picture), move, size, borderMode=cv2.BORDER_REPLICATE)
    )
