"""How white paper looks in a picture: by it colours are told whatever the light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout
from vision.plane import Plane
from vision.tone import GAMMA, to_linear

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

#: Where a marker's paper is surely white: this far from its centre, in sides of its black square.
_PAPER = 0.55
#: Paper is never darker than this in a picture that can be read.
_DARKEST = 0.02
#: Light above this may be more than the sensor tells.
_CLIPPED = float(to_linear(250))


@dataclass(frozen=True, eq=False)
class White:
    """How white paper looks in a picture: places (n, 2) in mm, and linear BGR (n, 3) there."""

    places: Array
    light: Array

    def balanced(self, patch: Image, corner_mm: tuple[float, float], px_per_mm: float) -> Image:
        """A top view as it would be under even white light in which paper is just white.

        `corner_mm` is the plane point of its top left corner. The light is taken to change evenly
        over the table.
        """
        height, width = patch.shape[:2]
        logs = np.log(np.maximum(self.light, _DARKEST))
        middle = self.places.mean(axis=0)
        level, slopes = logs.mean(axis=0), np.zeros((2, 3))
        if len(self.places) >= 4:
            slopes = np.linalg.lstsq(self.places - middle, logs - level, rcond=0.1)[0]
        x = (np.arange(width) + 0.5) / px_per_mm + corner_mm[0] - middle[0]
        y = (np.arange(height) + 0.5) / px_per_mm + corner_mm[1] - middle[1]
        # Levels are gamma coded: a gain of light is its root.
        across = np.exp(-(level + x[:, None] * slopes[0]) / GAMMA).astype(np.float32)
        down = np.exp(-(y[:, None] * slopes[1]) / GAMMA).astype(np.float32)
        gains = cv2.merge([np.outer(down[:, c], across[:, c]) for c in range(3)])
        return np.asarray(cv2.multiply(patch, gains, dtype=cv2.CV_8U), np.uint8)


def paper_white(image: Image, plane: Plane, layout: Layout) -> White:
    """White as the paper around the plane's markers shows it.

    If none was seen, the picture's brightest levels stand for neutral white.
    """
    # A square's rim: a circle pushed out until one coordinate is 1.
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    rim = circle / np.abs(circle).max(axis=1, keepdims=True)
    markers = [marker for marker in layout.markers if marker.id in plane.markers]
    centres = np.array([marker.centre for marker in markers]).reshape(-1, 1, 2)
    sides = np.array([marker.side for marker in markers]).reshape(-1, 1, 1)
    rims = np.rint(plane.to_px(centres + sides * _PAPER * rim)).astype(int)
    places, lights = [], []
    for marker, points in zip(markers, rims, strict=True):
        inside = (points >= 0).all(axis=1) & (points < (image.shape[1], image.shape[0])).all(axis=1)
        if inside.any():
            levels = to_linear(image[points[inside, 1], points[inside, 0]])
            # The marker may be turned: the brighter half lies on the paper.
            bright = levels.sum(axis=1)
            places.append(marker.centre)
            lights.append(np.median(levels[bright >= np.median(bright)], axis=0))
    # Where a channel is at its limit the paper's colour is unknown.
    clear = [i for i, light in enumerate(lights) if light.max() < _CLIPPED]
    if clear:
        places, lights = [places[i] for i in clear], [lights[i] for i in clear]
    if not places:
        brightest = np.percentile(image[::8, ::8].max(axis=2), 99)
        places, lights = [(0.0, 0.0)], [np.repeat(to_linear(brightest), 3)]
    return White(np.array(places, np.float32), np.array(lights, np.float32))
