"""A list of what is plugged in that is looked through again only as often as that is cheap."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

#: A list that is quick to make is made anew after so long; another one when somebody asks. (s)
FRESH_S, QUICK_S = 3.0, 0.1


class Listing(Generic[T]):
    """For any thread. Some systems open each device, or take seconds, to list them."""

    def __init__(self, look: Callable[[], Sequence[T]]) -> None:
        self._look = look
        self._lock = threading.Lock()
        self._found: Sequence[T] | None = None
        self._at = self._took = 0.0

    def found(self) -> Sequence[T]:
        """What there is, as far as is known."""
        with self._lock:
            now = time.monotonic()
            old = now - self._at >= FRESH_S and self._took <= QUICK_S
            if self._found is None or old:
                self._found = self._look()
                self._at = time.monotonic()
                self._took = self._at - now
            return self._found

    def again(self) -> None:
        """Looks anew when next asked."""
        with self._lock:
            self._found = None
