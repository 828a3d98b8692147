"""What lies where on a table, as plain data: the only thing vision is told about a game.

All lengths are millimetres. Plane coordinates have their origin at the top left corner of the
plane (the centre of its first marker), x to the right and y down, as in a picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Marker:
    """A printed ArUco marker of the dictionary DICT_4X4_50.

    `centre` is in plane coordinates, or in those of the board that bears the marker; `side` is
    the length of the black square.
    """

    id: int
    centre: Point
    side: float


@dataclass(frozen=True, slots=True)
class Zone:
    """A named area; a tile belongs to the zone that its centre lies in."""

    name: str
    polygon: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A named quad on a board on which coloured pieces stand; corners clockwise from top left."""

    name: str
    quad: tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True)
class Board:
    """A flat board that may be pushed about: found by its own markers, or by its usual place.

    `markers`, `zones` and `fields` are in the board's own coordinates (origin at its top left
    corner). `origin` and `angle` (degrees, clockwise as seen) put that corner on the plane.
    """

    name: str
    size: tuple[float, float]
    origin: Point
    angle: float = 0.0
    thickness: float = 0.0
    markers: tuple[Marker, ...] = ()
    zones: tuple[Zone, ...] = ()
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Dial:
    """A round disc of equal sectors under an arrow that turns about its middle.

    `centre` is its usual place on the plane, `height` that of its face above the table. The
    sectors bear `labels`, clockwise from the print's top; several may bear the same. `arrow_size`
    is (width, height) of the arrow's picture, in which it points left.
    """

    centre: Point
    diameter: float
    labels: tuple[str, ...]
    arrow_size: tuple[float, float]
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class Layout:
    """A table: its plane, markers, boards, zones, and the sizes of what lies on it.

    `zones` that lie on the plane itself come after those on boards: a tile on a board inside a
    plane zone belongs to the board's zone. `tile` is (width, height) of a tile's face;
    `piece_colours` maps the name of a colour of standing pieces to its sRGB value, 0 to 255.
    """

    size: tuple[float, float]
    tile: tuple[float, float]
    tile_thickness: float = 0.0
    markers: tuple[Marker, ...] = ()
    boards: tuple[Board, ...] = ()
    zones: tuple[Zone, ...] = ()
    piece_colours: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    piece_diameter: float = 0.0
    piece_height: float = 0.0
    dial: Dial | None = None
