"""Trays of cubes by chance: piles at rest, paints, lamps, cameras, each from one seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Lens, Plane
from vision.scene.arrays import Array, single
from vision.scene.cameras import overhead_camera
from vision.scene.cubes import (
    Boxes,
    camera_rays,
    linear_paint,
    lit,
    shaded_mean,
    trace,
    tray_walls,
)
from vision.scene.cubes_light import FLOORS, flat_light, glow, photograph, table
from vision.scene.description import Camera, Image
from vision.scene.projection import Box, View

Random = np.random.Generator

#: Cubes that were let fall until they rested, made by `python -m models.tray.piles`.
_PILES = Path(__file__).with_name("cubes_piles.npz")
#: Every fifth pile is kept for measuring, the others are for training.
HELD_BACK = 5
#: sRGB of paints of cubes.
PAINTS = {
    "red": (190, 32, 38),
    "blue": (28, 72, 165),
    "yellow": (240, 200, 30),
    "green": (40, 130, 60),
    "purple": (105, 50, 130),
    "black": (38, 36, 38),
    "white": (232, 228, 218),
    "natural": (205, 165, 115),
    "orange": (235, 125, 30),
    "grey": (125, 125, 125),
    "brown": (100, 62, 40),
    "pink": (230, 120, 160),
    "turquoise": (40, 165, 170),
}
_MARGIN_PX = 10


@dataclass(frozen=True, eq=False)
class TrayPicture:
    """A picture of a tray and what truly lies in it."""

    image: Image
    """The part of a webcam's frame around the tray, BGR."""
    camera: Camera
    """The camera of that part."""
    corner: tuple[float, float]
    """Top left inner corner of the tray on the plane, in mm."""
    size: tuple[float, float]
    """Inner width and height of the tray in mm."""
    side: float
    """Side of a cube in mm."""
    white: NDArray[np.float64]
    """Linear BGR of even white paper beside the tray, as the camera shows it, 1 at its limit."""
    paints: dict[str, tuple[int, int, int]]
    """Nominal sRGB of the colours of the game, by name."""
    colours: NDArray[np.intp]
    """(n,) index into `paints` of each cube."""
    boxes: Boxes
    """The cubes first, in the order of `colours`; then the walls."""

    def floor(self) -> NDArray[np.float64]:
        """The corners (4, 2) of the tray's floor on the plane in mm, clockwise from top left."""
        (x, y), (w, h) = self.corner, self.size
        return np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])

    def plane(self) -> Plane:
        """The plane as a perfect calibration finds it."""
        camera = self.camera
        turn = cv2.Rodrigues(camera.rvec)[0]
        pose = np.column_stack([turn, np.asarray(camera.tvec).reshape(3)])
        lens = Lens(camera.matrix, camera.distortion)
        return Plane(self.size, (), camera.size, camera.matrix @ pose, lens, 0.0)

    def counts(self) -> NDArray[np.intp]:
        """Cubes of each colour."""
        return np.bincount(self.colours, minlength=len(self.paints))


@cache
def _piles() -> tuple[Array, NDArray[np.intp], Array, Array]:
    with np.load(_PILES) as piles:
        starts = np.concatenate([[0], piles["counts"].astype(np.intp).cumsum()])
        return single(piles["sizes"]), starts, single(piles["places"]), single(piles["turns"])


def draw_tray(seed: int, *, held_back: bool = False) -> TrayPicture:
    """A tray from a seed; `held_back` draws from the piles that no training sees."""
    rng = np.random.default_rng((seed, int(held_back)))
    side = float(rng.uniform(8.0, 10.0))
    size, cubes = _pile(rng, side, held_back)
    view, corner = _camera(rng, size)
    names, paints, colours = _colours(rng, len(cubes[0]))
    boxes = _boxes(rng, cubes, colours, paints, size, corner, side)
    window = _window(view, boxes)
    camera = replace(
        view.camera,
        size=(window.width, window.height),
        matrix=view.camera.matrix - np.array([[0, 0, window.x0], [0, 0, window.y0], [0, 0, 0]]),
    )
    view = View(camera)
    seen = trace(*camera_rays(view, view.picture, boxes.top), boxes)
    shining, lamp = glow(rng)
    bare = table(rng, seen.points, corner, size)
    light = lit(seen, boxes, shining, np.array(view.eye), bare)
    light = shaded_mean(light, camera.size) * single(lamp)
    # The lamp's light falls off towards one side.
    across = np.linspace(-1, 1, camera.size[0])[None, :] * rng.normal(0, 0.1)
    down = np.linspace(-1, 1, camera.size[1])[:, None] * rng.normal(0, 0.1)
    light *= single(np.exp(across + down))[..., None]
    image, exposure = photograph(rng, light)
    return TrayPicture(
        image,
        camera,
        corner,
        size,
        side,
        0.85 * exposure * lamp * flat_light(shining),
        {name: PAINTS[name] for name in names},
        colours,
        boxes,
    )


def _pile(
    rng: Random, side: float, held_back: bool
) -> tuple[tuple[float, float], tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """A tray's size, and places (n, 3) and turns (n, 3, 3) of cubes in it, about its middle."""
    sizes, starts, places, turns = _piles()
    count = len(sizes) // HELD_BACK
    pile = int(rng.integers(count)) * HELD_BACK
    pile += 0 if held_back else int(rng.integers(1, HELD_BACK))
    part = slice(starts[pile], starts[pile + 1])
    at, quaternions = places[part].astype(np.float64), turns[part].astype(np.float64)
    # They are in order of height: without the uppermost the others still rest.
    keep = len(at) if rng.random() < 0.5 else int(rng.integers(1, len(at) + 1))
    at, quaternions = at[:keep] * side, quaternions[:keep]
    matrices = np.stack([_rotation(quaternion) for quaternion in quaternions])
    flip = np.diag([*rng.choice([-1.0, 1.0], 2), 1.0])
    wide, high = (sizes[pile] * side).tolist()
    return (wide, high), (at @ flip, flip @ matrices)


def _rotation(quaternion: NDArray[np.float64]) -> NDArray[np.float64]:
    w, x, y, z = quaternion / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _camera(rng: Random, size: tuple[float, float]) -> tuple[View, tuple[float, float]]:
    """A webcam over a table, and where the tray lies on it."""
    pixels = (1920, 1080) if rng.random() < 0.6 else (1280, 720)
    width = float(rng.uniform(650, 1100) if pixels[0] == 1920 else rng.uniform(480, 850))
    width = max(width, 1.15 * size[0], 2.0 * size[1])
    table = (width, width * 0.6)
    camera = overhead_camera(
        table,
        pixels,
        tilt=float(rng.uniform(0, 28)),
        azimuth=float(rng.uniform(-180, 180)),
        roll=float(rng.choice([0, 90, 180])) + float(rng.normal(0, 6)),
        margin=20.0,
        field_of_view=float(rng.uniform(55, 80)),
        distortion=(float(rng.uniform(-0.12, 0.03)), 0.01, 0.0, 0.0, 0.0),
    )
    free = np.array(table) - size
    corner = rng.uniform(0, 1, 2) * free
    return View(camera), (float(corner[0]), float(corner[1]))


def _colours(
    rng: Random, count: int
) -> tuple[list[str], dict[str, tuple[float, float, float]], NDArray[np.intp]]:
    """Names of a game's colours, their true paints (BGR levels), and one for each cube."""
    names = [str(name) for name in rng.permutation(list(PAINTS))[:6]]
    paints = {}
    for name in names:
        level = np.array(PAINTS[name][::-1]) * rng.uniform(0.9, 1.1) + rng.normal(0, 6, 3)
        paints[name] = tuple(np.clip(level, 8, 250).tolist())
    # A throw is often of one or two colours.
    shares = rng.dirichlet(np.full(6, rng.choice([0.25, 1.0, 5.0])))
    return names, paints, rng.choice(6, count, p=shares)


def _boxes(
    rng: Random,
    cubes: tuple[NDArray[np.float64], NDArray[np.float64]],
    colours: NDArray[np.intp],
    paints: dict[str, tuple[float, float, float]],
    size: tuple[float, float],
    corner: tuple[float, float],
    side: float,
) -> Boxes:
    places, turns = cubes
    middle = (corner[0] + size[0] / 2, corner[1] + size[1] / 2)
    walls, wall_halves = tray_walls(
        size, middle, float(rng.uniform(4.0, 22.0)), float(rng.uniform(2.0, 8.0))
    )
    n = len(places)
    cube_paints = np.stack([linear_paint(paints[name]) for name in paints])[colours]
    cube_paints *= rng.uniform(0.9, 1.1, (n, 1)).astype(np.float32)
    wall_paint = linear_paint(np.array(FLOORS[rng.integers(len(FLOORS))]) * rng.uniform(0.8, 1.1))
    grain, gloss = rng.uniform(0.0, 0.3), rng.uniform(0.0, 0.5) * rng.integers(0, 2)
    return Boxes(
        np.concatenate([places + np.array([*middle, 0.0]), walls]),
        np.concatenate([turns, np.tile(np.eye(3), (4, 1, 1))]),
        # Cubes are sawn by machine, but not to a hair.
        np.concatenate([side / 2 * rng.normal(1.0, 0.012, (n, 3)), wall_halves]),
        np.concatenate([cube_paints, np.tile(wall_paint, (4, 1))]).astype(np.float32),
        np.append(np.full(n, grain), np.full(4, 0.1)).astype(np.float32),
        np.append(np.full(n, gloss), np.full(4, 0.1)).astype(np.float32),
    )


def _window(view: View, boxes: Boxes) -> Box:
    """The part of the picture that holds all of the tray."""
    low = boxes.centres[-4:, :2] - boxes.halves[-4:, :2]
    high = boxes.centres[-4:, :2] + boxes.halves[-4:, :2]
    rim = np.concatenate([low, high, np.column_stack([low[:, 0], high[:, 1]])])
    ends = np.concatenate([view.project(rim, 0.0), view.project(rim, boxes.top)])
    return Box.around(ends, _MARGIN_PX) & view.picture
