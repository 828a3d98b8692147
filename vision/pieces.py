"""Standing pieces on the fields of boards: which colour, how many, where.

A piece is a solid of revolution. Seen by the camera it covers its foot and, since it is tall, a
strip that leads away from the camera to its head: its silhouette is known from the pose of the
camera, the piece's height and its diameter. On each field the placement of no, one, two or three
pieces is sought that explains the paint seen there; pieces do not stand in each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout
from vision.observation import PieceReadings
from vision.paints import balanced, evidence, ground_likeness, paper_white
from vision.plane import Image, PlacedBoard, Plane

Array = NDArray[np.float32]

#: Most pieces that stand on one field.
MOST = 3
#: Radius at some heights of a turned figure with a foot, a waist and a head, as shares.
_PROFILE = ((0.0, 1.0), (0.12, 0.95), (0.35, 0.6), (0.6, 0.45), (0.75, 0.5), (0.93, 0.45))
#: A top view has no more pixels across a piece's foot than this: finer ones tell nothing more.
_FOOT_PX = 14.0
#: Candidate feet stand on a grid of this many pixels; no more than so many are combined.
_STEP_PX = 2
_CANDIDATES = 64
#: Two feet are at least this far apart, in diameters: side by side, seen a bit off.
_APART = 0.9
#: What evidence a pixel must give on average before a piece is worth assuming.
_PIXEL_COST = 0.3
#: Evidence against a piece counts no more than this: a pixel can be glare or another piece's edge.
_AGAINST = -0.5
#: What a piece must explain beyond that, as a share of its silhouette.
_PIECE_COST = 0.15
#: By this share of a silhouette the best explanation must beat every other to be certain.
_CLEAR = 0.15
#: Width of the rim around a silhouette that must not look like the piece, as share of diameter,
#: and the weight of the whole rim against the whole silhouette.
_RIM = 0.2
_RIM_WEIGHT = 0.7
#: A foot nearer than this to a field's border (in diameters) may belong to the next field.
_BORDER = 0.1
#: A piece of which a nearer one hides more than this share is not looked for.
_MOST_HIDDEN = 0.6


@dataclass(frozen=True, eq=False)
class _Shape:
    """A piece's silhouette in a top view: offsets (n, 2) x, y in pixels from its foot."""

    body: NDArray[np.intp]
    rim: NDArray[np.intp]


@dataclass(frozen=True)
class _Stand:
    """The best placement of some pieces of a colour: feet as (x, y) pixels, and its worth.

    The worth is what the pixels say for the pieces, less what pieces cost, in silhouettes.
    """

    colour: int
    feet: tuple[tuple[int, int], ...]
    worth: float


def find_pieces(
    image: Image,
    plane: Plane,
    boards: Sequence[PlacedBoard],
    layout: Layout,
    tiles_px: Array | None = None,
) -> PieceReadings:
    """Reads the standing pieces of a BGR picture.

    `colour_ids` index `tuple(layout.piece_colours)`, `field_ids` the names of all fields in the
    order of the layout's boards. `tiles_px`, shape (n, 4, 2), are tiles whose print says nothing
    of pieces. An uncertain piece is one whose number, colour or field could be another.
    """
    found = PieceReadings.empty()
    if not layout.piece_colours:
        return found
    white = paper_white(image, plane, layout)
    first = 0
    for placed in boards:
        if placed.board.fields:
            search = _Search(image, plane, placed, layout, white, tiles_px)
            for i in search.order():
                found = found.merged(search.read(i, first + i))
        first += len(placed.board.fields)
    return found.select(np.argsort(found.field_ids, kind="stable"))


class _Search:
    """Looks for pieces on the fields of one board, in a top view at the height of its face."""

    def __init__(
        self,
        image: Image,
        plane: Plane,
        placed: PlacedBoard,
        layout: Layout,
        white: tuple[Array, Array],
        tiles_px: Array | None,
    ) -> None:
        self.plane, self.layout = plane, layout
        self.height = placed.board.thickness
        self.scale = min(plane.px_per_mm, _FOOT_PX / layout.piece_diameter)
        self.quads = np.stack([placed.to_plane(field.quad) for field in placed.board.fields])
        self.middles = self.quads.mean(axis=1)
        leans = np.stack([self._lean(middle) for middle in self.middles])
        margin = 1.5 * layout.piece_diameter + np.abs(leans).max()
        low = self.quads.min(axis=(0, 1)) - margin
        high = self.quads.max(axis=(0, 1)) + margin
        self.corner = (float(low[0]), float(low[1]))
        size = (float(high[0] - low[0]), float(high[1] - low[1]))
        patch = plane.patch(image, self.corner, size, self.scale, self.height)
        patch = balanced(patch, self.corner, self.scale, white)
        self.evidence = evidence(patch, tuple(layout.piece_colours.values()))
        for quad in self._to_pixels(self.quads):
            (x0, y0), (x1, y1) = np.rint([quad.min(axis=0), quad.max(axis=0)]).astype(int)
            window = (slice(y0, y1 + 1), slice(x0, x1 + 1))
            own = 1.0 - 2.0 * ground_likeness(patch[window])
            view = self.evidence[:, window[0], window[1]]
            np.minimum(view, own, out=view)
        self.open = np.ones(patch.shape[:2], np.uint8)
        if tiles_px is not None and len(tiles_px):
            tiles = self._to_pixels(plane.drop(tiles_px, self.height))
            cv2.fillPoly(self.open, list(np.rint(tiles).astype(np.int32)), 0)
        side = max(3, round(0.7 * layout.piece_diameter * self.scale))
        self.traces = np.stack([cv2.blur(layer, (side, side)) for layer in self.evidence])

    def order(self) -> list[int]:
        """Fields, the nearest to the camera first: pieces there hide those behind."""
        # Upright things lean away from the point below the camera, the more the farther off.
        leans = np.stack([self._lean(middle) for middle in self.middles])
        return [int(i) for i in np.argsort(np.linalg.norm(leans, axis=1), kind="stable")]

    def read(self, index: int, field_id: int) -> PieceReadings:
        """The pieces of one field: of the likeliest colour, then of others beside them."""
        shape = self._shape(self.middles[index])
        colours = list(range(len(self.evidence)))
        found, room = PieceReadings.empty(), MOST
        while room:
            stands = [stand for c in colours for stand in self._stands(c, index, shape, room)]
            best = max(stands, key=lambda stand: stand.worth, default=None)
            if best is None or best.worth <= 0.0:
                break
            found = found.merged(self._readings(best, stands, index, field_id))
            for foot in best.feet:
                columns, rows = (np.array(foot) + shape.body).T
                self.open[rows, columns] = 0
            room -= len(best.feet)
            colours.remove(best.colour)
        return found

    def _stands(self, colour: int, index: int, shape: _Shape, room: int) -> list[_Stand]:
        """The best placement of each number, up to `room`, of pieces of a colour."""
        quad = self._to_pixels(self.quads[index])
        x0, y0 = np.floor(quad.min(axis=0)).astype(int)
        x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 1
        trace = self.traces[colour, y0:y1:_STEP_PX, x0:x1:_STEP_PX]
        rows, columns = np.nonzero(trace > _PIXEL_COST)
        feet = np.column_stack([columns, rows]) * _STEP_PX + (x0, y0)
        feet = feet[_inside(quad, feet)]
        if not len(feet):
            return []
        flat = feet @ (1, self.open.shape[1])
        stride = np.array([1, self.open.shape[1]])
        body, rim = shape.body @ stride, shape.rim @ stride
        seen = self.open.ravel()
        clue = (np.maximum(self.evidence[colour].ravel(), _AGAINST) - _PIXEL_COST) * seen
        like = np.maximum(self.evidence[colour].ravel(), 0.0) * seen
        weight = _RIM_WEIGHT / len(rim)
        worth = clue[flat[:, None] + body].sum(axis=1) / len(body)
        worth -= weight * like[flat[:, None] + rim].sum(axis=1)
        hidden = 1.0 - seen[flat[:, None] + body].mean(axis=1)
        good = np.flatnonzero((worth > 0.0) & (hidden <= _MOST_HIDDEN))
        if not len(good):
            return []
        good = good[np.argsort(-worth[good])[:_CANDIDATES]]
        feet, flat, worth = feet[good], flat[good], worth[good]
        size = self.open.shape
        pairs = self._pairs(
            feet, shape, clue.reshape(size) / len(body), like.reshape(size) * np.float32(weight)
        )
        return [_Stand(colour, *stand) for stand in _best(feet, worth, pairs, room)]

    def _pairs(self, feet: NDArray[np.intp], shape: _Shape, clue: Array, like: Array) -> Array:
        """What two pieces are worth together beyond what each is worth alone, shape (n, n).

        Pixels that both cover count once, and one's body is no fault in the other's rim.
        """
        reach = np.concatenate([shape.body, shape.rim])
        low = feet.min(axis=0) + reach.min(axis=0)
        width, height = feet.max(axis=0) + reach.max(axis=0) - low + 1
        stride = np.array([1, width])
        start = ((feet - low) @ stride)[:, None]
        body = np.zeros((len(feet), width * height), np.float32)
        np.put_along_axis(body, start + shape.body @ stride, 1.0, axis=1)
        whole = body.copy()
        np.put_along_axis(whole, start + shape.rim @ stride, 1.0, axis=1)
        window = (slice(low[1], low[1] + height), slice(low[0], low[0] + width))
        own, rim = clue[window].ravel(), like[window].ravel()
        together = (whole * rim) @ whole.T - (body * (own + rim)) @ body.T
        apart = np.linalg.norm(feet[:, None] - feet[None], axis=-1)
        together[apart < _APART * self.layout.piece_diameter * self.scale] = -np.inf
        return np.asarray(together, np.float32)

    def _readings(
        self, best: _Stand, stands: Sequence[_Stand], index: int, field_id: int
    ) -> PieceReadings:
        """The readings of a placement, certain if it beats its rivals clearly."""
        reach = self.layout.piece_diameter * self.scale
        rivals = [
            stand.worth
            for stand in stands
            if stand is not best
            and (stand.colour == best.colour or _near(stand.feet, best.feet, reach))
        ]
        clear = best.worth - max([0.0, *rivals]) >= _CLEAR
        feet = np.array(best.feet)
        inner = _depth(self._to_pixels(self.quads[index]), feet) >= _BORDER * reach
        n = len(feet)
        points = ((feet + 0.5) / self.scale + self.corner).astype(np.float32)
        share = best.worth / n + _PIECE_COST + _PIXEL_COST
        return PieceReadings(
            points_mm=points,
            points_px=self.plane.lift(points, self.height),
            colour_ids=np.full(n, best.colour, np.int16),
            field_ids=np.full(n, field_id, np.int16),
            scores=np.full(n, np.clip(share, 0.0, 1.0), np.float32),
            certain=np.asarray(clear & inner, np.bool_),
        )

    def _lean(self, point: Array) -> Array:
        """From a piece's foot to where its head covers the board, in mm."""
        top = self.height + self.layout.piece_height
        return self.plane.drop(self.plane.lift(point, top), self.height) - point

    def _shape(self, point: Array) -> _Shape:
        """The silhouette of a piece that stands at `point`."""
        lean = self._lean(point) * self.scale
        radius = self.layout.piece_diameter * self.scale / 2
        half = int(np.ceil(np.abs(lean).max() + 2 * radius)) + 1
        canvas = np.zeros((2 * half + 1, 2 * half + 1), np.uint8)
        heights, radii = np.array(_PROFILE).T
        for share in np.linspace(0.0, _PROFILE[-1][0], 12):
            wide = float(np.interp(share, heights, radii)) * radius
            x, y = np.rint((half + share * lean) * 16).astype(int).tolist()
            cv2.circle(canvas, (x, y), round(wide * 16), 255, -1, cv2.LINE_AA, shift=4)
        whole = (canvas > 127).astype(np.uint8)
        # Along the outline colours mix, and feet stand between the grid's steps.
        body = cv2.erode(whole, _disc(1))
        near = cv2.dilate(whole, _disc(1))
        width = round(self.layout.piece_diameter * self.scale * _RIM)
        rim = cv2.dilate(near, _disc(width)) - near
        return _Shape(_offsets(body > 0, half), _offsets(rim > 0, half))

    def _to_pixels(self, points_mm: Array) -> Array:
        """Pixels of the top view of points of the plane."""
        return np.asarray((points_mm - self.corner) * self.scale - 0.5, np.float32)


def _best(
    feet: NDArray[np.intp], worth: Array, pairs: Array, room: int
) -> Iterator[tuple[tuple[tuple[int, int], ...], float]]:
    """The best one, two and three (up to `room`) of the candidates, with what they are worth."""
    one = worth - _PIECE_COST
    totals = [one, one[:, None] + one + pairs]
    totals.append(totals[1][:, :, None] + (one + pairs[:, None]) + pairs)
    for total in totals[:room]:
        chosen = np.unravel_index(int(total.argmax()), total.shape)
        if np.isfinite(total[chosen]):
            yield tuple((int(feet[i][0]), int(feet[i][1])) for i in chosen), float(total[chosen])


def _near(
    some: tuple[tuple[int, int], ...], others: tuple[tuple[int, int], ...], reach: float
) -> bool:
    """Whether some foot lies within `reach` of another."""
    return any(np.hypot(a[0] - b[0], a[1] - b[1]) < reach for a in some for b in others)


def _inside(quad: Array, points: NDArray[np.intp]) -> NDArray[np.bool_]:
    return _depth(quad, points) >= 0.0


def _depth(quad: Array, points: NDArray[np.intp]) -> Array:
    """How far points (n, 2) lie within a clockwise convex quad, in pixels."""
    edges = np.roll(quad, -1, axis=0) - quad
    inward = np.column_stack([-edges[:, 1], edges[:, 0]])
    inward /= np.linalg.norm(inward, axis=1, keepdims=True)
    depths = ((points[:, None] - quad[None]) * inward[None]).sum(axis=-1)
    return np.asarray(depths.min(axis=1), np.float32)


def _disc(radius: int) -> Image:
    size = 2 * radius + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def _offsets(mask: NDArray[np.bool_], half: int) -> NDArray[np.intp]:
    rows, columns = np.nonzero(mask)
    return np.column_stack([columns, rows]) - half
