"""How strong a print is: what the networks do not see, as they stretch each picture's contrast."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.faces.features import Array, Image
from vision.faces.taught import SIDE, squared

#: Share of the side that is left out at each edge, where quads stray.
_RIM = 8
#: Flare and noise as a share of white, and the share of a face that is brighter than white.
_FLOOR, _WHITEST = 0.1, 0.05
#: Contrast of noise on a blank face.
_BLANK = 0.03
#: Logarithm of the factor by which a seen face may be stronger or weaker than the taught one; of
#: generated faces in all kinds of light, blur and haze 1 % lie beyond it. And that by which it may
#: be under glare, if more speaks for it.
UNLIKE, VEILED = 0.85, 1.2

_GREY = np.array([0.114, 0.587, 0.299], np.float32)
_EDGE = SIDE // _RIM


def contrast(crops: Image) -> Array:
    """Logarithm (n,) of the spread of lightness within BGR crops (n, h, w, 3)."""
    inner = squared(crops)[:, _EDGE:-_EDGE, _EDGE:-_EDGE]
    grey = (inner.astype(np.float32) / np.float32(255)) @ _GREY
    # sRGB to linear light, a cubic that is right to 0.002.
    light = (grey * (grey * (grey * 0.305306 + 0.682171) + 0.012523)).reshape(len(crops), -1)
    rank = int((1 - _WHITEST) * light.shape[1])
    white = np.partition(light, rank, axis=1)[:, rank, None] + np.float32(1e-3)
    spread = np.log(light + np.float32(_FLOOR) * white).std(axis=1)
    return np.asarray(np.log(spread + _BLANK), np.float32)


def as_strong(seen: Array, taught: Array, within: float = UNLIKE) -> NDArray[np.bool_]:
    """Whether faces are about as strong as the taught ones: `within` this log factor."""
    return np.asarray(np.abs(seen - taught) < within, np.bool_)
