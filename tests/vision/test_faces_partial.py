"""PartialMatcher: what shows of a covered face is compared, what lies on it is not."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.faces_art import INKS, face
from vision.faces import FaceBook, PartialMatcher
from vision.observation import NONE

FACES = {
    "disc": face("disc", 1, INKS["red"]),
    "cross": face("cross", 1, INKS["red"]),
    "blue": face("disc", 1, INKS["blue"]),
}


@pytest.fixture(scope="module")
def matcher() -> PartialMatcher:
    return PartialMatcher(FaceBook.teach({name: [picture] for name, picture in FACES.items()}))


def covered(name: str, turn: int, by: str) -> np.ndarray:
    """A face in a quarter turn whose right third another one hides."""
    crop, other = np.rot90(FACES[name], -turn).copy(), FACES[by]
    third = 2 * crop.shape[1] // 3
    crop[:, third:] = other[:, : crop.shape[1] - third]
    return crop


def seen(matcher: PartialMatcher, share: float) -> np.ndarray:
    columns, rows = matcher.size
    mask = np.zeros((1, rows, columns), np.bool_)
    mask[:, :, : int(share * columns)] = True
    return mask


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("turn", [0, 1, 3])
def test_what_shows_of_a_face_names_it_in_doubt(
    matcher: PartialMatcher, name: str, turn: int
) -> None:
    by = "cross" if name == "blue" else "blue"
    # A dimmer, warmer light than that of teaching.
    crop = (covered(name, turn, by) * np.array([0.5, 0.6, 0.7])).astype(np.uint8)
    found = matcher.match(crop[None], seen(matcher, 0.62))
    assert list(FACES)[found.label_ids[0]] == name
    assert not found.certain[0]
    assert found.candidate_scores[0, 0] > 0.8


def test_what_shows_nothing_of_any_face_has_no_name(matcher: PartialMatcher) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (1, 72, 72, 3), np.uint8)
    assert matcher.match(noise, seen(matcher, 0.62)).label_ids.tolist() == [NONE]


def test_no_crops_give_no_matches(matcher: PartialMatcher) -> None:
    none = np.zeros((0, 72, 72, 3), np.uint8)
    columns, rows = matcher.size
    assert len(matcher.match(none, np.zeros((0, rows, columns), np.bool_))) == 0
