"""200 viewers who come and go: are all told the same in the end, and does the referee notice?

A real match at a drawn kit table: each frame is read in full, and once a second a move is entered
or taken back. Viewers are in a process of their own, over real sockets of this machine; they are
there in every other block of time, so that what else the machine does weighs on both alike.
Environment: VIEWERS_SECONDS (60) with viewers.
"""

from __future__ import annotations

import itertools
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from referee.cli.kitset import KitArt
from referee.games.loading import load_game
from referee.games.tumult_royale import COLOURS
from referee.match.commands import Command, Do
from referee.match.live import Live
from referee.simulation.conditions import Conditions
from referee.simulation.table import SimulatedTable
from referee.web.app import create_app
from referee.web.gear import Opened
from referee.web.screens import Screens, pages_of
from referee.web.site import Site
from tests.bench.crowd import Crowd
from tests.bench.report import Figure, Report
from tests.referee.web.browser import served
from tests.referee.web.houses import DrawnGear, a_house
from vision.camera import Frame
from vision.scene.cameras import overhead_camera
from vision.scene.description import Lamp, Sensor
from vision.session import Look, Session

VIEWERS, CHURN, SECONDS = 200, 20, 60.0
#: Seconds of each block; those just after a change do not count.
BLOCK_S, SETTLE_S = 6.0, 1.0
SIZE, FRAMES, RATE, WARM_UP = (1280, 720), 6, 3.0, 10
#: So many seconds until all agree, at most.
AGREE_S = 20.0
#: A move is entered or taken back so often (s).
MOVE_S = 1.0


@dataclass(frozen=True, slots=True)
class Block:
    """What was measured in a part of the time: median milliseconds of a look, and processor time
    of the threads that serve, in percent of one core.
    """

    look: float
    serving: float


def run(report: Report) -> None:
    """Lets viewers come and go for VIEWERS_SECONDS."""
    seconds = float(os.environ.get("VIEWERS_SECONDS", SECONDS))
    with tempfile.TemporaryDirectory() as folder, timed_looks() as looks, ExitStack() as stack:
        match, screens = stack.enter_context(filmed_match(Path(folder)))
        address = stack.enter_context(served(create_app(Site(screens))))
        playing = stack.enter_context(Playing(match.live))
        url = address.replace("http", "ws") + "/ws?audience=table"
        crowd = stack.enter_context(Crowd(url))
        _warm_up(looks)
        without, among = [], []
        blocks = max(2, round(seconds / BLOCK_S))
        for _ in report.progress("viewers", range(blocks), blocks):
            crowd.ask("join", 0)
            without.append(_measured(looks))
            crowd.ask("join", VIEWERS)
            crowd.ask("churn", CHURN)
            among.append(_measured(looks))
            crowd.ask("churn", 0)
        playing.stop()
        _agree(crowd, report)
        _report(report, without, among)
        lagged = screens.hub.lagged
        report.add(Figure("viewers", "told the whole state since they lagged", lagged))


def _warm_up(looks: list[tuple[float, float]]) -> None:
    """Waits until the table is read as quickly as it will be."""
    deadline = time.monotonic() + 120.0
    while len(looks) < WARM_UP:
        assert time.monotonic() < deadline, "the table is not read"
        time.sleep(0.1)


def _measured(looks: list[tuple[float, float]]) -> Block:
    time.sleep(SETTLE_S)
    began, served_before = time.monotonic(), _serving()
    time.sleep(BLOCK_S)
    took = time.monotonic() - began
    look = statistics.median(ms for at, ms in list(looks) if at >= began)
    block = Block(look, 100.0 * (_serving() - served_before) / took)
    print(f"viewers: {block.look:.0f} ms, serving {block.serving:.1f} %", flush=True)
    return block


def _serving() -> float:
    """Seconds of processor time of the threads that make and send documents."""
    threads = [each for each in threading.enumerate() if each.name == "publisher"]
    threads += [each for each in threading.enumerate() if each.name.endswith("(run)")]
    clocks = [time.pthread_getcpuclockid(each.ident) for each in threads if each.ident]
    return sum(time.clock_gettime(clock) for clock in clocks)


def _agree(crowd: Crowd, report: Report) -> None:
    """All who are there in the end are told the same version of the same document."""
    crowd.ask("join", VIEWERS)
    deadline = time.monotonic() + AGREE_S
    while len((told := crowd.ask("told"))["documents"]) > 1 and time.monotonic() < deadline:
        time.sleep(0.2)
    here = sum(told["versions"].values())
    for name in ("versions", "documents"):
        most = max(told[name].values(), default=0)
        report.share("viewers", f"told the same of {name}", most, VIEWERS, 100.0)
    report.add(Figure("viewers", "viewers in the end", here, "", VIEWERS, ">="))
    lost, note = sum(told["lost"].values()), ", ".join(told["lost"])
    report.add(Figure("viewers", "connections that were lost", lost, "", 0.0, "<=", note))


def _report(report: Report, without: list[Block], among: list[Block]) -> None:
    pairs = list(zip(without, among, strict=True))
    rises = [100.0 * (crowded.look / alone.look - 1.0) for alone, crowded in pairs]
    for name, blocks in (("no viewers", without), (f"{VIEWERS} viewers", among)):
        look = statistics.median(block.look for block in blocks)
        serving = statistics.median(block.serving for block in blocks)
        report.add(Figure("viewers", f"a look, {name}", look, "ms"))
        report.add(Figure("viewers", f"serving, {name}", serving, "%", note="of one core"))
    note = f"pairs of blocks from {min(rises):.1f} to {max(rises):.1f} %"
    rise = statistics.median(rises)
    report.add(Figure("viewers", "frame time rises", rise, "%", 10.0, "<=", note))


@contextmanager
def timed_looks() -> Iterator[list[tuple[float, float]]]:
    """Reads every frame in full; notes of each look when it ended and its milliseconds."""
    looks: list[tuple[float, float]] = []
    plain = Session.look

    def timed(self: Session, frame: Frame) -> Look:
        self.look_again()
        began = time.perf_counter()
        look = plain(self, frame)
        looks.append((time.monotonic(), 1000.0 * (time.perf_counter() - began)))
        return look

    Session.look = timed  # type: ignore[method-assign]
    try:
        yield looks
    finally:
        Session.look = plain  # type: ignore[method-assign]


@contextmanager
def filmed_match(folder: Path) -> Iterator[tuple[Opened, Screens]]:
    """A match under a camera that shows a few frames of its table, and all that is shown of it."""
    gear = FilmedGear()
    with a_house(folder, gear, camera="camera:table") as house:
        match = house.begin(gear.seats, ranks=gear.setup["ranks"], regions=gear.setup["regions"])
        with Screens(pages_of(house)) as screens:
            yield match, screens


class FilmedGear(DrawnGear):
    """A camera that shows the kit's table at the start of a match, frame by frame."""

    def __init__(self) -> None:
        super().__init__({"table": self._frame})
        game = load_game(self.game, self.edition("kit"))
        self.seats: dict[str, str] = dict(zip(COLOURS, NAMES, strict=True))
        self.setup = game.draw({"seats": ",".join(self.seats)}, Random(1))
        start = game.begin(self.setup)
        plan = game.plan(start)
        camera = overhead_camera(plan.size, SIZE, tilt=4.0)
        conditions = Conditions(camera, "wood", 7, Lamp(colour=(0.94, 1.0, 1.05)), Sensor())
        table = SimulatedTable(plan, KitArt(), conditions, seed=1)
        table.lay(game.placement(start), relaid=True)
        self._frames = itertools.cycle([table.frame() for _ in range(FRAMES)])
        self._due = time.monotonic()

    def _frame(self) -> NDArray[np.uint8]:
        time.sleep(max(0.0, self._due - time.monotonic()))
        self._due = time.monotonic() + 1.0 / RATE
        return next(self._frames)


NAMES = ("Ann", "Ben", "Cleo", "Dan")


class Playing:
    """People who enter a move, and take it back, again and again."""

    def __init__(self, live: Live[Any, Any]) -> None:
        self._live, self._still = live, threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Leaves the match as it is."""
        self._still.set()
        self._thread.join()

    def _play(self) -> None:
        for number in itertools.count():
            if self._still.wait(MOVE_S):
                return
            answer = self._live.command(a_move(self._live, number))
            assert answer.accepted, answer.text


def a_move(live: Live[Any, Any], number: int) -> Command:
    """The first legal move, or back to the start if there was one."""
    view = live.view
    if view.position != view.positions[0]:
        return Command(Do.UNDO, view.state_id, f"m{number}", "Ann", to=0)
    text = live.game.choices(view.position)[0].text
    return Command(Do.ENTER, view.state_id, f"m{number}", "Ann", text)
