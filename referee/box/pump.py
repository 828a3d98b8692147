"""Who makes the link's steps: a thread of its own, or, in tests, who waits for them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol

_log = logging.getLogger(__name__)


class Pump(Protocol):
    """Steps until stopped."""

    def start(self, step: Callable[[], None], failed: Callable[[Exception], None]) -> None:
        """Begins to call `step` again and again, it takes milliseconds; `failed` if it raises."""

    def wait(self, done: Callable[[], bool], seconds: float) -> bool:
        """Waits until `done`, at most so long; returns whether it is."""

    def stop(self) -> None:
        """Ends; `step` is not called any more when this returns."""


class ThreadPump:
    """Steps in a thread of its own."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, step: Callable[[], None], failed: Callable[[Exception], None]) -> None:
        """Starts the thread."""

        def run() -> None:
            while not self._stopped.is_set():
                try:
                    step()
                except Exception as error:
                    _log.exception("The link to the box failed, and starts anew.")
                    failed(error)
                with self._changed:
                    self._changed.notify_all()

        self._thread = threading.Thread(target=run, name="box", daemon=True)
        self._thread.start()

    def wait(self, done: Callable[[], bool], seconds: float) -> bool:
        """Waits until `done`, at most so long; returns whether it is."""
        until = time.monotonic() + seconds
        with self._changed:
            while not done():
                left = until - time.monotonic()
                if left <= 0 or self._stopped.is_set():
                    return done()
                self._changed.wait(left)
        return True

    def stop(self) -> None:
        """Ends the thread; waits for it unless called by it."""
        self._stopped.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=5.0)
        with self._changed:
            self._changed.notify_all()
