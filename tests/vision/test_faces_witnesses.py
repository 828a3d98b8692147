"""TwoWitnesses: certain is what one matcher is sure of and the other does not deny."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.faces_art import INKS, face
from vision.faces import FaceBook, Matches, TwoWitnesses
from vision.network import ModelMissingError
from vision.observation import CANDIDATES, NONE


class Says:
    """A matcher that says what it was told to: label or NONE, certain, best two with scores."""

    def __init__(self, label: int, certain: bool, best: int, score: float, next_: float) -> None:
        ids = np.full((1, CANDIDATES), NONE, np.int16)
        scores = np.zeros((1, CANDIDATES), np.float32)
        ids[0, :2], scores[0, :2] = (best, 1 - best), (score, next_)
        self._matches = Matches(
            label_ids=np.array([label], np.int16),
            certain=np.array([certain]),
            candidate_ids=ids,
            candidate_scores=scores,
            turns=np.zeros(1, np.int8),
        )

    def match(self, crops: np.ndarray) -> Matches:
        return self._matches


@pytest.fixture(scope="module")
def witnesses() -> TwoWitnesses:
    pictures = {form: [face(form, 1, INKS["red"])] for form in ("disc", "cross")}
    try:
        return TwoWitnesses(FaceBook.teach(pictures))
    except ModelMissingError:
        pytest.skip("the networks faces and pairs are not there")


@pytest.mark.parametrize(
    ("templates", "networks", "label", "certain"),
    [
        # Both name the first; one of them being sure is enough, none is not.
        (Says(0, True, 0, 0.9, 0.6), Says(0, False, 0, 0.6, 0.5), 0, True),
        (Says(0, False, 0, 0.8, 0.7), Says(0, True, 0, 0.99, 0.1), 0, True),
        (Says(0, False, 0, 0.8, 0.7), Says(0, False, 0, 0.6, 0.5), 0, False),
        # What the templates only rank first the networks must know very well.
        (Says(NONE, False, 0, 0.5, 0.4), Says(0, True, 0, 0.9, 0.6), NONE, False),
        (Says(NONE, False, 0, 0.5, 0.4), Says(0, True, 0, 0.99, 0.1), 0, True),
        # The networks deny it, surely or half-heartedly.
        (Says(0, True, 0, 0.9, 0.6), Says(1, True, 1, 0.99, 0.1), 0, False),
        (Says(0, True, 0, 0.9, 0.6), Says(1, False, 1, 0.5, 0.45), 0, True),
        # Only the networks are sure: their name, but no certainty.
        (Says(0, False, 0, 0.8, 0.7), Says(1, True, 1, 0.99, 0.1), 1, False),
    ],
)
def test_who_says_what(
    witnesses: TwoWitnesses,
    monkeypatch: pytest.MonkeyPatch,
    templates: Says,
    networks: Says,
    label: int,
    certain: bool,
) -> None:
    monkeypatch.setattr(witnesses, "_templates", templates)
    monkeypatch.setattr(witnesses, "_networks", networks)
    found = witnesses.match(np.zeros((1, 48, 48, 3), np.uint8))
    assert (int(found.label_ids[0]), bool(found.certain[0])) == (label, certain)


def test_no_crops(witnesses: TwoWitnesses) -> None:
    assert len(witnesses.match(np.zeros((0, 48, 48, 3), np.uint8))) == 0
