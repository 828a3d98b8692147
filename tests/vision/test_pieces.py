from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.marked_tables import MARKERS, SIZE, Image
from vision.layout import Board, Field, Layout
from vision.observation import PieceReadings
from vision.pieces import PieceReader
from vision.pieces.paints import grounds, likeness
from vision.pieces.placement import placements, silhouette
from vision.plane import find_boards, find_plane
from vision.scene.cameras import overhead_camera
from vision.scene.description import Camera, Flat, Hand, Lamp, Piece, Rendered, Scene, Sensor
from vision.scene.render import render

PAINTS = {
    "yellow": (245, 196, 30),
    "blue": (40, 90, 190),
    "grey": (140, 143, 148),
    "purple": (128, 50, 140),
}
FIELD = 40.0
GROUNDS = {
    "meadow": (140, 190, 95),
    "wood": (60, 105, 70),
    "earth": (150, 105, 75),
    "brick": (215, 130, 100),
    "rock": (128, 128, 130),
    "sand": (240, 205, 195),
}
#: Feet of one, two and three pieces on a field, from its top left corner.
FEET = {
    0: [],
    1: [(20.0, 22.0)],
    2: [(13.0, 15.0), (27.0, 26.0)],
    3: [(12.0, 13.0), (27.0, 16.0), (18.0, 28.0)],
    4: [(11.0, 11.0), (28.0, 13.0), (12.0, 28.0), (28.0, 29.0)],
}
Stand = tuple[str, int]


def board(rows: int, columns: int) -> Board:
    return Board(
        "map",
        (columns * FIELD, rows * FIELD),
        ((SIZE[0] - columns * FIELD) / 2, 120.0),
        thickness=2.0,
        fields=tuple(
            Field(
                f"r{row}c{column}",
                (
                    (column * FIELD, row * FIELD),
                    ((column + 1) * FIELD, row * FIELD),
                    ((column + 1) * FIELD, (row + 1) * FIELD),
                    (column * FIELD, (row + 1) * FIELD),
                ),
            )
            for row, column in product(range(rows), range(columns))
        ),
    )


def layout(map_board: Board) -> Layout:
    return Layout(
        SIZE,
        (35.0, 35.0),
        2.0,
        MARKERS,
        (map_board,),
        piece_colours=PAINTS,
        piece_diameter=13.0,
        piece_height=26.0,
    )


def print_of(map_board: Board, grounds: Sequence[str]) -> NDArray[np.uint8]:
    """The board's print at 3 px/mm: coloured fields with dark lines and a pale dot in a corner."""
    width, height = (round(length * 3) for length in map_board.size)
    image = np.zeros((height, width, 4), np.uint8)
    for field, ground in zip(map_board.fields, grounds, strict=True):
        (x0, y0), _, (x1, y1), _ = ((int(3 * x), int(3 * y)) for x, y in field.quad)
        image[y0:y1, x0:x1] = (*GROUNDS[ground][::-1], 255)
        cv2.circle(image, (x1 - 14, y0 + 12), 8, (225, 235, 235, 255), -1)
        cv2.rectangle(image, (x0, y0), (x1, y1), (50, 60, 50, 255), 2)
    return image


def table(
    map_board: Board,
    grounds: Sequence[str],
    stands: Mapping[str, Sequence[Stand]],
    camera: Camera,
    lamp: Lamp | None = None,
    hands: tuple[Hand, ...] = (),
) -> Rendered:
    """A picture of the table's markers and a board with pieces on its fields."""
    flats = [
        Flat(marker_print(marker.id), (76.0, 76.0), marker.centre, kind="marker")
        for marker in MARKERS
    ]
    middle = (
        map_board.origin[0] + map_board.size[0] / 2,
        map_board.origin[1] + map_board.size[1] / 2,
    )
    texture = print_of(map_board, grounds)
    flats.append(Flat(texture, map_board.size, middle, thickness=2.0, kind="board"))
    pieces = []
    for field in map_board.fields:
        colours = [colour for colour, count in stands.get(field.name, ()) for _ in range(count)]
        for colour, foot in zip(colours, FEET[len(colours)], strict=True):
            place = (
                map_board.origin[0] + field.quad[0][0] + foot[0],
                map_board.origin[1] + field.quad[0][1] + foot[1],
            )
            paint = PAINTS[colour][::-1]
            pieces.append(Piece(place, paint, colour, 13.0, 26.0, base=2.0, field=field.name))
    return render(
        Scene(
            camera,
            tuple(flats),
            tuple(pieces),
            hands,
            lamp=lamp or Lamp(),
            sensor=Sensor(noise=2.0),
            seed=3,
        )
    )


def marker_print(marker: int) -> NDArray[np.uint8]:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    black = cv2.aruco.generateImageMarker(dictionary, marker, 180)
    paper = cv2.copyMakeBorder(black, 24, 24, 24, 24, cv2.BORDER_CONSTANT, value=255)
    return np.asarray(cv2.cvtColor(paper, cv2.COLOR_GRAY2BGRA), np.uint8)


def read(image: Image, plan: Layout, grounds: Sequence[str] = ()) -> PieceReadings:
    """What is read of a picture; the board's print is known if its grounds are."""
    plane, boards = find_plane(image, plan), {board.name: board for board in plan.boards}
    bare = {"map": print_of(boards["map"], grounds)[..., :3]} if grounds else None
    return PieceReader(plan).read(image, plane, find_boards(image, plane, plan), bare)[0]


def by_field(readings: PieceReadings, plan: Layout) -> dict[str, Counter[str]]:
    """How many pieces of each colour were read on each field."""
    names = [field.name for board in plan.boards for field in board.fields]
    colours = tuple(plan.piece_colours)
    found: dict[str, Counter[str]] = {}
    for field, colour in zip(readings.field_ids, readings.colour_ids, strict=True):
        found.setdefault(names[field], Counter())[colours[colour]] += 1
    return found


#: Every number of every colour, on all grounds but rock, in a changing order.
SQUARE = board(4, 4)
SQUARE_GROUNDS = [("meadow", "wood", "earth", "brick")[(i + i // 4) % 4] for i in range(16)]
SQUARE_STANDS = {
    f"r{row}c{column}": [(colour, column)] if column else []
    for row, colour in enumerate(PAINTS)
    for column in range(4)
}


@pytest.mark.parametrize(
    "camera",
    [
        overhead_camera(SIZE, (1920, 1080), tilt=5.0),
        overhead_camera(SIZE, (1920, 1080), tilt=25.0, azimuth=20.0),
        overhead_camera(SIZE, (1280, 720), tilt=15.0, azimuth=180.0, roll=4.0),
    ],
    ids=["from above", "slanted", "from the other side, small"],
)
def test_each_number_of_each_colour_is_read(camera: Camera) -> None:
    plan = layout(SQUARE)
    seen = table(SQUARE, SQUARE_GROUNDS, SQUARE_STANDS, camera)
    readings = read(seen.image, plan, SQUARE_GROUNDS)
    expected = {
        field: Counter({colour: count})
        for field, stands in SQUARE_STANDS.items()
        for colour, count in stands
    }
    assert by_field(readings, plan) == expected
    assert readings.certain.mean() > 0.8
    feet = np.array([piece.foot_px for piece in seen.pieces])
    gaps = np.linalg.norm(readings.points_px[:, None] - feet[None], axis=-1).min(axis=1)
    assert gaps.max() < 5.0 * camera.size[0] / 1920


def test_coloured_light_changes_nothing() -> None:
    plan = layout(SQUARE)
    warm = Lamp(colour=(0.82, 1.0, 1.12), brightness=0.8)
    camera = overhead_camera(SIZE, (1280, 720), tilt=10.0)
    readings = read(
        table(SQUARE, SQUARE_GROUNDS, SQUARE_STANDS, camera, warm).image, plan, SQUARE_GROUNDS
    )
    names = [field.name for field in SQUARE.fields]
    colours = tuple(PAINTS)
    for field, colour, certain in zip(
        readings.field_ids, readings.colour_ids, readings.certain, strict=True
    ):
        assert not certain or SQUARE_STANDS[names[field]][0][0] == colours[colour]
    assert readings.certain.mean() > 0.7


def test_an_empty_map_has_no_pieces() -> None:
    plan = layout(SQUARE)
    grounds = [tuple(GROUNDS)[i % 6] for i in range(16)]
    camera = overhead_camera(SIZE, (1920, 1080), tilt=12.0)
    assert not len(read(table(SQUARE, grounds, {}, camera).image, plan))


def test_grey_on_rock_is_read_right_or_not_for_certain() -> None:
    plan = layout(SQUARE)
    stands = {f"r{row}c1": [("grey", row)] for row in range(1, 4)}
    camera = overhead_camera(SIZE, (1920, 1080), tilt=12.0)
    readings = read(table(SQUARE, ["rock"] * 16, stands, camera).image, plan, ["rock"] * 16)
    truth = {field: Counter({"grey": count}) for field, ((_, count),) in stands.items()}
    for field, found in by_field(readings.select(readings.certain), plan).items():
        assert truth.get(field) == found


def test_two_colours_on_a_field_are_both_read() -> None:
    plan = layout(SQUARE)
    stands = {"r1c1": [("blue", 1), ("yellow", 1)], "r2c2": [("purple", 2), ("yellow", 1)]}
    camera = overhead_camera(SIZE, (1920, 1080), tilt=8.0)
    picture = table(SQUARE, SQUARE_GROUNDS, stands, camera).image
    readings = read(picture, plan, SQUARE_GROUNDS)
    assert by_field(readings, plan) == {
        field: Counter(dict(colours)) for field, colours in stands.items()
    }


def test_small_blurred_pieces_on_a_pale_ground_are_read() -> None:
    """Eight pixels wide and blurred by 1.5: half of what is seen of a piece is a mixed colour."""
    plan, grounds = layout(SQUARE), ["sand"] * 16
    stands = {"r1c1": [("blue", 1)], "r2c2": [("blue", 2)], "r0c3": [("purple", 1)]}
    camera = overhead_camera(SIZE, (800, 450), tilt=8.0)
    sharp = table(SQUARE, grounds, stands, camera).image
    picture = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 1.5), np.uint8)
    assert by_field(read(picture, plan, grounds), plan) == {
        field: Counter(dict(colours)) for field, colours in stands.items()
    }


def test_one_more_than_the_rules_allow_is_read_too() -> None:
    plan = layout(SQUARE)
    stands = {"r1c1": [("blue", 4)], "r2c3": [("yellow", 4)], "r3c2": [("purple", 3)]}
    camera = overhead_camera(SIZE, (1920, 1080), tilt=8.0)
    picture = table(SQUARE, SQUARE_GROUNDS, stands, camera).image
    readings = read(picture, plan, SQUARE_GROUNDS)
    assert by_field(readings, plan) == {
        field: Counter(dict(colours)) for field, colours in stands.items()
    }
    assert readings.certain.all()


def test_a_covered_map_says_nothing_for_certain() -> None:
    plan = layout(SQUARE)
    middle = (SIZE[0] / 2, SQUARE.origin[1] + 80.0)
    hand = Hand((middle[0], middle[1] - 120.0), (middle[0], 700.0), width=210.0)
    camera = overhead_camera(SIZE, (1920, 1080), tilt=5.0)
    shown = table(SQUARE, SQUARE_GROUNDS, SQUARE_STANDS, camera, hands=(hand,))
    hidden = {piece.field for piece in shown.pieces if piece.visible < 0.05}
    assert len(hidden) > 3
    readings = read(shown.image, plan, SQUARE_GROUNDS)
    visible = {piece.field for piece in shown.pieces if piece.visible > 0.0}
    names = [field.name for field in SQUARE.fields]
    certain = {names[field] for field in readings.field_ids[readings.certain]}
    assert not certain & (hidden - visible)


def test_a_table_without_colours_is_not_searched() -> None:
    plan = replace(layout(SQUARE), piece_colours={})
    camera = overhead_camera(SIZE, (1280, 720))
    assert not len(read(table(SQUARE, SQUARE_GROUNDS, SQUARE_STANDS, camera).image, plan))


def test_a_silhouette_reaches_from_foot_to_head() -> None:
    shape = silhouette((20.0, 0.0), 12.0)
    assert np.abs(shape.body[:, 1]).max() in (5, 6)
    assert shape.body[:, 0].min() in (-6, -5)
    assert 19 <= shape.body[:, 0].max() <= 22
    assert not {tuple(p) for p in shape.body.tolist()} & {tuple(p) for p in shape.rim.tolist()}


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_touching_discs_are_counted(count: int) -> None:
    shape = silhouette((0.0, 0.0), 14.0)
    evidence = np.full((80, 80), -1.0, np.float32)
    truth = [(33, 38), (47, 38), (40, 50), (40, 26)][:count]
    for foot in truth:
        cv2.circle(evidence, foot, 7, 1.0, -1)
    grid = np.array(list(product(range(24, 58, 2), repeat=2)))
    found = list(placements(evidence, np.ones((80, 80), np.uint8), grid, shape, 4))
    best = max(found, key=lambda placement: placement.worth)
    assert len(best.feet) == count
    gaps = np.linalg.norm(np.array(best.feet)[:, None] - np.array(truth)[None], axis=-1)
    assert gaps.min(axis=1).max() <= 2.0
    assert best.spill < 0.05


def test_a_large_area_of_the_colour_is_no_piece() -> None:
    evidence = np.full((80, 80), 0.6, np.float32)
    grid = np.array(list(product(range(24, 58, 2), repeat=2)))
    shape = silhouette((4.0, 2.0), 14.0)
    assert all(
        placement.worth <= 0.0
        for placement in placements(evidence, np.ones((80, 80), np.uint8), grid, shape, 4)
    )


def test_no_candidates_make_no_placement() -> None:
    none = np.zeros((0, 2), np.intp)
    seen = np.ones((40, 40), np.uint8)
    evidence = np.ones((40, 40), np.float32)
    assert not list(placements(evidence, seen, none, silhouette((0.0, 0.0), 14.0), 3))


def test_the_ground_is_what_most_of_a_field_shows_beside_paint() -> None:
    patch = np.full((40, 80, 3), (90, 200, 140), np.uint8)
    patch[:, 40:] = (40, 60, 160)
    painted = np.full((40, 80), -1.0, np.float32)
    for left in (0, 40):
        # More than half of the field bears paint.
        patch[:26, left + 2 : left + 38], painted[:26, left + 2 : left + 38] = (30, 196, 245), 1.0
    quads = np.array([[(x, 0), (x + 39, 0), (x + 39, 39), (x, 39)] for x in (0, 40)], np.float32)
    assert grounds(patch, painted, quads).tolist() == [[90, 200, 140], [40, 60, 160]]


def test_a_pixel_is_its_own_ground() -> None:
    ground = np.full((2, 3, 3), (90, 200, 140), np.uint8)
    patch = ground.copy()
    patch[0, 0] = (190, 100, 40)
    alike = likeness(patch, ground)
    assert alike[0, 0] < 1e-3
    assert np.allclose(alike.ravel()[1:], 1.0)
