"""What a network that looks for feet says of the fields of a board on which pieces were found."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.bare import BARE, Strangeness
from vision.pieces.feet import COVER, Array, Feet
from vision.pieces.topview import FOOT_PX
from vision.quads import depths

#: Chance of a foot in some paint from which on it stands against fewer pieces, and against none:
#: who found nothing has less to say.
AGAINST_FEWER, AGAINST_NONE = 0.5, 0.1
#: Chance from which on it supports a piece that was found clearly, and one that was found at all;
#: and that of the piece's paint.
SUPPORTS, SUPPORTS_ALONE, PAINTED = 0.6, 0.75, 0.5
#: Chance that supports what was found where the board's own print is surely hidden: of two that
#: touch, the network often sees one clearly and the other less so.
SUPPORTS_STRANGE = 0.2
#: A foot farther than this from all pieces, in diameters, is no part of one of them.
AWAY = 1.5
#: Such a foot, and one of this chance, counts though less of the print is hidden there, as by grey
#: pieces on a dark print: by this share. Of 11,541 false ones on generated tables one was above it.
PLAIN, HARDLY = 0.7, 0.67
#: A foot nearer to a field's border than this, in diameters, may stand on either side of it.
BORDER = 0.2
#: A foot within this distance of a piece (in diameters) is that piece's.
NEAR = 0.6
#: No more of a field than this lies under a hand or beyond the picture, if it is sure.
COVERED = 0.12


@dataclass(frozen=True, eq=False)
class Standing:
    """The pieces that were found in one view."""

    points: Array
    """(n, 2): feet in pixels of the view."""
    colours: NDArray[np.int16]
    """(n,): index of the paint."""
    fields: NDArray[np.int16]
    """(n,): index of the field."""
    clear: NDArray[np.bool_]
    """(n,): whether nothing else explains what is seen there nearly as well."""


def agrees(feet: Feet, standing: Standing, quads: Array, strange: Strangeness) -> NDArray[np.bool_]:
    """On which fields (m,) exactly these pieces stand, as far as network and print can tell.

    `quads` (m, 4, 2) are the fields' corners, clockwise, in pixels of the view.
    """
    agreed = _in_sight(feet, quads)
    apart = np.linalg.norm(feet.points[:, None] - standing.points[None], axis=2)
    nearest = apart.min(axis=1, initial=np.inf)
    paint = feet.colours[:, standing.colours] >= PAINTED
    least = np.where(standing.clear, SUPPORTS, SUPPORTS_ALONE)
    least[strange.at(strange.view.to_mm(standing.points)) >= 2 * BARE] = SUPPORTS_STRANGE
    # Each foot is that of one piece, the nearest.
    own = (apart < NEAR * FOOT_PX) & (apart == nearest[:, None])
    supported = (own & paint & (feet.chances[:, None] >= least)).any(axis=0)
    agreed[standing.fields[~supported]] = False
    # Between two fields a piece may stand on either, and leave either empty.
    agreed &= ~(np.abs(depths(standing.points, quads)) < BORDER * FOOT_PX).any(axis=0)
    painted = feet.chances * feet.colours[:, :-1].max(axis=1, initial=0.0)
    bears = np.bincount(standing.fields, minlength=len(quads)) > 0
    away = nearest > AWAY * FOOT_PX
    limit = np.where(bears & ~away[:, None], AGAINST_FEWER, AGAINST_NONE)
    hides = np.where(away | (feet.chances >= PLAIN), HARDLY * BARE, BARE)
    stray = (nearest >= NEAR * FOOT_PX) & (strange.at(strange.view.to_mm(feet.points)) >= hides)
    within = depths(feet.points, quads) > -BORDER * FOOT_PX
    agreed &= ~(stray[:, None] & within & (painted[:, None] >= limit)).any(axis=0)
    return agreed


def _in_sight(feet: Feet, quads: Array) -> NDArray[np.bool_]:
    """Which fields lie within the view, with hardly anything over them."""
    rows, columns = feet.shows.shape[1:]
    field = np.zeros((rows, columns), np.uint8)
    for number, quad in enumerate(quads, 1):
        corners = np.rint((quad / 2 - 0.25) * 16).astype(np.int32)
        cv2.fillConvexPoly(field, corners, number, shift=4)
    many = len(quads) + 1
    area = np.maximum(np.bincount(field.ravel(), minlength=many)[1:], 1)
    cover = np.bincount(field.ravel(), feet.shows[COVER].ravel(), many)[1:] / area
    inside = (quads >= 0).all(axis=(1, 2)) & (quads < (2 * columns, 2 * rows)).all(axis=(1, 2))
    return np.asarray(inside & (cover <= COVERED), np.bool_)
