"""Standing pieces on the fields of boards: which colour, how many, where.

A piece is a solid of revolution. Seen by the camera it covers its foot and, since it is tall, a
strip that leads away from the camera to its head: its silhouette is known from the pose of the
camera, the piece's height and its diameter. On each field the placement of no, one, two or more
pieces is sought that explains the paint seen there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout
from vision.observation import PieceReadings
from vision.pieces.bare import BARE, Strangeness
from vision.pieces.paints import evidence, grounds, likeness
from vision.pieces.placement import (
    AGAINST,
    PIECE_COST,
    PIXEL_COST,
    Pixels,
    Placement,
    Silhouette,
    halved,
    placements,
    silhouette,
)
from vision.pieces.white import White
from vision.plane import PlacedBoard, Plane

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

#: Most pieces that are told apart on one field: three, and one that stands there by mistake.
MOST = 4
#: A top view has no more pixels across a piece's foot than this: finer ones tell nothing more.
_FOOT_PX = 14.0
#: Candidate feet stand on a grid of this many pixels, in the corners of blocks of 2 x 2.
_STEP_PX = 2
#: By this share of a silhouette the best explanation must beat every other to be certain.
_CLEAR = 0.2
#: Pieces that are certain stand out: no more than this share of what is beside them looks alike.
_SPILL = 0.1
#: Score below which nothing is certain: in pictures that can be read, true pieces lie above it.
_SURE = 0.68
#: Where the outline of what has a paint's colour mixes with the ground.
_BESIDE = np.ones((3, 3), np.uint8)
#: What is this little short of being worth a piece is read as an uncertain one.
_DOUBT = 0.1


@dataclass(frozen=True)
class _Stand:
    """A placement of pieces of one colour."""

    colour: int
    placement: Placement


@dataclass(frozen=True)
class _Found:
    """A piece in a top view: its foot (x, y) in pixels, and what is said of it."""

    foot: tuple[int, int]
    colour: int
    field: int
    score: float
    certain: bool


def find_pieces(
    image: Image,
    plane: Plane,
    placed: PlacedBoard,
    layout: Layout,
    white: White,
    strange: Strangeness | None,
) -> PieceReadings:
    """Reads the standing pieces of one board of a BGR picture in which paper looks like `white`.

    `strange` says, if it is known, how far the board is from its own print: where it shows it no
    piece is looked for.
    `colour_ids` index `tuple(layout.piece_colours)`, `field_ids` the board's fields, by which the
    readings are ordered. An uncertain piece is one whose number, colour or field could be another.
    """
    return _Search(image, plane, placed, layout, white, strange).readings()


class _Search:
    """Looks for pieces on the fields of one board, in a top view at the height of its face."""

    def __init__(
        self,
        image: Image,
        plane: Plane,
        placed: PlacedBoard,
        layout: Layout,
        white: White,
        strange: Strangeness | None,
    ) -> None:
        self.plane, self.height = plane, placed.board.thickness
        self.scale = min(plane.px_per_mm, _FOOT_PX / layout.piece_diameter)
        self.diameter = layout.piece_diameter * self.scale
        quads_mm = np.stack([placed.to_plane(field.quad) for field in placed.board.fields])
        middles = quads_mm.mean(axis=1)
        tops = plane.lift(middles, self.height + layout.piece_height)
        leans = plane.drop(tops, self.height) - middles
        margin = 2.0 * layout.piece_diameter + np.abs(leans).max()
        low = quads_mm.min(axis=(0, 1)) - margin
        high = quads_mm.max(axis=(0, 1)) + margin
        self.corner = (float(low[0]), float(low[1]))
        #: Where the first pixel's middle lies.
        self.first = (self.corner[0] + 0.5 / self.scale, self.corner[1] + 0.5 / self.scale)
        # In whole blocks of 2 x 2 pixels.
        across, down = (2 * np.ceil((high - low) * self.scale / 2) / self.scale).tolist()
        size = (across, down)
        patch = plane.patch(image, self.corner, size, self.scale, self.height)
        patch = white.balanced(patch, self.corner, self.scale)
        self.quads = self._to_pixels(quads_mm)
        self.leans = leans * self.scale
        #: Nearest to the camera first: upright things lean away from the point below it, the more
        #: the farther off they are, and near ones hide those behind.
        self.order = np.argsort(np.linalg.norm(leans, axis=1), kind="stable").tolist()
        self.evidence = evidence(patch, tuple(layout.piece_colours.values()))
        self.fields = self._drawn(np.arange(len(leans)), np.full(patch.shape[:2], -1, np.int16))
        self._discount_grounds(patch)
        if strange is not None:
            self._spare_hidden(strange)
        self.seen = np.ones(patch.shape[:2], np.uint8)
        self.candidates = self._candidates(strange)

    def readings(self) -> PieceReadings:
        """The pieces of all fields."""
        found = [piece for index in self.order for piece in self._field(index)]
        found.sort(key=lambda piece: piece.field)
        feet = np.array([piece.foot for piece in found], np.float32).reshape(-1, 2)
        points = ((feet + 0.5) / self.scale + self.corner).astype(np.float32)
        return PieceReadings(
            points_mm=points,
            points_px=self.plane.lift(points, self.height),
            colour_ids=np.array([piece.colour for piece in found], np.int16),
            field_ids=np.array([piece.field for piece in found], np.int16),
            scores=np.array([piece.score for piece in found], np.float32),
            certain=np.array([piece.certain for piece in found], np.bool_),
        )

    def _field(self, index: int) -> list[_Found]:
        """The pieces of one field: of the likeliest colour, then of others beside them."""
        colours = {
            colour: feet
            for colour in range(len(self.evidence))
            if (feet := self.candidates.get((index, colour))) is not None
        }
        found: list[_Found] = []
        while colours and len(found) < MOST:
            shape = self._shape(index)
            stands = [
                _Stand(colour, placement)
                for colour, feet in colours.items()
                for placement in placements(
                    self.evidence[colour], self.seen, feet, shape, MOST - len(found)
                )
            ]
            best = max(stands, key=lambda stand: stand.placement.worth, default=None)
            if best is None or best.placement.worth <= -_DOUBT:
                break
            found += self._judged(best, stands, index)
            for foot in best.placement.feet:
                columns, rows = (np.array(foot) + shape.body).T
                self.seen[rows, columns] = 0
            del colours[best.colour]
        return found

    def _discount_grounds(self, patch: Image) -> None:
        """What looks like the ground of its field is no evidence of a piece."""
        colours = grounds(patch, self.evidence.max(axis=0), self.quads)
        ground = likeness(patch, self._drawn(colours, patch.copy()))
        ground[self.fields < 0] = 0.0
        most = 1.0 - 2.0 * ground
        for layer in self.evidence:
            cv2.min(layer, most, layer)

    def _spare_hidden(self, strange: Strangeness) -> None:
        """What hides the print beside a paint's colour does not speak against a piece of it.

        All around a small piece, along its outline, paint and ground mix.
        """
        hidden = strange.hidden_on_grid(self.first, 1 / self.scale, self.fields.shape)
        rows, columns = np.nonzero(hidden)
        mixed = self.evidence[:, rows, columns].max(axis=0) < 0.0
        rows, columns = rows[mixed], columns[mixed]
        for layer in self.evidence:
            painted = cv2.dilate(np.asarray(layer > PIXEL_COST, np.uint8), _BESIDE)
            beside = painted[rows, columns] > 0
            layer[rows[beside], columns[beside]] = 0.0

    def _candidates(self, strange: Strangeness | None) -> dict[tuple[int, int], Pixels]:
        """Pixels (n, 2) around which there is some of a colour, by field and colour."""
        fields = self.fields[::_STEP_PX, ::_STEP_PX].copy()
        if strange is not None:
            rows, columns = fields.shape
            apart = strange.on_grid(self.first, _STEP_PX / self.scale, (rows, columns))
            fields[apart < BARE] = -1
        side = max(3, round(0.7 * self.diameter / _STEP_PX))
        found: dict[tuple[int, int], Pixels] = {}
        for colour, layer in enumerate(self.evidence):
            # Another piece's head may cover part of a foot.
            trace = cv2.blur(halved(np.maximum(layer, AGAINST)), (side, side))
            rows, columns = np.nonzero((trace > 0.0) & (fields >= 0))
            own = fields[rows, columns]
            feet = np.column_stack([columns, rows])[np.argsort(own, kind="stable")] * _STEP_PX
            stops = np.bincount(own, minlength=len(self.quads)).cumsum()
            for index, part in enumerate(np.split(feet, stops[:-1])):
                if len(part):
                    found[index, colour] = part
        return found

    def _drawn(self, values: NDArray[Any], canvas: NDArray[Any]) -> NDArray[Any]:
        """The canvas with each field filled with its value."""
        corners = np.rint(self.quads * 16).astype(np.int32)
        for quad, value in zip(corners, values.tolist(), strict=True):
            cv2.fillConvexPoly(canvas, quad, value, shift=4)
        return canvas

    def _judged(self, best: _Stand, stands: Sequence[_Stand], index: int) -> Iterator[_Found]:
        """The pieces of a placement, certain if it beats its rivals clearly."""
        placement = best.placement
        feet = np.array(placement.feet)
        rivals = [
            stand.placement.worth
            for stand in stands
            if stand is not best
            and (stand.colour == best.colour or self._meet(feet, stand.placement))
        ]
        share = min(1.0, placement.worth / len(feet) + PIECE_COST + PIXEL_COST)
        clear = (
            placement.worth - max([0.0, *rivals]) >= _CLEAR
            and placement.spill <= _SPILL
            and share >= _SURE
        )
        for foot in placement.feet:
            yield _Found(foot, best.colour, index, share, clear)

    def _meet(self, feet: Pixels, other: Placement) -> bool:
        """Whether another placement needs room that these feet take."""
        gaps = np.linalg.norm(feet[:, None] - np.array(other.feet)[None], axis=-1)
        return bool((gaps < self.diameter).any())

    def _shape(self, index: int) -> Silhouette:
        """A piece on a field; whole pixels and tenths let equal ones be drawn once."""
        x, y = np.rint(self.leans[index]).tolist()
        return silhouette((x, y), round(self.diameter, 1))

    def _to_pixels(self, points_mm: Array) -> Array:
        """Pixels of the top view of points of the plane."""
        return np.asarray((points_mm - self.corner) * self.scale - 0.5, np.float32)
