"""What the table screen shows, as the publisher tells it."""

from __future__ import annotations

from typing import Any

from referee.games.said import say

NO_MATCH: dict[str, Any] = {
    "audience": "table", "state": -1, "seq": 0, "title": "", "review": False,
}  # fmt: skip
PLAYING: dict[str, Any] = {
    "audience": "table",
    "match": "2026-05-01-1830-bbbb",
    "state": 3,
    "seq": 9,
    "title": "Toy",
    "review": False,
    "round": 2,
    "over": False,
    "step": {
        "phase": "raid", "title": say("Tumults"), "instruction": "", "rule": "2",
        "actors": ["Red", "Blue"],
    },
    "device": {"kind": "glass", "stage": "running", "seconds": 20.0, "end": 1_777_660_200.6},
    "last": {"kind": "confirmed", "headline": "spin 2", "sentences": ["Two."], "rules": ["1"]},
    "tiles": {"frame": 7, "tiles": [{"tile": 1, "label": "a"}]},
    "troubles": [],
}  # fmt: skip
