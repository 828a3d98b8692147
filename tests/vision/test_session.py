"""When a session reads its table, and when what it read counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.marked_tables import LAYOUT, Pose, picture, prints
from vision.camera import Frame
from vision.layout import Layout
from vision.observation import Observation
from vision.plane import PlacedBoard, Plane
from vision.reader import TableReader
from vision.session import VOTES, Look, Session
from vision.stillness import Settings
from vision.tiles import Detections

RATE = 15.0
HOLD = Settings().hold


class Counting:
    """A reader that reads nothing, and notes when it was asked."""

    layout: Layout = LAYOUT

    def __init__(self) -> None:
        self.read_at: list[float] = []
        self.searched = 0

    def find(self, image: object, plane: Plane, boards: tuple[PlacedBoard, ...]) -> Detections:
        self.searched += 1
        return Detections.empty()

    def read(
        self,
        image: object,
        *,
        frame_id: int,
        captured_at: float,
        plane: Plane,
        boards: tuple[PlacedBoard, ...],
        bare: Mapping[str, NDArray[np.uint8]],
        found: Detections,
    ) -> Observation:
        self.read_at.append(captured_at)
        self.bare = bare
        return Observation(frame_id, captured_at, (960, 540), plane.calibration_id, "none")


class Film:
    """A table with markers under a camera with noise; a dark sleeve may lie across a corner."""

    def __init__(self) -> None:
        self.reader = Counting()
        self.session = Session(cast(TableReader, self.reader))
        self.picture = picture(Pose(size=(960, 540)), prints())
        self.rng = np.random.default_rng(5)
        self.number = 0

    def look(self, sleeve: int | None = None) -> Look:
        image = self.picture.copy()
        if sleeve is not None:
            cv2.rectangle(image, (430 + sleeve, 0), (520 + sleeve, 260), (40, 30, 30), -1)
        noise = self.rng.normal(0, 1.5, image.shape)
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
        self.number += 1
        return self.session.look(Frame(image, self.number, self.number / RATE))

    def until_settled(self) -> Look:
        for _ in range(40):
            look = self.look()
            if look.settled is not None:
                return look
        pytest.fail("nothing was settled in 40 frames")


@pytest.fixture
def film() -> Film:
    return Film()


def test_what_was_read_while_nothing_moved_counts_as_soon_as_the_table_is_quiet(
    film: Film,
) -> None:
    looks: list[Look] = []
    while not looks or looks[-1].settled is None:
        looks.append(film.look())
        assert len(looks) < 40
    assert len(film.reader.read_at) == VOTES
    quiet = [look for look in looks if look.quiet.quiet]
    assert len(quiet) == 1, "the first quiet frame is settled"
    assert all(at < quiet[0].frame.captured_at for at in film.reader.read_at)
    assert quiet[0].frame.captured_at - looks[0].frame.captured_at < HOLD + 2 / RATE


def test_no_frame_waits_for_the_search_and_for_a_reading(film: Film) -> None:
    searched: list[int] = []
    while not film.reader.read_at:
        film.look()
        searched.append(film.reader.searched)
        assert len(searched) < 40
    assert searched[-2:] == [1, 1], "where tiles may lie is searched on the frame before"


def test_a_settled_table_is_read_no_more(film: Film) -> None:
    settled = film.until_settled().settled
    for _ in range(10):
        assert film.look().settled is settled
    assert len(film.reader.read_at) == VOTES


def test_what_moves_undoes_what_was_read(film: Film) -> None:
    film.until_settled()
    for step in range(6):
        assert film.look(sleeve=20 * step).settled is None
    before = len(film.reader.read_at)
    again = film.until_settled()
    assert len(film.reader.read_at) == before + VOTES
    assert film.reader.read_at[before] > again.frame.captured_at - HOLD - 2 / RATE


def test_nothing_is_settled_while_a_sleeve_rests(film: Film) -> None:
    film.until_settled()
    for step in range(6):
        film.look(sleeve=20 * step)
    looks = [film.look(sleeve=100) for _ in range(20)]
    unquiet = [look for look in looks if not look.quiet.quiet]
    assert all(look.settled is None for look in unquiet)
    assert unquiet


def test_a_second_look_reads_anew(film: Film) -> None:
    settled = film.until_settled().settled
    film.session.look_again()
    assert film.look().settled is None
    again = film.until_settled().settled
    assert again is not None
    assert again is not settled
    assert len(film.reader.read_at) == 2 * VOTES
    assert film.reader.searched == 2, "of a still table once, however many frames vote"


def test_boards_that_look_another_way_are_read_anew_and_the_same_ones_are_not(film: Film) -> None:
    film.until_settled()
    faces = {"map": np.zeros((4, 4, 3), np.uint8)}
    film.session.lay_bare(faces)
    assert film.look().settled is None
    film.until_settled()
    assert film.reader.bare is faces
    film.session.lay_bare(faces)
    assert film.look().settled is not None
    assert len(film.reader.read_at) == 2 * VOTES
