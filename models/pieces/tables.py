"""Rendered maps with pieces on them, as top views with labels: what the network learns from.

Every picture goes the way of a real one: a webcam's frame, the plane, white from paper, the top
view. `make(seed)` depends on its seed alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pieces.figures import Paint, foreign, palette, profile
from models.pieces.maps import Map, random_map
from vision.pieces.topview import FOOT_PX, top_view
from vision.pieces.white import White
from vision.plane import Lens, Plane
from vision.scene.cameras import overhead_camera
from vision.scene.colour import to_linear
from vision.scene.description import Camera, Flat, Hand, Lamp, Piece, Scene, Sensor
from vision.scene.projection import View
from vision.scene.render import Renderer

#: Width and height in pixels of a training view.
SIDE = 224
#: A view is drawn from the part of the frame that holds it; such parts have few sizes.
_CROPS = (272, 336, 400, 480, 560)
#: Most colours of a table.
COLOURS = 6
#: Most pieces in a view.
PIECES = 96
#: A map is drawn with so many arrangements of pieces: it takes half of the time.
ARRANGEMENTS = 3
#: Pieces up to so many diameters outside a view are drawn: their heads or shadows reach in.
_BEYOND = 4.0
#: So many seeds after each other share a table top.
_TABLE_TOPS = 20
_SURFACES = ("wood", "felt", "linen", "laminate")
_TINTS = ((0.42, 1.0, 1.75), (0.62, 1.0, 1.40), (1.0, 1.0, 1.0), (1.16, 1.0, 0.88))


@dataclass(frozen=True, eq=False)
class Example:
    """A top view with its labels."""

    pixels: NDArray[np.uint8]
    """(SIDE, SIDE, 3), BGR."""
    lean: NDArray[np.float32]
    """(SIDE, SIDE, 2)."""
    shows: NDArray[np.uint8]
    """(SIDE, SIDE): 0 ground, 1 piece, 2 a hand or something else that lies over the map."""
    feet: NDArray[np.float32]
    """(PIECES, 4): x, y in pixels, colour (-1: none of the palette), visible share; -1 pads."""
    taught: NDArray[np.float32]
    """(COLOURS, 3): taught sRGB, 0 to 1; -1 pads."""
    fields: NDArray[np.float32]
    """(49, 4, 2): corners of the fields in pixels; nan pads."""


def make(seed: int) -> list[Example]:
    """Some examples of one map under one light, with pieces set up anew for each."""
    rng = np.random.default_rng((seed, 77))
    paints = palette(rng)
    print_ = random_map(rng, [paint.bgr for paint in paints])
    piece = (float(rng.uniform(10.0, 17.0)), float(rng.uniform(1.3, 2.3)))
    piece = (piece[0], piece[0] * piece[1])
    camera, origin = _camera(rng, piece[0])
    lamp, white, sensor = _light(rng)
    thickness = float(rng.choice([0.3, 1.0, 2.0, 4.0]))
    turn = float(rng.normal(0, 2) if rng.random() < 0.8 else rng.uniform(0, 360))
    middle = (origin[0] + rng.normal(0, 25), origin[1] + rng.normal(0, 25))
    board = Flat(print_.print, print_.size, middle, turn, thickness=thickness, kind="board")
    renderer = Renderer()
    shapes = [profile(rng) for _ in paints] if rng.random() < 0.25 else [profile(rng)] * 9
    style = _Style(
        piece, shapes, float(rng.choice([0.05, 0.25, 0.6, 1.2])), float(rng.uniform(0.9, 1.1))
    )
    # Neighbours share a table top: drawing it takes longer than all the rest.
    top = seed // _TABLE_TOPS
    examples = []
    for _ in range(ARRANGEMENTS):
        pieces, colours = _pieces(rng, print_, board, paints, style, origin)
        clutter = _clutter(rng, board) if rng.random() < 0.2 else ()
        if rng.random() < 0.1:
            clutter = (*clutter, _cover(rng, origin))
        hands = _hands(rng, origin) if rng.random() < 0.18 else ()
        scene = Scene(
            camera,
            (board, *clutter),
            pieces,
            hands,
            _SURFACES[top % 4],
            top,
            lamp,
            sensor,
            seed=int(rng.integers(2**31)),
        )
        drawn = renderer.render(scene)
        number = renderer.shown([*pieces, *clutter, *hands])
        shows = np.where(number < 0, 0, np.where(number < len(pieces), 1, 2)).astype(np.uint8)
        example = _example(
            rng, drawn.image, shows, camera, white, origin, thickness, piece,
            [(p.foot_px, c, p.visible) for p, c in zip(drawn.pieces, colours, strict=True)],
            paints, _corners(print_, board),
        )  # fmt: skip
        examples.append(example)
    return examples


@dataclass(frozen=True)
class _Style:
    """What all pieces of a table have in common."""

    piece: tuple[float, float]
    shapes: list[tuple[tuple[tuple[float, float], ...], float]]
    gloss: float
    stretch: float
    """True height in stated heights."""


def _camera(rng: np.random.Generator, diameter: float) -> tuple[Camera, tuple[float, float]]:
    """The part of a webcam's frame that is drawn, and the plane point in its middle."""
    frame = (1920, 1080) if rng.random() < 0.55 else (1280, 720)
    plane = (float(rng.uniform(700, 1050)), float(rng.uniform(480, 700)))
    tilt = abs(float(rng.normal(0, 14)))
    whole = overhead_camera(
        plane,
        frame,
        tilt=min(tilt, 38.0),
        azimuth=float(rng.uniform(0, 360)),
        roll=float(rng.normal(0, 4)),
        margin=float(rng.uniform(20, 80)),
        field_of_view=float(rng.uniform(50, 88)),
        distortion=(float(rng.uniform(-0.16, 0.04)), float(rng.uniform(0, 0.03)), 0.0, 0.0, 0.0),
    )
    origin = (float(rng.uniform(0.15, 0.85) * plane[0]), float(rng.uniform(0.1, 0.9) * plane[1]))
    reach = SIDE / FOOT_PX * diameter / 2
    ring = np.array([(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)])
    seen = View(whole).project(ring * reach + origin)
    low, high = seen.min(axis=0), seen.max(axis=0)
    side = next((s for s in _CROPS if s >= (high - low).max() + 8), _CROPS[-1])
    corner = np.floor((low + high) / 2 - side / 2)
    # The mosaic's phase is that of the whole frame.
    corner -= corner % 2
    matrix = whole.matrix.copy()
    matrix[:2, 2] -= corner
    return Camera((side, side), matrix, whole.distortion, whole.rvec, whole.tvec), origin


def _light(rng: np.random.Generator) -> tuple[Lamp, White, Sensor]:
    """Lamp and webcam, and white as a reader would take it from paper: a little wrong."""
    at = float(rng.uniform(0, len(_TINTS) - 1))
    low, share = min(int(at), len(_TINTS) - 2), at % 1.0
    tint = [(1 - share) * a + share * b for a, b in zip(*_TINTS[low : low + 2], strict=True)]
    # Low lamps cast long shadows.
    high = float(rng.uniform(900, 2200) if rng.random() < 0.6 else rng.uniform(250, 900))
    lamp = Lamp(
        (float(rng.uniform(-600, 1500)), float(rng.uniform(-800, 1300)), high),
        (tint[0], tint[1], tint[2]),
        ambient=float(rng.uniform(0.25, 0.85)),
        glare=float(rng.uniform(0.05, 0.5)) if rng.random() < 0.35 else 0.0,
        softness=float(rng.choice([8.0, 30.0, 60.0, 120.0])),
    )
    corrected = float(rng.uniform(0.6, 1.0))
    balance = [channel**-corrected * float(rng.normal(1, 0.03)) for channel in tint]
    poor = float(rng.uniform(0, 1))
    exposure = float(rng.uniform(0.65, 1.15))
    sensor = Sensor(
        blur=float(rng.uniform(0.4, 0.7) + 0.7 * poor),
        noise=0.8 + 4.0 * poor,
        white_balance=(balance[0], balance[1], balance[2]),
        exposure=exposure,
        vignetting=float(rng.uniform(0, 0.2)),
        sharpening=float(rng.uniform(0, 0.9)),
        jpeg=round(95 - 38 * poor),
    )
    paper = np.array(tint) * balance * exposure * to_linear(np.array([248, 248, 248]))
    paper = np.minimum(paper * rng.normal(1, 0.03, 3) * rng.normal(0.95, 0.07), 1.0)
    return lamp, White(np.zeros((1, 2), np.float32), paper[None].astype(np.float32)), sensor


def _pieces(
    rng: np.random.Generator,
    print_: Map,
    board: Flat,
    paints: list[Paint],
    style: _Style,
    origin: tuple[float, float],
) -> tuple[tuple[Piece, ...], list[int]]:
    """Pieces on the map with the index of their paint, -1 for one of no taught paint."""
    diameter = style.piece[0]
    reach = diameter * (SIDE / FOOT_PX / 2 + _BEYOND)
    room = 0.5 * diameter
    spots: list[tuple[float, float, int]] = []
    crowd = rng.dirichlet((2.5, 2, 1.2, 1.2))
    stranger = foreign(rng, paints) if rng.random() < 0.12 else None
    for corner in print_.corners:
        colour = int(rng.integers(len(paints)))
        for foot in _feet(rng, int(rng.choice(4, p=crowd)), print_.side, diameter):
            if rng.random() < 0.15:
                colour = int(rng.integers(len(paints)))
            spots.append((*(foot + corner), -1 if stranger and rng.random() < 0.15 else colour))
    for _ in range(int(rng.integers(0, 4))):
        x, y = (float(v) for v in rng.uniform(room, np.array(print_.size) - room))
        spots.append((x, y, int(rng.integers(len(paints)))))
    kept: list[tuple[float, float, int]] = []
    for x, y, colour in spots:
        if all(np.hypot(x - a, y - b) >= 0.98 * diameter for a, b, _ in kept):
            kept.append((x, y, colour))
    kept = kept[:PIECES]
    places = _to_plane(np.array([spot[:2] for spot in kept]).reshape(-1, 2), board)
    pieces, colours = [], []
    wide = float(rng.uniform(0.92, 1.05))
    flat_turn = float(rng.uniform(0, 360)) if rng.random() < 0.3 else None
    for (x, y), (_, _, colour) in zip(places.tolist(), kept, strict=True):
        if max(abs(x - origin[0]), abs(y - origin[1])) > reach:
            continue
        paint = stranger if colour < 0 and stranger else paints[colour]
        outline, flat = style.shapes[colour % len(style.shapes)]
        tone = rng.normal(1, 0.04)
        b, g, r = (int(min(255, max(4, c * tone))) for c in paint.bgr)
        pieces.append(
            Piece(
                (x, y), (b, g, r), paint.name, diameter * wide, style.piece[1] * style.stretch,
                board.thickness, profile=outline, flatness=flat,
                turn=float(rng.uniform(0, 360)) if flat_turn is None else flat_turn,
                gloss=style.gloss,
            )
        )  # fmt: skip
        colours.append(colour)
    return tuple(pieces), colours


def _feet(
    rng: np.random.Generator, count: int, side: float, diameter: float
) -> list[NDArray[np.float64]]:
    """Feet on a field, in mm from its corner: huddled, apart, or thrown."""
    room = 0.45 * diameter
    if rng.random() < 0.5 and count > 1:
        ring = diameter * float(rng.uniform(1.0, 1.15)) / 2 / np.sin(np.pi / count)
        angles = rng.uniform(0, 2 * np.pi) + 2 * np.pi * np.arange(count) / count
        middle = side / 2 + np.clip(rng.normal(0, 0.12 * side, 2), -side / 4, side / 4)
        feet = middle + ring * np.column_stack([np.cos(angles), np.sin(angles)])
        return list(feet.clip(room * 0.6, side - room * 0.6))
    return [rng.uniform(room, side - room, 2) for _ in range(count)]


def _clutter(rng: np.random.Generator, board: Flat) -> tuple[Flat, ...]:
    """Tiles or tokens that lie on the map."""
    flats = []
    for _ in range(int(rng.integers(1, 4))):
        texture = np.full((64, 64, 4), 255, np.uint8)
        texture[..., :3] = rng.integers(0, 255, 3)
        cv2.circle(
            texture, (32, 32), int(rng.integers(8, 28)), rng.integers(0, 255, 3).tolist(), -1
        )
        if rng.random() < 0.5:
            disc = np.zeros((64, 64), np.uint8)
            cv2.circle(disc, (32, 32), 31, 255, -1, cv2.LINE_AA)
            texture[..., 3] = disc
        side = float(rng.uniform(8, 36))
        place = tuple((np.array(board.centre) + rng.normal(0, 70, 2)).tolist())
        flats.append(
            Flat(texture, (side, side), place, float(rng.uniform(0, 360)), board.thickness,
                 float(rng.uniform(0.5, 3.0)), kind="token")
        )  # fmt: skip
    return tuple(flats)


def _cover(rng: np.random.Generator, origin: tuple[float, float]) -> Flat:
    """Something large above the map, near to the camera: a sleeve, a card, a sheet."""
    texture = np.full((96, 96, 4), 255, np.uint8)
    shade = cv2.resize(rng.standard_normal((4, 4), np.float32), (96, 96), interpolation=3)
    levels = rng.uniform(20, 240, 3) + shade[..., None] * rng.uniform(0, 30)
    texture[..., :3] = levels.clip(0, 255)
    size = (float(rng.uniform(60, 260)), float(rng.uniform(60, 260)))
    place = tuple((np.array(origin) + rng.normal(0, 90, 2)).tolist())
    turn, above = float(rng.uniform(0, 360)), float(rng.uniform(45, 120))
    return Flat(texture, size, place, turn, above, 1.0, kind="cover")


def _hands(rng: np.random.Generator, origin: tuple[float, float]) -> tuple[Hand, ...]:
    angle = rng.uniform(0, 2 * np.pi)
    tip = np.array(origin) + rng.normal(0, 60, 2)
    elbow = tip + 420 * np.array([np.cos(angle), np.sin(angle)])
    tone = float(rng.uniform(0.35, 1.1))
    b, g, r = (int(min(255, c * tone)) for c in (120, 150, 205))
    return (
        Hand(
            (float(tip[0]), float(tip[1])),
            (float(elbow[0]), float(elbow[1])),
            float(rng.uniform(30, 150)),
            float(rng.uniform(60, 130)),
            (b, g, r),
        ),
    )


def _example(
    rng: np.random.Generator,
    image: NDArray[np.uint8],
    shows: NDArray[np.uint8],
    camera: Camera,
    white: White,
    origin: tuple[float, float],
    height: float,
    piece: tuple[float, float],
    truths: list[tuple[NDArray[np.float32], int, float]],
    paints: list[Paint],
    fields_mm: NDArray[np.float64],
) -> Example:
    plane = _plane(camera)
    reach = SIDE / FOOT_PX * piece[0] / 2
    shift = rng.uniform(-0.5, 0.5, 2) * piece[0] / FOOT_PX
    corner = (origin[0] - reach + float(shift[0]), origin[1] - reach + float(shift[1]))
    view = top_view(image, plane, white, corner, (SIDE, SIDE), height=height, piece=piece)
    rows, columns = np.mgrid[:SIDE, :SIDE]
    where = plane.lift(view.to_mm(np.stack([columns, rows], axis=-1)), height)
    x, y = cv2.split(where)
    over = cv2.remap(shows, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=2)
    feet = np.full((PIECES, 4), -1, np.float32)
    for k, (foot_px, colour, visible) in enumerate(truths):
        feet[k] = (*view.to_pixels(plane.drop(foot_px, height)), colour, visible)
    taught = np.full((COLOURS, 3), -1, np.float32)
    taught[: len(paints)] = np.array([paint.taught[::-1] for paint in paints], np.float32) / 255
    fields = np.full((49, 4, 2), np.nan, np.float32)
    fields[: len(fields_mm)] = view.to_pixels(fields_mm)
    lean = view.lean
    return Example(view.pixels, lean, np.asarray(over, np.uint8), feet, taught, fields)


def _plane(camera: Camera) -> Plane:
    """The plane as a reader that knows the camera exactly would find it."""
    rotation, _ = cv2.Rodrigues(camera.rvec)
    projection = camera.matrix @ np.column_stack([rotation, camera.tvec.reshape(3)])
    return Plane(
        (900.0, 600.0), (), camera.size, projection, Lens(camera.matrix, camera.distortion), 0.3
    )


def _corners(print_: Map, board: Flat) -> NDArray[np.float64]:
    """Corners of the fields on the plane, (n, 4, 2)."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * print_.side
    quads = print_.corners[:, None] + square[None]
    return _to_plane(quads.reshape(-1, 2), board).reshape(-1, 4, 2)


def _to_plane(points: NDArray[np.float64], board: Flat) -> NDArray[np.float64]:
    """Points (n, 2) of the print, mm from its top left corner, on the plane."""
    c, s = np.cos(np.deg2rad(board.angle)), np.sin(np.deg2rad(board.angle))
    local = points - np.array(board.size) / 2
    return np.asarray(local @ np.array([[c, s], [-s, c]]) + board.centre)
