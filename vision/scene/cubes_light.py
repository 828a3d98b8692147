"""The light on rendered trays, what lies below the cubes, and the webcam, by chance."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.arrays import Array, planes, single
from vision.scene.colour import to_linear
from vision.scene.cubes import Beam, Glow
from vision.scene.description import Image, Sensor
from vision.scene.sensor import Webcam

Random = np.random.Generator

#: BGR of floors and walls of trays, and of tables.
FLOORS = (
    (40, 60, 90),
    (60, 105, 150),
    (120, 165, 200),
    (35, 34, 36),
    (90, 90, 92),
    (60, 95, 40),
    (110, 70, 40),
    (45, 40, 125),
    (215, 220, 222),
    (150, 190, 205),
)


def glow(rng: Random) -> tuple[Glow, NDArray[np.float64]]:
    """The light: beams of one lamp, hard or soft, and of the room; and its colour, BGR."""
    ambient = float(rng.uniform(0.25, 0.9))
    lean = rng.normal(0.0, 0.5, 2)
    soft = float(rng.uniform(0.02, 0.35))
    spots = [lean + soft * rng.normal(0, 1, 2) for _ in range(2)]
    lamp = [Beam((float(x), float(y)), (1 - ambient) / 2) for x, y in spots]
    turn = float(rng.uniform(0, 2 * math.pi))
    around = [turn + k * 2 * math.pi / 3 for k in range(3)]
    room = [Beam((1.1 * math.cos(a), 1.1 * math.sin(a)), 0.25 * ambient) for a in around]
    warm = float(rng.normal(0.0, 0.22))
    colour = np.exp([-warm, rng.normal(0, 0.04), warm])
    return Glow(lamp, room, 0.3 * ambient), colour


def flat_light(shining: Glow) -> float:
    """Light that a level surface gets."""
    beams = [*shining.lamp, *shining.room]
    return shining.everywhere + sum(beam.strength * float(beam.direction[2]) for beam in beams)


def table(
    rng: Random, points: Array, corner: tuple[float, float], size: tuple[float, float]
) -> Array:
    """What the tray's floor and the table around it give back of the light."""
    floor, around = (
        np.array(FLOORS[rng.integers(len(FLOORS))]) * rng.uniform(0.75, 1.1) for _ in range(2)
    )
    off = np.abs(points[..., :2] - single(corner) - single(size) / 2)
    inside = (off < single(size) / 2).all(axis=2, keepdims=True)
    colour = np.where(inside, to_linear(floor), to_linear(around))
    pattern = np.zeros(points.shape[:2], np.float32)
    for _ in range(3):
        # Grain of wood, fibres of felt: noise of some length along some direction.
        grain = rng.standard_normal((64, 64)).astype(np.float32)
        turn, lengths = rng.uniform(0, math.pi), np.exp(rng.uniform(-0.7, 2.5, 2))
        x = (points[..., 0] * math.cos(turn) + points[..., 1] * math.sin(turn)) / lengths[0]
        y = (points[..., 1] * math.cos(turn) - points[..., 0] * math.sin(turn)) / lengths[1]
        pattern += cv2.remap(
            grain, single(x) % 63, single(y) % 63, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
        )
    strength = np.float32(rng.choice([0.02, 0.08, 0.2]))
    return single(colour * np.exp(strength * pattern)[..., None])


def photograph(rng: Random, light: Array) -> tuple[Image, NDArray[np.float64]]:
    """What a webcam makes of the light, and its gains for blue, green and red."""
    bright = float(np.percentile(light.max(axis=2), 98))
    exposure = float(rng.uniform(0.45, 1.25)) / max(bright, 0.2)
    gains = exposure * np.exp(rng.normal(0.0, 0.07, 3))
    haze = float(rng.uniform(0.0, 0.015))
    settings = Sensor(
        blur=float(rng.uniform(0.35, 1.0)),
        noise=float(rng.uniform(0.5, 4.0)),
        sharpening=float(rng.uniform(0.0, 0.8)),
        jpeg=int(rng.integers(65, 96)),
    )
    exposed = single(light * single(gains) + haze)
    rows, columns = exposed.shape[:2]
    webcam = Webcam(settings, (columns, rows))
    image = webcam.develop(webcam.expose(planes(exposed), (0, 0)), rng)
    return _vivid(rng, image), gains


def _vivid(rng: Random, image: Image) -> Image:
    """Cameras' taste: more or less colourful, more or less contrast."""
    levels = image.astype(np.float32) / 255.0
    grey = levels.mean(axis=2, keepdims=True)
    levels = grey + np.float32(rng.uniform(0.85, 1.25)) * (levels - grey)
    bend = np.float32(rng.uniform(-0.5, 0.9))
    levels = np.clip(levels, 0.0, 1.0)
    levels += bend * levels * (1.0 - levels) * (levels - 0.4)
    return np.asarray(np.clip(levels * 255.0, 0, 255), np.uint8)
