"""What a tile that nobody touched was surely read as still holds while it is hard to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.observation import NONE, Facing, Observation
from vision.quads import ORDERS
from vision.settle.pairing import Floats
from vision.settle.votes import sides

#: Nobody touched a tile whose corners all lie where they lay, to this share of its side.
_UNTOUCHED = 0.07


@dataclass(frozen=True, eq=False)
class _Sure:
    """A tile as it was read without doubt."""

    label: int
    facing: int
    quad: Floats
    """Its corners (4, 2) in mm."""

    def fits(self, facing: int, labels: Sequence[int]) -> bool:
        """Whether a doubtful reading holds possible what was sure."""
        if facing != self.facing:
            return False
        return facing == Facing.DOWN or self.label in {int(label) for label in labels}


class Memory:
    """The tiles of one session that were surely read, by their numbers."""

    def __init__(self) -> None:
        self._sure: dict[int, _Sure] = {}

    def recalled(self, seen: Observation, numbers: NDArray[np.int32]) -> Observation:
        """The same, in which tiles in doubt are what they surely were when they lay just so.

        Only what the doubtful reading itself holds possible is recalled: what shows another face
        now is another tile. `numbers` (n,) are the tiles' identities; what is not among them is
        forgotten.
        """
        tiles, known = seen.tiles, dict[int, _Sure]()
        labels, certain = tiles.label_ids.copy(), tiles.certain.copy()
        reach = _UNTOUCHED * sides(tiles)
        for tile, number in enumerate(numbers.tolist()):
            before = self._sure.get(number)
            facing, quad = int(tiles.facings[tile]), tiles.quads_mm[tile]
            if certain[tile]:
                known[number] = _Sure(int(labels[tile]), facing, quad)
            elif before is not None:
                known[number] = before
                possible = (labels[tile], *tiles.candidate_ids[tile])
                if _lies_so(before, quad, float(reach[tile])) and before.fits(facing, possible):
                    labels[tile], certain[tile] = before.label, True
        known.pop(NONE, None)
        self._sure = known
        return replace(seen, tiles=replace(tiles, label_ids=labels, certain=certain))


def _lies_so(before: _Sure, quad: Floats, reach: float) -> bool:
    """Whether the corners are where they were, whichever of them comes first."""
    return bool(np.linalg.norm(quad[ORDERS] - before.quad, axis=2).max(axis=1).min() <= reach)
