"""Slows guessing down: after some wrong tries each further one has to wait, longer each time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

#: Wrong tries after which nobody waits: of one address, and of all together.
FREE, FREE_OF_ALL = 3, 30
#: Seconds to wait after the first one more; doubled by each further one, up to so many.
FIRST_S, MOST_S = 5.0, 900.0
FIRST_OF_ALL_S, MOST_OF_ALL_S = 1.0, 60.0
#: Without a wrong try for so long, all is forgotten.
FORGOTTEN_S = 3600.0
#: So many addresses are remembered: those that tried last.
MOST_ADDRESSES = 500


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    last: float = 0.0


class Attempts:
    """Counts wrong tries. For one thread at a time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._addresses: OrderedDict[str, _Tries] = OrderedDict()
        self._all = _Tries()

    def wait(self, address: str, *, own: bool) -> float:
        """Seconds until this address may try again; 0 if it may now.

        `own`: it is the server's own computer, which others can't keep out.
        """
        tries = self._addresses.get(address, _Tries())
        waits = [self._left(tries, FREE, FIRST_S, MOST_S)]
        if not own:
            waits.append(self._left(self._all, FREE_OF_ALL, FIRST_OF_ALL_S, MOST_OF_ALL_S))
        return max(waits)

    def failed(self, address: str) -> None:
        """Notes a wrong try."""
        now = self._clock()
        tries = self._addresses.setdefault(address, _Tries())
        self._addresses.move_to_end(address)
        for each in (tries, self._all):
            each.wrong = 1 if now - each.last > FORGOTTEN_S else each.wrong + 1
            each.last = now
        while len(self._addresses) > MOST_ADDRESSES:
            self._addresses.popitem(last=False)

    def succeeded(self, address: str) -> None:
        """Forgets the wrong tries of an address."""
        self._addresses.pop(address, None)

    def _left(self, tries: _Tries, free: int, first: float, most: float) -> float:
        if tries.wrong < free:
            return 0.0
        wait = min(most, first * 2.0 ** min(tries.wrong - free, 20))
        return max(0.0, tries.last + wait - self._clock())
