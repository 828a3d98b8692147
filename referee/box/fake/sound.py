"""The piezo's voices: the hourglass is heard before the host."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from referee.box.fake.outputs import Outputs
from referee.box.fake.timers import BoardClock, Timer
from referee.box.protocol import SOUND_MAX_MS, Pattern

#: Frequency (Hz, 0 is a rest) and length (ms) of each note: as firmware/src/sound.c.
NOTES: dict[Pattern, tuple[tuple[int, int], ...]] = {
    Pattern.NONE: (),
    Pattern.TICK: ((2000, 30),),
    Pattern.YES: ((1319, 120), (0, 30), (1760, 200)),
    Pattern.NO: ((988, 150), (0, 30), (659, 250)),
    Pattern.ATTENTION: ((2000, 100), (0, 100), (2000, 100), (0, 100), (2000, 100)),
    Pattern.END: (
        *((2500, 400), (0, 200), (2500, 400), (0, 200)),
        *((2500, 400), (0, 200), (2500, 900)),
    ),
    Pattern.FANFARE: ((523, 150), (659, 150), (784, 150), (1047, 450)),
}


class Voice(IntEnum):
    """Who sounds; the first goes first."""

    GLASS = 0
    HOST = 1


class _Player:
    """One voice: the notes that are left, the first of them sounds."""

    def __init__(self) -> None:
        self.notes: tuple[tuple[int, int], ...] = ()
        self.volume = 0
        self.timer: Timer | None = None


class Sound:
    """Plays patterns. `muted`: no sound, though all goes on."""

    def __init__(self, clock: BoardClock, outputs: Outputs, on_limit: Callable[[], None]) -> None:
        self.muted = False
        self._clock = clock
        self._outputs = outputs
        self._on_limit = on_limit
        self._players = {voice: _Player() for voice in Voice}
        self._limit: Timer | None = None

    def boot(self) -> None:
        """Silence, not muted."""
        for voice in Voice:
            self._set(voice, ())
        self.mute(False)

    def play(self, voice: Voice, pattern: Pattern, volume: int) -> None:
        """Sounds a pattern, in place of any other of the voice; volume 1 to 4."""
        self._players[voice].volume = volume
        self._set(voice, NOTES[pattern])

    def stop(self, voice: Voice) -> None:
        """Silences a voice."""
        self._set(voice, ())

    def mute(self, muted: bool) -> None:
        """Switches all sound off or on."""
        self.muted = muted
        self._hear()

    def active(self, voice: Voice) -> bool:
        """Whether a voice sounds, or would if it were not muted."""
        return bool(self._players[voice].notes)

    def freeze(self) -> None:
        """The firmware hangs: what sounds goes on sounding."""
        for player in self._players.values():
            if player.timer is not None:
                player.timer.cancel()
        if self._limit is not None:
            self._limit.cancel()

    def _set(self, voice: Voice, notes: tuple[tuple[int, int], ...]) -> None:
        player = self._players[voice]
        if player.timer is not None:
            player.timer.cancel()
            player.timer = None
        was_active = bool(player.notes)
        player.notes = notes
        if notes:
            player.timer = self._clock.after(notes[0][1], lambda: self._set(voice, notes[1:]))
        if voice is Voice.HOST:
            if notes and not was_active:
                self._limit = self._clock.after(SOUND_MAX_MS, self._on_limit)
            elif not notes and self._limit is not None:
                self._limit.cancel()
        self._hear()

    def _hear(self) -> None:
        for player in self._players.values():
            if player.notes and not self.muted:
                hz = player.notes[0][0]
                self._outputs.tone(hz, player.volume if hz else 0)
                return
        self._outputs.tone(0, 0)
