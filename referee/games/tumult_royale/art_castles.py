"""The castle boards: a track of statues, what fields cost, and the yard where tiles lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.games.drawing import Colour, Drawing, Point, Rect, Shape, Text
from referee.games.tumult_royale.art_map import GROUNDS
from referee.games.tumult_royale.art_style import (
    CREAM,
    GOLD,
    INK,
    disc,
    fill,
    ground,
    inked,
    line,
    marker,
    mixed,
    polygon,
    sized,
)
from referee.games.tumult_royale.art_symbols import COMMODITIES, FIELDS, crown
from referee.games.tumult_royale.edition import Edition, Sizes
from referee.games.tumult_royale.table import (
    CASTLE_MARKERS,
    PAINTS,
    board_marker_edge,
    castle_yard,
)

#: The yards: darker and more colourful than any tile's paper.
YARDS: Mapping[str, Colour] = {
    "yellow": (140, 98, 18),
    "blue": (30, 58, 118),
    "grey": (74, 78, 86),
    "purple": (84, 34, 94),
}

#: Room on the track for a statue, as a multiple of its diameter.
_ROOM = 1.04


def castle(edition: Edition, colour: str) -> Drawing:
    """The board of one player."""
    sizes = edition.sizes
    width, height = sizes.castle
    edge = board_marker_edge(sizes)
    yard = YARDS[colour]
    return Drawing(
        f"castle-{colour}",
        sizes.castle,
        (
            ground(sizes.castle, yard),
            *_masonry(sizes, yard),
            *_track(sizes, colour, edition.numbers.statues),
            *_price_list(edition, yard),
            Rect((0.7, 0.7), (width - 1.4, height - 1.4), line(PAINTS[colour], 1.4)),
            *marker(
                CASTLE_MARKERS[colour],
                (width - edge, edge),
                sizes.board_marker,
                sizes.board_marker_margin,
            ),
        ),
        radius=sizes.board_radius,
    )


def _masonry(sizes: Sizes, yard: Colour) -> Iterator[Shape]:
    """Courses of stones, so faint that no stone is taken for the edge of a tile."""
    seam = line(mixed(yard, (0, 0, 0), 0.16), 0.5)
    course, length = 10.0, 24.0
    (left, top), (width, depth) = castle_yard(sizes)
    for i in range(int(depth / course) + 1):
        y = top + i * course
        yield polygon([(left, y), (left + width, y)], seam, closed=False)
        x = left + length * (0.5 if i % 2 else 1.0)
        while x < left + width:
            yield polygon([(x, y), (x, min(y + course, top + depth))], seam, closed=False)
            x += length


def _track(sizes: Sizes, colour: str, statues: int) -> Iterator[Shape]:
    """A numbered place for every statue: two rows in the strip, the last ones below the marker."""
    paint = PAINTS[colour]
    wall = mixed(YARDS[colour], (0, 0, 0), 0.42)
    (left, top), (width, _) = castle_yard(sizes)
    yield Rect((0, 0), (sizes.castle[0], top), fill(wall))
    # Battlements hang from the wall into the yard.
    merlon = width / 24
    for i in range(12):
        yield Rect((left + (2 * i + 0.5) * merlon, top), (merlon, 2.4), fill(wall))
    radius = 0.48 * sizes.statue_diameter
    for number, (x, y) in enumerate(_track_places(sizes, statues), start=1):
        if number == statues:
            yield sized(crown(5), (x, y - radius - 1.4), 8)
            ink = INK if sum(paint) > 440 else CREAM
            yield disc((x, y), radius, inked(paint, GOLD, 0.7))
        else:
            ink = CREAM
            yield disc((x, y), radius, inked(mixed(wall, paint, 0.30), paint, 0.7))
        yield Text((x, y + 2.0), str(number), 5.6, ink, bold=True)


def _track_places(sizes: Sizes, statues: int) -> list[Point]:
    """Middles of the places: rows of the strip first, then pairs below the marker."""
    pitch = _ROOM * sizes.statue_diameter
    edge = board_marker_edge(sizes)
    row = int((sizes.castle[0] - 2 * edge - 1.0) / pitch)
    rows = int(sizes.castle_strip / pitch)
    places = [
        (1.2 + pitch * (i % row + 0.5), 0.9 + pitch * (i // row + 0.5))
        for i in range(min(statues, rows * row))
    ]
    rest = statues - len(places)
    right = sizes.castle[0] - edge
    for i in range(rest):
        alone = i == rest - 1 and rest % 2 == 1
        x = right if alone else right + (pitch / 2 if i % 2 else -pitch / 2)
        places.append((x, 2 * edge + 8.0 + (pitch + 5.2 * alone) * (i // 2)))
    return places


def _price_list(edition: Edition, yard: Colour) -> Iterator[Shape]:
    """What each kind of field costs, in symbols, at the bottom of the right column."""
    (start, _), (yard_width, _) = castle_yard(edition.sizes)
    left = start + yard_width + 1.0
    width, height = edition.sizes.castle
    row = 16.4
    top = height - 3.0 - row * len(edition.cost_of)
    panel = (width - left - 3.0, row * len(edition.cost_of))
    yield Rect(
        (left, top),
        panel,
        inked(mixed(CREAM, yard, 0.34), mixed(yard, (0, 0, 0), 0.4), 0.6),
        radius=2.0,
    )
    for i, (kind, cost) in enumerate(edition.cost_of.items()):
        y = top + i * row
        if i:
            seam = line(mixed(CREAM, INK, 0.4), 0.3)
            yield polygon([(left + 2, y), (left + panel[0] - 2, y)], seam, closed=False)
        yield Rect((left + 1.2, y + 2.2), (9.6, 12), inked(GROUNDS[kind], INK, 0.3), radius=1.2)
        yield sized(FIELDS[kind], (left + 6.0, y + 8.2), 8.4)
        wanted = [(name, n) for name, n in zip(COMMODITIES, cost, strict=True) if n]
        for j, (commodity, n) in enumerate(wanted):
            middle = y + row / 2 + (j - (len(wanted) - 1) / 2) * 6.6
            for k in range(n):
                yield sized(COMMODITIES[commodity], (left + 14.0 + 4.8 * k, middle), 4.8)
