"""Quiet frames vote; tiles and pieces keep their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from vision.observation import (
    CANDIDATES,
    NONE,
    Facing,
    Observation,
    PieceReadings,
    TileReadings,
)
from vision.settle import Events, Kind, Settle, Settled, Subject
from vision.settle.shown import Shown

LABELS = ("bread", "marble", "tools")
ZONES = ("left", "right")
COLOURS = ("yellow", "blue")
FIELDS = ("a1", "a2")
SIDE = 35.0
SQUARE = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32) - SIDE / 2


@dataclass(frozen=True)
class T:
    """A tile at a place in mm."""

    x: float
    y: float
    label: str | None = "bread"
    certain: bool = True
    facing: Facing = Facing.UP
    zone: str | None = "left"


@dataclass(frozen=True)
class P:
    """A piece at a place in mm."""

    x: float
    y: float
    colour: str | None = "yellow"
    field: str | None = "a1"
    certain: bool = True


def look(
    tiles: Sequence[T] = (), pieces: Sequence[P] = (), at: float = 0.0, calibration: str = "one"
) -> Observation:
    n, m = len(tiles), len(pieces)
    quads = np.array([SQUARE + np.array((t.x, t.y)) for t in tiles], np.float32).reshape(n, 4, 2)
    points = np.array([(p.x, p.y) for p in pieces], np.float32).reshape(m, 2)
    labels = np.array([_id(LABELS, t.label) for t in tiles], np.int16)
    candidates = np.full((n, CANDIDATES), NONE, np.int16)
    candidates[:, 0] = labels
    scores = np.where(candidates == NONE, 0.0, 0.9).astype(np.float32)
    return Observation(
        frame_id=round(at * 15),
        captured_at=at,
        size_px=(1280, 720),
        calibration_id=calibration,
        model_hash="m",
        labels=LABELS,
        zones=ZONES,
        fields=FIELDS,
        colours=COLOURS,
        tiles=TileReadings(
            quads_mm=quads,
            quads_px=quads * 2,
            found_scores=np.ones(n, np.float32),
            label_ids=labels,
            facings=np.array([t.facing for t in tiles], np.int8),
            certain=np.array([t.certain for t in tiles], np.bool_),
            candidate_ids=candidates,
            candidate_scores=scores,
            zone_ids=np.array([_id(ZONES, t.zone) for t in tiles], np.int16),
        ),
        pieces=PieceReadings(
            points_mm=points,
            points_px=points * 2,
            colour_ids=np.array([_id(COLOURS, p.colour) for p in pieces], np.int16),
            field_ids=np.array([_id(FIELDS, p.field) for p in pieces], np.int16),
            scores=np.ones(m, np.float32),
            certain=np.array([p.certain for p in pieces], np.bool_),
        ),
    )


def _id(words: Sequence[str], word: str | None) -> int:
    return NONE if word is None else words.index(word)


def settle(looks: Sequence[Observation], settle_: Settle | None = None) -> Settled:
    """What three looks settle on."""
    settle_ = settle_ or Settle(3)
    given = [settle_.add(each, quiet=True) for each in looks]
    assert given[-1] is not None
    return given[-1]


def shown(settled: Settled) -> list[tuple[str | None, bool]]:
    seen = settled.observation
    return [(seen.tile_label(i), bool(seen.tiles.certain[i])) for i in range(len(seen.tiles))]


def told(events: Events) -> list[tuple[Kind, Subject, int]]:
    return [
        (Kind(kind), Subject(subject), int(number))
        for kind, subject, number in zip(
            events.kinds, events.subjects, events.identities, strict=True
        )
    ]


def after(before: Sequence[Observation], now: Sequence[Observation]) -> Settled:
    """The second settled look of a session."""
    session = Settle(3)
    settle(before, session)
    session.add(None, quiet=False)
    return settle(now, session)


def test_nothing_settles_before_enough_quiet_frames() -> None:
    session = Settle(3)
    table = look([T(100, 100)])
    assert session.add(table, quiet=True) is None
    assert session.add(table, quiet=True) is None
    assert session.add(table, quiet=True) is not None


def test_a_frame_with_a_hand_begins_the_count_anew() -> None:
    session = Settle(2)
    table = look([T(100, 100)])
    assert session.add(table, quiet=True) is None
    assert session.add(table, quiet=False) is None
    assert session.add(table, quiet=True) is None
    assert session.add(table, quiet=True) is not None


def test_a_new_calibration_begins_the_count_anew() -> None:
    session = Settle(2)
    assert session.add(look([T(100, 100)]), quiet=True) is None
    assert session.add(look([T(100, 100)], calibration="two"), quiet=True) is None
    assert session.add(look([T(100, 100)], calibration="two"), quiet=True) is not None


def test_frames_that_agree_are_certain_and_an_abstention_contradicts_nobody() -> None:
    sure, unread = look([T(100, 100)]), look([T(100, 100, None, certain=False)])
    assert shown(settle([sure, unread, sure])) == [("bread", True)]


@pytest.mark.parametrize(
    "odd",
    [
        T(100, 100, "tools"),
        T(100, 100, None, facing=Facing.DOWN),
        T(100, 100, zone="right"),
        T(106, 100),
    ],
    ids=["label", "facing", "zone", "place"],
)
def test_one_frame_that_disagrees_makes_a_tile_uncertain(odd: T) -> None:
    usual = look([T(100, 100)])
    ((label, certain),) = shown(settle([usual, look([odd]), usual]))
    assert label == "bread"
    assert not certain


def test_a_tile_that_one_frame_misses_is_uncertain_and_one_that_one_imagines_is_none() -> None:
    both, one = look([T(100, 100), T(300, 100, "tools")]), look([T(100, 100)])
    assert shown(settle([both, one, both])) == [("bread", True), ("tools", False)]
    assert shown(settle([one, both, one])) == [("bread", True)]


def test_two_that_doubt_leave_nothing_certain() -> None:
    doubt = look([T(100, 100, certain=False)])
    assert shown(settle([doubt, look([T(100, 100)]), doubt])) == [("bread", False)]


def test_position_is_the_middle_of_the_frames_whatever_corner_comes_first() -> None:
    turned = look([T(101, 100)])
    quads = np.roll(turned.tiles.quads_mm, 1, axis=1)
    turned = replace(turned, tiles=replace(turned.tiles, quads_mm=quads))
    seen = settle([look([T(99, 100)]), turned, look([T(100, 100)])]).observation
    np.testing.assert_allclose(seen.tiles.quads_mm[0], SQUARE + 100, atol=0.01)


def test_the_first_look_tells_of_nothing() -> None:
    settled = settle([look([T(100, 100), T(200, 100)], [P(400, 400)])] * 3)
    assert len(settled.events) == 0
    assert sorted(settled.tile_identities.tolist()) == [0, 1]
    assert settled.piece_identities.tolist() == [0]


def test_a_tile_that_moved_keeps_its_number() -> None:
    settled = after(
        [look([T(100, 100), T(200, 100, "tools")])] * 3,
        [look([T(200, 100, "tools"), T(500, 300, zone="right")])] * 3,
    )
    ((kind, subject, number),) = told(settled.events)
    moved = int(np.flatnonzero(settled.observation.tiles.centres_mm[:, 0] > 400)[0])
    assert (kind, subject) == (Kind.MOVED, Subject.TILE)
    assert number == settled.tile_identities[moved]
    np.testing.assert_allclose(settled.events.starts_mm[0], (100, 100))
    np.testing.assert_allclose(settled.events.ends_mm[0], (500, 300))


def test_a_tile_turned_over_in_place_is_the_same_tile() -> None:
    settled = after(
        [look([T(100, 100, None, facing=Facing.DOWN)])] * 3, [look([T(102, 100, "tools")])] * 3
    )
    assert told(settled.events) == [(Kind.TURNED, Subject.TILE, 0)]
    assert settled.events.label_ids.tolist() == [LABELS.index("tools")]


def test_what_left_is_gone_and_a_newcomer_gets_a_new_number() -> None:
    settled = after([look([T(100, 100)])] * 3, [look([T(400, 300, "tools")])] * 3)
    assert told(settled.events) == [
        (Kind.VANISHED, Subject.TILE, 0),
        (Kind.APPEARED, Subject.TILE, 1),
    ]
    assert shown(settled) == [("tools", True)]


def test_an_exchanged_tile_is_not_the_one_that_lay_there() -> None:
    settled = after([look([T(100, 100)])] * 3, [look([T(100, 100, "marble")])] * 3)
    assert {kind for kind, _, _ in told(settled.events)} == {Kind.VANISHED, Kind.APPEARED}


def test_a_new_statue_is_an_event() -> None:
    settled = after(
        [look([], [P(100, 100)])] * 3,
        [look([], [P(100, 100), P(112, 100, "blue")])] * 3,
    )
    assert told(settled.events) == [(Kind.APPEARED, Subject.PIECE, 1)]
    assert settled.events.label_ids.tolist() == [COLOURS.index("blue")]


def test_three_statues_on_one_field_stay_three() -> None:
    pieces = [P(100, 100), P(113, 100), P(106, 111)]
    jitter = [P(p.x + 1.5, p.y - 1.0) for p in pieces]
    frames = [look([], pieces), look([], jitter), look([], pieces)]
    settled = settle([replace(frame, sure_fields=FIELDS) for frame in frames])
    assert len(settled.observation.pieces) == 3
    assert settled.observation.pieces.certain.all()


def test_a_field_is_sure_if_most_frames_are_and_all_of_those_show_the_same() -> None:
    one, two = (P(10, 10),), (P(10, 10), P(40, 10))
    sure = replace(look(pieces=one), sure_fields=("a1", "a2"))
    doubtful = replace(look(pieces=one), sure_fields=("a2",))
    crowded = replace(look(pieces=two), sure_fields=("a1", "a2"))
    assert settle([sure, doubtful, sure]).observation.sure_fields == ("a1", "a2")
    assert settle([doubtful, sure, doubtful]).observation.sure_fields == ("a2",)
    # What one frame does not see, unsure, stands there as surely as the field is sure.
    shown = replace(look(pieces=two), sure_fields=("a1", "a2"))
    settled = settle([shown, doubtful, shown]).observation
    assert (settled.sure_fields, settled.pieces.certain.tolist()) == (("a1", "a2"), [True, True])
    # One frame is sure of two statues there: nobody knows.
    assert settle([sure, crowded, sure]).observation.sure_fields == ("a2",)


def test_jitter_is_no_event() -> None:
    here, there = look([T(100, 100)], [P(300, 300)]), look([T(103, 101)], [P(303, 301)])
    assert len(after([here] * 3, [there] * 3).events) == 0


def test_a_pushed_camera_is_no_event_and_numbers_survive_it() -> None:
    places = [(100, 100), (200, 100), (300, 100), (400, 100), (500, 100)]
    before = [look([T(x, y, certain=True) for x, y in places])] * 3
    now = [look([T(x + 9, y + 3) for x, y in reversed(places)], calibration="two")] * 3
    settled = after(before, now)
    assert len(settled.events) == 0
    assert settled.tile_identities.tolist() == [4, 3, 2, 1, 0]


def test_equal_tiles_that_change_places_are_not_told_apart() -> None:
    both = [look([T(100, 100), T(300, 100)])] * 3
    assert len(after(both, both).events) == 0


def test_a_tile_unread_for_a_while_is_known_again_when_it_moves() -> None:
    session = Settle(3)
    settle([look([T(100, 100, "tools")])] * 3, session)
    settle([look([T(100, 100, None, certain=False)])] * 3, session)
    settled = settle([look([T(400, 200, "tools")])] * 3, session)
    assert told(settled.events) == [(Kind.MOVED, Subject.TILE, 0)]


def test_an_empty_table_settles() -> None:
    settled = settle([look()] * 3)
    assert len(settled.observation.tiles) == len(settled.events) == 0


def test_events_check_their_shapes() -> None:
    with pytest.raises(ValueError, match=r"starts_mm: expected shape \(1, 2\), got \(2,\)"):
        Events(
            np.zeros(1, np.int8),
            np.zeros(1, np.int8),
            np.zeros(1, np.int32),
            np.zeros(1, np.int16),
            np.zeros(2, np.float32),
            np.zeros((1, 2), np.float32),
        )


def test_what_only_some_frames_show_has_no_number_yet() -> None:
    one, both = look([T(100, 100)]), look([T(100, 100), T(300, 100, "tools")])
    session = Settle(3)
    settle([one] * 3, session)
    settled = settle([both, both], session)
    assert settled.tile_identities.tolist() == [0, NONE]
    assert len(settled.events) == 0
    settled = settle([both], session)
    assert told(settled.events) == [(Kind.APPEARED, Subject.TILE, 1)]


def test_settle_needs_a_frame() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Settle(0)


DOUBT = "marble"


def doubted(x: float, label: str | None, rivals: Sequence[str], turned: int = 0) -> Observation:
    """A tile in doubt at a place, which may bear any of `rivals`; its corners in another order."""
    seen = look([T(x, 0, label, certain=False)])
    ids = np.full((1, CANDIDATES), NONE, np.int16)
    ids[0, : len(rivals)] = [LABELS.index(each) for each in rivals]
    quads = np.roll(seen.tiles.quads_mm, turned, axis=1)
    return replace(seen, tiles=replace(seen.tiles, candidate_ids=ids, quads_mm=quads))


@pytest.mark.parametrize("turned", [0, 1])
def test_an_untouched_tile_that_is_hard_to_read_is_what_it_surely_was(turned: int) -> None:
    now = doubted(0.5, DOUBT, ["marble", "bread"], turned)
    assert shown(after([look([T(0, 0, "bread")])] * 3, [now] * 3)) == [("bread", True)]


@pytest.mark.parametrize(
    "now",
    [
        pytest.param(doubted(9.0, DOUBT, ["marble", "bread"]), id="pushed"),
        pytest.param(doubted(0.0, DOUBT, ["marble", "tools"]), id="another face"),
        pytest.param(doubted(0.0, None, []), id="no face"),
        pytest.param(look([T(0, 0, None, False, Facing.DOWN)]), id="perhaps turned over"),
    ],
)
def test_a_tile_that_may_have_been_exchanged_stays_in_doubt(now: Observation) -> None:
    ((_, certain),) = shown(after([look([T(0, 0, "bread")])] * 3, [now] * 3))
    assert not certain


def test_what_was_never_sure_is_not_recalled() -> None:
    before = look([T(0, 0, "bread", certain=False)])
    ((_, certain),) = shown(after([before] * 3, [before] * 3))
    assert not certain


def test_a_back_that_is_hard_to_see_stays_a_back() -> None:
    before, now = (look([T(0, 0, None, sure, Facing.DOWN)]) for sure in (True, False))
    assert shown(after([before] * 3, [now] * 3)) == [(None, True)]


def test_what_was_sure_is_recalled_after_any_number_of_doubtful_looks() -> None:
    session, now = Settle(3), doubted(0.0, DOUBT, ["marble", "bread"])
    settle([look([T(0, 0, "bread")])] * 3, session)
    for _ in range(4):
        assert shown(settle([now] * 3, session)) == [("bread", True)]


def test_a_tile_that_came_back_is_not_recalled() -> None:
    session = Settle(3)
    settle([look([T(0, 0, "bread")])] * 3, session)
    settle([look()] * 3, session)
    ((_, certain),) = shown(settle([doubted(0.0, DOUBT, ["marble", "bread"])] * 3, session))
    assert not certain


def test_what_frames_say_that_show_a_thing_is_counted_among_all_frames() -> None:
    shown = Shown(np.array([[0, 0, 0], [1, NONE, 1], [NONE, NONE, 2]]))
    said = shown.of([np.array([5, 7], np.int16), np.array([6], np.int16), np.array([5, 7, 8])])
    vote = shown.vote(said)
    assert vote.winner.tolist() == [5, 7, NONE]
    assert vote.unanimous.tolist() == [False, True, False]
    assert shown.last(said).tolist() == [5, 7, 8]
    assert shown.median(np.array([[1, 2, 9], [1, 50, 2], [9, 9, 4]], np.float32)).tolist() == [
        2.0,
        1.5,
        4.0,
    ]
