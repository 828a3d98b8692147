"""Where each pixel of a top view is taken from in the picture: fixed-point maps, kept for reuse.

A map of 16-bit whole pixels and 1/32 of pixels is looked up in two thirds of the time of one in
floating point, and while a plane holds the same views are asked for frame after frame.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane.pinhole import Array

Image = NDArray[np.uint8]
#: Whole pixels (rows, columns, 2), and the index of the fractions (rows, columns).
Maps = tuple[NDArray[np.int16], NDArray[np.uint16]]

#: Maps are computed on every such pixel and interpolated between.
STEP = 16
#: Maps of at most so many bytes are kept, those used last.
_ROOM = 48 * 1024 * 1024


def nodes_of(size: tuple[int, int]) -> Array:
    """Pixels of a view of `size` (w, h) at which the map is to be known, shape (rows, columns, 2).

    They stand one step beyond every side, so that none of the pixels is extrapolated.
    """
    columns, rows = (np.arange(-1, -(-n // STEP) + 1) * STEP + (STEP - 1) / 2 for n in size)
    return np.stack(np.meshgrid(columns, rows), axis=-1)


def maps_between(nodes_px: NDArray[np.float32], size: tuple[int, int]) -> Maps:
    """The maps of n views of `size` (w, h), one below the other, from pixels at their nodes.

    `nodes_px` is of shape (n, rows, columns, 2).
    """
    width, height = size
    n, _, columns, _ = nodes_px.shape
    x, y = (
        cv2.resize(part, None, fx=STEP, fy=STEP, interpolation=cv2.INTER_LINEAR)
        .reshape(n, -1, columns * STEP)[:, STEP : STEP + height, STEP : STEP + width]
        .reshape(-1, width)
        for part in cv2.split(nodes_px.reshape(-1, columns, 2))
    )
    whole, fractions = cv2.convertMaps(
        np.ascontiguousarray(x), np.ascontiguousarray(y), cv2.CV_16SC2
    )
    return np.asarray(whole, np.int16), np.asarray(fractions, np.uint16)


def seen_through(image: Image, maps: Maps) -> Image:
    """The view that maps take from a picture, BGR or grey; black beyond the picture."""
    return np.asarray(cv2.remap(image, maps[0], maps[1], cv2.INTER_LINEAR), np.uint8)


class MapCache:
    """Maps by what they show; those not used for the longest time go first. For all threads."""

    def __init__(self, room: int = _ROOM) -> None:
        """`room` is the number of bytes that may be kept."""
        self._room = room
        self._kept: OrderedDict[Hashable, Maps] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Maps]) -> Maps:
        """The maps kept under `key`, or new ones."""
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
        made = make()
        with self._lock:
            self._kept[key] = made
            self._kept.move_to_end(key)
            while self.bytes > self._room and len(self._kept) > 1:
                self._kept.popitem(last=False)
        return made

    @property
    def bytes(self) -> int:
        """How much is kept."""
        return sum(part.nbytes for maps in self._kept.values() for part in maps)
