"""Reads tones and pictures from the edges of pins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.box.protocol import RING_LEDS

#: WS2812B data sheet: a zero is high for 0.25 to 0.55 us, a one for 0.65 to 0.95 us; a bit takes
#: 1.25 us, give or take 0.6; the old kind takes what it has after the line was low for 50 us.
ZERO_HIGH = (0.25e-6, 0.55e-6)
ONE_HIGH = (0.65e-6, 0.95e-6)
BIT = (0.65e-6, 1.85e-6)
LATCH = 50e-6
#: Longer than the period of the lowest tone.
PAUSE = 3e-3


@dataclass(frozen=True)
class Tone:
    """A tone of the piezo; times in true seconds; duty 0 to 1, None if not known."""

    start: float
    end: float
    hz: float
    duty: float | None


@dataclass(frozen=True)
class Picture:
    """What was sent to the ring: (RING_LEDS, 3) levels, green, red, blue.

    `longest_gap`: the longest time for which the line was low between two bits (s), None if there
    is no line.
    """

    at: float
    grb: NDArray[np.uint8]
    longest_gap: float | None


def tones_of_edges(times: NDArray[np.float64], levels: NDArray[np.uint32]) -> list[Tone]:
    """Returns the tones in the edges of the piezo's pin."""
    rises, falls = times[levels == 1], times[levels == 0]
    if len(rises) < 2:
        return []
    periods = np.diff(rises)
    tones = []
    start = 0
    for i in range(1, len(periods) + 1):
        last = i == len(periods)
        if not last and abs(periods[i] / periods[i - 1] - 1) < 0.03 and periods[i] < PAUSE:
            continue
        # Less than three periods: the seam between two tones.
        if i - start >= 3:
            hz = (i - start) / (rises[i] - rises[start])
            fall = falls[np.searchsorted(falls, rises[start])]
            duty = (fall - rises[start]) * hz
            tones.append(Tone(rises[start], rises[i] + duty / hz, hz, duty))
        start = i
    return tones


def pictures_of_edges(times: NDArray[np.float64], levels: NDArray[np.uint32]) -> list[Picture]:
    """Returns the pictures in the edges of the ring's pin; fails if a bit is out of its limits."""
    rises, falls = times[levels == 1], times[levels == 0]
    falls = falls[np.searchsorted(falls, rises[0]) :] if len(rises) else falls
    count = min(len(rises), len(falls))
    if count == 0:
        return []
    rises, falls = rises[:count], falls[:count]
    high = falls - rises
    zero = (high >= ZERO_HIGH[0]) & (high <= ZERO_HIGH[1])
    one = (high >= ONE_HIGH[0]) & (high <= ONE_HIGH[1])
    assert np.all(zero | one), f"neither zero nor one: high for {high[~(zero | one)][:5]} s"
    starts = np.flatnonzero(np.r_[True, rises[1:] - falls[:-1] >= LATCH])
    pictures = []
    for a, b in zip(starts, [*starts[1:], count], strict=True):
        if b - a != RING_LEDS * 24:
            assert b == count, f"a picture of {b - a} bits at {rises[a]} s"
            continue  # the last one is still on its way
        grb = np.packbits(one[a:b]).reshape(RING_LEDS, 3)
        bits = np.diff(rises[a:b]).reshape(-1)
        within_byte = np.arange(len(bits)) % 8 != 7
        assert np.all((bits[within_byte] >= BIT[0]) & (bits[within_byte] <= BIT[1]))
        gap = float(np.max(rises[a + 1 : b] - falls[a : b - 1]))
        pictures.append(Picture(float(rises[a]), grb, gap))
    return pictures
