"""Reads a table from one picture: plane, boards, tiles, faces and pieces become an Observation."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import compress

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from vision.dial import DialReader
from vision.faces import FaceBook, FaceMatcher
from vision.layout import Layout
from vision.network import models_hash
from vision.observation import Observation, PieceReadings
from vision.pieces import PieceReader
from vision.plane import PlacedBoard, Plane, find_boards, find_plane
from vision.tile_reader import TileReader
from vision.tiles import Detections, Detector

Image = NDArray[np.uint8]

#: The matrices are small: with more threads BLAS waits for busy cores far longer than it computes.
_BLAS = ThreadpoolController()


class TableReader:
    """Reads pictures of one table; holds no state between them."""

    def __init__(
        self,
        layout: Layout,
        book: FaceBook,
        *,
        detector: Detector | None = None,
        matcher: FaceMatcher | None = None,
        dial: DialReader | None = None,
    ) -> None:
        """`layout` says what lies on the table, `book` what the faces of its tiles look like.

        `dial` reads the table's dial, if there is one that matters.

        Raises UnreadableError if the book is empty, or a network is damaged.
        """
        self._layout = layout
        self._tiles = TileReader(layout, book, detector, matcher)
        self._pieces = PieceReader(layout)
        self._dial = dial
        self._fields = tuple(field.name for board in layout.boards for field in board.fields)
        self._hash = f"{book.hash}-{models_hash()}"
        # Pieces are read on one core while faces are on another.
        self._beside = ThreadPoolExecutor(1, "pieces")

    @property
    def layout(self) -> Layout:
        """What lies on the table."""
        return self._layout

    def find(self, image: Image, plane: Plane, boards: Sequence[PlacedBoard]) -> Detections:
        """Where tiles may lie on a BGR picture, to read this and other pictures of the same table.

        What is read of these places on each picture is that picture's own.
        """
        with _BLAS.limit(limits=1):
            return self._tiles.find(image, plane, boards)

    def read(
        self,
        image: Image,
        *,
        frame_id: int = 0,
        captured_at: float = 0.0,
        plane: Plane | None = None,
        boards: Sequence[PlacedBoard] | None = None,
        bare: Mapping[str, Image] | None = None,
        found: Detections | None = None,
    ) -> Observation:
        """Reads a BGR picture of shape (h, w, 3).

        `plane` and `boards` are where they are known to lie in this picture; what is not given is
        found by its markers. `bare` are pictures of the faces of boards with nothing on them, as
        far as they are known: see `PieceReader.read`. Raises UnreadableError if the plane can't be
        found. `found` is where tiles may lie, if `find` has told it of a picture of the same still
        table.
        """
        clock = _Clock()
        with clock.part("total"), _BLAS.limit(limits=1):
            with clock.part("plane"):
                if plane is None:
                    plane = find_plane(image, self._layout)
                if boards is None:
                    boards = find_boards(image, plane, self._layout)
            if found is None:
                with clock.part("tiles"):
                    found = self._tiles.find(image, plane, boards)
            standing = self._beside.submit(self._read_pieces, image, plane, boards, bare, clock)
            with clock.part("faces"):
                tiles = self._tiles.read(image, found, boards)
            dial = None
            if self._dial is not None:
                with clock.part("dial"):
                    dial = self._dial.read(image, plane)
            pieces, sure = standing.result()
        return Observation(
            frame_id=frame_id,
            captured_at=captured_at,
            size_px=(image.shape[1], image.shape[0]),
            calibration_id=plane.calibration_id,
            model_hash=self._hash,
            labels=self._tiles.labels,
            zones=self._tiles.zones,
            fields=self._fields,
            colours=tuple(self._layout.piece_colours),
            markers=plane.markers,
            boards=tuple(placed.board.name for placed in boards if placed.found),
            sure_fields=tuple(compress(self._fields, sure)),
            tiles=tiles,
            pieces=pieces,
            dial=dial,
            ms=clock.ms,
        )

    def _read_pieces(
        self,
        image: Image,
        plane: Plane,
        boards: Sequence[PlacedBoard],
        bare: Mapping[str, Image] | None,
        clock: _Clock,
    ) -> tuple[PieceReadings, NDArray[np.bool_]]:
        with clock.part("pieces"):
            return self._pieces.read(image, plane, boards, bare)


class _Clock:
    """Milliseconds spent on each part."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.ms[name] = 1e3 * (time.perf_counter() - began)
