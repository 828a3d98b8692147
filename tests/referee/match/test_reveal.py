"""The policy: one hand-made Observation for each reason that keeps the referee from ruling."""

from __future__ import annotations

from collections.abc import Sequence

from referee.claims import MAX_DOUBTFUL
from referee.games.step import Counts, Step, TileAsk
from referee.match.reveal import rule_on
from referee.match.verdict import Outcome, Reason, Verdict
from tests.referee.observations import Tile, doubtful, down, observe, sure
from vision.observation import Facing

LABELS = ("a", "b", "c", "back")
ASK = TileAsk(
    zones=("centre", "castle"),
    boards=("castle",),
    expected=4,
    in_play={"a": 3, "b": 2, "c": 2},
    aside=2,
)


def ask(tiles: Sequence[Tile], question: TileAsk, boards: Sequence[str] = ()) -> Verdict[Counts]:
    """The ruling of this game is what lies where."""
    step = Step(question, lambda counts: counts, references=("3.3",), tell=lambda counts: ())
    return rule_on(observe(tiles, LABELS, (*question.zones, "map"), boards), step)


def verdict(tiles: Sequence[Tile], boards: Sequence[str] = ("castle",)) -> Verdict[Counts]:
    return ask(tiles, ASK, boards)


FINE = [*sure("centre", "a", 2), *sure("castle", "b", 2)]


def test_confirmed() -> None:
    found = verdict(FINE)
    assert (found.outcome, found.reason, found.sentence) == (Outcome.CONFIRMED, None, "")
    assert found.ruling == {"centre": {"a": 2}, "castle": {"b": 2}}
    assert found.references == ("3.3",)
    assert found.tiles == (0, 1, 2, 3)


def test_confirmed_when_the_games_tiles_settle_a_doubt() -> None:
    tiles = [*sure("centre", "a"), *sure("castle", "b", 2), doubtful("centre", "b", "c")]
    found = verdict(tiles)
    assert found.outcome is Outcome.CONFIRMED
    assert found.counts == {"centre": {"a": 1, "c": 1}, "castle": {"b": 2}}


def test_confirmed_with_tiles_set_aside_face_down() -> None:
    assert verdict([*FINE, down(None), down(None)]).outcome is Outcome.CONFIRMED


def stays_open(found: Verdict[Counts], reason: Reason, tiles: tuple[int, ...], number: int) -> None:
    assert found.outcome is Outcome.INCONCLUSIVE
    assert (found.reason, found.tiles, found.number) == (reason, tiles, number)
    assert found.ruling is None
    assert found.references == ()
    assert found.sentence
    assert found.remedy


def test_board_not_found() -> None:
    found = verdict(FINE, boards=())
    stays_open(found, Reason.BOARD_NOT_FOUND, (), 1)
    assert found.boards == ("castle",)


def test_tile_face_down() -> None:
    stays_open(verdict([*FINE[:3], down("castle")]), Reason.TILE_FACE_DOWN, (3,), 1)


def test_a_doubtful_face_down_tile_is_not_taken_for_one_that_is_up() -> None:
    turned = Tile("castle", None, False, Facing.DOWN, (("b", 0.75), ("c", 0.7)))
    stays_open(verdict([*FINE[:3], turned]), Reason.TILE_UNREADABLE, (3,), 1)


def test_tile_outside_zones() -> None:
    stays_open(verdict([*FINE[:3], *sure("map", "b")]), Reason.TILE_OUTSIDE_ZONES, (3,), 1)
    stays_open(verdict([*FINE, doubtful(None, "a", "b")]), Reason.TILE_OUTSIDE_ZONES, (4,), 1)


def test_a_thing_without_a_face_is_no_tile_once_all_tiles_are_accounted_for() -> None:
    # A coin beside a castle: all four tiles in play surely lie in the zones, so it is none.
    assert verdict([*FINE, doubtful(None)]).outcome is Outcome.CONFIRMED
    # With a tile missing, or one unsure, it may be that tile.
    stays_open(verdict([*FINE[:3], doubtful(None)]), Reason.TILE_OUTSIDE_ZONES, (3,), 1)
    unsure = [*sure("centre", "a"), *sure("castle", "b", 2), doubtful("centre", "b", "c")]
    stays_open(verdict([*unsure, doubtful(None)]), Reason.TILE_OUTSIDE_ZONES, (4,), 1)


def test_tiles_missing() -> None:
    stays_open(verdict(FINE[:1]), Reason.TILES_MISSING, (), 3)
    assert "3 tiles" in verdict(FINE[:1]).sentence
    assert "One tile" in verdict(FINE[:3]).sentence


def test_a_missing_tile_is_not_made_up_for_by_one_set_aside() -> None:
    stays_open(verdict([*FINE[:3], down(None)]), Reason.TILES_MISSING, (), 1)


def test_too_many_tiles() -> None:
    stays_open(verdict([*FINE, *sure("centre", "c")]), Reason.TOO_MANY_TILES, (), 1)
    aside = [down(None)] * 3
    stays_open(verdict([*FINE, *aside]), Reason.TOO_MANY_TILES, (4, 5, 6), 1)


def test_multiset_broken_by_sure_readings() -> None:
    tiles = [*sure("centre", "a"), *sure("castle", "b", 3)]
    stays_open(verdict(tiles), Reason.MULTISET_BROKEN, (1, 2, 3), 1)


def test_multiset_broken_whatever_a_doubtful_tile_is() -> None:
    tiles = [*sure("centre", "a"), *sure("castle", "b", 2), doubtful("castle", "b")]
    stays_open(verdict(tiles), Reason.MULTISET_BROKEN, (3,), 1)


def test_tile_unreadable() -> None:
    stays_open(verdict([*FINE[:3], doubtful("castle")]), Reason.TILE_UNREADABLE, (3,), 1)


def test_a_tile_that_may_be_a_back_is_unreadable() -> None:
    tile = doubtful("castle", "c", "back")
    stays_open(verdict([*FINE[:3], tile]), Reason.TILE_UNREADABLE, (3,), 1)


def test_tile_doubtful() -> None:
    tiles = [*FINE[:2], doubtful("castle", "a", "c"), *sure("castle", "b")]
    stays_open(verdict(tiles), Reason.TILE_DOUBTFUL, (2,), 1)


def test_too_many_doubtful() -> None:
    number = MAX_DOUBTFUL + 1
    question = TileAsk(("centre",), (), number, {"a": number, "b": number})
    found = ask([doubtful("centre", "a", "b")] * number, question)
    stays_open(found, Reason.TOO_MANY_DOUBTFUL, tuple(range(number)), number)


def test_every_reason_has_its_own_code_and_words() -> None:
    assert len({reason.code for reason in Reason}) == len(Reason)
    for reason in Reason:
        assert reason.sentence(1).endswith(".")
        assert "{" not in reason.sentence(2)
        assert reason.remedy.endswith(".")
