"""What a detector of tiles gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from vision.plane import Plane


@dataclass(frozen=True, eq=False)
class Detections:
    """Places where a tile may lie; n of them, best first. They may overlap: see `packing`."""

    quads_mm: NDArray[np.float32]
    """Corners on the plane, shape (n, 4, 2), clockwise from any corner of the outline."""
    quads_px: NDArray[np.float32]
    """The same corners in pixels of the image, shape (n, 4, 2)."""
    scores: NDArray[np.float32]
    """How sure it is that a tile's outline is there, 0 to 1, shape (n,)."""

    def __post_init__(self) -> None:
        n = len(self.scores)
        for name, tail in (("quads_mm", (4, 2)), ("quads_px", (4, 2)), ("scores", ())):
            array = getattr(self, name)
            if (array.dtype, array.shape) != (np.float32, (n, *tail)):
                raise ValueError(
                    f"Detections.{name}: expected float32 of shape {(n, *tail)}, "
                    f"got {array.dtype} of shape {array.shape}"
                )

    def __len__(self) -> int:
        return len(self.scores)

    @classmethod
    def empty(cls) -> Self:
        """Nothing found."""
        quads = np.zeros((0, 4, 2), np.float32)
        return cls(quads, quads, np.zeros(0, np.float32))

    def select(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> Detections:
        """Those that `keep` names: a boolean mask of shape (n,), or indices."""
        return Detections(self.quads_mm[keep], self.quads_px[keep], self.scores[keep])


class Detector(Protocol):
    """Finds flat pieces of a known size on a known plane."""

    def detect(
        self,
        image: NDArray[np.uint8],
        plane: Plane,
        tile_mm: tuple[float, float],
        thickness_mm: float,
    ) -> Detections:
        """Every place of `image` (BGR) where a tile may lie, rivals for one place included.

        `tile_mm` is (width, height) of a face, `thickness_mm` the height of that face over the
        plane. The quads of a tile that is not square start with a side of its width.
        """
        ...
