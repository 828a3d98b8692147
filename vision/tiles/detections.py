"""What a detector of tiles gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from vision.plane import Plane

#: Tells at which points (n, 2) of the plane, in mm, the middle of a tile may lie: a mask (n,).
MayBear = Callable[[NDArray[np.float32]], NDArray[np.bool_]]


def anywhere(centres: NDArray[np.float32]) -> NDArray[np.bool_]:
    """A tile may lie at any point, see `MayBear`."""
    return np.ones(len(centres), np.bool_)


@dataclass(frozen=True, eq=False)
class Detections:
    """Places where a tile may lie; n of them, best first. They may overlap: see `packing`."""

    quads_mm: NDArray[np.float32]
    """Corners on the plane, shape (n, 4, 2), clockwise from any corner of the outline."""
    quads_px: NDArray[np.float32]
    """The same corners in pixels of the image, shape (n, 4, 2)."""
    scores: NDArray[np.float32]
    """How sure it is that a tile's outline is there, 0 to 1, shape (n,)."""
    tiers: NDArray[np.int8]
    """Which are to be looked at first, shape (n,): 0, then 1 where no tile is certain by then …"""

    def __post_init__(self) -> None:
        n = len(self.scores)
        for name, kind, tail in (
            ("quads_mm", np.float32, (4, 2)),
            ("quads_px", np.float32, (4, 2)),
            ("scores", np.float32, ()),
            ("tiers", np.int8, ()),
        ):
            array = getattr(self, name)
            if (array.dtype, array.shape) != (kind, (n, *tail)):
                raise ValueError(
                    f"Detections.{name}: expected {np.dtype(kind)} of shape {(n, *tail)}, "
                    f"got {array.dtype} of shape {array.shape}"
                )

    def __len__(self) -> int:
        return len(self.scores)

    @classmethod
    def of(
        cls,
        quads_mm: NDArray[np.float32],
        quads_px: NDArray[np.float32],
        scores: NDArray[np.float32],
    ) -> Self:
        """Finds of one detector, all to be looked at at once."""
        return cls(quads_mm, quads_px, scores, np.zeros(len(scores), np.int8))

    @classmethod
    def empty(cls) -> Self:
        """Nothing found."""
        quads = np.zeros((0, 4, 2), np.float32)
        return cls.of(quads, quads, np.zeros(0, np.float32))

    def select(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> Detections:
        """Those that `keep` names: a boolean mask of shape (n,), or indices."""
        return Detections(
            self.quads_mm[keep], self.quads_px[keep], self.scores[keep], self.tiers[keep]
        )


class Detector(Protocol):
    """Finds flat pieces of a known size on a known plane."""

    def detect(
        self,
        image: NDArray[np.uint8],
        plane: Plane,
        tile_mm: tuple[float, float],
        thickness_mm: float,
        may_bear: MayBear = anywhere,
    ) -> Detections:
        """Every place of `image` (BGR) where a tile may lie, rivals for one place included.

        `tile_mm` is (width, height) of a face, `thickness_mm` the height of that face over the
        plane. The quads of a tile that is not square start with a side of its width. Where
        `may_bear` says that no tile lies nothing is looked for; a find may stray a little into
        there.
        """
        ...
