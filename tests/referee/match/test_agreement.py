"""Looks at a table must agree before anything is said of it."""

from __future__ import annotations

from referee.games.step import Counts
from referee.match.agreement import Agreement
from referee.match.reveal import unseen
from referee.match.verdict import Outcome, Reason, Verdict


def confirmed(**labels: int) -> Verdict[Counts]:
    return Verdict(Outcome.CONFIRMED, counts={"centre": labels})


def inconclusive(reason: Reason) -> Verdict[Counts]:
    return Verdict(Outcome.INCONCLUSIVE, reason, 1)


def test_equal_looks_agree() -> None:
    agreement: Agreement[Counts] = Agreement(looks=3)
    assert agreement.take(confirmed(a=2)) is None
    assert agreement.take(confirmed(a=2)) is None
    assert agreement.take(last := confirmed(a=2)) is last


def test_a_different_look_starts_the_count_anew() -> None:
    agreement: Agreement[Counts] = Agreement(looks=2)
    assert agreement.take(confirmed(a=2)) is None
    assert agreement.take(confirmed(a=1, b=1)) is None
    assert agreement.take(inconclusive(Reason.TILES_MISSING)) is None
    assert agreement.take(confirmed(a=2)) is None
    assert agreement.take(confirmed(a=2)) is not None


def test_the_same_reason_is_agreement_on_no_verdict() -> None:
    agreement: Agreement[Counts] = Agreement(looks=2)
    assert agreement.take(inconclusive(Reason.TILE_FACE_DOWN)) is None
    found = agreement.take(inconclusive(Reason.TILE_FACE_DOWN))
    assert found is not None
    assert found.reason is Reason.TILE_FACE_DOWN


def test_looks_that_never_agree_are_inconclusive_even_if_each_is_confirmed() -> None:
    agreement: Agreement[Counts] = Agreement(looks=2, patience=4)
    found = [agreement.take(confirmed(a=n)) for n in range(4)]
    assert found[:3] == [None, None, None]
    assert found[3] is not None
    assert (found[3].outcome, found[3].reason) == (Outcome.INCONCLUSIVE, Reason.LOOKS_DISAGREE)
    assert found[3].ruling is None


def test_a_table_that_is_not_seen_at_all() -> None:
    agreement: Agreement[Counts] = Agreement(looks=1)
    found = agreement.take(unseen())
    assert found is not None
    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, Reason.PLANE_NOT_FOUND)
