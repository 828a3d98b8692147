"""The kit's own tables out of random games, rendered under ordinary to poor conditions, and read.

Environment: KIT_TABLES_SEEDS=20 or 100:120 reads fewer tables; KIT_TABLES_FAILURES=DIR keeps the
pictures of tables that were not read exactly, plain and with the readings drawn into them.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import numpy as np

from referee.claims import layout_of
from referee.cli.kitset import kit_book, kit_edition
from referee.games.table import Placement, TablePlan
from referee.games.tumult_royale import PLAYERS, Reveal, deal, play
from referee.games.tumult_royale.art import drawings
from referee.games.tumult_royale.table import placement, spinner_centre, table_plan
from referee.kit.raster import rasterise
from referee.simulation.arrangement import CROWDED, TIDY
from referee.simulation.conditions import random_conditions
from referee.simulation.staging import Art
from referee.simulation.table import SimulatedTable, arrange
from tests.bench.matching import Scores, keep, score, seeds_from
from tests.bench.report import Figure, Report
from vision.errors import UnreadableError
from vision.observation import NONE, Observation
from vision.reader import TableReader
from vision.scene.description import Flat, Rendered, Scene
from vision.scene.render import Renderer

#: Field and colour of a statue; None where it is not known.
Standing = tuple[str | None, str | None]

SIZES = ((1280, 720), (1920, 1080))
SEEDS = 200
#: Two samples a pixel at the larger size need no more.
ART_PX_PER_MM = 3.0
#: Of the tables, so many have their tiles pushed together, and so many have some face down.
CROWDED_SHARE, FACE_DOWN_SHARE = 0.25, 0.3
SUPPORTERS = ("supporter-1", "supporter-5", "supporter-10")
#: Every position is taken after the reveal of one of the first rounds.
LAST_ROUND = 6
#: Frames of a moving table by which the renderer's speed is measured, and seconds between them.
FRAMES, FRAME_SECONDS = 60, 1 / 15


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts over tables, beside those of the tiles."""

    tables: int = 0
    exact: int = 0
    zones: int = 0
    """Tiles that were found, and given to the zone that they lie in."""
    statues: int = 0
    on_field: int = 0
    coloured: int = 0
    statues_exact: int = 0
    """Tables with every statue on its field, in its colour, and none else."""
    statues_extra: int = 0
    """Readings of a statue on a field that bears fewer."""
    statues_wrong: int = 0
    """Certain readings of a statue that does not stand there."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            *(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__)
        )


def run(report: Report) -> None:
    """Renders and reads every table at both sizes, then measures the renderer's speed."""
    seeds = seeds_from("KIT_TABLES_SEEDS", range(SEEDS))
    for size in SIZES:
        name = f"kit {size[0]}x{size[1]}"
        tiles, tally = Scores(), Tally()
        rendering: list[float] = []
        reading: list[float] = []
        renderer = Renderer()
        for seed in report.progress(name, seeds, len(seeds)):
            plan, scene = kit_table(seed, size)
            began = time.perf_counter()
            rendered = renderer.render(scene)
            rendering.append(time.perf_counter() - began)
            reader = TableReader(layout_of(plan), kit_book())
            began = time.perf_counter()
            try:
                seen = reader.read(rendered.image)
            except UnreadableError as fault:
                print(f"{name}: seed {seed}: {fault.what}", flush=True)
                seen = Observation(0, 0.0, size, "", "")
            reading.append(time.perf_counter() - began)
            scores, one = _compare(f"seed {seed}", seen, rendered)
            tiles, tally = tiles + scores, tally + one
            if not one.exact:
                keep("KIT_TABLES_FAILURES", f"{size[0]}-{seed:03}", rendered.image, seen)
        _report(report, name, tiles, tally)
        report.add(Figure(name, "rendering, median", 1000 * statistics.median(rendering), "ms"))
        report.add(Figure(name, "reading, median", 1000 * statistics.median(reading), "ms"))
    report.add(_speed())


def kit_table(seed: int, size: tuple[int, int]) -> tuple[TablePlan, Scene]:
    """A table of 2, 3 or 4 players after a reveal, lying as people lay it; the same for a seed."""
    plan, laid = kit_position(seed)
    rng = np.random.default_rng([seed, 20])
    if rng.random() < FACE_DOWN_SHARE:
        down = rng.choice(len(laid.tiles), int(rng.integers(1, 4)), replace=False)
        tiles = [replace(t, face_up=i not in down) for i, t in enumerate(laid.tiles)]
        laid = replace(laid, tiles=tuple(tiles))
    habits = CROWDED if rng.random() < CROWDED_SHARE else TIDY
    conditions = random_conditions(np.random.default_rng([seed, 21]), plan.size, size)
    scenery = _scenery(rng, 2 + seed % 3)
    return plan, arrange(plan, laid, kit_art(), rng, conditions, habits=habits, scenery=scenery)


@cache
def kit_art() -> Art:
    """All drawings of the kit as pictures."""
    return {
        name: rasterise(drawing, ART_PX_PER_MM) for name, drawing in drawings(kit_edition()).items()
    }


def kit_position(seed: int) -> tuple[TablePlan, Placement]:
    """A position after a reveal of a game between players of all kinds."""
    chance = Random(seed)
    players = [PLAYERS[chance.choice(sorted(PLAYERS))] for _ in range(2 + seed % 3)]
    wanted = chance.randint(1, LAST_ROUND)
    shown = dealt = deal(kit_edition(), len(players), chance)
    for move, state in play(dealt, players, chance):
        if isinstance(move, Reveal):
            shown = state
            if state.round >= wanted:
                break
    return table_plan(kit_edition(), [seat.colour for seat in shown.seats]), placement(shown)


def _scenery(rng: np.random.Generator, seats: int) -> tuple[Flat, ...]:
    """What lies about and is no tile: the spinner, and each seat's cards and supporters.

    They fill the gap between the castles: spinner and supporters left, cards right.
    """
    sizes = kit_edition().sizes
    x, y = spinner_centre(sizes)
    things = [("spinner", (x, y), float(rng.uniform(0.0, 360.0)), 2.0)]
    spots = [(x + dx, y + dy) for dx in range(-75, 90, 30) for dy in (-80.0, 80.0)]
    things += [
        (str(rng.choice(SUPPORTERS)), tuple(spot), float(rng.uniform(0.0, 360.0)), 1.5)
        for spot in rng.choice(spots, 2 * seats, replace=False)
    ]
    right = sizes.plane[0] - x
    cells = [(right + dx, y + dy) for dx in (-62.0, -14.0) for dy in (-70.0, 0.0, 70.0)]
    cells += [(right + 34.0, y - 70.0), (right + 34.0, y + 70.0)]
    cards = [f"nobility-{rank + 1}" for rank in range(seats)]
    cards += [str(rng.choice(["mercy", "no-mercy"])) for _ in range(seats)]
    things += [
        (card, tuple(cell), float(rng.normal(0.0, 1.0)), 0.3)
        for card, cell in zip(cards, rng.permutation(cells), strict=False)
    ]
    return tuple(
        Flat(
            kit_art()[name],
            drawings(kit_edition())[name].size,
            (float(centre[0]), float(centre[1])),
            angle,
            thickness=thickness,
            kind="scenery",
        )
        for name, centre, angle, thickness in things
    )


def _compare(name: str, seen: Observation, rendered: Rendered) -> tuple[Scores, Tally]:
    truth = rendered.tiles
    quads = np.array([tile.quad_px for tile in truth], np.float32)
    scores = score(name, seen, quads, [tile.label if tile.face_up else None for tile in truth])
    zones = 0
    for tile, quad in zip(truth, quads, strict=True):
        if not len(seen.tiles):
            break
        apart = np.linalg.norm(seen.tiles.quads_px.mean(axis=1) - quad.mean(axis=0), axis=1)
        near = apart.min() < np.linalg.norm(quad[0] - quad[2]) / 2
        zones += bool(near) and seen.tile_zone(int(apart.argmin())) == tile.zone
    true: Counter[Standing] = Counter((piece.field, piece.colour) for piece in rendered.pieces)
    pairs = [(seen.piece_field(k), seen.piece_colour(k)) for k in range(len(seen.pieces))]
    sure = Counter(
        pair
        for k, pair in enumerate(pairs)
        if seen.pieces.certain[k] and seen.pieces.field_ids[k] != NONE
    )
    read = Counter(pairs)
    fields = Counter(field for field, _ in true.elements())
    seen_fields = Counter(field for field, _ in read.elements())
    return scores, Tally(
        tables=1,
        exact=int(scores.exact == 1 and zones == len(truth)),
        zones=zones,
        statues=true.total(),
        on_field=(fields & seen_fields).total(),
        coloured=(true & read).total(),
        statues_exact=int(true == read),
        statues_extra=(seen_fields - fields).total(),
        statues_wrong=(sure - true).total(),
    )


def _report(report: Report, name: str, tiles: Scores, tally: Tally) -> None:
    report.share(name, "tables exact", tally.exact, tally.tables, 90.0)
    report.add(
        Figure(name, "wrong and certain", tiles.wrong, "tiles", 0.0, "<=", f"of {tiles.tiles}")
    )
    report.share(name, "abstained", tiles.abstained, tiles.named, sense="<=")
    report.share(name, "tiles found", tiles.found, tiles.tiles)
    report.share(name, "facing right", tiles.facing, tiles.tiles)
    report.share(name, "face right", tiles.right, tiles.named)
    report.share(name, "zone right", tally.zones, tiles.tiles)
    report.share(name, "readings of nothing", tiles.extra, tiles.tiles, sense="<=")
    report.share(name, "statues on their field", tally.on_field, tally.statues)
    report.share(name, "statues by field and colour", tally.coloured, tally.statues)
    report.share(name, "statues that are none", tally.statues_extra, tally.statues, sense="<=")
    report.share(name, "tables with all statues right", tally.statues_exact, tally.tables)
    report.add(
        Figure(
            name,
            "statues wrong and certain",
            tally.statues_wrong,
            "statues",
            sense="<=",
            note=f"of {tally.statues}",
        )
    )
    for line in tiles.failed:
        print(f"{name:14}   {line}", flush=True)


def _speed() -> Figure:
    """Frames a second of a table of four at which a hand moves tiles about."""
    plan, laid = kit_position(2)
    conditions = random_conditions(np.random.default_rng(0), plan.size, SIZES[0])
    waits: list[float] = []
    table = SimulatedTable(
        plan, kit_art(), conditions, sweep_seconds=1.0, clock=lambda: 0.0, pause=waits.append
    )
    table.lay(laid, relaid=False)
    table.rendered()
    table.lay(laid, relaid=True)
    times = []
    for frame in range(min(FRAMES, int(sum(waits) / FRAME_SECONDS))):
        began = time.perf_counter()
        table.rendered(frame * FRAME_SECONDS)
        times.append(time.perf_counter() - began)
    rate = 1.0 / statistics.median(times)
    return Figure("scene", "1280x720, hand and tiles moving", rate, "frames/s", 10.0)
