"""Events in words, for people who read a journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.said import joined, say
from referee.heard import heard
from referee.journal.events import Cause, Event, Json

#: What fits in a line of an event whose kind has no words of its own.
_MOST = 160
#: Data that says nothing to a person.
_TECHNICAL = {"command", "claims", "position", "models", "round", "over", "evidence"}


def told(event: Event) -> str:
    """What happened, in a line; kinds that are not known are told with their data.

    Sentences of the program that the event quotes can be told in German again; what people wrote
    stays as it is.
    """
    data: Mapping[str, Any] = event.data
    words = _WORDS.get(event.kind)
    if text := words(data) if words else "":
        return text
    rest = _plain({key: value for key, value in data.items() if key not in _TECHNICAL})
    return _line(f"{event.kind}: {rest}" if rest else event.kind)


def cause_words(cause: Cause) -> str:
    """Who caused an event."""
    if cause.kind == "person" and cause.who:
        return cause.who
    kind = _CAUSES.get(cause.kind, cause.kind)
    return kind if cause.who in ("", cause.kind) else joined([kind, cause.who])


_CAUSES: Mapping[str, str] = {
    "person": say("person"),
    "referee": say("referee"),
    "camera": say("camera"),
    "box": say("box"),
}


def _begin(data: Mapping[str, Any]) -> str:
    setup = _line(_plain(data.get("setup") or {}))
    return say("the match begins: {setup}", setup=setup) if setup else say("the match begins")


def _move(data: Mapping[str, Any]) -> str:
    text = joined([_quoted(part) for part in data.get("told") or [data.get("text", "?")]])
    verdict = data.get("verdict") or {}
    if verdict.get("outcome") == "ruled":
        text = say("{what} [ruled by a person]", what=text)
    return _why(text, data)


def _undo(data: Mapping[str, Any]) -> str:
    return _why(say("taken back to state {state}", state=_line(data.get("to", "?"))), data)


def _position(data: Mapping[str, Any]) -> str:
    return _why(say("the position was set by hand"), data)


def _verdict(data: Mapping[str, Any]) -> str:
    verdict = data.get("verdict") or {}
    findings = [each.get("text", "") for each in verdict.get("findings") or ()]
    said = [verdict.get("sentence") or "", *findings, *(verdict.get("missing") or ())]
    outcome = str(verdict.get("outcome", ""))
    what = _OUTCOMES.get(outcome, outcome) or say("verdict")
    why = joined([_quoted(text) for text in said if text])
    return joined([what, why], ": ") if why else what


_OUTCOMES: Mapping[str, str] = {
    "confirmed": say("confirmed"),
    "inconclusive": say("inconclusive"),
    "out-of-sync": say("out-of-sync"),
    "degraded": say("degraded"),
    "ruled": say("ruled"),
}


def _note(data: Mapping[str, Any]) -> str:
    text = data.get("text")
    return say("note: {text}", text=_line(text)) if text else ""


def _run(data: Mapping[str, Any]) -> str:
    software = data.get("software") or data
    version = software.get("version")
    if not version:
        return ""
    return say("the program was started (version {version})", version=_line(version))


def _spin(data: Mapping[str, Any]) -> str:
    label = _line(data.get("label") or "")
    match data.get("stage"):
        case "running" if label:
            return say("the arrow is to turn to {label}", label=label)
        case "running":
            return say("the arrow is to turn")
        case "over":
            return say("the arrow stands; the motor believes at {label}", label=label)
        case _:
            return _told_why(say("the arrow was not turned"), data)


def _glass(data: Mapping[str, Any]) -> str:
    match data.get("stage"), bool(data.get("by_hand")):
        case "running", False:
            text = say("the hourglass runs")
        case "running", True:
            text = say("the hourglass runs, by hand")
        case "over", False:
            text = say("the hourglass has ended")
        case "over", True:
            text = say("the hourglass has ended, by hand")
        case _:
            text = say("the hourglass does not run")
    return _told_why(text, data)


def _agrees(data: Mapping[str, Any]) -> str:
    return say("the table is as it is on record")


def _decision(data: Mapping[str, Any]) -> str:
    return _why(say("the record is right"), data)


def _correction(data: Mapping[str, Any]) -> str:
    label = _line(data.get("label", "?"))
    if was := data.get("was"):
        text = say("a tile read as {was} shows {label}", was=_line(was), label=label)
    else:
        text = say("a tile that could not be read shows {label}", label=label)
    return _why(text, data)


def _done(data: Mapping[str, Any]) -> str:
    return say("nothing more will be done in this step")


def _buzzer(data: Mapping[str, Any]) -> str:
    return say("a picture of the table was taken at the buzzer")


def _check(data: Mapping[str, Any]) -> str:
    results = data.get("results") or ()

    def steps(outcome: str) -> list[str]:
        return [_line(each.get("step")) for each in results if each.get("outcome") == outcome]

    told: list[str] = []
    if passed := steps("passed"):
        told.append(say("{n} passed", n=len(passed)))
    if failed := steps("failed"):
        told.append(say("{n} failed ({steps})", n=len(failed), steps=joined(failed, ", ")))
    if skipped := steps("skipped"):
        told.append(say("{n} skipped ({steps})", n=len(skipped), steps=joined(skipped, ", ")))
    if not told:
        return ""
    return say(
        "checked before the match: {results}; parts {parts}",
        results=joined(told, ", "),
        parts=str(data.get("parts"))[:12],
    )


def _end(data: Mapping[str, Any]) -> str:
    return _why(say("the match was ended before its end"), data)


def _review(data: Mapping[str, Any]) -> str:
    return _why(say("a review begins: the public screens stand still"), data)


def _resume(data: Mapping[str, Any]) -> str:
    return _why(say("the review is over: the public screens go on"), data)


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


def _why(text: str, data: Mapping[str, Any]) -> str:
    """The text with the reason that a person gave."""
    if not data.get("reason"):
        return text
    return say("{what} (why: {reason})", what=text, reason=_line(data["reason"]))


def _told_why(text: str, data: Mapping[str, Any]) -> str:
    """The text with the reason that the program had."""
    return joined([text, _quoted(data["why"])], ": ") if data.get("why") else text


def _line(value: object) -> str:
    """What was recorded, on one line."""
    return " ".join(str(value).split())


def _quoted(value: object) -> str:
    """What the program said and wrote down."""
    return heard(_line(value))


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
