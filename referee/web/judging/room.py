"""What belongs to the match that is open: its audit trail and its diagnostics, each made once."""

from __future__ import annotations

import threading
from collections.abc import Callable

from referee.web.gear import Opened
from referee.web.judging.audit import Audit
from referee.web.judging.diagnostics import Diagnostics
from vision.camera import Held


class Room:
    """Keeps them as long as the match is open; for any thread."""

    def __init__(self, held: Callable[[], tuple[Held, ...]] = tuple) -> None:
        """`held` tells the camera's settings, and whether they held."""
        self._held = held
        self._lock = threading.Lock()
        self._kept: tuple[Opened, Audit, Diagnostics] | None = None

    def audit(self, match: Opened) -> Audit:
        """The audit trail of a match."""
        return self._of(match)[1]

    def diagnostics(self, match: Opened) -> Diagnostics:
        """The diagnostics of a match."""
        return self._of(match)[2]

    def _of(self, match: Opened) -> tuple[Opened, Audit, Diagnostics]:
        with self._lock:
            if self._kept is None or self._kept[0] is not match:
                audit = Audit(match.journal.path)
                self._kept = match, audit, Diagnostics(match, audit, held=self._held)
            return self._kept
