"""The table plane in millimetres, and the boards that lie on it.

The plane is found by its corner markers, or given by its four corners. `Plane` maps between
pixels and plane millimetres, at the table top and at any height above it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.consensus import FEWEST_MARKERS, fit_markers
from vision.errors import UnreadableError
from vision.layout import Board, Layout, Marker
from vision.markers import Sighting, find_hard_markers, find_markers, look_closely
from vision.pinhole import Array, Landmark, Lens, View, fit_view, view_from_homography

Points = NDArray[np.float32]
Image = NDArray[np.uint8]

#: The side of a board's marker may differ from its length by this share.
_SHAPE_SLACK = 0.25
#: Maps for `patch` are computed on every such pixel and interpolated between.
_MAP_STEP = 16
#: Markers of boards are searched in top views of this scale.
_BOARD_PX_PER_MM = 3.0
#: Half of the square (mm) in which a board's marker is first looked for.
_BOARD_REACH_MM = 45.0


@dataclass(frozen=True, eq=False)
class Plane:
    """The table plane of one picture.

    Plane coordinates are millimetres, origin at the top left corner, x right, y down; heights
    are millimetres above the table top. All maps take points of shape (..., 2) and return
    float32 of the same shape.
    """

    size: tuple[float, float]
    """Width and height in mm."""
    markers: tuple[int, ...]
    """Ids of the markers that the plane rests on, ascending; none if it was given by hand."""
    image_size: tuple[int, int]
    """Width and height in pixels of the picture."""
    projection: Array
    """Matrix (3, 4) from (x, y, z, 1), z into the table, to pixels before distortion."""
    lens: Lens
    sigma_mm: float
    """Standard deviation of a position at the worst corner of the plane, as the fit sees it."""

    @property
    def calibration_id(self) -> str:
        """Names this calibration: the same numbers give the same id."""
        numbers = (self.projection, self.lens.matrix, self.lens.distortion)
        return hashlib.sha256(b"".join(part.tobytes() for part in numbers)).hexdigest()[:12]

    @property
    def px_per_mm(self) -> float:
        """Mean scale: root of the plane's area in square pixels over that in square mm."""
        corners = self.to_px(_corners(self.size))
        return float(np.sqrt(abs(_signed_area(corners)) / (self.size[0] * self.size[1])))

    def to_mm(self, points_px: ArrayLike) -> Points:
        """Where on the table top the points seen at `points_px` lie."""
        return self.drop(points_px, 0.0)

    def to_px(self, points_mm: ArrayLike) -> Points:
        """Where points of the table top are seen."""
        return self.lift(points_mm, 0.0)

    def lift(self, points_mm: ArrayLike, height_mm: ArrayLike) -> Points:
        """Where points `height_mm` above the given points of the table top are seen.

        `height_mm` is one number, or one for each point.
        """
        points = np.asarray(points_mm, dtype=np.float64)
        height = np.broadcast_to(np.asarray(height_mm, np.float64), points.shape[:-1])[..., None]
        ahead = np.concatenate([points, -height, np.ones_like(height)], axis=-1)
        image = ahead @ self.projection.T
        straight = image[..., :2] / image[..., 2:]
        return self._bend(straight).astype(np.float32)

    def drop(self, points_px: ArrayLike, height_mm: float) -> Points:
        """Points of the table top above which, at `height_mm`, lies what is seen at `points_px`."""
        straight = self._straighten(np.asarray(points_px, dtype=np.float64))
        inverse = np.linalg.inv(self._homography(height_mm))
        image = np.concatenate([straight, np.ones_like(straight[..., :1])], axis=-1) @ inverse.T
        return np.asarray(image[..., :2] / image[..., 2:], dtype=np.float32)

    def rectify(self, image: Image, px_per_mm: float, margin_mm: float = 0.0) -> Image:
        """The plane seen from straight above, grown by `margin_mm` on all sides.

        Pixel (u, v) shows plane point ((u + 0.5) / px_per_mm - margin_mm, and so for v).
        """
        corner = (-margin_mm, -margin_mm)
        size = (self.size[0] + 2 * margin_mm, self.size[1] + 2 * margin_mm)
        return self.patch(image, corner, size, px_per_mm)

    def patch(
        self,
        image: Image,
        corner_mm: tuple[float, float],
        size_mm: tuple[float, float],
        px_per_mm: float,
        height_mm: float = 0.0,
    ) -> Image:
        """An upright rectangle of the plane seen from straight above, at a height.

        Pixel (u, v) shows plane point `corner_mm` + ((u, v) + 0.5) / px_per_mm.
        """
        width, height = (max(1, round(length * px_per_mm)) for length in size_mm)
        if not self.lens.distortion.any():
            to_mm = np.array(
                [
                    [1 / px_per_mm, 0, corner_mm[0] + 0.5 / px_per_mm],
                    [0, 1 / px_per_mm, corner_mm[1] + 0.5 / px_per_mm],
                    [0, 0, 1],
                ]
            )
            back = self._homography(height_mm) @ to_mm
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            return np.asarray(
                cv2.warpPerspective(image, back, (width, height), flags=flags), np.uint8
            )
        # Nodes stand one step beyond every side, so that none of the pixels is extrapolated.
        columns, rows = (np.arange(-1, -(-n // _MAP_STEP) + 1) + 0.5 for n in (width, height))
        grid = np.stack(np.meshgrid(columns, rows), axis=-1) * (_MAP_STEP / px_per_mm)
        nodes = self.lift(grid + np.asarray(corner_mm), height_mm)
        fine = cv2.resize(nodes, None, fx=_MAP_STEP, fy=_MAP_STEP, interpolation=cv2.INTER_LINEAR)
        maps = fine[_MAP_STEP : _MAP_STEP + height, _MAP_STEP : _MAP_STEP + width]
        return np.asarray(cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR), np.uint8)

    def _homography(self, height_mm: float) -> Array:
        """From (x, y, 1) at a height to pixels before distortion."""
        p = self.projection
        return np.column_stack([p[:, 0], p[:, 1], p[:, 3] - height_mm * p[:, 2]])

    def _bend(self, straight: Array) -> Array:
        """Pixels as the lens shows them."""
        if not self.lens.distortion.any() or not straight.size:
            return straight
        k = self.lens.matrix
        rays = (straight - k[:2, 2]) / k[[0, 1], [0, 1]]
        ahead = np.concatenate([rays, np.ones_like(rays[..., :1])], axis=-1).reshape(-1, 1, 3)
        none = np.zeros(3)
        bent, _ = cv2.projectPoints(ahead, none, none, k, self.lens.distortion)
        return np.asarray(bent.reshape(straight.shape), np.float64)

    def _straighten(self, bent: Array) -> Array:
        """Pixels as a lens without distortion would show them."""
        if not self.lens.distortion.any() or not bent.size:
            return bent
        k = self.lens.matrix
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-4)
        straight = cv2.undistortPoints(
            np.ascontiguousarray(bent.reshape(-1, 1, 2)),
            k,
            self.lens.distortion,
            R=None,
            P=k,
            criteria=stop,
        )
        return np.asarray(straight.reshape(bent.shape), np.float64)


def find_plane(image: Image, layout: Layout, lens: Lens | None = None) -> Plane:
    """Finds the table plane by the markers of `layout` in a BGR or grey picture.

    A marker's centre is its datum and its side is known; its turn on the table is free. Three
    markers suffice (see `Plane.sigma_mm` for how far that is to be trusted); from four on a false
    one is told by where it lies. `lens` is the camera's own calibration; without it the focal
    length and one radial term are estimated from the markers.

    Raises UnreadableError with the ids that are missing if fewer than three fit together.
    """
    grey = _grey(image)
    size = (grey.shape[1], grey.shape[0])
    markers = {marker.id: marker for marker in layout.markers}
    if len(markers) < FEWEST_MARKERS:
        raise UnreadableError(
            f"The layout has {len(markers)} markers on the plane, {FEWEST_MARKERS} are needed.",
            "Give the four corners of the plane by hand.",
        )
    sightings = find_markers(grey, markers)
    found = fit_markers(sightings, markers, layout.size, size, lens)
    if found is None:
        sightings = _joined(sightings, find_hard_markers(grey, markers))
        found = fit_markers(sightings, markers, layout.size, size, lens)
    if found is None:
        raise _missing({sighting.id for sighting in sightings}, markers)
    fit, used = found
    missing = markers.keys() - {sighting.id for sighting in used}
    more = [s for i in sorted(missing) if (s := _look_for(grey, fit.view, markers[i])) is not None]
    if more:
        fit, used = fit_markers([*used, *more], markers, layout.size, size, lens) or (fit, used)
    plane = Plane(
        layout.size,
        tuple(sorted(sighting.id for sighting in used)),
        size,
        fit.view.projection,
        fit.view.lens,
        fit.sigma_mm,
    )
    if abs(_signed_area(plane.to_px(_corners(layout.size)))) > 4 * size[0] * size[1]:
        raise _too_large(size)
    return plane


def plane_from_corners(
    corners_px: ArrayLike, size_mm: tuple[float, float], image_size: tuple[int, int]
) -> Plane:
    """The plane whose corners are seen at `corners_px`, shape (4, 2).

    The first corner is the plane's top left, the others follow clockwise as seen; if they follow
    counter-clockwise, the first is kept and the others are taken in reverse, since no camera
    sees a table mirrored. `image_size` is (width, height) in pixels.

    Raises UnreadableError unless they are four corners, within the picture, of a convex quad.
    """
    corners = np.asarray(corners_px, dtype=np.float64)
    again = "Give the plane's four corners clockwise, the top left one first."
    if corners.ndim != 2 or corners.shape[1] != 2 or len(corners) != 4:
        count = corners.size / 2
        raise UnreadableError(f"The plane has four corners, but {count:g} were given.", again)
    if not np.isfinite(corners).all():
        raise UnreadableError(f"A corner of the plane is no number: {_shown(corners)}.", again)
    if not (np.isfinite(size_mm).all() and min(size_mm) > 0):
        raise UnreadableError(
            f"A plane of {size_mm[0]:g} x {size_mm[1]:g} mm can't be.",
            "Give its width and height in millimetres, both above 0.",
        )
    reach = 0.005 * max(image_size)
    if (corners < -0.5 - reach).any() or (corners > np.array(image_size) - 0.5 + reach).any():
        raise _too_large(image_size, corners)
    if _signed_area(corners) < 0:
        corners = corners[[0, 3, 2, 1]]
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    lengths = np.linalg.norm(edges, axis=1)
    if lengths.min() < 8:
        raise UnreadableError(
            f"Two corners of the plane lie within {lengths.min():.0f} pixels: {_shown(corners)}.",
            again,
        )
    bends = (edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]) / lengths
    if (bends / np.roll(lengths, -1) < 0.02).any():
        raise UnreadableError(f"The corners {_shown(corners)} make no convex quad.", again)
    landmarks = [
        Landmark.point(place, corner)
        for place, corner in zip(_corners(size_mm).tolist(), corners, strict=True)
    ]
    homography = np.asarray(
        cv2.getPerspectiveTransform(
            _corners(size_mm).astype(np.float32), corners.astype(np.float32)
        ),
        np.float64,
    )
    view = view_from_homography(homography, Lens.ordinary(image_size))
    view = fit_view(view, landmarks, image_size, ask=_corners(size_mm), known=False).view
    straight = Lens(view.lens.matrix, np.zeros(5))
    # The corners hold exactly; the camera only says where upright points.
    upright = view_from_homography(homography, straight).projection
    scale = homography[2, 2] / upright[2, 3]
    projection = np.column_stack([homography[:, :2], upright[:, 2] * scale, homography[:, 2]])
    return Plane(size_mm, (), image_size, projection, straight, sigma_mm=0.0)


@dataclass(frozen=True, eq=False)
class PlacedBoard:
    """A board where it lies: `origin` is its top left corner on the plane, in mm."""

    board: Board
    found: bool
    """Whether it was seen; otherwise its usual place is assumed."""
    origin: tuple[float, float]
    angle: float
    """Degrees, clockwise as seen."""

    def to_plane(self, points_board_mm: ArrayLike) -> Points:
        """Plane points, shape (..., 2), of points of the board."""
        points = np.asarray(points_board_mm, dtype=np.float64)
        return np.asarray(points @ self._turn.T + self.origin, dtype=np.float32)

    def to_board(self, points_plane_mm: ArrayLike) -> Points:
        """Board points, shape (..., 2), of points of the plane."""
        points = np.asarray(points_plane_mm, dtype=np.float64)
        return np.asarray((points - self.origin) @ self._turn, dtype=np.float32)

    @property
    def _turn(self) -> Array:
        cos, sin = np.cos(np.deg2rad(self.angle)), np.sin(np.deg2rad(self.angle))
        return np.array([[cos, -sin], [sin, cos]])


def find_boards(image: Image, plane: Plane, layout: Layout) -> tuple[PlacedBoard, ...]:
    """Finds each board of `layout` by its own markers; one that isn't seen keeps its usual place.

    A board's markers are looked for near their usual place first, then all over the plane. Their
    corners give the board's shift and turn by least squares, at the height of its face.
    """
    grey = _grey(image)
    seen: dict[str, tuple[Array, Array]] = {}
    for board in layout.boards:
        usual = PlacedBoard(board, False, board.origin, board.angle)
        for marker in board.markers:
            sighting = _look_near(grey, plane, board, marker, usual.to_plane(marker.centre))
            if sighting is not None:
                _note(seen, board, marker, sighting)
    for board in layout.boards:
        if board.name not in seen:
            for marker, sighting in _look_everywhere(grey, plane, board):
                _note(seen, board, marker, sighting)
    return tuple(_placed(board, seen.get(board.name)) for board in layout.boards)


def _look_near(
    grey: Image, plane: Plane, board: Board, marker: Marker, centre: Points
) -> Sighting | None:
    """A marker of a board near its usual place on the plane; its quad is in plane mm."""
    corner = centre.astype(np.float64) - _BOARD_REACH_MM
    size = (2 * _BOARD_REACH_MM, 2 * _BOARD_REACH_MM)
    patch = plane.patch(
        grey, (float(corner[0]), float(corner[1])), size, _BOARD_PX_PER_MM, board.thickness
    )
    middle = np.full(2, _BOARD_REACH_MM * _BOARD_PX_PER_MM - 0.5)
    reach = _BOARD_REACH_MM - marker.side / np.sqrt(2.0)
    sighting = look_closely(
        patch, marker.id, middle, marker.side * _BOARD_PX_PER_MM, reach * _BOARD_PX_PER_MM
    )
    if sighting is None:
        return None
    return Sighting(marker.id, (sighting.quad + 0.5) / _BOARD_PX_PER_MM + corner)


def _look_everywhere(grey: Image, plane: Plane, board: Board) -> Iterator[tuple[Marker, Sighting]]:
    """Markers of a board anywhere on the plane; their quads are in plane mm."""
    if not board.markers:
        return
    corner = (-20.0, -20.0)
    size = (plane.size[0] + 40.0, plane.size[1] + 40.0)
    scale = min(_BOARD_PX_PER_MM, 2.0 * plane.px_per_mm)
    patch = plane.patch(grey, corner, size, scale, board.thickness)
    markers = {marker.id: marker for marker in board.markers}
    for sighting in find_markers(patch, markers):
        marker = markers[sighting.id]
        if abs(sighting.side / (marker.side * scale) - 1.0) < _SHAPE_SLACK:
            yield marker, Sighting(marker.id, (sighting.quad + 0.5) / scale + corner)


def _note(
    seen: dict[str, tuple[Array, Array]], board: Board, marker: Marker, sighting: Sighting
) -> None:
    """Adds a marker's corners, on the board and on the plane, to what is seen of the board."""
    half = marker.side / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    here, there = square + marker.centre, sighting.quad
    if board.name in seen:
        here = np.concatenate([seen[board.name][0], here])
        there = np.concatenate([seen[board.name][1], there])
    seen[board.name] = (here, there)


def _placed(board: Board, seen: tuple[Array, Array] | None) -> PlacedBoard:
    """The board at its usual place, or where the points seen put it, by least squares."""
    if seen is None:
        return PlacedBoard(board, False, board.origin, board.angle)
    here, there = seen
    middle, place = here.mean(axis=0), there.mean(axis=0)
    a, b = (here - middle).T, (there - place).T
    turn = np.arctan2(a[0] @ b[1] - a[1] @ b[0], a[0] @ b[0] + a[1] @ b[1])
    cos, sin = np.cos(turn), np.sin(turn)
    origin = place - np.array([[cos, -sin], [sin, cos]]) @ middle
    return PlacedBoard(board, True, (float(origin[0]), float(origin[1])), float(np.rad2deg(turn)))


def _joined(first: Sequence[Sighting], more: Sequence[Sighting]) -> list[Sighting]:
    """All sightings, without those of `more` that show a marker of `first` once more."""
    return [
        *first,
        *(
            sighting
            for sighting in more
            if not any(
                known.id == sighting.id
                and np.linalg.norm(known.centre - sighting.centre) < known.side / 2
                for known in first
            )
        ),
    ]


def _look_for(grey: Image, view: View, marker: Marker) -> Sighting | None:
    """Looks closely at the place where a marker must be by a view of the plane."""
    x, y, half = *marker.centre, marker.side / 2
    points = np.array(
        [(x, y, 0), (x - half, y, 0), (x + half, y, 0), (x, y - half, 0), (x, y + half, 0)]
    )
    centre, left, right, top, bottom = view.project(points)
    side = float(np.linalg.norm(right - left) + np.linalg.norm(bottom - top)) / 2
    return look_closely(grey, marker.id, centre, side, reach=side / 2)


def _missing(seen: set[int], markers: Mapping[int, Marker]) -> UnreadableError:
    """What to say when too few markers were found."""
    missing = [str(i) for i in sorted(markers.keys() - seen)]
    if not seen:
        what = f"No markers found: {', '.join(missing)} are missing."
    elif missing:
        there = ", ".join(str(i) for i in sorted(seen))
        what = f"Markers {', '.join(missing)} are missing (found: {there})."
    else:
        what = "The markers found do not lie as the layout says."
    return UnreadableError(
        what,
        f"At least {FEWEST_MARKERS} markers must lie at their places in the picture, flat, "
        "uncovered, sharp and evenly lit.",
    )


def _too_large(size: tuple[int, int], corners: Array | None = None) -> UnreadableError:
    where = "" if corners is None else f" (corners {_shown(corners)})"
    return UnreadableError(
        f"The plane is larger than the picture of {size[0]} x {size[1]} pixels{where}.",
        "Move the camera back until the whole plane is in the picture.",
    )


def _shown(corners: Array) -> str:
    return " ".join(f"({x:g}, {y:g})" for x, y in corners)


def _grey(image: Image) -> Image:
    return (
        image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    )


def _corners(size: tuple[float, float]) -> Array:
    """The corners of a rectangle at the origin, clockwise from the top left."""
    return np.array([(0.0, 0.0), (size[0], 0.0), (size[0], size[1]), (0.0, size[1])])


def _signed_area(quad: ArrayLike) -> float:
    """Area of a polygon, above 0 if its corners are clockwise as seen."""
    x, y = np.asarray(quad, np.float64).T
    return float((x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)
