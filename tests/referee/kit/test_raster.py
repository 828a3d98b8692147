"""Rasterising: sizes, colours, turns and outlines of simple drawings whose pictures are obvious."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from referee.games.drawing import Drawing, Ellipse, Group, LineTo, MoveTo, Paint, Path, Rect, Text
from referee.kit import kit_faces, rasterise
from referee.kit.raster import on_paper

RED, BLUE = (255, 0, 0), (0, 0, 255)
ALL_RED = (Rect((-5, -5), (60, 60), Paint(fill=RED)),)


@pytest.mark.parametrize("px_per_mm", [1.0, 1.5, 4.0, 7.3])
def test_the_picture_has_the_size_asked_for(px_per_mm: float) -> None:
    picture = rasterise(Drawing("d", (35, 20), ALL_RED), px_per_mm)
    assert picture.shape == (round(20 * px_per_mm), round(35 * px_per_mm), 4)
    assert picture.dtype == np.uint8


def test_colours_are_blue_green_red_and_opaque() -> None:
    picture = rasterise(Drawing("d", (10, 10), ALL_RED), 2)
    assert (picture == (0, 0, 255, 255)).all()


def test_what_is_not_drawn_is_paper() -> None:
    assert (rasterise(Drawing("d", (10, 10), ()), 2) == 255).all()


def test_outside_an_ellipse_is_nothing() -> None:
    alpha = rasterise(Drawing("d", (40, 40), ALL_RED, outline="ellipse"), 5)[..., 3]
    assert alpha[0, 0] == alpha[-1, -1] == 0
    assert alpha[100, 100] == 255
    # Within a quarter of a pixel all along the edge.
    assert (alpha / 255).mean() == pytest.approx(np.pi / 4, abs=0.25 * np.pi / 200)


def test_rounded_corners_are_cut_off() -> None:
    alpha = rasterise(Drawing("d", (40, 40), ALL_RED, radius=10), 5)[..., 3]
    # Four quarters of a disc replace four squares.
    assert (alpha / 255).sum() / 25 == pytest.approx(40 * 40 - (4 - np.pi) * 100, abs=2)


def test_x_is_to_the_right_and_y_down() -> None:
    picture = rasterise(Drawing("d", (10, 10), (Rect((6, 1), (3, 2), Paint(fill=BLUE)),)), 1)
    blue = np.argwhere((picture[..., :3] == (255, 0, 0)).all(axis=-1))
    assert blue.min(axis=0).tolist() == [1, 6]
    assert blue.max(axis=0).tolist() == [2, 8]


def test_a_group_is_scaled_then_turned_clockwise_then_moved() -> None:
    bar = Rect((0, 0), (3, 1), Paint(fill=BLUE))
    drawing = Drawing("d", (20, 20), (Group((bar,), at=(10, 4), turn=90, scale=2),))
    blue = np.argwhere((rasterise(drawing, 1)[..., :3] == (255, 0, 0)).all(axis=-1))
    # The bar of 6 x 2 hangs down from (10, 4), to the left.
    assert blue.min(axis=0).tolist() == [4, 8]
    assert blue.max(axis=0).tolist() == [9, 9]


def test_a_drawing_inside_another_is_cut_to_its_outline() -> None:
    inner = Drawing("inner", (4, 4), ALL_RED)
    picture = rasterise(Drawing("d", (10, 10), (Group((inner,), at=(2, 3)),)), 1)
    red = np.argwhere((picture[..., :3] == (0, 0, 255)).all(axis=-1))
    assert len(red) == 16
    assert red.min(axis=0).tolist() == [3, 2]


def test_an_open_path_is_not_closed() -> None:
    corner = (MoveTo((2, 2)), LineTo((8, 2)), LineTo((8, 8)))
    stroke = Paint(stroke=(0, 0, 0), stroke_width=0.5)
    ink = {}
    for closed in (False, True):
        picture = rasterise(Drawing("d", (10, 10), (Path(corner, stroke, closed),)), 10)
        ink[closed] = (1 - picture[..., 0] / 255).sum() / 100
    assert ink[False] == pytest.approx(12 * 0.5, rel=0.05)
    assert ink[True] == pytest.approx((12 + 6 * np.sqrt(2)) * 0.5, rel=0.05)


def test_umlauts_are_drawn() -> None:
    def ink(text: str) -> int:
        drawing = Drawing("d", (40, 12), (Text((20, 9), text, 8, (0, 0, 0)),))
        return int((rasterise(drawing, 8)[..., 0] < 128).sum())

    # The dots of the umlauts are ink on top of the letters without them.
    for plain, umlaut in (("a", "ä"), ("o", "ö"), ("u", "ü"), ("A", "Ä"), ("O", "Ö"), ("U", "Ü")):
        assert ink(umlaut) > 1.03 * ink(plain)
    assert ink("ß") > 0


def test_text_stands_upright_at_its_anchor() -> None:
    picture = rasterise(Drawing("d", (20, 20), (Text((5, 15), "L", 10, (0, 0, 0), "start"),)), 8)
    rows, columns = np.nonzero(picture[..., 0] < 128)
    assert columns.min() / 8 == pytest.approx(5.7, abs=0.5)
    assert rows.max() / 8 == pytest.approx(15, abs=0.3)
    # The foot of an L is at its bottom right.
    assert columns[rows > 8 * 14.5].max() > columns[rows < 8 * 10].max()


def test_too_few_pixels_are_refused() -> None:
    with pytest.raises(ValueError, match="tiny"):
        rasterise(Drawing("tiny", (0.2, 5), ()), 1)


def test_transparent_corners_take_the_colour_of_the_paper() -> None:
    picture = rasterise(Drawing("d", (10, 10), ALL_RED, radius=4), 4)
    assert on_paper(picture, (1, 2, 3))[0, 0].tolist() == [1, 2, 3]


def test_faces_are_taught_without_transparency() -> None:
    drawing = Drawing("d", (10, 20), (Ellipse((5, 5), (3, 3), Paint(fill=RED)),), radius=2)
    faces = kit_faces({"dot": (drawing, drawing)}, px_per_mm=3)
    assert [picture.shape for picture in faces["dot"]] == [(60, 30, 3)] * 2


def test_many_threads_may_rasterise_at_once() -> None:
    # Unguarded, PDFium ends the whole program within a few of these.
    drawing = Drawing("d", (40, 40), ALL_RED, outline="ellipse")
    alone = rasterise(drawing, 4)
    with ThreadPoolExecutor(8) as threads:
        pictures = threads.map(lambda _: rasterise(drawing, 4), range(200))
        assert all(np.array_equal(picture, alone) for picture in pictures)
