"""Settle, then hold: against a simulated camera with drivers of several kinds."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera import Image, Settings
from vision.camera.tuning import Tuner

TICK = 1 / 30


class SimulatedCamera:
    """A scene, a sensor, and a driver with dials; it is its own `Dials`.

    Automatic exposure brings the mean to 110 within about a second, automatic white balance takes
    the tint off. `tells` False: the driver reports a stale exposure while that is automatic;
    `keeps` False: it ignores what exposure is set to, and jumps to its own.
    """

    def __init__(self, *, tells: bool = True, keeps: bool = True, focus: bool = True) -> None:
        self.light, self.tint = 1.0, np.array([0.6, 1.0, 1.3])
        self.tells, self.keeps = tells, keeps
        self.dials = {
            "auto_exposure": 1,
            "exposure": 20,
            "auto_white_balance": 1,
            "white_balance": 4000,
            "mains": 60,
        }
        if focus:
            self.dials |= {"auto_focus": 1, "focus": 30}
        self.exposure, self.balance = 400.0, np.ones(3)
        self.at, self.frames = 0.0, 0

    def names(self) -> tuple[str, ...]:
        return tuple(self.dials)

    def get(self, name: str) -> int | None:
        if name == "exposure" and self.tells and self.dials["auto_exposure"]:
            return round(self.exposure)
        return self.dials.get(name)

    def set(self, name: str, value: int) -> bool:
        if name not in self.dials:
            return False
        self.dials[name] = value
        if name == "exposure" and not self.dials["auto_exposure"]:
            self.exposure = float(value) if self.keeps else 1000.0
        return True

    def picture(self) -> Image:
        """The next picture; time goes on by a tick."""
        self.at += TICK
        self.frames += 1
        linear = self.light * self.exposure / 1000.0 * self.tint * self.balance
        level = 255.0 * np.clip(linear, 0, 1) ** (1 / 2.2)
        if self.dials["auto_exposure"]:
            self.exposure *= (110.0 / level.mean()) ** 0.3
        if self.dials["auto_white_balance"]:
            self.balance *= (self.tint[1] / (self.tint * self.balance)) ** 0.2
        noise = np.random.default_rng(self.frames).normal(0, 1.5, (72, 128, 3))
        return np.clip(level + noise, 0, 255).astype(np.uint8)


def run(camera: SimulatedCamera, tuner: Tuner, seconds: float) -> Image:
    """Feeds pictures for so long; returns the last one."""
    for _ in range(round(seconds / TICK)):
        image = camera.picture()
        tuner.seen(image, camera.at)
    return image


def level(image: Image) -> float:
    return float(image.mean())


def test_it_settles_and_is_then_held() -> None:
    camera, tuner = SimulatedCamera(), Tuner(Settings(mains=50))
    tuner.opened(camera, 0.0)
    assert camera.dials["mains"] == 50
    run(camera, tuner, 0.5)
    assert camera.dials["auto_exposure"] == 1
    image = run(camera, tuner, 5.0)
    assert tuner.settled
    assert level(image) == pytest.approx(110, abs=4)
    automatic = ("auto_exposure", "auto_white_balance", "auto_focus")
    assert [camera.dials[name] for name in automatic] == [0, 0, 0]
    assert {held.name for held in tuner.report} >= {"mains", "exposure", "white_balance", "focus"}
    assert all(held.held for held in tuner.report)
    # A pale sleeve comes into the picture: the table's colours stay as they are.
    camera.light = 1.5
    assert level(run(camera, tuner, 3.0)) == pytest.approx(110 * 1.5 ** (1 / 2.2), rel=0.04)


def test_a_driver_that_does_not_tell_its_exposure_is_corrected_by_the_picture() -> None:
    camera, tuner = SimulatedCamera(tells=False), Tuner(Settings())
    tuner.opened(camera, 0.0)
    image = run(camera, tuner, 10.0)
    assert tuner.settled
    assert camera.dials["auto_exposure"] == 0
    assert level(image) == pytest.approx(110, rel=0.08)


def test_an_exposure_that_can_not_be_held_stays_automatic_and_is_reported() -> None:
    camera, tuner = SimulatedCamera(keeps=False), Tuner(Settings())
    tuner.opened(camera, 0.0)
    image = run(camera, tuner, 15.0)
    assert tuner.settled
    assert camera.dials["auto_exposure"] == 1
    assert level(image) == pytest.approx(110, abs=4)
    assert [held.name for held in tuner.report if not held.held] == ["exposure"]


def test_all_is_set_again_after_replugging() -> None:
    camera, tuner = SimulatedCamera(), Tuner(Settings(mains=50))
    tuner.opened(camera, 0.0)
    run(camera, tuner, 5.0)
    held = dict(camera.dials)
    fresh = SimulatedCamera()
    fresh.at = camera.at
    tuner.opened(fresh, fresh.at)
    assert fresh.dials == held
    image = run(fresh, tuner, 2.0)
    assert tuner.settled
    assert level(image) == pytest.approx(110, rel=0.08)


def test_it_is_held_in_the_end_even_if_hands_never_leave() -> None:
    camera, tuner = SimulatedCamera(), Tuner(Settings())
    tuner.opened(camera, 0.0)
    for half_second in range(30):
        camera.light = 0.6 if half_second % 2 else 1.2
        run(camera, tuner, 0.5)
    assert camera.dials["auto_white_balance"] == 0


def test_it_settles_anew_when_asked() -> None:
    camera, tuner = SimulatedCamera(), Tuner(Settings())
    tuner.opened(camera, 0.0)
    run(camera, tuner, 5.0)
    camera.light = 0.4
    assert level(run(camera, tuner, 1.0)) < 85
    tuner.again(camera.at)
    assert camera.dials["auto_exposure"] == 1
    image = run(camera, tuner, 5.0)
    assert tuner.settled
    assert level(image) == pytest.approx(110, abs=4)
    assert camera.dials["auto_exposure"] == 0


def test_given_values_are_set_and_left() -> None:
    camera, tuner = SimulatedCamera(), Tuner(Settings(exposure=300, white_balance=5000, focus=20))
    tuner.opened(camera, 0.0)
    run(camera, tuner, 5.0)
    assert (camera.dials["exposure"], camera.dials["auto_exposure"]) == (300, 0)
    assert camera.dials["white_balance"] == 5000
    assert camera.dials["focus"] == 20


def test_what_a_camera_lacks_is_reported() -> None:
    camera, tuner = SimulatedCamera(focus=False), Tuner(Settings(focus=20))
    tuner.opened(camera, 0.0)
    run(camera, tuner, 5.0)
    lacking = {held.name: (held.got, held.held) for held in tuner.report if not held.held}
    assert lacking == {"auto_focus": (None, False), "focus": (None, False)}


def test_left_alone_it_stays_automatic_and_a_stream_has_no_dials() -> None:
    camera, tuner = SimulatedCamera(), Tuner(Settings(hold=False))
    tuner.opened(camera, 0.0)
    run(camera, tuner, 12.0)
    assert tuner.settled
    assert camera.dials["auto_exposure"] == 1
    tuner.opened(None, 13.0)
    tuner.seen(camera.picture(), 13.1)
    assert tuner.report == ()
