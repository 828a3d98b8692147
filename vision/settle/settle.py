"""Waits until enough quiet frames agree, and follows tiles and pieces from look to look."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.observation import Observation
from vision.settle.events import Events
from vision.settle.identity import Register, Things
from vision.settle.memory import Memory
from vision.settle.votes import merged


@dataclass(frozen=True, eq=False)
class Settled:
    """What several quiet frames agree on."""

    observation: Observation
    """Of the newest frame; what the frames do not agree on is not certain, unless it is a tile that
    lies as it lay when it was.
    """
    tile_identities: NDArray[np.int32]
    """The number of each tile of `observation`, the same all session long.

    NONE for a tile that only some of the frames show, where none lay before.
    """
    piece_identities: NDArray[np.int32]
    """The number of each piece of `observation`."""
    events: Events
    """What happened since the settled look before; empty at the first."""

    def __post_init__(self) -> None:
        for name, array, expected in (
            ("tile_identities", self.tile_identities, len(self.observation.tiles)),
            ("piece_identities", self.piece_identities, len(self.observation.pieces)),
        ):
            if array.shape != (expected,):
                raise ValueError(f"Settled.{name}: expected shape ({expected},), got {array.shape}")


class Settle:
    """Takes an Observation of each frame that was read; not for use by two threads at once."""

    def __init__(self, n: int = 3) -> None:
        """`n` quiet frames in a row vote; raises ValueError if it is below 1."""
        if n < 1:
            raise ValueError(f"n: expected at least 1, got {n}")
        self._n = n
        self._frames: list[Observation] = []
        self._tiles, self._pieces = Register(), Register()
        self._memory = Memory()
        self._calibration: str | None = None

    def add(self, observation: Observation | None, quiet: bool) -> Settled | None:
        """Takes the next frame's Observation, None if the plane was not found in it.

        Gives what the last n frames agree on, or None until so many were quiet without a break. A
        new calibration, vocabulary or model begins the count anew; numbers are kept.
        """
        if not quiet or observation is None:
            self._frames.clear()
            return None
        if self._frames and _basis(self._frames[-1]) != _basis(observation):
            self._frames.clear()
        self._frames = [*self._frames, observation][-self._n :]
        if len(self._frames) < self._n:
            return None
        known = np.concatenate([self._tiles.places, self._pieces.places])
        votes = merged(self._frames, known)
        seen = votes.observation
        new = self._calibration not in (None, seen.calibration_id)
        self._calibration = seen.calibration_id
        tiles, tile_events = self._tiles.update(Things.tiles(seen, votes.tiles_steady), new)
        pieces, piece_events = self._pieces.update(Things.pieces(seen, votes.pieces_steady), new)
        seen = self._memory.recalled(seen, tiles)
        return Settled(seen, tiles, pieces, Events.of([*tile_events, *piece_events]))


def _basis(seen: Observation) -> tuple[object, ...]:
    """What Observations must share for their readings to be of one kind."""
    vocabulary = (seen.labels, seen.zones, seen.fields, seen.colours)
    return (seen.calibration_id, seen.model_hash, seen.size_px, *vocabulary)
