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
#: A marker's centre is seen this exactly (px); its corners, about the centre, less so, since
#: paper blooms into the black by about a pixel (nearly the same for all, more where the light is
#: brighter) and prints are not quite square.
_MIDDLE_SIGMA = 0.2
_CORNER_SIGMA = 0.4
_BLOOM_SIGMA = 1.0
_OWN_BLOOM_SIGMA = 0.3
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
        return cls._of(size, 0.0, np.zeros(2), np.zeros(2), focal)

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
    def _of(
        cls, size: tuple[int, int], log: float, shift: Array, radial: Array, focal: float
    ) -> Self:
        middle = (np.array(size) - 1.0) / 2.0 + shift
        f = focal * float(np.exp(log))
        matrix = np.array([[f, 0.0, middle[0]], [0.0, f, middle[1]], [0.0, 0.0, 1.0]])
        return cls(matrix, np.array([*radial, 0.0, 0.0, 0.0]))


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
    """Unknowns: pose (6), bloom (px), one turn and one own bloom a marker, and the lens (5).

    The lens: log focal length, optical centre (2), radial terms (2).
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
        self.spread = quads - self.seen[:, None]
        edges = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).mean(axis=1)
        self.shrink = np.divide(2.0, edges, out=np.zeros_like(edges), where=self.sized)
        n = len(landmarks)
        free = [np.inf] * 6 + [_BLOOM_SIGMA] + [np.inf] * n + [_OWN_BLOOM_SIGMA] * n
        shift = _CENTRE_SIGMA * max(size)
        lens = [] if known else [_LOG_FOCAL_SIGMA, shift, shift, *_RADIAL_SIGMAS]
        self.sigma = np.array(free + lens)
        self.turns, self.blooms = slice(7, 7 + n), slice(7 + n, 7 + 2 * n)

    def view(self, x: Array) -> View:
        lens = self.start.lens
        if not self.known:
            lens = Lens._of(self.size, x[-5], x[-4:-2], x[-2:], float(lens.matrix[0, 0]))
        return View(lens, self.start.rvec + x[:3], self.start.tvec + x[3:6])

    def first(self) -> Array:
        """The start, with each marker turned as the starting view sees it."""
        x = np.zeros(len(self.sigma))
        middle = self.start.project(_flat(self.places))
        steps = [
            self.start.project(_flat(self.places + step)) - middle
            for step in (np.array([1.0, 0.0]), np.array([0.0, 1.0]))
        ]
        edge = (self.spread[:, 1] + self.spread[:, 2]) / 2.0
        ahead = np.linalg.solve(np.stack(steps, axis=-1), edge[..., None])[..., 0]
        x[self.turns] = np.arctan2(ahead[:, 1], ahead[:, 0])
        return x

    def points(self, turns: Array) -> Array:
        """Each marker's centre and corners on the plane, shape (n * 5, 3)."""
        cos, sin = np.cos(turns), np.sin(turns)
        turned = np.stack([cos, sin, -sin, cos], axis=-1).reshape(-1, 2, 2)
        square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        corners = self.places[:, None] + self.half[:, None, None] * (square @ turned)
        return _flat(np.concatenate([self.places[:, None], corners], axis=1).reshape(-1, 2))

    def residuals(self, x: Array) -> Array:
        return self._errors(self.view(x).project(self.points(x[self.turns])), x)

    def slopes(self, x: Array) -> tuple[Array, Array]:
        """Residuals, and their derivatives with one column for each unknown."""
        view, turns = self.view(x), x[self.turns]
        n = len(turns)
        pixels, by_camera = view.project_with_slopes(self.points(turns))
        residuals = self._errors(pixels, x)
        columns = np.zeros((len(residuals), len(x)))
        camera = self._by_unknown(by_camera, view).reshape(n, 5, 2, -1)
        shrink = self._shrunk(x)
        own = pixels.reshape(n, 5, 2)
        spread = own[:, 1:] - own[:, :1]
        shapes = (camera[:, 1:] - camera[:, :1]) * shrink[..., None]
        # A marker's turn moves its own corners alone, so that one step tells all turns' slopes.
        step = 1e-5
        turned = view.project(self.points(turns + step)).reshape(n, 5, 2)
        shapes[:, :, :, 6] = -self.shrink[:, None, None] * spread
        each = np.arange(n)
        shapes[each, :, :, 7 + each] = (turned - own)[:, 1:] / step * shrink
        shapes[each, :, :, 7 + n + each] = shapes[:, :, :, 6]
        columns[: 2 * n] = camera[:, 0].reshape(2 * n, -1) / _MIDDLE_SIGMA
        shown = shapes[self.sized].reshape(-1, len(x)) / _CORNER_SIGMA
        columns[2 * n : 2 * n + len(shown)] = shown
        held = np.flatnonzero(np.isfinite(self.sigma))
        columns[2 * n + len(shown) + np.arange(len(held)), held] = 1.0 / self.sigma[held]
        return residuals, columns

    def solve(self, ask: Array) -> Fit:
        """Levenberg-Marquardt from the start, then the doubt of the points `ask`."""
        x = self.first()
        damping = 1e-3
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
            if abs(gain) < 1e-4:
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
        """Errors in units of their sigmas: markers' centres, their shapes, then the prior."""
        own = pixels.reshape(-1, 5, 2)
        spread = (own[:, 1:] - own[:, :1]) * self._shrunk(x)
        middles = (own[:, 0] - self.seen) / _MIDDLE_SIGMA
        shapes = (spread - self.spread)[self.sized] / _CORNER_SIGMA
        prior = (x / self.sigma)[np.isfinite(self.sigma)]
        return np.concatenate([middles.ravel(), shapes.ravel(), prior])

    def _shrunk(self, x: Array) -> Array:
        """By what each marker's size is multiplied because paper blooms into its black."""
        return np.asarray(1.0 - (x[6] + x[self.blooms]) * self.shrink)[:, None, None]

    def _by_unknown(self, by_camera: Array, view: View) -> Array:
        """Derivatives by OpenCV's camera parameters as those by the unknowns."""
        slopes = np.zeros((*by_camera.shape[:2], len(self.sigma)))
        slopes[..., :6] = by_camera[..., :6]
        if not self.known:
            slopes[..., -5] = by_camera[..., 6:8].sum(axis=-1) * view.lens.matrix[0, 0]
            slopes[..., -4:] = by_camera[..., 8:12]
        return slopes


def _flat(points: Array) -> Array:
    """Points (n, 2) of the plane as (n, 3)."""
    return np.column_stack([points, np.zeros(len(points))])
