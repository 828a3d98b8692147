import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.shared import RENDERED, need
from tests.vision.marked_tables import (
    CASTLE,
    LAYOUT,
    MAP,
    MARKERS,
    SIZE,
    Array,
    Image,
    Pose,
    Print,
    board_prints,
    picture,
    prints,
)
from vision.errors import UnreadableError
from vision.layout import Layout, Marker
from vision.plane import Lens, Plane, find_boards, find_plane, plane_from_corners
from vision.plane.edges import sharpened
from vision.plane.markers import find_markers

EDGE = np.array(
    [(x, y) for x in np.linspace(0, SIZE[0], 13) for y in (0, SIZE[1])]
    + [(x, y) for x in (0, SIZE[0]) for y in np.linspace(0, SIZE[1], 9)]
)


def at_height(points: Array, height: float) -> Array:
    return np.column_stack([points, np.full(len(points), height)])


def edge_error_mm(plane: Plane, pose: Pose) -> float:
    """How far the plane is off at its edge."""
    seen = pose.project(at_height(EDGE, 0.0))
    return float(np.linalg.norm(plane.to_mm(seen) - EDGE, axis=1).max())


@pytest.fixture(scope="module")
def table() -> Image:
    return picture(Pose(), prints())


@pytest.mark.parametrize(
    "pose",
    [
        Pose(),
        Pose(tilt=0.0, roll=-6.0),
        Pose(tilt=38.0, roll=2.0, distance=1350.0),
        Pose(radial=-0.12),
        Pose(radial=0.06, focal=1250.0, distance=1020.0),
        Pose(roll=180.0),
    ],
    ids=str,
)
def test_the_plane_is_exact_to_the_table_edge(pose: Pose) -> None:
    plane = find_plane(picture(pose, prints()), LAYOUT)
    assert plane.markers == (0, 1, 2, 3, 4, 5, 6, 7)
    assert edge_error_mm(plane, pose) < 0.5
    assert 0.0 < plane.sigma_mm < 0.5


def test_the_plane_is_found_in_small_pictures() -> None:
    pose = Pose(size=(1280, 720), radial=-0.05)
    plane = find_plane(picture(pose, prints()), LAYOUT)
    assert len(plane.markers) == 8
    assert edge_error_mm(plane, pose) < 1.0


def test_heights_are_where_the_camera_sees_them(table: Image) -> None:
    plane = find_plane(table, LAYOUT)
    grid = np.array([(x, y) for x in np.linspace(0, 960, 7) for y in np.linspace(0, 620, 5)])
    for height in (2.0, 26.0):
        seen = Pose().project(at_height(grid, height))
        assert np.abs(plane.lift(grid, height) - seen).max() < 0.7
        assert np.abs(plane.drop(plane.lift(grid, height), height) - grid).max() < 1e-2
    mixed = plane.lift(grid, np.linspace(0.0, 30.0, len(grid)))
    assert np.allclose(mixed[0], plane.to_px(grid[0]), atol=1e-3)
    assert np.allclose(mixed[-1], plane.lift(grid[-1], 30.0), atol=1e-3)


def test_a_known_lens_is_taken_as_it_is() -> None:
    pose = Pose(radial=-0.15)
    lens = Lens(pose.matrix, pose.distortion)
    plane = find_plane(picture(pose, prints()[:4]), LAYOUT, lens)
    assert plane.lens is lens
    assert edge_error_mm(plane, pose) < 0.5


@pytest.mark.parametrize(("radial", "tilt"), [(-0.25, 0.0), (-0.25, 20.0), (0.12, 20.0)])
def test_markers_are_bent_by_the_lens_as_the_table_is(radial: float, tilt: float) -> None:
    """The diagonals of a bent square don't cross where its centre is: here 0.3 px beside it."""
    pose = Pose(radial=radial, tilt=tilt)
    lens = Lens(pose.matrix, pose.distortion)
    plane = find_plane(picture(pose, prints()[:4]), LAYOUT, lens)
    assert edge_error_mm(plane, pose) < 0.07


def test_a_dark_table_does_not_bend_markers_with_little_white() -> None:
    """The white is 1/11 of the side wide; blurred, no sample far out shows white alone."""
    flat = Pose(tilt=0.0, roll=0.0, distance=1300.0)
    turned = [
        replace(one, marker=replace(one.marker, side=40.0), paper=3.5, turn=turn)
        for one, turn in zip(prints()[:4], (12.0, -20.0, 30.0, 8.0), strict=True)
    ]
    blurred = cv2.GaussianBlur(picture(flat, turned, table=30), (0, 0), 1.2)
    grey = np.asarray(blurred[..., 0], np.uint8).copy()
    seen = sharpened(grey, find_markers(grey, range(4)))
    assert len(seen) == 4
    for one in seen:
        sides = np.linalg.norm(one.quad - np.roll(one.quad, 1, axis=0), axis=1)
        assert np.abs(sides - sides.mean()).max() < 0.6
        assert abs(sides.mean() - 40.0 * flat.focal / flat.distance) < 1.0


def test_three_markers_suffice_and_say_how_far(table: Image) -> None:
    three = [prints()[i] for i in (0, 1, 3)]
    plane = find_plane(picture(Pose(), three), LAYOUT)
    assert plane.markers == (0, 1, 3)
    assert edge_error_mm(plane, Pose()) < 4 * plane.sigma_mm
    assert plane.sigma_mm > 5 * find_plane(table, LAYOUT).sigma_mm


def test_too_few_markers_are_named() -> None:
    with pytest.raises(UnreadableError) as caught:
        find_plane(picture(Pose(), prints()[2:4]), LAYOUT)
    assert "0, 1, 4, 5, 6, 7 are missing" in caught.value.what
    assert "found: 2, 3" in caught.value.what
    assert "At least 3" in caught.value.remedy


@pytest.mark.parametrize("image", [np.zeros((720, 1280, 3), np.uint8), np.full((9, 9), 200, "u1")])
def test_an_empty_picture_lacks_all_markers(image: Image) -> None:
    with pytest.raises(UnreadableError, match="0, 1, 2, 3, 4, 5, 6, 7 are missing"):
        find_plane(image, LAYOUT)


def test_a_layout_without_markers_asks_for_corners(table: Image) -> None:
    with pytest.raises(UnreadableError, match="corners of the plane by hand"):
        find_plane(table, replace(LAYOUT, markers=()))


def test_a_false_marker_is_left_out() -> None:
    liar = Print(Marker(1, (300.0, 400.0), 60.0))
    plane = find_plane(picture(Pose(), [liar, *prints()[:1], *prints()[2:]]), LAYOUT)
    assert plane.markers == (0, 2, 3, 4, 5, 6, 7)
    assert edge_error_mm(plane, Pose()) < 0.7


def test_a_false_marker_among_four_is_told_by_its_shape() -> None:
    layout = replace(LAYOUT, markers=MARKERS[:4])
    liar = Print(Marker(1, (500.0, 300.0), 60.0))
    plane = find_plane(picture(Pose(), [liar, *prints()[:1], *prints()[2:4]]), layout)
    assert plane.markers == (0, 2, 3)
    assert edge_error_mm(plane, Pose()) < 4 * plane.sigma_mm


def test_the_true_one_of_two_equal_markers_is_taken() -> None:
    double = Print(Marker(1, (300.0, 400.0), 60.0))
    plane = find_plane(picture(Pose(), [double, *prints()]), LAYOUT)
    assert len(plane.markers) == 8
    assert edge_error_mm(plane, Pose()) < 0.5


def test_a_pushed_marker_is_left_out() -> None:
    pushed = Print(replace(MARKERS[5], centre=(968.0, 303.0)))
    things = [thing for thing in prints() if thing.marker.id != 5]
    plane = find_plane(picture(Pose(), [pushed, *things]), LAYOUT)
    assert 5 not in plane.markers
    assert edge_error_mm(plane, Pose()) < 0.7


def test_the_calibration_is_named_by_its_numbers(table: Image) -> None:
    first = find_plane(table, LAYOUT)
    moved = find_plane(picture(Pose(roll=3.5), prints()), LAYOUT)
    assert find_plane(table, LAYOUT).calibration_id == first.calibration_id
    assert moved.calibration_id != first.calibration_id


def test_the_top_view_is_upright_and_to_scale() -> None:
    pose = Pose(radial=-0.1)
    image = picture(pose, prints())
    plane = find_plane(image, LAYOUT)
    top = plane.rectify(image, 2.0, margin_mm=40.0)
    assert top.shape == (1400, 2080, 3)
    again = find_plane(top, LAYOUT)
    # Plane point p lies at pixel (p + margin) * scale - 0.5.
    assert np.abs(again.to_px(EDGE) - ((EDGE + 40.0) * 2.0 - 0.5)).max() < 0.8


def test_many_patches_show_where_they_lie() -> None:
    plane = plane_from_corners(
        [[100, 100], [1060, 100], [1060, 720], [100, 720]], SIZE, (1160, 820)
    )
    columns, rows = np.meshgrid(np.arange(1160), np.arange(820))
    image = np.stack([columns % 256, rows % 256, columns // 256], axis=-1).astype(np.uint8)
    corners = [(40.0, 30.0), (300.0, 200.0)]
    shown = plane.patches(image, corners, (50.0, 20.0), 1.0, [0.0, 0.0])
    assert shown.shape == (2, 20, 50, 3)
    for (x, y), patch in zip(corners, shown, strict=True):
        # One pixel a millimetre; pixel centres lie half a pixel off the plane's corner.
        left, top = int(x) + 100, int(y) + 100
        apart = np.abs(patch.astype(int) - image[top : top + 20, left : left + 50])
        assert np.median(apart) <= 1


CORNERS = [[300.0, 60.0], [1540.0, 80.0], [1700.0, 930.0], [220.0, 990.0]]


def test_given_corners_hold_exactly() -> None:
    plane = plane_from_corners(CORNERS, SIZE, (1920, 1080))
    assert np.allclose(plane.to_px([(0, 0), (960, 0), (960, 620), (0, 620)]), CORNERS, atol=2e-3)
    assert plane.markers == ()


def test_given_corners_tell_heights() -> None:
    pose = Pose(tilt=30.0)
    corners = pose.project([(0, 0, 0), (960, 0, 0), (960, 620, 0), (0, 620, 0)])
    plane = plane_from_corners(corners, SIZE, pose.size)
    grid = np.array([(x, y) for x in (100.0, 480.0, 900.0) for y in (50.0, 300.0, 600.0)])
    assert np.abs(plane.lift(grid, 26.0) - pose.project(at_height(grid, 26.0))).max() < 1.0


def test_corners_given_the_other_way_round_keep_the_first() -> None:
    turned = [CORNERS[i] for i in (0, 3, 2, 1)]
    one = plane_from_corners(CORNERS, SIZE, (1920, 1080))
    other = plane_from_corners(turned, SIZE, (1920, 1080))
    assert np.allclose(one.projection, other.projection)


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        (CORNERS[:3], "four corners, but 3 were given"),
        ([*CORNERS, [5.0, 5.0]], "four corners, but 5 were given"),
        ([CORNERS[i] for i in (0, 2, 1, 3)], "make no convex quad"),
        ([[0, 0], [50, 50], [100, 100], [0, 100]], "make no convex quad"),
        ([CORNERS[0], CORNERS[0], *CORNERS[2:]], "lie within 0 pixels"),
        ([[-200.0, 60.0], *CORNERS[1:]], "larger than the picture of 1920 x 1080"),
        ([[float("nan"), 60.0], *CORNERS[1:]], "is no number"),
    ],
)
def test_bad_corners_are_refused(corners: list[list[float]], says: str) -> None:
    with pytest.raises(UnreadableError, match=says) as caught:
        plane_from_corners(corners, SIZE, (1920, 1080))
    assert caught.value.remedy


def test_a_plane_needs_a_size() -> None:
    with pytest.raises(UnreadableError, match="plane of 0 x 620 mm"):
        plane_from_corners(CORNERS, (0.0, 620.0), (1920, 1080))


def lifted(thing: Print, pose: Pose, height: float) -> Print:
    """The print, drawn on the table top where it hides what lies at `height` for this camera."""
    eye = -pose.rotation.T @ pose.translation
    centre = np.array(thing.marker.centre)
    share = height / -eye[2]
    seen = centre + (centre - eye[:2]) * share / (1 - share)
    return replace(
        thing,
        marker=replace(
            thing.marker, centre=tuple(seen.tolist()), side=thing.marker.side / (1 - share)
        ),
    )


@pytest.mark.parametrize(
    ("shift", "angle", "size"),
    [
        ((0.0, 0.0), 0.0, (1920, 1080)),
        ((6.0, -4.0), 2.0, (1280, 720)),
        ((60.0, 25.0), -15.0, (1920, 1080)),
    ],
)
def test_pushed_boards_are_found(
    shift: tuple[float, float], angle: float, size: tuple[int, int]
) -> None:
    pose = Pose(size=size)
    placed = [
        replace(board, origin=(board.origin[0] + shift[0], board.origin[1] + shift[1]), angle=angle)
        for board in (MAP, CASTLE)
    ]
    things = [lifted(thing, pose, 2.0) for board in placed for thing in board_prints(board)]
    image = picture(pose, [*prints(), *things])
    boards = find_boards(image, find_plane(image, LAYOUT), LAYOUT)
    for truth, board, allowed in zip(placed, boards, (0.5, 1.5), strict=True):
        assert board.found
        corners = np.array([(0, 0), (truth.size[0], 0), truth.size, (0, truth.size[1])])
        turn = np.deg2rad(angle)
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        expected = corners @ rotation.T + truth.origin
        assert np.linalg.norm(board.to_plane(corners) - expected, axis=1).max() < allowed
        assert np.abs(board.to_board(board.to_plane(corners)) - corners).max() < 1e-3


def test_a_board_without_markers_in_sight_keeps_its_usual_place(table: Image) -> None:
    boards = find_boards(table, find_plane(table, LAYOUT), LAYOUT)
    assert [board.found for board in boards] == [False, False]
    assert np.allclose(boards[0].to_plane((0.0, 0.0)), MAP.origin)


def test_every_photoreal_table_is_found() -> None:
    folder = need(RENDERED)
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    for entry in labels["images"][::9]:
        shown = entry["plane"]
        markers = tuple(
            Marker(m["id"], tuple(m["centre_mm"]), shown["marker_side_mm"])
            for m in shown["markers"]
        )
        layout = Layout(tuple(shown["size_mm"]), (35.0, 35.0), markers=markers)
        image = cv2.imread(str(folder / entry["file"]))
        assert image is not None
        plane = find_plane(np.asarray(image, np.uint8), layout)
        w, h = plane.size
        off = plane.to_mm(shown["corners_px"]) - np.array([(0, 0), (w, 0), (w, h), (0, h)])
        assert np.linalg.norm(off, axis=1).max() < 1.0 + 4 * plane.sigma_mm
