"""Asks the two networks whether a hand or an arm is in a picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.network import ModelMissingError, Network, network
from vision.stillness.pictures import Floats, Image

#: Short side of what the network for arms sees, and the step that its sides are multiples of.
_LIMB_SIDE, _LIMB_STEP = 144, 16
#: Side of the square that the palm detector sees; its score grid is (columns, per place).
_PALM_SIDE = 192
_PALM_GRIDS = ((24, 2), (12, 6))
#: Only squares cut from a longer picture: neighbours overlap at least so much.
_OVERLAP = 0.15


@dataclass(frozen=True, eq=False)
class LimbMap:
    """Where an arm is: `score` (h, w), 0 to 1, over the whole picture."""

    score: Floats


@dataclass(frozen=True, slots=True)
class Palm:
    """The likeliest palm: score 0 to 1, and its middle as shares of width and height."""

    score: float
    at: tuple[float, float]


class LimbSight:
    """The networks, as far as their files are there; `missing` names those that are not."""

    def __init__(self) -> None:
        self.missing: tuple[str, ...] = ()
        self._limbs = self._load("limbs")
        self._palm = self._load("palm")

    def limbs(self, picture: Image) -> LimbMap | None:
        """Arms, hands and sleeves in a BGR picture; None without the network."""
        if self._limbs is None:
            return None
        rows, columns = picture.shape[:2]
        scale = _LIMB_SIDE / min(rows, columns)
        size = [
            max(_LIMB_STEP, _LIMB_STEP * round(n * scale / _LIMB_STEP)) for n in (columns, rows)
        ]
        seen = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        planes = np.ascontiguousarray(seen.transpose(2, 0, 1)[None], dtype=np.float32)
        (score,) = self._limbs.run(planes)
        return LimbMap(np.asarray(score[0, 0], np.float32))

    def palm(self, picture: Image) -> Palm | None:
        """The likeliest palm in a BGR picture; None without the network."""
        if self._palm is None:
            return None
        rows, columns = picture.shape[:2]
        side = min(rows, columns)
        windows = _windows(columns, rows, side)
        seen = np.stack(
            [
                cv2.resize(
                    picture[y : y + side, x : x + side],
                    (_PALM_SIDE, _PALM_SIDE),
                    interpolation=cv2.INTER_AREA,
                )
                for x, y in windows
            ]
        )
        planes = seen[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)
        scores, boxes = self._palm.run(np.ascontiguousarray(planes))
        window, place = np.unravel_index(int(scores[..., 0].argmax()), scores.shape[:2])
        middle = _anchor(int(place)) + boxes[window, place, :2] / _PALM_SIDE
        x, y = np.array(windows[int(window)]) + middle * side
        return Palm(float(scores[window, place, 0]), (float(x / columns), float(y / rows)))

    def _load(self, name: str) -> Network | None:
        try:
            return network(name)
        except ModelMissingError:
            self.missing = (*self.missing, name)
            return None


def _windows(columns: int, rows: int, side: int) -> list[tuple[int, int]]:
    """Corners of squares that cover the picture along its longer side."""
    long = max(columns, rows)
    count = 1 + int(np.ceil(max(0.0, long / side - 1) / (1 - _OVERLAP)))
    starts = np.linspace(0, long - side, count).round().astype(int).tolist()
    return [(start, 0) if columns >= rows else (0, start) for start in starts]


def _anchor(place: int) -> Floats:
    """Middle of the cell that answer `place` of the palm detector belongs to, 0 to 1."""
    for columns, each in _PALM_GRIDS:
        if place < columns * columns * each:
            cell = place // each
            middle = (cell % columns + 0.5) / columns, (cell // columns + 0.5) / columns
            return np.array(middle, np.float32)
        place -= columns * columns * each
    raise ValueError(f"place: expected less than 2016, got {place} more")
