"""How a game describes its physical table: boards, zones, fields and what lies on them.

Lengths are millimetres; plane coordinates have their origin at the centre of the top left corner
marker, x to the right and y down. A `drawing` names one of the game's own drawings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Marker:
    """A square ArUco marker (dictionary DICT_4X4_50); `side` is that of its black square."""

    id: int
    centre: Point
    side: float


@dataclass(frozen=True, slots=True)
class Zone:
    """A named area of a board or of the table.

    `yard` is the part of it in which tiles are laid by habit; empty if that is all of it.
    """

    name: str
    polygon: tuple[Point, ...]
    yard: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """A named rectangle on a board, on which standing pieces are placed."""

    name: str
    corner: Point
    size: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Board:
    """A board with its usual place: `origin` is its top left corner on the plane, unturned.

    Markers, zones and fields are in the board's own coordinates.
    """

    name: str
    drawing: str
    size: tuple[float, float]
    origin: Point
    thickness: float
    markers: tuple[Marker, ...] = ()
    zones: tuple[Zone, ...] = ()
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Dial:
    """A round disc of equal sectors under an arrow that turns about its middle.

    `centre` is its usual place on the plane, `height` that of its face above the table. The
    drawing's first sector is around straight up, the others follow clockwise. The arrow's drawing
    of `arrow_size` points left, its pivot in the middle.
    """

    drawing: str
    arrow: str
    centre: Point
    diameter: float
    labels: tuple[str, ...]
    """What the sectors bear; several may bear the same."""
    arrow_size: tuple[float, float]
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Everything that lies on the table of one game with one number of players."""

    size: tuple[float, float]
    markers: tuple[Marker, ...]
    boards: tuple[Board, ...]
    zones: tuple[Zone, ...]
    tile: tuple[float, float]
    tile_thickness: float
    piece_colours: Mapping[str, tuple[int, int, int]]
    """sRGB, 0 to 255, of each colour of standing pieces."""
    piece_diameter: float
    piece_height: float
    dial: Dial | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    """What people call boards, zones and colours, as far as it is another word."""

    def called(self, name: str) -> str:
        """What people call a board, a zone or a colour."""
        return self.names.get(name, name)


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """A tile somewhere in a zone: `drawing` is the face that it bears, `back` its other side."""

    drawing: str
    label: str
    back: str
    zone: str
    face_up: bool


@dataclass(frozen=True, slots=True)
class PlacedPieces:
    """`count` standing pieces of one colour on a field."""

    colour: str
    field: str
    count: int


@dataclass(frozen=True, slots=True)
class PlacedOverlay:
    """A flat thing that lies on a board, such as a region in its frame; not a tile to be read."""

    drawing: str
    board: str
    corner: Point
    size: tuple[float, float]
    turn: int = 0
    """Quarter turns, clockwise."""


@dataclass(frozen=True, slots=True)
class Placement:
    """What lies on the table in one state of a game, beside the boards of its plan."""

    tiles: tuple[PlacedTile, ...] = ()
    pieces: tuple[PlacedPieces, ...] = ()
    overlays: tuple[PlacedOverlay, ...] = field(default=())
    dial: float | None = None
    """The angle of the dial's arrow, in degrees clockwise from the disc's top; None for no dial."""
