"""The symbols of the kit, each drawn in a box of 100 units around the origin.

Commodities differ in silhouette (a loaf, a column, a cross of tools), in colour and in tone, so
that they are told apart in grey and in any turn.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.drawing import Colour, Rect, Shape
from referee.games.tumult_royale.art_style import (
    CREAM,
    GOLD,
    GOLD_DARK,
    INK,
    WHITE,
    disc,
    fill,
    inked,
    line,
    path,
    polygon,
)

Symbol = tuple[Shape, ...]

_CRUST: Colour = (196, 108, 30)
_CRUST_DARK: Colour = (104, 54, 12)
_CRUMB: Colour = (252, 226, 168)
_STONE: Colour = (146, 200, 240)
_STONE_LIGHT: Colour = (214, 236, 250)
_STONE_DARK: Colour = (18, 52, 104)
_WOOD: Colour = (20, 112, 70)
_IRON: Colour = (14, 44, 36)

BREAD: Symbol = (
    path(
        "M -48 8 C -48 -22 -28 -40 0 -40 C 28 -40 48 -22 48 8 C 48 28 34 38 0 38 "
        "C -34 38 -48 28 -48 8",
        inked(_CRUST, _CRUST_DARK, 6),
    ),
    *(
        path(
            f"M {x - 8} 18 C {x - 16} -2 {x - 4} -22 {x + 10} -24 "
            f"C {x + 2} -14 {x + 2} 4 {x - 8} 18",
            fill(_CRUMB),
        )
        for x in (-24, 1, 26)
    ),
)

MARBLE: Symbol = (
    Rect((-25, -34), (50, 70), inked(_STONE, _STONE_DARK, 6)),
    Rect((-18, -30), (10, 62), fill(_STONE_LIGHT)),
    polygon([(7, -28), (7, 32)], line(_STONE_DARK, 4), closed=False),
    path(
        "M -44 -47 L 44 -47 L 44 -35 C 44 -26 32 -24 27 -29 L -27 -29 "
        "C -32 -24 -44 -26 -44 -35 L -44 -47",
        inked(_STONE, _STONE_DARK, 6),
    ),
    path("M -30 30 L 30 30 L 44 47 L -44 47 L -30 30", inked(_STONE, _STONE_DARK, 6)),
)


def _turned(points: str, cosine: float, sine: float) -> list[tuple[float, float]]:
    values = [float(word) for word in points.split()]
    return [
        (x * cosine - y * sine, x * sine + y * cosine)
        for x, y in zip(values[::2], values[1::2], strict=True)
    ]


#: Cosine of 45 degrees, made smaller so that the crossed tools stay inside the box.
_DIAGONAL = 0.6
#: An upright hammer and an upright chisel, crossed at right angles below.
_HAMMER_SHAFT = "-8 -40 8 -40 9 60 -9 60"
_HAMMER_HEAD = "-29 -60 22 -60 32 -46 22 -32 -29 -32"
_CHISEL_SHAFT = "-10 8 10 8 13 60 -13 60"
_CHISEL_BLADE = "-9 10 -10 -40 -15 -60 15 -66 10 -40 9 10"

TOOLS: Symbol = (
    polygon(_turned(_CHISEL_SHAFT, _DIAGONAL, -_DIAGONAL), inked(_WOOD, _IRON, 5)),
    polygon(_turned(_CHISEL_BLADE, _DIAGONAL, -_DIAGONAL), inked(_IRON, _IRON, 4)),
    polygon(_turned(_HAMMER_SHAFT, _DIAGONAL, _DIAGONAL), inked(_WOOD, _IRON, 5)),
    polygon(_turned(_HAMMER_HEAD, _DIAGONAL, _DIAGONAL), inked(_IRON, _IRON, 4)),
)

COMMODITIES: Mapping[str, Symbol] = {"bread": BREAD, "marble": MARBLE, "tools": TOOLS}

SHEEP: Symbol = (
    *(polygon([(x, 20), (x, 42)], line(INK, 8), closed=False) for x in (-18, 16)),
    *(
        disc((x, y), radius, fill(WHITE))
        for x, y, radius in (
            *((-24, 2, 18), (-10, -14, 18), (10, -14, 18), (22, 2, 18)),
            *((-14, 14, 16), (8, 16, 16), (0, 0, 22)),
        )
    ),
    path("M 26 -22 C 34 -32 50 -26 50 -10 C 50 2 40 10 34 8 C 26 4 22 -12 26 -22", fill(INK)),
)

_NEEDLES: Colour = (16, 44, 26)

FIRS: Symbol = (
    *(
        path(
            f"M {x} {top} L {x + w} {top + 34} L {x + w * 0.45} {top + 32} L {x + w * 1.25} "
            f"{top + 66} L {x - w * 1.25} {top + 66} L {x - w * 0.45} {top + 32} "
            f"L {x - w} {top + 34} L {x} {top}",
            fill(colour),
        )
        for x, top, w, colour in ((-22, -48, 20, _NEEDLES), (22, -32, 20, _NEEDLES))
    ),
    Rect((-27, 18), (10, 20), fill(_NEEDLES)),
    Rect((17, 34), (10, 14), fill(_NEEDLES)),
)

_ROCK: Colour = (58, 34, 22)

PEAKS: Symbol = (
    polygon([(-48, 40), (-12, -44), (10, 4), (22, -16), (48, 40)], fill(_ROCK)),
    polygon([(-26, -12), (-12, -44), (3, -11), (-4, -4), (-12, -16), (-18, -4)], fill(WHITE)),
    polygon([(15, -5), (22, -16), (32, 6), (24, 0), (18, 8)], fill(WHITE)),
)

_ROOF: Colour = (96, 24, 20)

HOUSES: Symbol = (
    Rect((-42, -4), (48, 44), fill(CREAM)),
    polygon([(-50, -2), (-18, -44), (14, -2)], fill(_ROOF)),
    Rect((-26, 14), (15, 26), fill(_ROOF)),
    Rect((10, 12), (34, 28), fill(CREAM)),
    polygon([(2, 14), (27, -18), (52, 14)], fill(_ROOF)),
    Rect((21, 20), (12, 10), fill(_ROOF)),
)

_KEEP: Colour = (236, 204, 132)

TOWERS: Symbol = (
    path(
        "M -46 42 L -46 -14 L -38 -14 L -38 -6 L -32 -6 L -32 -14 L -24 -14 L -24 -2 L -16 -2 "
        "L -16 -44 L -6 -44 L -6 -34 L 6 -34 L 6 -44 L 16 -44 L 16 -2 L 24 -2 L 24 -14 L 32 -14 "
        "L 32 -6 L 38 -6 L 38 -14 L 46 -14 L 46 42 L 12 42 L 12 24 C 12 8 -12 8 -12 24 L -12 42 "
        "L -46 42",
        fill(_KEEP),
    ),
    Rect((-4, -22), (8, 14), fill((100, 28, 28))),
)

FIELDS: Mapping[str, Symbol] = {
    "pasture": SHEEP,
    "forest": FIRS,
    "mountain": PEAKS,
    "village": HOUSES,
    "castle": TOWERS,
}


def statue(colour: Colour) -> Symbol:
    """A statue on its foot: head, cloak and plinth."""
    return (
        disc((0, -32), 17, fill(colour)),
        path("M -24 34 C -20 8 -18 -14 0 -16 C 18 -14 20 8 24 34 L -24 34", fill(colour)),
        Rect((-34, 34), (68, 15), fill(colour), radius=4),
    )


def crown(points: int, colour: Colour = GOLD, edge: Colour = GOLD_DARK) -> Symbol:
    """A crown with so many points, each with a pearl."""
    step = 92 / (points - 1)
    tips = [
        (-46 + i * step, -26.0 - 10 * (1 - abs(2 * i / (points - 1) - 1))) for i in range(points)
    ]
    outline: list[tuple[float, float]] = [(-38, 34)]
    for i, (x, y) in enumerate(tips):
        outline.append((x, y))
        if i < points - 1:
            outline.append((x + step / 2, 4))
    outline.append((38, 34))
    return (
        polygon(outline, inked(colour, edge, 5)),
        Rect((-40, 22), (80, 18), inked(colour, edge, 5), radius=4),
        *(disc((x, y - 4), 7, inked(colour, edge, 4)) for x, y in tips),
    )


FOG: Symbol = (
    *(
        path(
            f"M {x0} {y} C {x0 + 14} {y - 16} {x0 + 26} {y - 16} {x0 + 40} {y} "
            f"C {x0 + 54} {y + 16} {x0 + 66} {y + 16} {x0 + 80} {y}",
            line(CREAM, 9),
            closed=False,
        )
        for x0, y in ((-44, -24), (-34, 4), (-44, 32))
    ),
)

HEART: Symbol = (
    path(
        "M 0 44 C -20 24 -48 6 -48 -18 C -48 -36 -36 -46 -22 -46 C -10 -46 -3 -38 0 -30 "
        "C 3 -38 10 -46 22 -46 C 36 -46 48 -36 48 -18 C 48 6 20 24 0 44",
        inked((196, 44, 60), (110, 14, 30), 5),
    ),
)

AXE: Symbol = (
    polygon([(-5, -50), (5, -50), (6, 50), (-6, 50)], inked((120, 80, 48), INK, 4)),
    path(
        "M 4 -38 C 18 -40 30 -46 40 -50 C 48 -28 48 -10 40 10 C 30 4 18 -2 4 -6 L 4 -38",
        inked((240, 242, 246), INK, 4),
    ),
    path(
        "M -4 -38 C -18 -40 -30 -46 -40 -50 C -48 -28 -48 -10 -40 10 C -30 4 -18 -2 -4 -6 L -4 -38",
        inked((240, 242, 246), INK, 4),
    ),
)
