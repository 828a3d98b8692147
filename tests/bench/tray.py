"""Rendered trays of cubes from piles that no training saw: counts per colour, or honest ranges."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from tests.bench.report import AbsentError, Figure, Report
from vision.network import ModelMissingError
from vision.pieces.colours import ColourBook
from vision.pieces.tray import TrayPlace, TrayReader
from vision.scene.cubes_trays import TrayPicture, draw_tray

#: Seeds of the trays that are read; others may be given as FIRST:LAST.
SEEDS = os.environ.get("TRAY_SEEDS", "0:200")
BENCH = "tray"


@dataclass
class Counts:
    """Counts over trays and their colours."""

    trays: int = 0
    whole: int = 0
    """Trays with the truth of every colour within its range."""
    exact: int = 0
    """Trays with the exact number of every colour."""
    colours: int = 0
    within: int = 0
    fixed: int = 0
    """Colours whose range is one number, and that is right."""
    wrong: int = 0
    """Colours whose range is one number, and that is wrong."""
    widths: list[int] = field(default_factory=list)
    cubes: int = 0
    seen: int = 0
    trouble: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, picture: TrayPicture, reader: TrayReader, *, white: bool) -> None:
        """Reads a tray; its plane, size and cubes are known as an edition states them."""
        floor = tuple((float(x), float(y)) for x, y in picture.floor())
        place = TrayPlace("tray", floor, picture.side)
        light = picture.white if white else None
        counts, cubes = reader.read(picture.image, picture.plane(), [place], light)
        true = picture.counts()
        within = (counts.lows <= true) & (true <= counts.highs)
        fixed = counts.lows == counts.highs
        self.trays += 1
        self.whole += bool(within.all())
        self.exact += bool((fixed & within).all())
        self.colours += len(true)
        self.within += int(within.sum())
        self.fixed += int((fixed & within).sum())
        self.wrong += int((fixed & ~within).sum())
        self.widths += (counts.highs - counts.lows).tolist()
        self.cubes += len(picture.colours)
        self.seen += len(cubes)
        for colour in np.flatnonzero(~within).tolist():
            span = f"{counts.lows[colour]} to {counts.highs[colour]}"
            self.trouble[f"{name}: {true[colour]} {reader.book.names[colour]} read as {span}"] += 1

    def report(self, report: Report, what: str) -> None:
        """Adds the figures, and prints what lay outside its range."""
        report.share(BENCH, f"{what}: truth of all colours in range", self.whole, self.trays, 99.5)
        report.share(BENCH, f"{what}: trays exact", self.exact, self.trays)
        report.share(BENCH, f"{what}: colours in range", self.within, self.colours)
        report.share(BENCH, f"{what}: colours exact", self.fixed, self.colours)
        report.share(BENCH, f"{what}: one number, and wrong", self.wrong, self.colours, sense="<=")
        width = float(np.mean(self.widths))
        report.add(Figure(BENCH, f"{what}: mean width of a range", width, "cubes", sense="<="))
        report.share(BENCH, f"{what}: cubes found", self.seen, self.cubes)
        for trouble in sorted(self.trouble)[:8]:
            print(f"{BENCH:14}   {trouble}", flush=True)


def run(report: Report) -> None:
    """The same trays with white known, as from the paper of a marker, and without."""
    known, unknown = Counts(), Counts()
    first, last = (int(part) for part in SEEDS.split(":"))
    for seed in report.progress("tray", range(first, last), last - first):
        picture = draw_tray(seed, held_back=True)
        try:
            reader = TrayReader(ColourBook.of_paints(picture.paints))
        except ModelMissingError as missing:
            raise AbsentError(missing.what) from None
        known.add(f"seed {seed}", picture, reader, white=True)
        unknown.add(f"seed {seed}", picture, reader, white=False)
    known.report(report, "white known")
    unknown.report(report, "white unknown")
