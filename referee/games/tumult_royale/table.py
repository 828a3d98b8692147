"""Where everything lies on the table of Tumult Royale, in millimetres of the plane.

The corner markers are the plane's own corners; the map lies at the top, the tiles that nobody
took below it, and a castle at each corner. All sizes are the edition's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from referee.games.said import say
from referee.games.table import (
    Board,
    Dial,
    Field,
    Marker,
    PlacedOverlay,
    PlacedPieces,
    PlacedTile,
    Placement,
    Point,
    TablePlan,
    Zone,
)
from referee.games.tumult_royale.art_cards import ARROW
from referee.games.tumult_royale.edition import (
    COLOURS,
    MOST_PLAYERS,
    REGION_ROWS,
    REGION_SIDE,
    Edition,
    Sizes,
)
from referee.games.tumult_royale.state import Phase, State
from referee.games.tumult_royale.tiles import Tile, labels_of
from referee.games.tumult_royale.words import COLOUR_WORDS

#: Ids of the map's markers, clockwise from the top left, and of each castle's only one.
MAP_MARKERS = (10, 11, 12, 13)
CASTLE_MARKERS: Mapping[str, int] = {"yellow": 20, "blue": 21, "grey": 22, "purple": 23}
#: sRGB of the paint of each colour of statues.
PAINTS: Mapping[str, tuple[int, int, int]] = {
    "yellow": (245, 196, 30),
    "blue": (40, 90, 190),
    "grey": (140, 143, 148),
    "purple": (128, 50, 140),
}

#: The phases in which the tiles of the round lie face up; in all others they lie face down.
_REVEALED = (Phase.PLEAS, Phase.TUMULTS, Phase.BUILD)
#: The phases in which tiles lie set aside, outside every zone, though nobody knows which.
_SOME_ASIDE = (Phase.TAXES, Phase.REVEAL)

#: From the plane's left and right edges to the castles, and from its top and bottom.
_CASTLES_IN = (15.0, 40.0)
#: The centre ends so far from the castles' zones, from the map, and from the plane's bottom.
_CENTRE_GAPS = (2.0, 12.0, 8.0)
#: Its tiles are laid so far inside it, at its sides and at its top, and from the marker below.
_CENTRE_INSETS = (10.0, 5.0, 2.0)


def table_plan(edition: Edition, colours: Sequence[str]) -> TablePlan:
    """The table of a game of the players of `colours`, in order of their seats.

    Seats are top left, top right, bottom left, bottom right; two players sit at the bottom.
    Raises ValueError for a number of players that the game can't have, for an unknown colour, or
    for one that is given twice.
    """
    if not 2 <= len(colours) <= 4:
        raise ValueError(say("{n} players at the table; seat 2, 3 or 4", n=len(colours)))
    if not set(colours) <= set(COLOURS) or len(set(colours)) < len(colours):
        raise ValueError(
            say(
                "no seats for the colours {colours}; choose different ones of {known}",
                colours=", ".join(colours),
                known=", ".join(COLOURS),
            )
        )
    sizes = edition.sizes
    seats = _seats(sizes)[2:] if len(colours) == 2 else _seats(sizes)
    castles = (_castle(sizes, colour, seat) for colour, seat in zip(colours, seats, strict=False))
    return TablePlan(
        size=sizes.plane,
        markers=_table_markers(sizes),
        boards=(_map(sizes, len(colours)), *castles),
        zones=(_centre(sizes),),
        tile=sizes.tile,
        tile_thickness=sizes.tile_thickness,
        piece_colours={colour: PAINTS[colour] for colour in colours},
        piece_diameter=sizes.statue_diameter,
        piece_height=sizes.statue_height,
        dial=_dial(edition),
        names=_names(colours),
    )


def _names(colours: Sequence[str]) -> Mapping[str, str]:
    castles = {f"castle-{colour}": COLOUR_WORDS[colour] for colour in colours}
    return {
        "centre": say("Centre"),
        "map": say("Map"),
        **{name: say("Castle, {colour}", colour=word) for name, word in castles.items()},
        **{colour: COLOUR_WORDS[colour] for colour in colours},
    }


def placement(state: State) -> Placement:
    """What lies on the table in a position, beside its boards.

    Before the reveal the position doesn't know which tile lies where: all of them lie face down,
    and each zone has as many as the position knows of. Tiles set aside lie in no zone and are
    left out. Which of several frames a tile of a kind has is not known either: any that the
    edition has.
    """
    return Placement(
        tiles=tuple(_tiles(state)),
        pieces=tuple(
            PlacedPieces(seat.colour, state.board.name(number), statues)
            for seat in state.seats
            for number, statues in seat.statues()
        ),
        overlays=tuple(_regions(state)),
    )


def tile_name(tile: Tile) -> str:
    """The name of the drawing of a tile's face."""
    return f"tile-{tile.commodity}-{tile.symbols}-{tile.frame}"


def map_size(sizes: Sizes, players: int) -> tuple[float, float]:
    """Width and height of the frame around the regions of so many players."""
    region = REGION_SIDE * sizes.field
    return players * region + 2 * sizes.map_border, REGION_ROWS * region + 2 * sizes.map_border


def castle_yard(sizes: Sizes) -> tuple[Point, tuple[float, float]]:
    """Where tiles lie on a castle board: corner and size, left of the column under its marker."""
    width, height = sizes.castle
    column = board_marker_edge(sizes) * 2
    top = max(sizes.castle_strip, column)
    return (3.0, top), (width - column - 4.0, height - top - 3.0)


def board_marker_edge(sizes: Sizes) -> float:
    """From the edges of a board to the middle of the marker in its corner."""
    return sizes.board_marker / 2 + sizes.board_marker_margin


def spinner_centre(sizes: Sizes) -> Point:
    """The middle of the spinner's usual place, between the castles at the left."""
    return _CASTLES_IN[0] + sizes.castle[0] / 2, sizes.plane[1] / 2


def _tiles(state: State) -> Iterator[PlacedTile]:
    """The tiles of the castles in the order of the seats, then those of the centre."""
    names = [f"castle-{seat.colour}" for seat in state.seats]
    in_play = _mixed(state.edition.tiles_of(state.players))
    if state.phase in _REVEALED:
        printed = {tile.label: tile for tile in state.edition.tiles_of(MOST_PLAYERS)}
        heaps = [labels_of(heap) for heap in (*(s.tiles for s in state.seats), state.centre)]
        for zone, labels in zip((*names, "centre"), heaps, strict=True):
            yield from _placed(_taken(in_play, labels, printed), zone, face_up=True)
        return
    for zone, tiles in zip(names, state.at_time or (0,) * state.players, strict=True):
        yield from _placed(in_play[:tiles], zone, face_up=False)
        del in_play[:tiles]
    aside = state.edition.numbers.set_aside * state.players if state.phase in _SOME_ASIDE else 0
    yield from _placed(in_play[aside:], "centre", face_up=False)


def _mixed(tiles: Sequence[Tile]) -> list[Tile]:
    """Spreads frames evenly, so that some tiles of a kind show them in due proportion."""
    copies, seen = Counter(tiles), Counter[Tile]()
    places: list[float] = []
    for tile in tiles:
        places.append((seen[tile] + 0.5) / copies[tile])
        seen[tile] += 1
    return [tile for _, tile in sorted(zip(places, tiles, strict=True), key=itemgetter(0))]


def _placed(tiles: Iterable[Tile], zone: str, *, face_up: bool) -> Iterator[PlacedTile]:
    for tile in tiles:
        yield PlacedTile(tile_name(tile), tile.label, "tile-back", zone, face_up)


def _taken(pool: list[Tile], labels: Iterable[str], printed: Mapping[str, Tile]) -> Iterator[Tile]:
    """Takes a tile with each label out of `pool`, and leaves those of other frames in it.

    An impossible table may have more of a kind than there are: then they are as `printed`.
    """
    for label in labels:
        tile = next((tile for tile in pool if tile.label == label), printed[label])
        if tile in pool:
            pool.remove(tile)
        yield tile


def _regions(state: State) -> Iterator[PlacedOverlay]:
    sizes = state.edition.sizes
    side = REGION_SIDE * sizes.field
    columns = len(state.board.places) // REGION_ROWS
    for place, laid in enumerate(state.board.places):
        row, column = divmod(place, columns)
        yield PlacedOverlay(
            drawing=f"region-{laid.region}" if laid else "region-fog",
            board="map",
            corner=(sizes.map_border + column * side, sizes.map_border + row * side),
            size=(side, side),
            turn=laid.turn if laid else 0,
        )


def _dial(edition: Edition) -> Dial:
    """The spinner, glued onto the same board as castles are."""
    sizes = edition.sizes
    return Dial(
        drawing="spinner",
        arrow="spinner-arrow",
        centre=spinner_centre(sizes),
        diameter=sizes.spinner_diameter,
        labels=tuple(map(str, edition.spinner)),
        arrow_size=ARROW,
        height=sizes.board_thickness,
    )


def _seats(sizes: Sizes) -> tuple[Point, ...]:
    (left, top), (width, height) = _CASTLES_IN, sizes.castle
    right, bottom = sizes.plane[0] - left - width, sizes.plane[1] - top - height
    return (left, top), (right, top), (left, bottom), (right, bottom)


def _table_markers(sizes: Sizes) -> tuple[Marker, ...]:
    width, height = sizes.plane
    centres = (
        *((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)),
        *((width / 2, 0.0), (width, height / 2), (width / 2, height), (0.0, height / 2)),
    )
    return tuple(Marker(i, centre, sizes.marker) for i, centre in enumerate(centres))


def _map_top(sizes: Sizes) -> float:
    return sizes.marker / 2 + sizes.marker_margin


def _map(sizes: Sizes, players: int) -> Board:
    width, height = map_size(sizes, players)
    edge = board_marker_edge(sizes)
    corners = (
        (edge, edge),
        (width - edge, edge),
        (width - edge, height - edge),
        (edge, height - edge),
    )
    side = sizes.field
    return Board(
        name="map",
        drawing=f"frame-{players}",
        size=(width, height),
        origin=((sizes.plane[0] - width) / 2, _map_top(sizes)),
        thickness=sizes.board_thickness,
        markers=tuple(
            Marker(marker, centre, sizes.board_marker)
            for marker, centre in zip(MAP_MARKERS, corners, strict=True)
        ),
        fields=tuple(
            Field(
                name=f"r{row + 1}c{column + 1}",
                corner=(sizes.map_border + column * side, sizes.map_border + row * side),
                size=(side, side),
            )
            for row in range(REGION_ROWS * REGION_SIDE)
            for column in range(players * REGION_SIDE)
        ),
    )


def _castle(sizes: Sizes, colour: str, origin: Point) -> Board:
    width, height = sizes.castle
    name = f"castle-{colour}"
    edge = board_marker_edge(sizes)
    reach = sizes.castle_reach
    (left, top), yard = castle_yard(sizes)
    return Board(
        name=name,
        drawing=name,
        size=sizes.castle,
        origin=origin,
        thickness=sizes.board_thickness,
        markers=(Marker(CASTLE_MARKERS[colour], (width - edge, edge), sizes.board_marker),),
        zones=(
            Zone(
                name,
                polygon=_box(-reach, -reach, width + reach, height + reach),
                yard=_box(left, top, left + yard[0], top + yard[1]),
            ),
        ),
    )


def _centre(sizes: Sizes) -> Zone:
    beside, above, below = _CENTRE_GAPS
    inset, lower, gap = _CENTRE_INSETS
    width, height = sizes.plane
    left = _CASTLES_IN[0] + sizes.castle[0] + sizes.castle_reach + beside
    top = _map_top(sizes) + map_size(sizes, 2)[1] + above
    bottom = height - sizes.marker / 2 - sizes.marker_margin - gap
    return Zone(
        "centre",
        polygon=_box(left, top, width - left, height - below),
        yard=_box(left + inset, top + lower, width - left - inset, bottom),
    )


def _box(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return (left, top), (right, top), (right, bottom), (left, bottom)
