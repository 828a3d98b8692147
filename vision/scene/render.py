"""Renders a described table: the picture of a webcam, and what is in it.

The table is composed in linear light. What did not change since the last frame is kept: the bare
table, each thing as a finished sprite, and the light at every photosite. Only windows around what
came, went or moved are composed anew; noise, colour filling, sharpening and JPEG are each frame's
own.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.scene.arrays import single
from vision.scene.description import Flat, Piece, PieceTruth, Rendered, Scene, TileTruth
from vision.scene.flats import corners_mm, flat_sprite
from vision.scene.hands import hand_sprite
from vision.scene.pieces import piece_sprite
from vision.scene.projection import Box, merged
from vision.scene.studio import Drawn, Level, Studio, Thing
from vision.scene.textures import TextureCache


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
        self._drawn: dict[Hashable, Drawn] = {}
        self._next_number = 1
        self._table_order: list[Hashable] = []
        self._hands: list[Hashable] = []
        self._studio: Studio

    def render(self, scene: Scene) -> Rendered:
        """The picture of `scene` with its truth; the same as `render(scene)`, only faster."""
        stale: list[Box] = []
        setting = _setting(scene)
        if setting != self._setting:
            self._studio = Studio(scene)
            self._drawn, self._table_order, self._hands = {}, [], []
            stale = [self._studio.view.picture]
        # A scene that can't be drawn leaves nothing that the next one may rely on.
        self._setting = None
        levels, hands = self._levels(scene)
        order = [drawn.key for level in levels for drawn in level]
        held = [drawn.key for drawn in hands]
        stale += self._changed(order, self._table_order)
        if stale:
            self._studio.lay(levels, merged(stale, self._studio.view.picture))
        if stale or held != self._hands:
            self._studio.hold(hands)
        self._setting, self._table_order, self._hands = setting, order, held
        current = {*order, *held}
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

    def _levels(self, scene: Scene) -> tuple[list[Level], list[Drawn]]:
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

    def _draw(self, thing: Thing) -> Drawn:
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
            points, heights = _points(thing)
            seen = studio.view.project(points, heights)
            known = Drawn(key, thing, sprite, self._next_number, single(points), single(seen))
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
        drawn = self._drawn[_key(flat)]
        return TileTruth(
            label=flat.label,
            face_up=flat.face_up,
            zone=flat.zone,
            quad_px=drawn.points_px,
            quad_mm=drawn.points_mm,
            visible=self._studio.visible(drawn),
        )

    def _piece(self, piece: Piece) -> PieceTruth:
        drawn = self._drawn[_key(piece)]
        foot, head = drawn.points_px
        return PieceTruth(
            colour=piece.colour,
            field=piece.field,
            foot_px=foot,
            head_px=head,
            visible=self._studio.visible(drawn),
        )


def _points(thing: Thing) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The points that tell where a thing is: on the plane (n, 2), and their heights (n)."""
    if isinstance(thing, Flat):
        return corners_mm(thing), np.full(4, thing.base + thing.thickness)
    if isinstance(thing, Piece):
        return np.array([thing.centre] * 2), thing.base + np.array([0.0, thing.height])
    return np.array([thing.tip]), np.array([thing.height])


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
