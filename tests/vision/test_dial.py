"""Dials drawn by hand: their numbers, arrows and borders are known from the drawing."""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.dial import DialReader, DialReading
from vision.dial.prints import cuts_of
from vision.layout import Dial
from vision.plane import Plane, plane_from_corners

Image = NDArray[np.uint8]
#: Pixels per millimetre of the drawings and of the photographs.
FINE, SCALE = 4.0, 1.3
#: The plane, in mm; the photograph shows nothing else.
SIZE = (300.0, 240.0)
#: Five sectors of 72 degrees: their borders are at 36, 108, 180, 252 and 324 degrees.
LABELS = ("two", "five", "three", "five", "four")
COLOURS = ((60, 190, 240), (70, 60, 200), (220, 220, 210), (70, 60, 200), (120, 60, 30))
DIAL = Dial((130.0, 110.0), 100.0, LABELS, (84.0, 16.0))


def disc(seed: int = 0) -> Image:
    """The disc's print, its first sector on top; another seed makes other colours."""
    side = round(DIAL.diameter * FINE)
    middle = (side - 1) / 2
    picture = np.zeros((side, side, 4), np.uint8)
    colours = np.random.default_rng(seed).permutation(COLOURS) if seed else np.array(COLOURS)
    for index, colour in enumerate(colours.tolist()):
        start = -90.0 - 36.0 + 72.0 * index
        centre, axes = (round(middle), round(middle)), (side // 2, side // 2)
        cv2.ellipse(picture, centre, axes, 0.0, start, start + 72.0, (*colour, 255), -1)
    for index, label in enumerate(LABELS):
        angle = math.radians(72.0 * index)
        place = (round(middle + 130 * math.sin(angle)) - 12, round(middle - 130 * math.cos(angle)))
        cv2.putText(picture, label[0], place, cv2.FONT_HERSHEY_DUPLEX, 1.6, (0, 0, 0, 255), 3)
    return picture


@cache
def arrow(paper: bool = False) -> Image:
    """The arrow's print, which points left: on a strip of paper, or cut along its outline."""
    picture = np.full((64, 336, 4), 255 if paper else 0, np.uint8)
    shape = [(4, 32), (70, 6), (60, 24), (330, 24), (330, 40), (60, 40), (70, 58)]
    cv2.fillPoly(picture, [np.array(shape, np.int32)], (40, 30, 30, 255))
    return picture


def photo(
    angle: float | None,
    *,
    turn: float = 0.0,
    shift: tuple[float, float] = (0.0, 0.0),
    paper: bool = False,
    bare: bool = False,
    light: tuple[float, float, float] = (0.8, 0.8, 0.8),
    seed: int = 0,
) -> Image:
    """The table from above: the disc turned clockwise and shifted (mm), the arrow's angle on it."""
    size = (round(SIZE[0] * SCALE), round(SIZE[1] * SCALE))
    picture = np.full((size[1], size[0], 3), (90, 110, 120), np.float64)
    place = (DIAL.centre[0] + shift[0], DIAL.centre[1] + shift[1])
    things = [] if bare else [(disc(seed), turn)]
    if angle is not None:
        things.append((arrow(paper), turn + angle + 90.0))
    for thing, degrees in things:
        levels = thing.astype(np.float64)
        levels[..., :3] *= levels[..., 3:] / 255.0
        c, s = (f(math.radians(degrees)) * SCALE / FINE for f in (math.cos, math.sin))
        middle = np.array([thing.shape[1] - 1, thing.shape[0] - 1]) / 2
        matrix = np.array([[c, -s, 0.0], [s, c, 0.0]])
        matrix[:, 2] = np.array(place) * SCALE - 0.5 - matrix[:, :2] @ middle
        soft = cv2.GaussianBlur(levels, (0, 0), 1.2)
        laid = np.asarray(cv2.warpAffine(soft, matrix, size, flags=cv2.INTER_LINEAR), np.float64)
        picture = picture * (1.0 - laid[..., 3:] / 255.0) + laid[..., :3]
    noise = np.random.default_rng(1).normal(0.0, 2.0, picture.shape)
    return np.clip(picture * light + 8.0 + noise, 0, 255).astype(np.uint8)


def plane() -> Plane:
    width, height = (round(length * SCALE) for length in SIZE)
    corners = [(0, 0), (width, 0), (width, height), (0, height)]
    return plane_from_corners(np.array(corners) - 0.5, SIZE, (width, height))


@cache
def reader(paper: bool = False) -> DialReader:
    return DialReader(DIAL, disc(), arrow(paper))


def read(image: Image) -> DialReading:
    return reader().read(image, plane())


def off(reading: DialReading, angle: float) -> float:
    assert reading.angle_deg is not None
    return abs((reading.angle_deg - angle + 180.0) % 360.0 - 180.0)


@pytest.mark.parametrize(
    ("angle", "label"),
    [
        (0.0, "two"),
        (30.0, "two"),
        (80.0, "five"),
        (150.0, "three"),
        (200.0, "five"),
        (310.0, "four"),
    ],
)
@pytest.mark.parametrize("turn", [0.0, 137.0])
def test_the_sector_at_the_tip_counts(angle: float, label: str, turn: float) -> None:
    reading = read(photo(angle, turn=turn))
    assert (reading.label, reading.certain) == (label, True)
    assert off(reading, angle) < 1.0


@pytest.mark.parametrize("shift", [(9.0, -6.0), (-10.0, 8.0)])
def test_the_disc_may_lie_beside_its_place(shift: tuple[float, float]) -> None:
    reading = read(photo(150.0, turn=-20.0, shift=shift))
    assert (reading.label, reading.certain) == ("three", True)


@pytest.mark.parametrize("light", [(0.45, 0.7, 0.95), (0.9, 0.75, 0.5), (0.35, 0.35, 0.35)])
def test_light_changes_nothing(light: tuple[float, float, float]) -> None:
    reading = read(photo(310.0, turn=70.0, light=light))
    assert (reading.label, reading.certain) == ("four", True)


def test_near_a_border_both_sectors_are_named() -> None:
    reading = read(photo(109.0, turn=10.0))
    assert not reading.certain
    assert set(reading.rivals) == {"five", "three"}
    assert "border" in reading.why


def test_an_arrow_with_its_paper_may_be_cut_out_or_not() -> None:
    with_paper, outline = cuts_of(arrow(paper=True))
    assert with_paper[0, 0, 3] == 255
    assert outline[0, 0, 3] == 0
    assert outline[32, 200, 3] == 255
    assert len(cuts_of(arrow())) == 1
    for paper in (True, False):
        reading = reader(paper=True).read(photo(150.0, turn=40.0, paper=paper), plane())
        assert (reading.label, reading.certain) == ("three", True)


def test_no_arrow_is_no_number() -> None:
    reading = read(photo(None, turn=40.0))
    assert (reading.label, reading.certain, reading.angle_deg) == (None, False, None)
    assert "arrow" in reading.why


def test_no_disc_is_no_number() -> None:
    for image in (photo(None, bare=True), photo(150.0, bare=True)):
        reading = read(image)
        assert not reading.certain
        assert reading.why


def test_another_disc_is_no_disc() -> None:
    assert not read(photo(150.0, seed=3)).certain


@pytest.mark.parametrize("place", [(20.0, 15.0), (-25.0, 5.0), (0.0, 35.0)])
def test_what_lies_over_the_dial_is_noticed(place: tuple[float, float]) -> None:
    image = photo(150.0)
    x, y = (round((c + d) * SCALE) for c, d in zip(DIAL.centre, place, strict=True))
    cv2.rectangle(image, (x - 18, y - 18), (x + 18, y + 18), (150, 160, 205), -1)
    assert not read(image).certain


def test_a_dial_outside_the_picture_is_not_read() -> None:
    assert not read(np.zeros((312, 390, 3), np.uint8)).certain
