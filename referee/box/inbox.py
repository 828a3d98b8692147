"""Inboxes of what happens: each inbox gets each happening once, and nobody waits for a slow one."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Self

from referee.box.happenings import Happening
from referee.box.pump import Pump

_log = logging.getLogger(__name__)

#: An inbox that nobody empties drops its oldest.
MOST = 1000
FOREVER_S = 3600.0


class Inbox:
    """Iterate over it for all that happens; that ends when it, or the box, is closed.

    `missed` counts what was dropped because nobody took it.
    """

    def __init__(self, pump: Pump, closed: Callable[[Inbox], None]) -> None:
        self.missed = 0
        self._pump = pump
        self._on_close = closed
        self._closed = False
        self._lock = threading.Lock()
        self._waiting: deque[Happening] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Happening]:
        while not self._closed or self._waiting:
            if (happening := self.get(FOREVER_S)) is not None:
                yield happening

    @property
    def closed(self) -> bool:
        """Whether nothing comes any more beside what is in it."""
        return self._closed and not self._waiting

    def get(self, seconds: float = 0.0) -> Happening | None:
        """Waits for the next happening, at most so long; None if there was none."""
        self._pump.wait(lambda: bool(self._waiting) or self._closed, seconds)
        with self._lock:
            return self._waiting.popleft() if self._waiting else None

    def put(self, happening: Happening) -> None:
        """Adds one."""
        with self._lock:
            if self._closed:
                return
            if len(self._waiting) >= MOST:
                self._waiting.popleft()
                self.missed += 1
            self._waiting.append(happening)

    def close(self) -> None:
        """Takes no more; what is in it can still be read."""
        self._closed = True
        self._on_close(self)


class Inboxes:
    """All inboxes of a box."""

    def __init__(self, pump: Pump) -> None:
        self._pump = pump
        self._lock = threading.Lock()
        self._open: list[Inbox] = []
        self._closed = False

    def new(self, call: Callable[[Happening], None] | None = None) -> Inbox:
        """Returns a new inbox; `call` is called for all in it, in a thread of its own."""
        inbox = Inbox(self._pump, self._forget)
        with self._lock:
            closed = self._closed
            if not closed:
                self._open.append(inbox)
        if closed:
            inbox.close()
        elif call is not None:
            threading.Thread(
                target=_call_for_each, args=(inbox, call), name="box-events", daemon=True
            ).start()
        return inbox

    def put(self, happening: Happening) -> None:
        """Puts a happening into each inbox."""
        with self._lock:
            inboxes = list(self._open)
        for inbox in inboxes:
            inbox.put(happening)

    def close(self) -> None:
        """Closes all; new ones are closed from the start."""
        with self._lock:
            self._closed = True
            inboxes = list(self._open)
        for inbox in inboxes:
            inbox.close()

    def _forget(self, inbox: Inbox) -> None:
        with self._lock:
            if inbox in self._open:
                self._open.remove(inbox)


def _call_for_each(inbox: Inbox, call: Callable[[Happening], None]) -> None:
    for happening in inbox:
        try:
            call(happening)
        except Exception:
            _log.exception("What was called for %s failed.", happening)
