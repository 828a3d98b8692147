"""Which matcher reads the faces of a book."""

from __future__ import annotations

import logging

from vision.faces.book import FaceBook
from vision.faces.matcher import TemplateMatcher
from vision.faces.matches import FaceMatcher
from vision.faces.witnesses import TwoWitnesses
from vision.network import ModelMissingError

_LOG = logging.getLogger(__name__)


def default_matcher(book: FaceBook) -> FaceMatcher:
    """Networks and templates together; templates alone, with a warning, if there are no networks.

    Raises UnreadableError if the book is empty or a network is damaged.
    """
    try:
        return TwoWitnesses(book)
    except ModelMissingError as error:
        _LOG.warning(
            "Faces are read without the trained networks: more of them stay in doubt. %s",
            error,
        )
        return TemplateMatcher(book)
