"""Judges frame after frame whether the table may be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision.camera import Frame
from vision.stillness.change import Change, change_between, things
from vision.stillness.evidence import Box, Evidence, Weigher
from vision.stillness.pictures import Copies, Floats, Image, Mask, copies_of
from vision.stillness.settings import Settings
from vision.stillness.shift import camera_shift

Why = Literal["hand", "motion", "light", "stale", "moved"]

#: Corners (x, y) in pixels of the frame: only what lies within is watched.
Polygon = Sequence[tuple[float, float]]
#: Seconds in which a slow change of light becomes the usual one while nothing moves.
_USUAL_S = 4.0
#: So much of the picture changes when the camera is pushed.
_PUSHED_SHARE = 0.03
#: Of what changed, less than this share must show another thing for it to be light alone.
_LIGHT_SHARE = 0.12


@dataclass(frozen=True, slots=True)
class Quiet:
    """Whether a frame may be read; if not, `why`.

    "hand": a hand, arm or sleeve, moving or not. "motion": something moved less than the hold
    time ago, or nobody knows yet that nothing did. "light": a lamp or a shadow did. "stale": the
    pictures are old or do not change at all. "moved": the camera was pushed.
    """

    quiet: bool
    why: Why | None
    since: float
    """Time of the first frame in a row with this answer."""
    hand_box: tuple[float, float, float, float] | None = None
    """x0, y0, x1, y1 of the hand in pixels of the frame, where it is known."""
    unsure: bool = False
    """Whether that no hand is there rests on one look, without an earlier table to compare."""
    still: float = 0.0
    """Time since when nothing has moved, be there a hand or not."""


@dataclass
class _State:
    """What is remembered of the frames so far; times are those of the frames."""

    last: float
    anchor: Image
    """What the table must go on looking like."""
    smooth: Floats
    """The anchor, following slow changes of the light."""
    anchored_at: float
    newest: Copies
    changed_at: float
    """When the newest picture first differed from the one before."""
    cause: Why = "motion"
    background: Copies | None = None
    """The table as it was last called quiet."""
    wary: bool = False
    """Whether a hand was seen since."""
    evidence: Evidence | None = None
    """What speaks for a hand since nothing moves; None before it was weighed."""
    unsure: bool = False
    told: Quiet | None = None

    def restart(self, small: Image, now: float, cause: Why) -> None:
        """What is seen now is what must stay as it is, from now on."""
        self.anchor, self.smooth = small, small.astype(np.float32)
        self.anchored_at, self.cause, self.evidence = now, cause, None


class Stillness:
    """Watches one camera; time is that of the frames. Not for use by two threads at once."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._weigher = Weigher(self._settings)
        self._state: _State | None = None
        self._shape: tuple[int, ...] = ()
        self._table: tuple[tuple[float, float], ...] | None = None
        self._watched: Mask = np.ones((1, 1), np.uint8)

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of the networks whose files are not there; without them hands are found late."""
        return self._weigher.sight.missing

    def look(self, frame: Frame, moved: bool = False, table: Polygon | None = None) -> Quiet:
        """Judges the next frame of the camera.

        `moved` says that the camera itself was pushed since the last frame; `table` are the
        corners in pixels of what is to be watched, all of the picture if None. A frame of another
        size, or from before the last one, begins anew.
        """
        copies, now = copies_of(frame.image), frame.captured_at
        small = copies.small
        self._watch(small.shape, table, copies.scale)
        state = self._state
        if state is None or now < state.last:
            state = _State(now, small, small.astype(np.float32), now, copies, now)
            self._state = state
        elif now - state.last > self._settings.gap:
            state.restart(small, now, "stale")
        if not np.array_equal(state.newest.small, small):
            if self._frozen(state, now):
                state.restart(small, now, "stale")
            state.changed_at = now
        if self._frozen(state, now):
            # A sensor never repeats a picture exactly, for so long.
            state.last = now
            return self._answer(state, False, "stale", now)
        if moved:
            state.restart(small, now, "moved")
        else:
            self._follow(state, copies, now)
        state.last, state.newest = now, copies
        return self._judge(state, copies, now)

    def glance(self, image: Image, table: Polygon | None = None) -> Quiet:
        """Judges a single picture, as if it stood still: only a hand can keep it from being read.

        What was seen before is forgotten.
        """
        copies = copies_of(image)
        self._state = None
        self._watch(copies.small.shape, table, copies.scale)
        evidence = self._weigher.weigh(copies, None, self._watched, wary=False)
        why: Why | None = "hand" if evidence.sure or evidence.doubt else None
        return Quiet(why is None, why, 0.0, _scaled(evidence.box, copies.scale), why is None)

    def _watch(self, shape: tuple[int, ...], table: Polygon | None, scale: float) -> None:
        """Marks what is watched, if the size or the table is another one than before."""
        corners = None if table is None else tuple((float(x), float(y)) for x, y in table)
        if shape == self._shape and corners == self._table:
            return
        if shape != self._shape:
            self._state = None
        self._shape, self._table = shape, corners
        self._watched = np.ones(shape[:2], np.uint8)
        if corners is not None:
            self._watched[:] = 0
            points = np.rint(np.array(corners) / scale).astype(np.int32)
            cv2.fillPoly(self._watched, [points], (1,))

    def _frozen(self, state: _State, now: float) -> bool:
        return now - state.changed_at >= self._settings.frozen

    def _follow(self, state: _State, copies: Copies, now: float) -> None:
        """Starts the hold time anew if anything differs from what was seen when it began."""
        change = change_between(copies.small, state.anchor, self._watched)
        if change.share:
            state.restart(copies.small, now, self._cause(state, copies, change))
        else:
            weight = 1 - np.exp(-(now - state.last) / _USUAL_S)
            cv2.accumulateWeighted(copies.small, state.smooth, float(weight))
            state.anchor = np.asarray(cv2.convertScaleAbs(state.smooth), np.uint8)

    def _cause(self, state: _State, copies: Copies, change: Change) -> Why:
        """Why the table does not look as it did."""
        lately = state.last - state.anchored_at < self._settings.hold
        thing = things(copies.small, state.anchor, change)
        if thing.sum() < _LIGHT_SHARE * change.places.sum():
            # The light that follows a hand out of the picture is part of its motion.
            return "motion" if lately and state.cause == "motion" else "light"
        if lately and state.cause == "moved":
            return "moved"
        if change.share > _PUSHED_SHARE:
            shift = camera_shift(state.newest.middle, copies.middle, self._watched)
            if shift is not None:
                return "moved"
        return "motion"

    def _judge(self, state: _State, copies: Copies, now: float) -> Quiet:
        held = now - state.anchored_at
        if held < self._settings.hold - 1e-6:
            box = self._weigher.moving_hand(copies, state.background, self._watched)
            state.wary |= box is not None
            why: Why = state.cause if box is None else "hand"
            return self._answer(state, False, why, now, _scaled(box, copies.scale))
        if state.evidence is None:
            state.unsure = state.background is None or bool(self.missing)
            state.evidence = self._weigher.weigh(
                copies, state.background, self._watched, state.wary
            )
        evidence = state.evidence
        if evidence.sure or (evidence.doubt and held < self._settings.doubt):
            state.wary = True
            return self._answer(state, False, "hand", now, _scaled(evidence.box, copies.scale))
        if state.told is None or not state.told.quiet:
            state.background, state.wary = copies, False
        return self._answer(state, True, None, now)

    def _answer(
        self,
        state: _State,
        quiet: bool,
        why: Why | None,
        now: float,
        box: tuple[float, float, float, float] | None = None,
    ) -> Quiet:
        told = state.told
        since = told.since if told is not None and told.why == why else now
        unsure = quiet and state.unsure
        state.told = Quiet(quiet, why, since, box, unsure, state.anchored_at)
        return state.told


def _scaled(box: Box | None, scale: float) -> tuple[float, float, float, float] | None:
    if box is None:
        return None
    x0, y0, x1, y1 = box
    return x0 * scale, y0 * scale, x1 * scale, y1 * scale
