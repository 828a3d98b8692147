"""Counting cubes in a tray from what the network marks, on pictures drawn from straight above."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import Network
from vision.pieces.colours import ColourBook
from vision.pieces.tray import TrayPlace, TrayReader
from vision.pieces.tray_patch import TrayPatch
from vision.plane import Plane, plane_from_corners

PAINTS = {"red": (190, 32, 38), "blue": (28, 72, 165), "yellow": (240, 200, 30)}
SIDE = 10.0
TRAY = TrayPlace("tray", ((60.0, 50.0), (260.0, 50.0), (260.0, 200.0), (60.0, 200.0)), SIDE)
#: Pixels a millimetre.
SCALE = 2
WHITE = (0.9, 0.9, 0.9)

Image = NDArray[np.uint8]
Cube = tuple[str, float, float]


class Marks(Network):
    """A network that marks what it was told, whatever it is shown."""

    def __init__(
        self, cubes: Sequence[Cube], *, scores: Sequence[float] = (), hidden: float = 0.0
    ) -> None:
        view = TrayPatch.around(TRAY.polygon, SIDE)
        rows, columns = (n // 2 for n in view.shape)
        self.maps = np.zeros((5, rows, columns), np.float32)
        self.maps[4] = hidden / (rows * columns)
        y, x = np.indices((rows, columns), np.float32)
        reach = SIDE * view.px_per_mm / 4
        for k, (_, *place) in enumerate(cubes):
            at = ((np.array(place) - view.corner) * view.px_per_mm - 1.0) / 2
            own = (np.abs(x - at[0]) <= reach) & (np.abs(y - at[1]) <= reach)
            self.maps[1][own] = 1.0
            self.maps[2][own] = (at[0] - x[own]) / (2 * reach)
            self.maps[3][own] = (at[1] - y[own]) / (2 * reach)
            score = scores[k] if scores else 0.95
            mark = np.exp(-(np.square(x - at[0]) + np.square(y - at[1])) / 3.0)
            self.maps[0] = np.maximum(self.maps[0], score * mark / mark.max())

    def run(self, *inputs: NDArray[np.generic]) -> list[NDArray[np.float32]]:
        assert inputs[0].shape[2:] == (2 * self.maps.shape[1], 2 * self.maps.shape[2])
        return [self.maps[None]]


def picture(cubes: Sequence[Cube], paints: dict[str, tuple[int, int, int]] | None = None) -> Image:
    image = np.full((260 * SCALE, 320 * SCALE, 3), (70, 95, 120), np.uint8)
    for name, x, y in cubes:
        low, high = (
            tuple(round(SCALE * (v + sign * SIDE / 2)) for v in (x, y)) for sign in (-1, 1)
        )
        level = np.array((paints or PAINTS)[name][::-1], np.float32) / 255
        shown = (255 * (level**2.2 * 0.9) ** (1 / 2.2)).tolist()
        cv2.rectangle(image, low, high, shown, -1)
    return image


def plane() -> Plane:
    width, height = 320 * SCALE - 1, 260 * SCALE - 1
    corners = [(0, 0), (width, 0), (width, height), (0, height)]
    return plane_from_corners(corners, (320.0, 260.0), (width + 1, height + 1))


CUBES: list[Cube] = [
    ("red", 90, 80),
    ("red", 101, 80),
    ("blue", 150, 120),
    ("yellow", 200, 160),
    ("yellow", 200, 171),
    ("yellow", 211, 165),
]
BOOK = ColourBook.of_paints(PAINTS)


def test_cubes_that_all_are_seen_are_counted_exactly() -> None:
    counts, cubes = TrayReader(BOOK, Marks(CUBES)).read(picture(CUBES), plane(), [TRAY], WHITE)
    assert counts.lows.tolist() == [2, 1, 3]
    assert counts.highs.tolist() == [2, 1, 3]
    assert cubes.certain.all()
    order = np.lexsort(cubes.points_mm.T[::-1])
    true = np.array([(x, y) for _, x, y in CUBES])
    np.testing.assert_allclose(
        cubes.points_mm[order], true[np.lexsort(true.T[::-1])], atol=0.15 * SIDE
    )
    np.testing.assert_allclose(cubes.points_px, cubes.points_mm * SCALE, atol=6)


def test_a_doubtful_cube_makes_a_range_of_its_colour_alone() -> None:
    marks = Marks(CUBES, scores=[0.95, 0.95, 0.3, 0.95, 0.95, 0.95])
    counts, cubes = TrayReader(BOOK, marks).read(picture(CUBES), plane(), [TRAY], WHITE)
    assert counts.lows.tolist() == [2, 0, 3]
    assert counts.highs.tolist() == [2, 1, 3]
    assert cubes.certain.sum() == 5


def test_what_may_hide_may_be_of_any_colour() -> None:
    marks = Marks(CUBES, hidden=1.0)
    counts, _ = TrayReader(BOOK, marks).read(picture(CUBES), plane(), [TRAY], WHITE)
    assert counts.lows.tolist() == [2, 1, 3]
    assert (counts.hidden >= 1).all()
    np.testing.assert_array_equal(counts.highs, counts.lows + counts.hidden)


def test_a_cube_of_no_taught_colour_may_be_any() -> None:
    cubes: list[Cube] = [*CUBES, ("green", 120.0, 180.0)]
    shown = picture(cubes, PAINTS | {"green": (30, 160, 60)})
    counts, _ = TrayReader(BOOK, Marks(cubes)).read(shown, plane(), [TRAY], WHITE)
    assert counts.lows.tolist() == [2, 1, 3]
    assert counts.highs.tolist() == [3, 2, 4]


def test_what_lies_beside_the_tray_does_not_count() -> None:
    beside: list[Cube] = [*CUBES, ("blue", 267.0, 120.0)]
    counts, _ = TrayReader(BOOK, Marks(beside)).read(picture(beside), plane(), [TRAY], WHITE)
    assert counts.highs.tolist() == [2, 1, 3]


def test_an_empty_tray_holds_nothing() -> None:
    counts, cubes = TrayReader(BOOK, Marks([])).read(picture([]), plane(), [TRAY], WHITE)
    assert counts.lows.tolist() == [0, 0, 0]
    assert counts.highs.tolist() == [0, 0, 0]
    assert len(cubes) == 0


def test_each_tray_has_its_own_counts() -> None:
    counts, cubes = TrayReader(BOOK, Marks(CUBES)).read(
        picture(CUBES), plane(), [TRAY, TRAY], WHITE
    )
    assert counts.tray_ids.tolist() == [0, 0, 0, 1, 1, 1]
    assert counts.colour_ids.tolist() == [0, 1, 2, 0, 1, 2]
    assert np.bincount(cubes.tray_ids).tolist() == [6, 6]
