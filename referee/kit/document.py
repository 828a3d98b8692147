"""The print-and-play set as one PDF: contents, guide, markers, calibration, sheets."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path as FilePath
from typing import BinaryIO

from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from referee.games.drawing import (
    Colour,
    Drawing,
    Ellipse,
    Group,
    LineTo,
    MoveTo,
    Paint,
    Path,
    Point,
    PrintItem,
    Shape,
    Text,
)
from referee.games.said import joined, say
from referee.kit.markers import (
    CHARUCO_DICTIONARY,
    CHARUCO_MARKER,
    CHARUCO_SQUARE,
    CHARUCO_SQUARES,
    charuco_drawing,
    marker_items,
)
from referee.kit.overview import TableView, marker_list, overview
from referee.kit.pdf import MM, Tell, millimetres, paint, paint_shapes
from referee.kit.sheets import GAP, Paper, Placed, Sheet, impose
from referee.words import LANGUAGES, in_language

_INK: Colour = (30, 30, 34)
_SOFT: Colour = (110, 110, 116)
_LINE = Paint(stroke=_INK, stroke_width=0.25)
_MARK = Paint(stroke=(0, 0, 0), stroke_width=0.15)
#: A cut mark begins so far from the cut, and is so long.
_MARK_GAP, _MARK_LENGTH = 0.7, 2.6
#: What a back is printed beyond its cut: printers shift the second side by about a millimetre.
BACK_BLEED = 1.5
_RULER = 100.0


@dataclass(frozen=True)
class PrintSet:
    """All that a print-and-play set consists of.

    The first of `views` is the table whose markers are printed, with `marker_margin` mm of white.
    `needs` are things that must be bought, `steps` what is to be done after cutting: a line each.
    """

    title: str
    items: tuple[PrintItem, ...]
    drawings: Mapping[str, Drawing]
    views: tuple[TableView, ...]
    marker_margin: float
    needs: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """A page: what is printed of it besides title and number."""

    title: str
    shapes: tuple[Shape, ...] = ()
    heading: str = ""
    """What it is listed under in the contents, if that is not its title."""
    fronts: tuple[Placed, ...] = ()
    backs: tuple[Placed, ...] = ()
    note: str = ""

    @property
    def two_sided(self) -> bool:
        """Whether the sheet of this page is printed on both sides."""
        return bool(self.backs) or any(placed.item.back for placed in self.fronts)


def write_pdf(
    target: str | os.PathLike[str] | BinaryIO,
    printed: PrintSet,
    paper: Paper,
    language: str = LANGUAGES[0],
) -> int:
    """Writes a set as a PDF to a file or a binary stream; returns its number of pages.

    Raises OSError if the file can't be written, and SheetError if an item fits on no sheet.
    """
    document = pages(printed, paper, language)
    write_pages(target, document, printed.title, paper, language)
    return len(document)


def write_pages(
    target: str | os.PathLike[str] | BinaryIO,
    document: Sequence[Page],
    title: str,
    paper: Paper,
    language: str = LANGUAGES[0],
) -> None:
    """Writes pages as a PDF to a file or a binary stream.

    Raises OSError if the file can't be written.
    """
    if isinstance(target, str | os.PathLike):
        with FilePath(target).open("wb") as stream:
            _write(stream, document, title, paper, language)
    else:
        _write(target, document, title, paper, language)


def pages(printed: PrintSet, paper: Paper, language: str = LANGUAGES[0]) -> tuple[Page, ...]:
    """Every page of a set: one-sided pages first, then sheets whose backs follow their fronts.

    Texts are still sentences, but where their room depends on their length: there they are told in
    the language.
    """
    plan = printed.views[0].plan
    markers = marker_items(plan, printed.marker_margin)
    sheets = impose((*markers, *printed.items), paper)
    single = [page for sheet in sheets if not sheet.two_sided for page in _sides(sheet)]
    double = [page for sheet in sheets if sheet.two_sided for page in _sides(sheet)]
    tell = partial(in_language, language=language)
    guide = (*_table_pages(printed, paper, tell), calibration_page(paper))
    rest = (*guide, *single, *double)
    first_double = 2 + len(guide) + len(single)
    return (_first_page(printed, rest, first_double, paper, tell), *rest)


def _write(
    stream: BinaryIO, document: Sequence[Page], title: str, paper: Paper, language: str
) -> None:
    tell = partial(in_language, language=language)
    # Invariant: the same set gives the same bytes, so that two prints can be compared.
    canvas = Canvas(
        stream, pagesize=tuple(side * MM for side in paper.size), invariant=1, pageCompression=1
    )
    canvas.setTitle(tell(title))
    for number, page in enumerate(document, start=1):
        canvas.saveState()
        millimetres(canvas, paper.size[1])
        for placed in page.fronts:
            turn = 90 if placed.turned else 0
            _paint_side(canvas, placed.item.front, placed.corner, turn, 0.0, tell)
        for placed in page.backs:
            if placed.item.back is not None:
                # Turned over, a quarter turn clockwise is one to the left.
                turn = 270 if placed.turned else 0
                corner = placed.mirrored(paper)
                _paint_side(canvas, placed.item.back, corner, turn, BACK_BLEED, tell)
        paint_shapes(canvas, page.shapes, tell)
        furniture = _furniture(page, number, len(document), title, paper)
        paint_shapes(canvas, furniture, tell)
        canvas.restoreState()
        canvas.showPage()
    canvas.save()


def _paint_side(
    canvas: Canvas, drawing: Drawing, corner: Point, turn: int, bleed: float, tell: Tell
) -> None:
    width, height = drawing.size
    shift = {0: (0.0, 0.0), 90: (height, 0.0), 270: (0.0, width)}[turn]
    canvas.saveState()
    canvas.translate(corner[0] + shift[0], corner[1] + shift[1])
    canvas.rotate(turn)
    paint(canvas, drawing, bleed, tell)
    canvas.restoreState()


def _sides(sheet: Sheet) -> Iterator[Page]:
    marks = tuple(shape for placed in sheet.placed for shape in _cut_marks(placed))
    if not sheet.two_sided:
        yield Page(sheet.title, marks, fronts=sheet.placed, note=say("Print on one side."))
        return
    yield Page(
        say("{sheet}: fronts", sheet=sheet.title),
        marks,
        heading=sheet.title,
        fronts=sheet.placed,
        note=say("Print on both sides, flip on the long edge. Cut along the marks of this side."),
    )
    yield Page(
        say("{sheet}: backs", sheet=sheet.title),
        heading=sheet.title,
        backs=sheet.placed,
        note=say("Back of the page before. Held against the light, the crosses must meet."),
    )


def _furniture(page: Page, number: int, count: int, title: str, paper: Paper) -> Iterator[Shape]:
    """Title, number and note of a page; a cross on both sides of a two-sided sheet."""
    width, height = paper.size
    left, right = paper.margin, width - paper.margin
    yield Text((left, paper.margin + 5.0), page.title, 5.4, _INK, "start", bold=True)
    yield Text((right, paper.margin + 5.0), page.note, 2.8, _SOFT, "end")
    yield _line((left, paper.margin + 7.0), (right, paper.margin + 7.0), _LINE)
    bottom = height - paper.margin
    yield Text((left, bottom), joined([title, paper.name], " \N{MIDDLE DOT} "), 2.8, _SOFT, "start")
    yield Text(
        (right, bottom),
        say("page {number} of {count}", number=number, count=count),
        2.8,
        _SOFT,
        "end",
    )
    if page.two_sided:
        yield from _cross((width / 2, bottom - 1.0))


def _cross(middle: Point) -> Iterator[Shape]:
    x, y = middle
    yield _line((x - 3, y), (x + 3, y), _MARK)
    yield _line((x, y - 3), (x, y + 3), _MARK)
    yield Ellipse(middle, (1.5, 1.5), _MARK)


def _cut_marks(placed: Placed) -> Iterator[Shape]:
    """Two short lines at each corner; a round thing has its outline instead; and its title."""
    (left, top), (width, height) = placed.corner, placed.size
    drawing = placed.item.front
    if drawing.outline == "ellipse":
        middle = (left + width / 2, top + height / 2)
        yield Ellipse(middle, (width / 2, height / 2), _MARK)
    else:
        for x, way_x in ((left, -1), (left + width, 1)):
            for y, way_y in ((top, -1), (top + height, 1)):
                near, far = _MARK_GAP, _MARK_GAP + _MARK_LENGTH
                yield _line((x + way_x * near, y), (x + way_x * far, y), _MARK)
                yield _line((x, y + way_y * near), (x, y + way_y * far), _MARK)
    yield Text((left + width / 2, top + height + GAP / 2 + 0.6), placed.item.title, 1.9, _SOFT)


def _first_page(
    printed: PrintSet, rest: Sequence[Page], first_double: int, paper: Paper, tell: Tell
) -> Page:
    """What to do, what is needed, and what is on which page."""
    (x, y), (width, _) = paper.corner, paper.room
    count = len(rest) + 1
    shapes: list[Shape] = []

    def block(title: str, lines: Iterable[str], mark: str = "") -> None:
        nonlocal y
        y += 5.0
        shapes.append(Text((x, y), title, 4.2, _INK, "start", bold=True))
        y += 1.6
        for i, text in enumerate(lines, start=1):
            head = f"{i}." if mark == "1" else mark
            for j, row in enumerate(simpleSplit(tell(text), "Helvetica", 3.3, width - 6.0)):
                y += 4.4
                if j == 0 and head:
                    shapes.append(Text((x + 4.4, y), head, 3.3, _INK, "end"))
                shapes.append(Text((x + 6.0, y), row, 3.3, _INK, "start"))
        y += 2.0

    block(
        say("How to make the set"),
        (
            say(
                "Print at 100 % (\N{LEFT DOUBLE QUOTATION MARK}actual size"
                "\N{RIGHT DOUBLE QUOTATION MARK}), never fitted to the page: the line below must "
                "measure 100 mm."
            ),
            say(
                "Pages 1 to {last}: print on one side. Pages {first} to {count}: print on both "
                "sides, flip on the long edge.",
                last=first_double - 1,
                first=first_double,
                count=count,
            ),
            say("Matt paper reads best: gloss throws the lamp into the camera."),
            *printed.steps,
        ),
        "1",
    )
    shapes += _ruler((x + 6.0, y + 6.0))
    y += 12.0
    if printed.needs:
        block(say("What else you need"), printed.needs, "\N{BULLET}")
    block(say("Contents"), ())
    shapes += _contents(rest, (x + 6.0, y), width - 6.0)
    return Page(printed.title, tuple(shapes), note=say("Contents and guide"))


def _contents(rest: Sequence[Page], corner: Point, width: float) -> Iterator[Shape]:
    """Titles with their page numbers; sides of the same sheets share a line."""
    entries: dict[str, list[int]] = {}
    for number, page in enumerate(rest, start=2):
        entries.setdefault(page.heading or page.title, []).append(number)
    y = corner[1]
    for title, numbers in entries.items():
        y += 4.4
        first, last = numbers[0], numbers[-1]
        span = say("page {number}", number=first)
        if first != last:
            span = say("pages {first} to {last}", first=first, last=last)
        yield Text((corner[0], y), title, 3.3, _INK, "start")
        yield Text((corner[0] + 0.55 * width, y), span, 3.3, _INK, "start")


def _table_pages(printed: PrintSet, paper: Paper, tell: Tell) -> Iterator[Page]:
    """The first table with the places of its markers; then the others, two to a page."""
    (x, y), (width, room) = paper.corner, paper.room
    title = say("Where everything lies")
    first, *others = printed.views
    shapes, below = _table(printed, first, (x, y), width, tell)
    for j, text in enumerate(marker_list(first.plan)):
        at = (x + j % 2 * width / 2, below + 4.4 * (j // 2 + 1))
        shapes.append(Text(at, text, 2.9, _INK, "start"))
    yield Page(title, tuple(shapes))
    # As wide as lets two of them stand above each other.
    smaller = width * min(1.0, (room / 2 - GAP) / (below - y))
    for pair in (others[i : i + 2] for i in range(0, len(others), 2)):
        shapes, below = [], y
        for view in pair:
            more, below = _table(printed, view, (x, below), smaller, tell)
            shapes += more
        yield Page(title, tuple(shapes))


def _table(
    printed: PrintSet, view: TableView, corner: Point, width: float, tell: Tell
) -> tuple[list[Shape], float]:
    """A table with its title; and how far down it reaches, with a gap."""
    x, y = corner
    picture = overview(view, printed.drawings, width, printed.marker_margin, tell)
    shapes: list[Shape] = [
        Text((x, y + 4.4), view.title, 3.8, _INK, "start", bold=True),
        Group((picture,), at=(x, y + 7.0)),
    ]
    return shapes, y + 7.0 + picture.size[1] + GAP


def calibration_page(paper: Paper) -> Page:
    """The ChArUco board with a line across and a line down by which its print is checked."""
    board = charuco_drawing()
    (left, top), (width, _) = paper.corner, paper.room
    at = (left + (width - board.size[0]) / 2, top + 10.0)
    columns, rows = CHARUCO_SQUARES
    about = say(
        "ChArUco board, {columns} x {rows} squares of {square} mm, markers of {marker} mm, "
        "{dictionary}. Glue it flat onto a stiff board.",
        columns=columns,
        rows=rows,
        square=f"{CHARUCO_SQUARE:g}",
        marker=f"{CHARUCO_MARKER:g}",
        dictionary=CHARUCO_DICTIONARY,
    )
    return Page(
        say("Calibration board"),
        (
            Text((left, top + 3.5), about, 3.0, _INK, "start"),
            Group((board,), at=at),
            *_ruler((at[0], at[1] + board.size[1] + 5.5)),
            Group(tuple(_ruler((0.0, 0.0))), at=(at[0] + board.size[0] + 5.5, at[1]), turn=90.0),
        ),
        note=say("Print on one side."),
    )


def _ruler(start: Point) -> Iterator[Shape]:
    """A line of 100 mm with a tick every 10 mm."""
    x, y = start
    paint = Paint(stroke=_INK, stroke_width=0.3)
    yield _line((x, y), (x + _RULER, y), paint)
    for i in range(11):
        reach = 2.5 if i in (0, 10) else 1.2
        yield _line((x + 10.0 * i, y - reach), (x + 10.0 * i, y + reach), paint)
    yield Text(
        (x + _RULER + 4.0, y + 1.0), say("This line must measure 100 mm."), 3.0, _INK, "start"
    )


def _line(start: Point, end: Point, paint: Paint) -> Path:
    return Path((MoveTo(start), LineTo(end)), paint, closed=False)
