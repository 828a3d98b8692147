"""Looks at a table written by hand."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.camera import Frame
from vision.observation import Observation
from vision.plane import Hold, Plane, Tracked, TrackedBoards, plane_from_corners
from vision.session import Look
from vision.settle import Events, Settled
from vision.stillness import Quiet, Why

PICTURE = np.zeros((72, 128, 3), np.uint8)
CORNERS = ((10, 10), (118, 10), (118, 62), (10, 62))


@cache
def table_seen(size: tuple[int, int]) -> Plane:
    """Where the table lies in pictures of this size: a camera gives fifty of them a second."""
    return plane_from_corners(CORNERS, (100.0, 50.0), size)


def look(
    observation: Observation | None,
    *,
    number: int = 0,
    age: float = 0.0,
    why: Why | None = None,
    plane: bool = True,
    picture: NDArray[np.uint8] = PICTURE,
) -> Look:
    """A look at a frame taken `age` seconds ago, on which the last frames agree if it was read."""
    frame = Frame(picture, number, time.monotonic() - age)
    size = (picture.shape[1], picture.shape[0])
    tracked = Tracked(
        Hold.HOLDS if plane else Hold.UNSEEN,
        table_seen(size) if plane else None,
        TrackedBoards(),
        4 if plane else 0,
        0.0,
        (),
        None,
    )
    settled = None
    if observation is not None:
        observation = replace(observation, captured_at=frame.captured_at)
        tiles, pieces = (
            np.arange(len(part), dtype=np.int32) for part in (observation.tiles, observation.pieces)
        )
        settled = Settled(observation, tiles, pieces, Events.of([]))
    quiet = Quiet(why is None, why, frame.captured_at)
    return Look(frame, quiet, tracked, observation, settled)
