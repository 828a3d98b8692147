"""The drawings of the kit: counts from the rules, and whether a camera can tell faces apart."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.games.drawing import Colour, Drawing
from referee.games.tumult_royale import COLOURS, FIELD_TYPES, Edition, load_edition
from referee.games.tumult_royale.art import drawings, faces, print_items
from referee.games.tumult_royale.art_castles import YARDS
from referee.games.tumult_royale.art_map import GROUNDS
from referee.games.tumult_royale.art_style import PAPER
from referee.games.tumult_royale.table import PAINTS, table_plan
from referee.kit.raster import on_paper, rasterise

Grey = NDArray[np.float64]

#: A tile is 35 pixels wide in a picture of 1280 x 720.
PX_PER_MM = 1.0
#: The band of a frame is no part of a face: it is cut off before faces are compared.
BAND = 3


@pytest.fixture(scope="module")
def edition() -> Edition:
    return load_edition("kit")


def grey(drawing: Drawing) -> Grey:
    """The inside of a tile as a grey picture of a webcam's resolution."""
    bgr = on_paper(rasterise(drawing, PX_PER_MM), (128, 128, 128))
    whole = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY).astype(np.float64)
    return whole[BAND:-BAND, BAND:-BAND]


def correlation(a: Grey, b: Grey) -> float:
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))


def likeness(a: Grey, b: Grey) -> float:
    """The best correlation over quarter turns and displacements of a pixel."""
    return max(
        correlation(a, np.roll(np.rot90(b, turn), (down, across), (0, 1)))
        for turn in range(4)
        for down in (-1, 0, 1)
        for across in (-1, 0, 1)
    )


def luminance(colour: Colour) -> float:
    red, green, blue = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_what_is_printed_is_what_the_rules_count(edition: Edition) -> None:
    # Rules section 1.
    printed = Counter[str]()
    for item in print_items(edition):
        printed[item.sheet] += item.copies
    assert printed["Commodity tiles"] == 39
    assert printed["Regions"] == 10
    assert printed["Castle boards"] == 4
    assert printed["Supporters"] == 25 + 8 + 4
    frames = Counter[str]()
    for item in print_items(edition):
        if item.sheet == "Commodity tiles":
            frames[item.front.name.rsplit("-", 1)[1]] += item.copies
    assert frames == {"plain": 21, "grey": 9, "black": 9}


def test_tiles_and_regions_have_backs(edition: Edition) -> None:
    for item in print_items(edition):
        if item.sheet == "Commodity tiles":
            assert item.back
            assert item.back.name == "tile-back"
        if item.sheet == "Regions":
            assert item.back
            assert item.back.name == "region-fog"


def test_sizes_are_the_editions(edition: Edition) -> None:
    by_name = drawings(edition)
    assert {d.size for name, d in by_name.items() if name.startswith("tile-")} == {(35.0, 35.0)}
    assert {d.size for name, d in by_name.items() if name.startswith("region-")} == {(120, 120)}
    assert by_name["castle-grey"].size == (180.0, 150.0)
    assert [by_name[f"frame-{n}"].size for n in (2, 3, 4)] == [(300, 300), (420, 300), (540, 300)]
    assert by_name["spinner"].size == (100.0, 100.0)


def test_every_board_of_every_plan_has_its_drawing_and_markers(edition: Edition) -> None:
    by_name = drawings(edition)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    detector = cv2.aruco.ArucoDetector(dictionary)
    for players in (2, 3, 4):
        for board in table_plan(edition, COLOURS[:players]).boards:
            drawing = by_name[board.drawing]
            assert drawing.size == board.size
            scale = 3.0
            corners, ids, _ = detector.detectMarkers(on_paper(rasterise(drawing, scale)))
            middles = {
                int(marker): quad.reshape(4, 2).mean(axis=0) / scale
                for marker, quad in zip(np.asarray(ids).ravel(), corners, strict=True)
            }
            assert set(middles) == {marker.id for marker in board.markers}
            for marker in board.markers:
                assert middles[marker.id] == pytest.approx(marker.centre, abs=0.3)


def test_faces_are_the_nine_kinds_and_the_back(edition: Edition) -> None:
    labels = [f"{c}-{n}" for c in ("bread", "marble", "tools") for n in (1, 2, 3)]
    shown = faces(edition)
    assert sorted(shown) == sorted([*labels, "back"])
    assert all(len(shown[label]) == 3 for label in labels)


def test_faces_differ_in_grey_at_webcam_resolution(edition: Edition) -> None:
    # Less than half of the variance of one face may be explained by another (r squared < 0.5),
    # in grey, in whatever turn: the same face, blurred and noisy, keeps far more than that.
    shown = {label: grey(sides[0]) for label, sides in faces(edition).items()}
    alike = {
        (a, b): likeness(shown[a], shown[b])
        for a, b in combinations(shown, 2)
        if likeness(shown[a], shown[b]) >= np.sqrt(0.5)
    }
    assert not alike


def test_frames_change_nothing_inside_a_tile(edition: Edition) -> None:
    for label, sides in faces(edition).items():
        for side in sides[1:]:
            assert likeness(grey(sides[0]), grey(side)) > 0.98, label


def test_commodities_differ_in_colour_too(edition: Edition) -> None:
    # The mean of what is not paper, in CIELAB: 20 units apart is far beyond "clearly different".
    means = []
    for commodity in ("bread", "marble", "tools"):
        drawing = faces(edition)[f"{commodity}-1"][0]
        bgr = on_paper(rasterise(drawing, 2.0))[6:-6, 6:-6]
        ink = np.abs(bgr.astype(int) - np.array(PAPER[::-1])).max(axis=-1) > 40
        lab = cv2.cvtColor(bgr.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
        means.append(lab[ink].mean(axis=0))
    for a, b in combinations(means, 2):
        assert np.linalg.norm((a - b)[1:]) > 20


def test_the_back_looks_the_same_in_every_turn(edition: Edition) -> None:
    (back,) = faces(edition)["back"]
    picture = grey(back)
    for turn in (1, 2, 3):
        assert correlation(picture, np.rot90(picture, turn)) > 0.99


def test_fields_keep_their_order_in_grey() -> None:
    # A copier's steps of grey are told apart by eye when they are some 20 levels apart.
    tones = sorted(luminance(GROUNDS[kind]) for kind in FIELD_TYPES)
    assert min(b - a for a, b in pairwise(tones)) > 20


def test_statues_stand_out_from_every_field() -> None:
    def lab(colour: Colour) -> NDArray[np.float32]:
        pixel = np.array([[colour]], np.float32) / 255
        return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_RGB2LAB)[0, 0], np.float32)

    for paint in PAINTS.values():
        for ground in GROUNDS.values():
            assert np.linalg.norm(lab(paint) - lab(ground)) > 25


def test_yards_are_darker_than_paper_and_lighter_than_a_black_frame() -> None:
    for colour in YARDS.values():
        assert 20 + 30 < luminance(colour) < luminance(PAPER) - 100
