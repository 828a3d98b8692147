"""Teaching pictures of what a tile may show, for a FaceBook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.drawing import Drawing
from referee.kit.raster import Image, on_paper, rasterise

#: Enough for the largest tile in the picture of a webcam.
PX_PER_MM = 4.0
#: Stands in for whatever lies around a tile's rounded corners: middle grey, BGR.
_SURROUNDING = (128, 128, 128)


def kit_faces(
    faces: Mapping[str, Sequence[Drawing]], px_per_mm: float = PX_PER_MM
) -> dict[str, list[Image]]:
    """BGR pictures of every example of each face, by label, as `FaceBook.teach` takes them.

    `faces` is what a game says of its tiles: the drawings that show one label.
    """
    return {
        label: [on_paper(rasterise(drawing, px_per_mm), _SURROUNDING) for drawing in examples]
        for label, examples in faces.items()
    }
