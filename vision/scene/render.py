"""Renders a described table: the picture of a webcam, and what is in it.

The table is composed in linear light. What did not change since the last frame is kept: the bare
table, each thing as a finished sprite, and the light at every photosite. Only windows around what
came, went or moved are composed anew; noise, colour filling, sharpening and JPEG are each frame's
own.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.scene import sensor as webcam
from vision.scene.arrays import Array, single
from vision.scene.description import Flat, Hand, Piece, PieceTruth, Rendered, Scene, TileTruth
from vision.scene.flats import corners_mm, flat_sprite
from vision.scene.hands import hand_sprite
from vision.scene.light import Light
from vision.scene.pieces import piece_sprite
from vision.scene.projection import Box, View
from vision.scene.sprites import Sprite, darken
from vision.scene.surfaces import surface
from vision.scene.textures import TextureCache

Thing = Flat | Piece | Hand


class _Drawn(NamedTuple):
    """A thing with its finished sprite (None if out of the picture) and its number in `ids`.

    The thing is kept because its key holds the id of its texture, which must not be used again.
    """

    key: Hashable
    thing: Thing
    sprite: Sprite | None
    number: int


_Level = list[_Drawn]


def render(scene: Scene) -> Rendered:
    """One picture of one scene; equal scenes give equal pictures."""
    return Renderer().render(scene)


class Renderer:
    """Renders scene after scene, and draws anew only what differs from the scene before.

    Not for use by two threads at once.
    """

    def __init__(self) -> None:
        self._textures = TextureCache()
        self._setting: Hashable = None
        self._drawn: dict[Hashable, _Drawn] = {}
        self._next_number = 1
        self._table_order: list[Hashable] = []
        self._hands: list[_Drawn] = []
        self._studio: _Studio

    def render(self, scene: Scene) -> Rendered:
        """The picture of `scene` with its truth; the same as `render(scene)`, only faster."""
        stale: list[Box] = []
        setting = _setting(scene)
        if setting != self._setting:
            self._studio = _Studio(scene)
            self._drawn, self._table_order, self._hands = {}, [], []
            stale = [self._studio.view.picture]
        # A scene that can't be drawn leaves nothing that the next one may rely on.
        self._setting = None
        levels, hands = self._levels(scene)
        order = [drawn.key for level in levels for drawn in level]
        stale += self._changed(order, self._table_order)
        for window in _merged(stale, self._studio.view.picture):
            self._studio.compose(levels, window)
        before = [drawn.key for drawn in self._hands]
        if [drawn.key for drawn in hands] != before:
            stale += [d.sprite.touched for d in (*self._hands, *hands) if d.sprite is not None]
        for window in _merged(stale, self._studio.view.picture):
            self._studio.expose(hands, window)
        self._setting, self._table_order, self._hands = setting, order, hands
        current = {*order, *(drawn.key for drawn in hands)}
        self._drawn = {key: drawn for key, drawn in self._drawn.items() if key in current}
        self._textures.keep_only([flat.texture for flat in scene.flats])
        rng = np.random.default_rng(scene.seed)
        return Rendered(
            self._studio.develop(rng),
            tuple(self._tile(flat) for flat in scene.flats if flat.kind == "tile"),
            tuple(self._piece(piece) for piece in scene.pieces),
        )

    def shown(self, things: Sequence[Thing]) -> NDArray[np.int32]:
        """What each pixel of the last picture shows: an index into `things`, else -1.

        The things are of the scene rendered last.
        """
        index_of = np.full(self._next_number, -1, np.int32)
        for index, thing in enumerate(things):
            drawn = self._drawn.get(_key(thing))
            if drawn is not None:
                index_of[drawn.number] = index
        return np.asarray(index_of[self._studio.owners()], np.int32)

    def _levels(self, scene: Scene) -> tuple[list[_Level], list[_Drawn]]:
        """Everything on the table by the height of its top, lowest first; and the hands."""
        by_top: dict[float, list[Thing]] = {}
        for flat in scene.flats:
            by_top.setdefault(round(flat.base + flat.thickness, 3), []).append(flat)
        if scene.pieces:
            # One that stands nearer to the point below the camera hides those behind it.
            x, y, _ = self._studio.view.eye
            top = round(max(piece.base + piece.height for piece in scene.pieces), 3)
            pieces = sorted(
                scene.pieces, key=lambda p: -math.hypot(p.centre[0] - x, p.centre[1] - y)
            )
            by_top.setdefault(top, []).extend(pieces)
        levels = [[self._draw(thing) for thing in by_top[top]] for top in sorted(by_top)]
        return levels, [self._draw(hand) for hand in scene.hands]

    def _draw(self, thing: Thing) -> _Drawn:
        key = _key(thing)
        known = self._drawn.get(key)
        if known is None:
            studio = self._studio
            if isinstance(thing, Flat):
                sprite = flat_sprite(thing, studio.view, studio.light, self._textures)
            elif isinstance(thing, Piece):
                sprite = piece_sprite(thing, studio.view, studio.light)
            else:
                sprite = hand_sprite(thing, studio.view, studio.light)
            known = _Drawn(key, thing, sprite, self._next_number)
            self._drawn[key] = known
            self._next_number += 1
        return known

    def _changed(self, order: list[Hashable], before: list[Hashable]) -> list[Box]:
        """Windows in which the table differs from the one before."""
        new, old = set(order), set(before)
        if [key for key in order if key in old] != [key for key in before if key in new]:
            return [self._studio.view.picture]
        sprites = [self._drawn[key].sprite for key in new ^ old]
        return [sprite.touched for sprite in sprites if sprite is not None]

    def _tile(self, flat: Flat) -> TileTruth:
        corners = corners_mm(flat)
        return TileTruth(
            label=flat.label,
            face_up=flat.face_up,
            zone=flat.zone,
            quad_px=single(self._studio.view.project(corners, flat.base + flat.thickness)),
            quad_mm=single(corners),
            visible=self._studio.visible(self._drawn[_key(flat)]),
        )

    def _piece(self, piece: Piece) -> PieceTruth:
        view = self._studio.view
        return PieceTruth(
            colour=piece.colour,
            field=piece.field,
            foot_px=single(view.project(piece.centre, piece.base)),
            head_px=single(view.project(piece.centre, piece.base + piece.height)),
            visible=self._studio.visible(self._drawn[_key(piece)]),
        )


class _Studio:
    """Camera, lamp and bare table of a scene, and the light that reaches the sensor."""

    def __init__(self, scene: Scene) -> None:
        self.view = View(scene.camera)
        self.light = Light(scene.lamp)
        self._sensor = scene.sensor
        self._bare = surface(scene.surface, scene.surface_seed, self.view)
        gain = webcam.gain(self.view, scene.sensor)
        self._gain = self.light.falloff(self.view) * gain
        self._mirror = self.light.mirror(self.view) * gain if scene.lamp.glare > 0.0 else None
        self._table = self._bare.copy()
        rows, columns = self._bare.shape[:2]
        self._table_ids = np.zeros((rows, columns), dtype=np.int32)
        self._ids = self._table_ids.copy()
        self._sites = np.zeros((rows, columns), dtype=np.float32)
        self._sigma = self._sites.copy()

    def compose(self, levels: Sequence[_Level], window: Box) -> None:
        """Lays everything but hands on the bare table, within `window`."""
        canvas, ids = self._table[window.slices], self._table_ids[window.slices]
        canvas[:] = self._bare[window.slices]
        ids[:] = 0
        for level in levels:
            _lay(level, canvas, ids, window)

    def expose(self, hands: Sequence[_Drawn], window: Box) -> None:
        """Puts hands over the table and lets the light fall on the sensor, within `window`."""
        spread = window.grown(webcam.reach(self._sensor)) & self.view.picture
        canvas = self._table[spread.slices].copy()
        ids = self._table_ids[spread.slices].copy()
        for hand in hands:
            _lay([hand], canvas, ids, spread)
        light = canvas[..., :3] * self._gain[spread.slices]
        if self._mirror is not None:
            light += canvas[..., 3:] * self._mirror[spread.slices]
        sites = webcam.mosaic(light, self._sensor, (spread.x0, spread.y0))
        inner = window.within(spread)
        self._ids[window.slices] = ids[inner]
        self._sites[window.slices] = sites[inner]
        self._sigma[window.slices] = webcam.deviation(sites[inner], self._sensor)

    def develop(self, rng: np.random.Generator) -> NDArray[np.uint8]:
        """The frame as the webcam sends it."""
        return webcam.develop(self._sites, self._sigma, self._sensor, rng)

    def owners(self) -> NDArray[np.int32]:
        """The number of the thing that each pixel shows."""
        return self._ids

    def visible(self, drawn: _Drawn) -> float:
        """The share of a thing's face that the camera sees."""
        sprite = drawn.sprite
        if sprite is None or sprite.box.empty or sprite.face_pixels == 0.0:
            return 0.0
        seen = np.count_nonzero(self._ids[sprite.box.slices] == drawn.number)
        return min(1.0, seen / sprite.face_pixels)


def _lay(level: Sequence[_Drawn], canvas: Array, ids: NDArray[np.int32], window: Box) -> None:
    sprites = [drawn for drawn in level if drawn.sprite is not None]
    darken(canvas, [drawn.sprite for drawn in sprites if drawn.sprite is not None], window)
    for drawn in sprites:
        if drawn.sprite is not None:
            drawn.sprite.lay(canvas, ids, window, drawn.number)


def _key(thing: Thing) -> Hashable:
    """What a thing's sprite depends on, beside the setting."""
    if isinstance(thing, Flat):
        place = (thing.size, thing.centre, thing.angle, thing.base, thing.thickness, thing.edge)
        return (id(thing.texture), *place)
    return thing


def _setting(scene: Scene) -> Hashable:
    """All that every pixel depends on."""
    c = scene.camera
    arrays = (c.matrix, c.distortion, c.rvec, c.tvec)
    pose = tuple(np.asarray(array, dtype=np.float64).tobytes() for array in arrays)
    return (c.size, pose, scene.surface, scene.surface_seed, scene.lamp, scene.sensor)


def _merged(boxes: Sequence[Box], picture: Box) -> list[Box]:
    """Windows that cover all of `boxes` within the picture, none of which meet."""
    windows: list[Box] = []
    for box in boxes:
        window = box & picture
        if window.empty:
            continue
        met = [other for other in windows if not (other & window).empty]
        while met:
            for other in met:
                windows.remove(other)
                window |= other
            met = [other for other in windows if not (other & window).empty]
        windows.append(window)
    return windows
