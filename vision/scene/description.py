"""What a rendered table consists of, and what the renderer says of it.

Coordinates are those of `vision.layout`: millimetres on the plane, x right, y down; heights are
millimetres above the table top. Angles are degrees, clockwise as seen in the picture.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Point = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Flat:
    """A flat printed thing: a tile, board, marker, card or disc.

    `texture` is BGRA of shape (h, w, 4), the print as drawn; `size` (width, height) in mm.
    `base` is the height of its under side, `thickness` is added for the printed face.
    Things are drawn in the order of their top faces' heights, then in the order given.
    """

    texture: Image
    size: tuple[float, float]
    centre: Point
    angle: float = 0.0
    base: float = 0.0
    thickness: float = 0.3
    edge: tuple[int, int, int] = (205, 205, 210)
    """BGR of the cut edge."""
    kind: str = "tile"
    """"tile" things are labelled; everything else is scenery."""
    label: str | None = None
    face_up: bool = True
    zone: str | None = None


@dataclass(frozen=True)
class Piece:
    """A standing piece, turned on a lathe: a foot disc, a body and a head.

    `bgr` is its paint, `colour` the paint's name. `profile` is its outline from foot to top:
    (height, radius) as shares of its height and of its foot's radius; none for a pawn with a ball
    for a head. `flatness` squeezes it to a figure that thick in widths, `turn` its flat side.
    `gloss` is how strongly it mirrors the lamp.
    """

    centre: Point
    bgr: tuple[int, int, int]
    colour: str
    diameter: float
    height: float
    base: float = 0.0
    field: str | None = None
    profile: tuple[Point, ...] = ()
    flatness: float = 1.0
    turn: float = 0.0
    gloss: float = 0.25


@dataclass(frozen=True)
class Hand:
    """A hand and forearm over the table: it reaches from `elbow` to `tip` at height `height`."""

    tip: Point
    elbow: Point
    height: float = 60.0
    width: float = 75.0
    bgr: tuple[int, int, int] = (120, 150, 205)


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera with lens distortion, in OpenCV's model.

    `pose` is (rvec, tvec): plane millimetres (z pointing into the table) to the camera.
    """

    size: tuple[int, int]
    matrix: NDArray[np.float64]
    distortion: NDArray[np.float64]
    rvec: NDArray[np.float64]
    tvec: NDArray[np.float64]


@dataclass(frozen=True)
class Lamp:
    """One soft lamp above the table, and the light of the room.

    `colour` multiplies blue, green and red; `place` is (x, y, height) in mm; `glare` is the
    strength, 0 to 1, of its mirror image on glossy print; `ambient` the share of room light.
    """

    place: tuple[float, float, float] = (400.0, -300.0, 1500.0)
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
    brightness: float = 1.0
    ambient: float = 0.6
    glare: float = 0.0
    softness: float = 60.0


@dataclass(frozen=True)
class Sensor:
    """What the webcam does to the light: all of it is drawn from the scene's seed.

    `blur` in pixels (sigma), `noise` in grey levels (sigma at middle grey), `white_balance`
    multiplies blue, green and red, `exposure` all; `jpeg` is the quality, None for no JPEG.
    """

    blur: float = 0.5
    noise: float = 1.5
    white_balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    exposure: float = 1.0
    vignetting: float = 0.1
    sharpening: float = 0.3
    jpeg: int | None = 92


@dataclass(frozen=True, eq=False)
class Scene:
    """A whole table to render. `surface` is "wood", "felt", "linen" or "laminate"."""

    camera: Camera
    flats: tuple[Flat, ...] = ()
    pieces: tuple[Piece, ...] = ()
    hands: tuple[Hand, ...] = ()
    surface: str = "wood"
    surface_seed: int = 0
    lamp: Lamp = field(default_factory=Lamp)
    sensor: Sensor = field(default_factory=Sensor)
    seed: int = 0


@dataclass(frozen=True, eq=False)
class TileTruth:
    """Where a tile lies in the picture, and what it shows."""

    label: str | None
    face_up: bool
    zone: str | None
    quad_px: NDArray[np.float32]
    """Shape (4, 2): corners of the top face, clockwise from the top left of the print."""
    quad_mm: NDArray[np.float32]
    visible: float
    """Share of the top face that the camera sees."""


@dataclass(frozen=True, eq=False)
class PieceTruth:
    """Where a standing piece is in the picture."""

    colour: str
    field: str | None
    foot_px: NDArray[np.float32]
    head_px: NDArray[np.float32]
    visible: float


@dataclass(frozen=True, eq=False)
class Rendered:
    """A picture (BGR, uint8) and what is in it."""

    image: Image
    tiles: tuple[TileTruth, ...]
    pieces: tuple[PieceTruth, ...]
