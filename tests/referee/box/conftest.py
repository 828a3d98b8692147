"""Desks: a fake board and a box that speaks to it, in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from referee.box.fake import FakeBoard, forget_fake_boards
from tests.referee.box.virtual import Desk

MakeDesk = Callable[[FakeBoard], Desk]


@pytest.fixture
def make_desk() -> Iterator[MakeDesk]:
    """Makes a desk for a board; the box is not yet connected."""
    made: list[Desk] = []

    def make(board: FakeBoard) -> Desk:
        made.append(Desk(board))
        return made[-1]

    yield make
    for desk in made:
        desk.box.close()
    forget_fake_boards()


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    """A connected box whose clock is measured."""
    made = make_desk(FakeBoard(clock_ppm=5000))
    made.box.connect()
    made.wait(4)
    return made
