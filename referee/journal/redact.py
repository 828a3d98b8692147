"""Leaves people's names out of what is exported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from referee.journal.events import Cause, Event, Json
from referee.journal.header import people_of

Redactor = Callable[[str], str]

#: Who may have decided, without being named.
_ROLES = {"host", "judge", "player", "referee", "button", "table"}


def redactor(header: Mapping[str, Json], events: Iterable[Event]) -> Redactor:
    """Puts "player 1" or "judge 1" for each name that a journal knows, wherever it stands.

    It knows those who play from the header, and those who decided from the events' causes. A name
    that is the game's own word for that seat is none. Somebody whom a free text mentions, and who
    neither plays nor decided, is not known.
    """
    seats = people_of(header)
    aliases: dict[str, str] = {}
    for number, (seat, name) in enumerate(seats.items(), 1):
        if name.strip() and name.casefold() != seat.casefold():
            aliases[name.strip().casefold()] = f"player {number}"
    words = _ROLES | {seat.casefold() for seat in seats}
    judges = 0
    for event in events:
        who = event.cause.who.strip().casefold()
        if event.cause.kind == "person" and who and who not in aliases and who not in words:
            judges += 1
            aliases[who] = f"judge {judges}"
    if not aliases:
        return lambda text: text
    names = "|".join(re.escape(name) for name in sorted(aliases, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE)
    return lambda text: pattern.sub(
        lambda found: aliases.get(found[0].casefold(), "somebody"), text
    )


def redacted(event: Event, redact: Redactor) -> Event:
    """The event without names; without a hash too, from which they could be guessed."""
    cause = Cause(event.cause.kind, redact(event.cause.who))
    data = {redact(key): without_names(value, redact) for key, value in event.data.items()}
    return replace(event, cause=cause, data=data, hash="")


def without_names(value: Json, redact: Redactor) -> Json:
    """The same value with each text redacted."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {redact(key): without_names(part, redact) for key, part in value.items()}
    if isinstance(value, Sequence):
        return [without_names(part, redact) for part in value]
    return value
