"""Faces of tiles and cards: taught from one picture each, named or left unnamed."""

from vision.faces.book import BACK, FaceBook
from vision.faces.matcher import FaceMatcher, Matches, TemplateMatcher
from vision.faces.straighten import lengthwise, straighten, turned

__all__ = [
    "BACK",
    "FaceBook",
    "FaceMatcher",
    "Matches",
    "TemplateMatcher",
    "lengthwise",
    "straighten",
    "turned",
]
