"""How sharp a picture is: the width of its sharpest edges, whatever it shows."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

#: Edges are measured in patches of so many pixels square, in the most contrasted ones.
_PATCH_PX, _PATCHES = 64, 10
#: The two scales (sigma in px) whose gradients are compared along edges.
_FINE, _COARSE = 1.0, 3.0
#: The filters reach so far (px).
_RIM = 9
#: A gradient (levels per px at the fine scale) below this may be noise.
_LEAST_EDGE = 4.0
#: Of the edges, the sharpest part tells of the lens; others are soft in themselves.
_SHARPEST = 0.25
#: Fewer edges tell nothing.
_FEWEST_EDGES = 40
#: Without any steep edge, a table with so much contrast (levels) is blurred beyond measure (px).
_MUCH_CONTRAST, _FORMLESS = 60, (9.0, 9.0)


def edge_blur(image: Image, grey: Image, inside: Image, step: int) -> tuple[float, float] | None:
    """Sigma (px) of the sharpest edges of a BGR picture, across and down; None if it has none.

    `grey` is the picture in grey at every `step`-th pixel, `inside` 255 there where it counts.

    An edge blurred by sigma s has a gradient of 1 / sqrt(s^2 + t^2) of its height at a scale t, so
    that the ratio of the gradients at two scales tells s, whatever the height (Zhuo and Sim,
    Defocus map estimation from a single image, 2011). Lines thinner than the coarse scale would
    look sharper than they are: their crests lie elsewhere at that scale, and do not count.
    """
    patches = _patches(image, grey, inside, step)
    if not patches:
        return None
    tall = np.concatenate(patches).astype(np.float32)
    rows = np.arange(len(tall)) % _PATCH_PX
    # The filters run over from one patch into the next.
    usable = np.zeros(tall.shape, bool)
    usable[(rows >= _RIM) & (rows < _PATCH_PX - _RIM), _RIM:-_RIM] = True
    fine, coarse = ([_slope(tall, scale, axis) for axis in (0, 1)] for scale in (_FINE, _COARSE))
    sigmas: list[float] = []
    for axis in (0, 1):
        here, there = np.abs(fine[axis]), np.abs(coarse[axis])
        chosen = (here > _LEAST_EDGE) & (np.abs(fine[1 - axis]) < 0.5 * here)
        chosen &= _crest(here, axis) & _crest(there, axis) & usable
        ratio = here[chosen] / there[chosen]
        if len(ratio) >= _FEWEST_EDGES:
            r = float(np.quantile(ratio, 1.0 - _SHARPEST))
            r = min(max(r, 1.001), _COARSE / _FINE)
            sigmas.append(float(np.sqrt((_COARSE**2 - (r * _FINE) ** 2) / (r**2 - 1.0))))
    if sigmas:
        return sigmas[0], sigmas[-1]
    steep = (np.hypot(*fine) > _LEAST_EDGE) & usable
    nothing_steep = np.count_nonzero(steep) < _FEWEST_EDGES
    return _FORMLESS if nothing_steep and np.ptp(tall) > _MUCH_CONTRAST else None


def _slope(grey: NDArray[np.float32], scale: float, axis: int) -> NDArray[np.float32]:
    """The derivative across (axis 0) or down (1), in levels per pixel, at a scale."""
    smooth, rise = _kernels(scale)
    kernels = (rise, smooth) if axis == 0 else (smooth, rise)
    return np.asarray(cv2.sepFilter2D(grey, cv2.CV_32F, *kernels), np.float32)


@cache
def _kernels(scale: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A Gaussian and its derivative."""
    x = np.arange(-_RIM, _RIM + 1)
    smooth = np.exp(-((x / scale) ** 2) / 2)
    smooth /= smooth.sum()
    return smooth.astype(np.float32), (x / scale**2 * smooth).astype(np.float32)


def _crest(slope: NDArray[np.float32], axis: int) -> NDArray[np.bool_]:
    """Where a slope is not less than beside it, across (axis 0) or down (1)."""
    window = np.ones((1, 3) if axis == 0 else (3, 1), np.uint8)
    return np.asarray(slope >= cv2.dilate(slope, window))


def _patches(image: Image, grey: Image, inside: Image, step: int) -> list[Image]:
    """The most contrasted patches of the table at full size, in grey levels."""
    cell = max(1, _PATCH_PX // step)
    rows, columns = grey.shape[0] // cell, grey.shape[1] // cell
    if not rows or not columns:
        return []
    steps = np.asarray(cv2.absdiff(grey[:, 1:], grey[:, :-1]), np.uint8) & inside[:, 1:]
    cut = np.ascontiguousarray(steps[: rows * cell, : columns * cell])
    busy = cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_AREA).ravel()
    chosen = np.argsort(busy)[::-1][:_PATCHES]
    patches = []
    for place in chosen:
        y, x = (int(part) * cell * step for part in divmod(int(place), columns))
        patch = image[y : y + _PATCH_PX, x : x + _PATCH_PX]
        if patch.shape[:2] == (_PATCH_PX, _PATCH_PX):
            patches.append(np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.uint8))
    return patches
