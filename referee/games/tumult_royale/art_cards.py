"""The small things beside the boards: spinner, cards of rank and mercy, supporters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from referee.games.drawing import Colour, Drawing, Group, Point, Shape, Text
from referee.games.said import say
from referee.games.tumult_royale.art_style import (
    CREAM,
    GOLD,
    GOLD_DARK,
    INK,
    WALNUT,
    WHITE,
    WINE,
    WINE_DARK,
    disc,
    fill,
    frame_line,
    ground,
    inked,
    line,
    mixed,
    path,
    polar,
    polygon,
    sized,
    star,
)
from referee.games.tumult_royale.art_symbols import AXE, HEART, crown, statue
from referee.games.tumult_royale.edition import Edition

CARD = (44.0, 63.0)
CARD_RADIUS = 3.0
#: Where a card's line lies: so near the cut that it shuts in nothing as narrow as a tile.
CARD_LINE = 1.0
ARROW = (84.0, 16.0)

#: Grounds of the spinner's sectors by their number: the higher the demand, the darker.
_SECTORS: Mapping[int, Colour] = {
    2: (238, 222, 184),
    3: (226, 170, 96),
    4: (186, 84, 52),
    5: (104, 24, 44),
}

#: Points of the crown of each rank.
_CROWNS: Mapping[int, int] = {1: 7, 2: 5, 3: 4, 4: 3}
_RANK_GROUNDS: Mapping[int, Colour] = {
    1: (112, 22, 42),
    2: (34, 62, 112),
    3: (34, 84, 62),
    4: (92, 66, 48),
}

#: Value of a supporter token: its diameter in mm, ground and edge.
_SUPPORTERS: Mapping[int, tuple[float, Colour, Colour]] = {
    1: (20.0, (206, 146, 96), (120, 70, 34)),
    5: (24.0, (206, 210, 216), (92, 98, 108)),
    10: (28.0, (236, 196, 92), (140, 98, 24)),
}


def spinner(edition: Edition) -> Drawing:
    """The disc of the spinner: equal sectors, clockwise from the top, with number and pips."""
    radius = edition.sizes.spinner_diameter / 2
    angle = 360 / len(edition.spinner)
    shapes: list[Shape] = [ground((2 * radius, 2 * radius), WALNUT)]
    whole: list[Shape] = []
    for i, number in enumerate(edition.spinner):
        colour = _SECTORS[number]
        ink = WHITE if sum(colour) < 420 else INK
        whole.append(
            Group(
                (_sector(radius - 3, angle, colour), *_bearing(number, radius, ink)), turn=i * angle
            )
        )
    whole += [
        disc((0, 0), radius - 1.6, line(GOLD, 1.2)),
        disc((0, 0), 9.0, inked(WALNUT, GOLD, 1.0)),
        star(8, 7.0, 3.0, fill(GOLD)),
        disc((0, 0), 1.2, fill(INK)),
    ]
    shapes.append(Group(tuple(whole), at=(radius, radius)))
    return Drawing("spinner", (2 * radius, 2 * radius), tuple(shapes), outline="ellipse")


def spinner_arrow() -> Drawing:
    """The arrow, to be pinned through its hole onto the disc."""
    width, height = ARROW
    middle = height / 2
    return Drawing(
        "spinner-arrow",
        ARROW,
        (
            polygon(
                [
                    *((1, middle), (16, 1.5), (14, middle - 2), (width - 18, middle - 2)),
                    *((width - 13, 2.5), (width - 2, 2.5), (width - 8, middle)),
                    *((width - 2, height - 2.5), (width - 13, height - 2.5)),
                    *((width - 18, middle + 2), (14, middle + 2), (16, height - 1.5)),
                ],
                inked(INK, GOLD, 0.8),
            ),
            disc((width / 2, middle), 5.0, inked(INK, GOLD, 0.8)),
            disc((width / 2, middle), 1.2, fill(WHITE)),
        ),
    )


def _sector(radius: float, angle: float, colour: Colour) -> Shape:
    """A sector around straight up, its arc in steps of at most 5 degrees."""
    steps = math.ceil(angle / 5)
    arc = [polar(radius, angle * (i / steps - 0.5)) for i in range(steps + 1)]
    return polygon([(0.0, 0.0), *arc], inked(colour, WALNUT, 0.8))


def _bearing(number: int, radius: float, ink: Colour) -> Iterator[Shape]:
    """The number, to be read from outside, and as many pips along the rim."""
    yield Text((0, -radius * 0.50), str(number), 17, ink, bold=True)
    spread = 6.6
    for i in range(number):
        yield disc(polar(radius - 8.6, (i - (number - 1) / 2) * spread), 1.9, fill(ink))


def nobility(rank: int) -> Drawing:
    """The card of a rank; 1 is the king or queen."""
    width, _height = CARD
    colour = _RANK_GROUNDS[rank]
    return Drawing(
        f"nobility-{rank}",
        CARD,
        (
            ground(CARD, CREAM),
            frame_line(CARD, CARD_LINE, colour, 1.2, CARD_RADIUS),
            path(
                f"M 6 8 L {width - 6} 8 L {width - 6} 36 C {width - 6} 48 {width / 2 + 6} 54 "
                f"{width / 2} 57 C {width / 2 - 6} 54 6 48 6 36 L 6 8",
                inked(colour, GOLD_DARK, 1.0),
            ),
            sized(crown(_CROWNS[rank]), (width / 2, 20.5), 24),
            Text((width / 2, 46.0), str(rank), 22, CREAM, bold=True),
        ),
        radius=CARD_RADIUS,
    )


def nobility_back() -> Drawing:
    """The back of the nobility cards."""
    width, height = CARD
    stars = (
        Group((star(4, 2.6, 0.9, fill(GOLD_DARK)),), at=(x, y))
        for row, y in enumerate(_steps(-2, height + 2, 7.0))
        for x in _steps(-2 + 3.5 * (row % 2), width + 2, 7.0)
    )
    return Drawing(
        "nobility-back",
        CARD,
        (
            ground(CARD, WINE_DARK),
            *stars,
            disc((width / 2, height / 2), 14, inked(WINE, GOLD, 1.0)),
            sized(crown(5), (width / 2, height / 2), 18),
            frame_line(CARD, CARD_LINE, GOLD, 0.8, CARD_RADIUS),
        ),
        radius=CARD_RADIUS,
    )


def mercy(*, shown: bool) -> Drawing:
    """One side of the mercy card."""
    width, _height = CARD
    light, dark = ((248, 226, 224), (150, 28, 48)) if shown else ((206, 208, 212), (40, 40, 46))
    words = say("{what:upper}", what=say("mercy")) if shown else say("No mercy")
    symbol: tuple[Shape, ...]
    if shown:
        symbol = (
            sized(HEART, (width / 2, 26), 29),
            Text((width / 2, 29.5), "\N{EN DASH}1", 12, WHITE, bold=True),
        )
    else:
        symbol = (sized(AXE, (width / 2, 26), 30, 20),)
    return Drawing(
        "mercy" if shown else "no-mercy",
        CARD,
        (
            ground(CARD, light),
            frame_line(CARD, CARD_LINE, dark, 1.2, CARD_RADIUS),
            *symbol,
            Text((width / 2, 54.5), words, 5.6, dark, bold=True),
        ),
        radius=CARD_RADIUS,
    )


def supporter(value: int) -> Drawing:
    """A token of so many supporters, the same on both sides."""
    diameter, colour, edge = _SUPPORTERS[value]
    middle = diameter / 2
    crowd: tuple[tuple[Point, float], ...] = {
        1: (((0.0, 0.12), 0.46),),
        5: (((-0.2, 0.02), 0.34), ((0.2, 0.02), 0.34), ((0.0, 0.12), 0.44)),
        10: (
            *(((-0.27, 0.0), 0.30), ((0.27, 0.0), 0.30)),
            *(((-0.14, 0.05), 0.36), ((0.14, 0.05), 0.36), ((0.0, 0.12), 0.42)),
        ),
    }[value]
    return Drawing(
        f"supporter-{value}",
        (diameter, diameter),
        (
            ground((diameter, diameter), colour),
            *(
                sized(
                    statue(mixed(edge, colour, 0.55 - 0.25 * i / len(crowd))),
                    (middle + x * diameter, middle - (y + 0.1) * diameter),
                    size * diameter,
                )
                for i, ((x, y), size) in enumerate(crowd)
            ),
            Text((middle, middle + diameter * 0.36), str(value), diameter * 0.40, INK, bold=True),
            disc((middle, middle), middle - 0.9, line(edge, 0.9)),
        ),
        outline="ellipse",
    )


def _steps(start: float, end: float, step: float) -> Iterator[float]:
    while start < end:
        yield start
        start += step
