"""Names faces of which only a part can be seen, since another tile lies on them: never for sure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.faces.book import FaceBook
from vision.faces.features import Array, Image, averaged, grid_size, window
from vision.faces.matches import Matches
from vision.observation import CANDIDATES, NONE

#: Correlation of what is seen with a face from which on it may be that face: of generated faces of
#: which a tenth to two fifths are hidden 85 % have their name then, and 13 % another.
ALIKE = 0.6
#: Cells by which a crop may be displaced.
_SHIFT = 1
#: Noise and flare, in levels.
_DARK = 16.0
#: Noise, as a logarithm: a blank part is like nothing.
_NOISE = 0.03


class PartialMatcher:
    """Compares what is seen of faces with the same part of taught ones, in every right turn."""

    def __init__(self, book: FaceBook) -> None:
        self._size = grid_size(book.aspect)
        square = self._size[0] == self._size[1]
        turns = (0, 1, 2, 3) if square else (0, 2)
        posed = [
            (label, turn, _levels(np.rot90(picture, -turn), self._size))
            for label, name in enumerate(book.labels)
            for picture in book.pictures(name)
            for turn in turns
        ]
        self._labels = np.array([label for label, _, _ in posed])
        self._turns = np.array([turn for _, turn, _ in posed], np.int8)
        #: By channel, (3, faces, cells).
        self._faces = np.stack([face.reshape(-1, 3).T for _, _, face in posed], axis=1)
        self._names = len(book.labels)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the cells of which is told whether they are seen."""
        return self._size

    def match(self, crops: Image, seen: NDArray[np.bool_]) -> Matches:
        """What straight BGR crops (n, h, w, 3) may show; `seen` (n, rows, columns) of their cells.

        None of it is certain; candidates and scores are correlations, 0 to 1.
        """
        n = len(crops)
        ids = np.full((n, CANDIDATES), NONE, np.int16)
        scores, turns = np.zeros((n, CANDIDATES), np.float32), np.zeros(n, np.int8)
        for k in range(n):
            alike = self._alike(_levels(crops[k], self._size), seen[k] * window(self._size))
            best = np.full(self._names, -1.0, np.float32)
            np.maximum.at(best, self._labels, alike)
            order = np.argsort(-best, kind="stable")[:CANDIDATES]
            ids[k, : len(order)], scores[k, : len(order)] = order, best[order].clip(0)
            turns[k] = self._turns[alike.argmax()]
        labels = np.where(scores[:, 0] >= ALIKE, ids[:, 0], NONE).astype(np.int16)
        return Matches(labels, np.zeros(n, np.bool_), ids, scores, turns)

    def _alike(self, crop: Array, weight: Array) -> Array:
        """Largest correlation of a crop (rows, columns, 3) with each face, where it has weight."""
        rows, columns = weight.shape
        steps = range(-_SHIFT, _SHIFT + 1)
        found = []
        for across, down in ((x, y) for x in steps for y in steps):
            moved, share = (np.roll(part, (down, across), (0, 1)) for part in (crop, weight))
            share = (share / max(float(share.sum()), 1e-6)).reshape(-1)
            both, mine, theirs = np.zeros((3, len(self._labels)), np.float32)
            for level, face in zip(moved.reshape(rows * columns, 3).T, self._faces, strict=True):
                # Another light adds the same to the logarithm of a channel everywhere.
                level = level - share @ level
                mean = face @ share
                both += face @ (share * level)
                mine += share @ level**2 + _NOISE**2
                theirs += face**2 @ share - mean**2 + np.float32(_NOISE**2)
            found.append(both / np.sqrt(mine * theirs))
        return np.asarray(np.max(found, axis=0), np.float32)


def _levels(picture: Image, size: tuple[int, int]) -> Array:
    """Logarithms (rows, columns, 3) of the levels of a picture's cells."""
    small = averaged(np.ascontiguousarray(picture), size).astype(np.float32)
    return np.asarray(np.log(small + np.float32(_DARK)), np.float32)
