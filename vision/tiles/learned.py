"""A detector that was trained: one look of a small network at the table from above."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import Network, network
from vision.plane import Plane
from vision.tiles.cells import decode
from vision.tiles.detections import Detections, MayBear, anywhere
from vision.tiles.refining import refine

Array = NDArray[np.float32]

#: Folder and file of the network in `models/`.
NAME = "tiles"
#: Shorter side of a tile in pixels of the view that the network sees.
SIDE = 28.0
#: The view's width and height are multiples of this.
MULTIPLE = 16
#: Finds of a smaller score are left out.
LEAST = 0.1
#: Sides of a find over those of a tile: lens, height and a lean change them by less than this.
SMALLEST, LARGEST = 0.72, 1.35


class LearnedDetector:
    """Finds tiles of a known size with the network in `models/tiles`; see `Detector`."""

    def __init__(self, net: Network | None = None) -> None:
        """Raises ModelMissingError if there is no network, UnreadableError if it is damaged."""
        self._net = network(NAME) if net is None else net

    def detect(
        self,
        image: NDArray[np.uint8],
        plane: Plane,
        tile_mm: tuple[float, float],
        thickness_mm: float,
        may_bear: MayBear = anywhere,
    ) -> Detections:
        """See `Detector.detect`; the scores are probabilities."""
        scale = SIDE / min(tile_mm)
        margin = min(tile_mm)
        width, height = (
            MULTIPLE * int(np.ceil((length + 2 * margin) * scale / MULTIPLE))
            for length in plane.size
        )
        small, smaller = _shrunk(image, plane, scale)
        size = (width / scale, height / scale)
        view = smaller.patch(small, (-margin, -margin), size, scale, thickness_mm)
        side = np.array([SIDE], np.float32)
        finds = decode(self._net.run(view[None], side)[0][0], LEAST)
        quads_mm = np.asarray((finds.quads + 0.5) / scale - margin, np.float32)
        quads_mm, fits = _fitting(quads_mm, tile_mm)
        fits &= may_bear(quads_mm.mean(axis=1))
        rough = plane.lift(quads_mm[fits], thickness_mm)
        fine = refine(image, rough)
        return Detections.of(plane.drop(fine, thickness_mm), fine, finds.scores[fits])


def _shrunk(
    image: NDArray[np.uint8], plane: Plane, px_per_mm: float
) -> tuple[NDArray[np.uint8], Plane]:
    """The picture reduced to about the scale that is wanted, and the plane of the reduced one.

    A view that is much smaller than the picture would skip pixels.
    """
    times = round(plane.px_per_mm / px_per_mm)
    if times < 2:
        return image, plane
    size = (image.shape[1] // times, image.shape[0] // times)
    whole = image[: size[1] * times, : size[0] * times]
    small = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)
    # Pixel centres are whole numbers: the corner of the picture stays where it is.
    shift = 0.5 / times - 0.5
    to_small = np.array([[1 / times, 0, shift], [0, 1 / times, shift], [0, 0, 1]])
    lens = replace(plane.lens, matrix=to_small @ plane.lens.matrix)
    projection = to_small @ plane.projection
    return small, replace(plane, image_size=size, projection=projection, lens=lens)


def _fitting(quads_mm: Array, tile_mm: tuple[float, float]) -> tuple[Array, NDArray[np.bool_]]:
    """The quads (n, 4, 2), each starting with a side of the tile's width, and which are tiles.

    What is much larger or smaller than a tile is something else.
    """
    sides = np.linalg.norm(np.roll(quads_mm, -1, axis=1) - quads_mm, axis=2)
    pairs = np.stack([sides[:, ::2].mean(axis=1), sides[:, 1::2].mean(axis=1)], axis=1)
    aside = (pairs[:, 0] > pairs[:, 1]) != (tile_mm[0] > tile_mm[1])
    if tile_mm[0] == tile_mm[1]:
        aside[:] = False
    turned = np.where(aside[:, None, None], np.roll(quads_mm, -1, axis=1), quads_mm)
    ratio = np.where(aside[:, None], pairs[:, ::-1], pairs) / np.array(tile_mm)
    fits = ((ratio > SMALLEST) & (ratio < LARGEST)).all(axis=1)
    return np.asarray(turned, np.float32), np.asarray(fits, np.bool_)
