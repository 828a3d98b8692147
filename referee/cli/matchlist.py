"""How `referee match list` shows a match."""

from __future__ import annotations

import contextlib
import time
from typing import Any

from referee.journal import Found, JournalError, Pictures, evidence_path, people_of, told
from referee.journal.export import iso_time
from referee.journal.pictures import DAY_S


def found_json(found: Found) -> dict[str, Any]:
    """What a list says of a match, as JSON values."""
    kept = None
    with contextlib.suppress(JournalError):
        if (evidence := evidence_path(found.path)).exists():
            with Pictures(evidence) as pictures:
                kept = pictures.keep_for
    return {
        "id": found.id,
        "path": str(found.path),
        "created": iso_time(found.created),
        "game": found.header.get("game"),
        "edition": found.header.get("edition"),
        "people": people_of(found.header),
        "events": found.events,
        "round": found.round,
        "last": None if found.last is None else told(found.last),
        "finished": found.finished,
        "pictures_kept_days": None if kept is None else round(kept / DAY_S, 3),
        "trouble": found.trouble or None,
    }


def found_words(found: Found) -> str:
    """The same in lines for people."""
    answer = found_json(found)
    seats = ", ".join(f"{seat} {name}".strip() for seat, name in answer["people"].items())
    first = f"{found.id}  {local_date(found.created)}  {answer['game'] or 'unreadable'}"
    lines = [first + (f" ({seats})" if seats else "")]
    how = "finished" if found.finished else "not finished"
    where = f", round {found.round}" if found.round is not None else ""
    lines.append(f"    {how}{where}: {answer['last'] or 'nothing happened yet'}")
    if answer["pictures_kept_days"] is not None:
        days = answer["pictures_kept_days"]
        lines.append(f"    its pictures are deleted {days:g} days after they were taken")
    if found.trouble:
        lines[1:] = [f"    {found.trouble}"]
    return "\n".join(lines)


def local_date(at: float) -> str:
    """UTC seconds as people here write a day and a time."""
    return time.strftime("%d %b %Y %H:%M", time.localtime(at))
