"""Makes the camera of a webcam on a stand or a shelf above the table."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.description import Camera
from vision.scene.projection import View

# The far end of the range of distances that are tried, in widths of the plane.
_FAR = 12.0


def overhead_camera(
    plane_size: tuple[float, float],
    image_size: tuple[int, int],
    *,
    tilt: float = 5.0,
    azimuth: float = 0.0,
    roll: float = 0.0,
    margin: float = 50.0,
    field_of_view: float = 65.0,
    distortion: tuple[float, ...] = (-0.05, 0.01, 0.0, 0.0, 0.0),
) -> Camera:
    """The nearest camera that sees the whole plane and `margin` mm around it, centred.

    `plane_size` is in mm, `image_size` in pixels. `tilt` is the angle between its axis and the
    plumb line, `azimuth` the side it leans towards (0: it stands at the lower edge, looking up the
    picture; 90: at the right edge), `roll` its turn about its own axis, `field_of_view` that of the
    picture's diagonal without distortion; all in degrees. Distortion is OpenCV's (k1, k2, p1, p2,
    k3).
    """
    width, height = image_size
    focal = math.hypot(width, height) / 2.0 / math.tan(math.radians(field_of_view) / 2.0)
    matrix = np.array(
        [[focal, 0.0, (width - 1) / 2.0], [0.0, focal, (height - 1) / 2.0], [0.0, 0.0, 1.0]]
    )
    lens = np.asarray(distortion, dtype=np.float64)
    rotation = _turn_z(roll - azimuth) @ _turn_x(-tilt) @ _turn_z(azimuth)
    # Distance and aim depend on each other only weakly: settle them in turn.
    target = np.asarray(plane_size, dtype=np.float64) / 2.0
    distance = 0.0
    for _ in range(6):
        near, far = 0.1 * max(plane_size), _FAR * max(plane_size)
        for _ in range(40):
            distance = (near + far) / 2.0
            camera = _aimed(image_size, matrix, lens, rotation, target, distance)
            extent = _extent(camera, plane_size, margin)
            fits = (extent[1] - extent[0] <= np.array(image_size) - 1.0).all()
            near, far = (near, distance) if fits else (distance, far)
        camera = _aimed(image_size, matrix, lens, rotation, target, far)
        middle_px = _extent(camera, plane_size, margin).mean(axis=0)
        aim_px = matrix[:2, 2]
        seen = View(camera).see(np.stack([middle_px, aim_px]))
        target = target + (seen[0] - seen[1])
    return camera


def _aimed(
    size: tuple[int, int],
    matrix: NDArray[np.float64],
    lens: NDArray[np.float64],
    rotation: NDArray[np.float64],
    target: NDArray[np.float64],
    distance: float,
) -> Camera:
    """The camera at `distance` mm from the point of the plane that its axis meets."""
    shift = np.array([0.0, 0.0, distance]) - rotation @ np.append(target, 0.0)
    turn = np.asarray(cv2.Rodrigues(rotation)[0], dtype=np.float64).reshape(3)
    return Camera(size, matrix, lens, turn, shift)


def _extent(camera: Camera, plane_size: tuple[float, float], margin: float) -> NDArray[np.float64]:
    """Least and greatest pixel of the plane with its margin: ((x0, y0), (x1, y1))."""
    w, h = plane_size
    across = np.linspace(-margin, w + margin, 9)
    down = np.linspace(-margin, h + margin, 9)
    rim = [(x, y) for x in across for y in (down[0], down[-1])]
    rim += [(x, y) for y in down for x in (across[0], across[-1])]
    pixels = View(camera).project(rim)
    return np.stack([pixels.min(axis=0), pixels.max(axis=0)])


def _turn_x(degrees: float) -> NDArray[np.float64]:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def _turn_z(degrees: float) -> NDArray[np.float64]:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
