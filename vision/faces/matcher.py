"""Naming the faces in a frame, or saying that they can't be named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.errors import UnreadableError
from vision.faces.book import FaceBook
from vision.faces.likeness import Comparison, Templates
from vision.observation import CANDIDATES, NONE

Array = NDArray[np.float32]

#: How much wrong hue, and light that no other tile has, count beside a wrong shape.
HUE, LIGHT = 0.5, 0.5
#: Spread of the light over a table, and between teaching photos, in log chroma.
LOCAL_LIGHT = 0.25
#: Spread of the light of a whole frame about the teaching light: lamp against daylight.
ANY_LIGHT = 0.7
#: Shapes that are this much worse than the best one are no explanation of a tile.
PLAUSIBLE = 0.15
#: A face is certain below this misfit, and only if that of any other label is so much greater.
CERTAIN, MARGIN, MARGIN_FLOOR = 0.30, 0.5, 0.06
#: Above this misfit, or below this contrast of lightness, a thing is nothing that was taught.
UNKNOWN, FAINT = 0.45, 0.01


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


class FaceMatcher(Protocol):
    """Names the faces in crops of one frame, which share their light."""

    def match(self, crops: NDArray[np.uint8]) -> Matches:
        """Reads BGR crops (n, h, w, 3), straight, of the faces' aspect, in any right turn."""


class TemplateMatcher:
    """Compares shape and colour with the taught pictures, under the light that fits the frame."""

    def __init__(self, book: FaceBook) -> None:
        if not book.labels:
            raise UnreadableError("The face book is empty.", "Teach it at least one face.")
        pictures = [(i, p) for i, label in enumerate(book.labels) for p in book.pictures(label)]
        self._label_of = np.array([i for i, _ in pictures])
        self._labels = len(book.labels)
        self._templates = Templates([p for _, p in pictures], book.aspect)

    def match(self, crops: NDArray[np.uint8]) -> Matches:
        """See `FaceMatcher`; crops of one call are taken to be seen in one light."""
        seen = self._templates.compare(crops)
        misfit = misfits(seen, frame_light(seen))
        # The best picture of each label stands for it.
        worst = np.full((len(crops), self._labels), np.inf, np.float32)
        turn = np.zeros((len(crops), self._labels), np.int8)
        for picture, label in enumerate(self._label_of):
            better = misfit[:, picture] < worst[:, label]
            worst[better, label] = misfit[better, picture]
            turn[better, label] = seen.turn[better, picture]
        return _decide(worst, turn, seen.contrast)


def frame_light(seen: Comparison) -> Array:
    """The change of light (2,) in which most crops look like a taught face of their shape.

    Each crop and each face of about its shape propose a light; each crop votes for a proposal as
    far as some face explains it under that light.
    """
    if not seen.shape.size:
        return np.zeros(2, np.float32)
    fit = seen.shape - HUE * (1 - seen.hue)
    best = fit.max(axis=1, keepdims=True)
    vote = np.where(fit > best - PLAUSIBLE, np.clip(fit, 0, 1), 0)
    proposals = seen.gain[vote > 0]
    if not len(proposals):
        return np.zeros(2, np.float32)
    if len(proposals) > 400:
        proposals = proposals[:: len(proposals) // 400 + 1]
    apart = ((seen.gain[:, :, None] - proposals) ** 2).sum(-1)
    votes = (vote[:, :, None] * np.exp(-apart / (2 * LOCAL_LIGHT**2))).max(axis=1).sum(axis=0)
    votes = votes * np.exp(-(proposals**2).sum(-1) / (2 * ANY_LIGHT**2))
    near = ((proposals - proposals[votes.argmax()]) ** 2).sum(-1) < LOCAL_LIGHT**2
    return np.asarray(np.average(proposals[near], axis=0, weights=votes[near]), np.float32)


def misfits(seen: Comparison, light: Array) -> Array:
    """How badly each taught picture explains each crop (n, m): 0 is perfect."""
    apart = ((seen.gain - light) ** 2).sum(-1) / LOCAL_LIGHT**2
    strange = 1 - np.exp(-apart / 2)
    return np.asarray((1 - seen.shape) + HUE * (1 - seen.hue) + LIGHT * strange, np.float32)


def _decide(misfit: Array, turn: NDArray[np.int8], contrast: Array) -> Matches:
    n, labels = misfit.shape
    kept = min(CANDIDATES, labels)
    order = np.argsort(misfit, axis=1, kind="stable")[:, :kept]
    ranked = np.take_along_axis(misfit, order, axis=1)
    best = ranked[:, 0]
    second = ranked[:, 1] if labels > 1 else np.full(n, np.inf, np.float32)
    known = (best < UNKNOWN) & (contrast > FAINT)
    certain = known & (best < CERTAIN) & (second - best > MARGIN * (best + MARGIN_FLOOR))
    ids = np.full((n, CANDIDATES), NONE, np.int16)
    scores = np.zeros((n, CANDIDATES), np.float32)
    ids[:, :kept], scores[:, :kept] = order, np.clip(1 - ranked, 0, 1)
    return Matches(
        label_ids=np.where(known, order[:, 0], NONE).astype(np.int16),
        certain=np.asarray(certain, np.bool_),
        candidate_ids=ids,
        candidate_scores=scores,
        turns=np.take_along_axis(turn, order[:, :1], axis=1)[:, 0],
    )
