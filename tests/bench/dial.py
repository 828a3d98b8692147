"""The number at the spinner's arrow: rendered dials in all conditions, laid anyhow, also covered.

Environment: DIAL_SEEDS=20 or 100:120 reads fewer tables, DIAL_FAILURES=DIR keeps the dials that
were read wrongly, or doubted though their arrow is far from a border.
"""

from __future__ import annotations

import os
import statistics
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from referee.claims import layout_of
from referee.games.table import TablePlan
from tests.bench.dial_scenes import DialArt, Shown, dial_scenes, kit_dial, other_dial
from tests.bench.kit_tables import SIZES
from tests.bench.report import Figure, Report
from vision.dial import DialReader, DialReading
from vision.errors import UnreadableError
from vision.plane import Plane, find_plane
from vision.scene.render import Renderer

_BLAS = ThreadpoolController()
#: Tables whose dials are read at each size, and tables with a dial of another make.
SEEDS, OTHERS = 200, 40
#: The first seed: nothing was chosen by those from here on.
FIRST = 10_000
#: An arrow that is this far from a border, in degrees, should be read.
CLEAR = 4.0


def run(report: Report) -> None:
    """Reads the kit's spinner at both sizes, then dials of other makes."""
    first, _, last = os.environ.get("DIAL_SEEDS", f"{FIRST}:{FIRST + SEEDS}").rpartition(":")
    seeds = range(int(first or FIRST), int(last) if first else FIRST + int(last))
    for size in SIZES:
        _measure(report, f"dial {size[1]}", size, seeds, lambda _: kit_dial())
    others = seeds[: OTHERS * len(seeds) // SEEDS]
    if others:
        _measure(report, "other dials", SIZES[0], others, _other)


def _other(seed: int) -> tuple[TablePlan, DialArt]:
    return other_dial(np.random.default_rng([seed, 30]))


def _measure(
    report: Report,
    name: str,
    size: tuple[int, int],
    seeds: range,
    make: Callable[[int], tuple[TablePlan, DialArt]],
) -> None:
    tally, times, errors, renderer = Counter[str](), list[float](), list[float](), Renderer()
    for seed in report.progress(name, seeds, len(seeds)):
        plan, art = make(seed)
        layout = layout_of(replace(plan, dial=art.dial))
        reader = DialReader(layout.dial, art.disc, art.arrow) if layout.dial else None
        for number, shown in enumerate(dial_scenes(seed, size, plan, art)):
            image = renderer.render(shown.scene).image
            try:
                plane = find_plane(image, layout)
            except UnreadableError:
                tally["planes not found"] += 1
                continue
            if reader is None:
                continue
            began = time.perf_counter()
            with _BLAS.limit(limits=1):
                reading = reader.read(image, plane)
            times.append(time.perf_counter() - began)
            if not _count(tally, errors, reading, shown, art):
                _keep(f"{name.replace(' ', '-')}-{seed}-{number}", image, plane, art, reading)
    _report(report, name, tally, times, errors)


def _count(
    tally: Counter[str], errors: list[float], reading: DialReading, shown: Shown, art: DialArt
) -> bool:
    """Counts a reading; whether it is as it should be."""
    labels = art.dial.labels
    tally["read"] += 1
    tally[shown.kind] += 1
    tally[f"{shown.kind}, certain"] += reading.certain
    if shown.arrow is None:
        tally["wrong and certain"] += reading.certain
        return not reading.certain
    width = 360.0 / len(labels)
    at = shown.arrow / width
    true = labels[round(at) % len(labels)]
    tally["wrong and certain"] += reading.certain and reading.label != true
    good = not (reading.certain and reading.label != true)
    if shown.kind in ("plain", "border"):
        tally["seen"] += 1
        tally["right"] += reading.label == true
        tally["named"] += true in reading.rivals
        if reading.angle_deg is not None:
            errors.append(abs((reading.angle_deg - shown.arrow + 180.0) % 360.0 - 180.0))
        if width * (0.5 - abs(at - round(at))) >= CLEAR:
            tally["clear"] += 1
            tally["clear, doubted"] += not reading.certain
            good &= reading.certain
    return good


def _report(
    report: Report, name: str, tally: Counter[str], times: list[float], errors: list[float]
) -> None:
    wrong, read = tally["wrong and certain"], tally["read"]
    bound = f"of {read}" + ("" if wrong else f", below {300.0 / max(read, 1):.2g} % (95 %)")
    report.add(Figure(name, "wrong and certain", wrong, "readings", 0.0, "<=", bound))
    report.share(name, "right, certain or not", tally["right"], tally["seen"])
    report.share(name, "true number among its rivals", tally["named"], tally["seen"])
    doubted, clear = tally["clear, doubted"], tally["clear"]
    report.share(name, "abstained, 4 degrees off a border", doubted, clear, 3.0, "<=")
    for kind in ("border", "hand", "covered", "no arrow", "no disc"):
        report.share(name, f"certain: {kind}", tally[f"{kind}, certain"], tally[kind], sense="<=")
    if errors:
        report.add(Figure(name, "angle, 95 % within", float(np.percentile(errors, 95)), "degrees"))
    if times:
        report.add(Figure(name, "time a reading", 1e3 * statistics.median(times), "ms", 6.0, "<="))
    if missed := tally["planes not found"]:
        report.add(Figure(name, "planes not found", missed, "pictures", sense="<="))


def _keep(
    name: str, image: NDArray[np.uint8], plane: Plane, art: DialArt, reading: DialReading
) -> None:
    folder = os.environ.get("DIAL_FAILURES")
    if not folder:
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    half = 0.75 * art.dial.diameter
    corner = (art.dial.centre[0] - half, art.dial.centre[1] - half)
    view = plane.patch(image, corner, (2 * half, 2 * half), 3.0)
    words = f"{reading.label} {reading.certain} {reading.why}"
    cv2.putText(view, words, (4, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (255, 255, 255), 1)
    cv2.imwrite(str(Path(folder) / f"{name}.png"), view)
