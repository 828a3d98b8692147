"""The newest lines of the log, for the page that shows what went wrong."""

from __future__ import annotations

import logging
from collections import deque
from typing import Any

Json = dict[str, Any]

#: So many lines are kept.
MOST = 200
#: The longest line that is shown (characters).
_LONGEST = 600


class Tail(logging.Handler):
    """Keeps the newest lines."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: deque[Json] = deque(maxlen=MOST)

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps a line; what an exception was is its last line."""
        text = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            text = f"{text} ({record.exc_info[1]!r})"
        self.lines.append(
            {
                "at": record.created,
                "level": record.levelname.lower(),
                "name": record.name,
                "text": text[:_LONGEST],
            }
        )


_TAIL = Tail()


def tail() -> list[Json]:
    """The newest lines of the log, newest last; kept from the first time that somebody asks."""
    root = logging.getLogger()
    if _TAIL not in root.handlers:
        root.addHandler(_TAIL)
    return list(_TAIL.lines)
