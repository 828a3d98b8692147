"""Colours taught by a few crops, and read under other light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.observation import NONE
from vision.pieces.colours import ColourBook
from vision.pieces.colours_look import light_look, look, piece_look

#: sRGB of paints.
PAINTS = {
    "white": (225, 222, 210),
    "orange": (235, 140, 30),
    "red": (190, 30, 35),
    "blue": (20, 60, 150),
}
NEUTRAL, WARM, BLUE = (1.0, 1.0, 1.0), (0.42, 0.8, 1.1), (1.3, 0.9, 0.65)
GROUNDS = ((70, 140, 60), (210, 185, 130), (90, 80, 75), (40, 120, 190))

Image = NDArray[np.uint8]


def crop(paint: tuple[int, int, int], light: tuple[float, ...], rng: np.random.Generator) -> Image:
    """A bar of one paint across the middle of a loose crop, one side in the shade, as BGR.

    `light` multiplies linear blue, green and red.
    """
    ground = np.array(GROUNDS[rng.integers(len(GROUNDS))], np.float32)
    picture = np.tile(ground, (60, 60, 1)) + rng.normal(0, 18, (60, 60, 1)).astype(np.float32)
    turn = rng.uniform(0, np.pi)
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    middle = 30 + rng.uniform(-3, 3, 2)
    shade = rng.uniform(0.6, 1.0)
    for off, level in ((-6.0, shade), (6.0, shade * 0.45)):
        corners = [
            middle + a * along * 26 + (b * 6 + off) * across
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        linear = level * (np.array(paint, np.float32) / 255) ** 2.2
        shown = (255 * linear ** (1 / 2.2)).tolist()
        cv2.fillConvexPoly(picture, np.rint(corners).astype(np.int32), shown)
    small = cv2.resize(picture, (20, 20), interpolation=cv2.INTER_AREA)[..., ::-1]
    lit = (np.clip(small, 0, 255) / 255) ** 2.2 * np.array(light) * 0.8
    levels = 255 * np.clip(lit, 0, 1) ** (1 / 2.2) + rng.normal(0, 2, lit.shape)
    return np.asarray(np.clip(levels, 0, 255), np.uint8)


def book() -> ColourBook:
    rng = np.random.default_rng(1)
    return ColourBook.teach(
        {name: [crop(paint, NEUTRAL, rng) for _ in range(4)] for name, paint in PAINTS.items()}
    )


@pytest.mark.parametrize("light", [NEUTRAL, WARM, BLUE])
def test_colours_are_told_under_another_light(light: tuple[float, float, float]) -> None:
    rng = np.random.default_rng(2)
    taught = book()
    truth = np.tile(np.arange(4), 8)
    crops = [crop(PAINTS[taught.names[i]], light, rng) for i in truth]
    read = taught.judge_crops(crops)
    assert not (read.certain & (read.colour_ids != truth)).any()
    assert (read.certain & (read.colour_ids == truth)).mean() > 0.9


def test_a_light_from_one_side_is_followed() -> None:
    rng = np.random.default_rng(3)
    taught = book()
    truth = np.tile(np.arange(4), 10)
    places = rng.uniform(0, 1, (40, 2))
    crops = [
        crop(PAINTS[taught.names[i]], tuple(np.array(BLUE) ** x * np.array(WARM) ** (0.5 - x)), rng)
        for i, x in zip(truth, places[:, 0], strict=True)
    ]
    read = taught.judge_crops(crops, places=places)
    assert not (read.certain & (read.colour_ids != truth)).any()
    assert (read.certain & (read.colour_ids == truth)).mean() > 0.8


def test_a_colour_that_was_never_taught_is_none() -> None:
    rng = np.random.default_rng(4)
    taught = book()
    known = [crop(PAINTS[name], NEUTRAL, rng) for name in taught.names for _ in range(4)]
    green = [crop((20, 130, 50), NEUTRAL, rng) for _ in range(3)]
    read = taught.judge_crops(known + green)
    assert not read.certain[-3:].any()
    assert (read.colour_ids[-3:] == NONE).all()


def test_one_piece_alone_under_an_unknown_light_may_be_doubtful_but_not_wrong() -> None:
    rng = np.random.default_rng(5)
    taught = book()
    for i, name in enumerate(taught.names):
        for light in (NEUTRAL, WARM, BLUE):
            read = taught.judge_crops([crop(PAINTS[name], light, rng)])
            assert not read.certain[0] or read.colour_ids[0] == i
            assert i in read.candidate_ids[0].tolist()


def test_given_paints_are_told_alone_where_white_was_seen() -> None:
    rng = np.random.default_rng(6)
    given = ColourBook.of_paints(PAINTS)
    for i, name in enumerate(given.names):
        read = given.judge_crops([crop(PAINTS[name], WARM, rng)], white=np.array(WARM) * 0.8)
        assert read.certain[0]
        assert read.colour_ids[0] == i
        assert read.candidate_ids[0, 0] == i
        assert read.candidate_scores[0, 0] > 0.9


def test_pictures_of_several_lights_teach_together() -> None:
    rng = np.random.default_rng(7)
    lights = (NEUTRAL, WARM)
    taught = ColourBook.teach(
        {
            name: [crop(paint, lights[k % 2], rng) for k in range(4)]
            for name, paint in PAINTS.items()
        },
        pictures={name: [0, 1, 0, 1] for name in PAINTS},
    )
    truth = np.tile(np.arange(4), 5)
    read = taught.judge_crops([crop(PAINTS[taught.names[i]], BLUE, rng) for i in truth])
    assert not (read.certain & (read.colour_ids != truth)).any()
    assert (read.certain & (read.colour_ids == truth)).mean() > 0.8


def test_the_look_is_that_of_the_piece_not_of_the_ground() -> None:
    picture = np.full((20, 20, 3), (60, 150, 80), np.uint8)
    cv2.line(picture, (0, 3), (19, 17), (30, 30, 190), 5)
    seen, share = piece_look(picture)
    np.testing.assert_allclose(seen, look((30, 30, 190)), atol=0.1)
    assert share > 0.3


def test_light_shifts_all_looks_alike() -> None:
    levels = np.array([[200, 180, 150], [90, 120, 160]], np.float32)
    gain = np.array([0.5, 0.8, 1.2])
    lit = 255 * ((levels / 255) ** 2.2 * gain) ** (1 / 2.2)
    np.testing.assert_allclose(look(lit) - light_look(gain), look(levels), atol=0.06)


def test_nothing_to_judge_gives_nothing() -> None:
    read = book().judge_crops([])
    assert len(read.colour_ids) == 0
    assert read.candidate_ids.shape == (0, 4)


def test_lessons_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="red: expected at least one crop, got none"):
        ColourBook.teach({"red": []})
    patch = np.full((4, 4, 3), 90, np.uint8)
    with pytest.raises(ValueError, match="red: expected 1 picture numbers, got 2"):
        ColourBook.teach({"red": [patch]}, pictures={"red": [0, 1]})
    with pytest.raises(ValueError, match="crop: expected shape"):
        piece_look(np.zeros((0, 4, 3), np.uint8))
