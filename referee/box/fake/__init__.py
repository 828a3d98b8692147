"""A box without hardware: the same bytes over a pyserial port `fake://`, with faults on demand.

`fake://NAME?drop=0.05&corrupt=0.05&duplicate=0.05&delay=0.05&seed=1&ppm=5000&resets` opens the
board of that name; it is made at the first opening and lives as long as the program. The words
behind the question mark are those of `Faults` and `FakeBoard`, and count only when it is made.
"""

from __future__ import annotations

import serial

from referee.box.fake.board import FakeBoard
from referee.box.fake.faults import Faults
from referee.box.fake.ports import fake_board, forget_fake_boards

__all__ = [
    "FakeBoard",
    "Faults",
    "fake_board",
    "forget_fake_boards",
    "install",
]


def install() -> None:
    """Makes pyserial know `fake://`."""
    if __name__ not in serial.protocol_handler_packages:
        serial.protocol_handler_packages.append(__name__)
