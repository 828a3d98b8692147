"""A first, cheap look at many finds: whether one is like any taught face at all, and where.

Between tiles whose frames touch, edges can fit a square that is off by the width of a frame. The
print within tells where the tile really lies.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles.sampling import sample, spread, whole

#: Cells along the shorter side of the pattern.
CELLS = 12
#: A cell is read between pixels of a picture in which it is up to twice as many pixels wide.
CELL_PX = 1.5
#: Share of the face, around its middle, that is compared: the rim is alike in all faces.
SEEN = 0.84
#: Grey levels of noise in a cell: a blank face is like nothing.
NOISE = 2.0
#: How much more like a face a find must be elsewhere to be moved: its edges are more exact.
STAY = 0.1


class Glimpse:
    """Compares the lightness patterns of finds with those of taught faces, in every right turn."""

    def __init__(self, pictures: Sequence[NDArray[np.uint8]], aspect: float) -> None:
        """`pictures` are BGR, upright, of width over height `aspect`."""
        self._cells = (
            (round(CELLS * aspect), CELLS) if aspect > 1 else (CELLS, round(CELLS / aspect))
        )
        upright = np.concatenate([_units(self._cells_of(p, whole(p), 0)) for p in pictures])
        grids = upright.reshape(-1, self._cells[1], self._cells[0])
        turns = range(4) if self._cells[0] == self._cells[1] else range(0, 4, 2)
        turned = np.concatenate([np.rot90(grids, turn, (1, 2)) for turn in turns])
        self._faces = np.ascontiguousarray(turned.reshape(-1, upright.shape[1]).T)

    def look(
        self, image: NDArray[np.uint8], quads_px: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """How like a face each quad (n, 4, 2) of a BGR image is, and by how much it is off.

        Returns the largest correlation with a face (n,), -1 to 1, and the shift (n, 2) at which it
        was found, in shares of the quad's width and height; 0 where the quad itself is best.
        """
        if not len(quads_px):
            return np.zeros(0, np.float32), np.zeros((0, 2), np.float32)
        cells = self._cells_of(image, quads_px, 1)
        columns, rows = self._cells
        shifts = [(0, 0), *((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)]
        windows = np.stack(
            [
                cells[:, 1 + y : 1 + y + rows, 1 + x : 1 + x + columns].reshape(len(cells), -1)
                for x, y in shifts
            ]
        )
        # Faces are free of their mean, so that a window's own adds nothing to the product.
        length = np.sqrt(rows * columns) * (windows.std(axis=2) + NOISE)
        found = np.asarray((windows @ self._faces).max(axis=2) / length, np.float32)
        found[0] += STAY
        best = found.argmax(axis=0)
        found[0] -= STAY
        moved = np.array(shifts, np.float32)[best] * SEEN / np.array(self._cells, np.float32)
        return np.take_along_axis(found, best[None], axis=0)[0], moved

    def _cells_of(
        self, image: NDArray[np.uint8], quads_px: NDArray[np.float32], around: int
    ) -> NDArray[np.float32]:
        """Lightness (n, rows, columns) of the cells of quads (n, 4, 2), and of `around` more."""
        columns, rows = self._cells
        u, v = (
            0.5 + SEEN * ((np.arange(n + 2 * around) - around + 0.5) / n - 0.5)
            for n in (columns, rows)
        )
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        corners = quads_px
        side = float(np.linalg.norm(quads_px[:, 0] - quads_px[:, 1], axis=1).mean())
        times = int(side * SEEN / columns / CELL_PX)
        if times > 1:  # Otherwise most pixels of a cell would be skipped.
            grey = cv2.resize(grey, None, fx=1 / times, fy=1 / times, interpolation=cv2.INTER_AREA)
            corners = np.asarray((quads_px + 0.5) / times - 0.5, np.float32)
        seen = sample(np.asarray(grey, np.uint8), *spread(corners, u, v))
        return seen.reshape(-1, len(v), len(u)).astype(np.float32)


def shifted(quads: NDArray[np.float32], shift: NDArray[np.float32]) -> NDArray[np.float32]:
    """Quads (n, 4, 2) moved by shares (n, 2) of their width and height."""
    width, height = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    return quads + (width * shift[:, :1] + height * shift[:, 1:])[:, None]


def _units(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit vectors (n, cells) of patterns, free of their mean; a blank one is shorter."""
    flat = cells.reshape(len(cells), -1)
    length = np.sqrt(flat.shape[1]) * (flat.std(axis=1, keepdims=True) + NOISE)
    return np.asarray((flat - flat.mean(axis=1, keepdims=True)) / length, np.float32)
