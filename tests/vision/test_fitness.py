"""A good picture is not complained about; each flaw is named, at about the level where it hurts."""

from __future__ import annotations

import time
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from tests.referee.tables import picture
from tests.shared import REAL, need
from vision.camera import Image, load_image
from vision.fitness import Flaw, complaints, measure

Array = NDArray[np.float64]

#: Pixels of a patch of table within the picture of the kit's table, by name.
ZONES = {"centre": [(440, 260), (840, 260), (840, 460), (440, 460)], "edge": [(60, 60), (300, 200)]}


def table() -> Array:
    """A rendered table of the kit, 1280 x 720: pale cloth, sharp, well lit."""
    return picture().image.astype(np.float64)


def photo(levels: ArrayLike, noise: float = 2.0) -> Image:
    """The levels as a camera gives them, with noise."""
    levels = np.asarray(levels, np.float64)
    grain = np.random.default_rng(0).normal(0, noise, levels.shape)
    return np.clip(levels + grain, 0, 255).astype(np.uint8)


def in_light(levels: Array, factor: float) -> Array:
    """The picture under so much more or less light."""
    return np.asarray(255 * ((levels / 255) ** 2.2 * factor) ** (1 / 2.2))


def flaws(image: Image) -> list[tuple[Flaw, str | None]]:
    found = complaints(image, ZONES)
    assert all(each.what and each.remedy for each in found)
    return [(each.flaw, each.zone) for each in found]


@pytest.mark.parametrize("light", [1.0, 0.5, 0.15])
def test_a_good_picture_is_not_complained_about(light: float) -> None:
    assert flaws(photo(in_light(table(), light))) == []


# Each at a level where the reader was seen to lose a quarter or more of the tiles.
@pytest.mark.parametrize(
    ("spoil", "flaw"),
    [
        (lambda t: in_light(t, 0.01), Flaw.DARK),
        (lambda t: in_light(t, 2.0), Flaw.BRIGHT),
        (lambda t: 0.3 * t + 0.7 * 200, Flaw.VEIL),
        (lambda t: cv2.GaussianBlur(t, (0, 0), 2.3), Flaw.BLUR),
        (lambda t: cv2.GaussianBlur(t, (0, 0), 5.0), Flaw.BLUR),
        (lambda t: cv2.GaussianBlur(t, (0, 0), 25.0), Flaw.BLUR),
        (lambda t: cv2.blur(t, (9, 1)), Flaw.MOTION),
        (lambda t: cv2.blur(t, (1, 11)), Flaw.MOTION),
    ],
)
def test_each_flaw_is_named(spoil: Callable[[Array], ArrayLike], flaw: Flaw) -> None:
    assert flaws(photo(spoil(table()))) == [(flaw, None)]


# Each at a level where every tile was still read.
@pytest.mark.parametrize(
    "spoil",
    [
        lambda t: in_light(t, 0.1),
        lambda t: 0.5 * t + 0.5 * 200,
        lambda t: cv2.GaussianBlur(t, (0, 0), 1.3),
        lambda t: cv2.blur(t, (5, 1)),
    ],
)
def test_what_does_no_harm_is_not_complained_about(spoil: Callable[[Array], ArrayLike]) -> None:
    assert flaws(photo(spoil(table()))) == []


def test_glare_is_named_with_its_zone() -> None:
    y, x = np.mgrid[0:720, 0:1280]
    lamp = 300 * np.exp(-((x - 640) ** 2 + (y - 360) ** 2) / (2 * 60**2))
    assert flaws(photo(table() + lamp[..., None])) == [(Flaw.GLARE, "centre")]
    assert "centre" in complaints(photo(table() + lamp[..., None]), ZONES)[0].what


def test_smears_say_which_way() -> None:
    (sideways,) = complaints(photo(cv2.blur(table(), (11, 1))))
    (upright,) = complaints(photo(cv2.blur(table(), (1, 11))))
    assert "sideways" in sideways.what
    assert "up and down" in upright.what


@pytest.mark.parametrize("sigma", [1.0, 2.0, 3.0])
def test_the_width_of_an_edge_is_measured(sigma: float) -> None:
    """Bars of 80 px with ideal edges, upright ones and level ones, blurred by a known sigma."""
    y, x = np.mgrid[0:720, 0:1280]
    bars = np.where(np.where(x < 640, x, y) // 80 % 2, 210.0, 40.0)[..., None].repeat(3, axis=2)
    measured = measure(photo(cv2.GaussianBlur(bars, (0, 0), sigma), noise=1.0))
    assert measured.blur == pytest.approx((sigma, sigma), rel=0.2)


def test_only_the_table_counts() -> None:
    """A window beside the table is not the table's glare."""
    image = photo(table())
    image[:, :300] = 255
    corners = [(320, 40), (1250, 40), (1250, 690), (320, 690)]
    assert complaints(image, table=corners) == ()
    assert measure(image).clipped > 0.2


def test_a_finer_scale_forgives_more_blur() -> None:
    image = photo(cv2.GaussianBlur(table(), (0, 0), 2.3))
    assert complaints(image, px_per_mm=2.0) == ()
    assert [each.flaw for each in complaints(image, px_per_mm=0.93)] == [Flaw.BLUR]


def test_pictures_of_nothing() -> None:
    assert [each.flaw for each in complaints(np.zeros((720, 1280, 3), np.uint8))] == [Flaw.DARK]
    assert [each.flaw for each in complaints(np.full((30, 40, 3), 120, np.uint8))] == [Flaw.VEIL]


@pytest.mark.parametrize("name", ["catan_webcam", "qwirkle_tables", "set_cards", "settlers_pieces"])
def test_real_photographs_that_can_be_read_are_not_complained_about(name: str) -> None:
    folder = need(REAL / name)
    photos = [path for path in sorted(folder.rglob("*.jpg")) if path.parent.name != "crops"]
    wrong = {
        path.name: complaints(image)
        for path in photos[::5]
        if path.parent.name != "teach" and min((image := load_image(path)).shape[:2]) > 300
    }
    assert {name: found for name, found in wrong.items() if found} == {}


def test_it_costs_a_small_part_of_a_frame() -> None:
    image = np.asarray(cv2.resize(photo(table()), (1920, 1080)), np.uint8)
    large = {name: 1.5 * np.array(zone) for name, zone in ZONES.items()}
    costs = []
    for _ in range(30):
        began = time.process_time()
        complaints(image, large)
        costs.append(time.process_time() - began)
    began = time.process_time()
    for _ in range(30):
        cv2.GaussianBlur(image, (0, 0), 3.0)
    assert min(costs) < (time.process_time() - began) / 30
