"""TemplateMatcher: names faces in any turn and light, and knows what it does not know."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.faces_art import (
    BLACK,
    BLUISH,
    CREAM,
    DAY,
    FORMS,
    INKS,
    LAMP,
    Image,
    Light,
    face,
    seen,
    unknown_things,
)
from vision.faces import FaceBook, Matches, TemplateMatcher
from vision.observation import CANDIDATES, NONE

COMMODITIES = (("disc", "orange"), ("square", "blue"), ("cross", "purple"))
#: Tiles with one to three symbols on tinted paper, as a game of commodities has them.
TILES = {
    f"{form}-{n}": face(form, n, INKS[ink], CREAM) for form, ink in COMMODITIES for n in (1, 2, 3)
}
#: Tiles that differ in colour alone, on black, so that the light must be found from all of them.
DARK = {f"{form}-{ink}": face(form, 1, INKS[ink], BLACK) for form in FORMS for ink in INKS}
#: Oblong cards: filled and hollow, three colours.
CARDS = {
    f"{n}-{form}-{ink}-{'solid' if solid else 'hollow'}": np.pad(
        face(form, n, INKS[ink], solid=solid), ((30, 30), (0, 0), (0, 0)), mode="edge"
    )
    for n in (1, 2, 3)
    for form in ("moon", "square")
    for ink in ("red", "green", "purple")
    for solid in (True, False)
}


def matcher(pictures: dict[str, Image]) -> TemplateMatcher:
    height, width = next(iter(pictures.values())).shape[:2]
    book = FaceBook.teach({label: [image] for label, image in pictures.items()}, width / height)
    return TemplateMatcher(book)


@pytest.fixture(scope="module")
def tiles() -> TemplateMatcher:
    return matcher(TILES)


@pytest.fixture(scope="module")
def dark() -> TemplateMatcher:
    return matcher(DARK)


@pytest.fixture(scope="module")
def cards() -> TemplateMatcher:
    return matcher(CARDS)


def names(found: Matches, pictures: dict[str, Image]) -> list[str | None]:
    labels = list(pictures)
    return [None if i == NONE else labels[i] for i in found.label_ids]


def test_arrays_are_aligned(tiles: TemplateMatcher) -> None:
    rng = np.random.default_rng(1)
    found = tiles.match(np.stack([seen(image, rng) for image in TILES.values()]))
    n = len(TILES)
    assert len(found) == n
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
    assert (found.candidate_ids[:, 0] == found.label_ids).all()
    assert len(tiles.match(np.zeros((0, 72, 72, 3), np.uint8))) == 0


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_every_quarter_turn(tiles: TemplateMatcher, turn: int) -> None:
    rng = np.random.default_rng(turn)
    # Three symbols in a triangle look alike in no two turns.
    shown = [label for label in TILES if label.endswith("3")]
    found = tiles.match(np.stack([seen(TILES[label], rng, turn=turn) for label in shown]))
    assert names(found, TILES) == shown
    assert found.certain.all()
    assert (found.turns == turn).all()


def test_oblong_cards_turn_by_half(cards: TemplateMatcher) -> None:
    rng = np.random.default_rng(2)
    shown = [label for label in CARDS if label.startswith(("1-moon", "3-moon"))]
    for turn in (0, 2):
        crops = np.stack([seen(CARDS[label], rng, turn=turn) for label in shown])
        found = cards.match(crops)
        assert names(found, CARDS) == shown
        assert set(found.turns) <= {0, 2}


LIGHTS = {
    "day": DAY,
    "lamp": LAMP,
    "bluish": BLUISH,
    "dark": Light(exposure=0.35),
    "bright": Light(exposure=1.4),
    "soft tone": Light(tone=1.3),
    "green cast": Light((0.9, 1.1, 0.85)),
}


@pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS)
def test_tiles_in_any_light(tiles: TemplateMatcher, light: Light) -> None:
    rng = np.random.default_rng(3)
    found = tiles.match(np.stack([seen(image, rng, light) for image in TILES.values()]))
    assert names(found, TILES) == list(TILES)
    assert found.certain.all()


@pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS)
def test_colours_on_black_in_any_light(dark: TemplateMatcher, light: Light) -> None:
    rng = np.random.default_rng(4)
    found = dark.match(np.stack([seen(image, rng, light) for image in DARK.values()]))
    read = np.array(names(found, DARK)) == np.array(list(DARK))
    assert read.mean() > 0.95
    assert read[found.certain].all()


@pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS)
def test_cards_in_any_light(cards: TemplateMatcher, light: Light) -> None:
    rng = np.random.default_rng(5)
    found = cards.match(np.stack([seen(image, rng, light) for image in CARDS.values()]))
    read = np.array(names(found, CARDS)) == np.array(list(CARDS))
    assert read.mean() > 0.95
    assert read[found.certain].all()


@pytest.mark.parametrize(
    "trouble",
    [
        {"blur": 1.5},
        {"off": 2.0},
        {"noise": 8.0},
        {"shade": 0.4},
        {"jpeg": 50},
        {"side": 35.0},
        {"side": 90.0},
    ],
    ids=str,
)
def test_trouble_of_cameras(tiles: TemplateMatcher, trouble: dict[str, float]) -> None:
    rng = np.random.default_rng(6)
    crops = [seen(image, rng, **trouble) for image in TILES.values()]  # type: ignore[arg-type]
    found = tiles.match(np.stack(crops))
    assert names(found, TILES) == list(TILES)
    assert found.certain.mean() > 0.8


@pytest.mark.parametrize(("dx", "dy"), [(2, 0), (-2, 0), (0, 2), (0, -2)])
def test_two_pixels_off(tiles: TemplateMatcher, dx: int, dy: int) -> None:
    rng = np.random.default_rng(7)
    crops = np.stack([seen(image, rng, off=0, side=72) for image in TILES.values()])
    found = tiles.match(np.roll(crops, (dy, dx), axis=(1, 2)))
    assert names(found, TILES) == list(TILES)
    assert found.certain.all()


@pytest.mark.parametrize("frame", [(20, 20, 20), (130, 130, 130)])
def test_a_frame_is_no_other_face(tiles: TemplateMatcher, frame: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(8)
    crops = []
    for image in TILES.values():
        framed = image.copy()
        cv2.rectangle(framed, (0, 0), (119, 119), frame, 14)
        crops.append(seen(framed, rng))
    found = tiles.match(np.stack(crops))
    assert names(found, TILES) == list(TILES)
    assert found.certain.mean() > 0.8


def test_what_was_never_taught_has_no_label(tiles: TemplateMatcher, dark: TemplateMatcher) -> None:
    things = [crop for _, crop in unknown_things(np.random.default_rng(9))]
    for one in (tiles, dark):
        found = one.match(np.stack(things))
        assert (found.label_ids == NONE).all()
        assert not found.certain.any()


@pytest.mark.parametrize("left_out", list(TILES))
def test_a_face_that_was_not_taught_is_never_certain(left_out: str) -> None:
    rng = np.random.default_rng(10)
    taught = {label: image for label, image in TILES.items() if label != left_out}
    found = matcher(taught).match(np.stack([seen(image, rng) for image in TILES.values()]))
    certain = dict(zip(TILES, found.certain, strict=True))
    assert not certain.pop(left_out)
    assert all(certain.values())


@pytest.mark.parametrize("ink", ["red", "green", "purple"])
def test_a_form_like_a_taught_one_is_not_certain(ink: str) -> None:
    rng = np.random.default_rng(15)
    taught, other = (face(form, 1, INKS[ink]) for form in ("square", "disc"))
    crops = [seen(taught, rng), *(seen(other, rng) for _ in range(4))]
    found = matcher({"square": taught}).match(np.stack(crops))
    assert found.certain.tolist() == [True] + [False] * 4


def test_half_covered_is_not_certain(tiles: TemplateMatcher) -> None:
    rng = np.random.default_rng(11)
    crops = np.stack([seen(image, rng) for image in TILES.values()])
    crops[:, 30:] = (120, 150, 205)
    found = tiles.match(crops)
    assert not found.certain.any()


def test_two_faces_alike_are_never_certain() -> None:
    rng = np.random.default_rng(12)
    twins = {"one": TILES["disc-2"], "other": TILES["disc-2"], "third": TILES["cross-2"]}
    found = matcher(twins).match(
        np.stack([seen(twins[label], rng) for label in ("one", "other", "third")] * 3)
    )
    assert found.certain.tolist() == [False, False, True] * 3
    assert set(found.candidate_ids[0, :2]) == {0, 1}


def test_more_pictures_of_a_face_are_one_label() -> None:
    rng = np.random.default_rng(13)
    dim = np.asarray(TILES["disc-1"] * 0.6, np.uint8)
    book = FaceBook.teach({"disc": [TILES["disc-1"], dim], "cross": [TILES["cross-1"]]})
    found = TemplateMatcher(book).match(np.stack([seen(TILES["disc-1"], rng)]))
    assert (int(found.label_ids[0]), bool(found.certain[0])) == (0, True)
    assert found.candidate_ids[0].tolist() == [0, 1, NONE, NONE]


def test_one_taught_face_knows_itself_and_nothing_else() -> None:
    rng = np.random.default_rng(14)
    things = [crop for _, crop in unknown_things(rng)]
    found = matcher({"disc": TILES["disc-1"]}).match(
        np.stack([seen(TILES["disc-1"], rng), seen(TILES["cross-3"], rng), *things])
    )
    assert found.label_ids.tolist() == [0] + [NONE] * (len(things) + 1)
    assert found.certain[0]
