"""Publishes a running match: a document for each audience, made once per change for all clients.

One thread waits for news of the match and of its camera; nobody who reads can hold it up, and it
holds nothing of the match's.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from enum import Enum
from typing import Protocol

from referee.web.editions import Editions
from referee.web.patch import Json

log = logging.getLogger(__name__)

#: What changes without an event, such as what the camera sees, is looked at so often.
POLL_S = 0.05
#: Pause after each look, so that a burst of events is told in one change.
PAUSE_S = 0.01
#: A publisher that was silent for longer is not believed any more.
SILENT_S = 3.0


class Audience(Enum):
    """For whom a document is."""

    TABLE = "table"
    OVERLAY = "overlay"
    JUDGE = "judge"


#: Those that everybody may see; they stand still during a review.
PUBLIC = (Audience.TABLE, Audience.OVERLAY)


class Shown(Protocol):
    """A match that can be shown; used by the publisher's thread alone."""

    def wait(self, timeout: float) -> None:
        """Returns when there is an event that no document tells of yet, or after `timeout` s."""

    def documents(self) -> dict[Audience, Json]:
        """What each audience is shown now; empty if nothing has changed."""


class Publisher:
    """Keeps the documents of all audiences; its editions may be read by any thread."""

    def __init__(
        self,
        source: Callable[[], Shown | None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`source` gives the match that is open, a new object for each; None without one.

        `clock` is never set.
        """
        self._source, self.clock = source, clock
        self.epoch = secrets.token_hex(8)
        """Another one with each start of the server."""
        self.looks = 0
        """How often it has looked whether anything changed, and told it."""
        self.failures = 0
        """How often documents could not be made, by a fault of ours."""
        self._editions = {
            audience: Editions(self.epoch, {**no_match(audience), "waiting": True})
            for audience in Audience
        }
        self._lock = threading.Lock()
        self._called: tuple[Callable[[], None], ...] = ()
        self._shown: Shown | None = None
        self._alive_at = self.clock()
        self._failing = False
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)

    def start(self) -> None:
        """Starts its thread."""
        self._thread.start()

    def stop(self) -> None:
        """Ends it."""
        self._stopped.set()
        self._thread.join()

    @property
    def alive(self) -> bool:
        """Whether what it shows is what holds: false if it stands still or fails."""
        return self.clock() - self._alive_at <= SILENT_S

    def editions(self, audience: Audience) -> Editions:
        """What an audience is shown."""
        return self._editions[audience]

    def on_news(self, call: Callable[[], None]) -> None:
        """Has `call` called, in the publisher's thread, after each change; it returns at once."""
        with self._lock:
            self._called = (*self._called, call)

    def _run(self) -> None:
        while not self._stopped.wait(PAUSE_S):
            try:
                self._follow()
            except Exception:
                # A fault of ours: what holds can't be told, and `alive` says so.
                self.failures += 1
                if not self._failing:
                    log.exception("What holds could not be published.")
                self._failing = True
                self._stopped.wait(POLL_S)
            else:
                self._failing = False
                self._alive_at = self.clock()
                self.looks += 1

    def _follow(self) -> None:
        shown = self._source()
        if shown is None:
            self._stopped.wait(POLL_S)
            self._shown = None
            self._tell({audience: no_match(audience) for audience in Audience})
            return
        if shown is self._shown:
            shown.wait(POLL_S)
        self._shown = shown
        self._tell(shown.documents())

    def _tell(self, documents: dict[Audience, Json]) -> None:
        at = self.clock()
        changed = [self._editions[each].add(document, at) for each, document in documents.items()]
        if any(changed):
            for call in self._called:
                call()


def no_match(audience: Audience) -> Json:
    """The document without a match: what every document has."""
    return {"audience": audience.value, "state": -1, "seq": 0, "title": "", "review": False}
