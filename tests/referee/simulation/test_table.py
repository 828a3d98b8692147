"""Tables are laid as the placement says: everything once, where it belongs."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.games.table import (
    Board,
    Field,
    Marker,
    PlacedOverlay,
    PlacedPieces,
    PlacedTile,
    Placement,
    TablePlan,
    Zone,
)
from referee.simulation.arrangement import CARELESS, CROWDED, TIDY, Habits
from referee.simulation.conditions import Conditions, random_conditions
from referee.simulation.room import NoRoomError
from referee.simulation.table import SimulatedTable, arrange
from vision.scene.description import Flat, Scene

SIDE = 30.0


def square(x: float, y: float, width: float, height: float) -> tuple[tuple[float, float], ...]:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


PLAN = TablePlan(
    size=(500.0, 320.0),
    markers=tuple(
        Marker(i, centre, 40.0)
        for i, centre in enumerate([(0.0, 0.0), (500.0, 0.0), (500.0, 320.0), (0.0, 320.0)])
    ),
    boards=(
        Board(
            "tray",
            "tray",
            (140.0, 120.0),
            (20.0, 100.0),
            2.0,
            markers=(Marker(20, (126.0, 14.0), 16.0),),
            zones=(Zone("tray", square(-5, -5, 150, 130), square(2, 26, 136, 92)),),
        ),
        Board(
            "map",
            "map",
            (120.0, 120.0),
            (340.0, 100.0),
            3.0,
            fields=tuple(
                Field(f"f{row}{column}", (column * 40.0, row * 40.0), (40.0, 40.0))
                for row in range(3)
                for column in range(3)
            ),
        ),
    ),
    zones=(Zone("open", square(175, 40, 155, 240)),),
    tile=(SIDE, SIDE),
    tile_thickness=2.0,
    piece_colours={"red": (200, 30, 30), "blue": (30, 30, 200)},
    piece_diameter=13.0,
    piece_height=26.0,
)


def picture(grey: int) -> NDArray[np.uint8]:
    image = np.full((40, 40, 4), 255, np.uint8)
    image[..., :3] = grey
    return image


NAMES = [f"face-{i}" for i in range(8)]
ART = {name: picture(60 + 10 * i) for i, name in enumerate([*NAMES, "back", "tray", "map", "land"])}


def tiles(zone: str, count: int, *, face_up: bool = True) -> tuple[PlacedTile, ...]:
    return tuple(
        PlacedTile(NAMES[i % 8], f"label-{i % 8}", "back", zone, face_up) for i in range(count)
    )


def conditions(seed: int = 0) -> Conditions:
    return random_conditions(np.random.default_rng(seed), PLAN.size, (640, 360))


def laid(placement: Placement, seed: int = 0, habits: Habits = TIDY) -> Scene:
    return arrange(PLAN, placement, ART, np.random.default_rng(seed), conditions(), habits=habits)


def tile_flats(scene: Scene) -> list[Flat]:
    return [flat for flat in scene.flats if flat.kind == "tile"]


def quad(flat: Flat, shrunk: float = 0.0) -> NDArray[np.float64]:
    turn = math.radians(flat.angle)
    axes = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (np.array(flat.size) / 2 - shrunk)
    return np.asarray(corners @ axes + flat.centre)


def cover(one: Flat, other: Flat) -> float:
    """Area in mm² that two rectangles share, by counting points of a grid of half millimetres."""
    grid = np.stack(np.meshgrid(*(np.arange(-15, 15, 0.5) + 0.25,) * 2), axis=-1).reshape(-1, 2)
    turn, back = math.radians(one.angle), math.radians(other.angle)

    def turned(points: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
        c, s = math.cos(angle), math.sin(angle)
        return np.asarray(points @ np.array([[c, s], [-s, c]]))

    points = turned(turned(grid, turn) + one.centre - np.array(other.centre), -back)
    return float((np.abs(points) < np.array(other.size) / 2).all(axis=1).sum() / 4)


FULL = Placement(
    tiles=(*tiles("tray", 7), *tiles("open", 9), *tiles("open", 3, face_up=False)),
    pieces=(
        PlacedPieces("red", "f00", 1),
        PlacedPieces("blue", "f11", 3),
        PlacedPieces("red", "f22", 1),
        PlacedPieces("blue", "f22", 1),
    ),
    overlays=(PlacedOverlay("land", "map", (0.0, 0.0), (120.0, 120.0), 1),),
)


@pytest.mark.parametrize("habits", [TIDY, CROWDED, CARELESS])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_tile_lies_once_in_its_zone(seed: int, habits: Habits) -> None:
    flats = tile_flats(laid(FULL, seed, habits))
    wanted = Counter((t.label if t.face_up else None, t.face_up, t.zone) for t in FULL.tiles)
    assert Counter((f.label, f.face_up, f.zone) for f in flats) == wanted
    for flat in flats:
        x, y = flat.centre
        if flat.zone == "open":
            assert 175 <= x <= 330
            assert 40 <= y <= 280
            assert flat.base in (0.0, 2.0)
        else:
            # The tray is shifted and turned by a few millimetres at most.
            assert 20 - 12 <= x <= 160 + 12
            assert 100 - 12 <= y <= 220 + 12
            assert flat.base in (2.0, 4.0)


@pytest.mark.parametrize("habits", [TIDY, CROWDED])
@pytest.mark.parametrize("seed", range(6))
def test_tidy_tiles_do_not_overlap(seed: int, habits: Habits) -> None:
    flats = tile_flats(laid(FULL, seed, habits))
    for i, one in enumerate(flats):
        for other in flats[:i]:
            assert cover(one, other) == 0.0


def test_crowded_tiles_touch() -> None:
    flats = [f for f in tile_flats(laid(FULL, 4, CROWDED)) if f.zone == "open"]
    nearest = [
        min(math.dist(one.centre, other.centre) for other in flats if other is not one)
        for one in flats
    ]
    assert np.median(nearest) < SIDE + 0.5


def test_careless_tiles_lie_on_others() -> None:
    on_others = 0
    for seed in range(6):
        flats = tile_flats(laid(FULL, seed, CARELESS))
        for upper in flats:
            for lower in flats:
                if lower.base + 2.0 == upper.base:
                    on_others += cover(upper, lower) > 20.0
                elif lower is not upper and lower.base == upper.base:
                    assert cover(upper, lower) < SIDE * SIDE / 2
    assert on_others > 0


def test_what_lies_face_down_shows_its_back_and_no_label() -> None:
    down = Placement(tiles=tiles("open", 3, face_up=False))
    for flat in tile_flats(laid(down)):
        assert flat.label is None
        assert not flat.face_up
        assert flat.texture is ART["back"]


@pytest.mark.parametrize("seed", range(4))
def test_pieces_stand_on_their_fields_and_not_in_each_other(seed: int) -> None:
    pieces = laid(FULL, seed).pieces
    wanted = Counter({("red", "f00"): 1, ("blue", "f11"): 3, ("red", "f22"): 1, ("blue", "f22"): 1})
    assert Counter((p.colour, p.field) for p in pieces) == wanted
    for i, one in enumerate(pieces):
        row, column = int(str(one.field)[1]), int(str(one.field)[2])
        middle = (340 + 40 * column + 20, 100 + 40 * row + 20)
        # Within the field, give or take the board's own shift.
        assert np.abs(np.subtract(one.centre, middle)).max() < 20 + 8
        assert one.base >= 3.0
        assert one.bgr == ((30, 30, 200) if one.colour == "red" else (200, 30, 30))
        for other in pieces[:i]:
            assert math.dist(one.centre, other.centre) > 13.0


def test_boards_markers_and_overlays_lie_near_their_places() -> None:
    flats = laid(FULL, 5).flats
    markers = [f for f in flats if f.kind == "marker"]
    assert [f.centre for f in markers] == [m.centre for m in PLAN.markers]
    # 40 mm of black, 8 of 60 white on each side.
    assert markers[0].size[0] == pytest.approx(40 * (1 + 16 / 60))
    (overlay,) = (f for f in flats if f.kind == "overlay")
    (board,) = (f for f in flats if f.texture is ART["map"])
    assert math.dist(overlay.centre, board.centre) < 1e-6
    assert (overlay.angle - board.angle) % 360 == pytest.approx(90.0)
    assert overlay.base == 3.0


def test_no_two_tables_are_alike_but_a_seed_is() -> None:
    one, again, other = (tile_flats(laid(FULL, seed)) for seed in (1, 1, 2))
    assert [f.centre for f in one] == [f.centre for f in again]
    assert [f.centre for f in one] != [f.centre for f in other]


def test_too_many_tiles_and_unknown_places_are_refused() -> None:
    with pytest.raises(NoRoomError, match="200 tiles"):
        laid(Placement(tiles=tiles("tray", 200)))
    with pytest.raises(ValueError, match="'attic'"):
        laid(Placement(tiles=tiles("attic", 1)))
    with pytest.raises(ValueError, match="'f99'"):
        laid(Placement(pieces=(PlacedPieces("red", "f99", 1),)))


class Table:
    """A simulated table with a clock that stands still."""

    def __init__(self, sweep_seconds: float = 1.0) -> None:
        self.now = 100.0
        self.waits: list[float] = []
        self.table = SimulatedTable(
            PLAN,
            ART,
            conditions(),
            sweep_seconds=sweep_seconds,
            clock=lambda: self.now,
            pause=self.waits.append,
        )

    def poses(self, now: float | None = None) -> list[tuple[str | None, tuple[float, float]]]:
        return [(f.label, f.centre) for f in tile_flats(self.table.scene(now))]


def test_what_nobody_moves_stays_where_it_lies() -> None:
    live = Table()
    live.table.lay(FULL, relaid=False)
    before = Counter(live.poses())
    assert Counter(live.poses(150.0)) == before
    moved = replace(FULL.tiles[0], zone="open")
    live.table.lay(replace(FULL, tiles=(moved, *FULL.tiles[1:])), relaid=False)
    after = Counter(live.poses(1000.0))
    assert sum((before & after).values()) == len(FULL.tiles) - 1
    live.table.lay(FULL, relaid=True)
    assert sum((after & Counter(live.poses(2000.0))).values()) < 3


def test_a_hand_comes_carries_and_leaves() -> None:
    live = Table()
    live.table.lay(FULL, relaid=False)
    assert live.waits == []
    start = dict(live.poses())
    moved = replace(FULL.tiles[0], zone="open")
    live.table.lay(replace(FULL, tiles=(moved, *FULL.tiles[1:])), relaid=False)
    assert live.waits == [1.0]
    halfway = live.table.scene(100.5)
    assert len(halfway.hands) == 1
    assert len(tile_flats(halfway)) == len(FULL.tiles)
    (carried,) = (f for f in tile_flats(halfway) if f.base > 10.0)
    assert carried.label == "label-0"
    assert carried.centre not in start.values()
    # The hand holds what it carries.
    assert math.dist(halfway.hands[0].tip, carried.centre) < 1.0
    assert live.table.scene(101.01).hands == ()
    assert not any(f.base > 10.0 for f in tile_flats(live.table.scene(101.01)))


def test_what_leaves_the_table_is_carried_out_of_the_picture() -> None:
    live = Table()
    live.table.lay(FULL, relaid=False)
    live.table.lay(replace(FULL, tiles=FULL.tiles[1:]), relaid=False)
    assert live.waits == [1.0]
    (leaving,) = (f for f in tile_flats(live.table.scene(100.65)) if f.base > 2.0)
    assert leaving.label == "label-0"
    assert not 0.0 < leaving.centre[1] < 320.0
    assert len(tile_flats(live.table.scene(102.0))) == len(FULL.tiles) - 1


def test_pieces_come_by_hand_one_field_after_the_other() -> None:
    live = Table()
    live.table.lay(replace(FULL, pieces=FULL.pieces[:1]), relaid=False)
    live.table.lay(replace(FULL, pieces=FULL.pieces[:2]), relaid=False)
    assert live.waits == [1.0]
    assert len(live.table.scene(100.1).pieces) == 1
    shown = live.table.scene(100.9)
    assert len(shown.pieces) == 4
    assert len(shown.hands) == 1


def test_a_tile_turned_over_stays_in_its_place() -> None:
    live = Table(sweep_seconds=0.0)
    down = tuple(replace(tile, face_up=False) for tile in FULL.tiles)
    live.table.lay(replace(FULL, tiles=down), relaid=False)
    places = Counter(centre for _, centre in live.poses())
    live.table.lay(FULL, relaid=False)
    assert Counter(centre for _, centre in live.poses()) == places
    shown = [label for label, _ in live.poses() if label is not None]
    assert len(shown) == sum(tile.face_up for tile in FULL.tiles)


def test_frames_are_pictures_of_the_camera() -> None:
    live = Table()
    live.table.lay(FULL, relaid=False)
    rendered = live.table.rendered()
    assert rendered.image.shape == (360, 640, 3)
    assert len(rendered.tiles) == len(FULL.tiles)
    # Noise differs from frame to frame, the table does not.
    other = live.table.frame().astype(int)
    assert (other != rendered.image).any()
    assert abs(other - rendered.image).mean() < 10
