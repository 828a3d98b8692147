"""Which states of a match still count: those that were taken back since do not."""

from __future__ import annotations

from typing import Any

from referee.journal import Event


class Lineage:
    """Follows the states of a match event by event."""

    def __init__(self) -> None:
        self._origins: list[int] = []
        """The state that each was first: an earlier one where somebody went back to it."""

    def add(self, event: Event) -> None:
        """The next event of the record."""
        if event.kind in ("begin", "move", "position"):
            self._origins.append(len(self._origins))
        elif event.kind == "undo":
            data: Any = event.data
            self._origins.append(self._origins[data["to"]])

    def first(self, state: int) -> int:
        """The state that one was first."""
        return self._origins[state] if 0 <= state < len(self._origins) else state

    def holding(self) -> frozenset[int]:
        """The states that led to the one that holds, and that one, each as it was first."""
        if not self._origins:
            return frozenset()
        states = [self._origins[-1]]
        while states[-1] > 0:
            states.append(self._origins[states[-1] - 1])
        return frozenset(states)
