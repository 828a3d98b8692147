"""A frame, and what every source of frames is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture: BGR uint8 of shape (h, w, 3).

    `id` counts the source's frames from 0; `captured_at` is in seconds of the source's own clock:
    the monotonic clock for live sources, the time in the film for videos, the time of the file's
    last change for stills. `epoch` grows whenever a live camera was opened anew or changed its
    picture's size: what was calibrated in another epoch may not hold.
    """

    image: Image
    id: int
    captured_at: float
    epoch: int = 0


class EndOfFramesError(Exception):
    """A file, folder or film has no more frames."""


class Camera(Protocol):
    """A source of frames."""

    def read(self) -> Frame:
        """The next frame of a recording; the newest, not given before, of a live source.

        Raises EndOfFramesError at the end of a recording, UnreadableError if there is no frame.
        """
        ...

    def close(self) -> None:
        """Frees the source; may be called twice."""
        ...


class Drawn:
    """Pictures that a function draws whenever one is asked for."""

    def __init__(self, draw: Callable[[], Image]) -> None:
        self._draw = draw
        self._next = 0

    def read(self) -> Frame:
        """A freshly drawn picture."""
        at = time.monotonic()
        frame = Frame(self._draw(), self._next, at)
        self._next += 1
        return frame

    def close(self) -> None:
        """Nothing is held open."""
