"""Flaws of pictures: from which level on they cost readings, and whether they are named by then.

Environment: FITNESS_SEEDS=5000:5004 names the kit tables that are spoiled step by step.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np

from referee.claims import layout_of
from referee.cli.kitset import kit_book
from tests.bench.kit_tables import kit_table
from tests.bench.matching import score
from tests.bench.report import Report
from vision.errors import UnreadableError
from vision.fitness import Flaw, complaints
from vision.plane import find_plane
from vision.reader import TableReader
from vision.scene.description import Rendered, Scene
from vision.scene.render import Renderer

SIZE = (1280, 720)
#: Exposure (factor), blur (sigma, px), motion (px), veil (share), glare (strength).
LEVELS: dict[Flaw, tuple[float, ...]] = {
    Flaw.DARK: (0.5, 0.12, 0.06, 0.015),
    Flaw.BRIGHT: (1.2, 1.7, 2.5, 4.0),
    Flaw.BLUR: (1.0, 1.5, 2.0, 3.0, 4.0),
    Flaw.MOTION: (3, 5, 9, 13),
    Flaw.VEIL: (0.3, 0.5, 0.7, 0.85),
    Flaw.GLARE: (0.2, 0.5, 1.0, 2.0),
}
#: A picture is harmed if less than this share of its tiles is certain and right, unharmed if more.
HARMED, UNHARMED = 0.9, 0.99


def run(report: Report) -> None:
    """Spoils each table by each flaw at each level, reads it, and asks what is wrong with it."""
    first, _, last = os.environ.get("FITNESS_SEEDS", "5000:5004").partition(":")
    seeds = range(int(first), int(last))
    harmed: Counter[bool] = Counter()
    unharmed: Counter[bool] = Counter()
    named: Counter[bool] = Counter()
    renderer = Renderer()
    for flaw, levels in LEVELS.items():
        for level in levels:
            shares, told = [], 0
            for seed in seeds:
                plan, scene = kit_table(seed, SIZE)
                spoiled = spoil(scene, flaw, level, renderer)
                share = _read(spoiled, TableReader(layout_of(plan), kit_book()))
                try:
                    scale: float | None = find_plane(spoiled.image, layout_of(plan)).px_per_mm
                except UnreadableError:
                    scale = None
                cells = {f"tile {k}": tile.quad_px for k, tile in enumerate(spoiled.tiles)}
                found = {each.flaw for each in complaints(spoiled.image, cells, None, scale)}
                shares.append(share)
                told += bool(found)
                if share < HARMED:
                    harmed[bool(found)] += 1
                    named[flaw in found] += 1
                elif share > UNHARMED:
                    unharmed[bool(found)] += 1
            print(
                f"fitness: {flaw.value} {level:g}: {np.mean(shares):.2f} of the tiles certain and "
                f"right, {told} of {len(seeds)} pictures complained about",
                flush=True,
            )
    report.share("fitness", "harmed pictures complained about", harmed[True], harmed.total())
    report.share("fitness", "harmed pictures, by the right name", named[True], named.total())
    report.share(
        "fitness", "unharmed complained about", unharmed[True], unharmed.total(), sense="<="
    )


def spoil(scene: Scene, flaw: Flaw, level: float, renderer: Renderer) -> Rendered:
    """The table with one flaw at a level; all else is ordinary."""
    sensor, lamp = replace(scene.sensor, exposure=0.95, blur=0.6), replace(scene.lamp, glare=0.0)
    match flaw:
        case Flaw.BLUR:
            sensor = replace(sensor, blur=level)
        case Flaw.DARK | Flaw.BRIGHT:
            sensor = replace(sensor, exposure=0.95 * level)
        case Flaw.GLARE:
            # Beside the camera: its mirror image lies on the table.
            lamp = replace(lamp, glare=level, place=(300.0, 200.0, 1800.0))
    rendered = renderer.render(replace(scene, sensor=sensor, lamp=lamp))
    image = rendered.image
    if flaw is Flaw.MOTION:
        image = np.asarray(cv2.blur(image, (int(level), 1)), np.uint8)
    if flaw is Flaw.VEIL:
        image = np.asarray(image * (1.0 - level) + 200.0 * level, np.uint8)
    return replace(rendered, image=image)


def _read(rendered: Rendered, reader: TableReader) -> float:
    """The share of the tiles with a name that are certain and right."""
    quads = np.array([tile.quad_px for tile in rendered.tiles], np.float32)
    labels = [tile.label if tile.face_up else None for tile in rendered.tiles]
    try:
        scores = score("", reader.read(rendered.image), quads, labels)
    except UnreadableError:
        return 0.0
    return max(0, scores.right - scores.abstained) / max(1, scores.named)
