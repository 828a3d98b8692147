"""The look of a piece: the colour of its paint as a picture shows it, free of what lies around it.

Looks are compared as logarithms of light, so that a change of light or exposure is a shift.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.tone import GAMMA, to_linear

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

#: Light that cameras add to the dark (flare, black level): keeps logarithms of black apart from
#: those of noise.
FLOOR = 0.004
#: Columns: lightness, red against blue, and green against both, of logarithms of B, G and R.
_AXES = np.array([[1, 1, 1], [-1, 0, 1], [-1, 2, -1]], np.float64)
AXES = (_AXES / np.linalg.norm(_AXES, axis=1, keepdims=True)).T.astype(np.float32)
#: Levels (of 255) by which JPEG, demosaicing and noise move the mean of a small piece.
_LEVEL_NOISE = 3.0
#: How far from a box's middle its piece's pixels are looked for, in its width and height (sigma).
_REACH = 0.2
#: Pixels belong together if their looks are this alike: in lightness, for the lit and the shaded
#: side of a piece are one paint, and in the two axes of colour.
_ALIKE = np.array([0.6, 0.2, 0.2], np.float32)
#: Crops are looked at with no more than so many pixels a side.
_MOST_PX = 16
_ROUNDS = 8


def look(levels: ArrayLike) -> Array:
    """Looks (…, 3) of BGR levels (…, 3), 0 to 255: lightness and two axes of colour."""
    return np.asarray(np.log(to_linear(levels) + FLOOR) @ AXES, np.float32)


def light_look(light: ArrayLike) -> Array:
    """The shift (…, 3) of all looks under linear BGR light (…, 3); even white of 1 shifts none."""
    return np.asarray(np.log(np.maximum(np.asarray(light, np.float32), FLOOR)) @ AXES, np.float32)


def noise(looks: ArrayLike) -> Array:
    """Variances (…, 3) of looks (…, 3) by the noise of levels: dark channels tell little."""
    light = np.maximum(np.exp(np.asarray(looks, np.float32) @ AXES.T) - FLOOR, 1e-4)
    # The slope of the camera's curve turns noise of levels into noise of light.
    rise = GAMMA * np.maximum(light, 1e-3) ** (1.0 - 1.0 / GAMMA) * (_LEVEL_NOISE / 255.0)
    return np.asarray(np.square(rise / (light + FLOOR)) @ np.square(AXES), np.float32)


def piece_look(crop: Image) -> tuple[Array, float]:
    """The look (3,) of the piece in the middle of a BGR crop, and how much of the middle it fills.

    The crop (h, w, 3) may be loose: the piece must only pass near its middle. The share, 0 to 1,
    is low if the middle shows many colours. Raises ValueError if the crop is empty.
    """
    if crop.ndim != 3 or crop.shape[2] != 3 or crop.size == 0:
        raise ValueError(f"crop: expected shape (h, w, 3) with pixels, got {crop.shape}")
    height, width = crop.shape[:2]
    if max(height, width) > _MOST_PX:
        size = min(width, _MOST_PX), min(height, _MOST_PX)
        crop = np.asarray(cv2.resize(crop, size, interpolation=cv2.INTER_AREA), np.uint8)
        height, width = crop.shape[:2]
    y = ((np.arange(height) + 0.5) / height - 0.5) / _REACH
    x = ((np.arange(width) + 0.5) / width - 0.5) / _REACH
    near = np.exp(-0.5 * (y[:, None] ** 2 + x[None, :] ** 2)).ravel().astype(np.float32)
    near /= near.sum()
    seen = look(crop.reshape(-1, 3)) / _ALIKE
    alike = np.exp(-0.5 * np.square(seen[:, None] - seen[None]).sum(axis=2))
    middle = seen[int((near * (alike @ near)).argmax())]
    belongs = near
    for _ in range(_ROUNDS):
        belongs = near * np.exp(-0.5 * np.square(seen - middle).sum(axis=1))
        middle = belongs @ seen / belongs.sum()
    return np.asarray(middle * _ALIKE, np.float32), float(belongs.sum())
