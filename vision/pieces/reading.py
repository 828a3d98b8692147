"""Standing pieces on the fields of boards: which colour, how many, where.

A small network looks at the top view of each board that has fields: it was trained on rendered
maps of any print, with pieces of any outline (see `models/pieces`). It is told how pieces lean in
the picture and which paints were taught.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout
from vision.network import ModelMissingError, network
from vision.observation import PieceReadings
from vision.pieces.feet import find_feet
from vision.pieces.fields import on_fields
from vision.pieces.topview import FOOT_PX, STEP, TopView, top_view
from vision.pieces.white import White, paper_white
from vision.plane import PlacedBoard, Plane

Image = NDArray[np.uint8]
Array = NDArray[np.float32]

#: What is seen around the fields, in diameters of a foot: heads lean over the border.
_MARGIN = 1.5


def find_pieces(
    image: Image, plane: Plane, boards: Sequence[PlacedBoard], layout: Layout
) -> PieceReadings:
    """The standing pieces of a BGR picture; `certain` are those of fields that are sure.

    `colour_ids` index `tuple(layout.piece_colours)`, `field_ids` the names of all fields in the
    order of the layout's boards.
    """
    return read_fields(image, plane, boards, layout)[0]


def read_fields(
    image: Image, plane: Plane, boards: Sequence[PlacedBoard], layout: Layout
) -> tuple[PieceReadings, NDArray[np.bool_]]:
    """The same, and of all fields which are sure: exactly the pieces read stand on them."""
    readings = PieceReadings.empty()
    sure = np.zeros(sum(len(placed.board.fields) for placed in boards), np.bool_)
    if not layout.piece_colours or not len(sure):
        return readings, sure
    try:
        net = network("pieces")
    except ModelMissingError as missing:
        warnings.warn(f"Pieces on fields are not read. {missing}", RuntimeWarning, stacklevel=2)
        return readings, sure
    white = paper_white(image, plane, layout)
    taught = np.array(list(layout.piece_colours.values()), np.float32) / np.float32(255)
    first = 0
    for placed in boards:
        count = len(placed.board.fields)
        if not count:
            continue
        quads = np.stack([placed.to_plane(field.quad) for field in placed.board.fields])
        view = _view(image, plane, white, layout, placed.board.thickness, quads)
        stands = on_fields(find_feet(net, view, taught), view.to_pixels(quads), view.lean)
        sure[first : first + count] = stands.sure
        points = view.to_mm(stands.points)
        readings = readings.merged(
            PieceReadings(
                points_mm=points,
                points_px=plane.lift(points, placed.board.thickness),
                colour_ids=stands.colours,
                field_ids=(stands.fields + first).astype(np.int16),
                scores=stands.scores,
                certain=stands.sure[stands.fields],
            )
        )
        first += count
    return readings.select(np.argsort(readings.field_ids, kind="stable")), sure


def _view(
    image: Image, plane: Plane, white: White, layout: Layout, height: float, quads: Array
) -> TopView:
    """The view of all fields of a board and what leans over their borders."""
    diameter = layout.piece_diameter
    low = quads.min(axis=(0, 1)) - _MARGIN * diameter
    size = (quads.max(axis=(0, 1)) + _MARGIN * diameter - low) * FOOT_PX / diameter
    columns, rows = (STEP * int(-(-length // STEP)) for length in size.tolist())
    return top_view(
        image,
        plane,
        white,
        (float(low[0]), float(low[1])),
        (columns, rows),
        height=height,
        piece=(diameter, layout.piece_height),
    )
