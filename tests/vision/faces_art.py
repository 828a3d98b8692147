"""Faces drawn for the tests of recognition, and what a cheap camera does to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]
Points = NDArray[np.float64]

SIDE = 120
INKS: dict[str, Colour] = {
    "red": (45, 40, 200),
    "orange": (30, 120, 235),
    "yellow": (40, 205, 240),
    "green": (70, 140, 30),
    "blue": (180, 90, 30),
    "purple": (150, 40, 110),
}
FORMS = ("disc", "square", "triangle", "star", "cross", "moon")
WHITE, BLACK, CREAM = (235, 238, 240), (22, 22, 24), (190, 220, 235)


def _around(angles: NDArray[np.float64], radius: float | NDArray[np.float64] = 1.0) -> Points:
    """Points about the origin, clockwise from the top as the angle grows."""
    return np.stack([np.sin(angles) * radius, -np.cos(angles) * radius], axis=1)


def _outline(form: str) -> Points:
    """The form's outline about the origin, radius 1."""
    if form == "square":
        return _around(np.pi / 4 + np.arange(4) * np.pi / 2)
    if form == "triangle":
        return _around(np.arange(3) * 2 * np.pi / 3)
    if form == "star":
        return _around(np.arange(10) * np.pi / 5, np.where(np.arange(10) % 2, 0.45, 1.0))
    if form == "cross":
        arm = np.array([[-0.3, -0.95], [0.3, -0.95], [0.3, -0.3]])
        quarter = np.array([[0, -1], [1, 0]])
        return np.concatenate([arm @ np.linalg.matrix_power(quarter.T, k) for k in range(4)])
    if form == "moon":
        # The unit circle and one of radius 0.7 about (0.42, 0) meet at these angles.
        outer = _around(np.linspace(2.185, 0.956 + 2 * np.pi, 60))
        inner = _around(np.linspace(0.603 + 2 * np.pi, 2.538, 60), 0.7)
        return np.concatenate([outer, np.add(inner, (0.42, 0.0))])
    return _around(np.linspace(0, 2 * np.pi, 73))


def face(form: str, count: int, ink: Colour, paper: Colour = WHITE, solid: bool = True) -> Image:
    """A square face of SIDE pixels with 1 to 3 symbols."""
    places: list[tuple[float, float, float]] = {
        1: [(0.0, 0.0, 0.3)],
        2: [(-0.2, -0.2, 0.2), (0.2, 0.2, 0.2)],
        3: [(0.0, -0.22, 0.18), (-0.23, 0.2, 0.18), (0.23, 0.2, 0.18)],
    }[count]
    image = np.full((SIDE * 4, SIDE * 4, 3), paper, np.uint8)
    for x, y, radius in places:
        points = (_outline(form) * radius + [0.5 + x, 0.5 + y]) * SIDE * 4
        if solid:
            cv2.fillPoly(image, [np.rint(points).astype(np.int32)], ink)
        else:
            cv2.polylines(image, [np.rint(points).astype(np.int32)], True, ink, SIDE // 6)
    return np.asarray(cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True)
class Light:
    """What all faces of one picture share; gains are in linear light, for blue, green, red."""

    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    exposure: float = 1.0
    tone: float = 1.0


DAY, LAMP, BLUISH = Light(), Light((0.62, 0.92, 1.25), 0.9), Light((1.35, 1.0, 0.8), 1.0)


def seen(
    image: Image,
    rng: np.random.Generator,
    light: Light = DAY,
    *,
    side: float = 50,
    off: float = 1.0,
    blur: float = 0.6,
    noise: float = 2.0,
    shade: float = 0.1,
    jpeg: int = 85,
    turn: int = 0,
) -> Image:
    """The face as a crop from a picture in which it is `side` pixels wide, print turned clockwise.

    `off` is the error of each corner of the quad and `blur` a standard deviation in those pixels,
    `noise` in grey levels, `shade` the change of light across the face.
    """
    height, width = round(side * image.shape[0] / image.shape[1]), round(side)
    room = 8
    size = (width + 2 * room, height + 2 * room)
    inner = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) + room - 0.5
    h, w = image.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    transform = cv2.getPerspectiveTransform(source, inner)
    small = cv2.warpPerspective(
        cv2.GaussianBlur(image, (0, 0), max(0.35 * w / width, 0.1)),
        transform,
        size,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(70, 90, 110),
    )
    linear = (small / 255.0) ** 2.2
    ramp = np.linspace(-1, 1, size[0])[None, :, None] * rng.uniform(-1, 1) + (
        np.linspace(-1, 1, size[1])[:, None, None] * rng.uniform(-1, 1)
    )
    linear = linear * (1 + shade * ramp) * np.array(light.gain) * light.exposure
    picture = cv2.GaussianBlur(linear, (0, 0), max(blur, 0.05))
    picture = 255 * np.clip(picture, 0, 1) ** (light.tone / 2.2)
    picture = picture + rng.normal(0, noise, picture.shape)
    coded = cv2.imencode(
        ".jpg", np.clip(picture, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, jpeg]
    )[1]
    decoded = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    assert decoded is not None
    quad = inner + rng.normal(0, off / np.sqrt(2), (4, 2)).astype(np.float32)
    crop = (72 * w // max(w, h), 72 * h // max(w, h))
    target = np.array([[0, 0], [crop[0], 0], crop, [0, crop[1]]], np.float32) - 0.5
    straight = cv2.warpPerspective(
        decoded, cv2.getPerspectiveTransform(quad.astype(np.float32), target), crop
    )
    return np.asarray(np.rot90(straight, -turn), np.uint8)


def unknown_things(rng: np.random.Generator) -> Iterator[tuple[str, Image]]:
    """Things that lie on tables and are no face: name and crop."""
    n = 72
    y, x = np.mgrid[0:n, 0:n] / n
    for k in range(6):
        yield (
            "paper",
            np.full((n, n, 3), rng.integers(120, 250), np.uint8)
            + rng.integers(0, 5, (n, n, 3), np.uint8),
        )
        grain = cv2.resize(rng.normal(0, 1, (n, 6)).astype(np.float32), (n, n))
        wood = np.array([60, 95, 140]) * (1 + 0.12 * grain[..., None])
        yield "wood", np.clip(wood + rng.normal(0, 2, (n, n, 3)), 0, 255).astype(np.uint8)
        coin = np.full((n, n, 3), (70, 90, 110), np.uint8)
        cv2.circle(coin, (n // 2, n // 2), 30, (150, 160, 170), -1, cv2.LINE_AA)
        cv2.circle(coin, (n // 2, n // 2), 26, (110, 120, 130), 2, cv2.LINE_AA)
        cv2.putText(coin, str(k), (24, 48), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (90, 100, 110), 3)
        yield "coin", coin
        edge = np.cos(0.5 + k) * (x - 0.5) + np.sin(0.5 + k) * (y - 0.5) > rng.uniform(-0.2, 0.2)
        hand = np.where(edge[..., None], (120, 150, 205), (70, 90, 110)).astype(np.float32)
        yield "hand", np.clip(cv2.GaussianBlur(hand, (0, 0), 2), 0, 255).astype(np.uint8)
        text = np.full((n, n, 3), 230, np.uint8)
        for line in range(5):
            cv2.putText(
                text,
                "Rule " * 3,
                (-4 * line, 12 + 14 * line),
                cv2.FONT_HERSHEY_SIMPLEX,
                0.4,
                (40, 40, 40),
                1,
                cv2.LINE_AA,
            )
        yield "text", text
