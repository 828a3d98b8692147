"""Which matcher reads the faces of a book."""

from __future__ import annotations

import logging

from vision.faces.book import FaceBook
from vision.faces.learned import LearnedMatcher
from vision.faces.matcher import TemplateMatcher
from vision.faces.matches import FaceMatcher
from vision.network import ModelMissingError

_LOG = logging.getLogger(__name__)


def default_matcher(book: FaceBook) -> FaceMatcher:
    """The learned matcher; the template matcher, with a warning, if the networks are not there.

    Raises UnreadableError if the book is empty or a network is damaged.
    """
    try:
        return LearnedMatcher(book)
    except ModelMissingError as error:
        _LOG.warning(
            "Faces are read without the trained networks: slower, and more often in doubt. %s",
            error,
        )
        return TemplateMatcher(book)
