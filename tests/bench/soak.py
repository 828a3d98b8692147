"""Two hours of a match at full rate: is memory flat, is all that was opened closed, all sand run?

A real match with its journal and pictures, the real vision at 15 frames a second, a real box at the
fake board, all in simulated time. A filmed round is played, taken back and played again; no two
pictures have the same noise. Environment: SOAK_HOURS (2) are simulated after the first round, each
of which takes about a quarter of an hour on one core; a line tells of each tenth.
"""

from __future__ import annotations

import itertools
import os
import statistics
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from referee.match.fold import Stage, folded
from tests.bench.kit_tables import kit_art
from tests.bench.report import AbsentError, Figure, Report
from tests.referee.match.film import Film
from tests.referee.match.soaking import FPS, Soak

HOURS, SIZE = 2.0, (1280, 720)
#: Share of the time around a moment in which its memory is measured, and the moments.
WINDOW, MOMENTS = 0.04, (0.1, 0.5, 1.0)
_STATM, _DESCRIPTORS = Path("/proc/self/statm"), Path("/proc/self/fd")


def run(report: Report) -> None:
    """Plays for SOAK_HOURS."""
    if not _STATM.exists():
        raise AbsentError("memory and descriptors are counted by /proc, which is not here")
    hours = float(os.environ.get("SOAK_HOURS", HOURS))
    film = Film.shot(kit_art(), SIZE)
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(film, Path(folder) / "soak.match")
        try:
            Measured(soak, hours * 3600.0).take(report)
        finally:
            soak.close()


@dataclass
class Measured:
    """What is measured of a soak of so many simulated seconds, after its first round."""

    soak: Soak
    seconds: float
    resident: list[float] = field(default_factory=list)
    """MB at each simulated second."""

    def take(self, report: Report) -> None:
        """Plays, and reports."""
        soak, began = self.soak, time.monotonic()
        for _ in soak.play():
            if soak.count["rounds"]:
                break
        frames = round(self.seconds * FPS)
        before, first = (_descriptors(), threading.active_count()), soak.count["frames"]
        playing = report.progress("soak", soak.play(), frames)
        for _ in itertools.islice(playing, frames):
            played = soak.count["frames"] - first
            if played % FPS == 0:
                self.resident.append(_resident())
            if played % (frames // 10) == 0:
                minutes = (time.monotonic() - began) / 60.0
                print(f"soak: {100 * played / frames:.0f} %, {minutes:.1f} min", flush=True)
        after = _descriptors(), threading.active_count()
        self._flat(report)
        for name, was, now in zip(("descriptors", "threads"), before, after, strict=True):
            report.add(Figure("soak", f"{name} more than before", now - was, "", 0.0, "<="))
        self._hourglasses(report)
        self._counts(report, (time.monotonic() - began) / 60.0)

    def _flat(self, report: Report) -> None:
        """Memory at three moments, and how far the later ones are from the first."""
        at = [statistics.median(self._around(moment)) for moment in MOMENTS]
        for moment, megabytes in zip(MOMENTS, at, strict=True):
            report.add(Figure("soak", f"memory at {100 * moment:.0f} %", megabytes, "MB"))
        strayed = max(abs(later / at[0] - 1.0) for later in at[1:])
        note = f"from the first of these, in {self.seconds / 3600.0:g} h"
        report.add(Figure("soak", "memory strays", 100.0 * strayed, "%", 5.0, "<=", note))

    def _around(self, moment: float) -> list[float]:
        """Memory in a part of the time around a moment."""
        count = len(self.resident)
        low, high = (round(count * (moment + side * WINDOW)) for side in (-1, 1))
        return self.resident[max(low, 0) : high] or self.resident

    def _hourglasses(self, report: Report) -> None:
        """Each that was started must have been ended by the box, or by a person."""
        begun, ended = 0, Counter[str]()
        for event in self.soak.journal.events():
            if event.kind == "glass":
                stage, cause = event.data["stage"], event.cause.kind
                begun += stage == Stage.RUNNING.value and cause == "person"
                ended[cause] += stage == Stage.OVER.value
        device = self.soak.match.view.device
        # An arrow that turns has no end.
        running = device.stage is Stage.RUNNING and device.wall_end > 0.0
        missed = begun - ended["box"] - ended["person"] - running
        note = f"{begun} started, {ended['box']} ran out, {ended['person']} were stopped"
        report.add(Figure("soak", "hourglasses missed", missed, "", 0.0, "<=", note))

    def _counts(self, report: Report, minutes: float) -> None:
        soak = self.soak
        for name in ("rounds", "given up", "frames", "read", "commands", "corrections"):
            report.add(Figure("soak", name, soak.count[name]))
        report.add(Figure("soak", "moves and undos", soak.match.view.state_id))
        report.add(Figure("soak", "events", soak.journal.last))
        files = sorted(soak.path.parent.glob(f"{soak.path.stem}.*"))
        size = sum(file.stat().st_size for file in files) / 1e6
        report.add(Figure("soak", "journal and pictures", size, "MB"))
        began = time.perf_counter()
        fold = folded(soak.film.game, soak.journal.events())
        taken_up = time.perf_counter() - began
        report.add(Figure("soak", "takes up its journal", taken_up, "s", 2.0, "<="))
        same = (fold.seq, fold.position) == (soak.match.view.seq, soak.match.view.position)
        report.add(Figure("soak", "journal and match differ", not same, "", 0.0, "<="))
        report.add(Figure("soak", "took", minutes, "min"))


def _resident() -> float:
    """Resident memory in MB."""
    pages = int(_STATM.read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _descriptors() -> int:
    return len(list(_DESCRIPTORS.iterdir()))
