"""Where a dial's disc lies, and how it is turned: its print is compared with its picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.dial.prints import (
    ACROSS,
    Array,
    Image,
    disc_mask,
    disc_print,
    light_of,
    slope_of,
    turn_matrix,
    turned,
)

#: The disc is looked for so far from its usual place, in diameters.
REACH = 0.15
#: Pixels across the disc in the first search, and turns that are tried.
_COARSE, _TURNS = 32, 36
#: Turns that differ by less are the same one, in degrees.
_SAME_TURN = 22.0
#: Steps of the fine fit at most; one below so many degrees and pixels is the last.
_STEPS, _ENOUGH = 6, 0.06
#: Levels that are off by more than this count less in it, and every such pixel is used.
_STRAY, _EVERY = 40.0, 2


@dataclass(frozen=True, eq=False)
class FoundDisc:
    """A disc in a patch of the plane.

    `matrix` (2, 3) maps pixels of the disc's upright print (ACROSS wide) to those of the patch;
    `levels` is the patch seen so, in the print's levels. `likeness` is the correlation of print
    and picture in the first search, `rival` the best one at any other turn.
    """

    matrix: NDArray[np.float64]
    levels: Array
    likeness: float
    rival: float


class DiscFinder:
    """Finds one disc; a patch shows it at ACROSS pixels, with REACH of a diameter on each side."""

    def __init__(self, picture: Image) -> None:
        """`picture` is square: the disc without an arrow, BGR or BGRA, its first sector on top."""
        self.print = disc_print(picture)
        self._inside = disc_mask(ACROSS)[::_EVERY, ::_EVERY]
        self._sampled = self._samples(self.print[::_EVERY, ::_EVERY])
        self._jacobian = self._changes()
        self._mask = disc_mask(_COARSE).astype(np.float32)
        templates = [self._template(turn * 360.0 / _TURNS) for turn in range(_TURNS)]
        self._templates = np.ascontiguousarray(np.stack(templates, axis=1))

    def find(self, patch: Image) -> FoundDisc:
        """What looks most like the disc in a BGR patch."""
        scores, reach = self._search(patch)
        turn, down, across = np.unravel_index(int(scores.argmax()), scores.shape)
        by_turn = scores.max(axis=(1, 2))
        apart = np.abs((np.arange(_TURNS) - turn + _TURNS / 2) % _TURNS - _TURNS / 2)
        rival = float(by_turn[apart * 360.0 / _TURNS >= _SAME_TURN].max())
        best = float(scores[turn, down, across])
        degrees = (turn + _peak(np.roll(by_turn, 1 - int(turn))[:3])) * 360.0 / _TURNS
        column, row = scores[turn, down], scores[turn, :, across]
        x = across + _peak(column[across - 1 : across + 2]) - reach
        y = down + _peak(row[down - 1 : down + 2]) - reach
        middle = (patch.shape[0] - 1) / 2
        shift = np.array([x, y]) * ACROSS / _COARSE + middle - (ACROSS - 1) / 2
        matrix = turn_matrix(degrees, (ACROSS - 1) / 2, (float(shift[0]), float(shift[1])))
        return FoundDisc(*self._fit(patch.astype(np.float32), matrix), best, rival)

    def _search(self, patch: Image) -> tuple[Array, int]:
        """Correlations (turns, rows, columns) at all places, and the middle row's index."""
        side = round(patch.shape[0] * _COARSE / ACROSS)
        small = cv2.resize(patch, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32)
        windows = sliding_window_view(small, (_COARSE, _COARSE), axis=(0, 1))
        rows, columns = windows.shape[:2]
        flat = windows.reshape(rows * columns, -1)
        match = flat @ self._templates
        variance = np.zeros((rows, columns), np.float32)
        for index in range(3):
            channel = np.ascontiguousarray(small[..., index])
            mean = _under(channel, self._mask) / self._mask.sum()
            variance += _under(channel * channel, self._mask) - self._mask.sum() * mean * mean
        match /= np.sqrt(np.maximum(variance.reshape(-1, 1), 1.0))
        return match.T.reshape(_TURNS, rows, columns), (rows - 1) // 2

    def _template(self, degrees: float) -> Array:
        """A turned print of mean 0 and norm 1, as the search's windows lie in memory."""
        upright = turned(self.print, degrees)
        small = cv2.resize(upright, (_COARSE, _COARSE), interpolation=cv2.INTER_AREA)
        inside = self._mask > 0.0
        small = (small - small[inside].mean(axis=0)) * self._mask[..., None]
        flat = small.transpose(2, 0, 1).reshape(-1)
        return np.asarray(flat / np.linalg.norm(flat), np.float32)

    def _changes(self) -> Array:
        """How the levels inside change by a turn of a degree and by shifts of a pixel: (3, n)."""
        gx, gy = (slope_of(self.print, axis) for axis in (1, 0))
        across = np.arange(ACROSS, dtype=np.float32) - (ACROSS - 1) / 2
        turn = np.radians(1.0) * (across[None, :, None] * gy - across[:, None, None] * gx)
        rows = [self._samples(part[::_EVERY, ::_EVERY]).ravel() for part in (turn, gx, gy)]
        return np.asarray(np.stack(rows), np.float32)

    def _samples(self, picture: Array) -> Array:
        """Its levels within the disc, channel by channel: (3, n)."""
        return np.ascontiguousarray(picture[self._inside].T)

    def _fit(self, patch: Array, matrix: NDArray[np.float64]) -> tuple[NDArray[np.float64], Array]:
        """The same place to a part of a pixel, and the levels seen there.

        Least squares (Gauss-Newton, inverse compositional): the print's own slopes serve all steps.
        """
        for _ in range(_STEPS):
            seen = self._samples(_seen(patch, matrix, _EVERY))
            gain, offset = light_of(seen, self._sampled)
            error = ((seen - offset) / gain - self._sampled).ravel()
            weighted = self._jacobian / (1.0 + (error / _STRAY) ** 2)
            normal = weighted @ self._jacobian.T + 1e-3 * np.eye(3, dtype=np.float32)
            turn, x, y = map(float, np.linalg.solve(normal, weighted @ error))
            step = turn_matrix(turn, (ACROSS - 1) / 2, (x, y))
            matrix = matrix @ np.linalg.inv(np.vstack([step, (0.0, 0.0, 1.0)]))
            if max(abs(turn), abs(x), abs(y)) < _ENOUGH:
                break
        # Paper on a faint print would be brighter than white: light is no straight line to ink.
        return matrix, np.clip((_seen(patch, matrix) - offset.T) / gain.T, 0.0, 255.0)


def _seen(patch: Array, matrix: NDArray[np.float64], every: int = 1) -> Array:
    """The disc upright, or every such pixel of it across and down."""
    side = -(-ACROSS // every)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    sampled = matrix @ np.diag((every, every, 1.0))
    return np.asarray(cv2.warpAffine(patch, sampled, (side, side), flags=how), np.float32)


def _under(values: Array, mask: Array) -> Array:
    """Sums of `values` under the mask at each place where it fits."""
    return np.asarray(cv2.matchTemplate(values, mask, cv2.TM_CCORR), np.float32)


def _peak(three: Array) -> float:
    """Where between -1 and 1 the parabola through three values, the middle one highest, peaks."""
    if len(three) < 3:
        return 0.0
    before, at, after = map(float, three)
    bend = before - 2.0 * at + after
    return 0.0 if bend >= 0.0 else float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))
