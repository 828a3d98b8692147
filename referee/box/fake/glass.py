"""The hourglass: runs, ticks, ends and sounds by itself; outlives a reset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.box.fake.sound import Sound, Voice
from referee.box.fake.timers import BoardClock, Timer
from referee.box.protocol import (
    RING_LEDS,
    Event,
    GlassEnded,
    GlassReply,
    GlassState,
    Hourglass,
    Pattern,
)

#: So long the ring flashes after the end. (ms)
SHOWN_MS = 3000


@dataclass
class Kept:
    """What outlives a reset. `left_ms`: by the box's clock; 0: it has ended."""

    asked: Hourglass
    total_ms: float
    left_ms: float
    interrupted: bool = False


class Glass:
    """One hourglass."""

    def __init__(self, clock: BoardClock, sound: Sound, tell: Callable[[Event], None]) -> None:
        self.state = GlassState.IDLE
        self._clock = clock
        self._sound = sound
        self._tell = tell
        self._kept: Kept | None = None
        self._end: Timer | None = None
        self._tick: Timer | None = None
        self._ended_ns = 0

    def boot(self, may_resume: bool, away_ms: float) -> bool:
        """Starts idle, or goes on with what ran before; returns whether one runs on."""
        kept = self._kept
        self._stop()
        self.state = GlassState.IDLE
        if kept is None or not may_resume or kept.left_ms <= 0:
            self._kept = None
            return False
        kept.interrupted = True
        self._run(max(kept.left_ms - away_ms, 1))
        return True

    def freeze(self) -> None:
        """Writes down what is left: the board stops, or its firmware hangs."""
        if self._kept is not None and self._end is not None:
            self._kept.left_ms = self._clock.ms_until(self._end)
        self._stop()

    def start(self, asked: Hourglass) -> int:
        """Starts one; returns the stamp of its beginning."""
        self._sound.stop(Voice.GLASS)
        total = asked.duration_ms * (1 + asked.clock_ppm / 1e6)
        self._kept = Kept(asked, total, total)
        self._run(total)
        return self._clock.us()

    def cancel(self) -> None:
        """Stops it and its sounds, and forgets it."""
        self._sound.stop(Voice.GLASS)
        self._stop()
        self.state = GlassState.IDLE
        self._kept = None

    def active(self) -> bool:
        """It runs, or its end still sounds."""
        return self.state is GlassState.RUNNING or self._sound.active(Voice.GLASS)

    def look(self) -> GlassReply:
        """Returns the answer to Glass."""
        now = self._clock.us()
        if self._kept is None:
            return GlassReply(self.state, 0, 0, 0, False, now)
        asked = self._kept.asked
        left = round(self._left_ms() / (1 + asked.clock_ppm / 1e6))
        return GlassReply(
            self.state, asked.glass_id, asked.duration_ms, left, self._kept.interrupted, now
        )

    def share(self) -> float:
        """Returns what is left in LEDs of the ring."""
        assert self._kept is not None
        return RING_LEDS * self._left_ms() / self._kept.total_ms

    def warns(self) -> bool:
        """Whether its last seconds tick."""
        assert self._kept is not None
        return self._left_ms() <= self._warn_ms(self._kept.asked.warn_s)

    def just_ended(self) -> bool:
        """Whether the ring still shows the end."""
        gone = self._clock.timers.now - self._ended_ns
        return self.state is GlassState.ENDED and gone < SHOWN_MS * 1_000_000

    def _left_ms(self) -> float:
        return self._clock.ms_until(self._end) if self._end is not None else 0.0

    def _warn_ms(self, seconds: int) -> float:
        assert self._kept is not None
        return seconds * 1000 * (1 + self._kept.asked.clock_ppm / 1e6)

    def _run(self, left_ms: float) -> None:
        assert self._kept is not None
        self._stop()
        self.state = GlassState.RUNNING
        self._end = self._clock.after(left_ms, self._over)
        self._next_tick(self._kept.asked.warn_s)

    def _next_tick(self, seconds: int) -> None:
        left = self._left_ms()
        while seconds and self._warn_ms(seconds) > left:
            seconds -= 1
        self._tick = None
        if seconds:
            wait = left - self._warn_ms(seconds)
            self._tick = self._clock.after(wait, lambda: self._sound_tick(seconds))

    def _sound_tick(self, seconds: int) -> None:
        assert self._kept is not None
        self._sound.play(Voice.GLASS, Pattern.TICK, self._kept.asked.volume)
        self._next_tick(seconds - 1)

    def _stop(self) -> None:
        for timer in (self._end, self._tick):
            if timer is not None:
                timer.cancel()
        self._end = self._tick = None

    def _over(self) -> None:
        assert self._kept is not None
        self._stop()
        self.state = GlassState.ENDED
        self._ended_ns = self._clock.timers.now
        self._kept.left_ms = 0
        asked = self._kept.asked
        self._sound.play(Voice.GLASS, asked.pattern, asked.volume)
        self._tell(GlassEnded(self._clock.us(), asked.glass_id, self._kept.interrupted))
