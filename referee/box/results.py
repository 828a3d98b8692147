"""What calls of the box return, and what it means to a person if the arrow did not arrive."""

from __future__ import annotations

from dataclasses import dataclass

from referee.box.protocol import HomeOutcome, SpinOutcome
from referee.games.said import say


@dataclass(frozen=True)
class RunningGlass:
    """An hourglass. Times by the clock of the camera's frames (s).

    interrupted: The box was reset meanwhile: the end is right to within two seconds only.
    clock_ppm: What the box was told of its clock; None: not known, so that it may be 0.5 % off.
    """

    glass_id: int
    seconds: float
    ends_at: float
    interrupted: bool = False
    clock_ppm: int | None = None


@dataclass(frozen=True)
class SpinResult:
    """How a spin ended.

    The sector is the one that the motor believes in. What the arrow points to is for the camera
    to say: its reading counts.
    """

    sector: int
    label: str
    steps_lost: int
    at: float


@dataclass(frozen=True)
class Drawn:
    """A sector that was drawn, before the arrow moved."""

    sector: int
    label: str


#: What happened, and what to do.
HOME_TROUBLE = {
    HomeOutcome.NOT_FOUND: (
        say("The arrow turned more than once round, and its sensor saw no magnet."),
        say("See whether the arrow turns freely, and whether its magnet passes over the sensor."),
    ),
    HomeOutcome.CANCELLED: (
        say("The arrow was stopped while it looked for home."),
        say("Home it again."),
    ),
    HomeOutcome.LINK_LOST: (
        say("The box did not hear from this computer, and stopped the arrow."),
        say("See that the cable sits well, then home it again."),
    ),
}
SPIN_TROUBLE = {
    SpinOutcome.HOME_NOT_SEEN: (
        say("The arrow turned more than once round, and its sensor saw no magnet."),
        say(
            "See whether the arrow is held or stuck, then spin it again; or enter the number by "
            "hand."
        ),
    ),
    SpinOutcome.CANCELLED: (say("The arrow was stopped on its way."), say("Spin it again.")),
    SpinOutcome.LINK_LOST: (
        say("The box did not hear from this computer, and stopped the arrow."),
        say("See that the cable sits well, then spin it again."),
    ),
    SpinOutcome.TIME_LIMIT: (
        say("The arrow turned for its longest time and was stopped."),
        say("See whether something pushes it, then spin it again."),
    ),
}
