"""Where a board shows its own print, so that nothing stands there."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.pieces.topview import FOOT_PX, TopView
from vision.plane import PlacedBoard
from vision.tone import to_levels, to_linear

Array = NDArray[np.float32]
Image = NDArray[np.uint8]
Shape = tuple[int, int]
#: Sums of high powers need the precision.
Sums = NDArray[np.float64]

#: Both are smoothed (deviation in pixels): a camera never shows a print quite sharp.
_SMOOTH = 1.0
#: Light and glare change over a board as polynomials of this degree, fitted to every so many pixels
#: in so many rounds; what is farther from them than this, in shares of white, is none of the print.
_DEGREE, _EVERY, _ROUNDS, _OUTLIER = 3, 6, 6, 0.12
#: The powers of y and of x in each term of such a polynomial.
_DOWN, _ACROSS = np.nonzero(np.flipud(np.tri(_DEGREE + 1, dtype=np.bool_)))
#: So strongly (share of all weight, and of one pixel) the fit is kept from what nothing tells.
_STEADY = 1e-4
#: Light leaves so much of a print's contrast, and never makes more than so much of it: what shows
#: another share is no light but something that covers the board.
_LEAST, _MOST = 0.3, 2.0
#: A print may seem to lie so many pixels beside its place.
_ASTRAY = 1
#: Where a picture is less far than this from the board's own print, in levels, nothing stands:
#: about half of what the faintest of statues on rendered tables that are not the benchmark's are.
#: Where it is twice as far something does.
BARE = 18.0


@dataclass(frozen=True, eq=False)
class Strangeness:
    """How far what is seen around a place is from the board's own print, in levels, 0 to 255."""

    view: TopView
    values: Array
    """For each pixel (h, w) of the view: the mean over the area of a foot."""
    hidden: NDArray[np.bool_]
    """Which pixels (h, w) of the view show something else than the print by themselves."""

    def at(self, points_mm: ArrayLike) -> Array:
        """The values at points of the plane, (n, 2) in mm; beyond the view those at its edge."""
        columns, rows = self._nearest(np.reshape(points_mm, (-1, 2))).T
        return np.asarray(self.values[rows, columns], np.float32)

    def on_grid(self, corner_mm: tuple[float, float], step_mm: float, shape: Shape) -> Array:
        """The values at (rows, columns) points of the plane, so far apart, from the first on."""
        return np.asarray(self.values[self._grid(corner_mm, step_mm, shape)], np.float32)

    def hidden_on_grid(
        self, corner_mm: tuple[float, float], step_mm: float, shape: Shape
    ) -> NDArray[np.bool_]:
        """Which of such points show something else than the print."""
        return np.asarray(self.hidden[self._grid(corner_mm, step_mm, shape)], np.bool_)

    def _grid(
        self, corner_mm: tuple[float, float], step_mm: float, shape: Shape
    ) -> tuple[NDArray[np.intp], ...]:
        rows, columns = shape
        most = np.arange(max(shape))[:, None] * step_mm + corner_mm
        across, down = self._nearest(most).T
        return np.ix_(down[:rows], across[:columns])

    def _nearest(self, points_mm: ArrayLike) -> NDArray[np.intp]:
        """The view's pixels (n, 2) nearest to points."""
        height, width = self.values.shape
        pixels = np.rint(self.view.to_pixels(points_mm)).astype(np.intp)
        return pixels.clip(0, (width - 1, height - 1))


def strangeness(view: TopView, placed: PlacedBoard, bare: Image) -> Strangeness:
    """How far a view is from the board's own print everywhere.

    It is the greatest difference in any channel, in the light and under the glare that lie on the
    print thereabouts. What the view does not show of the board is strange. `bare` is a picture,
    BGR (h, w, 3), of the board's whole face with nothing on it, straight from above.
    """
    printed, inside = _laid(view, placed, bare)
    seen = _smoothed(view.pixels)
    expected, shows = _lit(to_linear(printed), seen, inside)
    apart = _apart(seen, expected)
    apart[~(inside & shows)] = 255
    across_foot = int(FOOT_PX) | 1
    foot = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across_foot, across_foot))
    kernel = foot.astype(np.float32) / np.float32(foot.sum())
    around = cv2.filter2D(apart.astype(np.float32), -1, kernel)
    return Strangeness(
        view, np.asarray(around, np.float32), np.asarray(apart >= 2 * BARE, np.bool_)
    )


def reduced(bare: Image, size_mm: tuple[float, float], px_per_mm: float) -> Image:
    """The picture of a board's face of so many mm at a scale: what already has it costs little."""
    columns, rows = (max(1, round(length * px_per_mm)) for length in size_mm)
    return np.asarray(cv2.resize(bare, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)


def _apart(seen: Array, expected: Array) -> Image:
    """The greatest difference in any channel, (h, w), if the print lies where it fits best."""
    height, width = seen.shape[1:]
    room = (_ASTRAY,) * 4
    # Whole levels are compared in a sixth of the time.
    shown, wanted = ([cv2.convertScaleAbs(each) for each in levels] for levels in (seen, expected))
    wanted = [cv2.copyMakeBorder(each, *room, cv2.BORDER_REPLICATE) for each in wanted]
    apart = np.full((height, width), 255, np.uint8)
    for across in range(2 * _ASTRAY + 1):
        for down in range(2 * _ASTRAY + 1):
            beside = (each[down : down + height, across : across + width] for each in wanted)
            blue, green, red = (cv2.absdiff(*pair) for pair in zip(shown, beside, strict=True))
            cv2.min(apart, cv2.max(cv2.max(blue, green), red), apart)
    return apart


def _laid(view: TopView, placed: PlacedBoard, bare: Image) -> tuple[Array, NDArray[np.bool_]]:
    """The print as it would lie in the view, smoothed, and where the board is."""
    height, width = view.pixels.shape[:2]
    size = np.array(placed.board.size)
    small = reduced(bare, placed.board.size, view.px_per_mm)
    rows, columns = small.shape[:2]
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
    start = np.asarray(corners * (columns, rows) - 0.5, np.float32)
    turn = cv2.getAffineTransform(start, view.to_pixels(placed.to_plane(corners * size)))
    laid = cv2.warpAffine(small, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpAffine(np.full((rows, columns), 255, np.uint8), turn, (width, height)) == 255
    return _smoothed(np.asarray(laid, np.uint8)), np.asarray(inside, np.bool_)


def _smoothed(image: Image) -> Array:
    """The channels (3, h, w) of a picture (h, w, 3): maxima over them are of whole pictures."""
    planes = np.array(cv2.split(image), np.float32)
    for plane in planes:
        cv2.GaussianBlur(plane, (0, 0), _SMOOTH, plane)
    return planes


def _lit(printed: Array, seen: Array, inside: NDArray[np.bool_]) -> tuple[Array, NDArray[np.bool_]]:
    """Levels (3, h, w) of the print (3, h, w), in linear light, as it would be seen.

    And where (h, w) that may be: no light takes a print's contrast away.

    What is seen is the print times one polynomial, for shade, and another one added, for glare, for
    each channel, by least squares; Tukey's weights leave out what stands there.
    """
    height, width = inside.shape
    across, down = (
        np.vander(np.linspace(-1, 1, n, dtype=np.float32), 2 * _DEGREE + 1, increasing=True)
        for n in (width, height)
    )
    some = (..., slice(None, None, _EVERY), slice(None, None, _EVERY))
    tables = _light(
        across[::_EVERY].astype(np.float64),
        down[::_EVERY].astype(np.float64),
        printed[some].astype(np.float64),
        to_linear(seen[some]).astype(np.float64),
        inside[some].astype(np.float64),
    ).astype(np.float32)
    rows, columns = down[:, : _DEGREE + 1], across[:, : _DEGREE + 1]
    lit, shows = np.empty_like(printed), np.ones_like(inside)
    for channel, table in enumerate(tables):
        gain, veil = rows @ table @ columns.T
        np.multiply(printed[channel], gain, out=lit[channel])
        lit[channel] += veil
        shows &= (gain >= _LEAST) & (gain <= _MOST)
    return to_levels(np.maximum(lit, 0.0, out=lit)), shows


def _light(across: Sums, down: Sums, dark: Sums, known: Sums, inside: Sums) -> Sums:
    """Coefficients (3, 2, y, x) of the light on a print and of the glare on it, for each channel.

    They are those that make the print `dark` most like what is `known`, both (3, h, w), where it is
    `inside` (h, w). The powers of x, (w, powers), and of y, (h, powers), are those of the products
    of two terms: sums of such over a grid are matrix products, one for each of its directions.
    """
    powers = np.add.outer(_DOWN, _DOWN), np.add.outer(_ACROSS, _ACROSS)
    trust = inside
    tables = np.zeros((3, 2, _DEGREE + 1, _DEGREE + 1))
    for _ in range(_ROUNDS):
        shaded, light = trust * dark, trust * known
        even = np.broadcast_to(trust, dark.shape)
        weighed = np.stack([shaded * dark, shaded, even, shaded * known, light], axis=1)
        sums = down.T @ weighed @ across
        twice, once, none = np.moveaxis(sums[:, :3, *powers], 1, 0)
        normal = np.block([[twice, once], [once, none]])
        normal += _STEADY * (1.0 + trust.sum()) * np.eye(2 * len(_DOWN))
        wanted = sums[:, 3:, _DOWN, _ACROSS].reshape(3, -1, 1)
        tables[..., _DOWN, _ACROSS] = np.linalg.solve(normal, wanted).reshape(3, 2, -1)
        shade, glare = np.moveaxis(
            down[:, : _DEGREE + 1] @ tables @ across[:, : _DEGREE + 1].T, 1, 0
        )
        astray = np.abs(known - dark * shade - glare).max(axis=0) / _OUTLIER
        trust = np.where(astray < 1, (1 - astray**2) ** 2, 0) * inside
    return tables
