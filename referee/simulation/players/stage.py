"""Acts deeds out: hands move on a rendered table, the real vision reads it, a real match judges.

The match is told nothing but the looks at its frames, what is pressed, and what the box does.
Time is simulated: frames come at a camera's rate while anything happens, and seldom once all is
settled, when the next one would show nothing new.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.games.game import Game
from referee.games.hands import Deed, Press, Screen
from referee.games.table import Placement
from referee.journal import Journal
from referee.match.commands import (
    Command,
    Do,
    Drawn,
    GlassOrder,
    GlassOver,
    GlassRuns,
    SpinOrder,
    Stands,
)
from referee.match.match import Match
from referee.match.sighting import Sighting
from referee.simulation.players.judging import Judging, Kept, accuses, said
from referee.simulation.players.slips import slipped
from referee.simulation.players.tally import Tally
from referee.simulation.room import NoRoomError
from referee.simulation.table import SimulatedTable
from vision.camera import Frame
from vision.session import Look, Session

#: Seconds between two frames: while a table is read, while hands come and go, once it is settled,
#: and while the match asks nothing of it.
FRAME_S, HASTE_S, SETTLED_S, UNASKED_S = 1 / 15, 2 / 15, 0.5, 0.2
#: Seconds before the last hand leaves from which on no frame is left out.
CLOSE_S = 0.3
#: Quiet seconds after which a verdict is due, and after which hands go on without one.
DUE_S, PATIENCE_S = 2.0, 3.6
#: Seconds after which hands go on although the table never came to rest.
RESTLESS_S = 6.0
#: Seconds between something entered and the next hand.
BREATH_S = 1.0
#: Seconds in which the box's arrow comes to stand.
_SPIN_S = 1.2
#: UTC seconds at which the simulated clock shows 0.
EPOCH = 1_800_000_000.0


class Clock:
    """Time that passes only when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def read(self) -> float:
        """Seconds since the start."""
        return self.now

    def wall(self) -> float:
        """UTC seconds."""
        return EPOCH + self.now


@dataclass(frozen=True, slots=True)
class _Frame:
    """When a frame was taken, how long it took to compute, and whether it was read."""

    at: float
    cost: float
    read: bool


class Stage:
    """One match with its table and its camera."""

    def __init__(
        self,
        game: Game[Any, Any],
        match: Match[Any, Any],
        journal: Journal,
        session: Session,
        clock: Clock,
        kept: Kept,
        tally: Tally,
        bare: Callable[[Placement], Mapping[str, NDArray[np.uint8]]],
    ) -> None:
        """`table` is set before the first deed; its clock and pause are this stage's.

        `bare` gives the faces of boards on which these things lie with nothing standing on them.
        """
        self.table: SimulatedTable
        self.tally = tally
        self._game, self._match, self._journal = game, match, journal
        self._session, self._bare = session, bare
        self._clock, self._kept = clock, kept
        self._sighting = Sighting()
        self._frames: list[_Frame] = []
        self._look: Look | None = None
        self._rests = False
        """Whether the next frame would show the match nothing new."""
        self._number = 0
        self._glass_ends: float | None = None
        self._known = match.view.state_id
        """The state that the hands know of: the match may be ahead of them."""
        self._known_seq = match.view.seq

    def pause(self, seconds: float) -> None:
        """Lets time pass under the camera, while hands move."""
        last = min(seconds, CLOSE_S)
        self._pass(seconds - last, UNASKED_S if self._unasked else HASTE_S)
        self._pass(last, UNASKED_S if self._unasked else FRAME_S)

    def act(self, deed: Deed) -> Screen:
        """Acts a deed out, tallies what is said of it, and tells the hands."""
        before = self._known
        self._press(deed.before)
        self._box(deed)
        try:
            slip = slipped(deed.slip, deed.where) if deed.slip else None
            self.table.lay(deed.placement, relaid=deed.relaid, slip=slip)
        except NoRoomError:
            if deed.slip is None:
                raise
            return Screen(laid=False)
        if deed.slip:
            self.tally.slips[deed.slip.value] += 1
        if deed.spin:
            self._pass(_SPIN_S, FRAME_S)
            self._match.told(Stands(deed.spin), self._clock.now)
        self._press(deed.presses)
        if deed.presses and self._moved():
            self._pass(BREATH_S, SETTLED_S)
        if deed.glass_ends and self._glass_ends is not None:
            self._run_glass_down()
        left, seq = self._clock.now, self._match.view.seq
        if deed.settles:
            self._frames = self._frames[-1:]
            late = self._wait(left)
            self._judge(deed, left, seq, late)
        moved = self._moved()
        self._known = before + moved
        return Screen(moved, self._match.view.apart)

    def _moved(self) -> bool:
        """Whether the match has gone on from where the hands know it."""
        return self._match.view.state_id > self._known

    def _press(self, presses: Sequence[Press]) -> None:
        """Presses these, unless the match has gone on meanwhile, as people see."""
        for press in presses:
            if self._moved():
                return
            view = self._match.view
            command = Command(
                Do(press.do),
                view.state_id,
                f"{view.seq}-{press.do}",
                "judge",
                press.text,
                press.reason,
            )
            answer = self._match.command(command, self._clock.now)
            if not answer.accepted:
                self.tally.fail("refused", f"{press.do} {press.text}", answer.text)
            if press.do == Do.STOP.value:
                self._glass_ends = None

    def _box(self, deed: Deed) -> None:
        """Does what the box is ordered to."""
        for order in self._match.orders():
            match order:
                case SpinOrder():
                    self._match.told(Drawn(deed.spin), self._clock.now)
                case GlassOrder(seconds):
                    self._glass_ends = self._clock.now + seconds
                    self._match.told(GlassRuns(self._glass_ends), self._clock.now)

    def _run_glass_down(self) -> None:
        assert self._glass_ends is not None
        self._pass(self._glass_ends - self._clock.now, SETTLED_S)
        self._match.told(GlassOver(self._glass_ends), self._clock.now)
        self._glass_ends = None

    @property
    def _unasked(self) -> bool:
        """Whether the match asks nothing of the table."""
        step = self._match.view.step
        return step is None or step.ask is None

    def _pass(self, seconds: float, step: float) -> None:
        end = self._clock.now + seconds
        while self._clock.now < end - 1e-9:
            self._frame(min(step, end - self._clock.now))

    def _frame(self, seconds: float) -> None:
        self._clock.now += seconds
        now = self._clock.now
        frame = Frame(self.table.frame(now), self._number, now)
        self._number += 1
        began = time.perf_counter()
        placement = self._game.placement(self._match.view.position)
        self._session.lay_bare(self._bare(placement))
        look = self._session.look(frame)
        self._match.tick(now)
        self._match.see(self._sighting.of(look), now)
        again = self._match.second_look
        if again:
            self._session.look_again()
        self._rests = look.settled is not None and not again
        cost = time.perf_counter() - began
        self._frames.append(_Frame(now, cost, look.observation is not None))
        self._look = look

    def _wait(self, left: float) -> str:
        """Waits as hands do: for the match to go on, for an accusation, or out of patience.

        What the screen says when a verdict is overdue; empty if it came in time.
        """
        view = self._match.view
        if self._unasked or self._moved():
            return ""
        seen, late = view.seq, ""
        quiet_since: float | None = None
        self._rests = False
        while self._clock.now - left < RESTLESS_S:
            self._frame(SETTLED_S if self._rests else FRAME_S)
            view, look = self._match.view, self._look
            if self._moved() or any(map(accuses, self._journal.events(seen))):
                return late
            seen = view.seq
            quiet = look is not None and look.quiet.quiet
            quiet_since = (quiet_since or self._clock.now) if quiet else None
            rested = 0.0 if quiet_since is None else self._clock.now - quiet_since
            if rested >= DUE_S and not late:
                late = said(view.verdict)
            if rested >= PATIENCE_S:
                return late
        return late or "never at rest"

    def _judge(self, deed: Deed, left: float, seq: int, late: str) -> None:
        """Tallies what was said of a deed since the hands left; `late` if that was not in time."""
        move = next(
            (
                event
                for event in self._journal.events(self._known_seq)
                if event.kind == "move" and event.state == self._known + 1
            ),
            None,
        )
        judging = Judging(
            self._game,
            self._kept,
            self.tally,
            deed,
            self._match.view,
            move,
            [event for event in self._journal.events(seq) if accuses(event)],
            self._picture,
        )
        if move is not None:
            self._known_seq = move.seq
        self.tally.tidy += deed.tidy
        if deed.tidy and late:
            self.tally.open[late] += 1
            judging.fail("no verdict", late)
        if judging.confirmed:
            self._time(left)
        judging.run()

    def _time(self, left: float) -> None:
        """How long the verdict took, on the clock and on this machine.

        A machine that reads more slowly than frames come takes each next one when it is done.
        """
        wait = self._clock.now - left
        self.tally.waits.append(wait)
        reads = [frame for frame in self._frames if frame.read]
        if reads:
            read = reads[0].at - left + sum(max(frame.cost, FRAME_S) for frame in reads)
            self.tally.computed.append(max(read, wait) + self._frames[-1].cost)

    def _picture(self) -> bytes | None:
        if self._look is None:
            return None
        return self._sighting.of(self._look).picture(self._match.view.verdict)
