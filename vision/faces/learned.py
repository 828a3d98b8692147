"""Naming faces with two networks: one describes crops, one says which show the same face."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.errors import UnreadableError
from vision.faces.book import FaceBook
from vision.faces.contrast import VEILED, as_strong, contrast
from vision.faces.features import Array, Image
from vision.faces.light import LOCAL_LIGHT, common_lights
from vision.faces.matches import Matches
from vision.faces.taught import Described, Taught
from vision.network import network
from vision.observation import CANDIDATES, NONE

#: How sharply likeness falls with the cosine of embeddings; as in training.
SHARP = 12.0
#: A face that is less alike than this explains nothing.
STRANGE = 0.5
#: Faces whose likeness times SHARP lies so much below the best one's are no rivals, and at most so
#: many are looked at closely.
HOPELESS, CLOSE_LOOKS = 6.0, 4
#: Log odds above which a face is known, and above which it is certain if it leads its rivals by so
#: much. Chosen on generated frames: `python -m models.faces.check`.
KNOWN, SURE, LEAD = 0.0, 1.0, 3.0
#: Likenesses fall by half from even odds to log odds of so much less than nothing.
GENTLE = 4.0
#: What was not looked at has odds below any other's.
_LEAST, _UNSEEN = -16.0, 20.0
#: A second light with this share of the votes may as well be the true one.
AS_GOOD = 0.75


@dataclass(frozen=True, eq=False)
class Judged:
    """What the networks say of n crops."""

    matches: Matches
    odds: Array
    """(n,) log odds that the likeliest face is the one that is shown."""
    lead: Array
    """(n,) by how much they lead those of the next face."""
    strong: NDArray[np.bool_]
    """(n,) whether its print is about as strong as that of the likeliest face."""
    faint: NDArray[np.bool_]
    """(n,) whether only a faint print, as faces under glare have, keeps it from being certain."""


class LearnedMatcher:
    """Finds the taught faces most alike, and verifies them under the light that fits the frame."""

    def __init__(self, book: FaceBook) -> None:
        """Raises UnreadableError if the book is empty, ModelMissingError without the networks."""
        if not book.labels:
            raise UnreadableError("The face book is empty.", "Teach it at least one face.")
        self._encoder, self._verifier = network("faces"), network("pairs")
        self._taught = Taught(book, self._encoder)
        #: How strong each face is, (k,).
        self._strength = np.array(
            [
                np.mean([contrast(picture[None]) for picture in book.pictures(label)])
                for label in book.labels
            ],
            np.float32,
        )

    def match(self, crops: Image) -> Matches:
        """See `FaceMatcher`; crops of one call are taken to be seen in one light."""
        return self.judge(crops).matches

    def judge(self, crops: Image) -> Judged:
        """The same, and how sure the networks are."""
        if not len(crops):
            none, no = np.zeros(0, np.float32), np.zeros(0, np.bool_)
            return Judged(Matches.empty(), none, none, no, no)
        seen = Described.of(self._encoder, crops)
        cosine, which = self._taught.likeness(seen)
        change = np.take_along_axis(self._taught.light(seen), which[:, :, None], axis=1)
        vote = np.exp(SHARP * (cosine - cosine.max(axis=1, keepdims=True)))
        vote = np.where((cosine > STRANGE) & (vote > np.exp(-HOPELESS / 2)), vote, 0)
        light, rivalry, other = common_lights(np.asarray(vote, np.float32), change)
        odds = self._verified(seen, cosine, which, change, light)
        order = np.argsort(-odds, axis=1, kind="stable")[:, :CANDIDATES]
        ranked = np.take_along_axis(odds, order, axis=1)
        best, top = order[:, 0], ranked[:, 0]
        lead = top - ranked[:, 1] if ranked.shape[1] > 1 else np.full_like(top, np.inf)
        # A blank cell with a faint rim is no white square on black.
        seen_strong, taught_strong = contrast(crops), self._strength[best]
        strong = as_strong(seen_strong, taught_strong)
        sure = (top > SURE) & (lead > LEAD)
        if rivalry > AS_GOOD:
            again = self._verified(seen, cosine, which, change, other)
            # Under the other light it must not be another face.
            sure &= (again.argmax(axis=1) == best) | (again.max(axis=1) < KNOWN)
        ids = np.full((len(crops), CANDIDATES), NONE, np.int16)
        scores = np.zeros((len(crops), CANDIDATES), np.float32)
        kept = order.shape[1]
        ids[:, :kept] = order
        scores[:, :kept] = 1 / (1 + np.exp(-np.maximum(ranked, _LEAST) / GENTLE))
        matches = Matches(
            label_ids=np.where(strong & (top > KNOWN), best, NONE).astype(np.int16),
            certain=np.asarray(sure & strong, np.bool_),
            candidate_ids=ids,
            candidate_scores=scores,
            turns=self._taught.turn[which[np.arange(len(best)), best]],
        )
        faint = sure & ~strong & as_strong(seen_strong, taught_strong, VEILED)
        return Judged(
            matches, top, np.asarray(lead, np.float32), strong, np.asarray(faint, np.bool_)
        )

    def _verified(
        self,
        seen: Described,
        cosine: Array,
        which: NDArray[np.intp],
        change: Array,
        light: Array,
    ) -> Array:
        """Log odds (n, k) that each crop shows each label; very low for those not looked at."""
        strange = ((change - light) ** 2).sum(axis=2) / (2 * LOCAL_LIGHT**2)
        rough = SHARP * cosine - strange
        rank = np.argsort(-rough, axis=1, kind="stable")[:, :CLOSE_LOOKS]
        close = np.take_along_axis(rough, rank, axis=1)
        crop, place = np.nonzero(close > close[:, :1] - HOPELESS)
        label = rank[crop, place]
        taught, picture = self._taught.seen, which[crop, label]
        odds = np.asarray(rough - SHARP - _UNSEEN, np.float32)
        odds[crop, label] = self._verifier.run(
            seen.maps[crop],
            seen.chroma[crop],
            seen.weight[crop],
            taught.maps[picture],
            taught.chroma[picture],
            taught.weight[picture],
            np.broadcast_to(light, (len(crop), 2)).astype(np.float32),
        )[0]
        return odds
