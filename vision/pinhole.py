"""Where the camera stands: a pinhole with one lens term, fitted to what is known of the plane.

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

from vision.markers import Sighting

Array = NDArray[np.float64]

#: Diagonal field of view of an ordinary webcam or phone, and how far (log focal length) it varies.
_DIAGONAL_VIEW = np.deg2rad(68.0)
_LOG_FOCAL_SIGMA = 0.25
#: The optical centre lies off the picture's centre by about this share of the longer side.
_CENTRE_SIGMA = 0.01
#: First radial term of lenses without a visible fish eye.
_RADIAL_SIGMA = 0.1
#: A marker's centre is seen this exactly (px); its corners, about the centre, less so, since
#: paper blooms into the black by about a pixel (the same for all) and prints are not quite square.
_MIDDLE_SIGMA = 0.25
_CORNER_SIGMA = 0.6
_BLOOM_SIGMA = 1.0
_STEPS = 12


@dataclass(frozen=True, eq=False)
class Lens:
    """A camera's inner geometry: `matrix` (3, 3) and `distortion` (5,) in OpenCV's model."""

    matrix: Array
    distortion: Array

    @classmethod
    def ordinary(cls, size: tuple[int, int]) -> Self:
        """A straight lens with an ordinary field of view, for pictures of `size` (w, h) px."""
        focal = float(np.hypot(*size)) / (2.0 * np.tan(_DIAGONAL_VIEW / 2.0))
        return cls._of(size, 0.0, np.zeros(2), 0.0, focal)

    @classmethod
    def _of(
        cls, size: tuple[int, int], log: float, shift: Array, radial: float, focal: float
    ) -> Self:
        middle = (np.array(size) - 1.0) / 2.0 + shift
        f = focal * float(np.exp(log))
        matrix = np.array([[f, 0.0, middle[0]], [0.0, f, middle[1]], [0.0, 0.0, 1.0]])
        return cls(matrix, np.array([radial, 0.0, 0.0, 0.0, 0.0]))


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
        pixels, _ = cv2.projectPoints(
            np.ascontiguousarray(points.reshape(-1, 1, 3)),
            self.rvec,
            self.tvec,
            self.lens.matrix,
            self.lens.distortion,
        )
        return np.asarray(pixels.reshape(-1, 2), dtype=np.float64)


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
    """Unknowns: pose (6), bloom, turns (one a marker), and log focal, centre (2), radial."""

    def __init__(
        self, start: View, landmarks: Sequence[Landmark], size: tuple[int, int], known: bool
    ) -> None:
        self.size, self.known, self.start = size, known, start
        self.focal = float(start.lens.matrix[0, 0])
        self.places = np.array([mark.place for mark in landmarks])
        self.half = np.array([mark.side for mark in landmarks]) / 2.0
        self.seen = np.array([mark.centre for mark in landmarks])
        quads = np.array([mark.quad for mark in landmarks])
        self.spread = quads - self.seen[:, None]
        edges = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).mean(axis=1)
        self.edges = np.maximum(edges, 1e-9)
        self.sized = self.half > 0.0
        pixel_mm = self.half.max() * 2.0 / edges.max() if self.sized.any() else 1.0
        # Pose steps of about a pixel each: numeric derivatives then are well scaled.
        self.unit = np.array(
            [1e-3] * 3 + [max(pixel_mm, 1e-6)] * 3 + [0.1] + [1e-2] * len(landmarks)
        )
        self.sigma = np.array([np.inf] * 6 + [_BLOOM_SIGMA] + [np.inf] * len(landmarks))
        if not known:
            shift = _CENTRE_SIGMA * max(size)
            self.unit = np.append(self.unit, [1e-3, 0.5, 0.5, 1e-3])
            self.sigma = np.append(self.sigma, [_LOG_FOCAL_SIGMA, shift, shift, _RADIAL_SIGMA])

    def view(self, x: Array) -> View:
        lens = self.start.lens
        if not self.known:
            log, across, down, radial = x[-4:]
            lens = Lens._of(self.size, log, np.array([across, down]), radial, self.focal)
        return View(lens, self.start.rvec + x[:3], self.start.tvec + x[3:6])

    def first(self) -> Array:
        """The start, with each marker's turn as it is seen in the starting view."""
        x = np.zeros(len(self.unit))
        middle = self.start.project(_flat(self.places))
        ahead = self.start.project(_flat(self.places + np.array([1.0, 0.0]))) - middle
        below = self.start.project(_flat(self.places + np.array([0.0, 1.0]))) - middle
        for i in np.flatnonzero(self.sized):
            edge = (self.spread[i, 1] + self.spread[i, 2]) / 2.0
            right, down = np.linalg.solve(np.column_stack([ahead[i], below[i]]), edge)
            x[7 + i] = np.arctan2(down, right)
        return x

    def residuals(self, x: Array) -> Array:
        view = self.view(x)
        turns = x[7 : 7 + len(self.half)]
        cos, sin = np.cos(turns), np.sin(turns)
        turned = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], axis=1)
        square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        corners = self.places[:, None] + self.half[:, None, None] * (square @ turned.mT)
        points = np.concatenate([self.places[:, None], corners], axis=1)
        pixels = view.project(_flat(points.reshape(-1, 2))).reshape(-1, 5, 2)
        spread = (pixels[:, 1:] - pixels[:, :1]) * (1.0 - 2.0 * x[6] / self.edges)[:, None, None]
        middles = (pixels[:, 0] - self.seen) / _MIDDLE_SIGMA
        shapes = (spread - self.spread)[self.sized] / _CORNER_SIGMA
        prior = (x / self.sigma)[np.isfinite(self.sigma)]
        return np.concatenate([middles.ravel(), shapes.ravel(), prior])

    def slopes(self, x: Array, base: Array) -> Array:
        columns = []
        for i, unit in enumerate(self.unit):
            moved = x.copy()
            moved[i] += 1e-2 * unit
            columns.append((self.residuals(moved) - base) / 1e-2)
        return np.column_stack(columns)

    def solve(self, ask: Array) -> Fit:
        x = self.first()
        damping = 1e-3
        base = self.residuals(x)
        slopes = self.slopes(x, base)
        for _ in range(_STEPS):
            normal = slopes.T @ slopes
            # Turns of mere points have no effect: the ridge keeps the system solvable.
            ridge = damping * np.diag(normal) + 1e-9
            step = np.linalg.solve(normal + np.diag(ridge), -slopes.T @ base)
            tried = x + step * self.unit
            after = self.residuals(tried)
            if not after @ after < base @ base:
                damping *= 10.0
                if damping > 1e3:
                    break
                continue
            gain = base @ base - after @ after
            x, base, damping = tried, after, damping / 10.0
            if gain < 1e-4:
                break
            slopes = self.slopes(x, base)
        view = self.view(x)
        misses = view.project(_flat(self.places)) - self.seen
        normal = slopes.T @ slopes + 1e-9 * np.eye(len(x))
        inverse = np.linalg.inv(normal)
        asked = view.project(_flat(ask))
        shifts = np.empty((len(ask), 2, len(x)))
        for i, unit in enumerate(self.unit):
            moved = x.copy()
            moved[i] += 1e-2 * unit
            shifts[:, :, i] = (self.view(moved).project(_flat(ask)) - asked) / 1e-2
        # Pixels of doubt become millimetres through the plane's local scale at each point.
        local = np.stack(
            [view.project(_flat(ask + step)) - asked for step in ([1.0, 0.0], [0.0, 1.0])], axis=-1
        )
        doubt = np.linalg.solve(local, shifts)
        variances = np.linalg.eigvalsh(doubt @ inverse @ doubt.mT)
        return Fit(view, np.linalg.norm(misses, axis=1), float(np.sqrt(variances.max())))


def _flat(points: Array) -> Array:
    """Points (n, 2) of the plane as (n, 3)."""
    return np.column_stack([points, np.zeros(len(points))])
