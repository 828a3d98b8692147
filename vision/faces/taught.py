"""The taught pictures as a network sees them, in every right turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.book import FaceBook
from vision.faces.features import Array, Image
from vision.network import Network

#: Side in pixels of what the network takes; an oblong face is squeezed into a square.
SIDE = 48


@dataclass(frozen=True, eq=False)
class Described:
    """What the encoder says of m crops; see models/faces/README.md."""

    maps: Array
    """(m, features, cells, cells)"""
    embedding: Array
    """(m, length), of length 1."""
    chroma: Array
    """(m, 2, cells, cells) log of red over green and of blue over green."""
    weight: Array
    """(m, 1, cells, cells) how well it is known, 0 to 1."""

    @classmethod
    def of(cls, encoder: Network, crops: Image) -> Self:
        """Describes BGR crops (m, h, w, 3)."""
        return cls(*encoder.run(squared(crops)))


class Taught:
    """All pictures of a book, each in every turn that a piece may lie in."""

    def __init__(self, book: FaceBook, encoder: Network) -> None:
        """`label` (m,) and `turn` (m,) say what each of the m pictures shows, and turned how."""
        turns = (0, 1, 2, 3) if book.aspect == 1 else (0, 2)
        pictures = [
            (label, turn, np.ascontiguousarray(np.rot90(squared(picture[None])[0], -turn)))
            for label, name in enumerate(book.labels)
            for picture in book.pictures(name)
            for turn in turns
        ]
        self.label = np.array([label for label, _, _ in pictures], np.intp)
        self.turn = np.array([turn for _, turn, _ in pictures], np.int8)
        self.seen = Described.of(encoder, np.stack([picture for _, _, picture in pictures]))
        self._first = np.flatnonzero(np.diff(self.label, prepend=-1))

    def likeness(self, seen: Described) -> tuple[Array, NDArray[np.intp]]:
        """How alike n crops and each of k labels are, whatever the light.

        Returns the cosines (n, k), and which picture of the label, and in which turn, is the most
        alike: an index (n, k) into `label`.
        """
        cosine = seen.embedding @ self.seen.embedding.T
        best = np.maximum.reduceat(cosine, self._first, axis=1)
        which = np.stack(
            [
                first + part.argmax(axis=1)
                for first, part in zip(
                    self._first, np.split(cosine, self._first[1:], axis=1), strict=True
                )
            ],
            axis=1,
        )
        return best, which

    def light(self, seen: Described) -> Array:
        """The change of light (n, m, 2) from each picture to each crop, if it shows its face."""
        n, m = len(seen.weight), len(self.label)
        mine, theirs = seen.weight.reshape(n, -1), self.seen.weight.reshape(m, -1)
        total = mine @ theirs.T + 1e-6
        change = np.empty((n, m, 2), np.float32)
        for k in (0, 1):
            tinted = mine * seen.chroma[:, k].reshape(n, -1)
            taught = theirs * self.seen.chroma[:, k].reshape(m, -1)
            change[:, :, k] = (tinted @ theirs.T - mine @ taught.T) / total
        return change


def squared(crops: Image) -> Image:
    """Crops (n, h, w, 3) at SIDE by SIDE pixels."""
    if crops.shape[1:3] == (SIDE, SIDE):
        return np.ascontiguousarray(crops)
    out = np.empty((len(crops), SIDE, SIDE, 3), np.uint8)
    for small, crop in zip(out, crops, strict=True):
        shrinks = min(crop.shape[:2]) >= SIDE
        cv2.resize(crop, (SIDE, SIDE), small, 0, 0, cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    return out
