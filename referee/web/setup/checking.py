"""The acceptance before a match, walked through on a page."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from contextlib import closing
from typing import Any

from referee.games.said import say
from referee.journal import software
from referee.match.acceptance import Acceptance, Prompt, Reply, Result
from referee.web.house import House, Opened

log = logging.getLogger(__name__)

#: How often it is looked whether the referee has seen something. (s)
LOOK_S = 0.1


def acceptance_of(house: House, match: Opened, by: str) -> Acceptance[Any, Any]:
    """The acceptance of a match that is open in a house; `by` is who checks.

    Raises UnreadableError if the faces' book can't be read.
    """
    return Acceptance(
        match.live,
        match.watch,
        match.box,
        software=software(),
        book="" if match.watch is None else house.gear.book(house.settings.book).hash,
        by=by,
    )


class Checking:
    """One check, in a thread of its own; for any thread."""

    def __init__(
        self,
        match: str,
        make: Callable[[], Acceptance[Any, Any]],
        blind: Callable[[], None],
        away: Callable[[], None],
    ) -> None:
        """`make` may take a while.

        If it is broken off, `blind` is called first: what the camera sees from then on must not be
        taken for a part of the match. `away` is called last, and closes the match.
        """
        self.match = match
        self._make, self._blind, self._away = make, blind, away
        self._replies: queue.SimpleQueue[tuple[str, Reply]] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self.prompt: Prompt | None = None
        """What is asked now; None before the first question, and at the end."""
        self.results: tuple[Result, ...] = ()
        self.running = True
        self.trouble = ""
        """Why it ended before its end; empty if it did not."""
        self._thread = threading.Thread(target=self._run, name="check", daemon=True)
        self._thread.start()

    def reply(self, step: str, reply: Reply) -> bool:
        """What a person says to the prompt of a step; False if that is over."""
        prompt = self.prompt
        if prompt is None or prompt.step != step:
            return False
        self._replies.put((step, reply))
        return True

    def stop(self) -> None:
        """Breaks it off: what was tried is taken back, and that is on record."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._walk(self._make())
        except Exception:
            log.exception("The check failed.")
            self.trouble = say("The check failed, and is noted in the log.")
        finally:
            self.prompt, self.running = None, False

    def _walk(self, acceptance: Acceptance[Any, Any]) -> None:
        with closing(acceptance.walk()) as walk:
            shown = next(walk)
            while True:
                reply = None
                if isinstance(shown, Result):
                    self.results = acceptance.results
                else:
                    self.prompt = shown
                    reply = self._said(shown)
                if self._stopped.is_set():
                    self._blind()
                    walk.close()
                    self._away()
                    self.trouble = say(
                        "The check was broken off. Put the table back as the match begins, then "
                        "go on with the match."
                    )
                    break
                try:
                    shown = walk.send(reply)
                except StopIteration:
                    break
        self.results = acceptance.results

    def _said(self, prompt: Prompt) -> Reply | None:
        """What a person says to this prompt, if anything."""
        try:
            step, reply = self._replies.get(timeout=LOOK_S)
        except queue.Empty:
            return None
        return reply if step == prompt.step else None
