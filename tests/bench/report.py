"""The figures that a benchmark run prints and writes."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

T = TypeVar("T")


class AbsentError(Exception):
    """The pictures that a benchmark needs are not here."""


@dataclass(frozen=True)
class Figure:
    """One measured number; `sense` says on which side of `floor` it must lie."""

    bench: str
    name: str
    value: float
    unit: str = ""
    floor: float | None = None
    sense: Literal[">=", "<="] = ">="
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the floor is held; None if there is none."""
        if self.floor is None:
            return None
        return self.value >= self.floor if self.sense == ">=" else self.value <= self.floor


@dataclass
class Report:
    """Collects figures, prints each as it comes, and shows how far a long run is."""

    figures: list[Figure] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)

    def add(self, figure: Figure) -> None:
        """Adds a figure and prints its line."""
        self.figures.append(figure)
        verdict = {None: "", True: "  ok", False: "  BELOW ITS FLOOR"}[figure.met]
        floor = "" if figure.floor is None else f"  ({figure.sense} {figure.floor:g})"
        note = f"  {figure.note}" if figure.note else ""
        value = f"{figure.value:.4g} {figure.unit}".rstrip()
        print(f"{figure.bench:14} {figure.name:44} {value:>14}{floor}{verdict}{note}", flush=True)

    def share(
        self,
        bench: str,
        name: str,
        good: int,
        of: int,
        floor: float | None = None,
        sense: Literal[">=", "<="] = ">=",
    ) -> None:
        """Adds a share of a count, with the count as its note."""
        value = 100.0 * good / of if of else float("nan")
        self.add(Figure(bench, name, value, "%", floor, sense, note=f"{good} of {of}"))

    def progress(self, what: str, items: Iterable[T], total: int) -> Iterator[T]:
        """Yields the items while a line on the terminal says how far it is."""
        start = time.monotonic()
        show = sys.stderr.isatty()
        for done, item in enumerate(items, 1):
            yield item
            if show:
                left = (time.monotonic() - start) / done * (total - done)
                print(f"\r{what}: {done} of {total}, {left:.0f} s left ", end="", file=sys.stderr)
        if show:
            print("\r" + " " * 60 + "\r", end="", file=sys.stderr)

    def as_json(self) -> dict[str, object]:
        """The whole report as plain data."""
        return {
            "figures": [{**asdict(f), "met": f.met} for f in self.figures],
            "skipped": self.skipped,
        }


def need(folder: Path) -> Path:
    """Returns `folder`, or ends this benchmark with one plain line if it is not there."""
    if not folder.is_dir():
        raise AbsentError(f"test pictures not here: {folder.name} (set TABLE_REFEREE_SHARED)")
    return folder
