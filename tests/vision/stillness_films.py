"""Short films of rendered tables at which hands, lamps and shadows come and go, frame by frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.simulation.conditions import SURFACES, random_conditions
from vision.camera import Frame
from vision.scene.description import Flat, Hand, Piece, Scene
from vision.scene.render import Renderer

RATE = 15.0
PLANE = (900.0, 600.0)
SIZE = (640, 360)
#: Seconds for which a hand rests, and a lamp or a shadow stays.
REST_S = 2.0

Point = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Shot:
    """One frame's scene; `hand`: one is in the picture; `still`: nothing changed since the last."""

    scene: Scene
    hand: bool = False
    still: bool = True
    exposure: float = 1.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Taken:
    """A frame of a film with its truth."""

    frame: Frame
    hand: bool
    still: bool


def film(name: str, seed: int) -> Iterator[Taken]:
    """The frames of one of FILMS, another table and other hands for each seed."""
    rng = np.random.default_rng([seed, *name.encode()])
    renderer = Renderer()
    for number, shot in enumerate(FILMS[name](_table(rng), rng)):
        image = renderer.render(replace(shot.scene, seed=number)).image
        gains = shot.exposure * np.array(shot.balance)
        if (gains != 1.0).any():
            # The camera's own doing multiplies light; levels are about its 2.2th root.
            levels = np.arange(256)[:, None] / 255 * gains ** (1 / 2.2)
            table = np.rint(255 * levels.clip(0, 1)).astype(np.uint8)
            image = np.asarray(cv2.LUT(image, table[None]), np.uint8)
        yield Taken(Frame(image, number, number / RATE), shot.hand, shot.still)


def _table(rng: np.random.Generator) -> Scene:
    """Boards, tiles and pieces with prints of squares and discs, under conditions at random."""
    conditions = random_conditions(rng, PLANE, SIZE)
    flats = [_flat(rng, float(rng.uniform(120, 300))) for _ in range(int(rng.integers(1, 5)))]
    flats += [_flat(rng, 35.0) for _ in range(int(rng.integers(5, 30)))]
    pieces = tuple(_piece(rng) for _ in range(int(rng.integers(0, 12))))
    return Scene(
        conditions.camera,
        tuple(flats),
        pieces,
        (),
        SURFACES[int(rng.integers(len(SURFACES)))],
        int(rng.integers(1000)),
        conditions.lamp,
        conditions.sensor,
    )


def _flat(rng: np.random.Generator, side: float) -> Flat:
    print_ = np.empty((60, 60, 4), np.uint8)
    print_[:] = (*rng.integers(60, 250, 3), 255)
    for _ in range(int(rng.integers(2, 9))):
        ink = tuple(int(level) for level in (*rng.integers(0, 255, 3), 255))
        x, y, r = (int(n) for n in rng.integers((5, 5, 3), (55, 55, 16)))
        if rng.random() < 0.5:
            cv2.circle(print_, (x, y), r, ink, -1)
        else:
            cv2.rectangle(print_, (x - r, y - r), (x + r, y + r), ink, -1)
    place = (float(rng.uniform(40, PLANE[0] - 40)), float(rng.uniform(40, PLANE[1] - 40)))
    return Flat(print_, (side, side), place, float(rng.uniform(0, 360)), thickness=1.5)


def _piece(rng: np.random.Generator) -> Piece:
    paint = tuple(int(level) for level in rng.integers(20, 230, 3))
    place = (float(rng.uniform(80, PLANE[0] - 80)), float(rng.uniform(80, PLANE[1] - 80)))
    return Piece(place, (paint[0], paint[1], paint[2]), "some", 13.0, 26.0)


def _arm(rng: np.random.Generator) -> Callable[[Point, float], Hand]:
    """One person's arm, by the place of the finger tip and the side that it comes from."""
    dark, pale = np.array([40, 55, 85]), np.array([185, 200, 238])
    tone = dark + (pale - dark) * rng.uniform(0, 1)
    bgr = (int(tone[0]), int(tone[1]), int(tone[2]))
    height, width = float(rng.uniform(35, 110)), float(rng.uniform(62, 88))

    def at(tip: Point, side: float) -> Hand:
        elbow = (tip[0] + 700 * math.cos(side), tip[1] + 700 * math.sin(side))
        return Hand(tip, elbow, height, width, bgr)

    return at


def _way(rng: np.random.Generator) -> tuple[Point, Point, float]:
    """A place outside the picture, one over the table, and the side that the arm comes from."""
    to = (float(rng.uniform(200, 700)), float(rng.uniform(150, 450)))
    side = float(rng.uniform(0, 2 * math.pi))
    far = 900.0
    return (to[0] + far * math.cos(side), to[1] + far * math.sin(side)), to, side


def _seen(scene: Scene, tip: Point, height: float) -> bool:
    """Whether a finger tip there is in the picture, or further in than its border."""
    c = scene.camera
    point = np.array([[[*tip, -height]]], np.float64)
    pixels = cv2.projectPoints(point, c.rvec, c.tvec, c.matrix, c.distortion)[0]
    x, y = pixels.reshape(2)
    return bool(0 <= x < c.size[0] and 0 <= y < c.size[1])


def _reach(
    scene: Scene, rng: np.random.Generator, after: Scene | None = None, rest: float = 0.0
) -> Iterator[Shot]:
    """A hand comes, rests, leaves what it brought (the scene `after`), and goes."""
    arm = _arm(rng)
    start, end, side = _way(rng)
    steps = np.concatenate(
        [np.linspace(0, 1, 12)[1:], np.ones(round(rest * RATE)), np.linspace(1, 0, 12)[1:]]
    )
    before = scene
    for number, share in enumerate(steps):
        if after is not None and number == 11 + round(rest * RATE) // 2:
            before = after
        tip = (
            start[0] + float(share) * (end[0] - start[0]),
            start[1] + float(share) * (end[1] - start[1]),
        )
        hand = arm(tip, side)
        inside = _seen(scene, tip, hand.height)
        yield Shot(replace(before, hands=(hand,)), inside, still=False)
    for _ in range(round(1.5 * RATE)):
        yield Shot(before)


def _wait(scene: Scene, seconds: float) -> Iterator[Shot]:
    for _ in range(round(seconds * RATE)):
        yield Shot(scene)


def _still(scene: Scene, rng: np.random.Generator) -> Iterator[Shot]:
    """Nothing but noise, while exposure and white balance wander."""
    ends = rng.uniform(0.8, 1.2), rng.uniform(0.93, 1.07, 3)
    for share in np.linspace(0, 1, round(4 * RATE)):
        tint = tuple(float(1 + share * (gain - 1)) for gain in ends[1])
        yield Shot(
            scene, exposure=float(1 + share * (ends[0] - 1)), balance=(tint[0], tint[1], tint[2])
        )


def _lamp(scene: Scene, rng: np.random.Generator) -> Iterator[Shot]:
    """A lamp is switched on or off; the camera's exposure follows within a few frames."""
    yield from _wait(scene, 1.0)
    lamp = scene.lamp
    other = replace(
        lamp,
        place=(lamp.place[0] + float(rng.uniform(-500, 500)), lamp.place[1], lamp.place[2]),
        ambient=float(rng.uniform(0.35, 0.9)),
        brightness=lamp.brightness * float(rng.choice([0.55, 0.75, 1.35, 1.8])),
    )
    lit = replace(scene, lamp=other)
    answer = lamp.brightness / other.brightness
    for number in range(round(2.0 * RATE)):
        share = 1 - math.exp(-number / 2)
        yield Shot(lit, still=number > 0, exposure=1 + share * 0.7 * (answer - 1))


def _shadow(scene: Scene, rng: np.random.Generator) -> Iterator[Shot]:
    """Somebody passes beside the table, whose shadow falls on it: an arm out of the picture."""
    yield from _wait(scene, 1.0)
    away = np.array(scene.lamp.place[:2]) - np.array(PLANE) / 2
    away /= max(float(np.linalg.norm(away)), 1.0)
    arm = _arm(rng)
    side = math.atan2(away[1], away[0])
    for share in np.linspace(0, 1, round(1.5 * RATE)):
        reach = 760 - 330 * math.sin(math.pi * share)
        tip = (PLANE[0] / 2 + reach * float(away[0]), PLANE[1] / 2 + reach * float(away[1]))
        hand = replace(arm(tip, side), height=260.0, width=120.0)
        if not _seen(scene, tip, hand.height):
            yield Shot(replace(scene, hands=(hand,)), still=False)
    yield from _wait(scene, 1.5)


def _rests(scene: Scene, rng: np.random.Generator) -> Iterator[Shot]:
    yield from _wait(scene, 1.0)
    yield from _reach(scene, rng, rest=REST_S)


def _puts(scene: Scene, rng: np.random.Generator) -> Iterator[Shot]:
    """A hand puts a tile and a statue down, and takes another tile away."""
    yield from _wait(scene, 1.0)
    flats = (*scene.flats[:-1], _flat(rng, 35.0))
    yield from _reach(scene, rng, replace(scene, flats=flats, pieces=(*scene.pieces, _piece(rng))))


def _begins(scene: Scene, rng: np.random.Generator) -> Iterator[Shot]:
    """The session begins while a hand rests over the table."""
    shots = list(_reach(scene, rng, rest=REST_S))
    first = next(k for k, shot in enumerate(shots) if shot.hand)
    yield from shots[first + 6 :]


FILMS: dict[str, Callable[[Scene, np.random.Generator], Iterator[Shot]]] = {
    "still": _still,
    "lamp": _lamp,
    "shadow": _shadow,
    "rests": _rests,
    "puts": _puts,
    "begins": _begins,
}
