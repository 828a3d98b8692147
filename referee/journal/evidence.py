"""Evidence pictures of a match that is being played: kept by a thread of their own.

Keeping them neither raises nor waits: losing a picture never holds up a match. What went wrong is
logged, and told by `trouble`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Semaphore
from typing import TypeVar

from referee.games.said import say
from referee.journal import database
from referee.journal.errors import JournalError, NotAJournalError
from referee.journal.pictures import MOST_BYTES, NEWEST, Pictures

log = logging.getLogger(__name__)

#: Pictures that may wait for the disk; further ones are not kept.
MOST_WAITING = 32
#: How long `get` and `names` wait for the disk (s).
PATIENCE_S = 2.0

R = TypeVar("R")


class EvidenceStore:
    """The pictures of one match; for use by any number of threads."""

    def __init__(
        self,
        path: Path,
        *,
        keep_for: float | None = None,
        newest: int = NEWEST,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """`path` and limits as `Pictures` takes them; a damaged file is replaced by a new one."""
        self._path = path
        self._limits = keep_for, newest, most_bytes
        self._pictures: Pictures | None = None
        self._trouble = ""
        self._room = Semaphore(MOST_WAITING)
        self._thread = ThreadPoolExecutor(1, "evidence")

    @property
    def trouble(self) -> str:
        """Why the last thing to do failed; empty if it did not."""
        return self._trouble

    def keep(self, name: str, jpeg: bytes, at: float) -> None:
        """Keeps a picture taken `at` (UTC seconds) in place of one of that name."""
        if not self._room.acquire(blocking=False):
            self._note(say("The picture {name} was not kept: the disk is too slow.", name=name))
            return
        kept = self._do(
            say("keep the picture {name}", name=name), lambda held: held.keep(name, jpeg, at)
        )
        kept.add_done_callback(lambda _: self._room.release())

    def tie(self, name: str, seq: int) -> None:
        """Says that a picture belongs to an event: it is then kept as long as is stated."""
        self._do(say("tie the picture {name}", name=name), lambda held: held.tie(name, seq))

    def sweep(self, now: float) -> None:
        """Deletes the pictures whose time is over `now` (UTC seconds)."""
        self._do(say("delete old pictures"), lambda held: held.sweep(now))

    def get(self, name: str) -> bytes | None:
        """A picture as JPEG; None if there is none, or the disk is too slow."""
        return self._answer(say("find the picture {name}", name=name), lambda held: held.get(name))

    def names(self, seq: int) -> tuple[str, ...]:
        """The pictures of an event that are there, oldest first."""
        return (
            self._answer(say("find the pictures of {n}", n=seq), lambda held: held.names(seq)) or ()
        )

    def close(self) -> None:
        """Does what is still to be done, and lets go of the file."""
        self._thread.shutdown()
        if self._pictures is not None:
            self._pictures.close()

    def _do(self, what: str, work: Callable[[Pictures], R]) -> Future[R | None]:
        return self._thread.submit(self._try, what, work)

    def _answer(self, what: str, work: Callable[[Pictures], R]) -> R | None:
        try:
            return self._do(what, work).result(PATIENCE_S)
        except TimeoutError:
            self._note(say("Could not {what}: the disk is too slow.", what=what))
            return None

    def _try(self, what: str, work: Callable[[Pictures], R]) -> R | None:
        """Runs in the thread; a damaged file gets one more try with a new one."""
        try:
            try:
                done = work(self._opened())
            except NotAJournalError as error:
                self._note(say("The evidence was damaged and is lost: {error}", error=error))
                self._replace()
                done = work(self._opened())
        except (JournalError, OSError) as error:
            self._note(say("Could not {what}: {error}", what=what, error=error))
            return None
        self._trouble = ""
        return done

    def _opened(self) -> Pictures:
        if self._pictures is None:
            keep_for, newest, most_bytes = self._limits
            self._pictures = Pictures(
                self._path,
                keep_for=keep_for,
                newest=newest,
                most_bytes=most_bytes,
                create=True,
            )
        return self._pictures

    def _replace(self) -> None:
        if self._pictures is not None:
            self._pictures.close()
            self._pictures = None
        database.remove(self._path)

    def _note(self, trouble: str) -> None:
        self._trouble = trouble
        log.warning("%s", trouble)
