"""Follows the plane through the frames of one session: a bumped camera is noticed and put right.

Finding the plane costs a search of the picture; checking that it still holds costs a look at
its markers' sides where they were. Only what is seen where it was holds the plane: while too
little is seen, or the picture has moved and was not found anew twice, no plane is given.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from vision.errors import UnreadableError
from vision.layout import Layout
from vision.plane.board_tracking import BoardTracker, TrackedBoards
from vision.plane.edges import Sides, measure_sides
from vision.plane.finding import Located, check_markers, locate, look_for, missing
from vision.plane.geometry import Image, Plane
from vision.plane.pinhole import Lens
from vision.plane.texture import Texture
from vision.plane.watch import Look, Watch

#: Two markers where they were hold the picture: it can turn about one, not about both.
_HOLDING = 2
#: Without them, so many places of the table's edge do, if they outnumber those away so many times.
_STILL_PLACES, _OUTNUMBERED = 6, 3
#: A marker found so many pixels from where it was is away from there.
_AWAY_PX = 0.6
#: A marker off for so many frames, while the others hold, was pushed.
_PUSHED_FRAMES = 3
#: One unseen for so many frames is looked for within so many of its sides; then again each time
#: that so many have passed.
_UNSEEN_FRAMES, _FAR_SIDES, _AGAIN_FRAMES = 10, 1.5, 60
#: A plane that rests on few markers is found anew after so many frames, then twice as many, and
#: so on, and taken if it is so much more certain.
_BETTER_FRAMES, _BETTER = 15, 0.7
#: A plane found anew that is so many times less certain than the surest one takes that one's lens.
_POORER = 2.0
#: While no plane is found, hard markers are looked for in each so manieth frame.
_THOROUGH_FRAMES = 8
_MOVED = UnreadableError(
    "The camera or the table was moved, and the table's markers are not found again yet.",
    "Wait a moment, with no hand over the markers.",
)


class Hold(Enum):
    """How the plane stands to a frame."""

    HOLDS = "holds"
    MOVED = "moved"
    """The picture has moved against the plane; it is being found anew."""
    UNSEEN = "unseen"
    """Too little is seen to tell: covered, too dark, or not found yet."""


@dataclass(frozen=True, eq=False)
class Tracked:
    """The plane and the boards of one frame."""

    hold: Hold
    plane: Plane | None
    """The plane to use; None unless it holds."""
    boards: TrackedBoards
    held: int
    """Markers seen at their places: the more, the surer."""
    shift_px: float
    """How far the picture lies off the plane, by the mean of its markers."""
    pushed: tuple[int, ...]
    """Ids of markers that lie elsewhere than where they did; the others outvote them."""
    fault: UnreadableError | None
    """Why there is no plane, and what to do."""

    @property
    def moved(self) -> bool:
        """Whether the camera was moved and the plane isn't found anew yet."""
        return self.hold is Hold.MOVED


class PlaneTracker:
    """Gives each frame of one camera its plane and boards. Frames must come in order."""

    def __init__(self, layout: Layout, lens: Lens | None = None) -> None:
        """`lens` is the camera's own calibration; without it the markers tell it."""
        self._layout, self._given = layout, lens
        self._markers = {marker.id: marker for marker in layout.markers}
        self._boards = BoardTracker(layout)
        self._plane: Plane | None = None
        self._ids: tuple[int, ...] = ()
        self._watch: Watch
        self._texture: Texture
        #: The lens of the surest plane so far, and how sure that was.
        self._lens, self._sigma = lens, 0.0 if lens is not None else np.inf
        self._moved = False
        self._pushed: set[int] = set()
        self._off_for: Counter[int] = Counter()
        self._unseen_for: Counter[int] = Counter()
        self._frame = self._lost_for = 0
        self._better_at = self._better_wait = _BETTER_FRAMES

    def track(self, image: Image) -> Tracked:
        """The plane of the next frame, BGR or grey.

        Raises UnreadableError if the layout has fewer than three markers.
        """
        self._frame += 1
        plane = self._plane
        if plane is None or plane.image_size != (image.shape[1], image.shape[0]):
            return self._begin(image)
        n = len(self._ids)
        sides = measure_sides(image, np.concatenate([self._watch.quads, self._boards.quads]))
        look = self._watch.judge(sides.part(slice(0, n)))
        if not self._holds(image, look):
            return self._verify(image, plane, look)
        self._note(image, plane, look)
        if self._improve(image, plane, look):
            return self._held(image, self._look_again(image), None)
        return self._held(image, look, sides.part(slice(n, None)))

    def _begin(self, image: Image) -> Tracked:
        """Finds a first plane, or that of another resolution."""
        self._moved |= self._plane is not None
        located = _located(image, self._layout, self._given, self._thorough())
        if located.plane is None:
            return self._lost(located)
        self._register(image, located, located.plane)
        return self._held(image, self._look_again(image), None)

    def _holds(self, image: Image, look: Look) -> bool:
        """Whether what is seen proves that the picture has not moved."""
        still = int(look.held.sum())
        suspects = len(self._away(look) - self._pushed)
        if still >= _HOLDING + suspects and suspects <= 1:
            return True
        if suspects >= max(still, 1):
            return False
        witness = self._texture.look(image)
        return witness.still >= max(_STILL_PLACES, _OUTNUMBERED * (witness.away + suspects))

    def _verify(self, image: Image, plane: Plane, look: Look) -> Tracked:
        """Finds the plane anew and tells whether it is another one."""
        located = _located(image, self._layout, plane.lens, self._thorough())
        before = dict(zip(self._ids, self._watch.centres, strict=True))
        gaps = {
            one.id: float(np.linalg.norm(one.centre - before[one.id]))
            for one in located.sightings
            if one.id in before
        }
        away = {i for i, gap in gaps.items() if gap > _AWAY_PX}
        if located.plane is None:
            # Markers of which few are read tell a bump only if they agree on it.
            self._moved |= len(away) >= _HOLDING and len(away) == len(gaps)
            self._moved |= bool(look.off.any() and not look.held.any())
            return self._lost(located)
        if gaps and 2 * len(away) < len(gaps):
            self._pushed |= away
            return self._held(image, look, None)
        self._moved = True
        located = _located(image, self._layout, self._given, thorough=True)
        if located.plane is None or located.plane.sigma_mm > _POORER * self._sigma:
            located = _located(image, self._layout, self._lens, thorough=True)
        if located.plane is None:
            return self._lost(located)
        self._register(image, located, located.plane)
        return self._result(Hold.MOVED, look, TrackedBoards(), _MOVED)

    def _register(self, image: Image, located: Located, plane: Plane) -> None:
        """Takes a plane just found; frames after this one are held against it."""
        if plane.lens is self._lens and self._given is None:
            plane = replace(plane, sigma_mm=float(np.hypot(plane.sigma_mm, self._sigma)))
        elif plane.sigma_mm < self._sigma:
            self._lens, self._sigma = plane.lens, plane.sigma_mm
        self._plane = plane
        self._ids = tuple(one.id for one in located.sightings)
        self._watch = Watch(image, np.array([one.quad for one in located.sightings]))
        self._texture = Texture(image, plane)
        self._boards.forget()
        self._pushed = set(located.strays)
        self._off_for.clear()
        self._unseen_for.clear()
        self._lost_for = 0
        self._better_at, self._better_wait = self._frame + _BETTER_FRAMES, _BETTER_FRAMES

    def _look_again(self, image: Image) -> Look:
        return self._watch.judge(measure_sides(image, self._watch.quads))

    def _held(self, image: Image, look: Look, sides: Sides | None) -> Tracked:
        """The plane holds: what lies on it."""
        assert self._plane is not None
        self._moved = False
        self._lost_for = 0
        boards = self._boards.track(image, self._plane, sides)
        return self._result(Hold.HOLDS, look, boards, None)

    def _lost(self, located: Located) -> Tracked:
        """No plane for this frame."""
        self._lost_for += 1
        fault = _MOVED if self._moved else missing(located, self._layout)
        hold = Hold.MOVED if self._moved else Hold.UNSEEN
        return self._result(hold, None, TrackedBoards(), fault)

    def _result(
        self, hold: Hold, look: Look | None, boards: TrackedBoards, fault: UnreadableError | None
    ) -> Tracked:
        held = 0 if look is None else int(look.held.sum())
        shift = np.zeros(2) if look is None or not held else look.shifts[look.held].mean(axis=0)
        return Tracked(
            hold,
            self._plane if hold is Hold.HOLDS else None,
            boards,
            held,
            float(np.linalg.norm(shift)),
            tuple(sorted(self._pushed)),
            fault,
        )

    def _thorough(self) -> bool:
        return self._lost_for % _THOROUGH_FRAMES == 0

    def _away(self, look: Look) -> set[int]:
        return {i for i, off in zip(self._ids, look.off, strict=True) if off}

    def _note(self, image: Image, plane: Plane, look: Look) -> None:
        """Tells markers that were pushed, while the plane holds without them."""
        away = self._away(look)
        for k, i in enumerate(self._ids):
            self._off_for[i] = self._off_for[i] + 1 if i in away else 0
            self._unseen_for[i] = 0 if look.seen[k] else self._unseen_for[i] + 1
            if look.held[k]:
                self._pushed.discard(i)
            elif self._off_for[i] >= _PUSHED_FRAMES:
                self._pushed.add(i)
            elif self._unseen_for[i] % _AGAIN_FRAMES == _UNSEEN_FRAMES + k:
                seen = look_for(image, plane, self._markers[i], _FAR_SIDES, thorough=False)
                gap = 0.0 if seen is None else np.linalg.norm(seen.centre - self._watch.centres[k])
                if gap > _AWAY_PX:
                    self._pushed.add(i)

    def _improve(self, image: Image, plane: Plane, look: Look) -> bool:
        """Takes a surer plane, now and then, if the present one rests on few markers."""
        if self._frame < self._better_at or len(plane.markers) == len(self._markers):
            return False
        self._better_wait *= 2
        self._better_at = self._frame + self._better_wait
        if not look.held.all():
            return False
        better = _located(image, self._layout, self._given, thorough=True)
        if better.plane is None or better.plane.sigma_mm > _BETTER * plane.sigma_mm:
            return False
        wait = self._better_wait
        self._register(image, better, better.plane)
        self._better_at, self._better_wait = self._frame + wait, wait
        return True


def _located(image: Image, layout: Layout, lens: Lens | None, thorough: bool) -> Located:
    """As `locate`, but a picture that doesn't hold the plane has none."""
    check_markers(layout)
    try:
        return locate(image, layout, lens, thorough=thorough)
    except UnreadableError:
        return Located(None, ())
