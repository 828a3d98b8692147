"""A lens found again from pictures that were drawn through it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from referee.kit.markers import charuco_board
from tests.vision.sheets import DISTORTION, MATRIX, SIZE, photograph, sheet_print
from vision.errors import UnreadableError
from vision.plane.charuco import SheetView, Views, calibrate, see_sheet
from vision.plane.lens_file import CameraLens

#: Middle of the sheet (px), its distance (mm), and its turns (degrees).
POSES = (
    ((480, 270), 300, (0, 0, 0)),
    ((225, 172), 400, (25, 0, 10)),
    ((735, 172), 400, (0, 28, 80)),
    ((225, 375), 400, (-25, 0, -10)),
    ((735, 375), 400, (0, -28, 90)),
    ((480, 150), 380, (30, 0, 90)),
    ((480, 390), 380, (-30, 10, 0)),
    ((165, 270), 450, (0, -30, 0)),
    ((795, 270), 450, (10, 30, 0)),
)


@cache
def view(number: int) -> SheetView:
    middle, distance, turns = POSES[number]
    image = photograph(sheet_print(charuco_board()), middle, distance, turns, seed=number)
    return see_sheet(image, charuco_board())


def all_views() -> list[SheetView]:
    return [view(number) for number in range(len(POSES))]


def test_a_known_lens_is_found_again() -> None:
    found = calibrate(all_views())
    matrix = found.lens.matrix
    assert matrix[0, 0] == pytest.approx(MATRIX[0, 0], rel=0.003)
    assert matrix[1, 1] == pytest.approx(MATRIX[1, 1], rel=0.003)
    assert matrix[:2, 2] == pytest.approx(MATRIX[:2, 2], abs=2.0)
    assert found.lens.distortion[:2] == pytest.approx(DISTORTION[:2], abs=0.015)
    assert found.error_px < 0.3
    assert found.size == SIZE
    assert found.views == len(POSES)


def test_corners_are_seen_where_they_are() -> None:
    # Straight on in the optical centre, distance 300 mm: a square of 25 mm measures 66.6 px.
    straight = see_sheet(
        photograph(sheet_print(charuco_board()), (486, 264), 300, (0, 0, 0)), charuco_board()
    )
    # Corners 20 and 21 are the two beside the sheet's middle column, of 6 x 8.
    near = {int(i): straight.pixels[k] for k, i in enumerate(straight.ids)}
    apart = near[21] - near[20]
    assert apart == pytest.approx((25 * MATRIX[0, 0] / 300, 0), abs=0.5)
    assert straight.tilt < 3


def test_tilts_are_told() -> None:
    # An ordinary lens is assumed, this one is longer: some degrees are lost.
    assert 20 < view(5).tilt < 35
    assert 20 < view(7).tilt < 35


def test_too_few_views_are_refused_with_what_is_missing() -> None:
    with pytest.raises(UnreadableError, match="2 different views") as caught:
        calibrate([view(1), view(2)])
    assert "6 more views" in caught.value.remedy
    assert "bottom right" in caught.value.remedy
    assert "1 view with the sheet tilted" in caught.value.remedy


def test_the_same_view_again_is_not_another_one() -> None:
    with pytest.raises(UnreadableError, match="1 different views"):
        calibrate([view(3)] * 12)


def test_a_sheet_that_is_never_tilted_is_refused() -> None:
    """Straight on, nothing tells a near sheet through a wide lens from a far one."""
    straight = [
        SheetView(v.ids, v.places, shifted, SIZE)
        for v in [view(0)]
        for dx in (-200, 0, 200)
        for dy in (-100, 0, 100)
        for shifted in [(0.5 * (v.pixels - (480, 270)) + (480 + dx, 270 + dy)).astype(np.float32)]
    ]
    with pytest.raises(UnreadableError, match="not enough") as caught:
        calibrate(straight)
    assert caught.value.remedy.endswith("tilted by about 30 degrees.")


def test_a_wavy_sheet_is_refused() -> None:
    wavy = [
        replace(v, pixels=v.pixels + 3 * np.sin(v.pixels[:, ::-1] / 40).astype(np.float32))
        for v in all_views()
    ]
    with pytest.raises(UnreadableError, match="lie off by") as caught:
        calibrate(wavy)
    assert "flat" in caught.value.remedy


def test_one_blurred_view_is_left_out() -> None:
    rng = np.random.default_rng(1)
    views = all_views()
    shaken = views[4].pixels + rng.normal(0, 2, views[4].pixels.shape).astype(np.float32)
    found = calibrate([*views[:4], replace(views[4], pixels=shaken), *views[5:]])
    assert found.views == len(POSES) - 1
    assert found.lens.matrix[0, 0] == pytest.approx(MATRIX[0, 0], rel=0.005)


def test_pictures_of_two_sizes_are_refused() -> None:
    with pytest.raises(UnreadableError, match="1280 x 720 pixels, the others 960 x 540"):
        calibrate([view(0), replace(view(1), size=(1280, 720))])


def test_no_sheet_is_named() -> None:
    with pytest.raises(UnreadableError, match="Only 0 of the sheet's 48 corners"):
        see_sheet(np.full((540, 960, 3), 90, np.uint8), charuco_board())


def test_in_a_film_a_moving_sheet_is_not_taken() -> None:
    views = Views()
    moving = replace(view(0), pixels=view(0).pixels + np.float32(5))
    assert not views.add_if_still(view(0))
    assert not views.add_if_still(moving)
    assert views.add_if_still(moving)
    assert not views.add_if_still(moving)
    assert len(views.kept) == 1


def test_a_lens_belongs_to_its_camera_and_resolution(tmp_path: Path) -> None:
    found = calibrate(all_views())
    CameraLens.of(found, "046d:0825:A1").save(tmp_path / "lens.json")
    lens = CameraLens.load(tmp_path / "lens.json")
    assert np.array_equal(lens.fitting("046d:0825:A1", SIZE).matrix, found.lens.matrix)
    assert np.array_equal(lens.fitting("046d:0825:A1", SIZE).distortion, found.lens.distortion)
    with pytest.raises(UnreadableError, match="belongs to 046d:0825:A1, not to 046d:0825:B2"):
        lens.fitting("046d:0825:B2", SIZE)
    with pytest.raises(UnreadableError, match="not to pictures in files"):
        lens.fitting(None, SIZE)
    with pytest.raises(UnreadableError, match="holds for 960 x 540 pixels"):
        lens.fitting("046d:0825:A1", (1920, 1080))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "lens 9"}, "format 'lens 9'"),
        ({"matrix": [1, 2]}, "no lens"),
        ({"size": None}, "no lens"),
        ({"distortion": [0, 0, 0, 0, float("nan")]}, "numbers can't be"),
    ],
)
def test_a_damaged_file_gives_one_clear_error(
    tmp_path: Path, change: dict[str, object], says: str
) -> None:
    path = tmp_path / "lens.json"
    CameraLens.of(calibrate(all_views()), None).save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(UnreadableError, match=says):
        CameraLens.load(path)
    with pytest.raises(UnreadableError, match="can't be read"):
        CameraLens.load(tmp_path / "none.json")
