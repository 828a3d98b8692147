"""The calibration board by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from referee.cli import main
from referee.kit.markers import charuco_board
from vision.plane.charuco import see_sheet

#: Pixels in a millimetre at 144 dots an inch.
SCALE = 144 / 25.4


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_it_is_one_page_whose_corners_are_25_mm_apart(tmp_path: Path, paper: str) -> None:
    out = tmp_path / "sheet.pdf"
    result = CliRunner().invoke(main, ["kit", "--charuco", "--paper", paper, "-o", str(out)])
    assert result.exit_code == 0
    assert "100 mm" in result.output
    document = pypdfium2.PdfDocument(out)
    assert len(document) == 1
    page = document[0].render(scale=2.0).to_numpy()
    document.close()
    view = see_sheet(np.ascontiguousarray(page[:, :, :3]), charuco_board())
    assert len(view.ids) == 48
    across = view.pixels[1] - view.pixels[0]
    down = view.pixels[6] - view.pixels[0]
    assert across / SCALE == pytest.approx((25, 0), abs=0.1)
    assert down / SCALE == pytest.approx((0, 25), abs=0.1)
    # Both rulers: a thin black line of 100 mm below the board, and one right of it.
    dark = page[:, :, :3].max(axis=2) < 120
    board_end = view.pixels.max(axis=0) + 25 * SCALE
    below = longest(dark[round(board_end[1]) + 2 :])
    beside = longest(dark[:, round(board_end[0]) + 2 :].T)
    assert below / SCALE == pytest.approx(100, abs=1)
    assert beside / SCALE == pytest.approx(100, abs=1)


def longest(dark: NDArray[np.bool_]) -> int:
    """The most dark pixels in a row next to each other."""
    best = run = np.zeros(len(dark), int)
    for column in dark.T:
        run = (run + 1) * column
        best = np.maximum(best, run)
    return int(best.max())
