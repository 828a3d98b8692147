"""A camera with scripted faults: wraps any source of frames.

A script is a list of (when, fault). `when` is a frame's number (int, counted from 0 at the wrapped
camera), with which the fault begins, or a time (float, seconds since the first frame): it begins
with the frame after the one taken then. `Jump`, `Darken` and `Resize` last until another of their
kind.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera, Frame, Image
from vision.camera.device import Shot
from vision.camera.dials import Dials
from vision.errors import UnreadableError


@dataclass(frozen=True)
class Freeze:
    """The last picture is given again and again, its time with it; for `frames`, or for ever."""

    frames: int | None = None


@dataclass(frozen=True)
class Repeat:
    """The last picture is given again `frames` times, each time as if it were new."""

    frames: int = 1


@dataclass(frozen=True)
class Drop:
    """`frames` pictures get lost: the camera's numbers and times jump over them."""

    frames: int = 1


@dataclass(frozen=True)
class Unplug:
    """The cable is out, for `frames` reads or for ever.

    Reading fails, or (`returns_true`) succeeds with the last picture under new numbers and times,
    as some drivers do.
    """

    frames: int | None = None
    returns_true: bool = False


@dataclass(frozen=True, eq=False)
class SwapIndex:
    """From now on the pictures are those of another camera, which got this one's number."""

    other: Camera


@dataclass(frozen=True)
class Resize:
    """The pictures have another size (width, height)."""

    size: tuple[int, int]


@dataclass(frozen=True)
class Jump:
    """Somebody bumped the camera: the picture is turned about its middle, then shifted.

    `dx` and `dy` in pixels of the wrapped picture, `degrees` clockwise; all from the undisturbed
    picture, so that the next jump does not add to this one.
    """

    dx: float = 0.0
    dy: float = 0.0
    degrees: float = 0.0


@dataclass(frozen=True)
class Darken:
    """The light falls to `factor` of what it was (grey levels scaled in linear light)."""

    factor: float


@dataclass(frozen=True)
class Delay:
    """The camera takes `seconds` longer to give each of `frames` pictures (None: of all)."""

    seconds: float
    frames: int | None = None


Fault = Freeze | Repeat | Drop | Unplug | SwapIndex | Resize | Jump | Darken | Delay


class FaultyCamera:
    """The wrapped camera's frames with the faults of a script."""

    def __init__(
        self,
        camera: Camera,
        script: Sequence[tuple[int | float, Fault]],
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """`pause` is what a `Delay` calls with its seconds."""
        self._camera, self._pause = camera, pause
        self._script = list(script)
        self._began: float | None = None
        self._now = 0.0
        self._taken = 0
        self._last: Frame | None = None
        self._jump, self._darken, self._size = Jump(), 1.0, (0, 0)
        #: (fault, reads left or None for ever) of what holds the pictures up.
        self._holding: tuple[Freeze | Repeat | Unplug, int | None] | None = None
        self._late: tuple[float, int | None] = (0.0, 0)
        self._undisturbed = (0, 0)

    @property
    def warp(self) -> NDArray[np.float64]:
        """(3, 3): pixels of the undisturbed picture to those of the pictures given now."""
        width, height = self._undisturbed
        turn = cv2.getRotationMatrix2D(
            ((width - 1) / 2, (height - 1) / 2), -self._jump.degrees, 1.0
        )
        whole = np.vstack([turn, (0.0, 0.0, 1.0)])
        whole[:2, 2] += (self._jump.dx, self._jump.dy)
        if self._size == (0, 0):
            return whole
        scale = np.array(self._size) / (width, height)
        # Pixel centres: (x + 0.5) scales, x does not.
        resize = np.array(
            [[scale[0], 0.0, (scale[0] - 1) / 2], [0.0, scale[1], (scale[1] - 1) / 2], [0, 0, 1.0]]
        )
        return np.asarray(resize @ whole, np.float64)

    def read(self) -> Frame:
        """The next frame, with whatever goes wrong; raises UnreadableError while unplugged."""
        if self._holding is None:
            self._due()
        taken = self._camera.read()
        self._taken += 1
        self._now = taken.captured_at
        if self._began is None:
            self._began = self._now
        if self._holding is not None:
            return self._held(taken)
        seconds, left = self._late
        if left != 0:
            self._pause(seconds)
            self._late = (seconds, None if left is None else left - 1)
        self._last = replace(taken, image=self._spoiled(taken.image))
        return self._last

    def close(self) -> None:
        """Closes the wrapped camera."""
        self._camera.close()

    def _due(self) -> None:
        """Begins the faults whose time has come."""
        while self._script and self._holding is None and self._comes(self._script[0][0]):
            self._begin(self._script.pop(0)[1])

    def _comes(self, when: int | float) -> bool:
        if isinstance(when, int):
            return self._taken >= when
        return self._began is not None and self._now - self._began >= when

    def _begin(self, fault: Fault) -> None:
        match fault:
            case Freeze(frames) | Repeat(frames) | Unplug(frames):
                self._holding = (fault, frames)
            case Drop(frames):
                for _ in range(frames):
                    self._camera.read()
                self._taken += frames
            case SwapIndex(other):
                self._camera = other
            case Resize(size):
                self._size = size
            case Jump():
                self._jump = fault
            case Darken(factor):
                self._darken = factor
            case Delay(seconds, frames):
                self._late = (seconds, frames)

    def _held(self, hidden: Frame) -> Frame:
        """What is given in place of a picture that nobody sees."""
        assert self._holding is not None
        fault, left = self._holding
        if left is not None:
            self._holding = (fault, left - 1) if left > 1 else None
        if self._last is None or (isinstance(fault, Unplug) and not fault.returns_true):
            raise UnreadableError("The camera is unplugged.", "Plug it in again.")
        if not isinstance(fault, Freeze):
            self._last = replace(self._last, id=hidden.id, captured_at=hidden.captured_at)
        return self._last

    def _spoiled(self, image: Image) -> Image:
        height, width = image.shape[:2]
        self._undisturbed = (width, height)
        if self._jump != Jump() or self._size != (0, 0):
            size = self._size if self._size != (0, 0) else (width, height)
            image = np.asarray(
                cv2.warpAffine(
                    image,
                    self.warp[:2],
                    size,
                    flags=cv2.INTER_CUBIC,
                    borderMode=cv2.BORDER_REPLICATE,
                ),
                np.uint8,
            )
        if self._darken != 1.0:
            # Grey levels are about the 2.2th root of light.
            levels = 255.0 * ((np.arange(256) / 255.0) ** 2.2 * self._darken) ** (1 / 2.2)
            image = np.asarray(cv2.LUT(image, np.clip(levels, 0, 255).astype(np.uint8)), np.uint8)
        return image


class FaultyCapture:
    """A `FaultyCamera` where an opened device is expected; frames that are missing fail to read.

    `stamped` gives the frames' capture times as the driver's own; `dials` are handed on.
    """

    def __init__(
        self, camera: FaultyCamera, *, stamped: bool = False, dials: Dials | None = None
    ) -> None:
        self._camera, self._stamped, self.dials = camera, stamped, dials
        self.plugged_in = True
        self.released = False

    def read(self) -> Shot | None:
        """The next picture; None while the camera is unplugged."""
        try:
            frame = self._camera.read()
        except UnreadableError:
            return None
        return Shot(frame.image, frame.captured_at if self._stamped else None)

    def present(self) -> bool:
        """Whether the system still lists the device."""
        return self.plugged_in

    def release(self) -> None:
        """Notes that it was closed; the wrapped camera goes on."""
        self.released = True
