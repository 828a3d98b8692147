"""Standing pieces on the fields of boards: which colour, how many, where, and how sure."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout
from vision.network import ModelMissingError, Network, network
from vision.observation import PieceReadings
from vision.pieces.feet import find_feet
from vision.pieces.fields import Standing, agrees
from vision.pieces.search import find_pieces
from vision.pieces.topview import FOOT_PX, STEP, TopView, top_view
from vision.pieces.white import White, paper_white
from vision.plane import PlacedBoard, Plane

Image = NDArray[np.uint8]
Array = NDArray[np.float32]

#: What is seen around the fields, in diameters of a foot: heads lean over the border.
_MARGIN = 1.5

_LOG = logging.getLogger(__name__)


class PieceReader:
    """Reads which pieces stand on the fields of one table's boards; two witnesses must agree.

    A search explains the paint seen on each field; a network that never saw the table looks for
    feet. What the search finds is read, and certain where the network says the same.
    """

    def __init__(self, layout: Layout) -> None:
        """If the network is not there no field will be sure, and a warning is logged.

        Raises UnreadableError if it is damaged.
        """
        self._layout = layout
        self._paints = np.array(list(layout.piece_colours.values()), np.float32) / np.float32(255)
        self._fields = sum(len(board.fields) for board in layout.boards)
        self._net: Network | None = None
        if self._fields and len(self._paints):
            try:
                self._net = network("pieces")
            except ModelMissingError as missing:
                _LOG.warning("%s No reading of a piece will be certain.", missing.what)

    def read(
        self, image: Image, plane: Plane, boards: Sequence[PlacedBoard]
    ) -> tuple[PieceReadings, NDArray[np.bool_]]:
        """The standing pieces of a BGR picture, and which fields (n,) are sure.

        Of a sure field exactly the pieces read stand on it, perhaps none; `certain` are the pieces
        of such fields. `colour_ids` index the names of the layout's paints, `field_ids` those of
        all fields in the order of its boards, which `boards` has too.
        """
        found = find_pieces(image, plane, boards, self._layout)
        sure = np.zeros(self._fields, np.bool_)
        if self._net is not None:
            white = paper_white(image, plane, self._layout)
            first = 0
            for placed in boards:
                count = len(placed.board.fields)
                if count:
                    view = self._view(image, plane, white, placed)
                    on_it = (found.field_ids >= first) & (found.field_ids < first + count)
                    sure[first : first + count] = self._agrees(
                        view, placed, found.select(on_it), first
                    )
                first += count
        sure[found.field_ids[~found.certain]] = False
        return replace(found, certain=sure[found.field_ids]), sure

    def _agrees(
        self, view: TopView, placed: PlacedBoard, found: PieceReadings, first: int
    ) -> NDArray[np.bool_]:
        """On which fields of a board the network sees what was found there."""
        assert self._net is not None
        quads = np.stack([placed.to_plane(field.quad) for field in placed.board.fields])
        standing = Standing(
            view.to_pixels(found.points_mm), found.colour_ids, found.field_ids - np.int16(first)
        )
        return agrees(find_feet(self._net, view, self._paints), standing, view.to_pixels(quads))

    def _view(self, image: Image, plane: Plane, white: White, placed: PlacedBoard) -> TopView:
        """The view of all fields of a board and what leans over their borders."""
        diameter = self._layout.piece_diameter
        quads = np.stack([placed.to_plane(field.quad) for field in placed.board.fields])
        low = quads.min(axis=(0, 1)) - _MARGIN * diameter
        size = (quads.max(axis=(0, 1)) + _MARGIN * diameter - low) * FOOT_PX / diameter
        columns, rows = (STEP * int(-(-length // STEP)) for length in size.tolist())
        return top_view(
            image,
            plane,
            white,
            (float(low[0]), float(low[1])),
            (columns, rows),
            height=placed.board.thickness,
            piece=(diameter, self._layout.piece_height),
        )
