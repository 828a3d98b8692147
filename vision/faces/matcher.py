"""Naming the faces in a frame, or saying that they can't be named."""

from __future__ import annotations

import numpy as np

from vision.errors import UnreadableError
from vision.faces.book import FaceBook
from vision.faces.features import Image
from vision.faces.likeness import Templates
from vision.faces.matches import Matches
from vision.faces.misfit import clearly_apart, frame_light, misfits
from vision.observation import CANDIDATES, NONE

#: A face is certain if its shape correlates so well and its misfit is below this, and if it is
#: clearly apart from every rival. A disc where only a square was taught correlates up to 0.86 if
#: it is large; of small ones, three to a face, a camera sees too little to be as strict.
SURE_SHAPE, SURE = 0.88, 0.30
#: Above this misfit, or below this contrast of lightness, a thing is nothing that was taught.
UNKNOWN, FAINT = 0.45, 0.01


class TemplateMatcher:
    """Compares shape and colour with the taught pictures, under the light that fits the frame."""

    def __init__(self, book: FaceBook) -> None:
        """Raises UnreadableError if the book is empty."""
        if not book.labels:
            raise UnreadableError("The face book is empty.", "Teach it at least one face.")
        self._templates = Templates([book.pictures(label) for label in book.labels], book.aspect)

    def match(self, crops: Image) -> Matches:
        """See `FaceMatcher`; crops of one call are taken to be seen in one light."""
        if not len(crops):
            return Matches.empty()
        likeness = self._templates.compare(crops)
        light = frame_light(likeness)
        # A veil may excuse what is seen, but never a face before its rivals.
        misfit = misfits(likeness, light)
        order = np.argsort(misfit, axis=1, kind="stable")
        excused = np.take_along_axis(misfits(likeness, light, veiled=True), order, axis=1)[:, 0]
        ranked = np.take_along_axis(misfit, order, axis=1)
        labels = np.take_along_axis(likeness.labels, order, axis=1)
        shape = np.take_along_axis(likeness.shape, order, axis=1)
        turn = np.take_along_axis(likeness.turn, order, axis=1)
        best = ranked[:, 0]
        rival = ranked[:, 1] if ranked.shape[1] > 1 else np.full_like(best, np.inf)
        known = (excused < UNKNOWN) & (likeness.contrast > FAINT)
        sure = (excused < SURE) & (shape[:, 0] > SURE_SHAPE) & clearly_apart(best, rival)
        kept = min(CANDIDATES, labels.shape[1])
        ids = np.full((len(crops), CANDIDATES), NONE, np.int16)
        scores = np.zeros((len(crops), CANDIDATES), np.float32)
        ids[:, :kept], scores[:, :kept] = labels[:, :kept], np.clip(1 - ranked[:, :kept], 0, 1)
        return Matches(
            label_ids=np.where(known, ids[:, 0], NONE).astype(np.int16),
            certain=known & sure,
            candidate_ids=ids,
            candidate_scores=scores,
            turns=turn[:, 0],
        )
