"""The same things in several frames: what the frames that show them say of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.observation import NONE
from vision.settle.pairing import Floats


@dataclass(frozen=True, eq=False)
class Vote:
    """What n votes came to."""

    winner: NDArray[np.integer[Any]]
    """What more than half of all frames say, shape (n,); NONE if they say no such thing."""
    unanimous: NDArray[np.bool_]
    """Whether there is one, and all frames that show the thing say it, shape (n,)."""


@dataclass(frozen=True, eq=False)
class Shown:
    """Which entry of each frame's readings shows each of n things."""

    rows: NDArray[np.intp]
    """Shape (n, frames); NONE where a frame does not show the thing. One at least does."""

    @cached_property
    def mask(self) -> NDArray[np.bool_]:
        """Which frames show each, (n, frames)."""
        return np.asarray(self.rows != NONE, np.bool_)

    @property
    def everywhere(self) -> NDArray[np.bool_]:
        """Whether every frame shows it, (n,)."""
        return np.asarray(self.mask.all(axis=1), np.bool_)

    def of(self, columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """A column of each frame's readings by thing and frame, (n, frames, ...); else zeros."""
        values = np.zeros((*self.rows.shape, *columns[0].shape[1:]), columns[0].dtype)
        for frame, column in enumerate(columns):
            here = self.mask[:, frame]
            values[here, frame] = column[self.rows[here, frame]]
        return values

    def last(self, values: NDArray[Any]) -> NDArray[Any]:
        """Of values (n, frames, ...) that of the last frame that shows each thing."""
        frame = self.rows.shape[1] - 1 - self.mask[:, ::-1].argmax(axis=1)
        return np.asarray(values[np.arange(len(values)), frame])

    def median(self, values: Floats) -> Floats:
        """The median of values (n, frames, ...) over the frames that show each thing."""
        tail = (1,) * (values.ndim - 2)
        hidden = ~self.mask.reshape(*self.mask.shape, *tail)
        ordered = np.sort(np.where(hidden, np.inf, values), axis=1)
        count = self.mask.sum(axis=1).reshape(-1, 1, *tail)
        low, high = (
            np.take_along_axis(ordered, at, axis=1)[:, 0] for at in ((count - 1) // 2, count // 2)
        )
        return np.asarray((low + high) / 2, np.float32)

    def vote(self, values: NDArray[np.integer[Any]]) -> Vote:
        """What most frames say, out of values (n, frames)."""
        both = self.mask[:, :, None] & self.mask[:, None]
        count = ((values[:, :, None] == values[:, None]) & both).sum(axis=2)
        most = count.argmax(axis=1)[:, None]
        votes = np.take_along_axis(count, most, axis=1)[:, 0]
        winner = np.take_along_axis(values, most, axis=1)[:, 0]
        majority = 2 * votes > values.shape[1]
        unanimous = majority & (votes == self.mask.sum(axis=1))
        return Vote(np.where(majority, winner, NONE), np.asarray(unanimous, np.bool_))
