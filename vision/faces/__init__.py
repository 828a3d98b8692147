"""Faces of tiles and cards: taught from one picture each, named or left unnamed."""

from vision.faces.book import BACK, FaceBook
from vision.faces.default import default_matcher
from vision.faces.learned import LearnedMatcher
from vision.faces.matcher import TemplateMatcher
from vision.faces.matches import FaceMatcher, Matches
from vision.faces.partial import PartialMatcher
from vision.faces.straighten import lengthwise, straighten, turned
from vision.faces.witnesses import TwoWitnesses

__all__ = [
    "BACK",
    "FaceBook",
    "FaceMatcher",
    "LearnedMatcher",
    "Matches",
    "PartialMatcher",
    "TemplateMatcher",
    "TwoWitnesses",
    "default_matcher",
    "lengthwise",
    "straighten",
    "turned",
]
