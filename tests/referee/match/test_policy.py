"""The policy: one hand-made Observation for each reason that keeps the referee from ruling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from referee.claims import MAX_DOUBTFUL, Claims
from referee.games.game import (
    Ask,
    Explained,
    Explanation,
    Finding,
    Step,
    Table,
    TileAsk,
)
from referee.match.policy import assess, judge
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
#: What lies where, as a move: (zone, label, number) in order.
Lies = tuple[tuple[str, str, int], ...]


def lies(table: Table) -> Explanation[Lies]:
    """In this game everything is legal, and the move is what lies where."""
    found = [
        (zone, label, number)
        for zone, labels in table.faces.items()
        for label, number in labels.items()
        if zone
    ]
    return Explanation((Explained(tuple(sorted(found))),))


def ask(tiles: Sequence[Tile], question: TileAsk, boards: Sequence[str] = ()) -> Verdict[Lies]:
    step = Step("look", "3.3", "", "", (), Ask(question), lies)
    claims = Claims.of(observe(tiles, LABELS, (*question.zones, "map"), boards))
    found = judge(step, claims)
    assert found is not None
    return found


def verdict(tiles: Sequence[Tile], boards: Sequence[str] = ("castle",)) -> Verdict[Lies]:
    return ask(tiles, ASK, boards)


FINE = [*sure("centre", "a", 2), *sure("castle", "b", 2)]


def test_confirmed() -> None:
    found = verdict(FINE)
    assert (found.outcome, found.reason, found.sentence) == (Outcome.CONFIRMED, None, "")
    assert found.ruling == (("castle", "b", 2), ("centre", "a", 2))
    assert found.references == ("3.3",)
    assert found.tiles == (0, 1, 2, 3)


def test_confirmed_when_the_games_tiles_settle_a_doubt() -> None:
    tiles = [*sure("centre", "a"), *sure("castle", "b", 2), doubtful("centre", "b", "c")]
    found = verdict(tiles)
    assert found.outcome is Outcome.CONFIRMED
    assert found.counts == {"centre": {"a": 1, "c": 1}, "castle": {"b": 2}}


def test_confirmed_with_tiles_set_aside_face_down() -> None:
    assert verdict([*FINE, down(None), down(None)]).outcome is Outcome.CONFIRMED


def stays_open(found: Verdict[Lies], reason: Reason, tiles: tuple[int, ...], number: int) -> None:
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


# What the rules say of a table that is read without doubt, or with some.

MISSING = Finding(True, "UNPAID", "3.4", "One symbol is still to be paid.")
BROKEN = Finding(True, "SPARE", "3.4", "A tile too many was paid.")


def of(
    explanation: Mapping[int, Explanation[str]], tiles: Sequence[Tile], done: bool = False
) -> Verdict[str] | None:
    """The verdict of a game that explains tables by how many tiles "c" lie in the castle."""

    def explain(table: Table) -> Explanation[str]:
        return explanation[table.faces.get("castle", {}).get("c", 0)]

    step = Step("pay", "3.4", "", "", (0,), Ask(ASK), explain)
    return judge(step, Claims.of(observe(tiles, LABELS, ASK.zones, ("castle",))), done=done)


IDLE: Explanation[str] = Explanation()
LEGAL = Explanation((Explained("build"),))
UNPAID = Explanation((Explained("build", (MISSING,), ("One tools tile is missing.",)),))
ILLEGAL = Explanation((Explained("build", (BROKEN,)),))
DIFFERS: Explanation[str] = Explanation(differs=(BROKEN,))
UNSURE = [*FINE[:2], *sure("castle", "b"), doubtful("castle", "b", "c")]


def test_a_table_as_on_record_needs_no_verdict() -> None:
    assert of({0: IDLE}, FINE) is None


def test_what_is_under_way_is_unfinished_until_somebody_says_that_it_is_done() -> None:
    found = of({0: UNPAID}, FINE)
    assert found is not None
    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, Reason.UNFINISHED)
    assert found.missing == ("One tools tile is missing.",)
    accused = of({0: UNPAID}, FINE, done=True)
    assert accused is not None
    assert (accused.outcome, accused.findings) == (Outcome.OUT_OF_SYNC, (MISSING,))
    assert accused.ruling == "build"


@pytest.mark.parametrize("told", [ILLEGAL, DIFFERS])
def test_a_broken_rule_and_a_contradiction_are_out_of_sync(told: Explanation[str]) -> None:
    found = of({0: told}, FINE)
    assert found is not None
    assert (found.outcome, found.reason) == (Outcome.OUT_OF_SYNC, Reason.CONTRADICTS_RECORD)
    assert (found.findings, found.number, found.references) == ((BROKEN,), 1, ("3.4",))


def test_the_one_legal_reading_of_a_doubtful_tile_settles_it() -> None:
    found = of({0: ILLEGAL, 1: LEGAL}, UNSURE)
    assert found is not None
    assert (found.outcome, found.ruling) == (Outcome.CONFIRMED, "build")


@pytest.mark.parametrize("other", [UNPAID, IDLE])
def test_what_is_wrong_in_one_way_to_read_a_table_accuses_nobody(other: Explanation[str]) -> None:
    found = of({0: DIFFERS, 1: other}, UNSURE)
    assert found is not None
    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, Reason.TILE_DOUBTFUL)
    assert found.tiles == (3,)


TWICE: Explanation[str] = Explanation(differs=(MISSING, BROKEN))


@pytest.mark.parametrize("told", [{0: DIFFERS, 1: TWICE}, {0: ILLEGAL, 1: TWICE}, {0: ILLEGAL}])
def test_no_doubt_explains_a_clear_violation_away(told: Mapping[int, Explanation[str]]) -> None:
    found = of({0: ILLEGAL, 1: ILLEGAL, **told}, UNSURE)
    assert found is not None
    assert (found.outcome, found.findings) == (Outcome.OUT_OF_SYNC, (BROKEN,))


def test_a_reading_that_only_the_games_tiles_rule_out_still_protects_from_an_accusation() -> None:
    # Both b lie there already: what is in doubt can only be c, and c breaks the rule.
    tiles = [*sure("centre", "a"), *sure("castle", "b", 2), doubtful("castle", "b", "c")]
    found = of({0: IDLE, 1: ILLEGAL}, tiles)
    assert found is not None
    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, Reason.TILE_DOUBTFUL)


def test_perhaps_nothing_has_happened_yet() -> None:
    found = of({0: IDLE, 1: LEGAL}, UNSURE)
    assert found is not None
    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, Reason.TILE_DOUBTFUL)


def test_two_legal_explanations_ask_a_person() -> None:
    both = Explanation((Explained("build"), Explained("move")))
    found = of({0: both}, FINE)
    assert found is not None
    assert (found.reason, found.rivals) == (Reason.AMBIGUOUS, ("build", "move"))


def test_a_missing_tile_is_an_accusation_only_when_people_are_done() -> None:
    hidden = FINE[:3]
    waiting = of({0: DIFFERS}, hidden)
    assert waiting is not None
    assert (waiting.outcome, waiting.reason) == (Outcome.INCONCLUSIVE, Reason.TILES_MISSING)
    found = of({0: DIFFERS}, hidden, done=True)
    assert found is not None
    assert found.outcome is Outcome.OUT_OF_SYNC


def test_what_was_entered_by_hand_may_still_have_to_be_done() -> None:
    step = Step("pay", "3.4", "", "", (0,), Ask(ASK), lambda table: DIFFERS)
    claims = Claims.of(observe(FINE, LABELS, ASK.zones, ("castle",)))
    found = assess(step, claims, behind=True)
    assert found is not None
    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, Reason.NOT_CARRIED_OUT)
    assert found.missing == (BROKEN.text,)


def test_pieces_that_are_not_seen_for_sure_ask_a_person() -> None:
    def explain(table: Table) -> Explanation[str]:
        placed = table.pieces.get("f1", {}).get("red", 0)
        return LEGAL if placed == 1 else DIFFERS if placed else IDLE

    step = Step("build", "3.4", "", "", (0,), Ask(fields=True), explain)

    def seen(*pieces: tuple[str | None, str | None, bool]) -> Verdict[str] | None:
        return judge(step, Claims.of(observe((), (), (), (), pieces, ("red",), ("f1", "f2"))))

    assert seen() is None
    doubt = seen(("red", "f1", False))
    assert doubt is not None
    assert (doubt.outcome, doubt.reason) == (Outcome.INCONCLUSIVE, Reason.PIECE_DOUBTFUL)
    assert doubt.rivals == ("build",)
    assert seen(("red", "f1", False), ("red", "f1", False)) is None, "a doubt accuses nobody"


def test_claims_come_back_from_json_as_they_were() -> None:
    tiles = [*UNSURE, down(None), doubtful(None)]
    claims = Claims.of(observe(tiles, LABELS, (*ASK.zones, "map"), ("castle",)))
    assert Claims.from_json(claims.to_json()) == claims
    standing = (("red", "f1", False), ("red", "f1", True))
    claims = Claims.of(observe((), (), (), (), standing, ("red",), ("f1", "f2")))
    assert claims.likely == {"f1": {"red": 2}}
    assert Claims.from_json(claims.to_json()) == claims
