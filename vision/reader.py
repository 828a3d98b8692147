"""Reads a table from one picture: plane, boards, tiles, faces and pieces become an Observation."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from threadpoolctl import ThreadpoolController

from vision.faces import (
    BACK,
    FaceBook,
    FaceMatcher,
    Matches,
    TemplateMatcher,
    lengthwise,
    straighten,
    turned,
)
from vision.layout import Board, Layout
from vision.network import models_hash
from vision.observation import NONE, Facing, Observation, TileReadings
from vision.pieces import find_pieces
from vision.plane import PlacedBoard, Plane, find_boards, find_plane
from vision.tiles import (
    ClassicDetector,
    Detections,
    Detector,
    Glimpse,
    overlaps,
    pack,
    rims,
    share_of_stock,
    shifted,
)

Image = NDArray[np.uint8]

#: How often faces are looked at, each time leaving out what overlaps those already certain.
ROUNDS = 3
#: So many faces named in one round show the light to the next.
LIT = 8
#: Score of the outline and likeness at a glimpse that together deserve a close look.
PROMISING = 0.75
#: Score of the outline and likeness, the mean of both looks, that together make a tile of what is
#: not certain.
EVIDENT = 0.83
#: Share of the rim that must have a colour that rims of tiles have, unless the face is certain.
OF_STOCK = 0.6
#: Tiles of a set are equal: what is larger than those that are certain by this factor is none.
OVERSIZE = 1.09
#: Score of an outline that can be seen, and how near, in its sides, a tile's neighbour touches it.
OUTLINED, TOUCHING = 0.3, 1.15
#: What an outline whose face is unknown is worth beside one whose face is known.
UNKNOWN_WORTH = 0.4
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
    ) -> None:
        """`layout` says what lies on the table, `book` what the faces of its tiles look like."""
        self._layout = layout
        self._book = book
        self._detector = ClassicDetector() if detector is None else detector
        self._matcher = TemplateMatcher(book) if matcher is None else matcher
        self._hash = f"{book.hash}-{models_hash()}"
        self._labels = tuple(label for label in book.labels if label != BACK)
        #: From the book's label ids, NONE last, to those of an Observation, which has no back.
        self._label_ids = np.array(
            [self._labels.index(b) if b != BACK else NONE for b in book.labels] + [NONE], np.int16
        )
        self._backs = [k for k, label in enumerate(book.labels) if label == BACK]
        pictures = [picture for label in book.labels for picture in book.pictures(label)]
        self._glimpse = Glimpse(pictures, book.aspect)
        taught = np.concatenate([rims(picture, _whole(picture)) for picture in pictures])
        self._stock = np.median(taught, axis=1)
        board_zones = [zone.name for board in layout.boards for zone in board.zones]
        #: For each board the quads (k, 4, 2) of it that bear no tile.
        self._bare = {board.name: _bare(board) for board in layout.boards}
        self._zones = tuple(dict.fromkeys([*board_zones, *(zone.name for zone in layout.zones)]))

    @property
    def layout(self) -> Layout:
        """What lies on the table."""
        return self._layout

    def read(
        self,
        image: Image,
        *,
        frame_id: int = 0,
        captured_at: float = 0.0,
        plane: Plane | None = None,
        boards: Sequence[PlacedBoard] | None = None,
    ) -> Observation:
        """Reads a BGR picture of shape (h, w, 3).

        `plane` and `boards` are where they are known to lie in this picture; what is not given is
        found by its markers. Raises UnreadableError if the plane can't be found.
        """
        size = (image.shape[1], image.shape[0])
        clock = _Clock()
        with _BLAS.limit(limits=1):
            if plane is None:
                plane = find_plane(image, self._layout)
            if boards is None:
                boards = find_boards(image, plane, self._layout)
            clock.lap("plane")
            found = self._detector.detect(
                image, plane, self._layout.tile, self._layout.tile_thickness
            )
            found = found.select(self._may_lie(found, boards))
            clock.lap("tiles")
            tiles = self._name(image, found, boards)
            clock.lap("faces")
            pieces = find_pieces(image, plane, boards, self._layout)
            clock.lap("pieces")
        return Observation(
            frame_id=frame_id,
            captured_at=captured_at,
            size_px=size,
            calibration_id=plane.calibration_id,
            model_hash=self._hash,
            labels=self._labels,
            zones=self._zones,
            fields=tuple(field.name for board in self._layout.boards for field in board.fields),
            colours=tuple(self._layout.piece_colours),
            markers=plane.markers,
            boards=tuple(placed.board.name for placed in boards if placed.found),
            tiles=tiles,
            pieces=pieces,
            ms=clock.total(),
        )

    def _may_lie(self, found: Detections, boards: Sequence[PlacedBoard]) -> NDArray[np.bool_]:
        """Which finds lie where a tile may: on the plane, off markers and places for pieces."""
        centres = np.asarray(found.quads_mm.mean(axis=1), np.float32)
        width, height = self._layout.size
        may = np.asarray(((centres >= 0) & (centres <= (width, height))).all(axis=1), np.bool_)
        taken = [_quads(_square(marker.centre, marker.side) for marker in self._layout.markers)]
        taken += [placed.to_plane(self._bare[placed.board.name]) for placed in boards]
        return may & ~_in_any(centres, np.concatenate(taken).astype(np.float32))

    def _name(self, image: Image, found: Detections, boards: Sequence[PlacedBoard]) -> TileReadings:
        """The tiles among the finds, with their faces."""
        quads_px, quads_mm = (
            turned(quads, lengthwise(found.quads_mm, self._book.aspect))
            for quads in (found.quads_px, found.quads_mm)
        )
        like, shift = self._glimpse.look(image, quads_px)
        promise = found.scores + like.clip(0)
        found = Detections(shifted(quads_mm, shift), shifted(quads_px, shift), found.scores)
        promising = promise > PROMISING
        found, promise = found.select(promising), promise[promising]
        looked, matches = self._look(image, found, promise)
        found, promise = found.select(looked), promise[looked]
        rim = rims(image, found.quads_px)
        known = matches.label_ids != NONE
        evidence = (found.scores + matches.candidate_scores[:, 0] + promise) / 2
        worth = np.where(known, evidence, UNKNOWN_WORTH * evidence)
        worth[~matches.certain & (evidence < EVIDENT)] = 0
        stock = np.concatenate([self._stock, np.median(rim[matches.certain], axis=1)])
        worth[~matches.certain & (share_of_stock(rim, stock) < OF_STOCK)] = 0
        worth[~matches.certain & _oversize(found.quads_mm, matches.certain)] = 0
        kept = pack(np.asarray(worth, np.float32), overlaps(found.quads_mm))
        upright_px, upright_mm = (
            turned(quads, matches.turns)[kept] for quads in (found.quads_px, found.quads_mm)
        )
        down = np.isin(matches.label_ids, self._backs)
        return TileReadings(
            quads_mm=upright_mm,
            quads_px=upright_px,
            found_scores=found.scores[kept],
            label_ids=self._label_ids[matches.label_ids[kept]],
            facings=np.where(down[kept], Facing.DOWN, Facing.UP).astype(np.int8),
            certain=_outlined(upright_mm, found.scores[kept], matches.certain[kept]),
            **self._candidates(matches, kept),
            zone_ids=self._zone_ids(upright_mm.mean(axis=1), boards),
        )

    def _look(
        self, image: Image, found: Detections, promise: NDArray[np.float32]
    ) -> tuple[NDArray[np.intp], Matches]:
        """Indices of the finds that were looked at closely, and what they show.

        `promise` (n,) is how likely each is to be a tile. A close look costs far more than a
        glimpse: each round looks at the best finds that do not overlap, and what overlaps a tile
        that is certain by then is left out.
        """
        rivals, open_ = overlaps(found.quads_mm), promise.copy()
        looked, known = np.zeros(0, np.intp), Matches.empty()
        lit = np.zeros((0, *self._book.crop_size[::-1], 3), np.uint8)
        for _ in range(ROUNDS):
            chosen = pack(open_, rivals)
            if not len(chosen):
                break
            crops = straighten(image, found.quads_px[chosen], self._book.crop_size)
            # A few faces named before tell the matcher the light, which one face alone can't.
            matches = self._matcher.match(np.concatenate([crops, lit]))
            matches = _selected(matches, np.arange(len(crops)))
            lit = np.concatenate([lit, crops[matches.certain]])[:LIT]
            looked, known = np.concatenate([looked, chosen]), _joined(known, matches)
            open_[chosen] = 0
            for find in chosen[matches.certain].tolist():
                open_[list(rivals[find])] = 0
        return looked, known

    def _candidates(self, matches: Matches, kept: NDArray[np.intp]) -> dict[str, NDArray[Any]]:
        """The candidates of the kept ones among the labels of an Observation, best first."""
        ids = self._label_ids[matches.candidate_ids[kept]]
        scores = np.where(ids == NONE, 0, matches.candidate_scores[kept]).astype(np.float32)
        # The back is no label: what comes after it moves up.
        order = np.argsort(ids == NONE, axis=1, kind="stable")
        return {
            "candidate_ids": np.take_along_axis(ids, order, axis=1),
            "candidate_scores": np.take_along_axis(scores, order, axis=1),
        }

    def _zone_ids(
        self, centres: NDArray[np.float32], boards: Sequence[PlacedBoard]
    ) -> NDArray[np.int16]:
        """The zone of each centre (n, 2): that of a board before one of the plane.

        NONE also where two boards were pushed so close together that either may bear the tile.
        """
        ids = np.full(len(centres), NONE, np.int16)
        for zone in reversed(self._layout.zones):
            ids[_inside(centres, zone.polygon)] = self._zones.index(zone.name)
        bearing = np.zeros(len(centres), np.int16)
        for placed in boards:
            borne = np.zeros(len(centres), np.bool_)
            for zone in reversed(placed.board.zones):
                inside = _inside(centres, placed.to_plane(zone.polygon))
                ids[inside] = self._zones.index(zone.name)
                borne |= inside
            bearing += borne
        ids[bearing > 1] = NONE
        return ids


class _Clock:
    """Milliseconds spent on each part."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._ms: dict[str, float] = {}

    def lap(self, part: str) -> None:
        now = time.perf_counter()
        self._ms[part] = 1e3 * (now - self._last)
        self._last = now

    def total(self) -> dict[str, float]:
        """All parts, and the time since the start."""
        return {**self._ms, "total": 1e3 * (time.perf_counter() - self._start)}


def _selected(matches: Matches, keep: NDArray[np.intp]) -> Matches:
    return Matches(*(getattr(matches, part.name)[keep] for part in fields(Matches)))


def _joined(matches: Matches, more: Matches) -> Matches:
    return Matches(
        *(
            np.concatenate([getattr(part_of, part.name) for part_of in (matches, more)])
            for part in fields(Matches)
        )
    )


def _whole(picture: Image) -> NDArray[np.float32]:
    """The quad of a whole picture, shape (1, 4, 2)."""
    height, width = picture.shape[:2]
    return np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32) - 0.5


def _outlined(
    quads_mm: NDArray[np.float32], scores: NDArray[np.float32], certain: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which of the `certain` tiles show an outline, or touch such a one, or one that does.

    Where tiles touch, their seams may be unseen; a coin on pale cloth may pass for the print of a
    tile, but nothing around it shows a tile's edge.
    """
    centres = quads_mm.mean(axis=1)
    sides = np.linalg.norm(np.roll(quads_mm, -1, axis=1) - quads_mm, axis=2).max(axis=1)
    near = np.linalg.norm(centres[:, None] - centres[None], axis=2) < TOUCHING * sides
    reached = np.asarray(certain & (scores >= OUTLINED), np.bool_)
    while (grown := certain & (near & reached).any(axis=1)).sum() > reached.sum():
        reached = np.asarray(grown, np.bool_)
    return reached


def _oversize(quads_mm: NDArray[np.float32], certain: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which quads (n, 4, 2) are larger than those of the tiles that are certain, if there are."""
    diagonals = np.linalg.norm(quads_mm[:, 2] - quads_mm[:, 0], axis=1)
    if not certain.any():
        return np.zeros(len(quads_mm), np.bool_)
    return np.asarray(diagonals > OVERSIZE * np.median(diagonals[certain]), np.bool_)


def _square(centre: tuple[float, float], side: float) -> list[tuple[float, float]]:
    x, y, half = *centre, side / 2
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _quads(quads: Iterable[ArrayLike]) -> NDArray[np.float32]:
    """Quads as one array (n, 4, 2), even if there is none."""
    return np.array(list(quads), np.float32).reshape(-1, 4, 2)


def _bare(board: Board) -> NDArray[np.float32]:
    """Where on a board no tile lies: quads (k, 4, 2) of its markers and fields, or all of it."""
    width, height = board.size
    bare: list[ArrayLike] = [_square(marker.centre, marker.side) for marker in board.markers]
    bare += [field.quad for field in board.fields]
    if board.fields and not board.zones:  # A board for pieces alone.
        bare.append([(0, 0), (width, 0), (width, height), (0, height)])
    return _quads(bare)


def _in_any(points: NDArray[np.float32], quads: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which points (n, 2) lie inside any of convex quads (k, 4, 2), clockwise as seen."""
    x, y = np.moveaxis(quads, 2, 0)
    dx, dy = (np.roll(part, -1, axis=1) - part for part in (x, y))
    # The lines of the sides, by side: their product with a point is above 0 inside.
    sides = np.stack([-dy, dx, dy * x - dx * y]).transpose(2, 0, 1)
    inward = np.column_stack([points, np.ones(len(points), np.float32)]) @ sides
    return np.asarray((inward.min(axis=0) > 0).any(axis=1), np.bool_)


def _inside(points: NDArray[np.float32], polygon: ArrayLike) -> NDArray[np.bool_]:
    """Which points (n, 2) lie inside a polygon (k, 2), by the crossings of a ray to the right."""
    corners = np.asarray(polygon, np.float64)
    after = np.roll(corners, -1, axis=0)
    x, y = points[:, :1], points[:, 1:]
    spans = (corners[:, 1] > y) != (after[:, 1] > y)
    rise = np.where(after[:, 1] == corners[:, 1], 1, after[:, 1] - corners[:, 1])
    crossing = corners[:, 0] + (y - corners[:, 1]) * (after[:, 0] - corners[:, 0]) / rise
    return np.asarray((spans & (x < crossing)).sum(axis=1) % 2 == 1, np.bool_)
