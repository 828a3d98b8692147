"""What the program writes down as it runs: lines for people, or JSON lines for other programs.

Code anywhere logs through the standard library; `logger` gives one that also takes named values.
Neither PIN nor cookie, code or token ever comes into a line, whoever writes it.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import structlog
from structlog.stdlib import BoundLogger, ProcessorFormatter
from structlog.typing import EventDict, Processor, WrappedLogger

HIDDEN = "…"
#: Names of values that are never written down.
SECRETS = frozenset({"pin", "code", "cookie", "session", "token", "password", "authorization"})
#: What carries a secret in a longer text: a join link, a cookie, a header, a body of JSON.
_IN_TEXT = re.compile(
    r"""([?&]code=|\breferee(?:-\d+)?=|\bx-referee['"]?\s*[:=,]\s*b?['"]?|"""
    r"""['"]?\b(?:pin|token|code)['"]?\s*:\s*b?['"])([^\s&;,'"]+)""",
    re.IGNORECASE,
)
#: The password in the address of a camera or a broker.
_IN_ADDRESS = re.compile(r"(://[^/\s:@]*:)([^/\s@]+)(?=@)")

structlog.configure(
    processors=[structlog.stdlib.render_to_log_kwargs],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=BoundLogger,
)


def logger(name: str) -> BoundLogger:
    """A logger of the standard library that takes named values: `log.info("…", address=…)`."""
    found: BoundLogger = structlog.stdlib.get_logger(name)
    return found


@contextmanager
def written(*, as_json: bool = False, to: TextIO | None = None) -> Iterator[None]:
    """Writes everything from INFO on to `to`, else to the standard error, as long as it lasts."""
    stream = sys.stderr if to is None else to
    render: Processor
    if as_json:
        render = structlog.processors.JSONRenderer(ensure_ascii=False)
    else:
        colours = stream.isatty()
        render = structlog.dev.ConsoleRenderer(
            colors=colours, exception_formatter=structlog.dev.plain_traceback
        )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        ProcessorFormatter(
            foreign_pre_chain=[
                structlog.stdlib.add_logger_name,
                structlog.stdlib.add_log_level,
                structlog.stdlib.ExtraAdder(),
                _without_copies,
                structlog.processors.TimeStamper(fmt="iso", utc=as_json),
            ],
            processors=[
                ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                hide,
                render,
            ],
        )
    )
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before)


def _without_copies(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Without what other handlers left at a line: its text and its time, in their form."""
    return {key: value for key, value in event.items() if key not in ("message", "asctime")}


def hide(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Takes all secrets out of a line."""
    return {
        key: HIDDEN if key.lower() in SECRETS else _hidden(value) for key, value in event.items()
    }


def _hidden(value: Any) -> Any:
    if isinstance(value, str):
        return _IN_ADDRESS.sub(rf"\1{HIDDEN}", _IN_TEXT.sub(rf"\1{HIDDEN}", value))
    if isinstance(value, dict):
        return {
            key: HIDDEN if str(key).lower() in SECRETS else _hidden(each)
            for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [_hidden(each) for each in value]
    return value
