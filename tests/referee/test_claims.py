"""Claims: what is sure, what is in doubt, and which explanations the game's tiles allow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.claims import MAX_DOUBTFUL, Claims, explanations, layout_of, surplus
from referee.games.table import Board, Field, Marker, TablePlan, Zone
from tests.referee.observations import Tile, doubtful, down, observe, sure

LABELS = ("a", "b", "c", "back")
ZONES = ("centre", "left", "right")


def claims(*tiles: Tile, margin: float = 0.15) -> Claims:
    return Claims.of(observe(tiles, LABELS, ZONES), margin)


def test_every_tile_is_sure_or_doubtful_or_face_down() -> None:
    seen = claims(
        *sure("centre", "a", 2), doubtful("left", "a", "b"), down("right"), *sure(None, "c")
    )
    assert seen.labels == {0: "a", 1: "a", 4: "c"}
    assert [(d.tile, d.zone, d.candidates) for d in seen.doubtful] == [(2, "left", ("a", "b"))]
    assert seen.face_down == (3,)
    assert seen.within(["centre"]) == [0, 1]
    assert seen.outside(ZONES) == [4]
    assert seen.counts(["centre", "left"]) == {"centre": {"a": 2}, "left": {}}


def test_a_label_that_vision_will_not_vouch_for_is_doubtful() -> None:
    guessed = Tile("left", "a", certain=False, rivals=(("a", 0.9), ("b", 0.88)))
    seen = claims(guessed)
    assert not seen.labels
    assert seen.doubtful[0].candidates == ("a", "b")


def test_rivals_lie_within_the_margin_and_the_runner_up_always_counts() -> None:
    near, far = (
        doubtful("left", "a", "b", "c", step=0.06),
        doubtful("left", "a", "b", "c", step=0.2),
    )
    assert claims(near, margin=0.15).doubtful[0].candidates == ("a", "b", "c")
    assert claims(far, margin=0.15).doubtful[0].candidates == ("a", "b")


def test_a_mere_guess_has_no_candidates() -> None:
    tile = Tile("left", None, certain=False, rivals=(("a", 0.4), ("b", 0.2)))
    assert claims(tile).doubtful[0].candidates == ()


def test_more_rivals_than_a_reading_keeps_are_no_candidates() -> None:
    """Four of five labels within the margin: the fifth may be within it too, and is not told."""
    crowd = doubtful("left", "a", "b", "c", "d", step=0.04)
    labels = ("a", "b", "c", "d", "e")

    def rivals(labels: tuple[str, ...], margin: float) -> tuple[str, ...]:
        return Claims.of(observe([crowd], labels, ZONES), margin).doubtful[0].candidates

    assert rivals(labels, 0.15) == ()
    assert rivals(labels, 0.1) == labels[:3]
    assert rivals(labels[:4], 0.15) == labels[:4]


def test_pieces_by_field_and_colour() -> None:
    seen = Claims.of(
        observe(
            [],
            (),
            (),
            pieces=[
                ("red", "r1", True),
                ("red", "r1", True),
                ("red", "r2", False),
                (None, "r2", True),
                ("blue", None, True),
            ],
            colours=("red", "blue"),
            fields=("r1", "r2"),
        )
    )
    assert seen.pieces == {"r1": {"red": 2}}
    assert seen.doubtful_pieces == (2, 3)
    assert seen.stray_pieces == (4,)


def test_sure_fields_are_told_by_name() -> None:
    observation = observe([], (), (), fields=("r1", "r2"))
    assert Claims.of(replace(observation, sure_fields=("r2",))).sure_fields == {"r2"}
    with pytest.raises(ValueError, match="r3"):
        replace(observation, sure_fields=("r3",))


def test_one_fit_settles_a_doubtful_tile() -> None:
    # Both tiles "a" of this game are seen elsewhere, so the doubtful one must be a "b".
    seen = claims(*sure("centre", "a", 2), doubtful("left", "a", "b"))
    assert explanations(seen, ZONES, {"a": 2, "b": 1}, 3) == [{2: "b"}]


def test_two_fits_stay_in_doubt() -> None:
    seen = claims(*sure("centre", "a", 2), doubtful("left", "a", "b"))
    assert explanations(seen, ZONES, {"a": 3, "b": 1}, 3) == [{2: "a"}, {2: "b"}]


def test_the_likelier_explanation_comes_first() -> None:
    seen = claims(doubtful("left", "b", "a"))
    assert explanations(seen, ZONES, {"a": 1, "b": 1}, 1) == [{0: "b"}, {0: "a"}]


def test_a_sure_reading_is_never_replaced() -> None:
    # Three sure "a" in a game of two: no explanation may turn one of them into something else.
    seen = claims(*sure("centre", "a", 3), doubtful("left", "a", "b"))
    assert explanations(seen, ZONES, {"a": 2, "b": 9}, 4) == []
    assert surplus(seen, ZONES, {"a": 2, "b": 9}) == [0, 1, 2]


def test_swapping_two_doubtful_tiles_of_one_zone_is_one_explanation() -> None:
    pair = claims(doubtful("left", "a", "b"), doubtful("left", "a", "b"))
    assert len(explanations(pair, ZONES, {"a": 1, "b": 1}, 2)) == 1
    apart = claims(doubtful("left", "a", "b"), doubtful("right", "a", "b"))
    assert len(explanations(apart, ZONES, {"a": 1, "b": 1}, 2)) == 2


def test_nothing_explains_a_wrong_number_of_tiles_or_one_face_down() -> None:
    seen = claims(*sure("centre", "a", 2))
    assert explanations(seen, ZONES, {"a": 9}, 2) == [{}]
    assert explanations(seen, ZONES, {"a": 9}, 3) == []
    assert explanations(seen, ZONES, {"a": 9}, 1) == []
    assert explanations(claims(*sure("left", "a"), down("left")), ZONES, {"a": 9}, 2) == []


def test_tiles_outside_the_zones_do_not_count() -> None:
    seen = claims(*sure("centre", "a"), doubtful(None, "a", "b"), down(None))
    assert explanations(seen, ZONES, {"a": 1}, 1) == [{}]


def test_many_doubtful_tiles_are_refused_rather_than_enumerated() -> None:
    seen = claims(*[doubtful("left", "a", "b", "c")] * (MAX_DOUBTFUL + 1))
    with pytest.raises(ValueError, match=f"at most {MAX_DOUBTFUL} doubtful tiles, got"):
        explanations(seen, ZONES, {"a": 99}, MAX_DOUBTFUL + 1)


def test_layout_of_a_plan() -> None:
    board = Board(
        name="map",
        drawing="map",
        size=(100.0, 50.0),
        origin=(10.0, 20.0),
        thickness=2.0,
        markers=(Marker(10, (8.0, 8.0), 22.0),),
        zones=(Zone("castle", ((0.0, 0.0), (100.0, 0.0), (100.0, 50.0))),),
        fields=(Field("r1c2", (30.0, 10.0), (40.0, 20.0)),),
    )
    plan = TablePlan(
        size=(960.0, 620.0),
        markers=(Marker(0, (0.0, 0.0), 60.0),),
        boards=(board,),
        zones=(Zone("centre", ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0))),),
        tile=(35.0, 35.0),
        tile_thickness=2.0,
        piece_colours={"red": (255, 0, 0)},
        piece_diameter=13.0,
        piece_height=26.0,
    )
    layout = layout_of(plan)
    assert layout.size == (960.0, 620.0)
    assert layout.tile == (35.0, 35.0)
    assert layout.tile_thickness == 2
    assert layout.markers[0].side == 60
    assert layout.zones[0].name == "centre"
    assert layout.boards[0].origin == (10.0, 20.0)
    assert layout.boards[0].markers[0].centre == (8.0, 8.0)
    assert layout.boards[0].zones[0].name == "castle"
    # A field is 40 wide and 20 high from (30, 10); its quad runs clockwise from the top left.
    assert layout.boards[0].fields[0].quad == (
        (30.0, 10.0),
        (70.0, 10.0),
        (70.0, 30.0),
        (30.0, 30.0),
    )
    assert (layout.piece_diameter, layout.piece_height) == (13.0, 26.0)
    assert layout.piece_colours == {"red": (255, 0, 0)}
