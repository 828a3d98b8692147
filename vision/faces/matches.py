"""What a matcher says of the crops of a frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from vision.faces.features import Array, Image
from vision.observation import CANDIDATES


@dataclass(frozen=True, eq=False)
class Matches:
    """What n crops show; all arrays share their first axis.

    A crop whose label id is NONE shows nothing that was taught. One that is not `certain` must not
    be relied on alone.
    """

    label_ids: NDArray[np.int16]
    """(n,) index into the book's labels, or NONE."""
    certain: NDArray[np.bool_]
    """(n,)"""
    candidate_ids: NDArray[np.int16]
    """(n, CANDIDATES) the likeliest labels, best first; NONE pads."""
    candidate_scores: Array
    """(n, CANDIDATES) likeness of each, 0 to 1; 0 pads."""
    turns: NDArray[np.int8]
    """(n,) clockwise quarter turns by which the print is rotated in the crop."""

    def __len__(self) -> int:
        return len(self.label_ids)

    @classmethod
    def empty(cls) -> Self:
        """No crops."""
        return cls(
            label_ids=np.zeros(0, np.int16),
            certain=np.zeros(0, np.bool_),
            candidate_ids=np.zeros((0, CANDIDATES), np.int16),
            candidate_scores=np.zeros((0, CANDIDATES), np.float32),
            turns=np.zeros(0, np.int8),
        )


class FaceMatcher(Protocol):
    """Names the faces in crops of one frame, which share their light."""

    def match(self, crops: Image) -> Matches:
        """Reads BGR crops (n, h, w, 3), straight, of the faces' aspect, in any right turn."""
