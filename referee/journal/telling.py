"""Events in words, for people who read a journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.journal.events import Cause, Event, Json

#: What fits in a line of an event whose kind has no words of its own.
_MOST = 160
#: Data that says nothing to a person.
_TECHNICAL = {"command", "claims", "position", "models", "round", "over", "evidence"}


def told(event: Event) -> str:
    """What happened, in a line; kinds that are not known are told with their data."""
    data: Mapping[str, Any] = event.data
    words = _WORDS.get(event.kind)
    text = words(data) if words else ""
    if not text:
        rest = _plain({key: value for key, value in data.items() if key not in _TECHNICAL})
        text = f"{event.kind}: {rest}" if rest else event.kind
    return " ".join(text.split())


def cause_words(cause: Cause) -> str:
    """Who caused an event."""
    return cause.who if cause.kind == "person" and cause.who else " ".join(_both(cause))


def _both(cause: Cause) -> tuple[str, ...]:
    """The kind of cause, and which one if that says more."""
    return (cause.kind,) if cause.who in ("", cause.kind) else (cause.kind, cause.who)


def _begin(data: Mapping[str, Any]) -> str:
    setup = _plain(data.get("setup") or {})
    return f"the match begins: {setup}" if setup else "the match begins"


def _move(data: Mapping[str, Any]) -> str:
    headline, *parts = map(str, data.get("told") or [data.get("text", "a move")])
    text = " ".join([f"{headline.rstrip('.')}{':' if parts else ''}", *parts])
    verdict = data.get("verdict") or {}
    if verdict.get("outcome") == "ruled":
        text += " [ruled by a person]"
    return text + _why(data)


def _undo(data: Mapping[str, Any]) -> str:
    return f"taken back to state {data.get('to', '?')}" + _why(data)


def _position(data: Mapping[str, Any]) -> str:
    return "the position was set by hand" + _why(data)


def _verdict(data: Mapping[str, Any]) -> str:
    verdict = data.get("verdict") or {}
    findings = [str(each.get("text", "")) for each in verdict.get("findings") or ()]
    missing = [str(each) for each in verdict.get("missing") or ()]
    said = [str(verdict.get("sentence") or ""), *findings, *missing]
    return f"{verdict.get('outcome', 'verdict')}: {' '.join(filter(None, said))}".rstrip(": ")


def _note(data: Mapping[str, Any]) -> str:
    text = data.get("text")
    return f"note: {text}" if text else ""


def _run(data: Mapping[str, Any]) -> str:
    software = data.get("software") or data
    version = software.get("version")
    return f"the program was started (version {version})" if version else ""


def _spin(data: Mapping[str, Any]) -> str:
    label = data.get("label")
    match data.get("stage"):
        case "running":
            return f"the arrow is to turn to {label}" if label else "the arrow is to turn"
        case "over":
            return f"the arrow stands; the motor believes at {label}"
        case _:
            return "the arrow was not turned" + _told_why(data)


def _glass(data: Mapping[str, Any]) -> str:
    hand = ", by hand" if data.get("by_hand") else ""
    match data.get("stage"):
        case "running":
            return f"the hourglass runs{hand}" + _told_why(data)
        case "over":
            return f"the hourglass has ended{hand}" + _told_why(data)
        case _:
            return "the hourglass does not run" + _told_why(data)


def _agrees(data: Mapping[str, Any]) -> str:
    return "the table is as it is on record"


def _decision(data: Mapping[str, Any]) -> str:
    return "the record is right" + _why(data)


def _correction(data: Mapping[str, Any]) -> str:
    was = data.get("was")
    read = f"a tile read as {was}" if was else "a tile that could not be read"
    return f"{read} shows {data.get('label', '?')}" + _why(data)


def _done(data: Mapping[str, Any]) -> str:
    return "nothing more will be done in this step"


def _buzzer(data: Mapping[str, Any]) -> str:
    return "a picture of the table was taken at the buzzer"


def _check(data: Mapping[str, Any]) -> str:
    results = data.get("results") or ()
    told = []
    for outcome in ("passed", "failed", "skipped"):
        steps = [str(each.get("step")) for each in results if each.get("outcome") == outcome]
        if steps:
            which = "" if outcome == "passed" else f" ({', '.join(steps)})"
            told.append(f"{len(steps)} {outcome}{which}")
    if not told:
        return ""
    return f"checked before the match: {', '.join(told)}; parts {str(data.get('parts'))[:12]}"


def _end(data: Mapping[str, Any]) -> str:
    return "the match was ended before its end" + _why(data)


def _review(data: Mapping[str, Any]) -> str:
    return "a review begins: the public screens stand still" + _why(data)


def _resume(data: Mapping[str, Any]) -> str:
    return "the review is over: the public screens go on" + _why(data)


_WORDS = {
    "agrees": _agrees,
    "begin": _begin,
    "buzzer": _buzzer,
    "check": _check,
    "correction": _correction,
    "decision": _decision,
    "done": _done,
    "end": _end,
    "glass": _glass,
    "move": _move,
    "resume": _resume,
    "review": _review,
    "undo": _undo,
    "position": _position,
    "verdict": _verdict,
    "note": _note,
    "run": _run,
    "spin": _spin,
}


def _why(data: Mapping[str, Any]) -> str:
    return f" (why: {data['reason']})" if data.get("reason") else ""


def _told_why(data: Mapping[str, Any]) -> str:
    return f": {data['why']}" if data.get("why") else ""


def _plain(value: Json) -> str:
    """A value in a few words."""
    if isinstance(value, Mapping):
        text = ", ".join(f"{key} {_plain(part)}" for key, part in value.items())
    elif isinstance(value, Sequence) and not isinstance(value, str):
        text = ", ".join(map(_plain, value))
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = "-" if value is None else str(value)
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"
