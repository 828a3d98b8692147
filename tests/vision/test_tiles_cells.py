from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.tables import SCALE, Tile, corners_px, face, ground, photograph
from vision.tiles.cells import HALF, STRIDE, decode
from vision.tiles.refining import refine

Quad = NDArray[np.float64]


def _quad(centre: tuple[float, float], size: tuple[float, float], degrees: float) -> Quad:
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * size / 2
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + centre)


def _cells(quads: list[Quad], scores: list[float]) -> NDArray[np.float32]:
    """What a perfect network says of outlines, by the definition of its numbers."""
    cells = np.zeros((8, 40, 60), np.float32)
    for quad, score in zip(quads, scores, strict=True):
        centre = quad.mean(axis=0)
        # Pixels 0 to 3 lie in cell 0, whose middle is at 1.5.
        column, row = np.round((centre - 1.5) / STRIDE).astype(int)
        u, v = (complex(*(quad[k] - quad[0]) / 2) for k in (1, 3))
        s, p = u**2 + v**2, u**2 * v**2
        q = p / np.sqrt(abs(p))
        offset = (centre - 1.5) / STRIDE - (column, row)
        shape = [part / HALF**2 for x in (s, q) for part in (x.real, x.imag)]
        cells[:, row, column] = [score, *offset, *shape, 1]
    return cells


def _same(found: NDArray[np.float32], quad: Quad) -> float:
    return float(min(np.abs(np.roll(found, k, axis=0) - quad).max() for k in range(4)))


@pytest.mark.parametrize("size", [(24, 24), (20, 31), (45, 27)])
@pytest.mark.parametrize("degrees", [0, 17, 45, 90, 133, 180, 271])
def test_outlines_come_back_whatever_their_shape_and_turn(
    size: tuple[float, float], degrees: float
) -> None:
    quad = _quad((101.3, 77.8), size, degrees)
    found = decode(_cells([quad], [0.9]), 0.5)
    assert len(found) == 1
    assert _same(found.quads[0], quad) < 0.01


def test_outlines_go_round_clockwise_as_seen() -> None:
    quads = [_quad((30 + 50 * k, 60), (24, 36), 40 * k) for k in range(4)]
    x, y = np.moveaxis(decode(_cells(quads, [0.9] * 4), 0.5).quads, 2, 0)
    area = (x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1) / 2
    np.testing.assert_allclose(area, 24 * 36, rtol=1e-3)


def test_the_best_come_first_and_the_poor_are_left_out() -> None:
    quads = [_quad((40.0 + 60 * k, 60.0), (24, 24), 0) for k in range(3)]
    found = decode(_cells(quads, [0.6, 0.2, 0.8]), 0.5)
    np.testing.assert_allclose(found.scores, [0.8, 0.6])
    assert _same(found.quads[0], quads[2]) < 0.01


def test_nothing_is_found_where_nothing_is() -> None:
    assert len(decode(np.zeros((8, 10, 10), np.float32), 0.1)) == 0


def _photo(angle: float) -> tuple[NDArray[np.uint8], Quad]:
    tile = Tile(face("R", (40, 40, 190), (200, 225, 235)), (60.0, 60.0), angle)
    photo = photograph(ground((120.0, 120.0), (60, 90, 130), seed=1), [tile])
    return photo, tile.quad * SCALE + corners_px((120.0, 120.0))[0]


@pytest.mark.parametrize("angle", [0.0, 20.0, 45.0])
def test_sides_move_onto_the_edges(angle: float) -> None:
    photo, true = _photo(angle)
    middle = true.mean(axis=0)
    rough = middle + (true - middle) * 1.06 + (1.0, -1.2)
    fine = refine(photo, rough[None].astype(np.float32))[0]
    assert np.abs(fine - true).max() < 0.6


def test_without_edges_nothing_moves() -> None:
    photo = ground((120.0, 120.0), (60, 90, 130), seed=1, grain=0.0)
    rough = _quad((80, 80), (50, 50), 10)[None].astype(np.float32)
    assert np.abs(refine(photo, rough) - rough).max() < 0.5


def test_no_outlines_need_no_refining() -> None:
    photo, _ = _photo(0.0)
    assert refine(photo, np.zeros((0, 4, 2), np.float32)).shape == (0, 4, 2)
