"""Real photographs of small coloured pieces on a printed map, in warm, neutral and blue light."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.bench.matching import read_image, read_labels
from tests.bench.report import Figure, Report, need
from tests.shared import REAL
from vision.pieces.colours import ColourBook
from vision.pieces.colours_look import Array, Image, piece_look

NAMES = ("white", "orange", "red", "blue")
#: Pieces of each colour that are taught, and how often others are drawn from each photo.
TAUGHT, DRAWS = 4, 3


@dataclass(frozen=True, eq=False)
class Photo:
    """The boxed pieces of one photo."""

    file: str
    crops: list[Image]
    looks: Array
    fills: Array
    places: Array
    truth: NDArray[np.intp]


@dataclass
class Draw:
    """What came of one lesson."""

    lesson: str
    pieces: int = 0
    certain: int = 0
    right: int = 0
    wrong: Counter[str] = field(default_factory=Counter)


def run(report: Report) -> None:
    """Each photo teaches in turn; and four photos together, one piece a colour each."""
    folder = need(REAL / "settlers_pieces")
    labels = read_labels(folder)
    photos = [_photo(read_image(folder / photo["file"]), photo) for photo in labels["images"]]
    single = [(k,) for k in range(len(photos)) for _ in range(DRAWS)]
    rng = np.random.default_rng(0)
    mixed = [
        tuple(rng.choice(len(photos), TAUGHT, replace=False).tolist()) for _ in range(3 * TAUGHT)
    ]
    for what, lessons in (("taught by one photo", single), ("taught by four photos", mixed)):
        drawn = report.progress("settlers", enumerate(lessons), len(lessons))
        draws = [_draw(photos, lesson, seed) for seed, lesson in drawn]
        _report(report, what, draws)


def _photo(image: Image, photo: dict[str, Any]) -> Photo:
    crops, places, truth = [], [], []
    for item in photo["items"]:
        x, y, w, h = item["box"]
        left, top = max(0, round(x)), max(0, round(y))
        crops.append(image[top : round(y + h), left : round(x + w)])
        places.append(((x + w / 2) / photo["width"], (y + h / 2) / photo["height"]))
        truth.append(NAMES.index(item["label"]["colour"]))
    seen = [piece_look(crop) for crop in crops]
    return Photo(
        photo["file"],
        crops,
        np.array([look for look, _ in seen], np.float32),
        np.array([fill for _, fill in seen], np.float32),
        np.array(places, np.float32),
        np.array(truth),
    )


def _draw(photos: list[Photo], lesson: tuple[int, ...], seed: int) -> Draw:
    """Teaches pieces drawn from some photos, and reads all pieces of all others."""
    rng = np.random.default_rng(seed)
    crops: dict[str, list[Image]] = {}
    pictures: dict[str, list[int]] = {}
    for colour, name in enumerate(NAMES):
        chosen = [
            (k, piece)
            for k in lesson
            for piece in rng.choice(
                np.flatnonzero(photos[k].truth == colour), TAUGHT // len(lesson), replace=False
            ).tolist()
        ]
        crops[name] = [photos[k].crops[piece] for k, piece in chosen]
        pictures[name] = [k for k, _ in chosen]
    book = ColourBook.teach(crops, pictures=pictures)
    draw = Draw(" ".join(photos[k].file for k in lesson))
    for k, photo in enumerate(photos):
        if k in lesson:
            continue
        read = book.judge(photo.looks, fills=photo.fills, places=photo.places)
        right = read.colour_ids == photo.truth
        draw.pieces += len(right)
        draw.certain += int(read.certain.sum())
        draw.right += int((right & read.certain).sum())
        for piece in np.flatnonzero(read.certain & ~right).tolist():
            taken = f"{NAMES[photo.truth[piece]]} as {NAMES[read.colour_ids[piece]]}"
            draw.wrong[f"{photo.file}: {taken}"] += 1
    return draw


def _report(report: Report, what: str, draws: list[Draw]) -> None:
    """The median draw, the worst, and what went wrong."""
    wrong = np.array([100.0 * sum(draw.wrong.values()) / draw.pieces for draw in draws])
    covered = np.array([100.0 * draw.certain / draw.pieces for draw in draws])
    bench, note = "settlers", f"{len(draws)} draws"
    for kind, sum_up in (("median", np.median), ("worst", np.max)):
        value = float(sum_up(wrong))
        name = f"{what}: right or abstained, {kind}"
        report.add(Figure(bench, name, 100.0 - value, "%", 99.0, note=note))
        name = f"{what}: wrong and certain, {kind}"
        report.add(Figure(bench, name, value, "%", 0.5, "<=", note))
        value = 100.0 - float(sum_up(100.0 - covered))
        report.add(Figure(bench, f"{what}: certain (coverage), {kind}", value, "%", note=note))
    total: Counter[str] = sum((draw.wrong for draw in draws), Counter())
    for trouble, n in total.most_common(6):
        print(f"{bench:14}   {n} x {trouble}", flush=True)
