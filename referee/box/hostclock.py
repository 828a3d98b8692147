"""The host's time, so that tests can have one that passes as they say."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class HostClock(Protocol):
    """Seconds as of time.monotonic, the clock of the camera's frames; and how to wait."""

    def now(self) -> float:
        """Returns the time."""

    def wait(self, seconds: float, woken: threading.Event) -> None:
        """Waits for so long, or until `woken` is set."""


class RealClock:
    """The clock on the wall."""

    def now(self) -> float:
        """Returns the monotonic time."""
        return time.monotonic()

    def wait(self, seconds: float, woken: threading.Event) -> None:
        """Waits for so long, or until `woken` is set."""
        woken.wait(seconds)
