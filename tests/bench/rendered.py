"""Photoreal tables with another art than the kit's: tiles, facing, plane; no floors."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from tests.bench.matching import Scores, read_image, read_labels, score
from tests.bench.report import Report, need
from tests.shared import RENDERED
from vision.errors import UnreadableError
from vision.faces import FaceBook
from vision.layout import Board, Field, Layout, Marker
from vision.plane import plane_from_corners
from vision.reader import TableReader

PLANE, TILE, THICKNESS, MARKER = (940.0, 650.0), 35.0, 2.0, 40.0
#: Paint of the statues in sRGB: the kit's own, since nobody measured these.
PAINTS = {
    "yellow": (245, 196, 30),
    "blue": (40, 90, 190),
    "grey": (140, 143, 148),
    "purple": (128, 50, 140),
}
#: A tile of which less is seen need not be found: a hand or another tile lies over it.
IN_SIGHT = 0.6
STATUE_DIAMETER, STATUE_HEIGHT = 13.0, 26.0


def run(report: Report) -> None:
    """Reads every still."""
    stills = labels()["images"]
    total, planes = read(report.progress("rendered", stills, len(stills)))
    report.share("rendered", "plane found by its markers", planes, len(stills))
    total.report(report, "rendered", "tables")


def labels() -> dict[str, Any]:
    """What is known of the pictures."""
    return read_labels(need(RENDERED))


def read(stills: Iterable[dict[str, Any]]) -> tuple[Scores, int]:
    """How stills are read, with one picture taught for each face, and how many planes are found."""
    folder = need(RENDERED)
    crops = labels()["teach"][0]["crops"]
    book = FaceBook.teach({crop["label"]: [read_image(folder / crop["file"])] for crop in crops})
    total, planes = Scores(), 0
    for still in stills:
        image = read_image(folder / still["file"])
        reader = TableReader(layout_of_still(still), book)
        try:
            seen = reader.read(image)
            planes += 1
        except UnreadableError:
            size = (image.shape[1], image.shape[0])
            plane = plane_from_corners(still["plane"]["corners_px"], PLANE, size)
            seen = reader.read(image, plane=plane)
        items = still["items"]
        total += score(
            Path(still["file"]).name,
            seen,
            np.array([item["quad"] for item in items], np.float32),
            [item["label"] if item["facing"] == "up" else None for item in items],
            [bool(item.get("readable", True)) for item in items],
            [item["visible"] >= IN_SIGHT for item in items],
        )
    return total, planes


def layout_of_still(still: dict[str, Any]) -> Layout:
    """The table of one still; its map is a board at the place that the labels give."""
    corners, rows, columns = (still["map"][key] for key in ("corners_mm", "rows", "cols"))
    (x, y), (right_x, right_y) = corners[0], corners[1]
    side = float(np.hypot(right_x - x, right_y - y)) / columns
    fields = tuple(
        Field(f"r{r + 1}c{c + 1}", _square(c * side, r * side, side))
        for r in range(rows)
        for c in range(columns)
    )
    board = Board(
        "map",
        (columns * side, rows * side),
        (x, y),
        angle=float(np.degrees(np.arctan2(right_y - y, right_x - x))),
        thickness=THICKNESS,
        fields=fields,
    )
    width, height = PLANE
    places = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    return Layout(
        size=PLANE,
        tile=(TILE, TILE),
        tile_thickness=THICKNESS,
        markers=tuple(Marker(k, place, MARKER) for k, place in enumerate(places)),
        boards=(board,),
        piece_colours=PAINTS,
        piece_diameter=STATUE_DIAMETER,
        piece_height=STATUE_HEIGHT,
    )


def _square(x: float, y: float, side: float) -> Any:
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
