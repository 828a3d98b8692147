"""How the tiles of an Observation compare with those that truly lie there."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.bench.report import AbsentError, Report
from vision.draw import annotate
from vision.observation import Facing, Observation

#: A reading belongs to a tile if their centres are within this share of the tile's side.
NEAR = 0.3
#: So many troubles of one picture are told.
FEW = 4


def read_image(path: Path) -> NDArray[np.uint8]:
    """A picture as BGR, or BGRA if it has a mask."""
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if image is None:
        raise AbsentError(f"not a picture: {path.name}")
    return np.asarray(image, np.uint8)


def read_labels(folder: Path) -> dict[str, Any]:
    """What is known of the pictures of a folder."""
    found: dict[str, Any] = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    return found


def seeds_from(variable: str, usual: range) -> range:
    """The seeds that an environment variable names, as 20 or 100:120; `usual` if it is not set."""
    first, _, last = os.environ.get(variable, f"{usual.start}:{usual.stop}").rpartition(":")
    return range(int(first or 0), int(last))


def keep(variable: str, name: str, image: NDArray[np.uint8], seen: Observation) -> None:
    """Writes a picture, plain and with its readings, to the folder that a variable names."""
    folder = os.environ.get(variable)
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(Path(folder) / f"{name}.png"), image)
        cv2.imwrite(str(Path(folder) / f"{name}-read.png"), annotate(image, seen))


@dataclass(frozen=True)
class Scores:
    """Counts over pictures; they add up."""

    tiles: int = 0
    found: int = 0
    facing: int = 0
    """Found tiles whose facing is right."""
    named: int = 0
    """Tiles that have a name to be read: face up, and fit to be read."""
    right: int = 0
    """Of those, how many bear the right label, certain or not."""
    abstained: int = 0
    """Of those, how many were found, but not certain."""
    wrong: int = 0
    """Tiles with a certain label or facing that is wrong, and certain readings where none lies."""
    extra: int = 0
    """Readings where no tile lies."""
    pictures: int = 0
    exact: int = 0
    """Pictures with every tile found, rightly named, and nothing else."""
    failed: tuple[str, ...] = field(default=())
    """Pictures that were not exact, and why."""

    def __add__(self, other: Scores) -> Scores:
        return Scores(
            *(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__)
        )

    def report(
        self,
        report: Report,
        bench: str,
        pictures: str,
        *,
        found_floor: float | None = None,
        right_floor: float | None = None,
    ) -> None:
        """Adds the figures, and prints which pictures were not exact."""
        report.share(bench, "tiles found", self.found, self.tiles, found_floor)
        report.share(bench, "label right", self.right, self.named, right_floor)
        report.share(bench, "facing right", self.facing, self.tiles)
        report.share(bench, "wrong and certain", self.wrong, self.tiles, sense="<=")
        report.share(bench, "abstained", self.abstained, self.named, sense="<=")
        report.share(bench, "readings of nothing", self.extra, self.tiles, sense="<=")
        report.share(bench, f"{pictures} exact", self.exact, self.pictures)
        for line in self.failed:
            print(f"{bench:14}   {line}", flush=True)


def score(
    name: str,
    seen: Observation,
    quads: NDArray[np.float32],
    labels: Sequence[str | None],
    fit_to_read: Sequence[bool] | None = None,
    in_sight: Sequence[bool] | None = None,
) -> Scores:
    """Scores one picture against the true quads (n, 4, 2) in pixels and their labels.

    A label of None is a tile that lies face down. `fit_to_read` excludes tiles whose face nobody
    could read from the counts of names, and `in_sight` those that are hidden from all counts; a
    reading of one is neither right nor of nothing.
    """
    sight = [True] * len(labels) if in_sight is None else in_sight
    fit = [True] * len(labels) if fit_to_read is None else fit_to_read
    tiles = seen.tiles
    side = np.linalg.norm(quads[:, 0] - quads[:, 2], axis=1) / np.sqrt(2)
    apart = (
        np.linalg.norm(quads.mean(axis=1)[:, None] - tiles.quads_px.mean(axis=1)[None], axis=2)
        / side[:, None]
    )
    reading_of: dict[int, int] = {}
    for tile, reading in np.argwhere(apart < NEAR)[np.argsort(apart[apart < NEAR])].tolist():
        if tile not in reading_of and reading not in reading_of.values():
            reading_of[tile] = reading
    facing = right = abstained = wrong = named = 0
    trouble: list[str] = []
    for tile, label in enumerate(labels):
        if not sight[tile]:
            continue
        up = label is not None
        named += up and fit[tile]
        if tile not in reading_of:
            trouble.append(f"{label or 'back'} missed at {_place(quads[tile])}")
            continue
        reading = reading_of[tile]
        certain = bool(tiles.certain[reading])
        read_up = tiles.facings[reading] == Facing.UP
        read = seen.tile_label(reading)
        same = read_up == up and (read == label or not up)
        facing += read_up == up
        right += up and fit[tile] and same
        abstained += up and fit[tile] and not certain
        wrong += certain and not same
        if not same and fit[tile]:
            mark = "" if certain else ", unsure"
            trouble.append(f"{label or 'back'} read as {read} at {_place(quads[tile])}{mark}")
    extra = [k for k in range(len(tiles)) if k not in reading_of.values()]
    for k in extra:
        wrong += bool(tiles.certain[k])
        trouble.append(f"nothing read as {seen.tile_label(k)} at {_place(tiles.quads_px[k])}")
    return Scores(
        tiles=sum(sight),
        found=sum(sight[tile] for tile in reading_of),
        facing=facing,
        named=named,
        right=right,
        abstained=abstained,
        wrong=wrong,
        extra=len(extra),
        pictures=1,
        exact=not trouble,
        failed=(f"{name}: {_few(trouble)}",) if trouble else (),
    )


def _few(trouble: list[str]) -> str:
    more = f"; and {len(trouble) - FEW} more" if len(trouble) > FEW else ""
    return "; ".join(trouble[:FEW]) + more


def _place(quad: NDArray[np.float32]) -> str:
    x, y = quad.mean(axis=0).round().astype(int).tolist()
    return f"({x}, {y})"
