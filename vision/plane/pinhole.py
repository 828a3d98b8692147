"""Where the camera stands: a pinhole with two lens terms, fitted to what is known of the plane.

A few points of one plane say little of a camera's focal length, optical centre and lens, so all
unknowns are estimated together with what is known beforehand of webcams and phones: the fit is
the maximum of the posterior (Gauss-Newton on squared errors, each in units of its sigma). Where
the picture is silent the prior holds, and the covariance says how far the result can be trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane.markers import Sighting

Array = NDArray[np.float64]

#: Diagonal field of view: webcams are sold with 65 to 90 degrees, a phone's main camera (26 mm
#: equivalent) has 80 for photos and about 70 for video; and the spread in log focal length.
_DIAGONAL_VIEW = np.deg2rad(75.0)
_LOG_FOCAL_SIGMA = 0.18
#: The optical centre lies off the picture's centre by about this share of the longer side.
_CENTRE_SIGMA = 0.01
#: Radial terms of lenses without a visible fish eye.
_RADIAL_SIGMAS = (0.1, 0.03)
#: Tangential terms, of a lens that stands a little askew.
_TANGENTIAL_SIGMA = 0.0007
#: Unknowns of a lens: log focal length, optical centre (2), radial terms (2), tangential ones (2).
_OF_LENS = 7
#: A line along a marker's side is this exact (px) at two places; a mere point is this exact.
_SIDE_SIGMA, _POINT_SIGMA = 0.1, 0.2
#: Paper blooms into the black by about a pixel, nearly the same for all markers, more where the
#: light is brighter.
_BLOOM_SIGMA, _OWN_BLOOM_SIGMA = 1.0, 0.3
#: A marker lies at its place this exactly (mm).
_PLACE_SIGMA_MM = 0.15
_STEPS, _DAMPING, _NO_GAIN = 30, 1e-6, 0.01
#: A straight line fitted along the middle 0.8 of a gently curved side crosses it at two places,
#: by the root of the mean square off its middle: from (-1, -1) clockwise, two on each side.
_CROSSING = 0.8 / np.sqrt(3.0)
_MIDDLE_AND_SIDES = np.array(
    [(0.0, 0.0)]
    + [(s, -1.0) for s in (-_CROSSING, _CROSSING)]
    + [(1.0, s) for s in (-_CROSSING, _CROSSING)]
    + [(s, 1.0) for s in (_CROSSING, -_CROSSING)]
    + [(-1.0, s) for s in (_CROSSING, -_CROSSING)]
)


@dataclass(frozen=True, eq=False)
class Lens:
    """A camera's inner geometry: `matrix` (3, 3) and `distortion` (5,) in OpenCV's model."""

    matrix: Array
    distortion: Array

    @classmethod
    def ordinary(cls, size: tuple[int, int]) -> Self:
        """A straight lens with an ordinary field of view, for pictures of `size` (w, h) px."""
        focal = float(np.hypot(*size)) / (2.0 * np.tan(_DIAGONAL_VIEW / 2.0))
        return cls._of(size, np.zeros(_OF_LENS), focal)

    def straightened(self, pixels: Array) -> Array:
        """Pixels (..., 2) as the same lens without distortion would show them."""
        if not self.distortion.any() or not pixels.size:
            return pixels
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-4)
        straight = cv2.undistortPoints(
            np.ascontiguousarray(pixels.reshape(-1, 1, 2)),
            self.matrix,
            self.distortion,
            R=None,
            P=self.matrix,
            criteria=stop,
        )
        return np.asarray(straight.reshape(pixels.shape), np.float64)

    @classmethod
    def _of(cls, size: tuple[int, int], unknowns: Array, focal: float) -> Self:
        """The lens of these unknowns, for a focal length that log 0 stands for."""
        x, y = (np.array(size) - 1.0) / 2.0 + unknowns[1:3]
        f = focal * float(np.exp(unknowns[0]))
        matrix = np.array([[f, 0.0, x], [0.0, f, y], [0.0, 0.0, 1.0]])
        return cls(matrix, np.append(unknowns[3:], 0.0))


@dataclass(frozen=True, eq=False)
class View:
    """A camera above a plane: plane mm (x, y, and z into the table) to its picture."""

    lens: Lens
    rvec: Array
    tvec: Array

    @property
    def projection(self) -> Array:
        """The (3, 4) matrix from (x, y, z, 1) to pixels, without distortion."""
        rotation, _ = cv2.Rodrigues(self.rvec)
        return np.asarray(self.lens.matrix @ np.column_stack([rotation, self.tvec]))

    def project(self, points: Array) -> Array:
        """Pixels, shape (n, 2), of points (n, 3) in mm."""
        return self.project_with_slopes(points)[0]

    def project_with_slopes(self, points: Array) -> tuple[Array, Array]:
        """The same, and their derivatives, shape (n, 2, 15), in OpenCV's order.

        That is: rvec, tvec, the two focal lengths, the optical centre, five distortion terms.
        """
        pixels, slopes = cv2.projectPoints(
            np.ascontiguousarray(points.reshape(-1, 1, 3)),
            self.rvec,
            self.tvec,
            self.lens.matrix,
            self.lens.distortion,
        )
        return (
            np.asarray(pixels.reshape(-1, 2), dtype=np.float64),
            np.asarray(slopes.reshape(-1, 2, 15), dtype=np.float64),
        )


@dataclass(frozen=True, eq=False)
class Landmark:
    """A marker, or a mere point (`side` 0), of the plane and where it was seen."""

    place: Array
    side: float
    centre: Array
    quad: Array

    @classmethod
    def marker(cls, place: tuple[float, float], side: float, sighting: Sighting) -> Self:
        """A marker centred at `place` with a black square of `side` mm."""
        return cls(np.asarray(place, np.float64), side, sighting.centre, sighting.quad)

    @classmethod
    def point(cls, place: tuple[float, float], pixel: Array) -> Self:
        """A point of the plane without a size."""
        return cls(np.asarray(place, np.float64), 0.0, pixel, np.repeat(pixel[None], 4, axis=0))


@dataclass(frozen=True, eq=False)
class Fit:
    """A view with how well it fits."""

    view: View
    cost: float
    """Sum of squared errors in units of their sigmas, what is known beforehand included."""
    misses: Array
    """Distance in pixels between where each landmark's centre is and should be, shape (n,)."""
    sigma_mm: float
    """Largest standard deviation (mm) of where the plane points asked for are taken to lie."""


def view_from_homography(homography: Array, lens: Lens) -> View:
    """The pose whose view of z = 0 is nearest to a homography (plane mm to pixels)."""
    columns = np.linalg.inv(lens.matrix) @ homography
    columns = columns * (2.0 / np.linalg.norm(columns[:, :2], axis=0).sum())
    if columns[2, 2] < 0:
        columns = -columns
    rough = np.column_stack([columns[:, :2], np.cross(columns[:, 0], columns[:, 1])])
    u, _, vt = np.linalg.svd(rough)
    rvec, _ = cv2.Rodrigues(u @ np.diag([1.0, 1.0, np.linalg.det(u @ vt)]) @ vt)
    return View(lens, rvec.ravel(), columns[:, 2])


def fit_view(
    start: View, landmarks: Sequence[Landmark], size: tuple[int, int], *, ask: Array, known: bool
) -> Fit:
    """Fits pose, and unless `known` the lens, to landmarks seen in a picture of `size` (w, h) px.

    A marker's centre is its datum; its side is known, its turn on the table is not, and all
    markers share one bloom in pixels. `ask`, shape (k, 2), are plane points in mm whose
    standard deviation is wanted.
    """
    return _Problem(start, landmarks, size, known).solve(np.atleast_2d(ask))


class _Problem:
    """Unknowns: pose (6), bloom (px), four of each marker (turn, own bloom, shift in mm), the lens.

    The lens: see `_OF_LENS`. Each side of a marker gives two errors, those of the places at which
    a straight line drawn along it crosses it: there, and only there, the errors of a fitted line
    are independent of each other, and of how much the lens bends the side.
    """

    def __init__(
        self, start: View, landmarks: Sequence[Landmark], size: tuple[int, int], known: bool
    ) -> None:
        self.start, self.size, self.known = start, size, known
        self.places = np.array([mark.place for mark in landmarks])
        self.half = np.array([mark.side for mark in landmarks]) / 2.0
        self.sized = self.half > 0.0
        self.seen = np.array([mark.centre for mark in landmarks])
        quads = np.array([mark.quad for mark in landmarks])
        self.edges = np.roll(quads, -1, axis=1) - quads
        self.on_sides = np.repeat(quads, 2, axis=1)[self.sized]
        edges = self.edges[self.sized]
        outward = np.stack([edges[..., 1], -edges[..., 0]], axis=-1)
        outward /= np.linalg.norm(edges, axis=2, keepdims=True)
        self.outward = np.repeat(outward, 2, axis=1)
        self.n = n = len(landmarks)
        shift = _CENTRE_SIGMA * max(size)
        own = [_OWN_BLOOM_SIGMA] * n + [_PLACE_SIGMA_MM] * (2 * n)
        free = [np.inf] * 6 + [_BLOOM_SIGMA] + [np.inf] * n + own
        lens = [_LOG_FOCAL_SIGMA, shift, shift, *_RADIAL_SIGMAS, *[_TANGENTIAL_SIGMA] * 2]
        self.sigma = np.array(free if known else free + lens)
        self.turns, self.blooms = slice(7, 7 + n), slice(7 + n, 7 + 2 * n)
        self.shifts = slice(7 + 2 * n, 7 + 4 * n)

    def view(self, x: Array) -> View:
        lens = self.start.lens
        if not self.known:
            lens = Lens._of(self.size, x[-_OF_LENS:], float(lens.matrix[0, 0]))
        return View(lens, self.start.rvec + x[:3], self.start.tvec + x[3:6])

    def first(self) -> Array:
        """The start, with each marker turned as the starting view sees it."""
        x = np.zeros(len(self.sigma))
        middle = self.start.project(_flat(self.places))
        steps = [
            self.start.project(_flat(self.places + step)) - middle
            for step in (np.array([1.0, 0.0]), np.array([0.0, 1.0]))
        ]
        edge = self.edges[:, 0] - self.edges[:, 2]
        ahead = np.linalg.solve(np.stack(steps, axis=-1), edge[..., None])[..., 0]
        x[self.turns] = np.arctan2(ahead[:, 1], ahead[:, 0])
        return x

    def points(self, x: Array) -> Array:
        """Each landmark's centre, then two places on each of its sides: shape (n, 9, 2)."""
        cos, sin = np.cos(x[self.turns]), np.sin(x[self.turns])
        turned = np.stack([cos, sin, -sin, cos], axis=-1).reshape(-1, 2, 2)
        around = self.half[:, None, None] * (_MIDDLE_AND_SIDES @ turned)
        middles = self.places + x[self.shifts].reshape(-1, 2)
        return np.asarray(middles[:, None] + around, np.float64)

    def residuals(self, x: Array) -> Array:
        pixels = self.view(x).project(_flat(self.points(x).reshape(-1, 2)))
        return self._errors(pixels.reshape(self.n, -1, 2), x)

    def slopes(self, x: Array) -> tuple[Array, Array]:
        """Residuals, and their derivatives with one column for each unknown."""
        view, points, n = self.view(x), self.points(x), self.n
        flat, by_camera = view.project_with_slopes(_flat(points.reshape(-1, 2)))
        pixels = flat.reshape(n, -1, 2)
        by = self._by_unknown(by_camera, view).reshape(n, -1, 2, len(x))
        # A step on the plane moves what is seen as the same step of the camera does.
        rotation, _ = cv2.Rodrigues(view.rvec)
        by_place = by_camera[..., 3:6].reshape(n, -1, 2, 3) @ rotation[:, :2]
        spokes = points - points[:, :1]
        each = np.arange(n)
        rotated = np.stack([-spokes[..., 1], spokes[..., 0]], axis=-1)
        by[each, :, :, 7 + each] = (by_place @ rotated[..., None])[..., 0]
        for k in (0, 1):
            by[each, :, :, 7 + 2 * n + 2 * each + k] = by_place[..., k]
        sides = np.einsum("nsi,nsij->nsj", self.outward, by[self.sized, 1:])
        sides[..., 6] = -1.0
        sides[np.arange(len(sides)), :, 7 + n + each[self.sized]] = -1.0
        rows = [
            by[~self.sized, 0].reshape(-1, len(x)) / _POINT_SIGMA,
            sides.reshape(-1, len(x)) / _SIDE_SIGMA,
            np.diag(1.0 / self.sigma)[np.isfinite(self.sigma)],
        ]
        return self._errors(pixels, x), np.concatenate(rows)

    def solve(self, ask: Array) -> Fit:
        """Levenberg-Marquardt from the start, then the doubt of the points `ask`."""
        x = self.first()
        damping = _DAMPING
        base, slopes = self.slopes(x)
        # The turn of a mere point has no effect: a ridge keeps the equations solvable.
        ridge = 1e-9 * np.eye(len(x))
        for _ in range(_STEPS):
            normal = slopes.T @ slopes
            damped = normal + damping * np.diag(np.diag(normal)) + ridge
            tried = x + np.linalg.solve(damped, -slopes.T @ base)
            after = self.residuals(tried)
            gain = base @ base - after @ after
            if gain > 0.0:
                x, damping = tried, damping / 10.0
                base, slopes = self.slopes(x)
            else:
                damping *= 10.0
            if 0.0 <= gain < _NO_GAIN:
                break
        view = self.view(x)
        misses = view.project(_flat(self.places)) - self.seen
        covariance = np.linalg.inv(slopes.T @ slopes + ridge)
        asked, by_camera = view.project_with_slopes(_flat(ask))
        # Pixels of doubt become millimetres through the plane's local scale at each point.
        local = np.stack([view.project(_flat(ask + step)) - asked for step in np.eye(2)], axis=-1)
        doubt = np.linalg.solve(local, self._by_unknown(by_camera, view))
        variances = np.linalg.eigvalsh(doubt @ covariance @ doubt.mT)
        return Fit(
            view,
            float(base @ base),
            np.linalg.norm(misses, axis=1),
            float(np.sqrt(variances.max())),
        )

    def _errors(self, pixels: Array, x: Array) -> Array:
        """Errors in units of their sigmas: points, markers' sides, then the prior."""
        points = (pixels[:, 0] - self.seen)[~self.sized] / _POINT_SIGMA
        off = ((pixels[self.sized, 1:] - self.on_sides) * self.outward).sum(axis=-1)
        sides = (off - x[6] - x[self.blooms][self.sized, None]) / _SIDE_SIGMA
        prior = (x / self.sigma)[np.isfinite(self.sigma)]
        return np.concatenate([points.ravel(), sides.ravel(), prior])

    def _by_unknown(self, by_camera: Array, view: View) -> Array:
        """Derivatives by OpenCV's camera parameters as those by the unknowns."""
        slopes = np.zeros((*by_camera.shape[:2], len(self.sigma)))
        slopes[..., :6] = by_camera[..., :6]
        if not self.known:
            slopes[..., -_OF_LENS] = by_camera[..., 6:8].sum(axis=-1) * view.lens.matrix[0, 0]
            slopes[..., 1 - _OF_LENS :] = by_camera[..., 8:14]
        return slopes


def _flat(points: Array) -> Array:
    """Points (n, 2) of the plane as (n, 3)."""
    return np.column_stack([points, np.zeros(len(points))])
