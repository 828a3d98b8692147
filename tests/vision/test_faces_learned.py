"""LearnedMatcher: names faces from one picture each, and knows what it does not know."""

from __future__ import annotations

import logging

import cv2
import numpy as np
import pytest

from tests.vision.faces_art import (
    BLACK,
    CREAM,
    DAY,
    FORMS,
    INKS,
    LAMP,
    Light,
    face,
    seen,
    unknown_things,
)
from vision.errors import UnreadableError
from vision.faces import FaceBook, LearnedMatcher, Matches, TemplateMatcher, default_matcher
from vision.network import ModelMissingError, network
from vision.observation import CANDIDATES, NONE

#: Tiles that differ in form and count on tinted paper, and in form and colour on black.
TILES = {
    f"{form}-{n}": face(form, n, INKS[ink], CREAM)
    for form, ink in (("disc", "orange"), ("square", "blue"), ("cross", "purple"))
    for n in (1, 2, 3)
}
DARK = {f"{form}-{ink}": face(form, 1, INKS[ink], BLACK) for form in FORMS for ink in INKS}
SETS = {"tiles": TILES, "dark": DARK}


@pytest.fixture(scope="module")
def matchers() -> dict[str, LearnedMatcher]:
    try:
        network("faces"), network("pairs")
    except ModelMissingError:
        pytest.skip("the networks faces and pairs are not there")
    return {
        name: LearnedMatcher(FaceBook.teach({label: [image] for label, image in faces.items()}))
        for name, faces in SETS.items()
    }


def named(found: Matches, labels: list[str]) -> np.ndarray:
    """Whether each crop, one of each label in their order, bears its name."""
    names = [None if i == NONE else labels[i] for i in found.label_ids]
    return np.array([name == label for name, label in zip(names, labels, strict=True)])


def test_arrays_are_aligned(matchers: dict[str, LearnedMatcher]) -> None:
    rng = np.random.default_rng(1)
    found = matchers["tiles"].match(np.stack([seen(image, rng) for image in TILES.values()]))
    n = len(TILES)
    for array, shape, dtype in (
        (found.label_ids, (n,), "int16"),
        (found.certain, (n,), "bool"),
        (found.candidate_ids, (n, CANDIDATES), "int16"),
        (found.candidate_scores, (n, CANDIDATES), "float32"),
        (found.turns, (n,), "int8"),
    ):
        assert (array.shape, array.dtype.name) == (shape, dtype)
    assert (np.diff(found.candidate_scores, axis=1) <= 0).all()
    assert found.candidate_scores.min() >= 0
    assert found.candidate_scores.max() <= 1
    assert len(matchers["tiles"].match(np.zeros((0, 48, 48, 3), np.uint8))) == 0


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_every_quarter_turn(matchers: dict[str, LearnedMatcher], turn: int) -> None:
    rng = np.random.default_rng(turn)
    shown = [label for label in TILES if label.endswith("3")]
    found = matchers["tiles"].match(
        np.stack([seen(TILES[label], rng, turn=turn) for label in shown])
    )
    assert [list(TILES)[i] for i in found.label_ids] == shown
    assert (found.turns == turn).all()


@pytest.mark.parametrize("kind", SETS)
@pytest.mark.parametrize("light", [DAY, LAMP, Light(exposure=0.35)], ids=["day", "lamp", "dark"])
def test_faces_in_any_light(matchers: dict[str, LearnedMatcher], kind: str, light: Light) -> None:
    rng = np.random.default_rng(3)
    found = matchers[kind].match(np.stack([seen(i, rng, light) for i in SETS[kind].values()]))
    right = named(found, list(SETS[kind]))
    assert right.mean() > 0.95
    assert right[found.certain].all()


def test_what_was_never_taught_is_never_certain(matchers: dict[str, LearnedMatcher]) -> None:
    things = np.stack([crop for _, crop in unknown_things(np.random.default_rng(9))])
    for matcher in matchers.values():
        found = matcher.match(things)
        assert not found.certain.any()
        assert (found.label_ids == NONE).mean() > 0.9


def test_a_blank_cell_is_no_white_square_on_black() -> None:
    """A network that stretches the contrast sees a bright square with a dark rim in both."""
    black, white = np.zeros((72, 72, 3), np.uint8) + 20, np.full((72, 72, 3), 225, np.uint8)
    square, disc, cell = black.copy(), black.copy(), white.copy()
    square[14:58, 14:58] = 235
    cv2.circle(disc, (36, 36), 24, (235, 235, 235), -1, cv2.LINE_AA)
    cell[:3], cell[:, -4:] = 190, 180
    found = LearnedMatcher(FaceBook.teach({"square": [square], "disc": [disc]})).match(
        np.stack([cell, square])
    )
    assert (found.label_ids[0], found.certain[0]) == (NONE, False)
    assert found.label_ids[1] == 0


def test_without_networks_the_templates_read(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def missing(name: str) -> None:
        raise ModelMissingError(f"The model file {name} is missing.", "Install it.")

    monkeypatch.setattr("vision.faces.learned.network", missing)
    with caplog.at_level(logging.WARNING):
        matcher = default_matcher(FaceBook.teach({"disc": [TILES["disc-1"]]}))
    assert isinstance(matcher, TemplateMatcher)
    (record,) = caplog.records
    assert "without the trained networks" in record.message
    assert "Install it." in record.message


def test_book_without_faces_is_no_use() -> None:
    with pytest.raises(UnreadableError, match="empty"):
        LearnedMatcher(FaceBook({}, 1.0))


def test_pictures_of_a_face_may_be_of_any_size() -> None:
    star, disc = face("star", 1, INKS["red"]), face("disc", 1, INKS["red"])
    small = np.asarray(cv2.resize(star, (40, 40), interpolation=cv2.INTER_AREA), np.uint8)
    book = FaceBook.teach({"star": [star, small], "disc": [disc]})
    assert sorted(picture.shape[0] for picture in book.pictures("star")) == [40, 120]
    try:
        found = LearnedMatcher(book).match(np.asarray(cv2.resize(star, (72, 72)), np.uint8)[None])
    except ModelMissingError:
        pytest.skip("the networks faces and pairs are not there")
    assert book.labels[found.label_ids[0]] == "star"
