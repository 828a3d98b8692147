"""Teaching from one photo of a grid: pieces get their names in order, and trouble is named."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.faces_art import INKS, Image, face
from vision.errors import UnreadableError
from vision.faces.grid import contrast, in_rows, teach_grid
from vision.tiles import Finds

SIDE, GAP = 80, 40
FORMS = ("disc", "square", "triangle", "star", "cross", "moon")
CLOTH = (70, 110, 60)


def square(x: float, y: float, side: float = SIDE) -> list[tuple[float, float]]:
    return [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]


def places(rows: int, columns: int) -> np.ndarray:
    """Quads (rows x columns, 4, 2) from the top left, row by row."""
    step = SIDE + GAP
    return np.array(
        [square(GAP + c * step, GAP + r * step) for r in range(rows) for c in range(columns)],
        np.float32,
    )


def photo(quads: np.ndarray, cloth: tuple[int, int, int] = CLOTH) -> Image:
    """The six FORMS on a cloth."""
    size = (quads[..., ::-1].max(axis=(0, 1)) + GAP).astype(int)
    image = np.full((*size, 3), cloth, np.uint8)
    for quad, form in zip(quads, FORMS, strict=True):
        x, y = quad[0].astype(int)
        small = cv2.resize(face(form, 1, INKS["red"]), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        image[y : y + SIDE, x : x + SIDE] = small
    return image


def finder(quads: np.ndarray, seed: int = 1) -> object:
    """A finder that finds these in any order, each from any corner."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(quads))
    mixed = np.stack([np.roll(quads[k], int(rng.integers(4)), axis=0) for k in order])
    scores = np.full(len(quads), 0.9, np.float32)
    return lambda image, aspect: Finds(mixed.astype(np.float32), scores, scores)


def test_names_go_row_by_row() -> None:
    quads = places(2, 3)
    taught = teach_grid(photo(quads), (2, 3), FORMS, find=finder(quads))  # type: ignore[arg-type]
    assert taught.book.labels == FORMS
    assert taught.quads_px == pytest.approx(quads)
    assert taught.hidden == ()
    for form in FORMS:
        (picture,) = taught.book.pictures(form)
        drawn = cv2.resize(face(form, 1, INKS["red"]), picture.shape[1::-1])
        # Cut at the edge of a pixel: the drawing comes back, upright, but for a little blur.
        assert np.abs(picture.astype(int) - drawn).mean() < 8


def test_a_name_that_comes_again_adds_a_picture() -> None:
    quads = places(2, 3)
    names = ["disc", "square", "triangle", "disc", "cross", "moon"]
    taught = teach_grid(photo(quads), (2, 3), names, find=finder(quads))  # type: ignore[arg-type]
    assert len(taught.book.pictures("disc")) == 2
    assert taught.book.labels == ("disc", "square", "triangle", "cross", "moon")


@pytest.mark.parametrize("degrees", [-20.0, 7.0, 30.0])
def test_a_camera_held_askew(degrees: float) -> None:
    quads = places(2, 3)
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    askew = (quads @ turn).astype(np.float32)
    found = finder(askew)(None, 1.0)  # type: ignore[operator]
    assert in_rows(found.quads, 2, 3) == pytest.approx(askew, abs=1e-3)


def test_pieces_of_the_colour_of_the_table() -> None:
    quads = places(2, 3)
    pale = photo(quads, (233, 236, 238))
    taught = teach_grid(pale, (2, 3), FORMS, find=finder(quads))  # type: ignore[arg-type]
    assert taught.hidden == FORMS
    assert (contrast(photo(quads), quads) > 30).all()


@pytest.mark.parametrize(
    ("grid", "names", "says"),
    [
        ((2, 3), FORMS[:5], "5 names for 2 x 3 = 6"),
        ((3, 3), ("a",) * 9, "6 pieces were found in the photo, and 3 x 3 = 9"),
        ((3, 2), FORMS, "do not lie in 3 rows of 2"),
        ((1, 6), FORMS, "do not lie in 1 row of 6"),
    ],
)
def test_what_can_be_wrong(grid: tuple[int, int], names: tuple[str, ...], says: str) -> None:
    quads = places(2, 3)
    with pytest.raises(UnreadableError, match=says):
        teach_grid(photo(quads), grid, names, find=finder(quads))  # type: ignore[arg-type]
