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
#: Squares that are cut from a longer picture overlap at least so much.
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
        windows = _windows(columns, rows)
        seen = np.stack([_window(picture, *window) for window in windows])
        planes = seen[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)
        scores, boxes = self._palm.run(np.ascontiguousarray(planes))
        window, place = np.unravel_index(int(scores[..., 0].argmax()), scores.shape[:2])
        middle = _anchor(int(place)) + boxes[window, place, :2] / _PALM_SIDE
        x0, y0, side = windows[int(window)]
        x, y = x0 + middle[0] * side, y0 + middle[1] * side
        at = float(np.clip(x / columns, 0, 1)), float(np.clip(y / rows, 0, 1))
        return Palm(float(scores[window, place, 0]), at)

    def _load(self, name: str) -> Network | None:
        try:
            return network(name)
        except ModelMissingError:
            self.missing = (*self.missing, name)
            return None


def _windows(columns: int, rows: int) -> list[tuple[int, int, int]]:
    """Corner and side of the squares that are looked at.

    All of the picture, for hands close to the camera; and squares along its longer side.
    """
    long, side = max(columns, rows), min(columns, rows)
    whole = ((columns - long) // 2, (rows - long) // 2, long)
    count = 1 + int(np.ceil(max(0.0, long / side - 1) / (1 - _OVERLAP)))
    starts = np.linspace(0, long - side, count).round().astype(int).tolist()
    parts = [(start, 0, side) if columns >= rows else (0, start, side) for start in starts]
    return parts if count == 1 else [whole, *parts]


def _window(picture: Image, x: int, y: int, side: int) -> Image:
    """A square of the picture, black beyond its border, as the palm detector sees it."""
    rows, columns = picture.shape[:2]
    part = picture[max(y, 0) : y + side, max(x, 0) : x + side]
    above, left = max(-y, 0), max(-x, 0)
    below, right = max(y + side - rows, 0), max(x + side - columns, 0)
    square = cv2.copyMakeBorder(part, above, below, left, right, cv2.BORDER_CONSTANT)
    return np.asarray(
        cv2.resize(square, (_PALM_SIDE, _PALM_SIDE), interpolation=cv2.INTER_AREA), np.uint8
    )


def _anchor(place: int) -> Floats:
    """Middle of the cell that answer `place` of the palm detector belongs to, 0 to 1."""
    for columns, each in _PALM_GRIDS:
        if place < columns * columns * each:
            cell = place // each
            middle = (cell % columns + 0.5) / columns, (cell // columns + 0.5) / columns
            return np.array(middle, np.float32)
        place -= columns * columns * each
    raise ValueError(f"place: expected less than 2016, got {place} more")
