"""What the box and its link tell by themselves."""

from __future__ import annotations

from dataclasses import dataclass

from referee.box.errors import BoxError
from referee.box.protocol import Event, HelloReply


@dataclass(frozen=True, slots=True)
class Told:
    """The box told an event. `at`: when it was, by the clock of the camera's frames (s)."""

    event: Event
    at: float


@dataclass(frozen=True, slots=True)
class Connected:
    """The box speaks. `warning`: what is odd about its firmware, empty if nothing is."""

    hello: HelloReply
    warning: str


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The box is gone, and is looked for. Told once for each loss."""

    error: BoxError


@dataclass(frozen=True, slots=True)
class StateLost:
    """The box was reset: it has forgotten all but a running hourglass. Told once for each reset."""

    hello: HelloReply


@dataclass(frozen=True, slots=True)
class EventsMissed:
    """Events went to another program that spoke to the box meanwhile; `count` of them."""

    count: int


Happening = Told | Connected | Disconnected | StateLost | EventsMissed
