"""Acts deeds out at a live match, in real time: the demo's players."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.box.draw import Dial
from referee.games.game import SpinDial
from referee.games.hands import Deed, Doing, Press, Screen
from referee.match.commands import Command, Do
from referee.match.fold import Stage
from referee.match.live import Live
from referee.simulation.players.slips import slipped
from referee.simulation.room import NoRoomError
from referee.simulation.table import SimulatedTable

log = logging.getLogger(__name__)

#: Seconds without anything new after which hands go on.
PATIENCE_S = 9.0
#: Seconds that an audience needs: to follow what was done, and to read a verdict of many words.
GLANCE_S, READ_S = 0.8, 5.0
#: The box's part takes no longer. (s)
DEVICE_S = 60.0
BY = "players"


@dataclass
class Record:
    """How the moves that the camera confirmed compare with what truly happened."""

    confirmed: int = 0
    wrong: int = 0


class Actors:
    """Players at a rendered table. `draw` is for the box: it draws what the script has."""

    def __init__(
        self,
        table: SimulatedTable,
        hands: Doing,
        pause: Callable[[float], None],
    ) -> None:
        """`pause` waits for so many seconds of the audience's time."""
        self._table, self._hands, self._pause = table, hands, pause
        self._stopped = threading.Event()
        self._label = ""
        self._commands = 0
        self.record = Record()

    def draw(self, dial: Dial) -> int:
        """The sector that the arrow stops in, as the script has it."""
        return dial.labels.index(self._label) if self._label in dial.labels else 0

    def stop(self) -> None:
        """Lets `play` end after the current deed."""
        self._stopped.set()

    def play(self, live: Live[Any, Any]) -> None:
        """Plays until the hands are done, or `stop` is called."""
        try:
            deed = next(self._hands)
            while not self._stopped.is_set():
                deed = self._hands.send(self._act(live, deed))
        except StopIteration:
            log.info("The players are done.")

    def _act(self, live: Live[Any, Any], deed: Deed) -> Screen:
        before = live.view.state_id
        self._label = deed.spin
        for press in deed.before:
            self._press(live, press)
        try:
            slip = slipped(deed.slip, deed.where) if deed.slip else None
            self._table.lay(deed.placement, relaid=deed.relaid, slip=slip)
        except NoRoomError:
            return Screen(laid=False)
        for press in deed.presses:
            self._press(live, press)
        if not deed.settles:
            return Screen(live.view.state_id != before, live.view.apart)
        if deed.glass_ends or self._spins(live):
            self._await_device(live)
        self._wait(live, before)
        view = live.view
        if view.state_id != before:
            self._judge(live, deed)
            self._pause(READ_S if len(view.told) > 1 else GLANCE_S)
        return Screen(view.state_id != before, view.apart)

    def _spins(self, live: Live[Any, Any]) -> bool:
        step, device = live.view.step, live.view.device
        spun = step is not None and isinstance(step.device, SpinDial)
        return spun and device.stage is Stage.RUNNING

    def _await_device(self, live: Live[Any, Any]) -> None:
        end = time.monotonic() + DEVICE_S
        while live.view.device.stage is Stage.RUNNING and time.monotonic() < end:
            if self._stopped.is_set():
                return
            live.wait(live.view.seq, 0.2)

    def _wait(self, live: Live[Any, Any], before: int) -> None:
        """Until the match has gone on, accuses somebody, or says nothing new for long."""
        seq, since = live.view.seq, time.monotonic()
        while time.monotonic() - since < PATIENCE_S and not self._stopped.is_set():
            view = live.wait(seq, 0.2)
            if view.state_id != before or view.apart:
                return
            if view.seq != seq:
                seq, since = view.seq, time.monotonic()

    def _press(self, live: Live[Any, Any], press: Press) -> None:
        self._commands += 1
        at, name = live.view.state_id, f"player-{self._commands}"
        command = Command(Do(press.do), at, name, BY, press.text, press.reason)
        answer = live.command(command)
        if not answer.accepted:
            log.warning("refused: %s %s: %s", press.do, press.text, answer.text)

    def _judge(self, live: Live[Any, Any], deed: Deed) -> None:
        """Counts whether what is on record truly happened; if not, it is put right and logged."""
        view = live.view
        if view.cause.kind != "camera":
            return
        self.record.confirmed += 1
        position = live.game.write_state(view.position)
        if (view.moves[-1], position) == (deed.move, deed.after):
            return
        self.record.wrong += 1
        log.error("DIFFERS: %s was confirmed, but it was %s", view.moves[-1], deed.move)
        if deed.after:
            self._press(live, Press(Do.POSITION.value, deed.after, "so the table truly lies"))
