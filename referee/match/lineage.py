"""Which states of a match still count: those that were taken back since do not."""

from __future__ import annotations

from typing import Any

from referee.journal import Event

#: For each state of a match the state that it was first: an earlier one where somebody went back.
Origins = tuple[int, ...]


def origins_after(origins: Origins, event: Event) -> Origins:
    """The origins after one more event of the record."""
    if event.kind in ("begin", "move", "position"):
        return (*origins, len(origins))
    if event.kind == "undo":
        data: Any = event.data
        return (*origins, origins[data["to"]])
    return origins


def lineage(origins: Origins) -> list[int]:
    """The states that led to the one that holds, and that one, each as it was first; newest first.

    Empty before the match has begun.
    """
    states = list(origins[-1:])
    while states and states[-1] > 0:
        states.append(origins[states[-1] - 1])
    return states
