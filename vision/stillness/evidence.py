"""Decides whether a hand, arm or sleeve is over the table in a picture that stands still."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.stillness.change import Change, change_between, things
from vision.stillness.limbs import LimbMap, LimbSight, Palm
from vision.stillness.pictures import Copies, Floats, Image, Mask
from vision.stillness.settings import Settings
from vision.stillness.shift import camera_shift

#: More of the picture than this is another table or another light, but no arm.
_TOO_MUCH = 0.5
#: What is new, comes from outside and covers less of what is watched than this share is no arm.
_LEAST = 0.0015
#: Of what is new, at least this share must show a thing rather than a shadow.
_THING_SHARE = 0.15
#: So near to a border, in pixels of the small copy, touches it.
_TOUCH_PX = 3
#: What is new is widened by so many pixels before it is compared with what the networks see.
_AROUND_PX = 4

#: x0, y0, x1, y1 in pixels of the small copy.
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a hand: `sure` if it must go before the table is quiet.

    `doubt`: something new that may be an arm; if it lies still for long, it is none.
    """

    sure: bool = False
    doubt: bool = False
    box: Box | None = None


class Weigher:
    """Compares pictures with the table as it was last called quiet, the `background`."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.sight = LimbSight()

    def moving_hand(self, copies: Copies, background: Copies | None, watched: Mask) -> Box | None:
        """The box of an arm that the fast network sees by itself, or None."""
        seen = self.sight.limbs(copies.middle)
        if seen is None:
            return None
        new = None
        if background is not None:
            change = change_between(copies.small, background.small, watched)
            new = None if change.share > _TOO_MUCH else change.places
        limit = self._settings.limb_alone if new is None else self._settings.limb
        return _limb_box(seen, new, watched, limit)[1]

    def weigh(
        self, copies: Copies, background: Copies | None, watched: Mask, wary: bool
    ) -> Evidence:
        """All evidence in a picture that stands still; `wary` if a hand was seen just before."""
        settings = self._settings
        change: Change | None = None
        shown = np.ones_like(watched)
        if background is not None:
            change = change_between(copies.small, background.small, watched)
            if change.share:
                background, shown = _aligned(background, copies, watched)
                watched = watched & shown
                change = change_between(copies.small, background.small, watched)
            if not change.share:
                return Evidence()
            if change.share > _TOO_MUCH:
                change = None
        new = None if change is None else change.places
        seen, score = self.sight.limbs(copies.middle), 0.0
        box: Box | None = None
        if seen is not None:
            score, box = _limb_box(seen, new, watched, settings.limb_doubt)
        if box is not None and score > (settings.limb_alone if new is None else settings.limb):
            return Evidence(sure=True, box=box)
        palm = self.sight.palm(copies.middle)
        limit = settings.palm_alone if new is None else settings.palm
        palm_box = None
        if palm is not None and palm.score > limit:
            palm_box = _palm_box(palm, new, watched)
        if palm_box is not None and palm is not None:
            # What lies there alone may look like a palm; a hand hangs on an arm from outside.
            alone = palm.score > settings.palm_alone
            armed = seen is None or score > settings.limb_hint
            if (armed and alone) or (
                new is not None and _reaches_out(new, shown, watched, palm_box)
            ):
                return Evidence(sure=True, box=palm_box)
            # A print that is always there may too, while there is nothing to compare it with.
            if new is None or box is not None:
                return Evidence(doubt=True, box=palm_box)
        if box is not None and wary:
            return Evidence(doubt=True, box=box)
        if change is None or background is None:
            return Evidence()
        limb = None if seen is None else _full(seen, watched.shape)
        # Without the network nothing tells a tile at the table's edge from an arm at rest there.
        hint = watched if limb is None else np.asarray(limb > settings.limb_hint, np.uint8)
        arm, box = _from_outside(copies.small, background.small, watched, shown, hint)
        if box is None:
            return Evidence()
        likely = 0.0 if limb is None else float(limb[arm > 0].max())
        return Evidence(sure=likely > settings.limb_doubt, doubt=True, box=box)


def _aligned(background: Copies, now: Copies, watched: Mask) -> tuple[Copies, Mask]:
    """The background as a pushed camera would see it, and where it shows anything (0 or 1)."""
    motion = camera_shift(background.middle, now.middle, watched)
    if motion is None:
        return background, np.ones_like(watched)
    rows, columns = now.middle.shape[:2]
    middle = cv2.warpAffine(
        background.middle, motion, (columns, rows), borderMode=cv2.BORDER_REPLICATE
    )
    both = cv2.warpAffine(np.ones((rows, columns), np.uint8), motion, (columns, rows))
    size = (watched.shape[1], watched.shape[0])
    small = cv2.resize(middle, size, interpolation=cv2.INTER_AREA)
    both = cv2.resize(both, size, interpolation=cv2.INTER_NEAREST)
    shown = np.asarray(cv2.erode(both, np.ones((5, 5))), np.uint8)
    moved = Copies(np.asarray(small, np.uint8), np.asarray(middle, np.uint8), background.scale)
    return moved, shown


def _from_outside(
    now: Image, before: Image, watched: Mask, shown: Mask, hint: Mask
) -> tuple[Mask, Box | None]:
    """Where something new over what is watched may be an arm, and is no shadow; its box.

    An arm goes on to the border of what both pictures show. One that rested beside the table
    before need not be new out there: what only reaches the table's edge counts where `hint` is 1.
    """
    change = change_between(now, before, shown)
    thing, none = things(now, before, change), np.zeros_like(watched)
    if (thing & watched).sum() < _THING_SHARE * (change.places & watched).sum():
        return none, None
    joined = cv2.morphologyEx(change.places, cv2.MORPH_CLOSE, np.ones((5, 5)))
    count, labels = cv2.connectedComponents(joined, connectivity=8)
    least = _LEAST * max(1, int(np.count_nonzero(watched)))
    ends, edge = _edge(shown), _edge(watched)
    for blob in range(1, count):
        whole = labels == blob
        mine = whole & (watched > 0)
        if mine.sum() < least or thing[mine].mean() < _THING_SHARE:
            continue
        if (whole & ends).any() or ((mine & edge).any() and hint[mine].any()):
            x, y, w, h = cv2.boundingRect(mine.astype(np.uint8))
            return np.asarray(mine, np.uint8), (x, y, x + w, y + h)
    return none, None


def _reaches_out(new: Mask, shown: Mask, watched: Mask, box: Box) -> bool:
    """Whether something new in a box goes on to a border: of what is watched, or of the picture."""
    joined = cv2.morphologyEx(new, cv2.MORPH_CLOSE, np.ones((5, 5)))
    _, labels = cv2.connectedComponents(joined, connectivity=8)
    x0, y0, x1, y1 = box
    inside = labels[y0:y1, x0:x1]
    mine = np.isin(labels, np.unique(inside[inside > 0]))
    return bool((mine & (_edge(shown) | _edge(watched))).any())


def _edge(mask: Mask) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Pixels of `mask` that touch its border, or the picture's."""
    return np.asarray(mask > cv2.erode(mask, np.ones((2 * _TOUCH_PX + 1,) * 2), borderValue=0))


def _limb_box(
    seen: LimbMap, new: Mask | None, watched: Mask, limit: float
) -> tuple[float, Box | None]:
    """The highest score over what is watched (and is new, if that is known); its box above it."""
    score = np.where(_near(watched, seen.score.shape), seen.score, 0.0)
    if new is not None:
        around = cv2.dilate(new, np.ones((2 * _AROUND_PX + 1,) * 2, np.uint8))
        score = np.where(_near(np.asarray(around, np.uint8), score.shape), score, 0.0)
    best = float(score.max())
    if best <= limit:
        return best, None
    cells = (score > limit / 2).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(cells)
    at = np.unravel_index(int(score.argmax()), score.shape)
    x, y, w, h, _ = (int(n) for n in stats[labels[at]])
    rows, columns = watched.shape
    across, down = columns / score.shape[1], rows / score.shape[0]
    box = int(x * across), int(y * down), round((x + w) * across), round((y + h) * down)
    return best, box


def _palm_box(palm: Palm, new: Mask | None, watched: Mask) -> Box | None:
    rows, columns = watched.shape
    x, y = min(int(palm.at[0] * columns), columns - 1), min(int(palm.at[1] * rows), rows - 1)
    reach = rows // 10
    around = (slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1))
    if not watched[around].any() or (new is not None and not new[around].any()):
        return None
    return max(0, x - reach), max(0, y - reach), x + reach + 1, y + reach + 1


def _near(mask: Mask, shape: tuple[int, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Cells of a grid of `shape` that hold any of `mask`."""
    share = cv2.resize(mask.astype(np.float32), (shape[1], shape[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(share > 0)


def _full(seen: LimbMap, shape: tuple[int, ...]) -> Floats:
    """The network's answer in the size of the small copy."""
    return np.asarray(
        cv2.resize(seen.score, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR), np.float32
    )
