"""What a matcher says of the crops of a frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.faces.features import Array, Image
from vision.observation import CANDIDATES, Aligned, column


@dataclass(frozen=True, eq=False)
class Matches(Aligned):
    """What n crops show.

    A crop whose label id is NONE shows nothing that was taught. One that is not `certain` must not
    be relied on alone.
    """

    label_ids: NDArray[np.int16] = column(np.int16)
    """Index into the book's labels, or NONE."""
    certain: NDArray[np.bool_] = column(np.bool_)
    """Whether the label may be relied on alone."""
    candidate_ids: NDArray[np.int16] = column(np.int16, CANDIDATES)
    """The likeliest labels, best first; NONE pads."""
    candidate_scores: Array = column(np.float32, CANDIDATES)
    """Likeness of each, 0 to 1; 0 pads."""
    turns: NDArray[np.int8] = column(np.int8)
    """Clockwise quarter turns by which the print is rotated in the crop."""


class FaceMatcher(Protocol):
    """Names the faces in crops of one frame, which share their light."""

    def match(self, crops: Image) -> Matches:
        """Reads BGR crops (n, h, w, 3), straight, of the faces' aspect, in any right turn."""
