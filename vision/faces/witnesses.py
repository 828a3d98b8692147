"""Two witnesses name each face: the networks, and templates, which err in other ways."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.faces.book import FaceBook
from vision.faces.features import Image
from vision.faces.learned import LEAD, LearnedMatcher
from vision.faces.matcher import TemplateMatcher
from vision.faces.matches import Matches
from vision.observation import NONE

#: Lead of the networks' best face, if they know it, that makes it certain if the templates rank it
#: first. Chosen on generated frames, together with `vision.faces.learned.LEAD` and what follows, so
#: that 1.5 % of what is certain there is wrong: `python -m models.faces.check`.
CONFIRMED = 1.5
#: What is first of all, but hardly like it, confirms nothing: a part of a face is seen, or none.
HARDLY = 0.4
#: Log odds and lead that do if the templates are certain of it, however faint its print is.
AFFIRMED_ODDS, AFFIRMED = -1.0, 0.5
#: What is so much like the face that the networks are sure of but for its faint print is it; chosen
#: on generated frames under glare: `python -m models.faces.check --glare 0.7`.
THROUGH_GLARE = 0.6
#: Up to this lead the networks waver between two faces.
UNDECIDED = 1.0
#: Below these log odds it is none of the taught faces, whatever the templates might say.
STRANGE = -5.0
#: So many faces of which the networks alone are certain show the templates the light.
LIT = 8


class TwoWitnesses:
    """The networks name faces; where they alone are not certain, the templates are asked too."""

    def __init__(self, book: FaceBook) -> None:
        """Raises UnreadableError if the book is empty or a network is damaged."""
        self._networks = LearnedMatcher(book)
        self._templates = TemplateMatcher(book)

    def match(self, crops: Image) -> Matches:
        """See `FaceMatcher`; crops of one call are taken to be seen in one light."""
        judged = self._networks.judge(crops)
        named = judged.matches
        doubtful = np.flatnonzero(~named.certain & (judged.odds > STRANGE))
        if not len(doubtful):
            return named
        lit = np.flatnonzero(named.certain)[:LIT]
        asked = self._templates.match(crops[np.concatenate([doubtful, lit])])
        asked = asked.select(np.arange(len(doubtful)))
        best = named.candidate_ids[doubtful, 0]
        agree = best == asked.candidate_ids[:, 0]
        alike = asked.candidate_scores[:, 0]
        known = named.label_ids[doubtful] != NONE
        known |= judged.faint[doubtful] & agree & (alike > THROUGH_GLARE)
        odds, lead = judged.odds[doubtful], judged.lead[doubtful]
        certain, label_ids = named.certain.copy(), named.label_ids.copy()
        confirmed = known & (lead > CONFIRMED) & (alike > HARDLY)
        affirms = asked.certain & (odds > AFFIRMED_ODDS) & (lead > AFFIRMED)
        certain[doubtful] = agree & (confirmed | affirms)
        # What the networks hardly know has a name, in doubt, if the templates know it; or if
        # neither does, but for neither does anything else come near it.
        alone = judged.strong[doubtful] & (odds > AFFIRMED_ODDS) & (lead > LEAD) & (alike > HARDLY)
        seen = agree & ((asked.label_ids != NONE) | alone)
        label_ids[doubtful] = np.where(known | seen, best, NONE)
        # Where they waver and the templates do not, the name is theirs; it stays in doubt.
        theirs = known & ~agree & asked.certain & (lead < UNDECIDED)
        label_ids[doubtful[theirs]] = asked.label_ids[theirs]
        turns = named.turns.copy()
        turns[doubtful[theirs]] = asked.turns[theirs]
        return replace(named, certain=certain, label_ids=label_ids, turns=turns)
