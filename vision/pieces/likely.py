"""The pieces that stand on a board whose print is unknown, as far as one can tell."""

from __future__ import annotations

import numpy as np

from vision.observation import PieceReadings
from vision.pieces.feet import Array, Feet
from vision.pieces.fields import BORDER, NEAR
from vision.pieces.topview import FOOT_PX, TopView
from vision.plane import Plane
from vision.quads import depths

#: From this chance on a foot is read where the search found the same, and where it did not. Chosen
#: on 60 generated maps and 50 kit tables that no figure is measured on: nearly the most fields come
#: out right from 0.45 to 0.55, and from 0.7 to 0.8.
LIKELY, LIKELY_ALONE = 0.5, 0.7


def likely_pieces(
    feet: Feet, found: PieceReadings, view: TopView, plane: Plane, quads: Array, height: float
) -> PieceReadings:
    """The likely feet of a view on the fields `quads` (m, 4, 2), clockwise, in mm on the plane.

    `found` is what the search for paint found on the same board: print passes for paint far more
    often than for feet, but rarely for both. The readings, ordered by their fields, of whose
    numbers `field_ids` consist, are the feet's; none is certain. `height` is that of the board's
    face in mm.
    """
    paints = feet.colours[:, :-1]
    paint, painted = paints.argmax(axis=1), paints.max(axis=1)
    apart = np.linalg.norm(feet.points[:, None] - view.to_pixels(found.points_mm)[None], axis=2)
    same = (apart < NEAR * FOOT_PX) & (paint[:, None] == found.colour_ids)
    least = np.where(same.any(axis=1), LIKELY, LIKELY_ALONE)
    within = depths(feet.points, view.to_pixels(quads))
    read = (feet.chances >= least) & (painted > feet.colours[:, -1])
    read &= within.max(axis=1) > -BORDER * FOOT_PX
    fields = within.argmax(axis=1)
    order = np.flatnonzero(read)[np.argsort(fields[read], kind="stable")]
    points = view.to_mm(feet.points[order])
    return PieceReadings(
        points_mm=points,
        points_px=plane.lift(points, height),
        colour_ids=paint[order].astype(np.int16),
        field_ids=fields[order].astype(np.int16),
        scores=np.asarray((feet.chances * painted)[order], np.float32),
        certain=np.zeros(len(order), np.bool_),
    )
