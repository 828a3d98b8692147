"""Standing pieces on the fields of boards: which colour, how many, where, and how sure."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout
from vision.network import ModelMissingError, Network, network
from vision.observation import PieceReadings
from vision.pieces.bare import reduced, strangeness
from vision.pieces.feet import find_feet
from vision.pieces.fields import Standing, agrees
from vision.pieces.likely import likely_pieces
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
    """Reads which pieces stand on the fields of one table's boards; three witnesses must agree.

    A search explains the paint seen on each field; a network that never saw the table looks for
    feet; the board's own print shows where nothing stands. What the search finds is read, and
    certain where the others say the same. Of a board whose print is unknown the network's feet are
    read, more readily where the search found the same, and none is certain.
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
        #: By the board's name, the last picture of its face, and the same at the views' scale.
        self._prints: dict[str, tuple[Image, Image]] = {}
        # The network runs on one core while the paint is searched on another.
        self._beside = ThreadPoolExecutor(1, "feet")

    def read(
        self,
        image: Image,
        plane: Plane,
        boards: Sequence[PlacedBoard],
        bare: Mapping[str, Image] | None = None,
    ) -> tuple[PieceReadings, NDArray[np.bool_]]:
        """The standing pieces of a BGR picture, and which fields (n,) are sure.

        Of a sure field exactly the pieces read stand on it, perhaps none; `certain` are the pieces
        of such fields. `colour_ids` index the names of the layout's paints, `field_ids` those of
        all fields in the order of its boards, which `boards` has too. `bare` are pictures of the
        faces of boards by name, BGR, with nothing on them, as far as they are known: where a board
        shows its own print nothing stands. No field of a board whose print is unknown is sure: what
        a print may show has no end.
        """
        sure = np.zeros(self._fields, np.bool_)
        if not self._fields or not len(self._paints):
            return PieceReadings.empty(), sure
        white = paper_white(image, plane, self._layout)
        readings, first = PieceReadings.empty(), 0
        for placed in boards:
            count = len(placed.board.fields)
            if count:
                face = None if bare is None else bare.get(placed.board.name)
                found, certain = self._of_board(image, plane, placed, white, face)
                sure[first : first + count] = certain
                fields = found.field_ids + np.int16(first)
                readings = readings.merged(
                    replace(found, field_ids=fields, certain=certain[found.field_ids])
                )
            first += count
        return readings, sure

    def _of_board(
        self, image: Image, plane: Plane, placed: PlacedBoard, white: White, bare: Image | None
    ) -> tuple[PieceReadings, NDArray[np.bool_]]:
        """The pieces of one board, and which of its fields are sure; `field_ids` are its own."""
        fields, height = placed.board.fields, placed.board.thickness
        unsure = np.zeros(len(fields), np.bool_)
        quads = np.stack([placed.to_plane(field.quad) for field in fields])
        view = self._view(image, plane, white, height, quads)
        feet = None
        if self._net is not None:
            feet = self._beside.submit(find_feet, self._net, view, self._paints)
        strange = None
        if bare is not None:
            strange = strangeness(view, placed, self._print(view, placed, bare))
        found = find_pieces(image, plane, placed, self._layout, white, strange)
        if feet is None:
            return found, unsure
        if strange is None:
            return likely_pieces(feet.result(), found, view, plane, quads, height), unsure
        standing = Standing(
            view.to_pixels(found.points_mm), found.colour_ids, found.field_ids, found.certain
        )
        return found, agrees(feet.result(), standing, view.to_pixels(quads), strange)

    def _print(self, view: TopView, placed: PlacedBoard, bare: Image) -> Image:
        """The board's print at the scale of the views: the same picture comes frame after frame."""
        kept = self._prints.get(placed.board.name)
        if kept is None or kept[0] is not bare:
            kept = bare, reduced(bare, placed.board.size, view.px_per_mm)
            self._prints[placed.board.name] = kept
        return kept[1]

    def _view(
        self, image: Image, plane: Plane, white: White, height: float, quads: Array
    ) -> TopView:
        """The view of fields (n, 4, 2) `height` mm above the plane and what leans over them."""
        diameter = self._layout.piece_diameter
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
            piece=(diameter, self._layout.piece_height),
        )
