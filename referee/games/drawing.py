"""The vector vocabulary in which a game draws its own pieces; the kit prints and rasterises it.

Coordinates are millimetres, origin at the top left corner, x to the right and y down. Colours are
sRGB, 0 to 255.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Colour = tuple[int, int, int]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Paint:
    """How a shape is filled and outlined; a `stroke_width` in mm without a stroke is unused."""

    fill: Colour | None = None
    stroke: Colour | None = None
    stroke_width: float = 0.3


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle, with rounded corners if `radius` is above 0."""

    corner: Point
    size: tuple[float, float]
    paint: Paint
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Ellipse:
    """An upright ellipse."""

    centre: Point
    radii: tuple[float, float]
    paint: Paint


@dataclass(frozen=True, slots=True)
class MoveTo:
    """Starts a subpath."""

    to: Point


@dataclass(frozen=True, slots=True)
class LineTo:
    """A straight line to a point."""

    to: Point


@dataclass(frozen=True, slots=True)
class CurveTo:
    """A cubic Bézier curve to a point."""

    control_1: Point
    control_2: Point
    to: Point


@dataclass(frozen=True, slots=True)
class Path:
    """Lines and curves; closed shapes end where they began."""

    steps: tuple[MoveTo | LineTo | CurveTo, ...]
    paint: Paint
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; `size` is the font's height in mm, `at` the anchor on the base line."""

    at: Point
    text: str
    size: float
    colour: Colour
    anchor: Literal["start", "middle", "end"] = "middle"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class MarkerImage:
    """A square ArUco marker (DICT_4X4_50): `corner` is the top left of its black square."""

    id: int
    corner: Point
    side: float


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes placed together: scaled, then turned clockwise (degrees), then moved by `at`."""

    shapes: tuple[Shape, ...]
    at: Point = (0.0, 0.0)
    turn: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Drawing:
    """One side of one printed thing. Whatever lies outside its outline is cut away.

    `outline` is the cut: "rect" (with rounded corners of `radius` mm) or "ellipse".
    """

    name: str
    size: tuple[float, float]
    shapes: tuple[Shape, ...]
    outline: Literal["rect", "ellipse"] = "rect"
    radius: float = 0.0


#: A drawing inside another one is cut to its own outline.
Shape = Rect | Ellipse | Path | Text | MarkerImage | Group | Drawing


@dataclass(frozen=True, slots=True)
class PrintItem:
    """A thing to cut out: its front, its back if it has one, and how often it is printed."""

    title: str
    front: Drawing
    back: Drawing | None = None
    copies: int = 1
    sheet: str = field(default="")
    """Items of the same sheet title are printed together."""
