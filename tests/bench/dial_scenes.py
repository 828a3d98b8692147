"""Rendered dials with a known arrow: lying anyhow, in any light, well or badly printed, covered."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cli.kitset import kit_edition
from referee.games.table import Dial, TablePlan
from referee.games.tumult_royale.art import drawings
from referee.games.tumult_royale.table import table_plan
from referee.kit.raster import rasterise
from referee.simulation.arrangement import Arrangement, LaidDial
from referee.simulation.conditions import random_conditions
from referee.simulation.room import Pose
from referee.simulation.staging import dial_flats, scene_of
from vision.dial.prints import cuts_of
from vision.scene.description import Flat, Hand, Scene

Image = NDArray[np.uint8]
#: What the pictures of one table show, in this order.
KINDS = (*("plain",) * 5, "border", "border", "hand", "covered", "no arrow", "no disc")
#: The discs lie off their place by this (sigma), arrows' pivots off the discs' middles, in mm.
SHIFT, PLAY = 3.0, 0.3
#: Arrows turn so high above their discs, in mm: from card on card to the box's axle.
HOVER = (0.5, 7.0)
#: An arrow of the kind "border" is at most so many degrees from one.
NEAR = 6.0
ART_PX_PER_MM = 4.0
_COLOURS = (
    *((60, 60, 200), (200, 110, 40), (90, 170, 60), (40, 190, 235), (235, 235, 235)),
    *((40, 40, 40), (150, 60, 130), (190, 180, 60), (110, 150, 200), (60, 120, 240)),
)


@dataclass(frozen=True, eq=False)
class Shown:
    """A scene of a dial: `arrow` is its true angle from the disc's top, None if there is none."""

    kind: str
    scene: Scene
    arrow: float | None


@dataclass(frozen=True, eq=False)
class DialArt:
    """A dial with the pictures of its disc and its arrow, BGRA."""

    dial: Dial
    disc: Image
    arrow: Image


@cache
def kit_dial() -> tuple[TablePlan, DialArt]:
    """The print-and-play set's table for two, and its spinner."""
    plan = table_plan(kit_edition(), ("yellow", "blue"))
    dial = plan.dial
    if dial is None:
        raise ValueError("the kit's table has no spinner")
    named = drawings(kit_edition())
    return plan, DialArt(
        dial,
        rasterise(named[dial.drawing], ART_PX_PER_MM),
        rasterise(named[dial.arrow], ART_PX_PER_MM),
    )


def other_dial(rng: np.random.Generator) -> tuple[TablePlan, DialArt]:
    """A dial of another make: 4 to 10 sectors in any colours with numbers, a plain needle."""
    plan, kit = kit_dial()
    count = int(rng.integers(4, 11))
    labels = tuple(str(label) for label in rng.permutation(count) + 1)
    dial = replace(kit.dial, labels=labels)
    side = round(dial.diameter * ART_PX_PER_MM)
    middle, radius = (side - 1) / 2, side / 2
    grid = np.arange(side) - middle
    around = np.degrees(np.arctan2(grid[None, :], -grid[:, None])) % 360.0
    sector = np.round(around / (360.0 / count)).astype(int) % count
    palette = rng.permutation(np.array(_COLOURS, np.uint8))
    disc = np.full((side, side, 4), 255, np.uint8)
    disc[..., :3] = palette[np.arange(count) % len(palette)][sector]
    for index, label in enumerate(labels):
        angle = math.radians(index * 360.0 / count)
        place = (
            round(middle + 0.68 * radius * math.sin(angle) - 14),
            round(middle - 0.68 * radius * math.cos(angle) + 14),
        )
        ink = 0 if int(disc[place[1], place[0], :3].sum()) > 380 else 255
        cv2.putText(disc, label, place, cv2.FONT_HERSHEY_DUPLEX, 1.4, (ink, ink, ink, 255), 3)
    disc[np.hypot(grid[:, None], grid) > radius, 3] = 0
    return plan, DialArt(dial, disc, _needle(rng, dial))


def dial_scenes(seed: int, size: tuple[int, int], plan: TablePlan, art: DialArt) -> Iterator[Shown]:
    """Pictures of one dial on one table, one for each of `KINDS`; the same for a seed."""
    rng = np.random.default_rng([seed, 31])
    conditions = random_conditions(np.random.default_rng([seed, 32]), plan.size, size)
    dial, as_printed = art.dial, _printer(rng)
    printed = {
        **{board.drawing: _board(board.drawing) for board in plan.boards},
        dial.drawing: as_printed(art.disc),
        dial.arrow: _tinted(as_printed(cuts_of(art.arrow)[-int(rng.integers(2))]), rng),
    }
    bare = Arrangement.empty(plan, rng)
    x, y = np.array(dial.centre) + np.clip(rng.normal(0.0, SHIFT, 2), -12.0, 12.0)
    pose = Pose((float(x), float(y)), float(rng.uniform(0.0, 360.0)))
    hover, width = float(rng.uniform(*HOVER)), 360.0 / len(dial.labels)
    for number, kind in enumerate(KINDS):
        angle = float(rng.uniform(0.0, 360.0))
        if kind == "border":
            border = width * (int(rng.integers(len(dial.labels))) + 0.5)
            angle = (border + float(rng.uniform(-NEAR, NEAR))) % 360.0
        disc, arrow = dial_flats(LaidDial(dial, pose, angle), printed, hover)
        pivot = np.array(arrow.centre) + rng.normal(0.0, PLAY, 2)
        arrow = replace(arrow, centre=(float(pivot[0]), float(pivot[1])))
        flats = [disc, arrow]
        hands: tuple[Hand, ...] = ()
        if kind == "no arrow":
            flats = [disc]
        elif kind == "no disc":
            flats = _instead(rng, pose, arrow, printed)
        elif kind == "covered":
            flats.append(_cover(rng, pose, dial))
        elif kind == "hand":
            hands = (_hand(rng, pose, dial, plan),)
        scene = scene_of(
            bare, printed, conditions, scenery=flats, hands=hands, seed=seed * 100 + number
        )
        yield Shown(kind, scene, None if kind in ("no arrow", "no disc") else angle)


@cache
def _board(name: str) -> Image:
    return rasterise(drawings(kit_edition())[name], 2.0)


@cache
def _piece(name: str) -> Image:
    return rasterise(drawings(kit_edition())[name], 3.0)


def _printer(rng: np.random.Generator) -> Callable[[Image], Image]:
    """What a printer makes of pictures on its paper: paler, darker, with a cast."""
    bend, cast = rng.uniform(0.8, 1.25), rng.uniform(0.88, 1.0, 3)
    black = rng.uniform(0.0, 0.12)

    def printed(picture: Image) -> Image:
        levels = black + (1.0 - black) * (picture[..., :3] / 255.0) ** bend * cast
        out = picture.copy()
        out[..., :3] = np.clip(255.0 * levels, 0, 255).astype(np.uint8)
        return out

    return printed


def _tinted(picture: Image, rng: np.random.Generator) -> Image:
    """A print in other light than what lies beside it: an arrow is never quite level."""
    out = picture.copy()
    levels = picture[..., :3] * rng.uniform(0.9, 1.08) + rng.uniform(0.0, 12.0)
    out[..., :3] = np.clip(levels, 0, 255).astype(np.uint8)
    return out


def _instead(
    rng: np.random.Generator, pose: Pose, arrow: Flat, printed: dict[str, Image]
) -> list[Flat]:
    """What may lie in a spinner's place: nothing, an arrow, a plain disc, tiles, a big token."""
    choice = int(rng.integers(5))
    if choice == 0:
        return []
    if choice == 1:
        return [arrow]
    if choice == 2:
        plain = np.zeros((200, 200, 4), np.uint8)
        colour = (*map(int, rng.integers(20, 240, 3)), 255)
        cv2.circle(plain, (100, 100), 99, colour, -1)
        return [Flat(plain, (100.0, 100.0), pose.centre, kind="scenery"), arrow]
    names = ("supporter-10", "castle-blue", "tile-back", "nobility-1", "spinner-arrow")
    name = names[int(rng.integers(len(names)))]
    size = float(rng.uniform(60.0, 110.0))
    picture = _piece(name) if name not in printed else printed[name]
    wide = size * picture.shape[1] / picture.shape[0]
    return [Flat(picture, (wide, size), pose.centre, float(rng.uniform(0, 360)), kind="scenery")]


def _cover(rng: np.random.Generator, pose: Pose, dial: Dial) -> Flat:
    """A tile, card or token that lies partly on the disc."""
    names = ("tile-marble-2-plain", "tile-back", "nobility-2", "supporter-5", "mercy")
    name = names[int(rng.integers(len(names)))]
    away, turn = float(rng.uniform(0.1, 0.48)) * dial.diameter, float(rng.uniform(0, 2 * math.pi))
    x, y = pose.centre
    return Flat(
        _piece(name),
        drawings(kit_edition())[name].size,
        (x + away * math.cos(turn), y + away * math.sin(turn)),
        float(rng.uniform(0.0, 360.0)),
        base=dial.height + 8.0,
        thickness=1.0,
        kind="scenery",
    )


def _hand(rng: np.random.Generator, pose: Pose, dial: Dial, plan: TablePlan) -> Hand:
    """A hand whose fingers are over the disc, from anywhere outside the table."""
    x, y = pose.centre
    away, turn = float(rng.uniform(0.0, 0.4)) * dial.diameter, float(rng.uniform(0, 2 * math.pi))
    tip = (x + away * math.cos(turn), y + away * math.sin(turn))
    side = (-300.0, float(rng.uniform(-0.2, 1.2)) * plan.size[1])
    elbow = side if rng.random() < 0.7 else (x, -400.0)
    return Hand(tip, elbow, float(rng.uniform(15.0, 60.0)))


def _needle(rng: np.random.Generator, dial: Dial) -> Image:
    """A pointer in one colour: a long triangle with a round hub and a short tail."""
    width, height = (round(length * ART_PX_PER_MM) for length in dial.arrow_size)
    picture = np.zeros((height, width, 4), np.uint8)
    colour = (*map(int, _COLOURS[int(rng.integers(len(_COLOURS)))]), 255)
    middle, y = width // 2, height // 2
    tail = middle + 60
    points = [(2, y), (middle, y - 16), (tail, y - 10), (tail, y + 10), (middle, y + 16)]
    cv2.fillPoly(picture, [np.array(points, np.int32)], colour)
    cv2.circle(picture, (middle, y), 26, colour, -1)
    picture[picture[..., 3] == 0, :3] = colour[:3]
    return picture
