"""The tone curve of cameras: levels, 0 to 255, are a root of the light, 0 to 1.

A power alone is what an unknown camera's curve is known by; sRGB's own (IEC 61966-2-1), which is
this power but for the darkest levels, is only for what is drawn: `vision.scene.colour`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: Exponent by which levels become light.
GAMMA = 2.2


def to_linear(levels: ArrayLike) -> NDArray[np.float32]:
    """Light, 0 to 1, of levels, 0 to 255, of any shape."""
    return np.asarray((np.asarray(levels, np.float32) / 255.0) ** GAMMA, np.float32)


def to_levels(light: ArrayLike) -> NDArray[np.float32]:
    """Levels, 0 to 255, of light of any shape; what is brighter than 1 is 255."""
    coded = np.minimum(np.asarray(light, np.float32), 1.0) ** (1 / GAMMA)
    return np.asarray(255.0 * coded, np.float32)
