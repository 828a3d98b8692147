"""The box: round trips at 115200 baud in virtual time, memory, and how fast it is simulated."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import numpy as np

from referee.box.protocol import (
    BAUD,
    Home,
    Homed,
    HomeReply,
    Hourglass,
    HourglassReply,
    Light,
    LightMode,
    LightReply,
    Pattern,
    Profile,
    Sectors,
    SectorsReply,
    Spin,
    SpinDone,
    SpinReply,
    Status,
    StatusReply,
)
from tests.bench.report import AbsentError, Figure, Report
from tests.firmware.machine import IMAGE, SIMULATOR_NEEDS
from tests.firmware.master import Master
from tests.firmware.subjects import Microcontroller

COMMANDS = 1000
IDLE_SECONDS = 60
RAM = 2048


def run(report: Report) -> None:
    """Measures the committed binary in the simulated microcontroller."""
    for tool in SIMULATOR_NEEDS:
        if shutil.which(tool) is None and not Path(tool).exists():
            raise AbsentError(f"{tool} is missing (see firmware/README.md)")
    began = time.perf_counter()
    subject = Microcontroller()
    host = Master(subject)
    host.run(0.1)
    host.hello()
    host.wait(0.1)
    idle = _round_trips(host, COMMANDS)
    # The hardest case: the ring is drawn, the arrow turns, tones sound.
    host.ask(Sectors((0, 30000)), SectorsReply)
    host.ask(Home(), HomeReply)
    host.wait_for(Homed, 6)
    host.ask(Hourglass(1, 60_000, 30, Pattern.END, 4, 0), HourglassReply)
    host.ask(Spin(1, 10, Profile.LONG), SpinReply)
    busy = _round_trips(host, COMMANDS)
    host.wait_for(SpinDone, 20)
    free = host.ask(Status(), StatusReply).stack_free
    simulated = subject.now / (time.perf_counter() - began)
    began = time.perf_counter()
    host.run(IDLE_SECONDS)
    asleep = IDLE_SECONDS / (time.perf_counter() - began)
    subject.close()
    for state, times in (("idle", idle), ("busy", busy)):
        for percent in (50, 99):
            name = f"round trip of a command, {state}, p{percent}"
            value = float(np.percentile(times, percent))
            floor = 5.0 if percent == 99 else None
            report.add(Figure("box", name, value, "ms", floor, "<=", f"virtual, {BAUD} baud"))
    report.add(Figure("box", "flash", _flash_bytes(), "bytes", 16 * 1024, "<="))
    report.add(Figure("box", "most memory ever used", RAM - free, "bytes", 1400, "<="))
    report.add(Figure("box", "simulated time over true time", simulated))
    report.add(Figure("box", "the same while it has nothing to do", asleep))


def _round_trips(host: Master, count: int) -> list[float]:
    """Returns how long each command took (ms), from its first bit to its answer's last."""
    times = []
    for i in range(count):
        # Not in step with the box's clock.
        host.run(0.001 + i % 97 * 1e-5)
        start = host.subject.now
        if i % 2:
            host.ask(Status(), StatusReply)
        else:
            host.ask(Light(LightMode.STEADY, i % 256, 0, 0, 0), LightReply)
        times.append((host.subject.now - start) * 1000)
    return times


def _flash_bytes() -> int:
    lines = IMAGE.read_text(encoding="ascii").split()
    records = [bytes.fromhex(line[1:]) for line in lines]
    return max(int.from_bytes(r[1:3], "big") + r[0] for r in records if r[3] == 0)
