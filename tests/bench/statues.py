"""Statues on the fields of maps: path-traced tables with another art, and the kit's own tables.

Of the kit's maps the print is known, as in a match; of the others it is not.

Environment: STATUES_SEEDS=40 reads so many kit tables of each size (default 100), and
STATUES_FAILURES=DIR keeps the maps with fields that were not read rightly, what was read drawn in.
"""

from __future__ import annotations

import os
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.claims import layout_of
from referee.kit.bare import BareBoards
from tests.bench.kit_tables import SIZES, kit_art, kit_position, kit_table
from tests.bench.matching import read_image, read_labels
from tests.bench.rendered import layout_of_still
from tests.bench.report import Figure, Report, need
from tests.shared import RENDERED
from vision.errors import UnreadableError
from vision.layout import Layout
from vision.observation import NONE, PieceReadings
from vision.pieces import PieceReader
from vision.plane import find_boards, find_plane, plane_from_corners
from vision.scene.render import Renderer

Image = NDArray[np.uint8]
#: Statues by field: how many of each colour.
Standing = Mapping[str, Counter[str]]
#: A statue of which the camera sees less than this share is hidden: nobody could read it.
HIDDEN = 0.15
SEEDS = 100


def run(report: Report) -> None:
    """Reads the statues of every still whose labels are there, and of rendered kit tables."""
    for size in SIZES:
        name = f"statues {size[1]}"
        tally, times, renderer = Counter[str](), list[float](), Renderer()
        seeds = range(int(os.environ.get("STATUES_SEEDS", SEEDS)))
        for seed in report.progress(name, seeds, len(seeds)):
            plan, scene = kit_table(seed, size)
            drawn = renderer.render(scene)
            true: dict[str, Counter[str]] = defaultdict(Counter)
            for piece in drawn.pieces:
                true[piece.field or ""][piece.colour] += 1
            hidden = {piece.field or "" for piece in drawn.pieces if piece.visible < HIDDEN}
            key = f"kit-{size[1]}-{seed}"
            bare = BareBoards(plan, kit_art()).faces(kit_position(seed)[1])
            tally += _read(drawn.image, layout_of(plan), true, hidden, key, times, bare=bare)
        _report(report, name, tally, times)
    folder = need(RENDERED)
    stills = read_labels(folder)["images"]
    tally, times = Counter[str](), list[float]()
    for still in report.progress("statues", stills, len(stills)):
        true = defaultdict(Counter)
        hidden = set()
        for statue in still["statues"]:
            name = f"r{statue['field'][0] + 1}c{statue['field'][1] + 1}"
            true[name][statue["colour"]] += 1
            if statue["visible"] < HIDDEN:
                hidden.add(name)
        image = read_image(folder / still["file"])
        name = Path(still["file"]).stem
        corners = still["plane"]["corners_px"]
        tally += _read(image, layout_of_still(still), true, hidden, name, times, corners)
    _report(report, "statues", tally, times)


def _read(
    image: Image,
    layout: Layout,
    true: Standing,
    hidden: set[str],
    name: str,
    times: list[float],
    corners: Sequence[Sequence[float]] | None = None,
    bare: Mapping[str, Image] | None = None,
) -> Counter[str]:
    """Reads a picture and counts; `corners` of the plane are used if its markers aren't found.

    `bare` are the faces of boards as far as they are known.
    """
    try:
        plane = find_plane(image, layout)
    except UnreadableError:
        if corners is None:
            return Counter({"planes not found": 1})
        plane = plane_from_corners(corners, layout.size, (image.shape[1], image.shape[0]))
    boards = find_boards(image, plane, layout)
    reader = PieceReader(layout)
    began = time.perf_counter()
    pieces, sure = reader.read(image, plane, boards, bare)
    times.append(time.perf_counter() - began)
    fields = [field.name for board in layout.boards for field in board.fields]
    colours = tuple(layout.piece_colours)
    read: dict[str, Counter[str]] = defaultdict(Counter)
    for field, colour in zip(pieces.field_ids.tolist(), pieces.colour_ids.tolist(), strict=True):
        read[fields[field]]["?" if colour == NONE else colours[colour]] += 1
    tally, trouble = Counter[str](maps=1), list[str]()
    for index, field in enumerate(fields):
        t, r = true.get(field, Counter()), read.get(field, Counter())
        certain = bool(sure[index])
        tally["fields"] += 1
        tally["statues"] += t.total()
        tally["on their field"] += min(t.total(), r.total())
        tally["right"] += (t & r).total()
        tally["none"] += max(0, r.total() - t.total())
        tally["certain"] += r.total() if certain else 0
        tally["wrong and certain"] += max((r - t).total(), (t - r).total()) if certain else 0
        tally["bearing"] += bool(t)
        tally["bearing, sure"] += bool(t) and certain
        tally["fields sure"] += certain
        tally["fields wrong and sure"] += certain and t != r
        tally["hidden"] += field in hidden
        if t != r:
            mark = " SURE" if certain else " (hidden)" if field in hidden else ""
            trouble.append(f"{field} {_words(t)} read as {_words(r)}{mark}")
    tally["exact"] += not trouble
    tally["exact but for hidden"] += all("(hidden)" in words for words in trouble)
    if trouble:
        print(f"{name}: {'; '.join(trouble)}", flush=True)
        _keep(name, image, pieces, layout)
    return tally


def _report(report: Report, bench: str, tally: Counter[str], times: list[float]) -> None:
    statues, fields = tally["statues"], tally["fields"]
    report.share(bench, "statues by field and colour", tally["right"], statues, 99.8)
    report.share(bench, "statues on their field", tally["on their field"], statues)
    report.share(bench, "statues that are none", tally["none"], statues, sense="<=")
    wrong = tally["wrong and certain"]
    note = f"of {statues}"
    report.add(Figure(bench, "statues wrong and certain", wrong, "statues", 0.0, "<=", note))
    report.share(bench, "statues certain", tally["certain"], statues)
    report.share(
        bench, "fields with statues that are sure", tally["bearing, sure"], tally["bearing"]
    )
    report.share(bench, "fields sure", tally["fields sure"], fields)
    wrong = tally["fields wrong and sure"]
    report.add(Figure(bench, "fields wrong and sure", wrong, "fields", 0.0, "<=", f"of {fields}"))
    report.share(bench, "whole maps exact", tally["exact"], tally["maps"])
    report.add(Figure(bench, "planes not found", tally["planes not found"], "pictures", sense="<="))
    if times:
        report.add(Figure(bench, "time a map", 1e3 * statistics.median(times), "ms", sense="<="))


def _words(standing: Counter[str]) -> str:
    return " + ".join(f"{n} {colour}" for colour, n in sorted(standing.items()) if n) or "nothing"


def _keep(name: str, image: Image, pieces: PieceReadings, layout: Layout) -> None:
    folder = os.environ.get("STATUES_FAILURES")
    if not folder:
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    shown = image.copy()
    paints = [*(paint[::-1] for paint in layout.piece_colours.values()), (0, 0, 0)]
    for (x, y), colour, certain in zip(
        pieces.points_px.tolist(), pieces.colour_ids.tolist(), pieces.certain.tolist(), strict=True
    ):
        place = (round(x), round(y))
        cv2.circle(shown, place, 4, paints[colour], -1)
        cv2.circle(shown, place, 5, (255, 255, 255) if certain else (0, 0, 255), 1)
    cv2.imwrite(str(Path(folder) / f"{name}.png"), shown)
