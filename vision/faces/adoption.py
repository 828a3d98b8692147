"""Teaching a book a picture that a camera took, and what that changes of its readings.

What is kept is put upright and into the light of the face's own pictures: a matcher takes all
pictures of a book to be taken in one light, and one in another would be a stranger in either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.errors import UnreadableError
from vision.faces.book import ASPECT_SLACK, FaceBook, confusable
from vision.faces.default import default_matcher
from vision.faces.features import Image
from vision.faces.likeness import Templates
from vision.faces.matches import FaceMatcher
from vision.fitness import Flaw, judge, measure
from vision.observation import NONE
from vision.tone import GAMMA

#: Shorter side in pixels of the smallest faces that the networks were taught to read.
LEAST_PX = 24
#: Share of a face that may be blown out, and the width of edges (sigma, share of the side) beyond
#: which a picture tells little: what `vision.fitness` allows on the kit's tiles of 35 mm.
MOST_GLARE, MOST_BLUR = 0.12, 1.5 / 35
#: Side in pixels at which a picture is measured: its edges need some room.
_MEASURED_PX = 128
_WORDS = {
    Flaw.DARK: "it is too dark",
    Flaw.BRIGHT: "it is too bright",
    Flaw.GLARE: "a lamp is mirrored in it",
    Flaw.BLUR: "it is not sharp",
    Flaw.MOTION: "it is smeared by motion",
    Flaw.VEIL: "it is pale, as through fog",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a picture shows if it is read alone; `label` is None if it is nothing taught."""

    label: str | None
    certain: bool


@dataclass(frozen=True, slots=True)
class Upset:
    """Picture number `picture` (from 1) of a face in the book would be read worse than before."""

    label: str
    picture: int
    before: Reading
    after: Reading


@dataclass(frozen=True, slots=True)
class Rival:
    """Another face, and how alike it is, 0 to 1."""

    label: str
    before: float
    after: float

    @property
    def confusable(self) -> bool:
        """Whether a picture may not tell them apart."""
        return confusable(self.after)

    @property
    def new(self) -> bool:
        """Whether it is so only since the picture was taught."""
        return self.confusable and not confusable(self.before)


def unfit(picture: Image, aspect: float) -> tuple[str, ...]:
    """Why a BGR picture of a face of this aspect can't be taught from; empty if it can."""
    height, width = picture.shape[:2]
    if min(height, width) < LEAST_PX:
        return (f"it is only {width} x {height} pixels; {LEAST_PX} a side are needed",)
    if not 1 / ASPECT_SLACK <= width / height / aspect <= ASPECT_SLACK:
        return (f"it is {width} x {height} pixels, which is not the shape of a face",)
    scale = _MEASURED_PX / max(height, width)
    size = max(round(width * scale), 1), max(round(height * scale), 1)
    measured = measure(np.asarray(cv2.resize(picture, size), np.uint8))
    flaws = [complaint.flaw for complaint in judge(measured, MOST_BLUR * _MEASURED_PX)]
    if measured.clipped > MOST_GLARE and Flaw.BRIGHT not in flaws:
        flaws.append(Flaw.GLARE)
    return tuple(_WORDS[flaw] for flaw in flaws)


@dataclass(frozen=True, eq=False)
class Taught:
    """A book, and what is known of it."""

    book: FaceBook
    matcher: FaceMatcher
    own: Mapping[tuple[str, int, bool], Reading]
    """How its own pictures are read: by label, number from 1, and whether it is softened."""
    likenesses: Mapping[frozenset[str], float]
    """Of pairs of its faces."""

    @classmethod
    def of(cls, book: FaceBook) -> Taught:
        """Raises UnreadableError if the book is empty or a network is damaged."""
        matcher = default_matcher(book)
        own = {
            (label, number, soft): _read(matcher, book, _soft(picture) if soft else picture)
            for label in book.labels
            for number, picture in enumerate(book.pictures(label), 1)
            for soft in (False, True)
        }
        pairs = {frozenset((a, b)): likeness for a, b, likeness in book.likenesses()}
        return cls(book, matcher, own, pairs)

    def read(self, picture: Image) -> Reading:
        """What a BGR picture of one face shows if it is read alone."""
        return _read(self.matcher, self.book, picture)

    def with_picture(self, label: str, picture: Image) -> Taught:
        """The same with one more picture of a face, in any right turn and light.

        Raises UnreadableError if the book has no such face, or the picture not the face's shape.
        """
        book = self.book
        if label not in book.labels:
            raise UnreadableError(
                "The book has no face {label}.",
                "Name the book that the match was played with.",
                label=repr(label),
            )
        faces = {name: list(book.pictures(name)) for name in book.labels}
        faces[label].append(_like_taught(book, label, picture))
        return Taught.of(FaceBook.teach(faces, book.aspect))


def rivals(before: Taught, after: Taught, label: str) -> tuple[Rival, ...]:
    """The face most like `label`, and all that may be confused with it, most alike first."""
    alike = {
        rival: likeness
        for pair, likeness in after.likenesses.items()
        if label in pair
        for rival in pair - {label}
    }
    ranked = [
        Rival(rival, before.likenesses.get(frozenset((label, rival)), 0.0), likeness)
        for rival, likeness in sorted(alike.items(), key=lambda item: (-item[1], item[0]))
    ]
    return tuple(rival for at, rival in enumerate(ranked) if at == 0 or rival.confusable)


def upset(before: Taught, after: Taught) -> tuple[Upset, ...]:
    """The pictures of the book of before that are read worse after, each once."""
    found: dict[tuple[str, int], Upset] = {}
    for (label, number, soft), was in before.own.items():
        now = after.own[label, number, soft]
        lost = was.label == label and (now.label != label or was.certain > now.certain)
        if lost or (now.label != label and now.certain and now != was):
            found.setdefault((label, number), Upset(label, number, was, now))
    return tuple(found.values())


def _read(matcher: FaceMatcher, book: FaceBook, picture: Image) -> Reading:
    size = book.crop_size
    shrinks = picture.shape[0] >= size[1]
    crop = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    found = matcher.match(np.asarray(crop, np.uint8)[None])
    label = int(found.label_ids[0])
    return Reading(None if label == NONE else book.labels[label], bool(found.certain[0]))


def _soft(picture: Image) -> Image:
    """A picture as a camera sees the smallest faces that can be read."""
    height, width = picture.shape[:2]
    scale = LEAST_PX / min(height, width)
    size = max(round(width * scale), 1), max(round(height * scale), 1)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _like_taught(book: FaceBook, label: str, picture: Image) -> Image:
    """The picture upright, and in the light of the pictures of its face."""
    crop = cv2.resize(picture, book.crop_size, interpolation=cv2.INTER_LINEAR)
    seen = Templates([book.pictures(label)], book.aspect).compare(np.asarray(crop, np.uint8)[None])
    red, blue = (float(change) for change in seen.light[0, 0])
    gains = np.exp(-np.array([blue, 0.0, red]))
    # Darker is no other light, but what is blown out has lost its colour.
    levels = picture * (gains / gains.max()) ** (1 / GAMMA)
    upright = np.rot90(np.rint(levels).astype(np.uint8), int(seen.turn[0, 0]))
    return np.ascontiguousarray(upright)
