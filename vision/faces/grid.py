"""Teaching from one photo: the faces lie in a grid, and their names are given in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import UnreadableError
from vision.faces.book import FaceBook
from vision.faces.features import Image
from vision.faces.straighten import lengthwise, straighten, turned
from vision.tiles import Finds, find_loose

Quads = NDArray[np.float32]
Finder = Callable[[Image, float], Finds]

#: Longer side in pixels of the pictures that are cut out.
CUT_PX = 160
#: Where the edge of a piece and the surface beside it are looked at, as shares of its size.
EDGE, BESIDE = (0.86, 0.95), (1.1, 1.22)
#: Least difference of two colours, in CIELAB, by which a camera finds the edge of a piece with
#: ease: ten times what an eye just notices, since lamps and shadows change both.
APART = 12.0


@dataclass(frozen=True)
class GridPhoto:
    """What a photo of faces in a grid taught."""

    book: FaceBook
    quads_px: Quads
    """(rows x columns, 4, 2) corners from the top left, row by row."""
    hidden: tuple[str, ...]
    """Names of the pieces whose edge has nearly the colour of the surface below."""


def teach_grid(
    image: Image,
    grid: tuple[int, int],
    names: Sequence[str],
    aspect: float = 1.0,
    find: Finder | None = None,
) -> GridPhoto:
    """A book from a BGR photo taken from above, faces upright in `grid` (rows, columns).

    `names` go row by row from the top left; a name that comes again adds a picture to its face.
    `aspect` is a face's width over its height; `find` finds pieces, `find_loose` if not given.
    Raises UnreadableError if the names or the pieces in the photo are not as many as the grid has
    places, or do not lie in rows; ModelMissingError if the network that finds them is not there.
    """
    rows, columns = grid
    if len(names) != rows * columns:
        raise UnreadableError(
            "There are {n} names for {rows} x {columns} = {places} places.",
            "Give one name for each place, row by row from the top left.",
            n=len(names),
            rows=rows,
            columns=columns,
            places=rows * columns,
        )
    found = (find or find_loose)(image, max(aspect, 1 / aspect))
    if len(found.scores) < rows * columns:
        raise UnreadableError(
            "{n} pieces were found in the photo, and {rows} x {columns} = {places} are expected.",
            "Lay the pieces apart on a plain cloth of another colour, and photograph them from "
            "straight above in even light.",
            n=len(found.scores),
            rows=rows,
            columns=columns,
            places=rows * columns,
        )
    best = np.argsort(-found.scores, kind="stable")[: rows * columns]
    quads = in_rows(found.quads[best], rows, columns)
    quads = turned(quads, lengthwise(quads, aspect))
    scale = CUT_PX / max(aspect, 1.0)
    cut = straighten(image, quads, (round(aspect * scale), round(scale)))
    faces: dict[str, list[Image]] = {}
    for name, picture in zip(names, cut, strict=True):
        faces.setdefault(name, []).append(np.ascontiguousarray(picture))
    near = contrast(image, quads) < APART
    hidden = dict.fromkeys(name for name, close in zip(names, near, strict=True) if close)
    return GridPhoto(FaceBook.teach(faces, aspect), quads, tuple(hidden))


def in_rows(quads: Quads, rows: int, columns: int) -> Quads:
    """The quads (rows x columns, 4, 2) row by row, each from its top left corner.

    Top is where the photo's top is, give or take an eighth of a turn. Raises UnreadableError if
    they do not lie in rows.
    """
    sides = np.roll(quads, -1, axis=1) - quads
    # Four times the angle of any side is the same for all four of a rectangle.
    fourfold = np.exp(4j * np.arctan2(sides[..., 1], sides[..., 0])).mean()
    angle = float(np.angle(fourfold)) / 4
    cos, sin = np.cos(angle), np.sin(angle)
    upright = quads @ np.array([[cos, -sin], [sin, cos]], np.float32)
    middle = upright.mean(axis=1)
    order = np.argsort(middle[:, 1], kind="stable").reshape(rows, columns)
    across = np.take_along_axis(middle[order, 0], np.argsort(middle[order, 0], axis=1), axis=1)
    order = np.take_along_axis(order, np.argsort(middle[order, 0], axis=1), axis=1)
    height = float(np.ptp(upright[..., 1], axis=1).mean())
    down = middle[order, 1]
    # A row ends before the next one begins, and the columns stand below each other.
    apart = down[1:].min(axis=1) - down[:-1].max(axis=1) if rows > 1 else np.array([height])
    strayed = max(np.abs(across - np.median(across, axis=0)).max(), np.ptp(down, axis=1).max())
    if apart.min() < height / 3 or strayed > height:
        what = "The pieces in the photo do not lie in {rows} rows of {columns}."
        if rows == 1:
            what = "The pieces in the photo do not lie in 1 row of {columns}."
        raise UnreadableError(
            what,
            "Lay them in straight rows, and hold the camera so that the rows run across.",
            rows=rows,
            columns=columns,
        )
    ordered, flat = quads[order.ravel()], upright[order.ravel()]
    first = flat.sum(axis=2).argmin(axis=1)
    return turned(ordered, np.asarray(first, np.int8))


def contrast(image: Image, quads: Quads) -> NDArray[np.float32]:
    """How far in colour (n,) the edge of each piece is from the surface around it, in CIELAB."""
    lab = cv2.cvtColor(image.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    free = np.full(image.shape[:2], 255, np.uint8)
    cv2.fillPoly(free, [_scaled(quad, BESIDE[0]) for quad in quads], 0)
    apart = np.zeros(len(quads), np.float32)
    for k, quad in enumerate(quads):
        edge = np.zeros_like(free)
        cv2.fillPoly(edge, [_scaled(quad, EDGE[1])], 255)
        cv2.fillPoly(edge, [_scaled(quad, EDGE[0])], 0)
        beside = np.zeros_like(free)
        cv2.fillPoly(beside, [_scaled(quad, BESIDE[1])], 255)
        beside &= free
        if beside.any():
            colours = [np.median(lab[mask > 0], axis=0) for mask in (edge, beside)]
            apart[k] = np.linalg.norm(colours[0] - colours[1])
    return apart


def _scaled(quad: NDArray[np.float32], share: float) -> NDArray[np.int32]:
    middle = quad.mean(axis=0)
    return np.asarray(np.rint(middle + (quad - middle) * share), np.int32)
