"""A table under its camera: composed in linear light, then as the webcam's sensor sees it.

What hands don't touch is kept with them and without: where one has gone, nothing is drawn anew.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.scene.arrays import Array, planes
from vision.scene.description import Flat, Hand, Image, Piece, Scene
from vision.scene.light import Light
from vision.scene.projection import Box, View, merged
from vision.scene.sensor import Webcam, gain
from vision.scene.sprites import Sprite, darken
from vision.scene.surfaces import surface

Thing = Flat | Piece | Hand


class Drawn(NamedTuple):
    """A thing with its finished sprite (None if out of the picture) and its number in `ids`.

    The thing is kept because its key holds the id of its texture, which must not be used again.
    """

    key: Hashable
    thing: Thing
    sprite: Sprite | None
    number: int
    points_mm: Array
    """Shape (n, 2): on the plane, corners of a flat, foot and head of a piece, tip of a hand."""
    points_px: Array
    """The same in the picture."""


Level = list[Drawn]


class Studio:
    """Camera, lamp and bare table of a scene, and the light that reaches the sensor."""

    def __init__(self, scene: Scene) -> None:
        self.view = View(scene.camera)
        self.light = Light(scene.lamp)
        self._webcam = Webcam(scene.sensor, scene.camera.size)
        self._bare = planes(surface(scene.surface, scene.surface_seed, self.view))
        level = gain(self.view, scene.sensor)
        self._gain = planes(self.light.falloff(self.view) * level)
        self._mirror = planes(self.light.mirror(self.view) * level) if scene.lamp.glare else None
        rows, columns = self._bare.shape[1:]
        self._table = self._bare.copy()
        self._table_ids = np.zeros((rows, columns), dtype=np.int32)
        self._table_roots = np.zeros((rows, columns), dtype=np.int16)
        self._ids, self._roots = self._table_ids.copy(), self._table_roots.copy()
        self._held: list[Box] = []
        self._seen: dict[int, tuple[Box, float]] = {}

    def lay(self, levels: Sequence[Level], windows: Sequence[Box]) -> None:
        """Lays everything but hands on the bare table, within `windows`, and exposes it."""
        for window in windows:
            canvas, ids = self._table[..., *window.slices], self._table_ids[window.slices]
            canvas[:] = self._bare[..., *window.slices]
            ids[:] = 0
            for level in levels:
                _lay(level, canvas, ids, window)
        for window in windows:
            spread = self._spread(window)
            roots = self._expose(self._table[..., *spread.slices], spread)
            self._table_roots[window.slices] = roots[window.within(spread)]
        self._uncover(windows)

    def hold(self, hands: Sequence[Drawn]) -> None:
        """Holds these hands over the table, instead of those before."""
        self._uncover(self._held)
        sprites = [drawn.sprite for drawn in hands if drawn.sprite is not None]
        self._held = merged([sprite.touched for sprite in sprites], self.view.picture)
        for window in self._held:
            spread = self._spread(window)
            canvas = self._table[..., *spread.slices].copy()
            ids = self._table_ids[spread.slices].copy()
            for hand in hands:
                _lay([hand], canvas, ids, spread)
            inner = window.within(spread)
            self._roots[window.slices] = self._expose(canvas, spread)[inner]
            self._ids[window.slices] = ids[inner]
        self._forget(self._held)

    def develop(self, rng: np.random.Generator) -> Image:
        """The frame as the webcam sends it."""
        return self._webcam.develop(self._roots, rng)

    def owners(self) -> NDArray[np.int32]:
        """The number of the thing that each pixel shows."""
        return self._ids

    def visible(self, drawn: Drawn) -> float:
        """The share of a thing's face that the camera sees."""
        sprite = drawn.sprite
        if sprite is None or sprite.box.empty or sprite.face_pixels == 0.0:
            return 0.0
        if drawn.number not in self._seen:
            pixels = np.count_nonzero(self._ids[sprite.box.slices] == drawn.number)
            self._seen[drawn.number] = (sprite.box, min(1.0, pixels / sprite.face_pixels))
        return self._seen[drawn.number][1]

    def _spread(self, window: Box) -> Box:
        """All pixels whose light the lens brings into the window."""
        return window.grown(self._webcam.reach) & self.view.picture

    def _expose(self, canvas: Array, window: Box) -> NDArray[np.int16]:
        """Lets the light fall on what `canvas` shows of `window`, and from there on the sensor."""
        light = canvas[:3] * self._gain[..., *window.slices]
        if self._mirror is not None:
            light += canvas[3] * self._mirror[..., *window.slices]
        return self._webcam.expose(light, (window.x0, window.y0))

    def _uncover(self, windows: Sequence[Box]) -> None:
        """Shows the table without hands, within `windows`."""
        for window in windows:
            self._roots[window.slices] = self._table_roots[window.slices]
            self._ids[window.slices] = self._table_ids[window.slices]
        self._forget(windows)

    def _forget(self, windows: Sequence[Box]) -> None:
        """Forgets how much is seen of what is in `windows`."""
        self._seen = {
            number: (box, share)
            for number, (box, share) in self._seen.items()
            if not any(box.meets(window) for window in windows)
        }


def _lay(level: Level, canvas: Array, ids: NDArray[np.int32], window: Box) -> None:
    sprites = [(drawn.sprite, drawn.number) for drawn in level if drawn.sprite is not None]
    sprites = [(sprite, number) for sprite, number in sprites if sprite.touched.meets(window)]
    darken(canvas, [sprite for sprite, _ in sprites], window)
    for sprite, number in sprites:
        sprite.lay(canvas, ids, window, number)
