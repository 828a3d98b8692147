"""Rendered trays: what is drawn is where it should be, and the truth fits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.scene.cubes import Beam, Boxes, Glow, lit, trace
from vision.scene.cubes_trays import draw_tray
from vision.scene.projection import View

TURN = np.array([[np.cos(0.5), -np.sin(0.5), 0], [np.sin(0.5), np.cos(0.5), 0], [0, 0, 1.0]])


def boxes(*centres: tuple[float, float, float], side: float = 8.0) -> Boxes:
    n = len(centres)
    return Boxes(
        np.array(centres, np.float64),
        np.tile(np.eye(3), (n, 1, 1)),
        np.full((n, 3), side / 2),
        np.full((n, 3), 0.5, np.float32),
        np.zeros(n, np.float32),
        np.zeros(n, np.float32),
    )


def straight_down(size: int = 60) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Rays a millimetre apart, from -size / 2 on, straight down."""
    x, y = np.meshgrid(np.arange(size) - size / 2, np.arange(size) - size / 2)
    low = np.stack([x, y], axis=2).astype(np.float32)
    return low, np.zeros_like(low)


def test_a_cube_from_above_is_its_square() -> None:
    seen = trace(*straight_down(), boxes((0.3, 0.3, 4.0)))
    inside = seen.ids == 0
    assert inside.sum() == 64
    np.testing.assert_allclose(seen.heights[inside], 8.0, atol=1e-4)
    np.testing.assert_allclose(seen.points[~inside][:, 2], 0.0)


def test_the_higher_cube_hides_the_lower() -> None:
    low, rise = straight_down()
    seen = trace(low, rise, boxes((0.3, 0.3, 4.0), (4.3, 0.3, 12.0)))
    assert (seen.ids == 1).sum() == 64
    assert (seen.ids == 0).sum() == 32
    again = trace(low, rise, boxes((4.3, 0.3, 12.0), (0.3, 0.3, 4.0)))
    assert (again.ids == 0).sum() == 64


def test_a_slanting_ray_meets_the_side() -> None:
    low, rise = straight_down()
    # Rays that come from the right: a millimetre aside for each upwards.
    seen = trace(low, rise + np.array([1.0, 0.0], np.float32), boxes((0.3, 0.3, 4.0)))
    rows, columns = np.nonzero(seen.ids == 0)
    # A ray through the foot's right edge passes the top 8 mm further right.
    assert columns.min() - 30 <= -11
    sides = seen.normals[rows, columns] @ np.array([1.0, 0, 0]) > 0.7
    tops = seen.normals[rows, columns] @ np.array([0, 0, 1.0]) > 0.7
    assert sides.sum() > 40
    assert tops.sum() > 40


def test_a_turned_cube_keeps_its_area() -> None:
    cube = boxes((0.2, 0.1, 4.0))
    turned = Boxes(cube.centres, TURN[None], cube.halves, cube.paints, cube.grains, cube.glosses)
    seen = trace(*straight_down(), turned)
    assert abs(int((seen.ids == 0).sum()) - 64) <= 4


def test_the_lamp_casts_a_shadow_on_the_other_side() -> None:
    low, rise = straight_down()
    cube = boxes((0.3, 0.3, 4.0))
    seen = trace(low, rise, cube)
    lamp = Glow([Beam((1.0, 0.0), 1.0)], [], 0.1)
    light = lit(
        seen, cube, lamp, np.array([0.0, 0.0, 800.0]), np.ones((*low.shape[:2], 3), np.float32)
    )
    row = light[30, :, 1]
    # The lamp stands to the right: the 8 mm to the left of the cube are dark, to the right bright.
    assert row[20:25].max() < 0.3
    assert row[37:42].min() > 0.6


def test_a_tray_is_the_same_for_the_same_seed_and_holds_its_cubes() -> None:
    one, again, other = draw_tray(5), draw_tray(5), draw_tray(5, held_back=True)
    np.testing.assert_array_equal(one.image, again.image)
    assert one.image.shape != other.image.shape or (one.image != other.image).any()
    n = len(one.colours)
    assert one.counts().sum() == n
    assert len(one.boxes) == n + 4
    inside = np.abs(one.boxes.centres[:n, :2] - one.corner - np.array(one.size) / 2)
    assert (inside <= np.array(one.size) / 2).all()
    # Cubes that lie flat on the floor have their middles half a side above it.
    assert one.boxes.centres[:n, 2].min() >= 0.45 * one.side


def test_the_camera_sees_the_whole_tray() -> None:
    for seed in range(3):
        tray = draw_tray(seed)
        (x, y), (w, h) = tray.corner, tray.size
        corners = View(tray.camera).project([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
        assert (corners >= 0).all()
        assert (corners < tray.image.shape[1::-1]).all()
