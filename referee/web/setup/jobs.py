"""Long work that a page waits for: one at a time of each kind, in a thread of its own."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from referee.games.said import say
from referee.words import said
from vision.errors import UnreadableError

T = TypeVar("T")
log = logging.getLogger(__name__)


class Job(Generic[T]):
    """The newest work of one kind; for any thread."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._key: object = None
        self._running = False
        self._since = 0.0
        self.result: T | None = None
        self.trouble: tuple[str, str] = ("", "")
        """Why there is no result, and what to do; empty if there is one."""

    @property
    def running(self) -> bool:
        """Whether it is under way."""
        return self._running

    @property
    def seconds(self) -> float:
        """For how long it has been under way."""
        return time.monotonic() - self._since if self._running else 0.0

    def start(self, work: Callable[[], T], key: object = None) -> bool:
        """Does some work, unless other work is under way; whether it was begun.

        Work with the same `key` as before (not None) is not done again if it has a result.
        """
        with self._lock:
            if self._running or (key is not None and key == self._key and self.result is not None):
                return False
            self._key, self._running, self._since = key, True, time.monotonic()
            self.result, self.trouble = None, ("", "")
        threading.Thread(target=self._do, args=(work,), name=self._name, daemon=True).start()
        return True

    def forget(self) -> None:
        """Drops a result, if nothing is under way."""
        with self._lock:
            if not self._running:
                self.result, self.trouble, self._key = None, ("", ""), None

    def _do(self, work: Callable[[], T]) -> None:
        try:
            self.result = work()
        except UnreadableError as error:
            self.trouble = said(error)
        except Exception:
            log.exception("%s failed.", self._name)
            self.trouble = (
                say("That failed, and is noted in the log."),
                say("Try it again, or report it."),
            )
        finally:
            self._running = False
