"""Reads a dial: which sector its arrow points into, and whether that is sure."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.dial.arrow import ArrowFinder, FoundArrow
from vision.dial.disc import REACH, DiscFinder, FoundDisc
from vision.dial.prints import ACROSS, Array, Image, arrow_print, cuts_of, disc_mask
from vision.layout import Dial
from vision.plane import Plane

# Limits lie between the worst right and the best wrong readings of rendered dials that are not
# those of the benchmark.
#: Least correlation of print and picture for a disc to be there, and lead over any other turn.
_DISC, _DISC_LEAD = 0.3, 0.04
#: Least presence of an arrow for it to be there, and lead over any other angle.
_ARROW, _ARROW_LEAD = 0.2, 0.4
#: An arrow must be so many degrees from a border, and so many deviations of its angle.
_BORDER, _SIGMAS = 2.5, 3.0
#: Correlation of what is seen with disc and arrow together, and the worst place's error.
_LIKE, _WORST = 0.85, 0.8
#: Side of the window that places are judged in, in diameters; every such pixel is looked at.
_PLACE, _EVERY = 0.12, 2
#: Side of the window over which errors must be of one sense to count, in such pixels.
_SMOOTH = 3
#: Heights in mm above its disc that an arrow may turn at.
_HEIGHTS = (1.0, 4.0, 8.0)


@dataclass(frozen=True, slots=True)
class DialReading:
    """What a picture says of a dial.

    `label` is what the arrow most likely points at, None if that is not known; `rivals` are all
    labels that it may point at, the likeliest first. `angle_deg` is the arrow's angle clockwise
    from the disc's top. `why` says in a few words what made the reading doubtful.
    """

    label: str | None
    rivals: tuple[str, ...]
    angle_deg: float | None
    certain: bool
    why: str = ""


class DialReader:
    """Reads pictures of one dial; holds no state between them."""

    def __init__(self, dial: Dial, disc: Image, arrow: Image) -> None:
        """`disc` is a square picture of the bare disc, BGR or BGRA, its first sector on top.

        `arrow` (BGRA) points left, its pivot in its middle; around it is nothing, or paper of one
        colour, along which it may be cut out or not.
        """
        self._dial = dial
        self._finder = DiscFinder(disc)
        self._arrows = ArrowFinder(
            self._finder.print,
            [arrow_print(cut, dial.arrow_size, dial.diameter) for cut in cuts_of(arrow)],
        )
        self._inside = disc_mask(ACROSS)[::_EVERY, ::_EVERY]
        inner = self._finder.print[::_EVERY, ::_EVERY][self._inside]
        self._contrast = float(((inner - inner.mean(axis=0)) ** 2).sum(axis=1).mean())

    def read(self, image: Image, plane: Plane) -> DialReading:
        """Reads a BGR picture of shape (h, w, 3) of the plane."""
        dial = self._dial
        scale = ACROSS / dial.diameter
        half = dial.diameter * (0.5 + REACH)
        corner = (dial.centre[0] - half, dial.centre[1] - half)
        patch = plane.patch(image, corner, (2 * half, 2 * half), scale, dial.height)
        disc = self._finder.find(patch)
        if disc.likeness < _DISC:
            return DialReading(None, (), None, False, "the disc is not seen")
        if disc.likeness - disc.rival < _DISC_LEAD:
            return DialReading(None, (), None, False, "how the disc is turned is not clear")
        arrow = self._arrows.find(disc.levels, self._shifts(disc, plane, scale))
        return self._judged(disc.levels, arrow)

    def _judged(self, levels: Array, arrow: FoundArrow) -> DialReading:
        if arrow.presence < _ARROW:
            return DialReading(None, (), None, False, "no arrow is seen")
        labels = self._dial.labels
        width = 360.0 / len(labels)
        at = arrow.angle / width
        sector = round(at)
        label, angle = labels[sector % len(labels)], arrow.angle
        if arrow.lead < _ARROW_LEAD:
            why = "which way the arrow points is not clear"
            return DialReading(label, tuple(dict.fromkeys((label, *labels))), angle, False, why)
        beside = labels[(sector + (1 if at > sector else -1)) % len(labels)]
        inside = width * (0.5 - abs(at - sector))
        if beside != label and inside < _BORDER + _SIGMAS * arrow.sigma:
            why = "the arrow is close to a border"
            return DialReading(label, (label, beside), angle, False, why)
        like, worst = self._explained(levels, arrow.seen)
        if like < _LIKE or worst > _WORST:
            why = "something lies over the dial"
            return DialReading(label, (label,), angle, False, why)
        return DialReading(label, (label,), angle, True)

    def _shifts(
        self, disc: FoundDisc, plane: Plane, scale: float
    ) -> tuple[tuple[float, float], ...]:
        """Where the pivot is seen, by its height above the disc: pixels of the upright disc."""
        here = np.array([self._dial.centre])
        height = self._dial.height
        tops = [plane.drop(plane.lift(here, height + up), height)[0] - here[0] for up in _HEIGHTS]
        turn = disc.matrix[:, :2] / np.sqrt(abs(np.linalg.det(disc.matrix[:, :2])))
        return tuple((float(x), float(y)) for x, y in (np.array(tops) * scale) @ turn)

    def _explained(self, levels: Array, seen: Array) -> tuple[float, float]:
        """Correlation of what is seen with what should be, and the worst place's mean error.

        The error is in shares of the print's variance.
        """
        inside = self._inside
        shown, due = (part[::_EVERY, ::_EVERY][inside].T for part in (levels, seen))
        shown, due = (part - part.mean(axis=1, keepdims=True) for part in (shown, due))
        like = float(np.vdot(shown, due) / max(np.linalg.norm(shown) * np.linalg.norm(due), 1.0))
        # Print that is a little softer or sharper than it should be cancels out from side to side.
        error = cv2.blur((levels - seen)[::_EVERY, ::_EVERY], (_SMOOTH, _SMOOTH))
        squares = np.where(inside, np.einsum("ijk,ijk->ij", error, error), 0.0)
        side = round(_PLACE * ACROSS / _EVERY)
        places = cv2.boxFilter(squares.astype(np.float32), -1, (side, side))
        return like, float(places.max()) / self._contrast
