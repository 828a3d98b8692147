"""Finds ArUco markers of DICT_4X4_50 in a picture: first quickly, then harder where one is missing.

A printed marker is harder to read than a drawn one: the white paper round it blooms into the
black, which makes the black look smaller, and blur and noise flip cells. The detectors here
therefore ignore the rim of each cell; the hard one also enlarges the picture, evens its light out
and corrects more bits, and is only used near the place where a marker must be.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

#: The picture is searched at no more than this width or height; corners are refined at full size.
_SEARCH_PX = 1920
#: A glance searches no more than this: corner markers that can be read well are large.
_GLANCE_PX = 960
#: A marker is looked at closely with its black square about this large.
_CLOSE_PX = 96.0


@dataclass(frozen=True, eq=False)
class Sighting:
    """A marker seen in a picture: its id, and its black square's corners.

    `quad` is float64 of shape (4, 2), in pixels (an integer is a pixel's centre), clockwise from
    the top left corner of the marker as drawn.
    """

    id: int
    quad: NDArray[np.float64]

    @property
    def centre(self) -> NDArray[np.float64]:
        """Where the diagonals cross: the image of the marker's centre, bloomed or not."""
        (p, q, r, s) = self.quad
        across, along = r - p, s - q
        cross = across[0] * along[1] - across[1] * along[0]
        share = ((q[0] - p[0]) * along[1] - (q[1] - p[1]) * along[0]) / cross
        return np.asarray(p + share * across)

    @property
    def side(self) -> float:
        """Mean length of the sides in pixels."""
        return float(np.linalg.norm(self.quad - np.roll(self.quad, 1, axis=0), axis=1).mean())


def glance_at_markers(grey: NDArray[np.uint8], ids: Collection[int]) -> list[Sighting]:
    """The markers with one of `ids` that a very quick look finds in a grey picture.

    An id can occur more than once: what is false must be told by where it lies.
    """
    return _find(grey, ids, _GLANCE_PX, hard=False)


def find_markers(grey: NDArray[np.uint8], ids: Collection[int]) -> list[Sighting]:
    """The same by a quick look, which finds smaller ones too."""
    return _find(grey, ids, _SEARCH_PX, hard=False)


def find_hard_markers(grey: NDArray[np.uint8], ids: Collection[int]) -> list[Sighting]:
    """The same by a slow and thorough look at the whole picture."""
    return _find(_evened(grey), ids, _SEARCH_PX, hard=True)


def find_sized_markers(
    grey: NDArray[np.uint8], ids: Collection[int], side: float
) -> list[Sighting]:
    """The same by a quick look for black squares of `side` pixels, within a fifth."""
    return [
        sighting
        for sighting in _detect(grey, ids, hard=False, side=side)
        if 0.8 * side <= sighting.side <= 1.2 * side
    ]


def look_closely(
    grey: NDArray[np.uint8],
    marker: int,
    centre: NDArray[np.float64],
    side: float,
    reach: float,
    *,
    thorough: bool = True,
) -> Sighting | None:
    """Looks for one marker whose centre must lie within `reach` pixels of `centre`.

    `side` is the length in pixels that its black square must have, within a fifth. Unless
    `thorough`, one that is hard to read is not found.
    """
    half = int(np.ceil(reach + 1.1 * side))
    x, y = np.floor(centre).astype(int) - half
    left, top = max(0, int(x)), max(0, int(y))
    crop = grey[top : max(0, y + 2 * half + 1), left : max(0, x + 2 * half + 1)]
    if min(crop.shape) < side:
        return None
    scale = max(1.0, _CLOSE_PX / side) if thorough else 1.0
    large = _scaled(crop, scale)
    for hard in (False, True) if thorough else (False,):
        picture = _evened(large) if hard else large
        for sighting in _detect(picture, {marker}, hard=hard, side=side * scale):
            quad = (sighting.quad + 0.5) / scale - 0.5 + (left, top)
            seen = Sighting(marker, quad)
            near = np.linalg.norm(seen.centre - centre) <= reach
            if near and 0.8 * side <= seen.side <= 1.2 * side:
                return seen
    return None


def _find(
    grey: NDArray[np.uint8], ids: Collection[int], longest: int, *, hard: bool
) -> list[Sighting]:
    """Markers of the whole picture, searched with no side above `longest` pixels."""
    scale = longest / max(grey.shape)
    if scale >= 1.0 and not hard:
        return _detect(grey, ids, hard=hard)
    search = _scaled(grey, scale)
    found = [
        Sighting(sighting.id, (sighting.quad + 0.5) / scale - 0.5)
        for sighting in _detect(search, ids, hard=hard)
    ]
    return [_refined(grey, sighting) for sighting in found] if scale < 1.0 else found


def _detect(
    grey: NDArray[np.uint8], ids: Collection[int], *, hard: bool, side: float | None = None
) -> list[Sighting]:
    width = _odd(max(grey.shape) / 90.0 if side is None else side / 4.0)
    quads, found, _ = _detector(hard, width).detectMarkers(grey)
    if found is None:
        return []
    return [
        Sighting(int(marker), np.asarray(quad, dtype=np.float64).reshape(4, 2))
        for quad, marker in zip(quads, found.ravel(), strict=True)
        if int(marker) in ids
    ]


@cache
def _detector(hard: bool, window: int) -> Any:
    """An ArUco detector whose threshold window, in pixels, is about a marker's quarter."""
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin = max(5, _odd(window / 2)) if hard else window
    settings.adaptiveThreshWinSizeMax = _odd(2 * window) if hard else window
    settings.adaptiveThreshWinSizeStep = max(4, window // 2)
    settings.adaptiveThreshConstant = 4.0 if hard else 7.0
    settings.minMarkerPerimeterRate = 0.03
    settings.perspectiveRemoveIgnoredMarginPerCell = 0.3 if hard else 0.25
    settings.perspectiveRemovePixelPerCell = 8
    settings.errorCorrectionRate = 1.0 if hard else 0.8
    settings.maxErroneousBitsInBorderRate = 0.5 if hard else 0.35
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.relativeCornerRefinmentWinSize = 0.4
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.ArucoDetector(dictionary, settings)


def _refined(grey: NDArray[np.uint8], sighting: Sighting) -> Sighting:
    """The sighting with its corners found anew at the picture's own size."""
    window = max(2, int(sighting.side / 6 * 0.4))
    corners = sighting.quad.astype(np.float32).reshape(-1, 1, 2)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 30, 0.02)
    cv2.cornerSubPix(grey, corners, (window, window), (-1, -1), stop)
    return Sighting(sighting.id, corners.reshape(4, 2).astype(np.float64))


def _scaled(grey: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    method = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_CUBIC
    scaled = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=method)
    return np.asarray(scaled, dtype=np.uint8)


def _evened(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture with its local contrast evened out."""
    even = cv2.createCLAHE(clipLimit=3.0, tileGridSize=(8, 8)).apply(grey)
    return np.asarray(even, dtype=np.uint8)


def _odd(length: float) -> int:
    return max(3, 2 * round(length / 2) + 1)
