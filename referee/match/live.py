"""Runs a match: what people, the camera and the box tell queues up for one thread."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from referee.box.box import Box
from referee.box.draw import Dial, draw_sector
from referee.games.game import Game, MoveT, StateT
from referee.games.said import joined, say
from referee.games.table import Placement
from referee.journal import JournalError
from referee.match.boxside import BoxSide
from referee.match.commands import Answer, Checked, Command, Ended, News
from referee.match.match import Match, View
from referee.match.sighting import Sighting
from referee.match.watch import Watch

log = logging.getLogger(__name__)

#: How often the hourglass is looked at while nothing else happens.
TICK_S = 0.05
#: A command or a box's news waits so long for the match.
ANSWER_S = 10.0
#: What queues up for the match's thread.
_Item = Command | Checked | Ended | News


class Live(Generic[StateT, MoveT]):
    """A match with its camera and its box; `view` and `command` may be used by any thread."""

    def __init__(
        self,
        match: Match[StateT, MoveT],
        watch: Watch | None,
        box: Box | None,
        *,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[Dial], int] = draw_sector,
        bare: Callable[[Placement], Mapping[str, NDArray[np.uint8]]] | None = None,
    ) -> None:
        """Without a watch all is entered by hand; without a box people do its part.

        `bare` gives what boards on which these things lie look like with nothing standing on them,
        if that is known: see `Session.lay_bare`. `draw` draws a sector of the box's dial: by
        chance, but on a simulated table.
        """
        self._match, self._watch, self._clock = match, watch, clock
        self._box = BoxSide(box, self._told, draw)
        self._sighting = Sighting()
        self._bare = bare
        self._news = threading.Condition()
        self._waiting: deque[tuple[_Item, Future[Answer | None]]] = deque()
        self._view = match.view
        self._stopped = self._failing = False
        self.failures = 0
        """How often something that was seen or told could not be taken, by a fault of ours."""
        self._thread = threading.Thread(target=self._run, name="match", daemon=True)
        self._last_look = -1
        self._fresh = False
        if watch is not None:
            watch.on_look(self._wake)
            self._lay_bare(watch)

    @property
    def view(self) -> View[StateT, MoveT]:
        """The match as it is on record now."""
        return self._view

    @property
    def game(self) -> Game[StateT, MoveT]:
        """The rules that the match is played by: pure, for any thread."""
        return self._match.game

    @property
    def trouble(self) -> str:
        """Why nothing can be put on record now; empty if it can."""
        return self._match.unwritten

    @property
    def box_trouble(self) -> str:
        """Why there is no box now; empty if there is one."""
        return self._box.trouble

    def start(self) -> None:
        """Starts the match's thread, and looks for the box. The watch is started by its owner."""
        self._thread.start()
        self._box.start()

    def stop(self) -> None:
        """Ends both, but neither watch nor box; what was acknowledged is on record."""
        with self._news:
            self._stopped = True
            self._news.notify_all()
        self._box.stop()
        self._thread.join()

    def wait(self, seq: int, timeout: float) -> View[StateT, MoveT]:
        """The view once there is a newer one than event `seq`, or after `timeout` seconds."""
        with self._news:
            self._news.wait_for(lambda: self._view.seq != seq or self._stopped, timeout)
            return self._view

    def command(self, command: Command | Checked | Ended) -> Answer:
        """Has a command done, or what was checked or ended put on record; returns when it is.

        The answer says why it is not, if so.
        """
        try:
            answer = self._put(command).result(ANSWER_S)
        except TimeoutError:
            answer = None
        return answer or Answer(
            False, self._view.state_id, say("The match does not answer: try again.")
        )

    def _told(self, news: News) -> None:
        self._put(news).result(ANSWER_S)

    def _put(self, item: _Item) -> Future[Answer | None]:
        done: Future[Answer | None] = Future()
        with self._news:
            if self._stopped:
                done.set_result(None)
            else:
                self._waiting.append((item, done))
            self._news.notify_all()
        return done

    def _wake(self) -> None:
        with self._news:
            self._fresh = True
            self._news.notify_all()

    def _run(self) -> None:
        while not self._stopped:
            with self._news:
                self._news.wait_for(
                    lambda: bool(self._waiting) or self._fresh or self._stopped, TICK_S
                )
                self._fresh = False
                waiting = list(self._waiting)
                self._waiting.clear()
            for item, done in waiting:
                done.set_result(self._take(item))
            self._guarded(self._look)
            self._publish()
        for _, done in self._waiting:
            done.set_result(None)

    def _take(self, item: _Item) -> Answer | None:
        """Takes a command or news; nothing that fails ends the match."""
        now = self._clock()
        if isinstance(item, Command | Checked | Ended):
            try:
                match item:
                    case Checked():
                        answer = self._match.checked(item)
                    case Ended():
                        answer = self._match.end(item)
                    case _:
                        answer = self._match.command(item, now)
            except JournalError as error:
                answer = Answer(False, self._view.state_id, joined([error.what, error.remedy]))
            except Exception:
                log.exception("%s could not be done.", item)
                told = say("That failed, and is noted in the log: do it another way, or report it.")
                answer = Answer(False, self._view.state_id, told)
            # Whoever asked sees what became of it at once.
            self._publish()
            return answer
        self._guarded(lambda: self._match.told(item, now))
        self._publish()
        return None

    def _look(self) -> None:
        now = self._clock()
        self._match.tick(now)
        look = None if self._watch is None else self._watch.newest
        if look is None or look.frame.id == self._last_look:
            return
        self._last_look = look.frame.id
        self._match.see(self._sighting.of(look), now)
        if self._watch is not None and self._match.second_look:
            self._watch.look_again()

    def _guarded(self, deed: Callable[[], None]) -> None:
        try:
            deed()
            self._failing = False
        except JournalError as error:
            if not self._failing:
                log.error("%s %s", error.what, error.remedy)
            self._failing = True
        except Exception:
            # A fault of ours must not end the match: people go on by hand.
            self.failures += 1
            if not self._failing:
                log.exception("What was seen or told could not be taken.")
            self._failing = True

    def _publish(self) -> None:
        for order in self._match.orders():
            self._box.order(order)
        view, before = self._match.view, self._view.state_id
        with self._news:
            self._view = view
            self._news.notify_all()
        if self._watch is not None and view.state_id != before:
            self._lay_bare(self._watch)

    def _lay_bare(self, watch: Watch) -> None:
        if self._bare is not None:
            watch.lay_bare(self._bare(self.game.placement(self._view.position)))
