"""What a table is seen under: camera, table top, lamp and webcam, drawn at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.scene.cameras import overhead_camera
from vision.scene.description import Camera, Lamp, Sensor

SURFACES = ("wood", "felt", "linen", "laminate")

#: Linear blue, green and red of lamps, green being 1: candle-like bulb, warm white, daylight, sky.
_LAMPS = ((0.42, 1.0, 1.75), (0.62, 1.0, 1.40), (1.0, 1.0, 1.0), (1.16, 1.0, 0.88))


@dataclass(frozen=True, eq=False)
class Conditions:
    """Everything about a picture but what lies on the table."""

    camera: Camera
    surface: str
    surface_seed: int
    lamp: Lamp
    sensor: Sensor


def random_conditions(
    rng: np.random.Generator, plane_size: tuple[float, float], image_size: tuple[int, int]
) -> Conditions:
    """Conditions from ordinary to poor, for a plane of `plane_size` mm.

    - Camera: tilted up to 20 degrees (mostly below 10) to any side, rolled by 3 (sigma); 55 to 80
      degrees across the diagonal, k1 -0.16 to 0.04; it sees 45 to 90 mm around the plane.
    - Table top: wood, felt, linen or laminate, pale to dark.
    - Lamp: 1.1 to 2.2 m above any side of the table, 30 to 140 mm wide, warm bulb to sky light;
      40 to 80 % of the light is the room's. Glare in every third picture, up to 0.35.
    - White balance: 75 to 100 % of the lamp's colour corrected, each channel 3 % (sigma) off.
    - Exposure 0.72 to 1.12, vignetting 0 to 0.3, sharpening 0 to 0.8.
    - One chance from good to poor sets noise 0.8 to 4 grey levels, JPEG quality 95 to 62, and blur
      0.4 to 0.85 px at 1280 columns; half of the blur grows with the columns.
    """
    width, height = plane_size
    camera = overhead_camera(
        plane_size,
        image_size,
        tilt=min(abs(float(rng.normal(0.0, 8.0))), 20.0),
        azimuth=float(rng.uniform(0.0, 360.0)),
        roll=float(rng.normal(0.0, 3.0)),
        margin=float(rng.uniform(45.0, 90.0)),
        field_of_view=float(rng.uniform(55.0, 80.0)),
        distortion=(float(rng.uniform(-0.16, 0.04)), float(rng.uniform(0.0, 0.02)), 0.0, 0.0, 0.0),
    )
    tint = _tint(rng)
    lamp = Lamp(
        place=(
            float(rng.uniform(-0.3, 1.3) * width),
            float(rng.uniform(-0.8, 1.4) * height),
            float(rng.uniform(1100.0, 2200.0)),
        ),
        colour=tint,
        ambient=float(rng.uniform(0.4, 0.8)),
        glare=float(rng.uniform(0.05, 0.35)) if rng.random() < 1 / 3 else 0.0,
        softness=float(rng.uniform(30.0, 140.0)),
    )
    corrected = float(rng.uniform(0.75, 1.0))
    balance = [channel**-corrected * float(rng.normal(1.0, 0.03)) for channel in tint]
    poor = float(rng.uniform(0.0, 1.0))
    fine = image_size[0] / 1280.0
    sensor = Sensor(
        blur=(0.4 + 0.45 * poor) * (0.5 + 0.5 * fine),
        noise=0.8 + 3.2 * poor,
        white_balance=(balance[0], balance[1], balance[2]),
        exposure=float(rng.uniform(0.72, 1.12)),
        vignetting=float(rng.uniform(0.0, 0.3)),
        sharpening=float(rng.uniform(0.0, 0.8)),
        jpeg=round(95 - 33 * poor),
    )
    surface = SURFACES[int(rng.integers(len(SURFACES)))]
    return Conditions(camera, surface, int(rng.integers(1_000_000)), lamp, sensor)


def _tint(rng: np.random.Generator) -> tuple[float, float, float]:
    place = float(rng.uniform(0.0, len(_LAMPS) - 1))
    index, share = min(int(place), len(_LAMPS) - 2), place % 1.0
    blue, green, red = (
        (1.0 - share) * a + share * b for a, b in zip(_LAMPS[index], _LAMPS[index + 1], strict=True)
    )
    return blue, green, red
