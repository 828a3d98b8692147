"""The noise is that of a sensor: photons and reading, at every brightness, frame after frame."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.scene.description import Sensor
from vision.scene.sensor import Webcam

SIDE = 240


def encoded(light: float) -> float:
    """The sRGB level (IEC 61966-2-1), not rounded."""
    return 255.0 * (12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055)


def blue_sites(light: float, noise: float, seed: int = 0) -> NDArray[np.float64]:
    """What an even light leaves where the sensor has blue, before colours are mixed."""
    webcam = Webcam(Sensor(blur=0.0, noise=noise, sharpening=0.0, jpeg=None), (SIDE, SIDE))
    roots = webcam.expose(np.full((3, SIDE, SIDE), light, np.float32), (0, 0))
    picture = webcam.develop(roots, np.random.default_rng(seed))
    return picture[2:-2:2, 2:-2:2, 0].astype(np.float64)


@pytest.mark.parametrize("noise", [0.8, 2.0, 4.0])
@pytest.mark.parametrize("light", [0.03, 0.1, 0.18, 0.4, 0.7])
def test_noise_is_that_of_photons_and_of_reading(light: float, noise: float) -> None:
    sites = blue_sites(light, noise)
    # 15 % of the variance at middle grey is reading's, the rest grows with the light.
    at_grey = noise / (encoded(0.1801) - encoded(0.1799)) * 0.0002
    deviation = at_grey * math.sqrt(0.15 + 0.85 * light / 0.18)
    near = np.clip(np.random.default_rng(1).normal(light, deviation, 200_000), 0.0, 1.0)
    expected = np.rint([encoded(float(value)) for value in near[:50_000]])
    assert sites.mean() == pytest.approx(expected.mean(), abs=0.1)
    assert sites.std() == pytest.approx(expected.std(), rel=0.03)


def test_without_noise_levels_are_those_of_the_light() -> None:
    for light in (0.0, 0.002, 0.01, 0.2, 0.5, 0.95, 1.0, 3.0):
        assert (blue_sites(light, 0.0) == round(encoded(min(light, 1.0)))).all()


def test_no_two_frames_are_equal_and_none_has_a_pattern() -> None:
    frames = [blue_sites(0.2, 2.0, seed) for seed in range(6)]
    for number, one in enumerate(frames):
        rest = one - one.mean()
        # Neighbours, rows and columns know nothing of each other.
        for other in (np.roll(rest, 1, axis=0), np.roll(rest, 1, axis=1)):
            assert abs((rest * other).mean()) < 0.05 * rest.var()
        assert rest.mean(axis=0).std() < 0.2 * rest.std()
        for later in frames[number + 1 :]:
            assert not np.array_equal(one, later)
            assert abs((rest * (later - later.mean())).mean()) < 0.05 * rest.var()


def test_noise_of_any_strength_stays_within_the_levels() -> None:
    for light in (0.0, 1.4):
        sites = blue_sites(light, 200.0)
        assert sites.min() >= 0.0
        assert sites.max() <= 255.0
    assert blue_sites(1.4, 4.0).min() == 255.0
