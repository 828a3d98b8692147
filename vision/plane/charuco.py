"""The lens of a camera from several views of a ChArUco sheet.

The sheet's true size does not matter, only that it is flat and was printed with the same scale
both ways: a lens is made of angles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import UnreadableError
from vision.plane.geometry import Image, grey_of
from vision.plane.pinhole import Array, Lens, view_from_homography

#: Fewer corners of the sheet hardly fix its pose.
_FEWEST_CORNERS = 12
#: Views in which the sheet's corners moved by less than this share of the picture's diagonal, on
#: average, tell nothing new; below the second share the sheet is held still.
_SAME_VIEW, _STILL = 0.04, 0.002
#: So many different views are needed: four to fix all unknowns, and as many again to check them.
FEWEST_VIEWS = 8
#: Corners must be seen in each of so many parts of the picture, across and down.
_PARTS = (3, 3)
_ACROSS, _DOWN = ("left", "middle", "right"), ("top", "middle", "bottom")
#: The sheet must be seen tilted by this (degrees) at least in so many views: seen straight on, a
#: near sheet through a wide lens looks like a far one through a narrow lens.
_TILT, _TILTED_VIEWS = 15.0, 3
#: Reprojection error (px at 1920 columns, root of the mean square) of a flat sheet, sharply seen.
_ERROR_PX = 0.8
#: The focal length must be known this well (standard deviation, share).
_FOCAL_SIGMA = 0.005
#: A view with an error of so many times the median is left out: it was blurred.
_OUTLIER = 3.0


@dataclass(frozen=True, eq=False)
class SheetView:
    """The sheet in one picture: its corners' `ids` (n,), `places` on it (n, 2), in mm,
    and where they are seen, `pixels` (n, 2); `size` is the picture's width and height.
    """

    ids: NDArray[np.int32]
    places: NDArray[np.float32]
    pixels: NDArray[np.float32]
    size: tuple[int, int]

    @cached_property
    def tilt(self) -> float:
        """By how many degrees the sheet leans, as an ordinary lens would see it."""
        homography, _ = cv2.findHomography(self.places, self.pixels)
        view = view_from_homography(np.asarray(homography, np.float64), Lens.ordinary(self.size))
        rotation, _ = cv2.Rodrigues(view.rvec)
        return float(np.degrees(np.arccos(np.clip(rotation[2, 2], -1.0, 1.0))))

    def moved(self, other: SheetView) -> float:
        """How far common corners moved, on average, as a share of the diagonal; 1 if none are."""
        _, mine, its = np.intersect1d(self.ids, other.ids, return_indices=True)
        if not len(mine):
            return 1.0
        steps = np.linalg.norm(self.pixels[mine] - other.pixels[its], axis=1)
        return float(steps.mean() / np.hypot(*self.size))


@dataclass(frozen=True, eq=False)
class Calibration:
    """A lens with how well it is known."""

    lens: Lens
    size: tuple[int, int]
    """Width and height of the pictures that it holds for."""
    error_px: float
    """Root of the mean square distance of corners from where the lens says they are."""
    focal_sigma: float
    """Standard deviation of the focal length, as a share of it."""
    views: int
    """How many views it rests on."""


def see_sheet(image: Image, board: cv2.aruco.CharucoBoard) -> SheetView:
    """Finds the sheet in a BGR or grey picture.

    Raises UnreadableError if fewer than twelve of its inner corners are seen.
    """
    grey = grey_of(image)
    # OpenCV gives None for both where it finds nothing, whatever its types say.
    found: tuple[Any, ...] = _detector(board).detectBoard(grey)
    corners, ids = found[:2]
    places = np.asarray(board.getChessboardCorners(), np.float32)
    count = 0 if ids is None else len(ids)
    if count < _FEWEST_CORNERS:
        there = len(places)
        raise UnreadableError(
            "Only {count} of the sheet's {there} corners are seen.",
            "Hold it nearer and flat, wholly in the picture, without glare or blur.",
            count=count,
            there=there,
        )
    numbers = np.asarray(ids, np.int32).ravel()
    return SheetView(
        numbers,
        places[numbers, :2],
        np.asarray(corners, np.float32).reshape(-1, 2),
        (grey.shape[1], grey.shape[0]),
    )


class Views:
    """Collects views that differ, and says what is still missing."""

    def __init__(self) -> None:
        self.kept: list[SheetView] = []
        self._last: SheetView | None = None

    def add(self, view: SheetView) -> bool:
        """Keeps a view unless it is too much like one that is kept; whether it was.

        Raises UnreadableError for a picture of another size.
        """
        if self.kept and view.size != self.kept[0].size:
            was, now = self.kept[0].size, view.size
            raise UnreadableError(
                "This picture has {size} pixels, the others {others}.",
                "Take all of them with one camera at one resolution, none of them cropped.",
                size=f"{now[0]} x {now[1]}",
                others=f"{was[0]} x {was[1]}",
            )
        if any(view.moved(other) < _SAME_VIEW for other in self.kept):
            return False
        self.kept.append(view)
        return True

    def add_if_still(self, view: SheetView) -> bool:
        """The same for pictures of a film: a sheet that moves is blurred, and not taken."""
        last, self._last = self._last, view
        still = last is not None and last.size == view.size and view.moved(last) < _STILL
        return still and self.add(view)

    @property
    def missing(self) -> list[str]:
        """What people should do next, a clause each; empty if there is enough."""
        wanted = []
        if (more := FEWEST_VIEWS - len(self.kept)) > 0:
            wanted.append(f"{_counted(more, 'more view')} in which the sheet lies elsewhere")
        if self.kept and (parts := self._unseen()):
            wanted.append(f"the sheet at the {', the '.join(parts)} of the picture")
        if (more := _TILTED_VIEWS - sum(view.tilt >= _TILT for view in self.kept)) > 0:
            wanted.append(f"{_counted(more, 'view')} with the sheet tilted by about 30 degrees")
        return wanted

    def _unseen(self) -> list[str]:
        """The parts of the picture in which no corner was seen."""
        pixels = np.concatenate([view.pixels for view in self.kept])
        places = (pixels / self.kept[0].size * _PARTS).astype(int).clip(0, np.array(_PARTS) - 1)
        seen = {(int(x), int(y)) for x, y in places}
        return [
            "middle" if x == y == 1 else f"{_DOWN[y]} {_ACROSS[x]}"
            for y in range(_PARTS[1])
            for x in range(_PARTS[0])
            if (x, y) not in seen
        ]


def calibrate(views: Sequence[SheetView]) -> Calibration:
    """The lens through which all views were taken: focal lengths, centre, k1, k2, p1, p2.

    Views that are too much alike count once; blurred ones are left out. Raises UnreadableError if
    too few are left, if they leave parts of the picture open or are all straight on, or if the
    fit is poor.
    """
    different = Views()
    for view in views:
        different.add(view)
    if missing := different.missing:
        raise UnreadableError(
            "{n} different views of the sheet are not enough for a lens.",
            "Still needed: {missing}.",
            n=len(different.kept),
            missing="; ".join(missing),
        )
    kept = different.kept
    fit = _fit(kept)
    limit = max(_OUTLIER * float(np.median(fit.errors)), 0.1)
    sharp = [view for view, error in zip(kept, fit.errors, strict=True) if error <= limit]
    if FEWEST_VIEWS <= len(sharp) < len(kept):
        kept, fit = sharp, _fit(sharp)
    size = kept[0].size
    if fit.error > _ERROR_PX * max(size) / 1920:
        raise UnreadableError(
            "The corners lie off by {pixels} pixels: no lens explains these views.",
            "Glue the sheet flat onto a stiff board, hold it still in good light, and switch the "
            "camera's zoom and automatic focus off.",
            pixels=f"{fit.error:.1f}",
        )
    if fit.focal_sigma > _FOCAL_SIGMA:
        raise UnreadableError(
            "The focal length is known to {percent} % only.",
            "Take more views with the sheet tilted to all sides by about 30 degrees, and near.",
            percent=f"{100 * fit.focal_sigma:.1f}",
        )
    return Calibration(fit.lens, size, fit.error, fit.focal_sigma, len(kept))


@dataclass(frozen=True, eq=False)
class _Fit:
    lens: Lens
    error: float
    errors: Array
    focal_sigma: float


def _fit(views: Sequence[SheetView]) -> _Fit:
    error, matrix, distortion, _, _, sigmas, _, errors = cv2.calibrateCameraExtended(
        [_flat(view.places) for view in views],
        [np.ascontiguousarray(view.pixels.reshape(-1, 1, 2)) for view in views],
        views[0].size,
        np.eye(3),
        np.zeros(5),
        flags=cv2.CALIB_FIX_K3,
    )
    focal = float(np.asarray(matrix)[0, 0])
    return _Fit(
        Lens(np.asarray(matrix, np.float64), np.asarray(distortion, np.float64).ravel()[:5]),
        float(error),
        np.asarray(errors, np.float64).ravel(),
        float(np.asarray(sigmas).ravel()[0] / focal),
    )


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _flat(places: NDArray[np.float32]) -> NDArray[np.float32]:
    """Points (n, 2) of the sheet as OpenCV wants them, (n, 1, 3)."""
    return np.pad(places, ((0, 0), (0, 1))).reshape(-1, 1, 3)


@lru_cache(maxsize=2)
def _detector(board: cv2.aruco.CharucoBoard) -> cv2.aruco.CharucoDetector:
    return cv2.aruco.CharucoDetector(board)
