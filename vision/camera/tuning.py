"""Exposure, white balance and focus: they settle by themselves, then they are held.

A camera that keeps adjusting itself changes every colour whenever a hand comes into the picture.
So it is left alone until its picture stands still; then the automatic ways are switched off, and
the picture must stay as it was. Some drivers do not tell what the automatic way had chosen, so
exposure is corrected until the brightness is back; what can't be held is left automatic, and
reported. All is set again whenever the camera is opened anew.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.dials import Dials
from vision.camera.frames import Image
from vision.tone import GAMMA

#: The picture stands still if for so long (seconds) its levels differ by no more than this share.
_CALM_S, _CALM_SHARE, _CALM_SHARPNESS = 1.0, 0.02, 0.15
#: After so long (seconds) it is held even if it does not stand still: hands may come and go.
_PATIENCE_S = 8.0
#: A setting shows in the picture after about this time (seconds): sensor and driver queue frames.
_SHOWS_S = 0.5
#: Held, the picture may be so much brighter or darker (share of the level), or of another tint.
_SAME_LEVEL, _SAME_TINT = 0.06, 0.08
#: So often exposure is corrected before it is left automatic.
_TRIES = 5

_PAIRS = (("auto_exposure", "exposure"), ("auto_white_balance", "white_balance"))


@dataclass(frozen=True)
class Settings:
    """What is asked of a camera; None: let it settle by itself, then hold it.

    `mains` is the frequency of the lamps' flicker in Hz (50 in most of the world, 60 in the
    Americas; None: as it is); the others are in the driver's units. `hold` False leaves the
    automatic ways on.
    """

    mains: int | None = None
    exposure: int | None = None
    white_balance: int | None = None
    focus: int | None = None
    hold: bool = True


@dataclass(frozen=True)
class Held:
    """What became of one setting: what was asked, and what the camera says now."""

    name: str
    asked: int
    got: int | None
    """None if the camera has no such dial, or does not say."""
    held: bool


class _Look(NamedTuple):
    """What of a picture is compared: when it came, its levels (B, G, R), its sharpness."""

    at: float
    levels: NDArray[np.float64]
    sharpness: float


class Tuner:
    """Sets one camera, frame by frame; times are the caller's, in seconds."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._fixed = {
            name: value
            for name, value in (
                ("exposure", settings.exposure),
                ("white_balance", settings.white_balance),
                ("focus", settings.focus),
            )
            if value is not None
        }
        #: What was switched from automatic, and the value it is held at; None if it has no dial.
        self._held: dict[str, int | None] = {}
        self._report: dict[str, Held] = {}
        self._goal: _Look | None = None
        self._dials: Dials | None = None
        self._looks: deque[_Look] = deque()
        self._since, self._tries, self._state = 0.0, 0, "idle"

    @property
    def report(self) -> tuple[Held, ...]:
        """What was asked, and whether it held."""
        return tuple(self._report.values())

    @property
    def settled(self) -> bool:
        """Whether nothing more will be changed."""
        return self._state == "idle"

    def opened(self, dials: Dials | None, at: float) -> None:
        """The camera was opened: everything is set, as held before if it was."""
        self._dials = dials
        self._report = {}
        self._state = "idle"
        if dials is None:
            return
        if self._settings.mains is not None:
            self._set(dials, "mains", self._settings.mains)
        for name, value in {**self._held, **self._fixed}.items():
            self._set(dials, f"auto_{name}", 0)
            if value is not None:
                self._set(dials, name, value)
        if self._goal is not None:
            self._enter("checking", at)
        elif self._settings.hold:
            self._let_go(dials, at)

    def again(self, at: float) -> None:
        """Lets everything settle anew, as after a change of the light."""
        self._held, self._goal = {}, None
        self.opened(self._dials, at)

    def seen(self, image: Image, at: float) -> None:
        """A new picture came: what is due is done."""
        if self._dials is None or self._state == "idle":
            return
        look = _look(image, at)
        if self._state == "settling":
            self._looks.append(look)
            while self._looks[0].at < at - _CALM_S:
                self._looks.popleft()
            if self._calm(at) or at - self._since >= _PATIENCE_S:
                self._hold(self._dials, look)
        elif at - self._since >= _SHOWS_S:
            self._check(self._dials, look)

    def _enter(self, state: str, at: float) -> None:
        self._state, self._since, self._tries = state, at, 0
        self._looks.clear()

    def _let_go(self, dials: Dials, at: float) -> None:
        for name in ("exposure", "white_balance", "focus"):
            if name not in self._fixed:
                dials.set(f"auto_{name}", 1)
        self._enter("settling", at)

    def _calm(self, at: float) -> bool:
        # A tenth of the time may be missing at the front: frames come when they come.
        if at - self._since < _CALM_S or self._looks[0].at > at - 0.9 * _CALM_S:
            return False
        levels = np.array([look.levels for look in self._looks])
        sharp = np.array([look.sharpness for look in self._looks])
        steady = np.ptp(levels, axis=0) <= _CALM_SHARE * levels.mean(axis=0) + 0.5
        return bool(steady.all() and np.ptp(sharp) <= _CALM_SHARPNESS * sharp.mean() + 0.5)

    def _hold(self, dials: Dials, look: _Look) -> None:
        """Switches the automatic ways off, at what they chose as far as the driver tells."""
        there = dials.names()
        self._goal = look
        for name in ("exposure", "white_balance", "focus"):
            if name in self._fixed or f"auto_{name}" not in there:
                continue
            chosen = dials.get(name) if name in there else None
            self._set(dials, f"auto_{name}", 0)
            if chosen is not None:
                self._set(dials, name, chosen)
            self._held[name] = chosen
        self._enter("checking", look.at)

    def _check(self, dials: Dials, look: _Look) -> None:
        """Whether the picture is as it was when it settled; corrects exposure if not."""
        assert self._goal is not None
        goal = self._goal
        level = float(look.levels.mean() / max(goal.levels.mean(), 1.0))
        tint = (look.levels / look.levels.mean()) / (goal.levels / goal.levels.mean())
        if np.abs(tint - 1.0).max() > _SAME_TINT and "white_balance" in self._held:
            self._give_up(dials, "white_balance")
        before = self._held.get("exposure")
        if abs(level - 1.0) <= _SAME_LEVEL or "exposure" not in self._held:
            self._state = "idle"
        elif before is None or self._tries >= _TRIES:
            self._give_up(dials, "exposure")
            self._state = "idle"
        else:
            # The darker the picture, the longer it must be exposed: light goes with time.
            value = max(1, round(before * level**-GAMMA))
            value += (value == before) * (1 if level < 1.0 else -1)
            self._set(dials, "exposure", value)
            self._held["exposure"] = dials.get("exposure") or value
            self._since = look.at
            self._tries += 1

    def _give_up(self, dials: Dials, name: str) -> None:
        """Leaves one thing automatic: rather a picture that adjusts itself than a wrong one."""
        asked = self._held.pop(name)
        dials.set(f"auto_{name}", 1)
        self._note(Held(name, asked or 0, dials.get(name), False))

    def _set(self, dials: Dials, name: str, value: int) -> None:
        """Turns a dial, reads it back, and notes whether it held."""
        took = dials.set(name, value)
        got = dials.get(name)
        self._note(Held(name, value, got, took and got == value))

    def _note(self, held: Held) -> None:
        # A new dict each time: other threads read the report.
        self._report = {**self._report, held.name: held}


def _look(image: Image, at: float) -> _Look:
    small = cv2.resize(image, (64, 36), interpolation=cv2.INTER_AREA)
    height, width = image.shape[:2]
    # Sharpness shows in full detail only; a quarter of the picture's middle is enough.
    part = image[3 * height // 8 : 5 * height // 8, 3 * width // 8 : 5 * width // 8, 1]
    sharpness = float(np.abs(cv2.Laplacian(part, cv2.CV_16S)).mean())
    return _Look(at, np.asarray(small.reshape(-1, 3).mean(axis=0), np.float64), sharpness)
