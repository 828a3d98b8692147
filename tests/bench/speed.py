"""How long one read of a 1920x1080 frame takes, and its parts: a kit table of four players."""

from __future__ import annotations

import statistics
import time

import numpy as np

from referee.claims import layout_of
from referee.cli.kitset import kit_book
from tests.bench.kit_tables import kit_table
from tests.bench.report import Figure, Report
from vision.reader import TableReader
from vision.scene.render import render

SIZE = (1920, 1080)
#: Seeds of the tables, each read so many times after one read that warms up.
SEEDS, READS = (2, 5, 8), 15


def run(report: Report) -> None:
    """Reads a few rendered tables again and again."""
    parts: dict[str, list[float]] = {}
    total: list[float] = []
    for seed in report.progress("speed", SEEDS, len(SEEDS)):
        plan, scene = kit_table(seed, SIZE)
        image = render(scene).image
        reader = TableReader(layout_of(plan), kit_book())
        reader.read(image)
        for _ in range(READS):
            began = time.perf_counter()
            seen = reader.read(image)
            total.append(1000 * (time.perf_counter() - began))
            for part, ms in seen.ms.items():
                parts.setdefault(part, []).append(ms)
    report.add(Figure("speed", "one read, median", statistics.median(total), "ms", 150.0, "<="))
    report.add(Figure("speed", "one read, 95 % below", float(np.percentile(total, 95)), "ms"))
    for part, times in parts.items():
        if part != "total":
            report.add(Figure("speed", f"of it {part}, median", statistics.median(times), "ms"))
