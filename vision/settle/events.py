"""What happened to the tiles and pieces of a table between two settled looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Kind(IntEnum):
    """What happened to a thing."""

    APPEARED = 0
    VANISHED = 1
    MOVED = 2
    TURNED = 3
    """A tile lies where it lay, and shows its other side."""


class Subject(IntEnum):
    """What kind of thing it happened to."""

    TILE = 0
    PIECE = 1


class Happening(NamedTuple):
    """One event: places are mm on the plane, NaN where the thing was not, or is no more."""

    kind: Kind
    subject: Subject
    identity: int
    label: int
    """Index into the labels (tiles) or colours (pieces) of the Observation, or NONE."""
    start: tuple[float, float] = (float("nan"), float("nan"))
    end: tuple[float, float] = (float("nan"), float("nan"))


@dataclass(frozen=True, eq=False)
class Events:
    """Aligned arrays of n events; shapes are checked when made."""

    kinds: NDArray[np.int8]
    """A `Kind`."""
    subjects: NDArray[np.int8]
    """A `Subject`."""
    identities: NDArray[np.int32]
    """The thing's number, the same all session long."""
    label_ids: NDArray[np.int16]
    """Index into the Observation's labels (tiles) or colours (pieces), or NONE."""
    starts_mm: NDArray[np.float32]
    """Middle before, shape (n, 2); NaN for what appeared."""
    ends_mm: NDArray[np.float32]
    """Middle after, shape (n, 2); NaN for what vanished."""

    def __post_init__(self) -> None:
        for spec in fields(self):
            array = getattr(self, spec.name)
            tail = (2,) if spec.name.endswith("_mm") else ()
            want = (len(self.kinds), *tail)
            if array.shape != want:
                raise ValueError(f"Events.{spec.name}: expected shape {want}, got {array.shape}")

    def __len__(self) -> int:
        return len(self.kinds)

    @classmethod
    def of(cls, happenings: Sequence[Happening]) -> Events:
        """The given events, in their order."""
        n = len(happenings)
        return cls(
            np.array([h.kind for h in happenings], np.int8),
            np.array([h.subject for h in happenings], np.int8),
            np.array([h.identity for h in happenings], np.int32),
            np.array([h.label for h in happenings], np.int16),
            np.array([h.start for h in happenings], np.float32).reshape(n, 2),
            np.array([h.end for h in happenings], np.float32).reshape(n, 2),
        )
