"""The hand that all drawings of the kit share: colours, and short ways to write shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from referee.games.drawing import (
    Colour,
    CurveTo,
    Ellipse,
    Group,
    LineTo,
    MarkerImage,
    MoveTo,
    Paint,
    Path,
    Point,
    Rect,
    Shape,
)

PAPER: Colour = (246, 243, 236)
INK: Colour = (44, 34, 30)
WHITE: Colour = (255, 255, 255)
WALNUT: Colour = (66, 44, 36)
WALNUT_LIGHT: Colour = (98, 68, 54)
GOLD: Colour = (206, 166, 84)
GOLD_DARK: Colour = (132, 94, 34)
WINE: Colour = (122, 24, 44)
WINE_DARK: Colour = (86, 14, 30)
CREAM: Colour = (238, 226, 200)

#: Drawn beyond the cut, so that a print that slipped leaves no white edge.
BLEED = 3.0


def fill(colour: Colour) -> Paint:
    """A shape without an outline."""
    return Paint(fill=colour)


def line(colour: Colour, width: float) -> Paint:
    """An outline without a filling; `width` in the units of the drawing."""
    return Paint(stroke=colour, stroke_width=width)


def inked(colour: Colour, edge: Colour, width: float) -> Paint:
    """A filled shape with an outline."""
    return Paint(fill=colour, stroke=edge, stroke_width=width)


def mixed(colour: Colour, other: Colour, share: float) -> Colour:
    """`colour` with a share (0 to 1) of `other`."""
    r, g, b = (round(a + (z - a) * share) for a, z in zip(colour, other, strict=True))
    return r, g, b


def path(steps: str, paint: Paint, *, closed: bool = True) -> Path:
    """A path written as letters and coordinates: "M x y", "L x y …", "C x1 y1 x2 y2 x y …"."""
    made: list[MoveTo | LineTo | CurveTo] = []
    for letter, values in _commands(steps):
        points = list(zip(values[::2], values[1::2], strict=True))
        if letter == "M":
            made += [MoveTo(points[0])]
        elif letter == "L":
            made += [LineTo(point) for point in points]
        else:
            made += [CurveTo(*points[i : i + 3]) for i in range(0, len(points), 3)]
    return Path(tuple(made), paint, closed)


def polygon(points: Sequence[Point], paint: Paint, *, closed: bool = True) -> Path:
    """Straight lines through `points`."""
    first, *rest = points
    return Path((MoveTo(first), *(LineTo(point) for point in rest)), paint, closed)


def star(points: int, outer: float, inner: float, paint: Paint) -> Path:
    """A star around the origin with one point straight up."""
    return polygon(
        [polar(outer if i % 2 == 0 else inner, 180 * i / points) for i in range(2 * points)],
        paint,
    )


def polar(radius: float, degrees: float) -> Point:
    """The point at a distance from the origin, clockwise from straight up."""
    angle = math.radians(degrees)
    return radius * math.sin(angle), -radius * math.cos(angle)


def disc(centre: Point, radius: float, paint: Paint) -> Ellipse:
    """A circle."""
    return Ellipse(centre, (radius, radius), paint)


def ground(size: tuple[float, float], colour: Colour) -> Rect:
    """A ground that covers a drawing and its bleed."""
    width, height = size
    return Rect((-BLEED, -BLEED), (width + 2 * BLEED, height + 2 * BLEED), fill(colour))


def frame_line(
    size: tuple[float, float], inset: float, colour: Colour, width: float, radius: float = 0.0
) -> Rect:
    """A line all around, its middle `inset` mm inside the cut."""
    return Rect(
        (inset, inset),
        (size[0] - 2 * inset, size[1] - 2 * inset),
        line(colour, width),
        radius=max(0.0, radius - inset),
    )


def sized(symbol: Sequence[Shape], at: Point, size: float, turn: float = 0.0) -> Group:
    """A symbol drawn in a box of 100 around the origin, made `size` mm wide and put at `at`."""
    return Group(tuple(symbol), at=at, turn=turn, scale=size / 100)


def marker(marker_id: int, centre: Point, side: float, margin: float) -> tuple[Shape, ...]:
    """A marker on white paper that reaches `margin` mm beyond its black square."""
    whole = side + 2 * margin
    return (
        Rect((centre[0] - whole / 2, centre[1] - whole / 2), (whole, whole), fill(WHITE)),
        MarkerImage(marker_id, (centre[0] - side / 2, centre[1] - side / 2), side),
    )


def _commands(steps: str) -> list[tuple[str, list[float]]]:
    commands: list[tuple[str, list[float]]] = []
    for word in steps.split():
        if word in "MLC":
            commands.append((word, []))
        else:
            commands[-1][1].append(float(word))
    return commands
