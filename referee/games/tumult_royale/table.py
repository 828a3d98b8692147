"""Where everything lies on the table of Tumult Royale, in millimetres of the plane.

The corner markers are the plane's own corners; the map lies at the top, the centre of the tiles
below it, and a castle at each corner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from referee.games.table import Board, Field, Marker, Point, TablePlan, Zone

if TYPE_CHECKING:
    from referee.games.tumult_royale.edition import Edition

PLANE = (960.0, 620.0)
TABLE_MARKER_SIDE = 60.0
#: White print around the black square of a table marker.
TABLE_MARKER_MARGIN = 8.0

#: Markers on boards, and the white print around them.
BOARD_MARKER_SIDE = 22.0
BOARD_MARKER_MARGIN = 4.0
BOARD_THICKNESS = 2.0
TILE_THICKNESS = 2.0

#: Width of the border around the regions; a board's marker with its margin just fills a corner.
FRAME = 30.0
REGION_FIELDS = 3
REGIONS_TALL = 2
MAP_MARKERS = (10, 11, 12, 13)
MAP_MIDDLE = 480.0
MAP_TOP = 38.0

CASTLE = (180.0, 150.0)
#: Height of the strip at the top of a castle board that bears its track and its marker.
CASTLE_STRIP = 30.0
CASTLE_MARKERS: Mapping[str, int] = {"yellow": 20, "blue": 21, "grey": 22, "purple": 23}
#: A tile that lies partly on the table still belongs to the castle that it touches.
CASTLE_MARGIN = 8.0
_LEFT, _RIGHT, _UPPER, _LOWER = 15.0, 765.0, 40.0, 430.0
_SEATS: tuple[Point, ...] = (
    (_LEFT, _UPPER),
    (_RIGHT, _UPPER),
    (_LEFT, _LOWER),
    (_RIGHT, _LOWER),
)

#: Zone of the tiles that nobody took: left, top, right, bottom.
CENTRE = (205.0, 350.0, 755.0, 612.0)
SPINNER_CENTRE: Point = (105.0, 310.0)
SPINNER_DIAMETER = 100.0

PIECE_DIAMETER = 13.0
PIECE_HEIGHT = 26.0
#: sRGB of the paint of each colour of statues.
PAINTS: Mapping[str, tuple[int, int, int]] = {
    "yellow": (245, 196, 30),
    "blue": (40, 90, 190),
    "grey": (140, 143, 148),
    "purple": (128, 50, 140),
}


def table_plan(edition: Edition, colours: Sequence[str]) -> TablePlan:
    """The table of a game of the players of `colours`, in order of their seats.

    Raises ValueError for a number of players that the game can't have, for an unknown colour, or
    for one that is given twice.
    """
    if not 2 <= len(colours) <= 4:
        raise ValueError(f"{len(colours)} players at the table; seat 2, 3 or 4")
    unknown = [colour for colour in colours if colour not in CASTLE_MARKERS]
    if unknown or len(set(colours)) < len(colours):
        raise ValueError(
            f"no seats for the colours {', '.join(colours)}; "
            f"choose different ones of {', '.join(CASTLE_MARKERS)}"
        )
    seats = _SEATS[2:] if len(colours) == 2 else _SEATS
    castles = (_castle(colour, seat) for colour, seat in zip(colours, seats, strict=False))
    return TablePlan(
        size=PLANE,
        markers=_table_markers(),
        boards=(_map(edition, len(colours)), *castles),
        zones=(Zone("centre", _box(*CENTRE)),),
        tile=(edition.tile_mm, edition.tile_mm),
        tile_thickness=TILE_THICKNESS,
        piece_colours={colour: PAINTS[colour] for colour in colours},
        piece_diameter=PIECE_DIAMETER,
        piece_height=PIECE_HEIGHT,
    )


def map_size(edition: Edition, players: int) -> tuple[float, float]:
    """Width and height of the frame around the regions of so many players."""
    region = REGION_FIELDS * edition.field_mm
    return players * region + 2 * FRAME, REGIONS_TALL * region + 2 * FRAME


def _table_markers() -> tuple[Marker, ...]:
    width, height = PLANE
    centres = (
        *((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)),
        *((width / 2, 0.0), (width, height / 2), (width / 2, height), (0.0, height / 2)),
    )
    return tuple(Marker(i, centre, TABLE_MARKER_SIDE) for i, centre in enumerate(centres))


def _map(edition: Edition, players: int) -> Board:
    width, height = map_size(edition, players)
    middle = FRAME / 2
    corners = (
        (middle, middle),
        (width - middle, middle),
        (width - middle, height - middle),
        (middle, height - middle),
    )
    side = edition.field_mm
    return Board(
        name="map",
        drawing=f"frame-{players}",
        size=(width, height),
        origin=(MAP_MIDDLE - width / 2, MAP_TOP),
        thickness=BOARD_THICKNESS,
        markers=tuple(
            Marker(marker, centre, BOARD_MARKER_SIDE)
            for marker, centre in zip(MAP_MARKERS, corners, strict=True)
        ),
        fields=tuple(
            Field(
                name=f"r{row + 1}c{column + 1}",
                corner=(FRAME + column * side, FRAME + row * side),
                size=(side, side),
            )
            for row in range(REGIONS_TALL * REGION_FIELDS)
            for column in range(players * REGION_FIELDS)
        ),
    )


def _castle(colour: str, origin: Point) -> Board:
    width, height = CASTLE
    name = f"castle-{colour}"
    edge = BOARD_MARKER_SIDE / 2 + BOARD_MARKER_MARGIN
    return Board(
        name=name,
        drawing=name,
        size=CASTLE,
        origin=origin,
        thickness=BOARD_THICKNESS,
        markers=(Marker(CASTLE_MARKERS[colour], (width - edge, edge), BOARD_MARKER_SIDE),),
        zones=(
            Zone(
                name,
                _box(-CASTLE_MARGIN, -CASTLE_MARGIN, width + CASTLE_MARGIN, height + CASTLE_MARGIN),
            ),
        ),
    )


def _box(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return (left, top), (right, top), (right, bottom), (left, bottom)
