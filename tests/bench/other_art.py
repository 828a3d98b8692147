"""The kit's tables with another art on each: faces and boards that nobody drew, by the seed.

What is tuned on one game's pictures easily fails on the next game's. Each set is taught from one
rendered photograph of its faces. It needs the icons of the group `train`.

Environment: OTHER_ART_SEEDS=20 or 100:120 reads other tables (default 40 of them), and
OTHER_ART_FAILURES=DIR keeps the pictures of those that were not read exactly.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.tables.grounds import board
from referee.claims import layout_of
from referee.games.table import TablePlan
from tests.bench.kit_tables import kit_table
from tests.bench.matching import Scores, keep, score, seeds_from
from tests.bench.report import AbsentError, Report
from vision.errors import UnreadableError
from vision.faces import BACK, FaceBook, straighten
from vision.layout import Layout
from vision.observation import Observation
from vision.reader import TableReader
from vision.scene.cameras import overhead_camera
from vision.scene.description import Flat, Lamp, Scene
from vision.scene.render import render

Image = NDArray[np.uint8]

SIZE = (1920, 1080)
SEEDS = 40
#: Side of a print, and scale of a board's: the renderer takes two samples a pixel.
SIDE, PX_PER_MM = 110, 3.0
#: People tell the faces of a set apart at a glance: blurred, in no turn two of them differ by less,
#: in levels (root of the mean square).
APART = 18.0
#: Share of the boards that show another print, and of those in about the tiles' own colour.
FOREIGN, ALIKE = 0.8, 0.4
#: Tiles of which less is seen need not be found, as in the path-traced tables.
IN_SIGHT = 0.6
#: Side of a taught picture in pixels, and the distance of the faces in the photograph in tiles.
TAUGHT, PITCH = 56, 1.7


def run(report: Report) -> None:
    """Renders and reads every table."""
    if importlib.util.find_spec("qtawesome") is None:
        raise AbsentError("the packages of the group train are not installed")
    total, seeds = Scores(), seeds_from("OTHER_ART_SEEDS", range(SEEDS))
    for seed in report.progress("other art", seeds, len(seeds)):
        plan, scene, book = other_table(seed)
        drawn, layout = render(scene), layout_of(plan)
        try:
            seen = TableReader(layout, book).read(drawn.image)
        except UnreadableError as fault:
            print(f"other art: seed {seed}: {fault.what}", flush=True)
            seen = Observation(0, 0.0, SIZE, "", "")
        scores = score(
            f"seed {seed}",
            seen,
            np.array([tile.quad_px for tile in drawn.tiles], np.float32),
            [tile.label if tile.face_up else None for tile in drawn.tiles],
            in_sight=[tile.visible >= IN_SIGHT for tile in drawn.tiles],
        )
        total += scores
        if not scores.exact:
            keep("OTHER_ART_FAILURES", f"{seed:03}", drawn.image, seen)
    total.report(report, "other art", "tables")


def other_table(seed: int) -> tuple[TablePlan, Scene, FaceBook]:
    """The kit's table of a seed with other faces and boards, and a book that knows the faces."""
    plan, scene = kit_table(seed, SIZE)
    layout = layout_of(plan)
    rng = np.random.default_rng([seed, 30])
    labels = sorted({tile.label for tile in scene.flats if tile.kind == "tile" and tile.label})
    faces = _faces(rng, [*labels, BACK])
    light = np.median(faces[labels[0]][0][..., :3], axis=(0, 1)).tolist()
    flats = []
    for flat in scene.flats:
        if flat.kind == "tile":
            prints = faces[flat.label if flat.face_up and flat.label else BACK]
            flat = replace(flat, texture=prints[int(rng.integers(len(prints)))])
        elif flat.kind == "board" and rng.random() < FOREIGN:
            like = light if rng.random() < ALIKE else None
            flat = replace(flat, texture=_other_board(rng, flat, layout, like))
        flats.append(flat)
    book = FaceBook.teach(_photographed({name: prints[0] for name, prints in faces.items()}, seed))
    return plan, replace(scene, flats=tuple(flats)), book


def _faces(rng: np.random.Generator, names: list[str]) -> dict[str, tuple[Image, ...]]:
    """The prints of each name, BGRA, in all their frames; the last name is that of the back."""
    from models.prints import Prints

    prints = Prints(rng)
    while True:
        faces = prints.set(len(names) - 1, SIDE, backs=1)
        if min(_gap(a.print, b.print) for k, a in enumerate(faces) for b in faces[:k]) >= APART:
            return {
                name: (face.print, *face.others) for name, face in zip(names, faces, strict=True)
            }


def _gap(one: Image, other: Image) -> float:
    """How far two prints are apart in the turn in which they are most alike, in levels."""
    a, b = (cv2.GaussianBlur(print_[..., :3], (0, 0), SIDE / 40) for print_ in (one, other))
    turns = (np.rot90(a, turn).astype(np.float32) for turn in range(4))
    return min(float(np.sqrt(((turned - b) ** 2).mean())) for turned in turns)


def _other_board(
    rng: np.random.Generator, flat: Flat, layout: Layout, like: list[float] | None
) -> Image:
    """Another print for a board, which keeps its own markers."""
    size = tuple(round(length * PX_PER_MM) for length in flat.size)
    colour = None if like is None else (int(like[0]), int(like[1]), int(like[2]))
    print_, _ = board(rng, (size[0], size[1]), min(layout.tile) * PX_PER_MM, colour)
    own = cv2.resize(flat.texture, print_.shape[1::-1], interpolation=cv2.INTER_AREA)
    print_[..., 3] = own[..., 3]
    markers = {m for b in layout.boards if b.size == flat.size for m in b.markers}
    for marker in markers:
        low, high = (
            np.rint((np.array(marker.centre) + sign * 0.7 * marker.side) * PX_PER_MM).astype(int)
            for sign in (-1, 1)
        )
        window = (slice(max(0, low[1]), high[1]), slice(max(0, low[0]), high[0]))
        print_[window] = own[window]
    return print_


def _photographed(prints: Mapping[str, Image], seed: int) -> dict[str, list[Image]]:
    """Each print cut out of one picture of all of them on a pale table, in a light of its own."""
    rng, side = np.random.default_rng([seed, 31]), 35.0
    columns = 5
    flats = tuple(
        Flat(
            print_,
            (side, side),
            (PITCH * side * (k % columns + 1), PITCH * side * (k // columns + 1)),
            label=name,
        )
        for k, (name, print_) in enumerate(prints.items())
    )
    rows = -(-len(flats) // columns)
    camera = overhead_camera((PITCH * side * (columns + 1), PITCH * side * (rows + 1)), (1280, 720))
    colour = (float(rng.uniform(0.8, 1.1)), 1.0, float(rng.uniform(0.9, 1.2)))
    drawn = render(Scene(camera, flats, surface="laminate", lamp=Lamp(colour=colour), seed=seed))
    quads = np.array([tile.quad_px for tile in drawn.tiles], np.float32)
    crops = straighten(drawn.image, quads, (TAUGHT, TAUGHT))
    return {str(tile.label): [crop] for tile, crop in zip(drawn.tiles, crops, strict=True)}
