"""A plane that is followed through frames of bare tables with markers."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.faulty_camera import Darken, FaultyCamera, Jump, Resize
from tests.vision.marked_tables import (
    CASTLE,
    LAYOUT,
    MAP,
    Array,
    Image,
    Pose,
    Print,
    board_prints,
    picture,
    prints,
)
from vision.camera import Frame
from vision.errors import UnreadableError
from vision.layout import Board
from vision.plane import Hold, Plane, PlaneTracker, Tracked

POSE = Pose(size=(1280, 720))
EDGE = np.array([(x, y) for x in (0.0, 480.0, 960.0) for y in (0.0, 310.0, 620.0)])


class Still:
    """A camera that shows one picture, each time with other noise; some of it may be covered."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.covered: Sequence[tuple[int, int]] = ()
        self._frame = 0

    def read(self) -> Frame:
        rng = np.random.default_rng(self._frame)
        noise = 2.0 * rng.standard_normal(self.image.shape[:2], np.float32)
        shown = self.image + noise[..., None]
        for x, y in self.covered:
            shown[max(0, y - 45) : y + 45, max(0, x - 45) : x + 45] = (120, 140, 190)
        self._frame += 1
        return Frame(np.clip(shown, 0, 255).astype(np.uint8), self._frame, self._frame / 30)

    def close(self) -> None:
        """Nothing is open."""


def lying(*boards: Board) -> Image:
    return picture(
        POSE, [*prints(), *(thing for board in boards for thing in board_prints(board))], noise=0.0
    )


@pytest.fixture(scope="module")
def table() -> Image:
    return lying(MAP, CASTLE)


def places(of: Sequence[int]) -> list[tuple[int, int]]:
    """Where markers of the table are seen."""
    centres = [(*LAYOUT.markers[k].centre, 0.0) for k in of]
    return [(round(x), round(y)) for x, y in POSE.project(centres)]


def tracked(camera: Still | FaultyCamera, tracker: PlaneTracker, frames: int) -> list[Tracked]:
    return [tracker.track(camera.read().image) for _ in range(frames)]


def off_mm(plane: Plane | None, warp: Array) -> float:
    """How far a plane is off at its edge, in a picture that was warped."""
    assert plane is not None
    seen = np.column_stack([POSE.project(np.column_stack([EDGE, np.zeros(9)])), np.ones(9)])
    there = seen @ warp.T
    return float(np.linalg.norm(plane.to_mm(there[:, :2] / there[:, 2:]) - EDGE, axis=1).max())


def test_a_steady_picture_keeps_its_calibration(table: Image) -> None:
    camera = FaultyCamera(
        Still(table), [(k, Jump(0.25 * (-1) ** k, 0.1 * (k % 3))) for k in range(2, 20)]
    )
    seen = tracked(camera, PlaneTracker(LAYOUT), 20)
    assert {one.hold for one in seen} == {Hold.HOLDS}
    assert len({one.plane.calibration_id for one in seen if one.plane}) == 1
    assert all(one.held == 8 and not one.pushed and not one.boards.moved for one in seen)


@pytest.mark.parametrize(
    "jump",
    [
        Jump(dx=1.0),
        Jump(dx=-0.8, dy=1.5),
        Jump(dx=12.0, dy=-16.0),
        Jump(degrees=0.2),
        Jump(5.0, 3.0, -3.0),
    ],
    ids=str,
)
def test_a_bump_is_noticed_at_once_and_put_right(table: Image, jump: Jump) -> None:
    camera, tracker = FaultyCamera(Still(table), [(4, jump)]), PlaneTracker(LAYOUT)
    before = tracked(camera, tracker, 4)
    (bump,) = tracked(camera, tracker, 1)
    after = tracked(camera, tracker, 3)
    assert [one.hold for one in before] == [Hold.HOLDS] * 4
    assert bump.moved
    assert bump.plane is None
    assert bump.fault is not None
    assert bump.boards.placed == ()
    assert [one.hold for one in after] == [Hold.HOLDS] * 3
    assert off_mm(after[-1].plane, camera.warp) < 1.0


def test_a_creeping_camera_is_noticed_before_a_pixel(table: Image) -> None:
    camera = FaultyCamera(Still(table), [(k, Jump(dx=0.15 * (k - 3))) for k in range(4, 40)])
    seen = tracked(camera, PlaneTracker(LAYOUT), 11)
    # Frame 10 lies 1.05 px off the first.
    assert any(one.moved for one in seen)


def test_hands_over_markers_are_no_bump(table: Image) -> None:
    camera, tracker = Still(table), PlaneTracker(LAYOUT)
    tracked(camera, tracker, 2)
    camera.covered = places(range(6))
    seen = tracked(camera, tracker, 8)
    assert {one.hold for one in seen} == {Hold.HOLDS}
    assert seen[-1].held == 2
    assert not seen[-1].pushed


def test_no_plane_is_given_while_nothing_proves_it(table: Image) -> None:
    camera, tracker = Still(lying()), PlaneTracker(LAYOUT)
    (first,) = tracked(camera, tracker, 1)
    camera.covered = places(range(8))
    hidden = tracked(camera, tracker, 2)
    camera.covered = ()
    (last,) = tracked(camera, tracker, 1)
    assert {one.hold for one in hidden} == {Hold.UNSEEN}
    assert all(one.plane is None and one.fault is not None for one in hidden)
    assert last.plane is first.plane


def test_prints_at_the_edge_hold_the_plane_when_all_markers_are_covered(table: Image) -> None:
    rng = np.random.default_rng(3)
    things = [
        Print(replace(LAYOUT.markers[0], id=30 + k, centre=(x, y), side=9.0), 20.0 * k, 2.0)
        for k, (x, y) in enumerate(
            [(x, y) for x in (100.0, 250.0, 350.0, 600.0, 700.0, 850.0) for y in (-10.0, 630.0)]
        )
    ]
    still = Still(picture(POSE, [*prints(), *things], noise=0.0))
    camera = FaultyCamera(still, [(6, Jump(dx=2.0, dy=1.0))])
    tracker = PlaneTracker(LAYOUT)
    (first,) = tracked(camera, tracker, 1)
    still.covered = places(rng.permutation(8).tolist())
    hidden = tracked(camera, tracker, 5)
    moved = tracked(camera, tracker, 3)
    assert all(one.plane is first.plane for one in hidden)
    assert {one.held for one in hidden} == {0}
    assert all(one.plane is None for one in moved)


@pytest.mark.parametrize("push", [2.5, 60.0])
def test_a_pushed_marker_is_named(table: Image, push: float) -> None:
    camera, tracker = Still(table), PlaneTracker(LAYOUT)
    before = tracked(camera, tracker, 2)
    x, y = LAYOUT.markers[1].centre
    pushed = Print(replace(LAYOUT.markers[1], centre=(x - push, y)), -3.0)
    others = [thing for thing in prints() if thing.marker.id != 1]
    camera.image = picture(POSE, [*others, pushed], noise=0.0)
    after = tracked(camera, tracker, 30)
    assert {one.hold for one in after} == {Hold.HOLDS}
    assert after[-1].pushed == (1,)
    assert after[-1].plane is before[0].plane
    camera.image = table
    assert tracked(camera, tracker, 4)[-1].pushed == ()


def test_light_is_no_bump(table: Image) -> None:
    camera = FaultyCamera(Still(table), [(3, Darken(0.25)), (6, Darken(1.6)), (9, Darken(1.0))])
    seen = tracked(camera, PlaneTracker(LAYOUT), 12)
    assert {one.hold for one in seen} == {Hold.HOLDS}
    assert len({one.plane.calibration_id for one in seen if one.plane}) == 1


def test_a_pushed_board_is_found_where_it_lies_now(table: Image) -> None:
    camera, tracker = Still(table), PlaneTracker(LAYOUT)
    before = tracked(camera, tracker, 4)
    there = replace(CASTLE, origin=(CASTLE.origin[0] + 22.0, CASTLE.origin[1] - 9.0), angle=5.0)
    camera.image = lying(MAP, there)
    after = tracked(camera, tracker, 12)
    assert all(one.boards.placed[0] is before[0].boards.placed[0] for one in after)
    assert [name for one in after for name in one.boards.moved] == ["castle"]
    placed = after[-1].boards.placed[1]
    # The board lies 2 mm above the prints of this picture: a view from the side shifts it by less.
    assert np.linalg.norm(np.subtract(placed.origin, there.origin)) < 1.5
    assert placed.angle == pytest.approx(5.0, abs=0.3)


def test_a_covered_board_is_named_and_keeps_its_place(table: Image) -> None:
    camera, tracker = Still(table), PlaneTracker(LAYOUT)
    before = tracked(camera, tracker, 2)
    (marker,) = CASTLE.markers
    x, y = np.add(CASTLE.origin, marker.centre)
    camera.covered = [(round(u), round(v)) for u, v in POSE.project([(x, y, 0.0)])]
    after = tracked(camera, tracker, 12)
    assert all(one.boards.unseen == ("castle",) for one in after)
    assert after[-1].boards.placed[1] is before[0].boards.placed[1]


def test_another_resolution_is_another_plane(table: Image) -> None:
    camera, tracker = FaultyCamera(Still(table), [(2, Resize((960, 540)))]), PlaneTracker(LAYOUT)
    seen = tracked(camera, tracker, 3)
    assert seen[-1].plane is not None
    assert seen[-1].plane.image_size == (960, 540)
    assert off_mm(seen[-1].plane, camera.warp) < 1.5


def test_an_empty_picture_says_what_is_missing() -> None:
    seen = PlaneTracker(LAYOUT).track(np.full((720, 1280, 3), 90, np.uint8))
    assert seen.hold is Hold.UNSEEN
    assert seen.fault is not None
    assert "0, 1, 2, 3, 4, 5, 6, 7 are missing" in seen.fault.what


def test_a_layout_without_markers_asks_for_corners(table: Image) -> None:
    with pytest.raises(UnreadableError, match="corners of the plane by hand"):
        PlaneTracker(replace(LAYOUT, markers=())).track(table)
