"""Pictures of bare tables with markers, drawn through a known camera, for tests of the plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Board, Layout, Marker

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

SIZE = (960.0, 620.0)
MARGIN = 60.0
PX_PER_MM = 4.0
MARKERS = tuple(
    Marker(i, place, 60.0)
    for i, place in enumerate(
        [(0, 0), (960, 0), (960, 620), (0, 620), (480, 0), (960, 310), (480, 620), (0, 310)]
    )
)
MAP = Board(
    "map",
    (540.0, 300.0),
    (210.0, 38.0),
    thickness=2.0,
    markers=tuple(
        Marker(10 + i, place, 22.0)
        for i, place in enumerate([(15, 15), (525, 15), (525, 285), (15, 285)])
    ),
)
CASTLE = Board(
    "castle", (180.0, 150.0), (15.0, 430.0), thickness=2.0, markers=(Marker(20, (165, 15), 22.0),)
)
LAYOUT = Layout(SIZE, (35.0, 35.0), 2.0, MARKERS, (MAP, CASTLE))


@dataclass(frozen=True)
class Pose:
    """A camera `distance` mm from the middle of the table, `tilt` and `roll` degrees off."""

    tilt: float = 20.0
    roll: float = 3.0
    distance: float = 1150.0
    size: tuple[int, int] = (1920, 1080)
    focal: float = 1450.0
    radial: float = 0.0

    @property
    def matrix(self) -> Array:
        focal = self.focal * self.size[0] / 1920
        return np.array(
            [[focal, 0, self.size[0] / 2 - 0.5], [0, focal, self.size[1] / 2 - 0.5], [0, 0, 1.0]]
        )

    @property
    def distortion(self) -> Array:
        return np.array([self.radial, 0.0, 0.0, 0.0, 0.0])

    @property
    def rotation(self) -> Array:
        tilt, _ = cv2.Rodrigues(np.array([-np.deg2rad(self.tilt), 0.0, 0.0]))
        roll, _ = cv2.Rodrigues(np.array([0.0, 0.0, np.deg2rad(self.roll)]))
        return np.asarray(roll @ tilt, np.float64)

    @property
    def translation(self) -> Array:
        middle = np.array([SIZE[0] / 2, SIZE[1] / 2, 0.0])
        moved = np.array([0.0, 0.0, self.distance]) - self.rotation @ middle
        return np.asarray(moved, np.float64)

    def project(self, points: object) -> Array:
        """Pixels of points (n, 3): x, y and height above the table, in mm."""
        places = np.asarray(points, np.float64).reshape(-1, 1, 3) * [1.0, 1.0, -1.0]
        rvec, _ = cv2.Rodrigues(self.rotation)
        pixels, _ = cv2.projectPoints(
            np.ascontiguousarray(places), rvec, self.translation, self.matrix, self.distortion
        )
        return np.asarray(pixels.reshape(-1, 2), np.float64)


@dataclass(frozen=True)
class Print:
    """A marker on white paper: centre on the plane, turn in degrees clockwise, side in mm."""

    marker: Marker
    turn: float = 0.0
    paper: float = 8.0


def prints(turns: Sequence[float] = (2, -3, 1, 4, -2, 0, 3, -4)) -> list[Print]:
    """The table's markers, each turned a little, as they lie on a real table."""
    return [Print(marker, turn) for marker, turn in zip(MARKERS, turns, strict=True)]


def board_prints(board: Board) -> list[Print]:
    """The markers of a board, where it lies."""
    turn = _turned(board.angle)
    return [
        Print(
            replace(marker, centre=tuple((turn @ marker.centre + board.origin).tolist())),
            board.angle,
            4.0,
        )
        for marker in board.markers
    ]


def picture(pose: Pose, things: Sequence[Print], table: int = 90, noise: float = 2.0) -> Image:
    """What the camera sees of a grey table with these prints on it, at two samples a pixel."""
    width, height = (round((length + 2 * MARGIN) * PX_PER_MM) for length in SIZE)
    top = np.full((height, width), table, np.uint8)
    for thing in things:
        _lay(top, thing)
    w, h = pose.size
    samples = 2
    # Nodes on every 16th sample, one beyond each side; between them the map is all but linear.
    columns, rows = (
        (np.arange(-1, n * samples // 16 + 2) + 0.5) * 16 / samples - 0.5 for n in (w, h)
    )
    nodes = np.stack(np.meshgrid(columns, rows), axis=-1)
    straight = cv2.undistortPoints(
        nodes.reshape(-1, 1, 2),
        pose.matrix,
        pose.distortion,
        R=None,
        P=np.eye(3),
        criteria=(cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 50, 1e-9),
    ).reshape(*nodes.shape)
    rays = np.concatenate([straight, np.ones_like(straight[..., :1])], axis=-1)
    back = np.linalg.inv(np.column_stack([pose.rotation[:, :2], pose.translation]))
    plane = rays @ back.T
    mm = plane[..., :2] / plane[..., 2:]
    pixels = ((mm + MARGIN) * PX_PER_MM - 0.5).astype(np.float32)
    maps = cv2.resize(pixels, None, fx=16, fy=16, interpolation=cv2.INTER_LINEAR)
    maps = maps[16 : 16 + h * samples, 16 : 16 + w * samples]
    fine = cv2.remap(top, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderValue=float(table))
    sharp = cv2.resize(fine, (w, h), interpolation=cv2.INTER_AREA).astype(np.float64)
    grain = np.random.default_rng(7).normal(0.0, noise, sharp.shape)
    grey = np.clip(cv2.GaussianBlur(sharp, (0, 0), 0.6) + grain, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def _lay(top: Image, thing: Print) -> None:
    """Draws a print into the top view."""
    marker, cell = thing.marker, 40
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    black = cv2.aruco.generateImageMarker(dictionary, marker.id, 6 * cell)
    edge = round(thing.paper / marker.side * 6 * cell)
    paper = cv2.copyMakeBorder(black, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=235)
    paper[paper == 0] = 25
    side = paper.shape[0]
    scale = PX_PER_MM * marker.side / (6 * cell)
    turn = _turned(thing.turn) * scale
    middle = (np.array(marker.centre) + MARGIN) * PX_PER_MM - 0.5
    place = np.column_stack([turn, middle - turn @ np.array([side / 2 - 0.5, side / 2 - 0.5])])
    corners = np.array([(0, 0), (side, 0), (side, side), (0, side)]) @ turn.T + place[:, 2]
    left, upper = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0)
    right, lower = np.ceil(corners.max(axis=0)).astype(int) + 1
    part = top[upper:lower, left:right]
    place[:, 2] -= left, upper
    size = (part.shape[1], part.shape[0])
    shown = cv2.warpAffine(paper, place, size, flags=cv2.INTER_AREA)
    mask = cv2.warpAffine(np.full_like(paper, 255), place, size)
    part[mask > 127] = shown[mask > 127]


def _turned(degrees: float) -> Array:
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([[cos, -sin], [sin, cos]])
