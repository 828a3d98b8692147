"""What of a camera can be set: exposure, gain, white balance, focus, mains frequency."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import cv2

#: OpenCV's properties for the dials; it has none for the mains frequency.
_PROPERTIES: Mapping[str, int] = {
    "auto_exposure": cv2.CAP_PROP_AUTO_EXPOSURE,
    "exposure": cv2.CAP_PROP_EXPOSURE,
    "gain": cv2.CAP_PROP_GAIN,
    "auto_white_balance": cv2.CAP_PROP_AUTO_WB,
    "white_balance": cv2.CAP_PROP_WB_TEMPERATURE,
    "auto_focus": cv2.CAP_PROP_AUTOFOCUS,
    "focus": cv2.CAP_PROP_FOCUS,
}


class Dials(Protocol):
    """The dials of an opened camera, by name.

    Those that run by themselves, "auto_exposure", "auto_white_balance" and "auto_focus", are 1 or
    0; "exposure", "gain", "white_balance" and "focus" are in the driver's own units; "mains" is
    50 or 60 Hz, or 0.
    """

    def names(self) -> tuple[str, ...]:
        """The dials that the camera has."""
        ...

    def get(self, name: str) -> int | None:
        """What a dial stands at; None if it does not say."""
        ...

    def set(self, name: str, value: int) -> bool:
        """Turns a dial; False if the driver refused. What it did is for `get` to tell."""
        ...


class OpenCvDials:
    """The dials that OpenCV reaches, for systems where nothing better does."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture

    def names(self) -> tuple[str, ...]:
        """The dials that say a value: OpenCV answers -1 or 0 for those that are not there."""
        return tuple(
            name for name, number in _PROPERTIES.items() if self._capture.get(number) not in (-1, 0)
        )

    def get(self, name: str) -> int | None:
        """What OpenCV reports."""
        number = _PROPERTIES.get(name)
        return None if number is None else round(self._capture.get(number))

    def set(self, name: str, value: int) -> bool:
        """Turns a dial through OpenCV."""
        number = _PROPERTIES.get(name)
        return number is not None and bool(self._capture.set(number, value))
