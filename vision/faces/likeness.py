"""How alike crops and taught faces are, in every turn and small displacement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.alignment import aligned_likeness
from vision.faces.features import Colours, colours, contrast, grid_size, lightness, unit_shapes

Array = NDArray[np.float32]

#: Displacements that are tried along each axis, and changes of size, as shares of the side.
SHIFTS = (-0.04, 0.0, 0.04)
SCALES = (0.94, 1.0, 1.06)
#: Variance of chroma that is noise, not print.
CHROMA_NOISE = 0.03**2


@dataclass(frozen=True, eq=False)
class Comparison:
    """How n crops and m taught pictures compare, each pair in its best pose."""

    grey: Array
    """(n, rows, columns) lightness of the crops."""
    shape: Array
    """(n, m) correlation of the lightness patterns, up to 1."""
    pose: NDArray[np.intp]
    """(n, m) number of the pose: see `Templates.turn_of`."""
    hue: Array
    """(n, m) correlation of the chroma within the face, up to 1; 1 where neither has any."""
    gain: Array
    """(n, m, 2) change of light that turns the taught colours into the seen ones."""

    @property
    def contrast(self) -> Array:
        """(n,) standard deviation of the crop's lightness."""
        return contrast(self.grey)


class Templates:
    """Taught pictures, all of one aspect, made ready for comparison in every pose."""

    def __init__(self, pictures: Sequence[NDArray[np.uint8]], aspect: float) -> None:
        """`pictures` are BGR uint8, upright."""
        self.size = grid_size(aspect)
        self.turns = (0, 1, 2, 3) if self.size[0] == self.size[1] else (0, 2)
        wide = (self.size[0] * 3, self.size[1] * 3)
        upright = [cv2.resize(p, wide, interpolation=cv2.INTER_AREA) for p in pictures]
        rotated = [np.stack([np.rot90(p, -turn) for p in upright]) for turn in self.turns]
        maps = _small_moves(self.size)
        # (turns x moves, pictures, rows, columns): a pose is a turn with a small move.
        self._posed = np.stack([self._moved(faces, m) for faces in rotated for m in maps])
        self._moves = len(maps)
        columns = unit_shapes(self._posed.reshape(-1, *self._posed.shape[2:]))
        self._shape_columns = np.ascontiguousarray(columns.T)
        self._colours = [colours(faces, self.size) for faces in rotated]

    def turn_of(self, pose: NDArray[np.intp]) -> NDArray[np.int8]:
        """Clockwise quarter turns of the print in the crop, for numbers of poses."""
        return np.asarray(self.turns, np.int8)[pose // self._moves]

    def compare(self, crops: NDArray[np.uint8]) -> Comparison:
        """Compares BGR crops (n, h, w, 3) with all taught pictures."""
        grey = lightness(crops, self.size)
        likeness = unit_shapes(grey) @ self._shape_columns
        likeness = likeness.reshape(len(crops), *self._posed.shape[:2])
        pose = likeness.argmax(axis=1)
        turn = pose // self._moves
        seen = colours(crops, self.size)
        pairs = [_compare_colours(seen, taught) for taught in self._colours]
        hue = np.stack([pair[0] for pair in pairs], axis=1)
        gain = np.stack([pair[1] for pair in pairs], axis=1)
        return Comparison(
            grey=grey,
            shape=np.take_along_axis(likeness, pose[:, None], axis=1)[:, 0],
            pose=pose,
            hue=np.take_along_axis(hue, turn[:, None], axis=1)[:, 0],
            gain=np.take_along_axis(gain, turn[:, None, :, None], axis=1)[:, 0],
        )

    def aligned(self, seen: Comparison, pictures: NDArray[np.intp]) -> Array:
        """The likeness of shape (n, k) of crops and some `pictures` (n, k), laid exactly."""
        crop = np.repeat(np.arange(len(pictures)), pictures.shape[1])
        picture = pictures.ravel()
        taught = self._posed[seen.pose[crop, picture], picture]
        return aligned_likeness(seen.grey[crop], taught).reshape(pictures.shape)

    def _moved(self, pictures: NDArray[np.uint8], move: Array) -> Array:
        size = pictures.shape[2:0:-1]
        moved = [cv2.warpAffine(p, move, size, borderMode=cv2.BORDER_REPLICATE) for p in pictures]
        return lightness(np.stack(moved), self.size)


def _small_moves(size: tuple[int, int]) -> list[Array]:
    """Affine maps of a threefold finer picture: every shift with every scale."""
    width, height = size[0] * 3, size[1] * 3
    shorter = min(width, height)
    return [
        np.array(
            [
                [s, 0, (1 - s) * (width - 1) / 2 + dx * shorter],
                [0, s, (1 - s) * (height - 1) / 2 + dy * shorter],
            ],
            np.float32,
        )
        for s in SCALES
        for dx in SHIFTS
        for dy in SHIFTS
    ]


def _compare_colours(seen: Colours, taught: Colours) -> tuple[Array, Array]:
    """Correlation (n, m) of chroma after the best gain, and that gain (n, m, 2).

    All sums over cells are weighted by the product of both weights, so each is a matrix product.
    """
    a, b = seen.weight, taught.weight
    total = a @ b.T + 1e-6
    mean_seen = np.stack([(a * seen.chroma[..., c]) @ b.T for c in (0, 1)], -1) / total[..., None]
    mean_taught = np.stack([a @ (b * taught.chroma[..., c]).T for c in (0, 1)], -1)
    mean_taught /= total[..., None]
    power_seen = (a * (seen.chroma**2).sum(-1)) @ b.T / total - (mean_seen**2).sum(-1)
    power_taught = a @ (b * (taught.chroma**2).sum(-1)).T / total - (mean_taught**2).sum(-1)
    joint = sum(
        (a * seen.chroma[..., c]) @ (b * taught.chroma[..., c]).T for c in (0, 1)
    ) / total - (mean_seen * mean_taught).sum(-1)
    power = (power_seen + CHROMA_NOISE) * (power_taught + CHROMA_NOISE)
    hue = (joint + CHROMA_NOISE) / np.sqrt(np.maximum(power, CHROMA_NOISE**2))
    return hue.astype(np.float32), (mean_seen - mean_taught).astype(np.float32)
