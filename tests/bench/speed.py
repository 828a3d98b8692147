"""How long a 1920x1080 frame takes, alone and in a session, and how much memory: kit tables.

As in a match, the session knows the boards' own prints. The frames are read by a process of its
own, so that nothing but the reader counts.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from referee.claims import layout_of
from referee.cli.kitset import kit_book
from referee.kit.bare import BareBoards
from tests.bench.kit_tables import kit_art, kit_position, kit_table
from tests.bench.report import Figure, Report
from vision.camera import Frame
from vision.layout import Layout
from vision.reader import TableReader
from vision.scene.description import Scene
from vision.scene.render import Renderer
from vision.session import Session

SIZE = (1920, 1080)
#: Seeds of the tables, frames of each that differ by their noise, and how often they are gone
#: through; the first time warms up and does not count.
SEEDS, FRAMES, ROUNDS = (2, 5, 8), 4, 5
#: Frames a second of a session, and so many frames of it: it is quiet before half of them.
RATE, LOOKS = 15.0, 24
FLOORS = {
    "one read in a session": (33.0, 50.0),
    "quiet and unchanged": (5.0, None),
}

P = ParamSpec("P")
T = TypeVar("T")
Times = dict[str, list[float]]


def run(report: Report) -> None:
    """Reads a few rendered tables again and again."""
    times: Times = defaultdict(list)
    memory = 0.0
    for seed in report.progress("speed", SEEDS, len(SEEDS)):
        plan, scene = kit_table(seed, SIZE)
        renderer = Renderer()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "frames.npy"
            scenes = [_again(scene, k) for k in range(FRAMES)]
            np.save(path, np.stack([renderer.render(one).image for one in scenes]))
            bare = BareBoards(plan, kit_art()).faces(kit_position(seed)[1])
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                took, megabytes = pool.submit(measure, layout_of(plan), bare, path).result()
        memory = max(memory, megabytes)
        for name, values in took.items():
            times[name] += values
    for name, values in times.items():
        median, most = FLOORS.get(name, (None, None))
        report.add(Figure("speed", f"{name}, median", _share(values, 50), "ms", median, "<="))
        report.add(Figure("speed", f"{name}, 95 % below", _share(values, 95), "ms", most, "<="))
    report.add(Figure("speed", "memory at most", memory, "MB", 500.0, "<="))


def measure(
    layout: Layout, bare: Mapping[str, NDArray[np.uint8]], path: Path
) -> tuple[Times, float]:
    """Milliseconds of each part by frame, and the most memory that this process had, in MB."""
    # Read at once: the pages of a mapped file would count as memory a second time.
    frames: list[NDArray[np.uint8]] = list(np.load(path))
    reader = TableReader(layout, kit_book())
    times: Times = defaultdict(list)
    for _ in range(ROUNDS):
        for image in frames:
            seen, total = _timed(reader.read, image, bare=bare)
            times["one read of a frame alone"].append(total)
            for part, ms in seen.ms.items():
                if part != "total":
                    times[f"of it {part}"].append(ms)
    for _ in range(ROUNDS):
        session = Session(reader)
        session.lay_bare(bare)
        for number in range(LOOKS):
            frame = Frame(frames[number % FRAMES], number, number / RATE)
            look, took = _timed(session.look, frame)
            if look.observation is not None:
                times["one read in a session"].append(took)
            elif look.settled is not None:
                times["quiet and unchanged"].append(took)
    warm = {name: values[len(values) // ROUNDS :] for name, values in times.items()}
    return warm, _peak()


def _peak() -> float:
    """The most memory that this process had, in MB."""
    status = Path("/proc/self/status")
    if status.exists():
        # What getrusage tells on Linux counts the process that started this one, too.
        (line,) = (row for row in status.read_text().splitlines() if row.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024 / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


def _timed(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> tuple[T, float]:
    began = time.perf_counter()
    done = work(*args, **named)
    return done, 1000 * (time.perf_counter() - began)


def _again(scene: Scene, number: int) -> Scene:
    """The same table a moment later: only its noise is another."""
    return replace(scene, seed=scene.seed + number)


def _share(values: list[float], percent: float) -> float:
    return float(np.percentile(values, percent))
