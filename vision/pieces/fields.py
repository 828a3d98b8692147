"""Which field each piece stands on, and of which fields all of that is sure."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.observation import NONE
from vision.pieces.feet import COVER, PIECE, Array, Feet
from vision.pieces.topview import FOOT_PX

#: Most pieces that stand on one field.
MOST = 3
#: From this chance on a foot is surely one; one of less is reported, but doubtful.
SURE_FOOT = 0.6
#: Below this chance a foot is not reported; it still makes its field doubtful.
REPORTED = 0.3
#: Chance from which on a paint is sure.
SURE_PAINT = 0.97
#: A foot nearer than this to a field's border (in diameters) may belong to the next field.
_BORDER = 0.1
#: No more of a field than this lies under a hand or beyond the picture, if it is sure.
_COVERED = 0.12
#: Sure pieces explain all that looks like one, but for this area (in that of a foot).
_UNEXPLAINED = 0.3
#: Half the width around a piece's axis, and its length in stated leans, within which its pixels
#: lie, in diameters.
_AROUND, _LONG = 0.72, 1.15


@dataclass(frozen=True, eq=False)
class Stands:
    """The pieces on the fields of one view."""

    points: Array
    """(n, 2): feet in pixels of the view."""
    colours: NDArray[np.int16]
    """(n,): index of the paint, NONE for one that is none of them."""
    fields: NDArray[np.int16]
    """(n,): index of the field."""
    scores: Array
    """(n,): chance that such a piece stands there."""
    sure: NDArray[np.bool_]
    """For each field: whether exactly these pieces stand on it."""


def on_fields(feet: Feet, quads: Array, lean: Array) -> Stands:
    """The pieces on fields with corners `quads` (m, 4, 2), clockwise, in pixels of the view.

    `lean` (h, w, 2) is the view's.
    """
    sure = _clear(feet, quads, lean)
    depths = _depths(quads, feet.points)
    paint = feet.colours.argmax(axis=1)
    stranger = feet.colours.shape[1] - 1
    known = feet.chances >= SURE_FOOT
    known &= (feet.colours.max(axis=1) >= SURE_PAINT) & (paint != stranger)
    edge = _BORDER * FOOT_PX
    doubtful = (depths > -edge) & (~known[:, None] | (np.abs(depths) < edge))
    sure &= ~doubtful.any(axis=0)
    field = depths.argmax(axis=1)
    there = (depths.max(axis=1, initial=-np.inf) >= 0) & (feet.chances >= REPORTED)
    sure &= np.bincount(field[there], minlength=len(quads)) <= MOST
    return Stands(
        feet.points[there],
        np.where(paint == stranger, NONE, paint)[there].astype(np.int16),
        field[there].astype(np.int16),
        (feet.chances * feet.colours.max(axis=1))[there].astype(np.float32),
        sure,
    )


def _clear(feet: Feet, quads: Array, lean: Array) -> NDArray[np.bool_]:
    """Which fields show nothing but the map and the pieces that were found."""
    rows, columns = feet.shows.shape[1:]
    field = np.zeros((rows, columns), np.uint8)
    for number, quad in enumerate(quads, 1):
        corners = np.rint((quad / 2 - 0.25) * 16).astype(np.int32)
        cv2.fillConvexPoly(field, corners, number, shift=4)
    explained = np.zeros((rows, columns), np.uint8)
    at = np.rint(feet.points).astype(np.intp)
    x, y = (at[:, axis].clip(0, lean.shape[1 - axis] - 1) for axis in (0, 1))
    tops = feet.points + lean[y, x] * (_LONG * FOOT_PX)
    ends = np.rint((np.stack([feet.points, tops], axis=1) / 2 - 0.25) * 16).astype(np.int32)
    for foot, top in ends:
        cv2.line(explained, foot.tolist(), top.tolist(), 1, round(_AROUND * FOOT_PX), cv2.LINE_8, 4)
    index = field.ravel()
    many = len(quads) + 1
    area = np.maximum(np.bincount(index, minlength=many)[1:], 1)
    cover = np.bincount(index, feet.shows[COVER].ravel(), many)[1:] / area
    piece = (feet.shows[PIECE] > 0.5) & (explained == 0)
    rest = np.bincount(index, piece.ravel(), many)[1:] / (np.pi * (FOOT_PX / 4) ** 2)
    inside = (quads >= 0).all(axis=(1, 2)) & (quads < (2 * columns, 2 * rows)).all(axis=(1, 2))
    return np.asarray(inside & (cover <= _COVERED) & (rest <= _UNEXPLAINED), np.bool_)


def _depths(quads: Array, points: Array) -> Array:
    """How far points (n, 2) lie within clockwise quads (m, 4, 2): (n, m), below 0 outside."""
    edges = np.roll(quads, -1, axis=1) - quads
    inward = np.stack([-edges[..., 1], edges[..., 0]], axis=-1)
    inward /= np.linalg.norm(inward, axis=-1, keepdims=True)
    across = points[:, None, None] - quads[None]
    return np.asarray((across * inward[None]).sum(axis=-1).min(axis=2), np.float32)
