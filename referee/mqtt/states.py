"""What is told of a match: from the document that the public table screen shows, and no more."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from referee.games.said import say
from referee.words import localised

Json = dict[str, Any]

#: What Home Assistant takes for "not known".
UNKNOWN = "None"
ON, OFF = "ON", "OFF"
NO_VERDICT = "none"
#: How the open question, or the last move, may have ended.
OUTCOMES = (NO_VERDICT, "confirmed", "ruled", "inconclusive", "out-of-sync", "degraded")

_NO_MATCH, _OVER = say("No match"), say("Finished")


def states(document: Json, language: str) -> dict[str, str]:
    """The payload of each topic below the prefix; all of them, always."""
    shown: Json = localised({**document, "no": _NO_MATCH, "ended": _OVER}, language)
    running = bool(shown.get("match")) and not shown.get("over")
    step = shown.get("step") or {}
    if not shown.get("match"):
        phase = shown["no"]
    else:
        phase = step.get("title") or step.get("phase") or shown["ended"]
    outcome, details = _verdict(shown)
    troubles = [str(each["text"]) for each in shown.get("troubles") or ()]
    return {
        "match": ON if running else OFF,
        "phase": phase,
        "turn": ", ".join(map(str, step.get("actors") or ())) or UNKNOWN,
        "round": str(shown["round"]) if shown.get("match") else UNKNOWN,
        "timer_end": _end(shown),
        "verdict": outcome,
        "verdict/details": _json(details),
        "review": ON if shown.get("review") else OFF,
        "trouble": ON if troubles else OFF,
        "trouble/details": _json({"troubles": troubles}),
    }


def _verdict(shown: Json) -> tuple[str, Json]:
    """The open question of the table; if there is none, how the last move came about."""
    asked = shown.get("verdict")
    told = asked or shown.get("last") or {}
    outcome = str(told.get("outcome" if asked else "kind") or NO_VERDICT)
    sentences: Iterable[str] = (
        [each["text"] for each in told.get("findings") or ()] if asked else told.get("sentences")
    ) or ()
    details = {
        "headline": str(told.get("headline") or ""),
        "sentences": list(sentences),
        "remedy": str(told.get("remedy") or ""),
        "rules": list(told.get("rules") or ()),
    }
    return (outcome if outcome in OUTCOMES else NO_VERDICT), details


def _end(shown: Json) -> str:
    """When the hourglass ends, as a date and time."""
    end = (shown.get("device") or {}).get("end")
    if end is None:
        return UNKNOWN
    return datetime.fromtimestamp(float(end), UTC).isoformat(timespec="seconds")


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
