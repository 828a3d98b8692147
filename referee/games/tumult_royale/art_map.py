"""The map: regions and their fog, and the frame with the royal chronicle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.games.drawing import Colour, Drawing, Group, Point, Rect, Shape, Text
from referee.games.said import say
from referee.games.tumult_royale.art_style import (
    CREAM,
    GOLD,
    GOLD_DARK,
    INK,
    WALNUT,
    WALNUT_LIGHT,
    WHITE,
    WINE,
    disc,
    fill,
    ground,
    inked,
    line,
    marker,
    mixed,
    path,
    polygon,
    sized,
    star,
)
from referee.games.tumult_royale.art_symbols import FIELDS, FOG, statue
from referee.games.tumult_royale.edition import REGION_ROWS, REGION_SIDE, Edition, Sizes
from referee.games.tumult_royale.table import MAP_MARKERS, board_marker_edge, map_size

#: Grounds of the fields: five tones that keep their order in grey, none like a statue's paint.
GROUNDS: Mapping[str, Colour] = {
    "pasture": (164, 200, 104),
    "forest": (58, 98, 54),
    "mountain": (154, 104, 64),
    "village": (212, 126, 92),
    "castle": (100, 28, 28),
}
_BORDER: Colour = (40, 28, 20)
_FOG: Colour = (84, 108, 116)

#: Length in mm of a flap that is glued under the next piece.
TAB = 8.0


def field(kind: str, statues: int, side: float) -> tuple[Shape, ...]:
    """A field: its symbol in two corners, as on a playing card, and the statues that it takes.

    The middle stays calm: statues stand there.
    """
    ground_colour = GROUNDS[kind]
    ink = CREAM if sum(ground_colour) < 300 else INK
    inset = 0.215 * side
    corner = (
        sized(FIELDS[kind], (inset, inset), 0.31 * side),
        *(sized(statue(ink), (side - 4.0 - 4.2 * i, 5.0), 4.6) for i in range(statues)),
    )
    return (
        Rect((0, 0), (side, side), fill(ground_colour)),
        disc((side / 2, side / 2), 0.26 * side, fill(mixed(ground_colour, CREAM, 0.07))),
        *corner,
        Group(corner, at=(side, side), turn=180),
        Rect((0, 0), (side, side), line(_BORDER, 0.5)),
    )


def region(edition: Edition, number: int) -> Drawing:
    """The face of a region, counted from 1."""
    side = edition.sizes.field
    whole = REGION_SIDE * side
    shapes: list[Shape] = [ground((whole, whole), _BORDER)]
    for place, kind in enumerate(edition.regions[number - 1]):
        row, column = divmod(place, REGION_SIDE)
        shapes.append(
            Group(field(kind, edition.statues_on[kind], side), at=(column * side, row * side))
        )
    return Drawing(f"region-{number}", (whole, whole), tuple(shapes))


def fog(sizes: Sizes) -> Drawing:
    """The back of every region: banks of fog, overlapping like scales."""
    whole = REGION_SIDE * sizes.field
    radius, step = whole / 8, 0.55 * whole / 8
    rows, columns = int((whole + 2 * radius) / step) + 1, 6
    shapes: list[Shape] = [ground((whole, whole), _FOG)]
    for row in range(rows):
        shift = radius * (row % 2) - radius
        for column in range(columns):
            centre = (2 * radius * column + shift, step * row - radius / 2)
            for share, size in ((0.0, 1.0), (0.45, 0.94), (0.12, 0.78), (0.34, 0.60), (0.0, 0.40)):
                shapes.append(disc(centre, radius * size, fill(mixed(_FOG, CREAM, share))))
    return Drawing("region-fog", (whole, whole), tuple(shapes))


def frame(edition: Edition, players: int) -> Drawing:
    """The frame of a game of so many players, put together from the pieces that are printed."""
    border, reach = edition.sizes.map_border, REGION_SIDE * edition.sizes.field
    width, height = map_size(edition.sizes, players)
    right, bottom = width - reach - border, height - border
    shapes: list[Shape] = [
        Rect((border, border), (width - 2 * border, height - 2 * border), fill(_BORDER))
    ]
    strip = _strip(reach, border)
    for half in range(REGION_ROWS):
        shapes.append(Group(strip, at=(0, border + (half + 1) * reach), turn=270))
        shapes.append(Group(strip, at=(width, border + half * reach), turn=90))
    for centre in range(1, players - 1):
        shapes.append(Group(strip, at=(border + centre * reach, 0)))
        shapes.append(Group(strip, at=(border + (centre + 1) * reach, height), turn=180))
    places = ((0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom))
    shapes += [
        Group(piece.shapes, at=at) for piece, at in zip(frame_corners(edition), places, strict=True)
    ]
    return Drawing(f"frame-{players}", (width, height), tuple(shapes))


def frame_corners(edition: Edition) -> tuple[Drawing, ...]:
    """The four arms of the frame with the map's markers, clockwise from the top left.

    The upper two bear the halves of the chronicle, so that centre pieces fit between them.
    """
    sizes = edition.sizes
    spaces = range(1, len(edition.chronicle.statues) + 1)
    half = (len(spaces) + 1) // 2
    names = ("frame-top-left", "frame-top-right", "frame-bottom-right", "frame-bottom-left")
    chronicle: tuple[Sequence[int], ...] = (spaces[:half], spaces[half:], (), ())
    border, reach = sizes.map_border, REGION_SIDE * sizes.field
    drawings = []
    for place, (name, marker_id, own) in enumerate(zip(names, MAP_MARKERS, chronicle, strict=True)):
        at_left, at_top = place in (0, 3), place < 2
        start = border if at_left else 0.0
        edge = board_marker_edge(sizes)
        middle = (edge if at_left else border + reach - edge, edge if at_top else border - edge)
        strip = _strip(reach, border, ornament=not own)
        shapes: list[Shape] = [
            Rect((0, 0), (border + reach, border), fill(WALNUT)),
            Group(strip, at=(start, 0))
            if at_top
            else Group(strip, at=(start + reach, border), turn=180),
        ]
        for i, number in enumerate(own):
            space = _space(
                number,
                edition.end_numbers.get(number),
                edition.chronicle.statues[number - 1],
                reveal=number in edition.chronicle.reveal_at,
            )
            shapes.append(Group(tuple(space), at=(start + (i + 0.5) * reach / half, 0)))
        shapes += marker(marker_id, middle, sizes.board_marker, sizes.board_marker_margin)
        drawings.append(Drawing(name, (border + reach, border), tuple(shapes)))
    return tuple(drawings)


def frame_straight(name: str, sizes: Sizes, *, tab_before: bool, tab_after: bool) -> Drawing:
    """A straight piece of the frame, as long as a region, with flaps to glue under others."""
    border, reach = sizes.map_border, REGION_SIDE * sizes.field
    start = TAB if tab_before else 0.0
    tab = tuple(_tab(border))
    return Drawing(
        name,
        (start + reach + (TAB if tab_after else 0.0), border),
        (
            Group(_strip(reach, border), at=(start, 0)),
            *((Group(tab),) if tab_before else ()),
            *((Group(tab, at=(start + reach, 0)),) if tab_after else ()),
        ),
    )


def _strip(length: float, border: float, *, ornament: bool = True) -> tuple[Shape, ...]:
    """A length of the frame with its outer edge on top."""
    return (
        Rect((0, 0), (length, border), fill(WALNUT)),
        Rect((0, 1.6), (length, 1.0), fill(GOLD)),
        Rect((0, border - 2.2), (length, 0.6), fill(GOLD_DARK)),
        *(_ornament(length, border) if ornament else ()),
    )


def _ornament(length: float, border: float) -> Iterator[Shape]:
    """A garland: stars between leaves, a bud at each joint."""
    pitch = length / 5
    middle = border / 2 + 0.2
    leaf = path(
        "M 4.2 0 C 6.0 -2.6 8.6 -2.6 10.6 0 C 8.6 1.6 6.0 1.8 4.2 0",
        inked(WALNUT_LIGHT, GOLD_DARK, 0.4),
    )
    bloom = (
        *(Group((leaf,), turn=turn) for turn in (-32, 0, 32, 148, 180, 212)),
        Group((star(4, 5.0, 1.7, fill(GOLD)), star(4, 2.8, 1.1, fill(GOLD_DARK))), turn=45),
    )
    for i in range(5):
        yield Group(bloom, at=((i + 0.5) * pitch, middle))
        yield disc((i * pitch, middle), 1.0, fill(GOLD))
    yield disc((length, middle), 1.0, fill(GOLD))


def _space(number: int, ends_above: int | None, statues: int, *, reveal: bool) -> Iterator[Shape]:
    """A space of the chronicle, its middle at x = 0: a pad for each statue, the number below."""
    pad = inked(WALNUT_LIGHT, GOLD, 0.7)
    pads: tuple[Point, ...] = ((0.0, 11.6),) if statues == 1 else ((-4.6, 10.4), (4.6, 19.8))
    if statues == 1:
        for way in (-1, 1):
            yield polygon(
                [(way * 6.4, 11.6), (way * 12.0, 11.6)], line(GOLD_DARK, 0.5), closed=False
            )
    for centre in pads:
        yield disc(centre, 6.4, pad)
    yield Text((pads[0][0], pads[0][1] + 1.7), str(number), 4.8, GOLD, bold=True)
    if ends_above is not None:
        yield path(
            "M -10.6 18.2 L -2.0 18.2 L -2.0 23.4 C -2 26 -4.6 27.4 -6.3 28 "
            "C -8 27.4 -10.6 26 -10.6 23.4 L -10.6 18.2",
            inked(CREAM, WINE, 0.8),
        )
        yield Text((-6.3, 25.3), str(ends_above), 6.6, WINE, bold=True)
    if reveal:
        yield sized(FOG, (0, 23.0), 7.5)


def _tab(border: float) -> Iterator[Shape]:
    """A white flap with the hatching that says glue."""
    yield Rect((0, 0), (TAB, border), fill(WHITE))
    for i in range(int(border / 3) + 1):
        yield polygon([(0, 3.0 * i), (TAB, 3.0 * i + 3)], line((150, 150, 150), 0.25), closed=False)
    yield Group((Text((0, 1.2), say("glue under"), 3.2, INK),), at=(TAB / 2, border / 2), turn=270)
