"""Imposition: what fits stays inside the printable room, apart, and backs meet their fronts."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.drawing import Drawing, PrintItem
from referee.kit.sheets import GAP, PAPERS, Paper, Placed, SheetError, impose


def item(width: float, height: float, copies: int = 1, sheet: str = "s") -> PrintItem:
    drawing = Drawing(f"{width} x {height}", (width, height), ())
    return PrintItem(drawing.name, drawing, drawing, copies, sheet)


def box(placed: Placed) -> tuple[float, float, float, float]:
    (x, y), (width, height) = placed.corner, placed.size
    return x, y, x + width, y + height


def check(placed: tuple[Placed, ...], paper: Paper) -> None:
    """Inside the margins, on both sides of the sheet, and no two closer than the gap."""
    width, height = paper.size
    for one in placed:
        left, top, right, bottom = box(one)
        mirrored = one.mirrored(paper)[0]
        assert min(left, mirrored) >= paper.margin - 1e-9
        assert max(right, mirrored + one.size[0]) <= width - paper.margin + 1e-9
        assert top >= paper.margin + paper.header - 1e-9
        assert bottom <= height - paper.margin - paper.footer + 1e-9
    for a, b in combinations(map(box, placed), 2):
        beside = a[2] + GAP <= b[0] + 1e-9 or b[2] + GAP <= a[0] + 1e-9
        above = a[3] + GAP <= b[1] + 1e-9 or b[3] + GAP <= a[1] + 1e-9
        assert beside or above


@pytest.mark.parametrize("name", sorted(PAPERS))
@given(
    st.lists(
        st.builds(item, st.floats(5, 190), st.floats(5, 190), st.integers(1, 9)),
        min_size=1,
        max_size=8,
    )
)
def test_all_copies_are_placed_apart_and_inside(name: str, items: list[PrintItem]) -> None:
    sheets = impose(items, PAPERS[name])
    placed = [one for sheet in sheets for one in sheet.placed]
    assert len(placed) == sum(one.copies for one in items)
    for sheet in sheets:
        assert sheet.placed
        check(sheet.placed, PAPERS[name])


def test_paper_has_the_sizes_of_its_norm() -> None:
    # ISO 216, and ANSI letter of 8.5 x 11 inches.
    assert PAPERS["a4"].size == (210.0, 297.0)
    assert PAPERS["letter"].size == pytest.approx((8.5 * 25.4, 11 * 25.4))


def test_a_long_item_is_turned() -> None:
    (sheet,) = impose([item(240, 30)], PAPERS["a4"])
    assert sheet.placed[0].turned
    assert sheet.placed[0].size == (30, 240)


def test_an_item_larger_than_the_sheet_is_refused() -> None:
    with pytest.raises(SheetError, match="540 x 300"):
        impose([item(540, 300)], PAPERS["a4"])


def test_titles_do_not_share_a_sheet() -> None:
    sheets = impose([item(10, 10, sheet="a"), item(10, 10, sheet="b")], PAPERS["a4"])
    assert [sheet.title for sheet in sheets] == ["a", "b"]


def test_backs_lie_behind_their_fronts() -> None:
    (sheet,) = impose([item(30, 20), item(50, 20)], PAPERS["a4"])
    for one in sheet.placed:
        # Turned over the long edge, a point x from the left lies x from the right.
        right = one.corner[0] + one.size[0]
        assert one.mirrored(PAPERS["a4"])[0] == pytest.approx(210.0 - right)
