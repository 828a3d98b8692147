"""What the camera reads of the table now, in the rules' terms; what lies face down is a number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.claims import Claims
from referee.games.game import Good
from vision.session import Look
from vision.settle import Settled

Json = dict[str, Any]


@dataclass(frozen=True)
class Reading:
    """A settled table as people corrected it.

    `current` is false if the table can't be read just now, and this is how it was before.
    """

    claims: Claims
    settled: Settled
    corrected: Mapping[int, str]
    """What people said of tiles, by index."""
    current: bool

    def lying(self, zone: str, goods: tuple[Good, ...]) -> Json:
        """What lies in a zone: symbols of each good, tiles face down, tiles not read yet."""
        claims = self.claims
        labels = [label for tile, label in claims.labels.items() if claims.zones[tile] == zone]
        return {
            "goods": [sum(good.worth.get(label, 0) for label in labels) for good in goods],
            "down": sum(claims.zones[tile] == zone for tile in claims.face_down),
            "unread": sum(tile.zone == zone for tile in claims.doubtful),
        }

    def tiles(self) -> list[Json]:
        """Where each tile is in the picture and how it was read, for people who correct it.

        Tiles have the number by which a correction names them; quads are in pixels.
        """
        rivals = {tile.tile: list(tile.candidates) for tile in self.claims.doubtful}
        quads = self.settled.observation.tiles.quads_px
        return [
            {
                "tile": int(identity),
                "quad": _rounded(quads[tile]),
                "label": self.claims.labels.get(tile),
                "rivals": rivals.get(tile, []),
                "down": tile in self.claims.face_down,
                "corrected": tile in self.corrected,
            }
            for tile, identity in enumerate(self.settled.tile_identities)
            if identity >= 0
        ]


@dataclass
class Readings:
    """Keeps the last settled table, which holds while hands are over it."""

    _last: tuple[Settled, Claims] | None = field(default=None, init=False)

    def of(self, look: Look | None, corrections: Mapping[int, str]) -> Reading | None:
        """The table as it was read last; None before that. `corrections` are by identity."""
        settled = None if look is None else look.settled
        last = self._last
        if settled is not None and (last is None or last[0] is not settled):
            self._last = last = (settled, Claims.of(settled.observation))
        if last is None:
            return None
        corrected = {
            tile: corrections[int(identity)]
            for tile, identity in enumerate(last[0].tile_identities)
            if int(identity) in corrections
        }
        return Reading(last[1].corrected(corrected), last[0], corrected, settled is not None)


def _rounded(quad: NDArray[np.float32]) -> list[list[int]]:
    return [[round(float(x)), round(float(y))] for x, y in quad]
