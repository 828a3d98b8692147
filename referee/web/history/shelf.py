"""All matches of a folder: listed at once, read one after the other by a thread of its own.

What was read is kept until the file changes. Nothing here writes, and a match that is being played
goes before: between two events the reader rests as long as it worked.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.journal.folder import SUFFIX
from referee.web.history.people import people
from referee.web.history.records import Record, read

Json = dict[str, Any]

log = logging.getLogger(__name__)

#: So many matches are kept whole, and in short.
MOST_WHOLE, MOST_SHORT = 12, 2000
#: A file that was changed less than this before it was looked at may change again unnoticed (s).
TICK_S = 2.0

#: When a file was changed, and its size; the same of the log beside it.
_Mark = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Short:
    """What is kept of a match that nobody looks at: its summary, and totals for `people`."""

    mark: _Mark
    summary: Json
    totals: Json


class Shelf:
    """The matches of one folder; for many threads."""

    def __init__(self, folder: Path | None, playing: Callable[[], bool] = lambda: False) -> None:
        """Empty without a folder; `playing` tells whether a match goes on, which goes before."""
        self.folder, self._playing = folder, playing
        self._lock = threading.Lock()
        self._short: OrderedDict[str, _Short] = OrderedDict()
        self._whole: OrderedDict[tuple[str, int | None], tuple[_Mark, Record]] = OrderedDict()
        self._reader: threading.Thread | None = None

    def path(self, match: str) -> Path | None:
        """The file of a match in this folder; None if there is none of that name."""
        return next((path for path in self._paths() if path.stem == match), None)

    def _paths(self) -> list[Path]:
        """The files of all matches."""
        found = [] if self.folder is None else self.folder.glob(f"*{SUFFIX}")
        return [path for path in found if path.is_file()]

    def match(self, match: str, until: int | None = None) -> Record | None:
        """A match, as far as the event `until`; None if there is none. Reads it if need be."""
        path = self.path(match)
        if path is None:
            return None
        mark = _mark(path)
        with self._lock:
            kept = self._whole.get((match, until))
            if kept is not None and kept[0] == mark and not _fresh(mark):
                self._whole.move_to_end((match, until))
                return kept[1]
        record = read(path, until=until, breathe=self._breather())
        with self._lock:
            self._whole[match, until] = mark, record
            while len(self._whole) > MOST_WHOLE:
                self._whole.popitem(last=False)
            if until is None:
                self._keep(match, mark, record)
        return record

    def listed(self) -> Json:
        """All matches in short, the newest first and what can't be read last; how far it got.

        What was not read yet is read now, by a thread: ask again until `read` is `of`.
        """
        marks = {path.stem: _mark(path) for path in self._paths()}
        with self._lock:
            for gone in [match for match in self._short if match not in marks]:
                del self._short[gone]
            known = {
                match: short
                for match, short in self._short.items()
                if short.mark == marks[match] and not _fresh(short.mark)
            }
            shown = {match: self._short[match] for match in marks if match in self._short}
            unread = sorted(match for match in marks if match not in known)
            if unread and self._reader is None:
                self._reader = threading.Thread(
                    target=self._read, args=(unread,), name="history", daemon=True
                )
                self._reader.start()
        matches = [short.summary for short in shown.values()]
        return {
            "matches": sorted(
                matches, key=lambda each: (not each["players"], -each["begun"], each["id"])
            ),
            "games": people(short.totals for short in shown.values()),
            "read": len(shown),
            "of": min(len(marks), MOST_SHORT),
        }

    def forget(self, match: str) -> None:
        """Keeps nothing of a match any more."""
        with self._lock:
            self._short.pop(match, None)
            for key in [key for key in self._whole if key[0] == match]:
                del self._whole[key]

    def _read(self, unread: list[str]) -> None:
        try:
            # The names begin with the date: the newest first.
            for match in sorted(unread, reverse=True)[:MOST_SHORT]:
                path = self.path(match)
                if path is None:
                    continue
                mark = _mark(path)
                record = read(path, breathe=self._breather())
                with self._lock:
                    self._keep(match, mark, record)
        except Exception:
            log.exception("The matches could not be read.")
        finally:
            with self._lock:
                self._reader = None

    def _keep(self, match: str, mark: _Mark, record: Record) -> None:
        totals = {
            **record.summary,
            "measures": [
                {**each, "seats": [{"total": seat["total"]} for seat in each["seats"]]}
                for each in record.whole["measures"]
            ],
        }
        self._short[match] = _Short(mark, record.summary, totals)
        self._short.move_to_end(match)
        while len(self._short) > MOST_SHORT:
            self._short.popitem(last=False)

    def _breather(self) -> Callable[[], object]:
        """To be called between two events: leaves half of the time to a match that is played."""
        if not self._playing():
            return int
        since = time.perf_counter()

        def breathe() -> None:
            nonlocal since
            time.sleep(min(0.02, time.perf_counter() - since))
            since = time.perf_counter()

        return breathe


def _mark(path: Path) -> _Mark:
    marks = []
    for file in (path, path.with_name(f"{path.name}-wal")):
        try:
            told = file.stat()
        except OSError:
            continue
        # Whoever reads makes an empty log.
        if told.st_size:
            marks.append((told.st_mtime_ns, told.st_size))
    return tuple(marks)


def _fresh(mark: _Mark) -> bool:
    """Whether a file was changed so shortly before now that it may change without a trace."""
    newest = max((changed for changed, _ in mark), default=0)
    return abs(time.time() - newest / 1e9) < TICK_S
