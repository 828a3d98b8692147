"""Naming the faces in a frame, or saying that they can't be named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.errors import UnreadableError
from vision.faces.book import FaceBook
from vision.faces.likeness import Likeness, Templates
from vision.observation import CANDIDATES, NONE

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

#: How many of the likeliest labels are laid exactly on a crop.
CLOSE_LOOKS = 8
#: A face whose rough likeness is so much below the best one's is no rival.
HOPELESS = 0.4
#: How much wrong hue, and light that no other tile has, count beside a wrong shape.
HUE, LIGHT = 0.5, 0.5
#: Spread of the light over a table, and between teaching photos, in log chroma.
LOCAL_LIGHT = 0.25
#: Spread of the light of a whole frame about the teaching light: lamp against daylight.
ANY_LIGHT = 0.7
#: Shapes that are this much worse than the best one are no explanation of a tile.
PLAUSIBLE = 0.15
#: A face is certain if its shape correlates so well, its misfit is below this, and that of any
#: other label is greater by a share of it (and of a floor, since no comparison is exact).
SURE_SHAPE, SURE, MARGIN, MARGIN_FLOOR = 0.85, 0.30, 0.5, 0.06
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

    def match(self, crops: Image) -> Matches:
        """Reads BGR crops (n, h, w, 3), straight, of the faces' aspect, in any right turn."""


class TemplateMatcher:
    """Compares shape and colour with the taught pictures, under the light that fits the frame."""

    def __init__(self, book: FaceBook) -> None:
        """Raises UnreadableError if the book is empty."""
        if not book.labels:
            raise UnreadableError("The face book is empty.", "Teach it at least one face.")
        pictures = [(i, p) for i, label in enumerate(book.labels) for p in book.pictures(label)]
        label_of = np.array([i for i, _ in pictures])
        self._pictures_of = [np.flatnonzero(label_of == i) for i in range(len(book.labels))]
        self._templates = Templates([p for _, p in pictures], book.aspect)

    def match(self, crops: Image) -> Matches:
        """See `FaceMatcher`; crops of one call are taken to be seen in one light."""
        seen = self._templates.see(crops)
        rough, pose = self._templates.poses(seen)
        # The best picture of each label stands for it, and the best labels are looked at closely.
        picture = np.stack([p[rough[:, p].argmax(axis=1)] for p in self._pictures_of], axis=1)
        rough = np.take_along_axis(rough, picture, axis=1)
        labels = np.argsort(-rough, axis=1, kind="stable")[:, :CLOSE_LOOKS]
        rough = np.take_along_axis(rough, labels, axis=1)
        picture = np.take_along_axis(picture, labels, axis=1)
        pose = np.take_along_axis(pose, picture, axis=1)
        worth = (rough > rough[:, :1] - HOPELESS) | (np.arange(labels.shape[1]) < 2)
        likeness = self._templates.compare(seen, picture, pose, worth)
        misfit = misfits(likeness, frame_light(likeness))
        return _decide(labels, misfit, likeness, seen.shape.contrast)


def frame_light(likeness: Likeness) -> Array:
    """The change of light (2,) in which most crops look like a taught face of their shape.

    Each crop and each face of about its shape propose a light; each crop votes for a proposal as
    far as some face explains it under that light.
    """
    fit = likeness.shape - HUE * (1 - likeness.hue)
    best = fit.max(axis=1, keepdims=True)
    vote = np.where(fit > best - PLAUSIBLE, np.clip(fit, 0, 1), 0)
    proposals = likeness.light[vote > 0]
    if not len(proposals):
        return np.zeros(2, np.float32)
    apart = ((likeness.light[:, :, None] - proposals) ** 2).sum(-1)
    votes = (vote[:, :, None] * np.exp(-apart / (2 * LOCAL_LIGHT**2))).max(axis=1).sum(axis=0)
    votes = votes * np.exp(-(proposals**2).sum(-1) / (2 * ANY_LIGHT**2))
    near = ((proposals - proposals[votes.argmax()]) ** 2).sum(-1) < LOCAL_LIGHT**2
    return np.asarray(np.average(proposals[near], axis=0, weights=votes[near]), np.float32)


def misfits(likeness: Likeness, light: Array) -> Array:
    """How badly faces explain crops (n, k) in a frame of this light (2,): 0 is perfect."""
    apart = ((likeness.light - light) ** 2).sum(-1) / LOCAL_LIGHT**2
    strange = 1 - np.exp(-apart / 2)
    return (1 - likeness.shape) + HUE * (1 - likeness.hue) + LIGHT * strange


def _decide(
    labels: NDArray[np.intp], misfit: Array, likeness: Likeness, contrast: Array
) -> Matches:
    """Ranks the labels (n, k) by their misfits, and tells the sure from the doubtful."""
    order = np.argsort(misfit, axis=1, kind="stable")
    ranked = np.take_along_axis(misfit, order, axis=1)
    first = order[:, :1]
    best, shape = ranked[:, 0], np.take_along_axis(likeness.shape, first, axis=1)[:, 0]
    second = ranked[:, 1] if ranked.shape[1] > 1 else np.full(len(best), np.inf, np.float32)
    known = (best < UNKNOWN) & (contrast > FAINT)
    apart = second - best > MARGIN * (best + MARGIN_FLOOR)
    kept = min(CANDIDATES, labels.shape[1])
    ids = np.full((len(best), CANDIDATES), NONE, np.int16)
    scores = np.zeros((len(best), CANDIDATES), np.float32)
    ids[:, :kept] = np.take_along_axis(labels, order, axis=1)[:, :kept]
    scores[:, :kept] = np.clip(1 - ranked[:, :kept], 0, 1)
    return Matches(
        label_ids=np.where(known, ids[:, 0], NONE).astype(np.int16),
        certain=known & apart & (best < SURE) & (shape > SURE_SHAPE),
        candidate_ids=ids,
        candidate_scores=scores,
        turns=np.take_along_axis(likeness.turn, first, axis=1)[:, 0],
    )
