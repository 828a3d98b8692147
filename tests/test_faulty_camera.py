"""The faults of `FaultyCamera` are what their names say."""

from __future__ import annotations

import numpy as np
import pytest

from tests.faulty_camera import (
    Darken,
    Delay,
    Drop,
    Fault,
    FaultyCamera,
    Freeze,
    Jump,
    Repeat,
    Resize,
    SwapIndex,
    Unplug,
)
from vision.camera import Frame
from vision.errors import UnreadableError


class Numbered:
    """Frames of 64 x 48 with a white dot at (20, 10) and their number in the last pixel."""

    def __init__(self, grey: int = 100) -> None:
        self.next, self.grey = 0, grey

    def read(self) -> Frame:
        image = np.full((48, 64, 3), self.grey, np.uint8)
        image[10, 20] = 255
        image[-1, -1] = self.next
        self.next += 1
        return Frame(image, self.next - 1, 0.1 * (self.next - 1))

    def close(self) -> None:
        self.next = -1


def numbers(fault: Fault, reads: int = 6) -> list[tuple[int, int]]:
    """(id, number in the picture) of frames when `fault` begins at frame 2; (-1, -1) for none."""
    camera = FaultyCamera(Numbered(), [(2, fault)])
    seen = []
    for _ in range(reads):
        try:
            frame = camera.read()
            seen.append((frame.id, int(frame.image[-1, -1, 0])))
        except UnreadableError:
            seen.append((-1, -1))
    return seen


@pytest.mark.parametrize(
    ("fault", "seen"),
    [
        (Freeze(2), [(0, 0), (1, 1), (1, 1), (1, 1), (4, 4), (5, 5)]),
        (Freeze(), [(0, 0), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)]),
        (Repeat(2), [(0, 0), (1, 1), (2, 1), (3, 1), (4, 4), (5, 5)]),
        (Drop(2), [(0, 0), (1, 1), (4, 4), (5, 5), (6, 6), (7, 7)]),
        (Unplug(2), [(0, 0), (1, 1), (-1, -1), (-1, -1), (4, 4), (5, 5)]),
        (Unplug(None, True), [(0, 0), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1)]),
    ],
)
def test_faults_of_time(fault: Fault, seen: list[tuple[int, int]]) -> None:
    assert numbers(fault) == seen


def test_faults_begin_at_a_time_too_and_one_after_the_other() -> None:
    camera = FaultyCamera(Numbered(), [(0.2, Darken(0.25)), (4, SwapIndex(Numbered(200)))])
    greys = [int(camera.read().image[0, 0, 0]) for _ in range(6)]
    assert greys[:3] == [100] * 3
    # A quarter of the light is 0.25 ** (1 / 2.2) = 0.533 of the level.
    assert greys[3] == pytest.approx(53, abs=1)
    assert greys[4] == greys[5] == pytest.approx(0.533 * 200, abs=1)


def test_a_delay_takes_its_time() -> None:
    waited: list[float] = []
    camera = FaultyCamera(Numbered(), [(1, Delay(0.5, frames=2))], pause=waited.append)
    assert [camera.read().id for _ in range(4)] == [0, 1, 2, 3]
    assert waited == [0.5, 0.5]


@pytest.mark.parametrize("fault", [Jump(7, -3, 2.0), Jump(degrees=-30.0), Resize((128, 96))])
def test_the_warp_says_where_things_went(fault: Fault) -> None:
    camera = FaultyCamera(Numbered(0), [(0, fault)])
    image = camera.read().image[:, :, 0].astype(float)
    image[-8:, -8:] = 0
    mass = image / image.sum()
    rows, columns = np.indices(mass.shape)
    x, y, w = camera.warp @ (20.0, 10.0, 1.0)
    assert (mass * columns).sum() == pytest.approx(x / w, abs=0.3)
    assert (mass * rows).sum() == pytest.approx(y / w, abs=0.3)


def test_a_clockwise_jump_goes_clockwise() -> None:
    camera = FaultyCamera(Numbered(), [(0, Jump(degrees=90.0))])
    camera.read()
    # Right of the middle goes below it.
    assert camera.warp @ (41.5, 23.5, 1.0) == pytest.approx((31.5, 33.5, 1.0))
