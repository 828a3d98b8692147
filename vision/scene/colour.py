"""Between sRGB levels, 0 to 255, and linear light, 0 to 1 (IEC 61966-2-1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def _decode(level: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)


def _encode(light: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


_LINEAR = _decode(np.arange(256) / 255.0).astype(np.float32)


def to_linear(levels: ArrayLike) -> NDArray[np.float32]:
    """Linear light of sRGB levels of any shape."""
    return _LINEAR[np.asarray(levels, dtype=np.uint8)]


def to_levels(light: ArrayLike) -> NDArray[np.uint8]:
    """SRGB levels of linear light of any shape; what is above 1 or below 0 is clipped."""
    clipped = np.clip(np.asarray(light, dtype=np.float64), 0.0, 1.0)
    return np.rint(_encode(clipped) * 255.0).astype(np.uint8)


def slope(light: float) -> float:
    """Levels by which the encoding rises for each unit of light (above the linear toe)."""
    return float(255.0 * 1.055 / 2.4 * light ** (1 / 2.4 - 1))
