"""Real photographs of Qwirkle: black tiles, touching in rows, on a printed board."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.bench.matching import Scores, read_image, read_labels, score
from tests.bench.report import Report, need
from tests.shared import REAL
from vision.faces import FaceBook
from vision.layout import Layout
from vision.plane import plane_from_corners
from vision.reader import TableReader

#: The board is 16 x 16 cells; a cell, and so a tile, is called 40 mm.
CELL, CELLS = 40.0, 16


def run(report: Report) -> None:
    """Reads every photo at full and at 0.7 size."""
    photos = labels()["images"]
    for size in (1.0, 0.7):
        bench = f"qwirkle {size:g}"
        total = read(report.progress(bench, photos, len(photos)), size)
        total.report(report, bench, "photos", found_floor=98.0, right_floor=95.0)


def labels() -> dict[str, Any]:
    """What is known of the pictures."""
    return read_labels(need(REAL / "qwirkle_tables"))


def read(photos: Iterable[dict[str, Any]], size: float) -> Scores:
    """How photos are read whose sides are `size` times as long; one crop of each face is taught."""
    folder = need(REAL / "qwirkle_tables")
    faces = {_label(crop): [read_image(folder / crop["file"])] for crop in labels()["teach"]}
    layout = Layout(size=(CELL * CELLS, CELL * CELLS), tile=(CELL, CELL))
    reader = TableReader(layout, FaceBook.teach(faces))
    return sum((_read(reader, folder, photo, size) for photo in photos), Scores())


def _read(reader: TableReader, folder: Path, photo: dict[str, Any], size: float) -> Scores:
    image = read_image(folder / photo["file"])
    resized = cv2.resize(image, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    # Pixel centres are whole numbers: they move when the picture shrinks.
    corners, quads = (
        (np.array(points, np.float32) + 0.5) * size - 0.5
        for points in (photo["board_corners"], [item["quad"] for item in photo["items"]])
    )
    plane = plane_from_corners(corners, reader.layout.size, (resized.shape[1], resized.shape[0]))
    seen = reader.read(np.asarray(resized, np.uint8), plane=plane)
    return score(photo["file"], seen, quads, [_label(item) for item in photo["items"]])


def _label(item: dict[str, Any]) -> str:
    return f"{item['label']['shape']}-{item['label']['colour']}"
