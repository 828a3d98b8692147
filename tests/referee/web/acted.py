"""Players of Tumult Royale at a live match: hands that lay things, and people who press."""

from __future__ import annotations

import time

from referee.games.hands import Deed, Doing, Press, Screen
from referee.match.commands import Command, Do
from tests.referee.web.judged import RoyaleStage

#: How long hands wait for the referee before they do it again, or enter it by hand (s).
PATIENCE_S = 6.0
BY = "Ann"


class Players:
    """Act a script out; what the box would do is entered by hand at once."""

    def __init__(self, stage: RoyaleStage, hands: Doing) -> None:
        self._stage, self._hands, self._serial = stage, hands, 0
        self.seen = 0
        """How many moves the camera has confirmed."""

    def play(self) -> None:
        """Plays until the script ends."""
        try:
            deed = next(self._hands)
            while True:
                deed = self._hands.send(self._act(deed))
        except StopIteration:
            return

    def press(self, press: Press) -> None:
        """Presses a button, or enters something."""
        self._serial += 1
        live = self._stage.live
        command = Command(
            Do(press.do), live.view.state_id, f"p{self._serial}", BY, press.text, press.reason
        )
        answer = live.command(command)
        assert answer.accepted, (press, answer.text)

    def _act(self, deed: Deed) -> Screen:
        live, before = self._stage.live, self._stage.live.view.state_id
        self._stage.table.lay(deed.placement, relaid=deed.relaid)
        if (deed.spin or deed.glass_ends) and deed.move is not None:
            self.press(Press(Do.ENTER.value, deed.move))
        elif not deed.spin:
            for press in deed.presses:
                self.press(press)
        if deed.settles:
            self._wait(before)
        moved = live.view.state_id != before
        self.seen += moved and live.view.cause.kind == "camera"
        return Screen(moved, live.view.apart)

    def _wait(self, before: int) -> None:
        live, deadline = self._stage.live, time.monotonic() + PATIENCE_S
        while live.view.state_id == before and not live.view.apart:
            if time.monotonic() > deadline:
                return
            live.wait(live.view.seq, 0.1)
