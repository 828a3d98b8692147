"""A camera that is plugged in after the program was started."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera import Awaited, Drawn
from vision.errors import UnreadableError


def test_it_is_looked_for_until_it_is_there_and_opened_once() -> None:
    tries: list[int] = []

    def open_it() -> Drawn:
        tries.append(1)
        if len(tries) < 3:
            raise UnreadableError("The camera isn't there.", "Plug it in.")
        return Drawn(lambda: np.zeros((2, 2, 3), np.uint8))

    camera = Awaited(open_it)
    assert not tries, "nothing is opened before a frame is wanted"
    for _ in range(2):
        with pytest.raises(UnreadableError, match="isn't there"):
            camera.read()
    first, second = camera.read(), camera.read()
    assert second.id > first.id
    assert len(tries) == 3
    camera.close()


def test_closing_what_was_never_there_does_nothing() -> None:
    Awaited(lambda: Drawn(lambda: np.zeros((2, 2, 3), np.uint8))).close()
