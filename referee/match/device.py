"""What the box tells a match of its hourglass, its arrow and its button."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic

from referee.games.game import MoveT, RunGlass, SpinDial, StateT
from referee.games.said import joined, say
from referee.journal import Cause
from referee.match.commands import (
    Answer,
    Command,
    DeviceFails,
    Do,
    Drawn,
    GlassOver,
    GlassRuns,
    News,
    Presses,
    Stands,
)
from referee.match.course import Course
from referee.match.fold import DeviceRun, Stage

log = logging.getLogger(__name__)

#: Presses of the button within this time of the last change are a double press.
DEBOUNCE_S = 0.8
#: So long after its end an hourglass of the box is over, though the box did not tell it.
LATE_S = 1.0
#: Ends of the box's hourglass that differ by less are one.
SAME_S = 0.5


class Device(Generic[StateT, MoveT]):
    """Takes what the box tells; goes on without it if it fails."""

    def __init__(
        self, course: Course[StateT, MoveT], command: Callable[[Command, float], Answer]
    ) -> None:
        """`command` does what the button asks for."""
        self._course, self._command = course, command
        self._counted: tuple[DeviceRun | None, float] = (None, 0.0)
        """The hourglass that is counted here too, and its end by the match's clock."""

    def told(self, news: News, now: float) -> None:
        """Takes what the box tells."""
        device = self._course.fold.device
        step = None if self._course.step is None else self._course.step.device
        match news:
            case Presses(judge=True):
                self._course.append("note", Cause("box"), {"text": say("The judge was called.")})
            case Presses():
                self._pressed(now)
            case Drawn(label) if isinstance(step, SpinDial):
                drawn = {"stage": Stage.RUNNING.value, "label": label}
                self._course.append("spin", Cause("box"), drawn)
            case Stands(label) if isinstance(step, SpinDial):
                self._course.append(
                    "spin", Cause("box"), {"stage": Stage.OVER.value, "label": label}
                )
                self._course.changed_at = now
            case GlassRuns(ends_at) if isinstance(step, RunGlass):
                end = self._course.wall() + ends_at - now
                if device.stage is not Stage.RUNNING or abs(device.wall_end - end) > SAME_S:
                    runs = {"stage": Stage.RUNNING.value, "end": end, "by_hand": False}
                    self._course.append("glass", Cause("box"), runs)
            case GlassOver() if device.stage is Stage.RUNNING and isinstance(step, RunGlass):
                glass_over(self._course, Cause("box"), now)
            case DeviceFails(what, remedy):
                self._failed(what, remedy, now)

    def tick(self, now: float) -> None:
        """Ends an hourglass that the box does not run, or did not tell the end of."""
        device = self._course.fold.device
        if device.stage is not Stage.RUNNING or not device.wall_end:
            return
        if self._counted[0] is not device:
            # From here on the time of day may be put right without any harm.
            self._counted = (device, now + device.wall_end - self._course.wall())
        if now >= self._counted[1] + (0.0 if device.by_hand else LATE_S):
            glass_over(self._course, Cause("referee"), now)

    def _pressed(self, now: float) -> None:
        """The players' button does what comes next."""
        if now - self._course.changed_at < DEBOUNCE_S or self._course.step is None:
            return
        stage = self._course.fold.device.stage
        waits = self._course.step.device is not None and stage is Stage.IDLE
        do = Do.START if waits else Do.DONE
        if stage is Stage.RUNNING:
            do = Do.STOP
        command = Command(
            do, self._course.fold.state_id, f"button-{self._course.fold.seq}", "button"
        )
        answer = self._command(command, now)
        if not answer.accepted:
            log.info("button: %s", answer.text)

    def _failed(self, what: str, remedy: str, now: float) -> None:
        """People go on without the box: an hourglass is counted here, an arrow turned by hand."""
        self._course.trouble = joined([what, remedy])
        step = None if self._course.step is None else self._course.step.device
        if self._course.fold.device.stage is not Stage.RUNNING:
            return
        if isinstance(step, RunGlass):
            end = self._course.fold.device.wall_end
            data = {"stage": Stage.RUNNING.value, "end": end, "by_hand": True, "why": what}
            self._course.append("glass", Cause("referee"), data)
        else:
            self._course.append("spin", Cause("box"), {"stage": Stage.IDLE.value, "why": what})
        self._course.changed_at = now


def glass_over(
    course: Course[StateT, MoveT], cause: Cause, now: float, command: Command | None = None
) -> None:
    """The hourglass has run out, or was ended."""
    data = {"stage": Stage.OVER.value, "by_hand": course.fold.device.by_hand}
    course.append("glass", cause, data, command)
    course.changed_at = now
