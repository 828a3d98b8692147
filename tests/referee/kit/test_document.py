"""The set as a PDF, measured as a person would: on its pages, with a ruler and a camera."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner
from reportlab.pdfbase.pdfmetrics import stringWidth

from referee.cli.kit import kit, print_set
from referee.games.drawing import Drawing, Group, MarkerImage, Paint, PrintItem, Rect, Shape
from referee.games.tumult_royale import load_edition
from referee.kit import PAPERS, PrintSet, write_pdf
from referee.kit.document import BACK_BLEED, Page, pages
from referee.kit.markers import charuco_board
from referee.kit.raster import Image, render_pages
from referee.words import LANGUAGES, in_language

DPI = 127.0
PX_PER_MM = DPI / 25.4
PAPER_NAMES = sorted(PAPERS)


@cache
def the_set() -> PrintSet:
    return print_set(load_edition("kit"))


@cache
def document(paper: str) -> tuple[Page, ...]:
    return pages(the_set(), PAPERS[paper])


@cache
def pdf(paper: str) -> bytes:
    stream = io.BytesIO()
    assert write_pdf(stream, the_set(), PAPERS[paper]) == len(document(paper))
    return stream.getvalue()


@cache
def pictures(paper: str) -> list[Image]:
    return render_pages(pdf(paper), DPI)


def markers_of(shapes: tuple[Shape, ...]) -> list[int]:
    ids: list[int] = []
    for shape in shapes:
        if isinstance(shape, MarkerImage):
            ids.append(shape.id)
        elif isinstance(shape, Group | Drawing):
            ids += markers_of(shape.shapes)
    return ids


def page_titled(paper: str, title: str) -> int:
    return next(i for i, page in enumerate(document(paper)) if page.title.startswith(title))


@pytest.mark.parametrize("paper", PAPER_NAMES)
def test_pages_have_the_size_of_the_paper(paper: str) -> None:
    with pypdfium2.PdfDocument(pdf(paper)) as opened:
        for number in range(len(opened)):
            width, height = PAPERS[paper].size
            points = (width / 25.4 * 72, height / 25.4 * 72)
            assert opened[number].get_size() == pytest.approx(points, abs=0.01)


@pytest.mark.parametrize("paper", PAPER_NAMES)
def test_every_page_says_what_it_is(paper: str) -> None:
    with pypdfium2.PdfDocument(pdf(paper)) as opened:
        count = len(opened)
        for number, page in enumerate(document(paper), start=1):
            text = opened[number - 1].get_textpage().get_text_range()
            assert page.title in text
            assert f"page {number} of {count}" in text


@pytest.mark.parametrize("paper", PAPER_NAMES)
def test_every_item_of_the_set_is_printed(paper: str) -> None:
    placed = [one.item.front.name for page in document(paper) for one in page.fronts]
    for item in the_set().items:
        same = sum(other.copies for other in the_set().items if other.front.name == item.front.name)
        assert placed.count(item.front.name) == same


@pytest.mark.parametrize("paper", PAPER_NAMES)
def test_backs_follow_their_fronts(paper: str) -> None:
    for page, after in zip(document(paper), document(paper)[1:], strict=False):
        if any(one.item.back for one in page.fronts):
            assert after.backs == page.fronts
    first = document(paper)
    two_sided = [i for i, page in enumerate(first) if page.backs]
    # From the first back on, fronts and backs take turns: one print run on both sides.
    assert two_sided == list(range(two_sided[0], len(first), 2))


def test_every_marker_on_every_page_is_decoded() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    detector = cv2.aruco.ArucoDetector(dictionary)
    seen: set[int] = set()
    for page, picture in zip(document("a4"), pictures("a4"), strict=True):
        wanted = sorted(
            marker for one in page.fronts for marker in markers_of(one.item.front.shapes)
        )
        if wanted:
            _, ids, _ = detector.detectMarkers(picture)
            assert sorted(np.asarray(ids).ravel()) == wanted
            seen.update(wanted)
    assert seen == {*range(8), *range(10, 14), *range(20, 24)}


@pytest.mark.parametrize("paper", PAPER_NAMES)
def test_the_calibration_board_is_found_with_squares_of_25_mm(paper: str) -> None:
    picture = pictures(paper)[page_titled(paper, "Calibration")]
    corners, ids, _, _ = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(picture)
    assert len(ids) == 6 * 8
    by_id = dict(zip(ids.ravel().tolist(), np.asarray(corners).reshape(-1, 2), strict=True))
    across = np.linalg.norm(by_id[5] - by_id[0]) / PX_PER_MM
    down = np.linalg.norm(by_id[42] - by_id[0]) / PX_PER_MM
    # PDFium stretches a page by up to a pixel, to make whole ones.
    assert across == pytest.approx(5 * 25.0, abs=1 / PX_PER_MM)
    assert down == pytest.approx(7 * 25.0, abs=1 / PX_PER_MM)


@pytest.mark.parametrize("paper", PAPER_NAMES)
def test_the_ruler_measures_100_mm(paper: str) -> None:
    dark = pictures(paper)[0][..., 0] < 160
    runs = []
    for row in dark:
        edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(np.int8), [0]))))
        runs += [(b - a) / PX_PER_MM for a, b in zip(edges[::2], edges[1::2], strict=True)]
    # The line under the title is longer, words are shorter; ticks add half their width.
    ruler = [length for length in runs if 90 < length < 110]
    assert ruler
    assert ruler == pytest.approx([100.0] * len(ruler), abs=0.5)


@pytest.mark.parametrize("paper", PAPER_NAMES)
def test_tiles_measure_35_mm_on_paper(paper: str) -> None:
    number = page_titled(paper, "Commodity tiles")
    ink = (pictures(paper)[number].min(axis=-1) < 245).astype(np.uint8)
    contours, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    sizes = [cv2.boundingRect(contour)[2:] for contour in contours]
    tiles = [size for size in sizes if min(size) > 20 * PX_PER_MM]
    assert len(tiles) == len(document(paper)[number].fronts)
    for size in tiles:
        assert np.array(size) / PX_PER_MM == pytest.approx([35.0, 35.0], abs=1.5 / PX_PER_MM)


def test_backs_are_printed_behind_fronts_with_bleed() -> None:
    front = page_titled("a4", "Regions: fronts")
    back = pictures("a4")[front + 1]
    for one in document("a4")[front].fronts:
        x, y = one.mirrored(PAPERS["a4"])
        grown = BACK_BLEED - 0.3
        left, top = round((x - grown) * PX_PER_MM), round((y - grown) * PX_PER_MM)
        right = round((x + one.size[0] + grown) * PX_PER_MM)
        bottom = round((y + one.size[1] + grown) * PX_PER_MM)
        assert (back[top:bottom, left:right].min(axis=-1) < 240).all()


def test_a_turned_item_has_its_back_the_right_way_up() -> None:
    def side(name: str, colour: tuple[int, int, int]) -> Drawing:
        mark = Rect((0, 0), (20, 10), Paint(fill=colour))
        return Drawing(name, (240, 30), (mark,))

    item = PrintItem("long", side("front", (255, 0, 0)), side("back", (0, 0, 255)))
    only = replace(the_set(), items=(item,))
    stream = io.BytesIO()
    write_pdf(stream, only, PAPERS["a4"])
    front, back = render_pages(stream.getvalue(), DPI)[-2:]
    through = back[:, ::-1]

    def middle(picture: Image, channel: int) -> tuple[float, float]:
        others = [other for other in range(3) if other != channel]
        found = (picture[..., others] < 60).all(axis=-1) & (picture[..., channel] > 200)
        y, x = np.argwhere(found).mean(axis=0) / PX_PER_MM
        return float(x), float(y)

    (placed,) = pages(only, PAPERS["a4"])[-2].fronts
    left, top = placed.corner
    assert placed.turned
    # A quarter turn clockwise takes the top left of the front to the top right of its box.
    assert middle(front, 2) == pytest.approx((left + 25, top + 10), abs=0.3)
    # Turned over like a page of a book, the top left of the back is behind the front's top
    # right, which the quarter turn takes to the bottom right of the box.
    assert middle(through, 0) == pytest.approx((left + 25, top + 230), abs=0.3)


@pytest.mark.parametrize("paper", PAPER_NAMES)
def test_nothing_is_printed_in_the_outer_margin(paper: str) -> None:
    # Most printers can't print the outermost 4 mm.
    rim = round(4.0 * PX_PER_MM)
    for picture in pictures(paper):
        assert (picture[:rim] == 255).all()
        assert (picture[-rim:] == 255).all()
        assert (picture[:, :rim] == 255).all()
        assert (picture[:, -rim:] == 255).all()


def test_the_same_set_gives_the_same_bytes() -> None:
    stream = io.BytesIO()
    write_pdf(stream, the_set(), PAPERS["a4"])
    assert stream.getvalue() == pdf("a4")


@pytest.mark.parametrize("paper", PAPER_NAMES)
def test_it_is_printed_in_german_with_umlauts(paper: str) -> None:
    stream = io.BytesIO()
    count = write_pdf(stream, the_set(), PAPERS[paper], "de")
    with pypdfium2.PdfDocument(stream.getvalue()) as opened:
        texts = [page.get_textpage().get_text_range() for page in opened]
    assert len(texts) == count
    printed = pages(the_set(), PAPERS[paper], "de")
    for number, (text, page) in enumerate(zip(texts, printed, strict=True), start=1):
        assert in_language(page.title, "de") in text
        assert f"Seite {number} von {count}" in text
    whole = "\n".join(texts)
    for words in (
        "Mit 100 % drucken („tatsächliche Größe“)",
        "für 20 Sekunden",
        "Gegen das Licht gehalten müssen sich die Kreuze decken.",
        "Warenplättchen: Rückseiten",
        "Keine Gnade",
        "Klebelasche",
        "Burgtafel Lila",
    ):
        assert words in whole


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_and_notes_have_room_beside_each_other(language: str) -> None:
    for page in document("a4"):
        title = stringWidth(in_language(page.title, language), "Helvetica-Bold", 5.4)
        note = stringWidth(in_language(page.note, language), "Helvetica", 2.8)
        assert title + note + 2.0 < PAPERS["a4"].room[0]


def test_the_command_prints_german(tmp_path: Path) -> None:
    out = tmp_path / "kit.pdf"
    result = CliRunner().invoke(kit, ["-o", str(out), "--charuco", "--language", "de"])
    assert result.exit_code == 0
    with pypdfium2.PdfDocument(out) as opened:
        assert "Kalibriertafel" in opened[0].get_textpage().get_text_range()


def test_the_command_writes_the_file(tmp_path: Path) -> None:
    out = tmp_path / "kit.pdf"
    result = CliRunner().invoke(kit, ["-o", str(out), "--paper", "letter"])
    assert result.exit_code == 0
    assert out.read_bytes() == pdf("letter")
    assert f"{len(document('letter'))} pages" in result.output


def test_the_command_says_why_it_can_not_write(tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "kit.pdf"
    result = CliRunner().invoke(kit, ["-o", str(out)])
    assert result.exit_code == 1
    assert str(out) in result.output
    assert len(result.output.strip().splitlines()) == 1
    assert "Traceback" not in result.output
