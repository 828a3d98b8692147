"""Turns an arrangement into the scene that the renderer draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.games.table import PlacedOverlay
from referee.simulation.arrangement import (
    MARKER_MARGIN,
    PAPER,
    Arrangement,
    LaidBoard,
    LaidDial,
    LaidTile,
    StoodPiece,
)
from referee.simulation.conditions import Conditions
from vision.scene.description import Flat, Hand, Piece, Scene

Image = NDArray[np.uint8]
Art = Mapping[str, Image]

#: How high an arrow turns above its disc, and its thickness: card on a split pin, in mm.
ARROW_HOVER, ARROW_THICKNESS = 2.0, 0.5

_MARKER_CELL_PX = 40
_CELLS = 6


def scene_of(
    arrangement: Arrangement,
    art: Art,
    conditions: Conditions,
    *,
    scenery: Sequence[Flat] = (),
    hands: Sequence[Hand] = (),
    carried: Iterable[Flat] = (),
    standing: Iterable[Piece] = (),
    seed: int = 0,
) -> Scene:
    """The scene of everything on a table.

    `art` holds pictures (BGRA) by the names of the drawings; raises KeyError for one that lacks.
    `scenery` lies on the table besides; `carried` and `standing` are in motion.
    """
    plan = arrangement.plan
    flats = [
        Flat(_marker(m.id), (m.side * (1 + 2 * MARKER_MARGIN),) * 2, m.centre, angle, kind="marker")
        for m, angle in zip(plan.markers, arrangement.marker_angles, strict=True)
    ]
    flats += scenery
    flats += [
        Flat(
            art[laid.board.drawing],
            laid.board.size,
            laid.pose.centre,
            laid.pose.angle,
            thickness=laid.board.thickness,
            kind="board",
        )
        for laid in arrangement.boards
    ]
    boards = {laid.board.name: laid for laid in arrangement.boards}
    flats += [_overlay(overlay, boards[overlay.board], art) for overlay in arrangement.overlays]
    if arrangement.dial is not None:
        flats += dial_flats(arrangement.dial, art)
    flats += [tile_flat(tile, arrangement, art) for tile in arrangement.tiles]
    flats += carried
    return Scene(
        conditions.camera,
        tuple(flats),
        (*(piece_of(piece, arrangement) for piece in arrangement.pieces), *standing),
        tuple(hands),
        conditions.surface,
        conditions.surface_seed,
        conditions.lamp,
        conditions.sensor,
        seed,
    )


def tile_flat(laid: LaidTile, arrangement: Arrangement, art: Art) -> Flat:
    """A tile as a flat; what lies face down has no label."""
    tile, plan = laid.tile, arrangement.plan
    return Flat(
        art[tile.drawing if tile.face_up else tile.back],
        plan.tile,
        laid.pose.centre,
        laid.pose.angle,
        laid.base,
        plan.tile_thickness,
        label=tile.label if tile.face_up else None,
        face_up=tile.face_up,
        zone=tile.zone,
    )


def dial_flats(laid: LaidDial, art: Art, hover: float = ARROW_HOVER) -> tuple[Flat, Flat]:
    """A dial's disc, and its arrow so many mm above it."""
    dial, pose = laid.dial, laid.pose
    disc = Flat(
        art[dial.drawing],
        (dial.diameter, dial.diameter),
        pose.centre,
        pose.angle,
        thickness=dial.height,
        kind="dial",
    )
    # The drawing of the arrow points left: a quarter turn, and it points straight up.
    angle = pose.angle + laid.arrow + 90.0
    base = dial.height + hover
    return disc, Flat(
        art[dial.arrow], dial.arrow_size, pose.centre, angle, base, ARROW_THICKNESS, kind="dial"
    )


def piece_of(piece: StoodPiece, arrangement: Arrangement) -> Piece:
    """A standing piece in its paint."""
    plan = arrangement.plan
    red, green, blue = plan.piece_colours[piece.colour]
    return Piece(
        piece.centre,
        (blue, green, red),
        piece.colour,
        plan.piece_diameter,
        plan.piece_height,
        piece.base,
        piece.field,
    )


def _overlay(overlay: PlacedOverlay, laid: LaidBoard, art: Art) -> Flat:
    (x, y), (w, h) = overlay.corner, overlay.size
    (centre,) = laid.to_plane([(x + w / 2, y + h / 2)])
    # `size` is that on the board; the drawing's own is the other way round after odd turns.
    size = (w, h) if overlay.turn % 2 == 0 else (h, w)
    return Flat(
        art[overlay.drawing],
        size,
        (float(centre[0]), float(centre[1])),
        laid.pose.angle + 90.0 * overlay.turn,
        laid.board.thickness,
        PAPER,
        kind="overlay",
    )


@lru_cache(maxsize=64)
def _marker(number: int) -> Image:
    """A marker with its white margin, BGRA."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = _CELLS * _MARKER_CELL_PX
    margin = round(side * MARKER_MARGIN)
    black = cv2.aruco.generateImageMarker(dictionary, number, side)
    full = cv2.copyMakeBorder(black, *(margin,) * 4, cv2.BORDER_CONSTANT, value=(255,))
    return np.asarray(cv2.cvtColor(full, cv2.COLOR_GRAY2BGRA), dtype=np.uint8)
