from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.tables import Tile, corners_px, face, ground, photograph, plane_of
from vision.errors import UnreadableError
from vision.faces import BACK, FaceBook, Matches, default_matcher
from vision.layout import Board, Field, Layout, Marker, Zone
from vision.observation import CANDIDATES, NONE, Facing, Observation
from vision.plane import Plane, plane_from_corners
from vision.reader import TableReader
from vision.tile_reader import TileReader, _cut
from vision.tiles import Detections

SIZE = (420.0, 300.0)
PALE, RED, BLUE, TEAL = (205, 225, 235), (40, 40, 190), (170, 70, 30), (120, 120, 40)
WOOD = (60, 90, 130)
FACES = {"R": face("R", RED, PALE), "disc": face("disc", BLUE, PALE), "K": face("K", BLUE, PALE)}
BACK_FACE = face("square", PALE, TEAL)
MARKERS = tuple(
    Marker(k, place, 50.0) for k, place in enumerate([(0, 0), (420, 0), (420, 300), (0, 300)])
)


def _zone(name: str, left: float, top: float, right: float, bottom: float) -> Zone:
    return Zone(name, ((left, top), (right, top), (right, bottom), (left, bottom)))


TRAY = Board("tray", (120.0, 90.0), (40.0, 90.0), zones=(_zone("tray", 0, 0, 120, 90),))
LAYOUT = Layout(
    size=SIZE,
    tile=(35.0, 35.0),
    markers=MARKERS,
    boards=(TRAY,),
    zones=(_zone("table", 30, 30, 390, 270),),
)


@pytest.fixture(scope="module")
def reader() -> TableReader:
    book = FaceBook.teach(
        {**{name: [picture] for name, picture in FACES.items()}, BACK: [BACK_FACE]}
    )
    return TableReader(LAYOUT, book)


def _photo(tiles: Sequence[Tile]) -> NDArray[np.uint8]:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    prints = []
    for marker in MARKERS:
        code = cv2.aruco.generateImageMarker(dictionary, marker.id, 120)
        paper = cv2.copyMakeBorder(code, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=255)
        picture = np.asarray(cv2.cvtColor(paper, cv2.COLOR_GRAY2BGR), np.uint8)
        prints.append(Tile(picture, marker.centre, size=(marker.side * 4 / 3,) * 2))
    return photograph(ground(SIZE, WOOD, seed=3), [*prints, *tiles])


def _plane() -> Plane:
    photo = _photo([])
    return plane_from_corners(corners_px(SIZE), SIZE, (photo.shape[1], photo.shape[0]))


def _read(reader: TableReader, tiles: Sequence[Tile]) -> Observation:
    return reader.read(_photo(tiles), plane=_plane())


def _at(seen: Observation, place: tuple[float, float]) -> int:
    """The one reading at a place of the plane."""
    apart = np.linalg.norm(seen.tiles.centres_mm - place, axis=1)
    (reading,) = np.flatnonzero(apart < 4)
    return int(reading)


def test_a_table_is_read_by_its_markers(reader: TableReader) -> None:
    tiles = [
        Tile(FACES["R"], (80.0, 130.0), 10.0),
        Tile(FACES["disc"], (200.0, 80.0), 77.0),
        Tile(FACES["K"], (300.0, 200.0), 195.0),
        Tile(BACK_FACE, (235.0, 200.0), 45.0),
    ]
    seen = reader.read(_photo(tiles), frame_id=7, captured_at=1.5)
    assert (seen.frame_id, seen.captured_at, seen.markers) == (7, 1.5, (0, 1, 2, 3))
    assert len(seen.tiles) == 4
    for tile, label in zip(tiles, ["R", "disc", "K", None], strict=True):
        reading = _at(seen, tile.centre)
        assert seen.tile_label(reading) == label
        assert seen.tiles.certain[reading]
        assert seen.tiles.facings[reading] == (Facing.DOWN if label is None else Facing.UP)
    assert seen.labels == ("R", "disc", "K")
    assert seen.ms.keys() == {"plane", "tiles", "faces", "pieces", "total"}


def test_a_quad_begins_at_the_top_left_of_the_print(reader: TableReader) -> None:
    tile = Tile(FACES["R"], (200.0, 150.0), 118.0)
    seen = _read(reader, [tile])
    np.testing.assert_allclose(seen.tiles.quads_mm[0], tile.quad, atol=1.5)


def test_the_zone_of_a_board_goes_before_that_of_the_plane(reader: TableReader) -> None:
    places = {"tray": (80.0, 130.0), "table": (250.0, 130.0), None: (405.0, 150.0)}
    seen = _read(reader, [Tile(FACES["R"], place, 20.0) for place in places.values()])
    assert {seen.tile_zone(_at(seen, place)) for place in places.values()} == set(places)
    assert all(seen.tile_zone(_at(seen, place)) == zone for zone, place in places.items())


def test_a_tile_in_the_zones_of_two_boards_is_in_neither() -> None:
    """Boards pushed together: nobody can tell whose it is."""
    left = Board("left", (90.0, 90.0), (60.0, 90.0), zones=(_zone("left", -8, -8, 98, 98),))
    right = Board("right", (90.0, 90.0), (150.0, 90.0), zones=(_zone("right", -8, -8, 98, 98),))
    layout = Layout(SIZE, (35.0, 35.0), boards=(left, right), zones=LAYOUT.zones)
    book = FaceBook.teach({name: [picture] for name, picture in FACES.items()})
    places = {"left": (95.0, 130.0), None: (152.0, 130.0), "right": (205.0, 130.0)}
    tiles = [Tile(FACES["R"], place, 3.0) for place in places.values()]
    seen = TableReader(layout, book).read(_photo(tiles), plane=_plane())
    assert {zone: seen.tile_zone(_at(seen, at)) for zone, at in places.items()} == {
        zone: zone for zone in places
    }


def test_a_tile_with_a_face_that_was_never_taught_is_kept_as_unsure(reader: TableReader) -> None:
    stranger = Tile(face("Z", RED, PALE), (300.0, 200.0), 30.0)
    seen = _read(reader, [Tile(FACES["K"], (200.0, 80.0), 5.0), stranger])
    reading = _at(seen, stranger.centre)
    assert not seen.tiles.certain[reading]


def test_a_square_of_another_stock_is_no_tile(reader: TableReader) -> None:
    card = Tile(face("Z", (250, 250, 250), (30, 200, 240)), (300.0, 200.0), 30.0)
    seen = _read(reader, [Tile(FACES["K"], (200.0, 80.0), 5.0), card])
    assert [seen.tile_label(k) for k in range(len(seen.tiles))] == ["K"]


def test_a_bare_table_has_no_tiles(reader: TableReader) -> None:
    seen = reader.read(_photo([]))
    assert len(seen.tiles) == 0
    assert seen.labels == ("R", "disc", "K")


def test_what_is_printed_on_fields_is_no_tile(reader: TableReader) -> None:
    tile = Tile(FACES["R"], (250.0, 150.0))
    corners = [tuple(corner) for corner in (tile.quad * 1.0).tolist()]
    field = Field("r1c1", (corners[0], corners[1], corners[2], corners[3]))
    printed = Layout(
        size=SIZE,
        tile=(35.0, 35.0),
        boards=(Board("map", SIZE, (0.0, 0.0), fields=(field,)),),
    )
    book = FaceBook.teach({"R": [FACES["R"]]})
    seen = TableReader(printed, book).read(_photo([tile]), plane=_plane())
    assert len(seen.tiles) == 0
    assert seen.fields == ("r1c1",)


def test_cards_are_read_the_long_way_round() -> None:
    pictures = {}
    for name, paint in (("red", RED), ("blue", BLUE)):
        picture = np.full((176, 114, 3), 235, np.uint8)
        cv2.rectangle(picture, (30, 20), (84, 60), paint, cv2.FILLED)
        cv2.circle(picture, (57, 130), 18, paint, cv2.FILLED)
        pictures[name] = picture
    layout = Layout(size=SIZE, tile=(57.0, 88.0))
    cards = [
        Tile(pictures["red"], (110.0, 120.0), 8.0, size=(57.0, 88.0)),
        Tile(pictures["blue"], (290.0, 170.0), 95.0, size=(57.0, 88.0)),
    ]
    book = FaceBook.teach({k: [p] for k, p in pictures.items()}, aspect=57 / 88)
    seen = TableReader(layout, book).read(
        photograph(ground(SIZE, WOOD, seed=3), cards), plane=_plane()
    )
    assert len(seen.tiles) == 2
    for card, name in zip(cards, pictures, strict=True):
        reading = _at(seen, card.centre)
        assert seen.tile_label(reading) == name
        np.testing.assert_allclose(seen.tiles.quads_mm[reading], card.quad, atol=2)


def test_a_picture_without_a_plane_says_so(reader: TableReader) -> None:
    with pytest.raises(UnreadableError):
        reader.read(ground(SIZE, WOOD, seed=3))


def test_no_zone_is_none(reader: TableReader) -> None:
    seen = _read(reader, [Tile(FACES["R"], (405.0, 150.0), 20.0)])
    assert seen.tiles.zone_ids.tolist() == [NONE]


def test_a_side_seen_with_a_face_is_cut_off_at_any_corner() -> None:
    """A quad of 100 by 50 pixels that is 6 % too large: the side lies beyond or before the face."""
    quad = np.array([[[0, 0], [100, 0], [100, 50], [0, 50]]], np.float32)
    np.testing.assert_allclose(_cut(quad, 0.06, 0, 0)[0], [[0, 0], [94, 0], [94, 47], [0, 47]])
    np.testing.assert_allclose(_cut(quad, 0.06, 1, 1)[0], [[6, 3], [100, 3], [100, 50], [6, 50]])
    np.testing.assert_allclose(_cut(quad, 0.06, 0.5, 0)[0], [[3, 0], [97, 0], [97, 47], [3, 47]])


def _disc() -> tuple[TileReader, NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32]]:
    """A reader, a picture of a disc, and where it truly lies: in mm and in pixels."""
    tiles = TileReader(LAYOUT, FaceBook.teach({name: [face] for name, face in FACES.items()}))
    tile = Tile(FACES["disc"], (200.0, 150.0))
    photo = photograph(ground(SIZE, WOOD, seed=1), [tile])
    quads = np.asarray(tile.quad[None], np.float32)
    return tiles, photo, quads, plane_of(SIZE, photo).to_px(quads)


@pytest.mark.parametrize(("first", "sure"), [(None, False), ("R", False), ("disc", True)])
def test_a_tile_outlined_with_its_side_is_named_by_its_face(first: str | None, sure: bool) -> None:
    """Whatever the matcher makes of too large a quad, what it says of the true one counts more.

    It counts as sure if nothing else was ever read there.
    """
    tiles, photo, quads, true = _disc()
    grown = true.mean(axis=1, keepdims=True) + (true - true.mean(axis=1, keepdims=True)) / 0.94
    found = Detections.of(quads, np.asarray(grown, np.float32), np.ones(1, np.float32))
    doubt = replace(
        Matches.empty(),
        label_ids=np.array([NONE if first is None else list(FACES).index(first)], np.int16),
        certain=np.array([False]),
        candidate_ids=np.full((1, CANDIDATES), NONE, np.int16),
        candidate_scores=np.zeros((1, CANDIDATES), np.float32),
        turns=np.zeros(1, np.int8),
    )
    again = tiles._looked_again(photo, found, doubt, np.array([0]))
    assert list(FACES)[again.label_ids[0]] == "disc"
    assert bool(again.certain[0]) == sure


@pytest.mark.parametrize(("edges", "network", "sure"), [(0.2, 0.5, False), (0.2, 0.95, True)])
def test_a_face_is_certain_where_either_detector_sees_an_outline(
    edges: float, network: float, sure: bool
) -> None:
    """What bears a face, but shows no tile's edge to anybody, may be a print or a coin."""
    tiles, photo, quads, true = _disc()
    found = Detections(
        np.concatenate([quads, quads]),
        np.concatenate([true, true]),
        np.array([edges, network], np.float32),
        np.array([0, 1], np.int8),
    )
    seen = tiles.read(photo, found, [])
    assert [tiles.labels[label] for label in seen.label_ids] == ["disc"]
    assert seen.certain.tolist() == [sure]


class _Credulous:
    """A matcher that is certain of the disc wherever it looks, and says how like it that is."""

    def __init__(self, likeness: float) -> None:
        self._likeness = likeness

    def match(self, crops: NDArray[np.uint8]) -> Matches:
        ids = np.full((len(crops), CANDIDATES), NONE, np.int16)
        scores = np.zeros((len(crops), CANDIDATES), np.float32)
        ids[:, 0], scores[:, 0] = list(FACES).index("disc"), self._likeness
        return Matches(
            label_ids=ids[:, 0],
            certain=np.ones(len(crops), np.bool_),
            candidate_ids=ids,
            candidate_scores=scores,
            turns=np.zeros(len(crops), np.int8),
        )


@pytest.mark.parametrize(("likeness", "sure"), [(0.05, False), (0.6, True)])
def test_what_is_certain_must_be_evident(likeness: float, sure: bool) -> None:
    """A faint outline and little likeness to the face: so does cloth between tiles look."""
    book = FaceBook.teach({name: [face] for name, face in FACES.items()})
    tiles = TileReader(LAYOUT, book, matcher=_Credulous(likeness))
    _, photo, quads, true = _disc()
    found = Detections.of(quads, true, np.array([0.32], np.float32))
    seen = tiles.read(photo, found, [])
    assert [tiles.labels[label] for label in seen.label_ids] == ["disc"]
    assert seen.certain.tolist() == [sure]


def test_what_is_smaller_than_the_tiles_is_none(reader: TableReader) -> None:
    """All tiles of a set are equal: a face that is too small is a part of something, or a print."""
    tiles = [Tile(FACES[name], (80.0 + 70 * k, 130.0)) for k, name in enumerate(FACES)]
    small = Tile(FACES["R"], (320.0, 200.0), size=(28.0, 28.0))
    assert len(_read(reader, [*tiles, small]).tiles) == 3


@pytest.mark.parametrize("side", [(0.0, 0.0), (1.0, 0.0), (0.5, 0.5)])
def test_a_tile_outlined_too_small_lies_there_at_the_size_of_the_others(
    side: tuple[float, float],
) -> None:
    """The outline leaves out a sixth of K at some edge: the others show how large tiles are."""
    tiles, *_ = _disc()
    laid = [Tile(FACES[name], (80.0 + 70 * k, 130.0)) for k, name in enumerate(FACES)]
    photo = photograph(ground(SIZE, WOOD, seed=1), laid)
    true = np.stack([tile.quad for tile in laid]).astype(np.float32)
    quads = true.copy()
    quads[2:] = _cut(true[2:], 1 / 6, *side)
    to_px = plane_of(SIZE, photo).to_px
    found = Detections.of(quads, np.asarray(to_px(quads), np.float32), np.ones(3, np.float32))
    seen = tiles.read(photo, found, [])
    at = {tiles.labels[label]: k for k, label in enumerate(seen.label_ids.tolist())}
    assert set(at) == set(FACES)
    assert seen.certain.all()
    np.testing.assert_allclose(seen.quads_mm[at["K"]], true[2], atol=2.0)


class _Baffled:
    """A matcher that does not know a face by what it sees of it."""

    def __init__(self, book: FaceBook, label: str) -> None:
        self._matcher, self._label = default_matcher(book), book.labels.index(label)

    def match(self, crops: NDArray[np.uint8]) -> Matches:
        said = self._matcher.match(crops)
        lost = said.label_ids == self._label
        return replace(
            said,
            label_ids=np.where(lost, NONE, said.label_ids).astype(np.int16),
            certain=said.certain & ~lost,
            candidate_scores=np.where(lost[:, None], 0.2, said.candidate_scores).astype(np.float32),
        )


def test_a_tile_on_which_another_lies_is_found_and_named_in_doubt() -> None:
    """A third of K is hidden by the disc."""
    book = FaceBook.teach({name: [picture] for name, picture in FACES.items()})
    reader = TableReader(LAYOUT, book, matcher=_Baffled(book, "K"))
    below, above = Tile(FACES["K"], (150.0, 150.0)), Tile(FACES["disc"], (173.0, 150.0), 8.0)
    seen = _read(reader, [below, above])
    assert len(seen.tiles) == 2
    on_top, under = _at(seen, above.centre), _at(seen, below.centre)
    assert (seen.tile_label(on_top), bool(seen.tiles.certain[on_top])) == ("disc", True)
    assert (seen.tile_label(under), bool(seen.tiles.certain[under])) == ("K", False)
    # Nothing lies on it: it is a tile whose face nobody knows.
    alone = _read(reader, [below])
    assert [alone.tile_label(tile) for tile in range(len(alone.tiles))] == [None]
