"""Is a picture fit to be read? What is wrong with it, and what a person can do about it.

A picture is measured within the table: how bright its whites and blacks are, how much of each
zone is blown out, and how wide its sharpest edges are. The limits are where rendered tables of the
kit, spoiled step by step, began to lose tiles; `tests/bench/fitness.py` measures that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import Trouble
from vision.sharpness import edge_blur

Image = NDArray[np.uint8]

#: Brightness is measured on about so many pixels across.
_SMALL_PX = 320
#: A level from which on a pixel is blown out.
_CLIPPED = 250

#: Below this level of the whites tables began to lose tiles (4 % at 59, none at 84).
_LEAST_WHITE = 65.0
#: All tiles were read with half the table blown out, half of them with four fifths.
_MOST_CLIPPED = 0.4
#: A lamp's mirror image of the size of four tiles takes so much of a zone.
_MOST_GLARE = 0.12
#: A veil lifts the blacks, and leaves little between them and the whites: all was read at 100
#: levels, two thirds at 60.
_LEAST_CONTRAST, _VEILED_BLACK = 75.0, 90.0
#: Edges wider than this (sigma, mm on the table) begin to blur the kit's symbols.
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


class Complaint(Trouble):
    """A flaw, and in which zone if it is in one; a sentence on it, and what to do."""

    def __init__(
        self, flaw: Flaw, what: str, remedy: str, /, zone: str | None = None, **arguments: object
    ) -> None:
        super().__init__(what, remedy, zone=zone, **arguments)
        self.flaw, self.zone = flaw, zone


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
        blur=edge_blur(image, grey, inside, step),
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
                "The picture is too dark.",
                "Switch more light on, or let the camera settle anew.",
            )
        )
    if measured.clipped > _MOST_CLIPPED:
        found.append(
            Complaint(
                Flaw.BRIGHT,
                "The picture is too bright: {percent} % of the table is nothing but white.",
                "Dim the light above the table, or let the camera settle anew.",
                percent=f"{100 * measured.clipped:.0f}",
            )
        )
    else:
        found += [
            Complaint(
                Flaw.GLARE,
                "A lamp or window is mirrored on {zone}.",
                "Move the lamp, the camera or what lies there, or draw the curtain.",
                zone=zone,
            )
            for zone, share in measured.glare.items()
            if share > _MOST_GLARE
        ]
    veiled = measured.white - measured.black < _LEAST_CONTRAST and measured.black > _VEILED_BLACK
    if veiled:
        found.append(
            Complaint(
                Flaw.VEIL,
                "The picture is pale, as through fog.",
                "Wipe the camera's lens with a soft cloth, and let no lamp shine into it.",
            )
        )
    # Smeared one way only, symbols stay readable for longer.
    if measured.blur is not None and np.hypot(*measured.blur) / np.sqrt(2.0) > blur_limit_px:
        found.append(_unsharp(measured.blur))
    return tuple(found)


def _unsharp(blur: tuple[float, float]) -> Complaint:
    if min(blur) < _MOTION * max(blur):
        what = "The picture is smeared up and down: the camera or the table moves."
        if blur[0] > blur[1]:
            what = "The picture is smeared sideways: the camera or the table moves."
        return Complaint(
            Flaw.MOTION,
            what,
            "Fix the camera's stand, and switch more light on: exposures get shorter.",
        )
    return Complaint(
        Flaw.BLUR,
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
