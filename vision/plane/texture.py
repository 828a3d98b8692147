"""Watches what is drawn or lies at the edge of the table, for when its markers are covered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane.geometry import Image, Plane, corners_of, grey_of

#: So many places are watched, at least so far apart (as a share of the picture's width).
_PLACES, _APART = 32, 0.05
#: Half of the square of pixels that is compared, and how far around it it is looked for.
_HALF, _REACH = 9, 4
#: They lie on the table top, which goes on beyond the plane by this much; not in its inner part,
#: where people play, which begins at this share of the plane's shorter side.
_OUTER_MM, _INNER = 40.0, 0.12
_OUTWARD = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
#: Corners (least eigenvalue, see Shi and Tomasi 1994) below this share of the strongest are noise.
_QUALITY = 0.02
#: A place is recognised at such a correlation; noise is not, even at its best of 81 places.
_ALIKE = 0.8
#: It is still there if it is found within so many pixels, and away if beyond so many.
_STILL_PX, _AWAY_PX = 0.6, 1.0


@dataclass(frozen=True)
class Witness:
    """How many places are still where they were, and how many were found away."""

    still: int
    away: int


class Texture:
    """Small squares of the picture along the table's edge; chosen when they are first asked for."""

    def __init__(self, image: Image, plane: Plane) -> None:
        """`image` shows the plane where it is."""
        self._grey, self._plane = grey_of(image).copy(), plane

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        """Pixels (x, y) at which there is something to recognise."""
        small = cv2.resize(self._grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        mask = np.zeros(small.shape, np.uint8)
        for grown, value in ((_OUTER_MM, 255), (-_INNER * min(self._plane.size), 0)):
            outline = self._plane.to_px(corners_of(self._plane.size) + grown * _OUTWARD)
            cv2.fillConvexPoly(mask, np.round(outline / 2).astype(np.int32), (value,))
        rim = (_HALF + _REACH) // 2 + 1
        mask[:rim], mask[-rim:], mask[:, :rim], mask[:, -rim:] = 0, 0, 0, 0
        corners: Any = cv2.goodFeaturesToTrack(
            small, _PLACES, _QUALITY, _APART * small.shape[1], mask=mask, blockSize=5
        )
        found = np.array([] if corners is None else corners, np.float64).reshape(-1, 2)
        return [(round(2 * x + 0.5), round(2 * y + 0.5)) for x, y in found.tolist()]

    @cached_property
    def _patches(self) -> list[Image]:
        return [_cut(self._grey, x, y, _HALF) for x, y in self._places]

    def look(self, image: Image) -> Witness:
        """What a later frame of the same size shows."""
        distances: list[float] = []
        for (x, y), patch in zip(self._places, self._patches, strict=True):
            around = grey_of(_cut(image, x, y, _HALF + _REACH))
            found = cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED)
            scores = np.asarray(found, np.float32)
            _, best, _, (u, v) = cv2.minMaxLoc(scores)
            if best > _ALIKE:
                at = np.array([u + _vertex(scores[v], u), v + _vertex(scores[:, u], v)])
                distances.append(float(np.linalg.norm(at - _REACH)))
        away = np.array(distances)
        return Witness(int((away < _STILL_PX).sum()), int((away > _AWAY_PX).sum()))


def _cut(image: Image, x: int, y: int, half: int) -> Image:
    return np.ascontiguousarray(image[y - half : y + half + 1, x - half : x + half + 1])


def _vertex(scores: NDArray[np.float32], k: int) -> float:
    """How far off the peak of a parabola through three neighbours lies from the middle one."""
    if not 0 < k < len(scores) - 1:
        return 0.0
    before, here, after = (float(scores[k + step]) for step in (-1, 0, 1))
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else (before - after) / (2 * bend)
