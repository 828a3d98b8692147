"""The table plan: what the rules and the brief of the kit say about places and sizes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from referee.games.table import Board, TablePlan
from referee.games.tumult_royale import (
    COLOURS,
    Edition,
    Phase,
    Reveal,
    SetAside,
    Spin,
    State,
    TimeUp,
    apply,
    deal,
    legal_moves,
    load_edition,
)
from referee.games.tumult_royale.art import drawings
from referee.games.tumult_royale.table import (
    castle_yard,
    placement,
    spinner_centre,
    table_plan,
    tile_name,
)

Box = tuple[float, float, float, float]

PLAYERS = (2, 3, 4)


@pytest.fixture(scope="module")
def edition() -> Edition:
    return load_edition("kit")


@pytest.fixture(params=PLAYERS)
def plan(request: pytest.FixtureRequest, edition: Edition) -> TablePlan:
    return table_plan(edition, COLOURS[: request.param])


def overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def box(board: Board) -> Box:
    (x, y), (width, height) = board.origin, board.size
    return x, y, x + width, y + height


def bounds(polygon: tuple[tuple[float, float], ...]) -> Box:
    xs, ys = zip(*polygon, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


@pytest.mark.parametrize(("players", "fields"), [(2, 36), (3, 54), (4, 72)])
def test_the_map_has_six_rows_of_fields(edition: Edition, players: int, fields: int) -> None:
    # Rules section 2: 6x6, 6x9 or 6x12 fields.
    board = table_plan(edition, COLOURS[:players]).boards[0]
    assert board.name == "map"
    names = [field.name for field in board.fields]
    assert len(names) == len(set(names)) == fields
    assert names[0] == "r1c1"
    assert names[-1] == f"r6c{3 * players}"
    assert all(field.size == (40.0, 40.0) for field in board.fields)


def test_boards_and_markers_keep_apart(plan: TablePlan) -> None:
    boxes = [box(board) for board in plan.boards]
    for marker in plan.markers:
        half = marker.side / 2 + 8.0
        x, y = marker.centre
        boxes.append((x - half, y - half, x + half, y + half))
    assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]


def test_the_spinner_lies_on_nothing(edition: Edition, plan: TablePlan) -> None:
    x, y = spinner_centre(edition.sizes)
    assert (x, y) == (105.0, 310.0)
    disc = (x - 50.0, y - 50.0, x + 50.0, y + 50.0)
    zones = [zone.polygon for zone in plan.zones]
    marker = (-38.0, 272.0, 38.0, 348.0)
    assert not any(overlap(disc, box(board)) for board in plan.boards)
    assert not any(overlap(disc, bounds(polygon)) for polygon in zones)
    assert not overlap(disc, marker)


def test_everything_lies_on_the_plane(plan: TablePlan) -> None:
    width, height = plan.size
    assert (width, height) == (960.0, 620.0)
    for left, top, right, bottom in (
        *(box(board) for board in plan.boards),
        *(bounds(zone.polygon) for zone in plan.zones),
    ):
        assert left >= 0
        assert top >= 0
        assert right <= width
        assert bottom <= height


def test_zones_on_boards_reach_beyond_them_but_not_into_the_centre(plan: TablePlan) -> None:
    (centre,) = plan.zones
    assert centre.name == "centre"
    zones = [bounds(centre.polygon)]
    for board in plan.boards[1:]:
        (zone,) = board.zones
        assert zone.name == board.name
        left, top, right, bottom = bounds(zone.polygon)
        assert (left, top) == (-8.0, -8.0)
        assert (right, bottom) == (board.size[0] + 8.0, board.size[1] + 8.0)
        x, y = board.origin
        zones.append((x + left, y + top, x + right, y + bottom))
    assert not [pair for pair in combinations(zones, 2) if overlap(*pair)]


def test_seats_of_four_go_round_the_corners(edition: Edition) -> None:
    places = {b.name: b.origin for b in table_plan(edition, COLOURS).boards}
    assert places == {
        "map": (210.0, 38.0),
        "castle-yellow": (15.0, 40.0),
        "castle-blue": (765.0, 40.0),
        "castle-grey": (15.0, 430.0),
        "castle-purple": (765.0, 430.0),
    }


def test_two_players_sit_at_the_bottom(edition: Edition) -> None:
    places = {b.name: b.origin for b in table_plan(edition, ("purple", "grey")).boards}
    assert places["castle-purple"] == (15.0, 430.0)
    assert places["castle-grey"] == (765.0, 430.0)
    assert places["map"] == (330.0, 38.0)


def test_markers_are_all_different(plan: TablePlan) -> None:
    markers = [*plan.markers, *(marker for board in plan.boards for marker in board.markers)]
    ids = [marker.id for marker in markers]
    assert len(ids) == len(set(ids)) == 8 + 4 + len(plan.boards) - 1


def test_the_yard_holds_twelve_tiles_and_leaves_the_track_free(edition: Edition) -> None:
    (left, top), (width, height) = castle_yard(edition.sizes)
    side = edition.sizes.tile[0]
    assert int(width // side) * int(height // side) == 12
    assert top >= edition.sizes.castle_strip
    assert left + width <= edition.sizes.castle[0] - 30.0


def test_yards_lie_inside_their_zones_and_off_the_markers(plan: TablePlan) -> None:
    centre = bounds(plan.zones[0].yard)
    assert centre == (215.0, 355.0, 745.0, 580.0)
    marker_below = (442.0, 582.0, 518.0, 658.0)
    assert not overlap(centre, marker_below)
    for board in plan.boards[1:]:
        left, top, right, bottom = bounds(board.zones[0].yard)
        assert left >= 0
        assert bottom <= board.size[1]
        # The board's marker with its margin fills 30 mm of the top right corner.
        assert not overlap((left, top, right, bottom), (board.size[0] - 30, 0, board.size[0], 30))


@pytest.mark.parametrize(
    "colours", [(), ("yellow",), ("yellow", "yellow"), ("yellow", "red"), COLOURS + COLOURS]
)
def test_impossible_seats_are_refused(edition: Edition, colours: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"choose|seat"):
        table_plan(edition, colours)


def taxed(edition: Edition, players: int, castles: tuple[int, ...]) -> State:
    """A position in which time is up: every castle has so many tiles, face down."""
    state = deal(edition, players, Random(5))
    while state.phase is Phase.FIRST_STATUES:
        state = apply(state, legal_moves(state)[0])
    for move in (Spin(3), SetAside(3 * players), TimeUp(castles)):
        state = apply(state, move)
    return state


def test_placement_after_the_reveal_shows_every_tile_where_it_lies(edition: Edition) -> None:
    # With 2 players there are 2, 3, 2 tiles with 1, 2, 3 symbols of each commodity.
    took, nothing = (1, 0, 0, 0, 0, 0, 0, 0, 0), (0,) * 9
    centre = (1, 2, 1, 2, 1, 1, 2, 2, 2)
    state = apply(taxed(edition, 2, (1, 0)), Reveal(centre, (took, nothing)))
    placed = placement(state)
    on_castle = [tile for tile in placed.tiles if tile.zone != "centre"]
    assert [(tile.label, tile.zone) for tile in on_castle] == [("bread-1", "castle-yellow")]
    # 21 tiles without a frame, 3 set aside by each of 2 players (rules section 3.2).
    assert len(placed.tiles) == 15
    assert all(tile.face_up for tile in placed.tiles)
    assert {tile.drawing for tile in placed.tiles} <= set(drawings(edition))
    assert all(tile.drawing.endswith("-plain") for tile in placed.tiles)


def test_some_of_the_tiles_show_their_frames_in_proportion(edition: Edition) -> None:
    # 27 of the 39 tiles lie on the table, 12 are set aside; of the 39, 21 are plain.
    kinds = edition.tiles_in_play[4]
    centre = tuple(round(n * 27 / 39) for n in kinds)
    state = apply(taxed(edition, 4, (0, 0, 0, 0)), Reveal(centre, ((0,) * 9,) * 4))
    tiles = placement(state).tiles
    assert len(tiles) == 27
    there_are = Counter(tile_name(tile) for tile in edition.tiles_of(4))
    assert Counter(tile.drawing for tile in tiles) <= there_are
    plain = sum(tile.drawing.endswith("plain") for tile in tiles)
    assert plain / len(tiles) == pytest.approx(21 / 39, abs=0.2)


def test_placement_before_the_reveal_shows_backs_only(edition: Edition) -> None:
    state = deal(edition, 3, Random(2))
    assert len(placement(state).tiles) == 30
    tiles = placement(taxed(edition, 3, (4, 0, 7))).tiles
    zones = [tile.zone for tile in tiles]
    assert not any(tile.face_up for tile in tiles)
    assert zones.count("castle-yellow") == 4
    assert zones.count("castle-blue") == 0
    assert zones.count("castle-grey") == 7
    assert zones.count("centre") == 30 - 9 - 11


@pytest.mark.parametrize("players", PLAYERS)
def test_placement_covers_the_map_with_regions(edition: Edition, players: int) -> None:
    state = deal(edition, players, Random(1))
    placed = placement(state)
    assert len(placed.overlays) == 2 * players
    assert sum(o.drawing == "region-fog" for o in placed.overlays) == players
    board = table_plan(edition, COLOURS[:players]).boards[0]
    corners = {overlay.corner for overlay in placed.overlays}
    fields = {field.name: field.corner for field in board.fields}
    assert corners == {fields[f"r{row}c{3 * i + 1}"] for row in (1, 4) for i in range(players)}


def test_placement_puts_statues_on_their_fields(edition: Edition) -> None:
    state = deal(edition, 2, Random(3))
    first = legal_moves(state)[0]
    name = state.board.name(first.field)  # type: ignore[union-attr]
    seat = state.seats[state.turn]
    (pieces,) = placement(apply(state, first)).pieces
    assert (pieces.colour, pieces.field, pieces.count) == (seat.colour, name, 1)
