"""Two witnesses name each face: the templates and the networks, which err in different ways."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.faces.book import FaceBook
from vision.faces.features import Array, Image
from vision.faces.learned import LearnedMatcher
from vision.faces.matcher import TemplateMatcher
from vision.faces.matches import Matches
from vision.observation import NONE

#: Log odds of the networks' best face, and its lead over the next, at which their word makes
#: certain what the templates name without being certain.
CONFIRMS, LEAD = 2.0, 1.5
#: The lead at which it does so even for what the templates rank first without knowing it.
ALONE = 3.0
#: Up to this lead the networks' word against the templates counts nothing.
UNDECIDED = 1.0
#: Keeps the log of odds finite.
_LEAST = 1e-6


class TwoWitnesses:
    """Asks both matchers; certain is what one is sure of and the other does not deny."""

    def __init__(self, book: FaceBook) -> None:
        """Raises UnreadableError if the book is empty, ModelMissingError without the networks."""
        self._networks = LearnedMatcher(book)
        self._templates = TemplateMatcher(book)

    def match(self, crops: Image) -> Matches:
        """See `FaceMatcher`; crops of one call are taken to be seen in one light."""
        one, other = self._templates.match(crops), self._networks.match(crops)
        if not len(crops):
            return one
        odds, lead = _odds_and_lead(other)
        first = one.candidate_ids[:, 0]
        agree = first == other.candidate_ids[:, 0]
        strong = (odds > CONFIRMS) & (lead > LEAD)
        known = (one.label_ids != NONE) | (agree & strong & (lead > ALONE))
        certain = np.where(agree, known & (one.certain | strong), one.certain & (lead < UNDECIDED))
        # Where they disagree and only the networks are sure, theirs is the likelier name.
        theirs = ~agree & ~one.certain & strong
        named = replace(one, label_ids=np.where(known, first, NONE).astype(np.int16))
        return _mixed(named, other, theirs, np.asarray(certain, np.bool_))


def _odds_and_lead(matches: Matches) -> tuple[Array, Array]:
    """Log odds (n,) of the best candidate, and by how much they lead the next one's."""
    scores = np.clip(matches.candidate_scores[:, :2].astype(np.float64), _LEAST, 1 - _LEAST)
    odds = np.log(scores / (1 - scores)).astype(np.float32)
    return odds[:, 0], odds[:, 0] - odds[:, 1]


def _mixed(
    one: Matches, other: Matches, theirs: NDArray[np.bool_], certain: NDArray[np.bool_]
) -> Matches:
    """`one`, but what `theirs` (n,) names from `other`; `certain` is given."""
    wide = theirs[:, None]
    return Matches(
        label_ids=np.where(theirs, other.label_ids, one.label_ids),
        certain=certain,
        candidate_ids=np.where(wide, other.candidate_ids, one.candidate_ids),
        candidate_scores=np.where(wide, other.candidate_scores, one.candidate_scores),
        turns=np.where(theirs, other.turns, one.turns),
    )
