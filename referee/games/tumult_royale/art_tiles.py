"""The commodity tiles: what the camera must read from 35 pixels."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.drawing import Colour, Drawing, Group, Rect, Shape
from referee.games.tumult_royale.art_style import (
    GOLD,
    PAPER,
    WINE,
    WINE_DARK,
    disc,
    fill,
    frame_line,
    ground,
    sized,
    star,
)
from referee.games.tumult_royale.art_symbols import COMMODITIES
from referee.games.tumult_royale.edition import Sizes
from referee.games.tumult_royale.table import tile_name
from referee.games.tumult_royale.tiles import Tile

_EDGE: tuple[Colour, float] = ((112, 102, 90), 0.8)
#: Colours of the printed frames; the plain tile has a thin dark edge instead, so that two pale
#: tiles that touch stay two.
_FRAMES: Mapping[str, Colour] = {"grey": (130, 130, 132), "black": (20, 20, 22)}
#: Where a frame lies, in mm inside the cut: the pale rim outside sets it off from a dark castle.
_FRAME_RIM, _FRAME_WIDTH = 0.9, 2.0

#: Places of 1, 2, 3 symbols and their size, as shares of the tile's side: a dot, a diagonal, a
#: triangle, so that a count is told from the arrangement too.
_PLACES: Mapping[int, tuple[float, tuple[tuple[float, float], ...]]] = {
    1: (0.68, ((0.5, 0.5),)),
    2: (0.395, ((0.298, 0.298), (0.702, 0.702))),
    3: (0.375, ((0.5, 0.29), (0.285, 0.705), (0.715, 0.705))),
}


def tile_face(tile: Tile, sizes: Sizes) -> Drawing:
    """The face of a tile."""
    width, height = sizes.tile
    side = min(sizes.tile)
    size, places = _PLACES[tile.symbols]
    if tile.frame in _FRAMES:
        inset, border = _FRAME_RIM + _FRAME_WIDTH / 2, (_FRAMES[tile.frame], _FRAME_WIDTH)
    else:
        inset, border = _EDGE[1] / 2, _EDGE
    symbol = COMMODITIES[tile.commodity]
    return Drawing(
        tile_name(tile),
        sizes.tile,
        (
            ground(sizes.tile, PAPER),
            frame_line(sizes.tile, inset, *border, sizes.tile_radius),
            *(sized(symbol, (x * width, y * height), size * side) for x, y in places),
        ),
        radius=sizes.tile_radius,
    )


def tile_back(sizes: Sizes) -> Drawing:
    """The back of every tile: a wine red rosette, the same in each quarter turn."""
    width, height = sizes.tile
    rim, inset = 2.2, 5.6
    rosette: tuple[Shape, ...] = (
        *(Group((star(4, 50, 17, fill(GOLD)),), turn=turn) for turn in (0, 45)),
        disc((0, 0), 15, fill(WINE_DARK)),
        disc((0, 0), 7, fill(GOLD)),
    )
    return Drawing(
        "tile-back",
        sizes.tile,
        (
            ground(sizes.tile, PAPER),
            Rect((rim, rim), (width - 2 * rim, height - 2 * rim), fill(WINE), radius=1.0),
            frame_line(sizes.tile, rim + 1.3, GOLD, 0.5),
            *(
                disc((x, y), 2.4, fill(GOLD))
                for x in (inset, width - inset)
                for y in (inset, height - inset)
            ),
            sized(rosette, (width / 2, height / 2), 0.68 * min(sizes.tile)),
            frame_line(sizes.tile, 0.3, *_EDGE, sizes.tile_radius),
        ),
        radius=sizes.tile_radius,
    )
