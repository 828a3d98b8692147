"""A picture of the whole table: what lies where, and how far apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from referee.games.drawing import (
    Colour,
    Drawing,
    Group,
    LineTo,
    MarkerImage,
    MoveTo,
    Paint,
    Path,
    Point,
    Rect,
    Shape,
    Text,
)
from referee.games.said import Said, say
from referee.games.table import Board, Placement, TablePlan
from referee.kit.markers import WHITE, place_of
from referee.kit.pdf import Tell

_TABLE: Colour = (226, 214, 196)
_TABLE_EDGE: Colour = (140, 120, 96)
_DASH: Colour = (40, 60, 90)
_INK: Colour = (30, 30, 34)


@dataclass(frozen=True)
class TableView:
    """A table to show: its plan, what lies on its boards, and things without a board.

    `beside` has the drawing and the middle, on the plane, of each such thing.
    """

    title: str
    plan: TablePlan
    placement: Placement = Placement()
    beside: tuple[tuple[str, Point], ...] = ()


def overview(
    view: TableView,
    drawings: Mapping[str, Drawing],
    width: float,
    marker_margin: float,
    tell: Tell = str,
) -> Drawing:
    """The table as a drawing `width` mm wide; `marker_margin` is the white around its markers.

    `tell` gives the names of boards in the language that is printed.
    """
    plan = view.plan
    around = max(marker.side for marker in plan.markers) / 2 + marker_margin + 20.0
    scale = width / (plan.size[0] + 2 * around)
    size = (width, (plan.size[1] + 2 * around) * scale)
    return Drawing(
        view.title,
        size,
        (
            Rect((0, 0), size, Paint(_TABLE, _TABLE_EDGE, 0.6), radius=2.0),
            Group(
                tuple(_on_plane(view, drawings, marker_margin, 1 / scale, tell)),
                at=(around * scale, around * scale),
                scale=scale,
            ),
        ),
    )


def _on_plane(
    view: TableView, drawings: Mapping[str, Drawing], margin: float, mm: float, tell: Tell
) -> Iterator[Shape]:
    """Everything in plane coordinates; `mm` is a millimetre of the page."""
    plan = view.plan
    for name, middle in view.beside:
        yield _centred(drawings[name], middle)
    for board in plan.boards:
        yield Group((drawings[board.drawing],), at=board.origin)
    boards = {board.name: board for board in plan.boards}
    for overlay in view.placement.overlays:
        x, y = boards[overlay.board].origin
        middle = (
            x + overlay.corner[0] + overlay.size[0] / 2,
            y + overlay.corner[1] + overlay.size[1] / 2,
        )
        yield _centred(drawings[overlay.drawing], middle, 90.0 * overlay.turn)
    for marker in plan.markers:
        x, y = marker.centre
        half = marker.side / 2 + margin
        yield Rect((x - half, y - half), (2 * half, 2 * half), Paint(fill=WHITE))
        yield MarkerImage(marker.id, (x - marker.side / 2, y - marker.side / 2), marker.side)
    for zone in plan.zones:
        yield from _dashed(zone.polygon, mm)
        left = min(x for x, _ in zone.polygon)
        right = max(x for x, _ in zone.polygon)
        low, high = min(y for _, y in zone.polygon), max(y for _, y in zone.polygon)
        name = plan.called(zone.name)
        yield Text(((left + right) / 2, (low + high) / 2), name, 4.5 * mm, _DASH, bold=True)
    for board in plan.boards:
        yield from _label(board, tell(plan.called(board.name)), mm)
    yield from _lengths(plan, mm)


def _centred(drawing: Drawing, middle: Point, turn: float = 0.0) -> Group:
    inner = Group((drawing,), at=(-drawing.size[0] / 2, -drawing.size[1] / 2))
    return Group((inner,), at=middle, turn=turn)


def _label(board: Board, text: str, mm: float) -> Iterator[Shape]:
    size = 3.2 * mm
    x, y = board.origin[0] + board.size[0] / 2, board.origin[1] + board.size[1] / 2
    width = (0.56 * len(text) + 1.2) * size
    yield Rect(
        (x - width / 2, y - 0.85 * size), (width, 1.5 * size), Paint(fill=WHITE), radius=size / 2
    )
    yield Text((x, y + 0.25 * size), text, size, _INK, bold=True)


def _lengths(plan: TablePlan, mm: float) -> Iterator[Shape]:
    """How far the outermost markers are apart, middle to middle."""
    width, height = plan.size
    paint = Paint(stroke=_DASH, stroke_width=0.35 * mm)
    side = max(marker.side for marker in plan.markers)
    y, x = height + side / 2 + 18.0, width + side / 2 + 18.0
    text = 2.3 * mm
    for start, end, middle, length, turn in (
        ((0.0, y), (width, y), (width / 4, y - 0.5 * text), width, 0.0),
        ((x, 0.0), (x, height), (x - 0.5 * text, height / 4), height, 270.0),
    ):
        yield Path((MoveTo(start), LineTo(end)), paint, closed=False)
        label = say("middle to middle: {length} mm", length=f"{length:g}")
        yield Group((Text((0, 0), label, text, _DASH),), at=middle, turn=turn)


def _dashed(polygon: tuple[Point, ...], mm: float) -> Iterator[Shape]:
    paint = Paint(stroke=_DASH, stroke_width=0.4 * mm)
    dash = 2.0 * mm
    for start, end in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
        for i in range(int(length / (2 * dash)) + 1):
            a, b = (min(1.0, (2 * i + j) * dash / length) for j in (0, 1))
            yield Path(
                (MoveTo(_between(start, end, a)), LineTo(_between(start, end, b))),
                paint,
                closed=False,
            )


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def marker_list(plan: TablePlan) -> list[Said]:
    """A line for each marker of the table: its id and where its middle lies."""
    return [
        say(
            "Marker {id}: {place}, {x} mm from the left, {y} mm from the top",
            id=marker.id,
            place=place_of(marker, plan.size),
            x=f"{marker.centre[0]:g}",
            y=f"{marker.centre[1]:g}",
        )
        for marker in plan.markers
    ]
