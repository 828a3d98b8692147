"""The ring: what LIGHT asked for, the sand of the hourglass, or the sign "no host"."""

from __future__ import annotations

from collections.abc import Callable

from referee.box.fake.glass import Glass
from referee.box.fake.outputs import Colour, Outputs
from referee.box.fake.timers import BoardClock, Timer
from referee.box.protocol import LIGHT_MAX_MS, RING_LEDS, GlassState, Light, LightMode

#: A picture is drawn so often, and sent if it is another, or to heal what noise has done. (ms)
FRAME_MS, HEAL_MS = 40, 1000
SIGN_PERIOD_MS, SIGN_MS, BLINK_MS, TAIL = 2000, 100, 500, 4
DARK: Colour = (0, 0, 0)
SAND: Colour = (24, 48, 0)
GRAIN: Colour = (40, 40, 40)
OVER: Colour = (32, 32, 32)
NO_HOST: Colour = (4, 4, 4)


def _dim(colour: Colour, share: float) -> Colour:
    green, red, blue = (int(level * share) for level in colour)
    return green, red, blue


class LightPart:
    """What LIGHT asked for; goes out after LIGHT_MAX_MS."""

    def __init__(self, clock: BoardClock, on_limit: Callable[[], None]) -> None:
        self.now = Light(LightMode.OFF, 0, 0, 0, 0)
        self._clock = clock
        self._on_limit = on_limit
        self._limit: Timer | None = None

    def set(self, asked: Light) -> None:
        """Shows it."""
        self.off()
        self.now = asked
        if self.on():
            self._limit = self._clock.after(LIGHT_MAX_MS, self._on_limit)

    def off(self) -> None:
        """Dark."""
        self.now = Light(LightMode.OFF, 0, 0, 0, 0)
        if self._limit is not None:
            self._limit.cancel()

    def on(self) -> bool:
        """Whether LIGHT has lit the ring."""
        return self.now.mode is not LightMode.OFF


class Ring:
    """Draws the ring while somebody watches it."""

    def __init__(
        self,
        clock: BoardClock,
        outputs: Outputs,
        glass: Glass,
        light: LightPart,
        link_up: Callable[[], bool],
    ) -> None:
        self._clock = clock
        self._outputs = outputs
        self._glass = glass
        self._light = light
        self._link_up = link_up
        self._sent: tuple[Colour, ...] = ()
        self._sent_ms = 0
        self._timer: Timer | None = None

    def wake(self) -> None:
        """Begins to draw, if the ring is watched; ends by itself when it is not."""
        if self._timer is None:
            self._draw()

    def boot(self) -> None:
        """Nothing was sent yet."""
        self._sent = ()

    def picture(self) -> tuple[Colour, ...]:
        """Returns what the ring shows now."""
        ms = self._clock.ms()
        if self._glass.state is GlassState.RUNNING:
            return self._sand(ms % 1000)
        if self._glass.just_ended():
            return (OVER if ms % BLINK_MS < BLINK_MS / 2 else DARK,) * RING_LEDS
        leds = self._lit(ms)
        if not self._link_up() and ms % SIGN_PERIOD_MS < SIGN_MS:
            leds[0] = NO_HOST
        return tuple(leds)

    def _sand(self, ms: int) -> tuple[Colour, ...]:
        left = self._glass.share()
        whole = int(left)
        blink = self._glass.warns() and ms % BLINK_MS >= BLINK_MS / 2
        leds = [DARK if blink else SAND] * whole + [DARK] * (RING_LEDS - whole)
        if whole < RING_LEDS:
            leds[whole] = _dim(SAND, left - whole)
        leds[RING_LEDS * ms // 1000] = GRAIN
        return tuple(leds)

    def _lit(self, ms: int) -> list[Colour]:
        light = self._light.now
        # A quarter of the levels that the host names: see LIGHT.
        colour = (light.green >> 2, light.red >> 2, light.blue >> 2)
        if light.mode is LightMode.STEADY:
            return [colour] * RING_LEDS
        if light.mode is LightMode.BREATHE:
            breath = ms % 4000
            return [_dim(colour, min(breath, 4000 - breath) / 2000)] * RING_LEDS
        if light.mode is LightMode.BAR:
            return [colour] * light.amount + [DARK] * (RING_LEDS - light.amount)
        leds = [DARK] * RING_LEDS
        if light.mode is LightMode.TURN:
            head = RING_LEDS * (ms % 1000) // 1000
            for i in range(TAIL):
                leds[head - i] = _dim(colour, 0.5**i)
        return leds

    def _draw(self) -> None:
        self._timer = None
        if not self._outputs.ring_watched:
            return
        picture = self.picture()
        ms = self._clock.ms()
        if picture != self._sent or ms - self._sent_ms >= HEAL_MS or ms < self._sent_ms:
            self._sent, self._sent_ms = picture, ms
            self._outputs.show(picture)
        self._timer = self._clock.after(FRAME_MS, self._draw)
