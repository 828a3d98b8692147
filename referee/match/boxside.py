"""The box of a live match: does its orders in a thread of its own, and tells what it does."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

from referee.box.box import Box
from referee.box.draw import Dial, draw_sector
from referee.box.errors import BoxError, NoBoxError
from referee.box.happenings import Connected, Disconnected, Happening, Told
from referee.box.inbox import Inbox
from referee.box.protocol import Button, GlassEnded, Parts, Pattern, Pressed
from referee.box.results import Drawn as BoxDrawn
from referee.games.said import joined, say
from referee.match.commands import (
    DeviceFails,
    Drawn,
    GlassOrder,
    GlassOver,
    GlassRuns,
    News,
    Order,
    Presses,
    SpinOrder,
    Stands,
    StopOrder,
)

log = logging.getLogger(__name__)


class BoxSide:
    """Joins a box, or none, with a match.

    `tell` takes news; it returns when the match has it on record: an arrow that turns was drawn on
    record before.
    """

    def __init__(
        self,
        box: Box | None,
        tell: Callable[[News], None],
        draw: Callable[[Dial], int] = draw_sector,
    ) -> None:
        """`draw` draws a sector of a dial: by chance, but on a simulated table."""
        self._box, self._tell, self._draw = box, tell, draw
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._inbox: Inbox | None = None
        self._thread = threading.Thread(target=self._work, name="box", daemon=True)

    @property
    def trouble(self) -> str:
        """Why there is no box now; empty if there is one."""
        if self._box is None:
            return say("No box is used: the hourglass is counted here, the arrow is spun by hand.")
        error = self._box.error
        return "" if self._box.connected or error is None else joined([error.what, error.remedy])

    def start(self) -> None:
        """Starts looking for the box; a match goes on without it."""
        if self._box is not None:
            self._inbox = self._box.on_event(self._happened)
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread; the link is its owner's, and a running hourglass ends by itself.

        Waits for an arrow that turns: its owner closes the box before, or stops it.
        """
        self._orders.put(None)
        if self._inbox is not None:
            self._inbox.close()
        if self._thread.is_alive():
            self._thread.join()

    def order(self, order: Order) -> None:
        """Has something done; what becomes of it is told."""
        self._orders.put(order)

    def _work(self) -> None:
        if self._box is not None:
            try:
                self._box.connect()
            except BoxError as error:
                log.warning("%s %s", error.what, error.remedy)
        while (order := self._orders.get()) is not None:
            try:
                self._do(order)
            except BoxError as error:
                self._tell(DeviceFails(error.what, error.remedy))
            except Exception:
                log.exception("The box could not do %s.", order)
                self._tell(DeviceFails(say("The box failed."), say("Go on by hand.")))

    def _do(self, order: Order) -> None:
        box = self._box
        if box is None:
            raise NoBoxError(
                say("There is no box."),
                say("Spin by hand, or turn the sand glass, then say done."),
            )
        match order:
            case SpinOrder(labels):
                dial = Dial.equal(labels)
                _, result = box.draw_and_spin(dial, self._drawn, draw=self._draw)
                self._tell(Stands(result.label))
            case GlassOrder(seconds):
                self._tell(GlassRuns(box.hourglass(seconds).ends_at))
            case StopOrder():
                box.cancel(Parts.GLASS)
                box.buzz(Pattern.END)

    def _drawn(self, drawn: BoxDrawn) -> None:
        self._tell(Drawn(drawn.label))

    def _happened(self, happening: Happening) -> None:
        match happening:
            case Told(GlassEnded(), at):
                self._tell(GlassOver(at))
            case Told(Pressed(button=button), _):
                self._tell(Presses(judge=button is Button.JUDGE))
            case Connected():
                # An hourglass that ran on while the cable was out is taken up.
                running = None if self._box is None else self._box.glass()
                if running is not None:
                    self._tell(GlassRuns(running.ends_at))
            case Disconnected(error):
                log.warning("%s %s", error.what, error.remedy)
