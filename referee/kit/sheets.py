"""Lays print items out on sheets of paper: where each is printed, on fronts and on backs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from referee.games.drawing import Drawing, Point, PrintItem

#: Between neighbours: room for cut marks, a line of print, and backs that slipped.
GAP = 4.0


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper upright, in mm, with what its pages keep free of items."""

    name: str
    size: tuple[float, float]
    margin: float = 8.0
    """What printers can't print on, and a little more."""
    header: float = 11.0
    footer: float = 6.0

    @property
    def corner(self) -> Point:
        """Top left of the room for items."""
        return self.margin, self.margin + self.header

    @property
    def room(self) -> tuple[float, float]:
        """Width and height of the room for items."""
        width, height = self.size
        return width - 2 * self.margin, height - 2 * self.margin - self.header - self.footer


PAPERS = {
    "a4": Paper("A4", (210.0, 297.0)),
    "letter": Paper("US letter", (215.9, 279.4)),
}


class SheetError(ValueError):
    """An item that fits on no sheet; says which, and how large it may be."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An item on a sheet: the top left corner of its box there, and whether it lies turned.

    A turned item is printed with a quarter turn clockwise.
    """

    item: PrintItem
    corner: Point
    turned: bool

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of its box on the sheet."""
        return _size(self.item.front, turned=self.turned)

    def mirrored(self, paper: Paper) -> Point:
        """The corner of its box on the other side of the sheet, turned over its long edge."""
        return paper.size[0] - self.corner[0] - self.size[0], self.corner[1]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed on one sheet of paper."""

    title: str
    placed: tuple[Placed, ...]

    @property
    def two_sided(self) -> bool:
        """Whether anything on it has a back."""
        return any(placed.item.back for placed in self.placed)


def impose(items: Iterable[PrintItem], paper: Paper) -> tuple[Sheet, ...]:
    """Lays all copies of `items` out in rows, in their order; neighbours share a sheet title.

    Raises SheetError for an item that is larger than a sheet's room.
    """
    sheets: list[Sheet] = []
    for title, group in groupby(items, key=lambda item: item.sheet):
        copies = [item for item in group for _ in range(item.copies)]
        ways = [_rows(copies, paper, turned=turned) for turned in (False, True)]
        pages = min((way for way in ways if way is not None), key=len, default=None)
        if pages is None:
            largest = max(copies, key=lambda item: max(item.front.size))
            raise SheetError(
                f"{largest.title!r} of {largest.front.size[0]:g} x {largest.front.size[1]:g} mm "
                f"does not fit on {paper.name}: split it into pieces of at most "
                f"{paper.room[0]:g} x {paper.room[1]:g} mm"
            )
        sheets += [Sheet(title, page) for page in pages]
    return tuple(sheets)


def _rows(
    copies: Sequence[PrintItem], paper: Paper, *, turned: bool
) -> list[tuple[Placed, ...]] | None:
    """Pages of rows, all items upright or all turned; None if one doesn't fit."""
    room_width, room_height = paper.room
    pages: list[tuple[Placed, ...]] = []
    page: list[Placed] = []
    top = 0.0
    for row in _split(copies, room_width, turned=turned):
        sizes = [_size(item.front, turned=turned) for item in row]
        width = sum(size[0] for size in sizes) + GAP * (len(row) - 1)
        height = max(size[1] for size in sizes)
        if width > room_width or height > room_height:
            return None
        if top + height > room_height:
            pages.append(tuple(page))
            page, top = [], 0.0
        x = paper.corner[0] + (room_width - width) / 2
        for item, size in zip(row, sizes, strict=True):
            page.append(Placed(item, (x, paper.corner[1] + top), turned))
            x += size[0] + GAP
        top += height + GAP
    return [*pages, tuple(page)]


def _split(copies: Sequence[PrintItem], room: float, *, turned: bool) -> list[list[PrintItem]]:
    """Rows as full as the room allows, each of items of one size, so that cuts go through."""
    rows: list[list[PrintItem]] = []
    used, last = 0.0, (0.0, 0.0)
    for item in copies:
        size = _size(item.front, turned=turned)
        if rows and size == last and used + GAP + size[0] <= room:
            rows[-1].append(item)
            used += GAP + size[0]
        else:
            rows.append([item])
            used, last = size[0], size
    return rows


def _size(drawing: Drawing, *, turned: bool) -> tuple[float, float]:
    width, height = drawing.size
    return (height, width) if turned else (width, height)
