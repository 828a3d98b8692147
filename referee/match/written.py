"""A verdict as JSON values: for the journal, and for whoever reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from referee.games.game import MoveT
from referee.match.verdict import Verdict


def verdict_json(verdict: Verdict[MoveT], write: Callable[[MoveT], str]) -> dict[str, Any]:
    """All that a verdict says; `write` gives a move as text."""
    return {
        "outcome": verdict.outcome.value,
        "reason": None if verdict.reason is None else verdict.reason.code,
        "sentence": verdict.sentence,
        "remedy": verdict.remedy,
        "move": None if verdict.ruling is None else write(verdict.ruling),
        "findings": [
            {key: list(part) if isinstance(part, tuple) else part for key, part in each.items()}
            for each in map(asdict, verdict.findings)
        ],
        "missing": list(verdict.missing),
        "rivals": [write(move) for move in verdict.rivals],
        "tiles": list(verdict.tiles),
        "boards": list(verdict.boards),
        "counts": {zone: dict(sorted(labels.items())) for zone, labels in verdict.counts.items()},
        "rules": list(verdict.references),
    }
