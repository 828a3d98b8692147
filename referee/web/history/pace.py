"""How long a match and its steps took, and how its questions to the table ended."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from referee.games.said import Said, say
from referee.journal import Event

Json = dict[str, Any]

#: How a question to the table ended, in the order in which that is told.
OUTCOMES: dict[str, Said] = {
    "confirmed": say("Confirmed from the picture"),
    "ruled": say("Decided by people"),
    "inconclusive": say("Not certain yet"),
    "out-of-sync": say("Table and record differed"),
    "degraded": say("Camera unfit"),
}


@dataclass
class Pace:
    """Follows one match event by event.

    Time during which the program did not run is a break, and counts nowhere.
    """

    _last: float | None = None
    _lasted: float = 0.0
    _since: float = 0.0
    _steps: dict[str, tuple[str, list[float]]] = field(default_factory=dict)
    _outcomes: Counter[str] = field(default_factory=Counter)
    _corrections: int = 0

    def add(self, event: Event) -> None:
        """The next event."""
        if self._last is not None and event.kind != "run":
            # A clock that was set back counts nothing.
            self._lasted += max(0.0, event.at - self._last)
        self._last = event.at
        data: Any = event.data
        if event.kind in ("move", "verdict"):
            self._outcomes[str((data.get("verdict") or {}).get("outcome"))] += 1
        self._corrections += event.kind == "correction"

    def stepped(self, key: str, title: str) -> None:
        """The match has left a step, which `title` names."""
        self._steps.setdefault(key, (title, []))[1].append(self._lasted - self._since)
        self._since = self._lasted

    @property
    def lasted(self) -> float:
        """Seconds that were played."""
        return self._lasted

    def steps(self) -> list[Json]:
        """How often each step came, and the seconds that it took; in the order they came first."""
        return [
            {
                "title": title,
                "times": len(seconds),
                "median": round(median(seconds), 1),
                "longest": round(max(seconds), 1),
                "total": round(sum(seconds), 1),
            }
            for title, seconds in self._steps.values()
        ]

    def outcomes(self) -> list[Json]:
        """How many questions ended in which way; and tiles that people read for the camera."""
        told = [
            {"outcome": outcome, "words": words, "times": self._outcomes[outcome]}
            for outcome, words in OUTCOMES.items()
        ]
        corrected = say("Tiles corrected by people")
        return [*told, {"outcome": "corrected", "words": corrected, "times": self._corrections}]
