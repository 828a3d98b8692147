"""The dial and the draw."""

from __future__ import annotations

import pytest

from referee.box.draw import TURN, Dial, draw_sector

UNEVEN = Dial((0, 16384, 24576), ("a", "b", "c"))


def test_equal_sectors() -> None:
    dial = Dial.equal([2, 3, 4, 3, 5, 4])
    assert dial.labels == ("2", "3", "4", "3", "5", "4")
    assert dial.starts == (0, 10923, 21845, 32768, 43691, 54613)
    assert sum(dial.widths()) == TURN


def test_each_number_gives_the_sector_that_it_lies_in() -> None:
    counts = [0, 0, 0]
    for at in range(TURN):
        counts[draw_sector(UNEVEN, lambda below, at=at: at)] += 1  # type: ignore[misc]
    assert counts == [16384, 8192, 40960]


def test_the_system_draws_each_sector_as_often_as_it_is_wide() -> None:
    count = 20_000
    drawn = [draw_sector(UNEVEN) for _ in range(count)]
    for sector, width in enumerate(UNEVEN.widths()):
        share = width / TURN
        # Six standard deviations of a binomial: a right draw fails once in half a billion runs.
        slack = 6 * (share * (1 - share) / count) ** 0.5
        assert drawn.count(sector) / count == pytest.approx(share, abs=slack)


@pytest.mark.parametrize(
    ("starts", "labels"),
    [((0, 5), ("a",)), ((0,), ("a",)), ((5, 5), ("a", "b")), ((0, TURN), ("a", "b"))],
)
def test_what_is_no_dial_is_refused(starts: tuple[int, ...], labels: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="ector"):
        Dial(starts, labels)
