"""Pictures of a flat pattern through a lens with known distortion, drawn pixel by pixel."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
#: Width and height of the pictures.
SIZE = (960, 540)
#: A webcam: 62 degrees across, with a little barrel; the optical centre is off by a few pixels.
MATRIX = np.array([[799.0, 0.0, 486.0], [0.0, 799.0, 264.0], [0.0, 0.0, 1.0]])
DISTORTION = np.array([-0.11, 0.02, 0.0005, -0.0008, 0.0])
_PX_PER_MM = 4.0
#: The print is softened by so much (mm, sigma), as lens and sensor would.
_SOFT_MM = 0.25


def sheet_print(board: cv2.aruco.CharucoBoard, margin_mm: float = 10.0) -> Image:
    """The sheet as printed, white around, 4 px a mm."""
    columns, rows = board.getChessboardSize()
    side = board.getSquareLength()
    size = (round(columns * side * _PX_PER_MM), round(rows * side * _PX_PER_MM))
    drawn = board.generateImage(size, marginSize=0)
    rim = round(margin_mm * _PX_PER_MM)
    paper = cv2.copyMakeBorder(drawn, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(255,))
    return np.asarray(cv2.GaussianBlur(paper, (0, 0), _SOFT_MM * _PX_PER_MM), np.uint8)


def photograph(
    printed: Image,
    middle: tuple[float, float],
    distance: float,
    turns: tuple[float, float, float],
    *,
    size: tuple[int, int] = SIZE,
    seed: int = 0,
) -> Image:
    """The print seen with its middle at the pixel `middle`, `distance` mm away.

    `turns` (degrees): about its horizontal axis, its vertical one, and in its own plane.
    """
    ahead = _rays(size)
    at = cv2.undistortPoints(np.array([[middle]], np.float64), MATRIX, DISTORTION).ravel()
    about_x, about_y, about_z = (
        cv2.Rodrigues(np.radians(turn) * axis)[0]
        for turn, axis in zip(turns, np.eye(3), strict=True)
    )
    rotation = about_x @ about_y @ about_z
    centre = distance * np.array([at[0], at[1], 1.0])
    # Where each ray meets the sheet: its normal is the third column.
    normal = rotation[:, 2]
    depth = (centre @ normal) / (ahead @ normal)
    on_sheet = (ahead * depth[..., None] - centre) @ rotation
    half = np.array(printed.shape[::-1]) / 2
    u, v = (on_sheet[..., :2] * _PX_PER_MM + half - 0.5).transpose(2, 0, 1).astype(np.float32)
    light = cv2.remap(
        printed, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(90,)
    )
    noise = np.random.default_rng(seed).normal(0, 2, light.shape)
    return np.clip(25 + 0.8 * light.astype(np.float64) + noise, 0, 255).astype(np.uint8)


@cache
def _rays(size: tuple[int, int]) -> NDArray[np.float64]:
    """Where each pixel looks, shape (rows, columns, 3): OpenCV's lens model solved backwards."""
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float64), np.arange(size[1], dtype=np.float64))
    seen = np.stack([x, y], axis=-1) - MATRIX[:2, 2]
    seen /= MATRIX[[0, 1], [0, 1]]
    k1, k2, p1, p2, _ = DISTORTION
    ray = seen
    for _ in range(6):
        square = (ray**2).sum(axis=-1, keepdims=True)
        product = 2 * ray[..., :1] * ray[..., 1:]
        aside = np.concatenate(
            [
                p1 * product + p2 * (square + 2 * ray[..., :1] ** 2),
                p2 * product + p1 * (square + 2 * ray[..., 1:] ** 2),
            ],
            axis=-1,
        )
        ray = (seen - aside) / (1 + k1 * square + k2 * square**2)
    return np.concatenate([ray, np.ones_like(ray[..., :1])], axis=-1)
