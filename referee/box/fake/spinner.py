"""The arrow's motor and home sensor."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from enum import Enum

from referee.box.fake.arrow import Arrow
from referee.box.fake.motion import HOMING, PROFILES, Motion
from referee.box.fake.outputs import Outputs
from referee.box.fake.timers import BoardClock, Timer
from referee.box.protocol import (
    LOST_STEPS_LIMIT,
    MOTOR_MAX_MS,
    SECTOR_UNKNOWN,
    STEPS_PER_TURN,
    Event,
    Homed,
    HomeOutcome,
    Refusal,
    Result,
    Spin,
    SpinDone,
    SpinnerState,
    SpinOutcome,
    StepsLost,
)

#: A turn and a quarter without the sensor is too long.
HOME_WITHIN = STEPS_PER_TURN * 5 // 4
#: The motor holds the arrow for so long after it has stopped; its driver needs so long to wake.
HOLD_MS, DRIVER_WAKES_MS = 500, 5
TURN = 65536


class Stop(Enum):
    """Why the arrow is stopped before its end: the outcomes of homing and of a spin."""

    CANCELLED = (HomeOutcome.CANCELLED, SpinOutcome.CANCELLED)
    LINK_LOST = (HomeOutcome.LINK_LOST, SpinOutcome.LINK_LOST)
    TIME_LIMIT = (HomeOutcome.NOT_FOUND, SpinOutcome.TIME_LIMIT)


class Spinner:
    """Steps, home passes and sectors, as firmware/src/spinner.c has them."""

    def __init__(
        self,
        clock: BoardClock,
        outputs: Outputs,
        arrow: Arrow,
        tell: Callable[[Event], None],
        on_limit: Callable[[], None],
    ) -> None:
        self.state = SpinnerState.NOT_HOMED
        self.starts: tuple[int, ...] = ()
        self._clock = clock
        self._outputs = outputs
        self._arrow = arrow
        self._tell = tell
        self._on_limit = on_limit
        self._motion = Motion(HOMING)
        self._position = 0
        self._made = self._left = self._since_home = self._lost = 0
        self._sensed = 0
        self._step_timer: Timer | None = None
        self._limit: Timer | None = None
        self._hold: Timer | None = None

    def boot(self) -> None:
        """No sectors, place not known, no power."""
        self._halt()
        self._power_off()
        self.state = SpinnerState.NOT_HOMED
        self.starts = ()

    def turning(self) -> bool:
        """Whether the motor turns."""
        return self.state in (SpinnerState.HOMING, SpinnerState.SPINNING)

    def set_sectors(self, starts: tuple[int, ...]) -> Refusal | None:
        """Takes the sectors; they must rise."""
        if self.turning():
            return Refusal(Result.BUSY)
        if any(b <= a for a, b in itertools.pairwise(starts)):
            return Refusal(Result.OUT_OF_RANGE)
        self.starts = starts
        return None

    def home(self) -> Refusal | None:
        """Turns slowly to the sensor."""
        if self.turning():
            return Refusal(Result.BUSY)
        self._motion = Motion(HOMING)
        self._since_home = 0
        self._start(SpinnerState.HOMING)
        return None

    def spin(self, asked: Spin) -> Refusal | int:
        """Turns to the middle of a sector; returns the steps that it takes."""
        if self.turning():
            return Refusal(Result.BUSY)
        if self.state is not SpinnerState.AT_REST:
            return Refusal(Result.NOT_HOMED)
        if asked.sector >= len(self.starts):
            return Refusal(Result.NO_SECTORS)
        angle = (self.starts[asked.sector] + self._width(asked.sector) // 2) % TURN
        to = (angle * STEPS_PER_TURN + TURN // 2) // TURN % STEPS_PER_TURN
        rest = (to - self._position) % STEPS_PER_TURN
        self._left = asked.turns * STEPS_PER_TURN + rest
        self._since_home = self._position
        self._motion = Motion(PROFILES[asked.profile])
        steps = self._left
        self._start(SpinnerState.SPINNING)
        return steps

    def stop(self, why: Stop) -> None:
        """Stops at once; the place is no longer known."""
        if self.turning():
            self._power_off()
            self._ended(why.value[self.state is SpinnerState.SPINNING], place_known=False)

    def angle(self) -> int:
        """Returns the angle from home in 1/65536 turn; 0 if not homed."""
        if self.state is not SpinnerState.AT_REST:
            return 0
        return self._position * TURN // STEPS_PER_TURN

    def sector(self) -> int:
        """Returns the sector that the arrow is believed to point to, or SECTOR_UNKNOWN."""
        if self.state is SpinnerState.AT_REST:
            for i, start in enumerate(self.starts):
                if (self.angle() - start) % TURN < self._width(i):
                    return i
        return SECTOR_UNKNOWN

    def freeze(self) -> None:
        """The firmware hangs: the motor's interrupt goes on, nothing else does."""
        for timer in (self._limit, self._hold):
            if timer is not None:
                timer.cancel()

    def _width(self, sector: int) -> int:
        after = self.starts[(sector + 1) % len(self.starts)]
        return (after - self.starts[sector]) % TURN

    def _start(self, state: SpinnerState) -> None:
        self._made = self._lost = 0
        self._sensed = 0xFF if self._arrow.at_home() else 0
        self.state = state
        if self._hold is not None:
            self._hold.cancel()
        self._outputs.power(True)
        self._limit = self._clock.after(MOTOR_MAX_MS, self._on_limit)
        self._step_timer = self._clock.after(DRIVER_WAKES_MS, self._step)

    def _halt(self) -> None:
        for timer in (self._step_timer, self._limit):
            if timer is not None:
                timer.cancel()

    def _step(self) -> None:
        self._outputs.step()
        self._made += 1
        self._since_home += 1
        self._position = (self._position + 1) % STEPS_PER_TURN
        # The second step in sight of the magnet, after two out of its sight.
        self._sensed = (self._sensed << 1 | self._arrow.at_home()) & 0xFF
        edge = self._sensed & 0x0F == 0x03
        homing = self.state is SpinnerState.HOMING
        if homing and edge:
            self._position = 1
            self._ended(HomeOutcome.FOUND, place_known=True)
            return
        if not homing:
            self._left -= 1
            if edge:
                self._pass_home()
            if self._left == 0:
                self._ended(SpinOutcome.STOPPED, place_known=True)
                return
        if self._since_home > HOME_WITHIN:
            how = HomeOutcome.NOT_FOUND if homing else SpinOutcome.HOME_NOT_SEEN
            self._ended(how, place_known=False)
            return
        wait = self._motion.next_ms(None if homing else self._left)
        self._step_timer = self._clock.after(wait, self._step)

    def _pass_home(self) -> None:
        """The arrow is one step beyond the edge: corrects what is left by it."""
        self._since_home = 1
        lost = self._position - 1
        if lost > STEPS_PER_TURN // 2:
            lost -= STEPS_PER_TURN
        if abs(lost) < LOST_STEPS_LIMIT:
            return
        self._position = 1
        self._lost += lost
        self._left += lost
        # Too near to stop there: one turn more.
        if self._left < self._motion.steps_to_stand():
            self._left += STEPS_PER_TURN
        self._tell(StepsLost(self._clock.us(), lost))

    def _ended(self, how: HomeOutcome | SpinOutcome, *, place_known: bool) -> None:
        self._halt()
        self.state = SpinnerState.AT_REST if place_known else SpinnerState.NOT_HOMED
        if self._outputs.powered:
            self._hold = self._clock.after(HOLD_MS, self._power_off)
        now = self._clock.us()
        if isinstance(how, HomeOutcome):
            self._tell(Homed(now, how, self._made))
        else:
            self._tell(SpinDone(now, how, self.sector(), self._made, self._lost))

    def _power_off(self) -> None:
        if self._hold is not None:
            self._hold.cancel()
        self._outputs.power(False)
