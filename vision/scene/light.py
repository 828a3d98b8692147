"""One soft lamp and the light of the room: how bright, where the shadows go, where it mirrors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.scene.arrays import Array, enlarge
from vision.scene.description import Lamp
from vision.scene.projection import View

# Light fields are smooth: they are worked out on every n-th pixel.
_COARSE = 8
# Roughness of a varnished print: the lamp's mirror image is blurred by this half angle (radians).
_ROUGHNESS = 0.09


class Light:
    """The lamp as it shines on one plane."""

    def __init__(self, lamp: Lamp) -> None:
        self.lamp = lamp
        self.x, self.y, self.height = lamp.place

    def shift(self, point: tuple[float, float], height: float) -> NDArray[np.float64]:
        """By how many mm the shadow of a point at `height` falls beside it on the plane."""
        away = np.array([point[0] - self.x, point[1] - self.y])
        return np.asarray(away * height / max(self.height - height, 1.0))

    def penumbra(self, height: float) -> float:
        """Sigma in mm of the soft edge of a shadow that an edge at `height` casts."""
        return 0.5 * self.lamp.softness * height / max(self.height - height, 1.0)

    def direction(self, point: tuple[float, float]) -> NDArray[np.float64]:
        """Unit vector (x, y, up) from a point of the plane to the lamp."""
        to_lamp = np.array([self.x - point[0], self.y - point[1], self.height])
        return np.asarray(to_lamp / np.linalg.norm(to_lamp))

    def shaded(self, hidden: Array, enclosed: Array) -> Array:
        """What is left of the light where the lamp is `hidden`, the room `enclosed`: 0 to 1."""
        ambient = self.lamp.ambient
        return np.asarray(
            1.0 - (1.0 - ambient) * np.clip(hidden, 0, 1) - ambient * np.clip(enclosed, 0, 1),
            dtype=np.float32,
        )

    def falloff(self, view: View) -> Array:
        """Light on the plane that each pixel sees, by colour: (rows, columns, 3), 1 in the middle.

        The lamp's part falls with the square of the distance and the cosine of its slope.
        """
        points = _coarse_points(view)
        square = (points[..., 0] - self.x) ** 2 + (points[..., 1] - self.y) ** 2 + self.height**2
        direct = square**-1.5
        direct /= direct[direct.shape[0] // 2, direct.shape[1] // 2]
        ambient = self.lamp.ambient
        level = (ambient + (1.0 - ambient) * direct) * self.lamp.brightness
        colour = np.asarray(self.lamp.colour, dtype=np.float32)
        return _full(view, np.asarray(level[..., None] * colour, dtype=np.float32))

    def mirror(self, view: View) -> Array:
        """Light that glossy print mirrors to each pixel, by colour: (rows, columns, 3)."""
        points = _coarse_points(view)
        eye_x, eye_y, eye_height = view.eye
        to_eye = np.stack(
            [eye_x - points[..., 0], eye_y - points[..., 1], np.full(points.shape[:2], eye_height)],
            axis=-1,
        )
        to_lamp = np.stack(
            [
                self.x - points[..., 0],
                self.y - points[..., 1],
                np.full(points.shape[:2], self.height),
            ],
            axis=-1,
        )
        distance = np.linalg.norm(to_lamp, axis=-1)
        half = (
            to_eye / np.linalg.norm(to_eye, axis=-1, keepdims=True) + to_lamp / distance[..., None]
        )
        slope = np.hypot(half[..., 0], half[..., 1]) / half[..., 2]
        width = _ROUGHNESS + 0.5 * self.lamp.softness / self.height
        level = self.lamp.glare * self.lamp.brightness * np.exp(-((slope / width) ** 2))
        colour = np.asarray(self.lamp.colour, dtype=np.float32)
        return _full(view, np.asarray(level[..., None] * colour, dtype=np.float32))


def _coarse_points(view: View) -> Array:
    return np.ascontiguousarray(view.ground(view.picture)[::_COARSE, ::_COARSE])


def _full(view: View, coarse: Array) -> Array:
    return enlarge(coarse, view.camera.size, smooth=True)
