"""Shapes and paints of the pieces that the training tables bear."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

Profile = tuple[tuple[float, float], ...]
Colour = tuple[int, int, int]

#: Families of paint (hue in degrees, chroma and lightness as shares); greys have no hue.
_FAMILIES = {
    "yellow": ((42, 56), (0.75, 1.0), (0.8, 1.0)),
    "blue": ((205, 232), (0.55, 0.95), (0.5, 0.9)),
    "purple": ((272, 305), (0.4, 0.9), (0.35, 0.8)),
    "grey": ((0, 360), (0.0, 0.06), (0.45, 0.82)),
    "red": ((350, 368), (0.7, 1.0), (0.5, 0.9)),
    "green": ((95, 150), (0.5, 0.95), (0.35, 0.75)),
    "orange": ((18, 30), (0.8, 1.0), (0.8, 1.0)),
    "pink": ((315, 340), (0.3, 0.6), (0.8, 1.0)),
    "white": ((30, 60), (0.0, 0.1), (0.88, 1.0)),
    "black": ((0, 360), (0.0, 0.15), (0.08, 0.22)),
    "brown": ((15, 30), (0.45, 0.75), (0.25, 0.5)),
    "turquoise": ((165, 190), (0.5, 0.95), (0.5, 0.85)),
}
_STATUES = ("yellow", "blue", "grey", "purple")
#: Paints that a palette holds only one of: too near to each other to be told apart.
_RIVALS = (("grey", "white"), ("grey", "black"), ("red", "orange"), ("orange", "brown"),
           ("red", "brown"), ("pink", "purple"), ("turquoise", "blue"), ("yellow", "orange"),
           ("pink", "red"), ("turquoise", "green"))  # fmt: skip


@dataclass(frozen=True)
class Paint:
    """A paint as it is, and as it was taught: sRGB values of one bucket of paint differ."""

    name: str
    bgr: Colour
    taught: Colour


def palette(rng: np.random.Generator) -> list[Paint]:
    """Paints of one table, all of different families."""
    names = list(_STATUES)
    if rng.random() < 0.4:
        names = []
        for name in rng.permutation(list(_FAMILIES)).tolist():
            rivals = {a if b == name else b for a, b in _RIVALS if name in (a, b)}
            if not rivals & set(names):
                names.append(name)
        names = names[: int(rng.integers(2, 6))]
    return [paint(rng, name) for name in names]


def foreign(rng: np.random.Generator, paints: list[Paint]) -> Paint | None:
    """A paint that is none of the table's, and far enough from them to be told."""
    taken = {p.name for p in paints}
    rivals = {n for pair in _RIVALS if taken & set(pair) for n in pair}
    free = [name for name in _FAMILIES if name not in taken | rivals]
    return paint(rng, str(rng.choice(free))) if free else None


def paint(rng: np.random.Generator, name: str) -> Paint:
    """A paint of a family, and what it was taught as."""
    hues, chromas, lights = _FAMILIES[name]
    hue, chroma, light = (float(rng.uniform(*bounds)) for bounds in (hues, chromas, lights))
    spread = (0.75, 1.45) if name in ("grey", "blue", "purple", "green") else (0.85, 1.15)
    shown = _bgr(
        hue + float(rng.normal(0, 5)),
        chroma * float(rng.uniform(0.8, 1.2)),
        min(0.97, light * float(rng.uniform(*spread))),
    )
    return Paint(name, shown, _bgr(hue, chroma, light))


def profile(rng: np.random.Generator) -> tuple[Profile, float]:
    """An outline for `vision.scene` (empty for its own pawn), and how flat the figure is."""
    kind = str(rng.choice(["pawn", "ball", "cone", "cylinder", "meeple", "bottle", "any"]))
    u = rng.uniform
    if kind == "pawn":
        return (), 1.0
    if kind == "ball":
        neck, ball = float(u(0.3, 0.5)), float(u(0.42, 0.72))
        at = float(u(0.6, 0.72))
        rise = np.linspace(-0.8, 1.0, 7)
        head = [
            (at + (1 - at) * (s + 0.8) / 1.8, ball * float(np.sqrt(max(0.02, 1 - s * s))))
            for s in rise
        ]
        foot = float(u(0.05, 0.2))
        return ((0.0, 1.0), (foot, float(u(0.85, 1.0))), (at, neck), *head), 1.0
    if kind == "cone":
        return ((0.0, 1.0), (1.0, float(u(0.08, 0.5)))), 1.0
    if kind == "cylinder":
        top = float(u(0.85, 1.0))
        return ((0.0, 1.0), (0.94, top), (1.0, 0.9 * top)), 1.0
    if kind == "meeple":
        arms = float(u(0.75, 1.0))
        outline = (
            (0.0, 1.0), (0.25, 0.8), (0.42, 0.55), (0.5, arms), (0.62, arms), (0.68, 0.35),
            (0.75, 0.36), (0.85, 0.4), (0.95, 0.3), (1.0, 0.12),
        )  # fmt: skip
        return outline, float(u(0.35, 0.6))
    if kind == "bottle":
        return ((0.0, 1.0), (float(u(0.3, 0.55)), 0.95), (0.7, 0.45), (1.0, 0.4)), 1.0
    heights = np.sort(u(0.1, 0.95, 3))
    radii = u(0.3, 0.95, 4)
    inner = tuple((float(h), float(r)) for h, r in zip(heights, radii[:3], strict=True))
    return ((0.0, 1.0), *inner, (1.0, float(radii[3]))), 1.0


def _bgr(hue: float, chroma: float, light: float) -> Colour:
    """The colour of a hue in degrees; `chroma` and `light` are HSV's saturation and value."""
    hsv = np.array([[[(hue % 360), min(1.0, chroma), min(1.0, light)]]], np.float32)
    blue, green, red = (255 * cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]).tolist()
    return round(blue), round(green), round(red)
