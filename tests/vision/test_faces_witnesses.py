"""TwoWitnesses: the networks name; where they are not certain alone, the templates must agree."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.faces_art import INKS, face
from vision.faces import FaceBook, Matches, TwoWitnesses
from vision.faces.learned import Judged
from vision.network import ModelMissingError
from vision.observation import CANDIDATES, NONE


def says(label: int, certain: bool, best: int, score: float = 0.5) -> Matches:
    """One crop: its label or NONE, whether that is certain, the best candidate and its score."""
    ids = np.full((1, CANDIDATES), NONE, np.int16)
    ids[0, :2] = best, 1 - best
    return Matches(
        label_ids=np.array([label], np.int16),
        certain=np.array([certain]),
        candidate_ids=ids,
        candidate_scores=np.full((1, CANDIDATES), score, np.float32),
        turns=np.zeros(1, np.int8),
    )


class Networks:
    """Networks that say what they were told to."""

    def __init__(
        self, odds: float, lead: float, certain: bool = False, faint: bool = False
    ) -> None:
        label = 0 if odds > 0 and not faint else NONE
        one = np.array([odds], np.float32), np.array([lead], np.float32)
        self._judged = Judged(
            says(label, certain, 0), *one, np.array([not faint]), np.array([faint])
        )

    def judge(self, crops: np.ndarray) -> Judged:
        return self._judged


class Templates:
    """Templates that say what they were told to, or must not be asked."""

    def __init__(self, matches: Matches | None) -> None:
        self._matches = matches

    def match(self, crops: np.ndarray) -> Matches:
        assert self._matches is not None, "nothing was in doubt"
        return self._matches


@pytest.fixture(scope="module")
def witnesses() -> TwoWitnesses:
    pictures = {form: [face(form, 1, INKS["red"])] for form in ("disc", "cross")}
    try:
        return TwoWitnesses(FaceBook.teach(pictures))
    except ModelMissingError:
        pytest.skip("the networks faces and pairs are not there")


@pytest.mark.parametrize(
    ("networks", "templates", "label", "certain"),
    [
        # Certain alone: nobody else is asked.
        (Networks(4.0, 5.0, True), None, 0, True),
        # So sure that it is none of them: whatever templates might say.
        (Networks(-6.0, 4.0), None, NONE, False),
        # With a fair lead it is enough that the templates rank the same face first.
        (Networks(0.5, 2.0), says(NONE, False, 0), 0, True),
        (Networks(0.5, 2.0), says(1, False, 1), 0, False),
        # First of faces that are all unlike is no witness.
        (Networks(0.5, 2.0), says(NONE, False, 0, 0.3), 0, False),
        # With a small lead they must be certain of it.
        (Networks(0.5, 1.0), says(0, False, 0), 0, False),
        (Networks(0.5, 1.0), says(0, True, 0), 0, True),
        (Networks(0.5, 0.2), says(0, True, 0), 0, False),
        # Hardly known to either, but nothing else comes near: a name in doubt.
        (Networks(-0.6, 7.0), says(NONE, False, 0, 0.48), 0, False),
        (Networks(-0.6, 2.0), says(NONE, False, 0, 0.48), NONE, False),
        (Networks(-0.6, 7.0), says(NONE, False, 0, 0.3), NONE, False),
        (Networks(-1.5, 7.0), says(NONE, False, 0, 0.48), NONE, False),
        (Networks(-0.6, 7.0), says(NONE, False, 1, 0.48), NONE, False),
        (Networks(-0.6, 7.0, faint=True), says(NONE, False, 0, 0.48), NONE, False),
        # While they waver, templates that are certain of another face give the name.
        (Networks(1.5, 0.5), says(1, True, 1), 1, False),
        (Networks(1.5, 1.2), says(1, True, 1), 0, False),
        # Its print is faint, as under glare: the templates must find it much like that face.
        (Networks(4.0, 5.0, faint=True), says(0, False, 0, 0.7), 0, True),
        (Networks(4.0, 5.0, faint=True), says(0, False, 0, 0.5), 0, False),
        (Networks(4.0, 5.0, faint=True), says(NONE, False, 0, 0.5), NONE, False),
        (Networks(4.0, 5.0, faint=True), says(1, False, 1, 0.7), NONE, False),
        # What the networks hardly know is certain only if the templates are certain of it.
        (Networks(-0.5, 4.0), says(0, True, 0), 0, True),
        (Networks(-1.5, 4.0), says(0, True, 0), 0, False),
        (Networks(-0.5, 4.0), says(0, False, 0), 0, False),
        (Networks(-0.5, 2.0), says(NONE, False, 0), NONE, False),
        (Networks(-0.5, 4.0), says(1, True, 1), NONE, False),
    ],
)
def test_who_says_what(
    witnesses: TwoWitnesses,
    monkeypatch: pytest.MonkeyPatch,
    networks: Networks,
    templates: Matches | None,
    label: int,
    certain: bool,
) -> None:
    monkeypatch.setattr(witnesses, "_networks", networks)
    monkeypatch.setattr(witnesses, "_templates", Templates(templates))
    found = witnesses.match(np.zeros((1, 48, 48, 3), np.uint8))
    assert (int(found.label_ids[0]), bool(found.certain[0])) == (label, certain)


def test_no_crops(witnesses: TwoWitnesses) -> None:
    assert len(witnesses.match(np.zeros((0, 48, 48, 3), np.uint8))) == 0
