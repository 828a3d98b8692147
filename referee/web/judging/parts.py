"""One part of the referee as the diagnostics show it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

GOOD, DOUBTFUL, BAD, ABSENT = "good", "doubtful", "bad", "absent"


@dataclass
class Part:
    """One part: how it is, what that means, what to do, and its figures."""

    name: str
    title: str
    state: str = GOOD
    says: str = ""
    remedy: str = ""
    beat_s: float | None = None
    """Seconds since it last did something; None if it does only what it is asked for."""
    values: tuple[tuple[str, str | float | None], ...] = ()

    def json(self) -> Json:
        """As JSON; its sentences are still in all languages."""
        return {
            "part": self.name,
            "title": self.title,
            "state": self.state,
            "says": self.says,
            "remedy": self.remedy,
            "beat_s": None if self.beat_s is None else round(self.beat_s, 2),
            "values": [[words, value] for words, value in self.values],
        }


def alive(*names: str) -> bool:
    """Whether threads of these names run."""
    return set(names) <= {thread.name for thread in threading.enumerate()}


def rounded(value: float | None, digits: int) -> float | None:
    """A figure with so many digits; None if it is not known."""
    return None if value is None else round(float(value), digits)


def least(scores: Any) -> float | None:
    """The least of an array of scores; None if there is none."""
    return round(float(scores.min()), 3) if len(scores) else None
