"""Adoption: a picture out of a camera becomes a teaching picture, and its effect is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.faces_art import BLUISH, DAY, INKS, LAMP, Image, Light, face, seen
from vision.errors import UnreadableError
from vision.faces import FaceBook
from vision.faces.adoption import Reading, Taught, rivals, unfit, upset
from vision.network import ModelMissingError, network

FACES = {form: face(form, 1, INKS["red"]) for form in ("star", "moon", "cross")}


@pytest.fixture(scope="module")
def taught() -> Taught:
    try:
        network("faces"), network("pairs")
    except ModelMissingError:
        pytest.skip("the networks faces and pairs are not there")
    return Taught.of(FaceBook.teach({label: [image] for label, image in FACES.items()}))


def camera(label: str, light: Light = DAY, **how: float) -> Image:
    return seen(FACES[label], np.random.default_rng(2), light, **how)  # type: ignore[arg-type]


def paper(picture: Image) -> np.ndarray:
    """Red over green and blue over green of a face's bare paper, left of its symbol."""
    height, width = picture.shape[:2]
    blue, green, red = (
        picture[height // 8 : -height // 8, width // 10 : width // 6].mean(axis=(0, 1)) / 255
    ) ** 2.2
    return np.array([red / green, blue / green])


@pytest.mark.parametrize("light", [LAMP, BLUISH])
@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_a_picture_is_kept_upright_and_in_the_light_of_its_face(
    taught: Taught, light: Light, turn: int
) -> None:
    picture = camera("moon", light, turn=turn)
    own, kept = taught.with_picture("moon", picture).book.pictures("moon")
    # The lamps change these ratios by a fifth to a third.
    strayed = np.abs(paper(picture) / paper(own) - 1).max()
    assert strayed > 0.15
    assert np.abs(paper(kept) / paper(own) - 1).max() < strayed / 2
    upright = cv2.resize(own, kept.shape[1::-1], interpolation=cv2.INTER_AREA)
    apart = [
        np.abs(np.rot90(upright, quarter).astype(float) - kept.astype(float)).mean()
        for quarter in range(4)
    ]
    assert np.argmin(apart) == 0


def test_what_a_picture_of_its_own_face_changes(taught: Taught) -> None:
    after = taught.with_picture("star", camera("star", LAMP))
    assert after.read(camera("star", LAMP)) == Reading("star", certain=True)
    assert upset(taught, after) == ()
    assert not any(rival.confusable for rival in rivals(taught, after, "star"))
    assert after.book.labels == taught.book.labels
    assert after.book.hash != taught.book.hash
    assert len(taught.book.pictures("star")) == 1


def test_what_a_picture_of_another_face_changes(taught: Taught) -> None:
    after = taught.with_picture("star", camera("moon", blur=0.3, noise=1.0, off=0.3))
    (nearest, *_) = rivals(taught, after, "star")
    assert nearest.label == "moon"
    assert nearest.new
    # The very picture that was taught can't be both.
    after = taught.with_picture("star", FACES["moon"])
    (spoilt,) = upset(taught, after)
    assert (spoilt.label, spoilt.picture) == ("moon", 1)
    assert spoilt.before == Reading("moon", certain=True)
    assert not spoilt.after.certain


def test_a_label_that_the_book_lacks(taught: Taught) -> None:
    with pytest.raises(UnreadableError, match="no face 'comet'"):
        taught.with_picture("comet", FACES["star"])


def test_unfit_pictures() -> None:
    good = camera("star")
    assert unfit(good, 1.0) == ()
    assert unfit(good[:23], 1.0) == ("it is only 72 x 23 pixels; 24 a side are needed",)
    assert unfit(good[:50], 1.0) == ("it is 72 x 50 pixels, which is not the shape of a face",)
    assert unfit(good[:50], 72 / 50) == ()
    assert unfit(np.asarray(good // 6, np.uint8), 1.0) == ("it is too dark",)
    assert unfit(np.asarray(cv2.GaussianBlur(good, (0, 0), 9), np.uint8), 1.0) != ()
    blown = good.copy()
    blown[10:30, 10:60] = 255
    assert unfit(blown, 1.0) == ("a lamp is mirrored in it",)
