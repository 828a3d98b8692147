"""The fake board beyond the conformance suite: its port, its faults, its longest times."""

from __future__ import annotations

import pytest
import serial

from referee.box.fake import FakeBoard, Faults, fake_board, install
from referee.box.ports import open_port
from tests.referee.box.conftest import MakeDesk

FRAME = b"\x03\x01\x02\x03\x04\x00"


def test_an_address_makes_a_board_and_finds_it_again() -> None:
    port = open_port("fake://one?drop=0.25&corrupt=0.5&duplicate=0.125&delay=0.75&seed=3&resets")
    board = fake_board("one").board
    faults = board.line.faults
    assert (faults.drop, faults.corrupt, faults.duplicate, faults.delay) == (0.25, 0.5, 0.125, 0.75)
    assert faults.seed == 3
    assert board.resets_on_open
    port.close()
    open_port("fake://one").close()
    assert fake_board("one").board is board


def test_only_one_may_have_it_open() -> None:
    first = open_port("fake://two")
    second = open_port("fake://two")
    with pytest.raises(OSError, match="disconnected"):
        first.read(1)
    assert second.read(1) == b""


def test_pyserial_knows_it_once() -> None:
    before = list(serial.protocol_handler_packages)
    install()
    install()
    assert serial.protocol_handler_packages.count("referee.box.fake") == 1
    assert set(before) <= set(serial.protocol_handler_packages)


@pytest.mark.parametrize(
    ("faults", "share"),
    [
        (Faults(drop=0.2), {"gone": 0.2}),
        (Faults(corrupt=0.2), {"other": 0.2}),
        (Faults(duplicate=0.2), {"twice": 0.2}),
        (Faults(delay=0.2), {"late": 0.2}),
        (Faults(), {}),
    ],
)
def test_each_fault_comes_as_often_as_asked(faults: Faults, share: dict[str, float]) -> None:
    count = 20_000
    seen = {"gone": 0, "other": 0, "twice": 0, "late": 0}
    for _ in range(count):
        made = faults.spoil(FRAME)
        seen["gone"] += not made
        seen["twice"] += len(made) == 2
        seen["other"] += any(data != FRAME for _, data in made)
        seen["late"] += any(late > 0 for late, _ in made)
    for kind, number in seen.items():
        # Six standard deviations of a binomial of a fifth.
        assert number / count == pytest.approx(share.get(kind, 0.0), abs=0.017)
    assert faults.count == sum(seen.values())


def test_runs_repeat() -> None:
    first, second = Faults(drop=0.3, corrupt=0.3, seed=7), Faults(drop=0.3, corrupt=0.3, seed=7)
    assert [first.spoil(FRAME) for _ in range(50)] == [second.spoil(FRAME) for _ in range(50)]


def test_a_board_that_was_reset_by_opening_is_deaf_for_a_second(make_desk: MakeDesk) -> None:
    desk = make_desk(FakeBoard(resets_on_open=True))
    began = desk.clock.now()
    desk.box.connect()
    assert desk.clock.now() - began > 1.0
