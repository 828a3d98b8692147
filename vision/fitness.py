"""Is a picture fit to be read? What is wrong with it, and what a person can do about it.

A picture is measured within the table: how bright its whites and blacks are, how much of each
zone is blown out, and how wide its sharpest edges are. The limits are where rendered tables of the
kit begin to lose readings; see `tests/bench/fitness.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[np.uint8]
Array = NDArray[np.float64]

#: Brightness is measured on about so many pixels across.
_SMALL_PX = 320
#: Edges are measured in patches of so many pixels square, in the most contrasted ones.
_PATCH_PX, _PATCHES = 64, 10
#: The two scales (sigma in px) whose gradients are compared along edges.
_FINE, _COARSE = 1.0, 3.0
#: The filters reach so far (px).
_RIM = 9
#: A gradient (levels per px at the fine scale) below this may be noise.
_LEAST_EDGE = 4.0
#: Of the edges, the sharpest part tells of the lens; others are soft in themselves.
_SHARPEST = 0.25
#: Fewer edges tell nothing.
_FEWEST_EDGES = 40
#: A level from which on a pixel is blown out.
_CLIPPED = 250

#: Whites below this level: noise and few levels leave too little to read.
_LEAST_WHITE = 60.0
#: More of the table, or of a zone, blown out than this share.
_MOST_CLIPPED, _MOST_GLARE = 0.15, 0.1
#: A veil lifts the blacks, and leaves little between them and the whites.
_LEAST_CONTRAST, _VEILED_BLACK = 60.0, 90.0
#: Edges wider than this (sigma, mm on the table) blur the kit's symbols.
_BLUR_MM = 1.5
#: Where the scale isn't known the picture's width is taken for so many mm: the kit's table in full.
_USUAL_WIDTH_MM = 1370.0
#: Edges that are sharper one way than the other by this factor are smeared by motion.
_MOTION = 0.5


class Flaw(Enum):
    """What can be wrong with a picture."""

    DARK = "dark"
    BRIGHT = "bright"
    GLARE = "glare"
    BLUR = "blur"
    MOTION = "motion"
    VEIL = "veil"


@dataclass(frozen=True)
class Complaint:
    """A flaw, and in which zone if it is in one; a sentence on it, and what to do."""

    flaw: Flaw
    zone: str | None
    what: str
    remedy: str


@dataclass(frozen=True, eq=False)
class Measures:
    """What was measured of a picture; levels are 0 to 255."""

    white: float
    """The level that 2 % of the table exceed: paper and pale print."""
    black: float
    """The level that 2 % of the table stay below: ink and shadow."""
    clipped: float
    """Share of the table that is blown out."""
    glare: Mapping[str, float] = field(default_factory=dict)
    """Share of each zone that is blown out."""
    blur: tuple[float, float] | None = None
    """Sigma (px) of the sharpest edges across and down; None if there are too few edges."""


def measure(
    image: Image,
    zones: Mapping[str, ArrayLike] | None = None,
    table: ArrayLike | None = None,
) -> Measures:
    """Measures a BGR picture; `zones` and `table` are polygons (n, 2) in its pixels.

    Without `table` the whole picture counts.
    """
    step = max(1, image.shape[1] // _SMALL_PX)
    small = np.ascontiguousarray(image[step // 2 :: step, step // 2 :: step])
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    inside = _mask(grey.shape, table, step)
    if not inside.any():
        inside = _mask(grey.shape, None, step)
    blown = np.asarray(cv2.inRange(small, (_CLIPPED,) * 3, (255,) * 3), np.uint8)
    counts = np.cumsum(cv2.calcHist([grey], [0], inside, [256], [0, 256]))
    return Measures(
        white=float(np.searchsorted(counts, 0.98 * counts[-1])),
        black=float(np.searchsorted(counts, 0.02 * counts[-1])),
        clipped=_share(blown, inside),
        glare={
            name: _share(blown, _mask(grey.shape, polygon, step) & inside)
            for name, polygon in (zones or {}).items()
        },
        blur=_blur(image, grey, inside, step),
    )


def complaints(
    image: Image,
    zones: Mapping[str, ArrayLike] | None = None,
    table: ArrayLike | None = None,
    px_per_mm: float | None = None,
) -> tuple[Complaint, ...]:
    """What makes a picture unfit to be read, the gravest first; empty if nothing does.

    As `measure`; `px_per_mm` is the table's scale in the picture: without it the table is taken
    to fill the picture.
    """
    measured = measure(image, zones, table)
    limit = _BLUR_MM * (px_per_mm or image.shape[1] / _USUAL_WIDTH_MM)
    return judge(measured, limit)


def judge(measured: Measures, blur_limit_px: float) -> tuple[Complaint, ...]:
    """The same of what was measured; edges may be as wide as `blur_limit_px` (sigma)."""
    found = []
    if measured.white < _LEAST_WHITE:
        found.append(
            Complaint(
                Flaw.DARK,
                None,
                "The picture is too dark.",
                "Switch more light on, or let the camera settle anew.",
            )
        )
    if measured.clipped > _MOST_CLIPPED:
        found.append(
            Complaint(
                Flaw.BRIGHT,
                None,
                f"The picture is too bright: {100 * measured.clipped:.0f} % of the table is "
                "nothing but white.",
                "Dim the light above the table, or let the camera settle anew.",
            )
        )
    else:
        found += [
            Complaint(
                Flaw.GLARE,
                zone,
                f"A lamp or window is mirrored on {zone}.",
                "Move the lamp, the camera or what lies there, or draw the curtain.",
            )
            for zone, share in measured.glare.items()
            if share > _MOST_GLARE
        ]
    veiled = measured.white - measured.black < _LEAST_CONTRAST and measured.black > _VEILED_BLACK
    if veiled:
        found.append(
            Complaint(
                Flaw.VEIL,
                None,
                "The picture is pale, as through fog.",
                "Wipe the camera's lens with a soft cloth, and let no lamp shine into it.",
            )
        )
    if measured.blur is not None and max(measured.blur) > blur_limit_px:
        found.append(_unsharp(measured.blur))
    return tuple(found)


def _unsharp(blur: tuple[float, float]) -> Complaint:
    if min(blur) < _MOTION * max(blur):
        way = "sideways" if blur[0] > blur[1] else "up and down"
        return Complaint(
            Flaw.MOTION,
            None,
            f"The picture is smeared {way}: the camera or the table moves.",
            "Fix the camera's stand, and switch more light on: exposures get shorter.",
        )
    return Complaint(
        Flaw.BLUR,
        None,
        "The picture is not sharp.",
        "Wipe the lens, then let the camera settle anew, or turn its focus ring until print on "
        "the table is crisp.",
    )


def _mask(shape: tuple[int, ...], polygon: ArrayLike | None, step: int) -> Image:
    """255 within a polygon of the full picture, in one that is `step` times smaller; else 0."""
    if polygon is None:
        return np.full(shape, 255, np.uint8)
    mask = np.zeros(shape, np.uint8)
    corners = np.rint(np.asarray(polygon, np.float64) / step).astype(np.int32)
    cv2.fillPoly(mask, [corners.reshape(-1, 1, 2)], (255,))
    return mask


def _share(what: Image, of: Image) -> float:
    count = cv2.countNonZero(of)
    return cv2.countNonZero(what & of) / count if count else 0.0


def _blur(image: Image, grey: Image, inside: Image, step: int) -> tuple[float, float] | None:
    """Sigma of the sharpest edges, across and down.

    An edge blurred by sigma s has a gradient of 1 / sqrt(s^2 + t^2) of its height at a scale t, so
    that the ratio of the gradients at two scales tells s, whatever the height (Zhuo and Sim,
    Defocus map estimation from a single image, 2011). Lines thinner than the coarse scale would
    look sharper than they are: their crests lie elsewhere at that scale, and do not count.
    """
    patches = _patches(image, grey, inside, step)
    if not patches:
        return None
    tall = np.concatenate(patches).astype(np.float32)
    rows = np.arange(len(tall)) % _PATCH_PX
    # The filters run over from one patch into the next.
    usable = np.zeros(tall.shape, bool)
    usable[(rows >= _RIM) & (rows < _PATCH_PX - _RIM), _RIM:-_RIM] = True
    fine, coarse = ([_slope(tall, scale, axis) for axis in (0, 1)] for scale in (_FINE, _COARSE))
    sigmas = []
    for axis in (0, 1):
        here, there = np.abs(fine[axis]), np.abs(coarse[axis])
        chosen = (here > _LEAST_EDGE) & (np.abs(fine[1 - axis]) < 0.5 * here)
        chosen &= _crest(here, axis) & _crest(there, axis) & usable
        ratio = here[chosen] / there[chosen]
        if len(ratio) < _FEWEST_EDGES:
            return None
        r = float(np.quantile(ratio, 1.0 - _SHARPEST))
        r = min(max(r, 1.001), _COARSE / _FINE)
        sigmas.append(float(np.sqrt((_COARSE**2 - (r * _FINE) ** 2) / (r**2 - 1.0))))
    return sigmas[0], sigmas[1]


def _slope(grey: NDArray[np.float32], scale: float, axis: int) -> NDArray[np.float32]:
    """The derivative across (axis 0) or down (1), in levels per pixel, at a scale."""
    smooth, rise = _kernels(scale)
    kernels = (rise, smooth) if axis == 0 else (smooth, rise)
    return np.asarray(cv2.sepFilter2D(grey, cv2.CV_32F, *kernels), np.float32)


@cache
def _kernels(scale: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A Gaussian and its derivative."""
    x = np.arange(-_RIM, _RIM + 1)
    smooth = np.exp(-((x / scale) ** 2) / 2)
    smooth /= smooth.sum()
    return smooth.astype(np.float32), (x / scale**2 * smooth).astype(np.float32)


def _crest(slope: NDArray[np.float32], axis: int) -> NDArray[np.bool_]:
    """Where a slope is not less than beside it, across (axis 0) or down (1)."""
    window = np.ones((1, 3) if axis == 0 else (3, 1), np.uint8)
    return np.asarray(slope >= cv2.dilate(slope, window))


def _patches(image: Image, grey: Image, inside: Image, step: int) -> list[Image]:
    """The most contrasted patches of the table at full size, in grey levels."""
    cell = max(1, _PATCH_PX // step)
    rows, columns = grey.shape[0] // cell, grey.shape[1] // cell
    if not rows or not columns:
        return []
    steps = np.asarray(cv2.absdiff(grey[:, 1:], grey[:, :-1]), np.uint8) & inside[:, 1:]
    cut = np.ascontiguousarray(steps[: rows * cell, : columns * cell])
    busy = cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_AREA).ravel()
    chosen = np.argsort(busy)[::-1][:_PATCHES]
    patches = []
    for place in chosen:
        y, x = (int(part) * cell * step for part in divmod(int(place), columns))
        patch = image[y : y + _PATCH_PX, x : x + _PATCH_PX]
        if patch.shape[:2] == (_PATCH_PX, _PATCH_PX):
            patches.append(np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.uint8))
    return patches
