"""A first, cheap look at many finds: whether one is like any taught face at all."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles.sampling import sample

#: Cells along the shorter side of the pattern, and samples along the side of a cell.
CELLS, SAMPLES = 12, 2
#: Share of the face, around its middle, that is compared: the rim is alike in all faces.
SEEN = 0.84
#: Grey levels of noise in a cell: a blank face is like nothing.
NOISE = 2.0


class Glimpse:
    """Compares the lightness patterns of finds with those of taught faces, in every right turn."""

    def __init__(self, pictures: Sequence[NDArray[np.uint8]], aspect: float) -> None:
        """`pictures` are BGR, upright, of width over height `aspect`."""
        self._cells = (
            (round(CELLS * aspect), CELLS) if aspect > 1 else (CELLS, round(CELLS / aspect))
        )
        upright = np.concatenate([self._patterns(p, _whole(p)) for p in pictures])
        grids = upright.reshape(-1, self._cells[1], self._cells[0])
        turns = range(4) if self._cells[0] == self._cells[1] else range(0, 4, 2)
        self._faces = np.concatenate([np.rot90(grids, t, (1, 2)) for t in turns])
        self._faces = self._faces.reshape(-1, upright.shape[1]).copy()

    def likeness(
        self, image: NDArray[np.uint8], quads_px: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Largest correlation (n,), -1 to 1, of what each quad (n, 4, 2) shows with a face."""
        if not len(quads_px):
            return np.zeros(0, np.float32)
        seen = self._patterns(image, quads_px)
        return np.asarray((seen @ self._faces.T).max(axis=1), np.float32)

    def _patterns(
        self, image: NDArray[np.uint8], quads_px: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Unit vectors (n, cells) of the lightness within quads, free of its mean."""
        columns, rows = (cells * SAMPLES for cells in self._cells)
        u, v = (
            0.5 + SEEN * ((np.arange(n, dtype=np.float32) + 0.5) / n - 0.5) for n in (columns, rows)
        )
        across, down = u[None, :, None], v[:, None, None]
        corners = quads_px[:, :, None, None]
        top = corners[:, 0] * (1 - across) + corners[:, 1] * across
        bottom = corners[:, 3] * (1 - across) + corners[:, 2] * across
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        values = sample(grey, top * (1 - down) + bottom * down)
        cells = values.reshape(len(quads_px), self._cells[1], SAMPLES, self._cells[0], SAMPLES)
        flat = cells.mean(axis=(2, 4), dtype=np.float32).reshape(len(quads_px), -1)
        flat -= flat.mean(axis=1, keepdims=True)
        length = np.linalg.norm(flat, axis=1, keepdims=True)
        return np.asarray(flat / (length + NOISE * np.sqrt(flat.shape[1])), np.float32)


def _whole(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The quad of a whole picture, shape (1, 4, 2)."""
    height, width = picture.shape[:2]
    return np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32) - 0.5
