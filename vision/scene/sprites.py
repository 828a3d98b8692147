"""Finished pieces of a picture: each is drawn once, kept, and laid over what lies beneath it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.scene.arrays import Array
from vision.scene.projection import Box


@dataclass(frozen=True, eq=False)
class Shade:
    """Light that a thing takes from what lies beneath it: factors 0 to 1, shape of `box`."""

    box: Box
    factor: Array


@dataclass(frozen=True, eq=False)
class Sprite:
    """A thing as the camera sees it, within `box`.

    `colour` (4, rows, columns) is linear blue, green, red and gloss, multiplied by the cover;
    `cover` (rows, columns) is 0 to 1; `face` marks the pixels that count as its own when one asks
    how much of it is seen, out of `face_pixels` in all, those outside the picture included.
    """

    box: Box
    colour: Array
    cover: Array
    face: NDArray[np.bool_]
    face_pixels: float
    shades: tuple[Shade, ...] = field(default=())

    @property
    def touched(self) -> Box:
        """Every pixel that it may change."""
        touched = self.box
        for shade in self.shades:
            touched |= shade.box
        return touched

    def clipped(self, picture: Box) -> Sprite:
        """The part of it within `picture`."""
        box = self.box & picture
        if box.empty:
            box = Box(picture.x0, picture.y0, picture.x0, picture.y0)
            inner = (slice(0, 0), slice(0, 0))
        else:
            inner = box.within(self.box)
        shades = []
        for shade in self.shades:
            part = shade.box & picture
            if not part.empty:
                shades.append(Shade(part, shade.factor[part.within(shade.box)]))
        return Sprite(
            box,
            self.colour[..., *inner],
            self.cover[inner],
            self.face[inner],
            self.face_pixels,
            tuple(shades),
        )

    def lay(self, canvas: Array, ids: NDArray[np.int32], window: Box, number: int) -> None:
        """Draws the part within `window` on `canvas` and writes `number` where its face shows.

        `canvas` (4, rows, columns) and `ids` cover `window`. Where it hides others without showing
        its face, 0.
        """
        part = self.box & window
        if part.empty:
            return
        own, there = part.within(self.box), part.within(window)
        cover = self.cover[own]
        under = canvas[..., *there]
        under *= 1.0 - cover
        under += self.colour[..., *own]
        numbers = ids[there]
        np.copyto(numbers, 0, where=cover > 0.5)
        np.copyto(numbers, number, where=self.face[own])


def darken(canvas: Array, sprites: list[Sprite], window: Box) -> None:
    """Casts the shadows of things of one level: where two meet, the darker one counts."""
    parts = [(shade, shade.box & window) for sprite in sprites for shade in sprite.shades]
    parts = [(shade, part) for shade, part in parts if not part.empty]
    if not parts:
        return
    area = parts[0][1]
    for _, part in parts:
        area |= part
    factor = np.ones((area.height, area.width), dtype=np.float32)
    for shade, part in parts:
        there = factor[part.within(area)]
        np.minimum(there, shade.factor[part.within(shade.box)], out=there)
    # Gloss is light mirrored from above; a shadow on the table does not dim it.
    canvas[:3, *area.within(window)] *= factor
