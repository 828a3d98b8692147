"""Takes pictures from a device for ever: judges them, and opens the device anew when it fails.

It has no thread and no clock of its own: each `step` is one look at the device.
"""

from __future__ import annotations

from collections.abc import Callable

from vision.camera.device import Capture
from vision.camera.frames import Frame
from vision.camera.freshness import Freshness
from vision.camera.tuning import Settings, Tuner
from vision.errors import UnreadableError

#: Seconds without a new picture after which a live camera counts as gone.
STALE_S = 2.0
#: Seconds of old pictures after which it is opened anew.
FROZEN_S = 5.0
#: Seconds that a camera may take to send its first picture.
START_S = 10.0
#: Seconds between attempts to open it: doubled each time, up to the most.
RETRY_S, MOST_RETRY_S = 0.5, 8.0
#: Seconds between looks whether the device is still plugged in.
_PRESENCE_S = 0.5


class Grabber:
    """The newest picture of a device, and what is wrong with it.

    `open_capture` opens the device wherever it is now, or returns None if it isn't there; `name`
    is what people call it; `clock` gives seconds that never go back.
    """

    def __init__(
        self,
        name: str,
        open_capture: Callable[[], Capture | None],
        clock: Callable[[], float],
        *,
        settings: Settings | None = None,
        stale_s: float = STALE_S,
        frozen_s: float = FROZEN_S,
    ) -> None:
        self._name, self._open, self._clock = name, open_capture, clock
        self._stale_s, self._frozen_s = stale_s, frozen_s
        self.tuner = Tuner(settings or Settings(hold=False))
        self.newest: Frame | None = None
        now = clock()
        self._capture: Capture | None = None
        self._freshness = Freshness(now)
        self._arrived_at: float | None = None
        self._opened_at = self._looked_at = now
        self._retry_s = RETRY_S
        self._epoch = -1
        self._late_s = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the device is open."""
        return self._capture is not None

    @property
    def patience_s(self) -> float:
        """How long (seconds) a reader should wait for a new picture."""
        return START_S if self.newest is None else self._stale_s

    def step(self) -> float:
        """One look at the device; returns how many seconds to wait before the next one."""
        capture = self._capture
        if capture is None:
            return self._reopen()
        now = self._clock()
        if now - self._looked_at >= _PRESENCE_S:
            self._looked_at = now
            if not capture.present():
                return self._drop()
        shot = capture.read()
        now = self._clock()
        if shot is None:
            return self._drop()
        self._arrived_at = now
        taken_at = self._freshness.captured_at(shot, now)
        if taken_at is None:
            frozen = now - self._freshness.changed_at >= self._frozen_s
            return self._drop() if frozen else 0.0
        self._late_s = now - taken_at
        if self._late_s <= self._stale_s:
            self._retry_s = RETRY_S
            self._keep(Frame(shot.image, 0, taken_at))
            self.tuner.seen(shot.image, now)
        return 0.0

    def release(self) -> None:
        """Closes the device."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def complaint(self) -> UnreadableError:
        """Why there is no new picture."""
        now = self._clock()
        plug = "Check its cable, and that no other program uses it; it is looked for all the time."
        if self._capture is None or self._arrived_at is None:
            return UnreadableError("The camera {name} sends no pictures.", plug, name=self._name)
        if self._late_s > self._stale_s:
            return UnreadableError(
                "The camera {name} shows what was {seconds} seconds ago.",
                "Close other programs that use this computer or its network.",
                name=self._name,
                seconds=f"{self._late_s:.0f}",
            )
        if now - self._arrived_at >= self._stale_s:
            return UnreadableError("The camera {name} sends no pictures.", plug, name=self._name)
        return UnreadableError(
            "The camera {name} has sent the same picture for {seconds} seconds.",
            "Take its lens cap off; if there is none, unplug it and plug it in again.",
            name=self._name,
            seconds=f"{now - self._freshness.changed_at:.0f}",
        )

    def _reopen(self) -> float:
        self._capture = self._open()
        now = self._clock()
        if self._capture is None:
            return self._wait()
        self._freshness.reopened(now)
        self._looked_at = now
        self._epoch += 1
        self.tuner.opened(self._capture.dials, now)
        return 0.0

    def _drop(self) -> float:
        self.release()
        return self._wait()

    def _wait(self) -> float:
        wait, self._retry_s = self._retry_s, min(2 * self._retry_s, MOST_RETRY_S)
        return wait

    def _keep(self, frame: Frame) -> None:
        last = self.newest
        if last is not None and last.image.shape != frame.image.shape:
            self._epoch += 1
        self.newest = Frame(
            frame.image, 0 if last is None else last.id + 1, frame.captured_at, self._epoch
        )
