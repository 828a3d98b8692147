"""Real photographs of Qwirkle: black tiles, touching in rows, on a printed board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.bench.matching import Scores, read_image, score
from tests.bench.report import Report, need
from tests.shared import REAL
from vision.faces import FaceBook
from vision.layout import Layout
from vision.plane import plane_from_corners
from vision.reader import TableReader

#: The board is 16 x 16 cells; a cell, and so a tile, is called 40 mm.
CELL, CELLS = 40.0, 16


def run(report: Report) -> None:
    """Teaches one crop for each face and reads every photo, at full and at 0.7 size."""
    folder = need(REAL / "qwirkle_tables")
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    faces = {_label(crop): [read_image(folder / crop["file"])] for crop in labels["teach"]}
    layout = Layout(size=(CELL * CELLS, CELL * CELLS), tile=(CELL, CELL))
    book = FaceBook.teach(faces)
    reader = TableReader(layout, book)
    for size in (1.0, 0.7):
        bench = f"qwirkle {size:g}"
        photos = report.progress(bench, labels["images"], len(labels["images"]))
        total = sum((_read(reader, folder, photo, size) for photo in photos), Scores())
        total.report(report, bench, "photos", found_floor=98.0, right_floor=95.0)


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
