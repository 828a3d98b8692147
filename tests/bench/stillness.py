"""When tables may be read: films and pictures with and without hands, own, real and path-traced.

A frame is busy in vain if no hand is there, nothing has changed for SETTLED_S, and it still isn't
called quiet. Environment: STILLNESS_SEEDS=1000:1004 sets the seeds of the own films.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tests.bench.kit_tables import kit_table
from tests.bench.matching import read_labels
from tests.bench.report import Figure, Report, need
from tests.shared import REAL, RENDERED
from tests.vision.stillness_films import FILMS, Taken, film
from vision.camera import EndOfFramesError, Frame, load_image, open_source
from vision.scene.render import render
from vision.stillness import Stillness

SEEDS = (1000, 1004)
SETTLED_S = 0.5
#: The most frames that may be busy in vain, in per cent.
IN_VAIN = 2.0
#: In the pawns' film the die rests from here on; before, a hand shakes and throws it.
PAWNS_AT_REST = 39
SPEED_SIZE, SPEED_FRAMES = (1920, 1080), 60


@dataclass
class Tally:
    """Frames by what was there and what was said."""

    hands: int = 0
    missed: int = 0
    """Frames with a hand that were called quiet."""
    free: int = 0
    vain: int = 0
    """Frames without one, long after any change, that were not."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            *(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__)
        )


def run(report: Report) -> None:
    """Judges all of them, then measures the time of a quiet frame."""
    first, last = SEEDS
    if chosen := os.environ.get("STILLNESS_SEEDS"):
        first, last = (int(n) for n in chosen.split(":"))
    for name in FILMS:
        total = Tally()
        for seed in report.progress(name, range(first, last), last - first):
            total += _judged(f"{name} {seed}", film(name, seed))
        _report(report, f"own {name}", total)
    real = need(REAL)
    _report(report, "pawns", _judged("pawns", _clip(real / "pawns/rolling.mp4", _pawns)))
    chess = _clip(real / "chess_hands/emptyBoard001.mp4", lambda frame: (False, frame > 1))
    _report(report, "chess_hands", _judged("chess_hands", chess))
    catan = read_labels(real / "catan_webcam")["images"]
    _report(report, "catan_webcam", _glanced(real / "catan_webcam", catan))
    rendered = need(RENDERED)
    labels = read_labels(rendered)
    for video in labels["videos"]:
        taken = _clip(rendered / video["file"], partial(_rendered, video))
        _report(report, Path(video["file"]).stem, _judged(video["file"], taken))
    _report(report, "rendered stills", _glanced(rendered, labels["images"]))
    _speed(report)


def _judged(name: str, taken: Iterator[Taken]) -> Tally:
    """Judges a film frame by frame."""
    stillness, tally, changed_at = Stillness(), Tally(), 0.0
    wrong: list[str] = []
    for number, shot in enumerate(taken):
        said = stillness.look(shot.frame)
        at = shot.frame.captured_at
        if number == 0 or shot.hand or not shot.still:
            changed_at = at
        if shot.hand:
            tally.hands += 1
            tally.missed += said.quiet
        elif at - changed_at > SETTLED_S + 1e-6:
            tally.free += 1
            tally.vain += not said.quiet
        if shot.hand and said.quiet:
            wrong.append(f"{shot.frame.id} quiet")
        elif not shot.hand and at - changed_at > SETTLED_S + 1e-6 and not said.quiet:
            wrong.append(f"{shot.frame.id} {said.why}")
    if wrong:
        print(f"{name}: {', '.join(wrong[:8])}{' …' if len(wrong) > 8 else ''}", flush=True)
    return tally


def _glanced(folder: Path, images: list[dict[str, Any]]) -> Tally:
    """Judges pictures, each by itself."""
    stillness, tally = Stillness(), Tally()
    for entry in images:
        said = stillness.glance(load_image(folder / entry["file"]))
        if entry["hand"]:
            tally.hands += 1
            tally.missed += said.quiet
        else:
            tally.free += 1
            tally.vain += not said.quiet
        if said.quiet == entry["hand"]:
            print(f"{entry['file']}: {said.why or 'quiet'}", flush=True)
    return tally


def _clip(path: Path, truth: Callable[[int], tuple[bool, bool]]) -> Iterator[Taken]:
    camera = open_source(str(path))
    while True:
        try:
            frame = camera.read()
        except EndOfFramesError:
            camera.close()
            return
        hand, still = truth(frame.id)
        yield Taken(frame, hand, still)


def _pawns(frame: int) -> tuple[bool, bool]:
    # Frames with a hand beside the board count neither way; 65 shows the first finger tips.
    return frame >= 66, PAWNS_AT_REST < frame < 65


def _rendered(video: dict[str, Any], frame: int) -> tuple[bool, bool]:
    """Whether a hand is there, and whether it looks as it did in the frame before."""
    hand = any(i["hand"] and i["from"] <= frame <= i["to"] for i in video["intervals"])
    still = any(i["from"] < frame <= i["to"] for i in video["quiet"])
    return hand, still


def _report(report: Report, name: str, tally: Tally) -> None:
    if tally.hands:
        note = f"of {tally.hands}"
        report.add(Figure(name, "hand called quiet", tally.missed, "frames", 0.0, "<=", note))
    if tally.free:
        report.share(name, "busy in vain", tally.vain, tally.free, IN_VAIN, "<=")


def _speed(report: Report) -> None:
    """Milliseconds of a quiet and unchanged frame, and of one in which something moves."""
    _, scene = kit_table(2, SPEED_SIZE)
    image = render(scene).image
    noise = np.random.default_rng(0).integers(0, 3, image.shape, np.uint8)
    pictures = [image, np.minimum(image, 252) + noise]
    other = pictures[1].copy()
    other[400:700, 600:1100] = other[200:500, 100:600]
    for name, pair in (("quiet frame", pictures), ("moving frame", [pictures[0], other])):
        stillness, took = Stillness(), []
        for number in range(SPEED_FRAMES):
            frame = Frame(pair[number % 2], number, number / 30)
            began = time.perf_counter()
            stillness.look(frame)
            took.append(1000 * (time.perf_counter() - began))
        ms = statistics.median(took[SPEED_FRAMES // 3 :])
        floor = 3.0 if name == "quiet frame" else None
        report.add(Figure("stillness", f"{name}, median", ms, "ms", floor, "<="))
