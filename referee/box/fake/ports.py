"""Which fake boards there are, and how time passes for each: as on the wall, or as told."""

from __future__ import annotations

import threading
from urllib.parse import parse_qsl, urlsplit

from referee.box.fake.board import FakeBoard
from referee.box.fake.faults import Faults
from referee.box.hostclock import HostClock, RealClock


class Plug:
    """A fake board and the clock that it follows; safe to use from many threads.

    `woken`: what a reader waits for beside time. `port`: who has it open.
    """

    def __init__(self, board: FakeBoard, clock: HostClock) -> None:
        self.board = board
        self.clock = clock
        self.woken = threading.Event()
        self.port: object = None
        self._lock = threading.RLock()
        self._offset = clock.now() - board.now

    def __enter__(self) -> FakeBoard:
        """Returns the board, brought to the present, for this thread alone."""
        self._lock.acquire()
        self.board.run(self.clock.now() - self._offset - self.board.now)
        return self.board

    def __exit__(self, *exc: object) -> None:
        self.woken.set()
        self._lock.release()

    def until_something(self, most: float) -> float:
        """Returns the seconds until something happens at the board, at most `most`."""
        with self._lock:
            times = [t for t in (self.board.line.next_at(), self.board.timers.next_at()) if t]
            now = self.board.timers.now
            return min([most, *((max(t - now, 0) / 1e9) for t in times)])


_plugs: dict[str, Plug] = {}
_lock = threading.Lock()


def fake_board(
    name: str = "", board: FakeBoard | None = None, clock: HostClock | None = None
) -> Plug:
    """Returns the board that `fake://NAME` opens; makes it, or puts `board` there, if it is new."""
    with _lock:
        if name not in _plugs or board is not None:
            _plugs[name] = Plug(board or FakeBoard(), clock or RealClock())
        return _plugs[name]


def forget_fake_boards() -> None:
    """Forgets all boards: the next opening makes new ones."""
    with _lock:
        _plugs.clear()


def board_of_url(url: str) -> Plug:
    """Returns the board of a `fake://` address; ValueError if a word in it is not known."""
    parts = urlsplit(url)
    name = parts.netloc
    with _lock:
        known = name in _plugs
    if known:
        return fake_board(name)
    words = dict(parse_qsl(parts.query, keep_blank_values=True))
    faults = Faults(
        drop=float(words.pop("drop", 0)),
        corrupt=float(words.pop("corrupt", 0)),
        duplicate=float(words.pop("duplicate", 0)),
        delay=float(words.pop("delay", 0)),
        seed=int(words.pop("seed", 0)),
    )
    ppm = int(words.pop("ppm", 0))
    resets = words.pop("resets", None) is not None
    if words:
        raise ValueError(f"{url} has unknown words: {', '.join(words)}")
    return fake_board(name, FakeBoard(clock_ppm=ppm, faults=faults, resets_on_open=resets))
