"""Prints as reflected light, made smaller beforehand so that drawing them small does not alias."""

from __future__ import annotations

import numpy as np

from vision.scene.arrays import Array, shrink
from vision.scene.colour import to_linear
from vision.scene.description import Image

# What paper and ink give back of the light: a print's white is not white, nor its black black.
_PAPER, _INK = 0.86, 0.02


class TextureCache:
    """Keeps each print in the sizes that were asked for, as long as a scene uses it."""

    def __init__(self) -> None:
        self._prints: dict[int, tuple[Image, dict[int, Array]]] = {}

    def reduced(self, texture: Image, factor: int) -> Array:
        """The print, `factor` times smaller: (h, w, 4) linear BGR times cover, and cover.

        `texture` is BGRA; raises ValueError if it is not.
        """
        if texture.ndim != 3 or texture.shape[2] != 4 or texture.dtype != np.uint8:
            raise ValueError(
                f"texture: expected uint8 of shape (h, w, 4), "
                f"got {texture.dtype} of shape {texture.shape}"
            )
        _, sizes = self._prints.setdefault(id(texture), (texture, {}))
        if factor not in sizes:
            sizes[factor] = _shrink(texture, factor)
        return sizes[factor]

    def keep_only(self, textures: list[Image]) -> None:
        """Forgets all other prints."""
        kept = {id(texture) for texture in textures}
        self._prints = {key: entry for key, entry in self._prints.items() if key in kept}


def _shrink(texture: Image, factor: int) -> Array:
    light = np.empty(texture.shape, dtype=np.float32)
    light[..., 3] = texture[..., 3] * np.float32(1 / 255)
    light[..., :3] = (_INK + (_PAPER - _INK) * to_linear(texture[..., :3])) * light[..., 3:]
    if factor == 1:
        return light
    size = (max(1, round(texture.shape[1] / factor)), max(1, round(texture.shape[0] / factor)))
    return shrink(light, size)
