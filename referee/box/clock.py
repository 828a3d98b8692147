"""Maps the box's stamps to the host's clock, by round trips of PING.

A round trip that was quick can't be far off; so only the quickest fifth of them counts (Cristian,
"Probabilistic clock synchronization", 1989). Boards with a resonator run up to 0.5 % fast or slow;
this drift is the slope of a line through the quickest round trips of each part of the time.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

#: So many round trips are kept; of the newest half the quickest fifth tells the offset.
KEPT = 64
COUNTED = KEPT // 2
QUICKEST = 0.2
#: The drift is known only from so many round trips over so long a time. (s)
LEAST, LEAST_SPAN = 32, 1.5
SLICES = 4
#: What HOURGLASS can be told. (ppm)
MOST_PPM = 20_000
WRAP_US = 1 << 32


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """Middle of a round trip by both clocks, and the time that it spent on its way. (s)"""

    host: float
    box: float
    trip: float


class ClockMap:
    """Starts knowing nothing; a reset of the box starts a new one."""

    def __init__(self) -> None:
        self._kept: deque[RoundTrip] = deque(maxlen=KEPT)
        self._rate = 1.0
        self._anchor: tuple[float, float] | None = None
        self._ppm: int | None = None

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def ready(self) -> bool:
        """Whether stamps can be mapped."""
        return self._anchor is not None

    @property
    def ppm(self) -> int | None:
        """By how much the box's clock runs faster than the host's; None: not known yet."""
        return self._ppm

    @property
    def quickest_trip(self) -> float | None:
        """The shortest time on the way, there and back (s): no error is larger than half of it."""
        return min((one.trip for one in self._kept), default=None)

    def add(self, sent: float, answered: float, received_us: int, sent_us: int) -> None:
        """Takes a round trip: when its last byte left and the answer's first came (host, s);
        when the box received it and answered (stamps)."""
        spent = (sent_us - received_us) % WRAP_US / 1e6
        host = (sent + answered) / 2
        box = self._unwrapped(received_us, host) + spent / 2
        self._kept.append(RoundTrip(host, box, answered - sent - spent))
        self._fit()

    def host_time(self, at_us: int, now: float) -> float:
        """Returns when a stamp was, by the host's clock (s). It was at or before `now`.

        Stamps wrap after 71.6 minutes: one that is older seems younger by that. ValueError before
        the first round trip.
        """
        if self._anchor is None:
            raise ValueError("No round trip has told the box's clock yet: send PING first.")
        host_0, box_0 = self._anchor
        # A little slack: the mapping may be off by milliseconds.
        latest = box_0 + (now + 1.0 - host_0) * self._rate
        box = latest - (latest - at_us / 1e6) % (WRAP_US / 1e6)
        return min(host_0 + (box - box_0) / self._rate, now)

    def _unwrapped(self, at_us: int, host: float) -> float:
        """Returns a stamp in seconds, with the wraps since the first one."""
        if not self._kept:
            return at_us / 1e6
        last = self._kept[-1]
        expected = last.box + (host - last.host) * self._rate
        turns = round((expected - at_us / 1e6) / (WRAP_US / 1e6))
        return at_us / 1e6 + turns * WRAP_US / 1e6

    def _fit(self) -> None:
        trips = list(self._kept)
        if len(trips) >= LEAST and trips[-1].host - trips[0].host >= LEAST_SPAN:
            self._rate = _slope(_of_each_slice(trips))
            self._ppm = round((self._rate - 1) * 1e6)
        best = _quickest(trips[-COUNTED:])
        host_0 = best[0].host
        boxes = [one.box - (one.host - host_0) * self._rate for one in best]
        self._anchor = (host_0, math.fsum(boxes) / len(boxes))


def _quickest(trips: list[RoundTrip]) -> list[RoundTrip]:
    """Returns the quickest fifth, at least one."""
    count = max(round(len(trips) * QUICKEST), 1)
    return sorted(trips, key=lambda one: one.trip)[:count]


def _of_each_slice(trips: list[RoundTrip]) -> list[RoundTrip]:
    """Returns the quickest fifth of each part of the time, so that the slope has a lever."""
    first, last = trips[0].host, trips[-1].host
    slices: list[list[RoundTrip]] = [[] for _ in range(SLICES)]
    for one in trips:
        place = int((one.host - first) / (last - first) * SLICES)
        slices[min(place, SLICES - 1)].append(one)
    return [one for part in slices if part for one in _quickest(part)]


def _slope(points: list[RoundTrip]) -> float:
    """Returns box seconds a host second by least squares, within what a board can be off by."""
    host = math.fsum(p.host for p in points) / len(points)
    box = math.fsum(p.box for p in points) / len(points)
    over = math.fsum((p.host - host) * ((p.box - box) - (p.host - host)) for p in points)
    under = math.fsum((p.host - host) ** 2 for p in points)
    most = MOST_PPM / 1e6
    return 1.0 + min(max(over / under, -most), most)
