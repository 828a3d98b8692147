"""Real photographs of cards that differ in number, colour, shading and shape, in changing light."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.bench.matching import NEAR, read_image, read_labels
from tests.bench.report import Report, need
from tests.shared import REAL
from vision.faces import FaceBook, FaceMatcher, default_matcher, lengthwise, straighten, turned
from vision.observation import NONE
from vision.tiles import find_loose

#: Width and height of a card in mm.
CARD = (57.0, 88.0)
ATTRIBUTES = ("number", "colour", "shading", "shape")
#: Floors in percent: number and shape right, wrong and certain, certain.
EXACT = (99.9, 0.1, 90.0)
#: Floors in percent of whole photos: cards found, and readings of nothing.
FOUND, EXTRA = 99.5, 1.0

Image = NDArray[np.uint8]


def run(report: Report) -> None:
    """Crops of one day taught and of the other read; then whole photos."""
    folder = need(REAL / "set_cards")
    labels = read_labels(folder)
    crops: dict[str, dict[str, list[Image]]] = defaultdict(lambda: defaultdict(list))
    for crop in labels["crops"]:
        crops[crop["group"]][_name(crop)].append(read_image(folder / crop["file"]))
    for count in (1, 3):
        for taught, tested in _both_ways(sorted(crops)):
            bench = f"set {count} crop{'s'[: count > 1]}"
            matcher = default_matcher(_book(crops[taught], count))
            counts = _read_crops(matcher, tuple(crops[taught]), crops[tested])
            counts.report(
                report, bench, f"{taught[4:]} to {tested[4:]}: ", 97.0 if count == 1 else 99.0
            )
    for taught in sorted(crops):
        # The source cut its crops from photos of the cards' mirror image.
        upright = {
            label: [np.asarray(cv2.flip(image, 1), np.uint8) for image in images]
            for label, images in crops[taught].items()
        }
        book = _book(upright, 1)
        matcher = default_matcher(book)
        for kind in ("nine", "webcam", "mixed"):
            photos = [photo for photo in labels["images"] if photo["kind"] == kind]
            given, found = Counts(), Counts()
            for photo in report.progress(f"set {kind}", photos, len(photos)):
                image = read_image(folder / photo["file"])
                given += _read_given(book, matcher, image, photo)
                found += _read_photo(book, matcher, image, photo)
            given.report(report, f"set {kind}", f"{taught[4:]}, quads given: ", 97.0)
            found.report(report, f"set {kind}", f"{taught[4:]}: ", finding=True)


@dataclass
class Counts:
    """Counts of cards; they add up."""

    cards: int = 0
    found: int = 0
    named: int = 0
    all_right: int = 0
    right: Counter[str] = field(default_factory=Counter)
    certain: int = 0
    wrong: int = 0
    extra: int = 0
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __add__(self, other: Counts) -> Counts:
        return Counts(**{name: getattr(self, name) + getattr(other, name) for name in vars(self)})

    def add(self, true: str, read: str | None, certain: bool) -> None:
        """Counts a card that was found and read as `read`."""
        self.cards, self.found = self.cards + 1, self.found + 1
        self.named += read is not None
        self.all_right += read == true
        words = (read or "- - - -").split()
        pairs = zip(ATTRIBUTES, true.split(), words, strict=True)
        self.right.update(attribute for attribute, one, other in pairs if one == other)
        self.certain += certain
        self.wrong += certain and read != true
        if read is not None and read != true:
            self.confused[true, read] += 1

    def report(
        self,
        report: Report,
        bench: str,
        what: str,
        floor: float | None = None,
        *,
        finding: bool = False,
    ) -> None:
        """Adds the figures, and prints what was taken for what.

        `floor` is the least share in percent that must be all right; other floors go with it.
        """
        exact, wrong, sure = (None, None, None) if floor is None else EXACT
        if finding:
            report.share(bench, f"{what}cards found", self.found, self.cards, FOUND)
            report.share(bench, f"{what}finds of nothing", self.extra, self.cards, EXTRA, "<=")
        report.share(bench, f"{what}all four right", self.all_right, self.cards, floor)
        for attribute in ATTRIBUTES:
            least = exact if attribute in ("number", "shape") else None
            report.share(
                bench, f"{what}{attribute} right", self.right[attribute], self.cards, least
            )
        report.share(bench, f"{what}wrong and certain", self.wrong, self.cards, wrong, "<=")
        report.share(bench, f"{what}no label", self.found - self.named, self.cards, sense="<=")
        report.share(bench, f"{what}certain (coverage)", self.certain, self.cards, sure)
        for (true, read), n in self.confused.most_common(5):
            print(f"{bench:14}   {n} x {true} read as {read}", flush=True)


def _book(faces: Mapping[str, Sequence[Image]], count: int) -> FaceBook:
    pictures = {label: images[:count] for label, images in faces.items()}
    return FaceBook.teach(pictures, CARD[0] / CARD[1])


def _read_crops(
    matcher: FaceMatcher, names: Sequence[str], faces: Mapping[str, Sequence[Image]]
) -> Counts:
    """Reads each crop alone, as crops of many pictures share no light."""
    counts = Counts()
    for label, images in faces.items():
        for image in images:
            found = matcher.match(image[None])
            read = found.label_ids[0]
            counts.add(label, None if read == NONE else names[read], bool(found.certain[0]))
    return counts


def _read_given(
    book: FaceBook, matcher: FaceMatcher, image: Image, photo: dict[str, Any]
) -> Counts:
    """Reads the cards of a photo with their true quads: recognition alone."""
    quads = _quads(photo)
    upright = turned(quads, lengthwise(quads, book.aspect))
    found = matcher.match(straighten(image, upright, book.crop_size))
    counts = Counts()
    for item, read, certain in zip(photo["items"], found.label_ids, found.certain, strict=True):
        counts.add(_name(item), None if read == NONE else book.labels[read], bool(certain))
    return counts


def _read_photo(
    book: FaceBook, matcher: FaceMatcher, image: Image, photo: dict[str, Any]
) -> Counts:
    """Finds and reads the cards of a photo, without any help from its labels."""
    finds = find_loose(image, CARD[1] / CARD[0])
    upright = turned(finds.quads, lengthwise(finds.quads, book.aspect))
    seen = matcher.match(straighten(image, upright, book.crop_size))
    quads = _quads(photo)
    side = np.linalg.norm(quads[:, 0] - quads[:, 2], axis=1) / np.sqrt(2)
    apart = np.linalg.norm(quads.mean(axis=1)[:, None] - upright.mean(axis=1)[None], axis=2)
    counts, taken = Counts(), set()
    for card, item in enumerate(photo["items"]):
        near = int(apart[card].argmin()) if len(finds) else NONE
        if near == NONE or apart[card, near] > NEAR * side[card] or near in taken:
            counts.cards += 1
            continue
        taken.add(near)
        read = seen.label_ids[near]
        counts.add(
            _name(item), None if read == NONE else book.labels[read], bool(seen.certain[near])
        )
    counts.extra = len(finds) - len(taken)
    # A certain reading of nothing is as wrong as one of another card.
    counts.wrong += int(seen.certain.sum()) - sum(bool(seen.certain[k]) for k in taken)
    return counts


def _quads(photo: dict[str, Any]) -> NDArray[np.float32]:
    return np.array([item["quad"] for item in photo["items"]], np.float32)


def _name(item: dict[str, Any]) -> str:
    return " ".join(str(item["label"][attribute]) for attribute in ATTRIBUTES)


def _both_ways(days: Sequence[str]) -> Iterable[tuple[str, str]]:
    one, other = days
    return (one, other), (other, one)
