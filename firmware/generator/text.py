"""Text in lines of a width."""

from __future__ import annotations

from collections.abc import Iterator


def in_unit(unit: str) -> str:
    """Returns the unit in brackets, or nothing."""
    return f" ({unit})" if unit else ""


def docstring(first: str, rest: list[str] | None = None) -> Iterator[str]:
    """Yields a class's docstring: the first sentence alone, then the rest."""
    summary, _, more = first.partition(". ")
    body = [summary + "." if more else summary]
    if more:
        body += ["", *wrapped(more, "", 95)]
    body += rest or []
    if len(body) == 1:
        yield f'    """{body[0]}"""'
        return
    yield f'    """{body[0]}'
    yield from (f"    {line}".rstrip() for line in body[1:])
    yield '    """'


def wrapped(text: str, prefix: str, width: int, hanging: str = "") -> Iterator[str]:
    """Yields `text` in lines of at most `width`, each begun with `prefix`."""
    line = prefix.rstrip()
    for word in text.split():
        if len(line) + 1 + len(word) > width:
            yield line
            line = prefix + hanging + word
        else:
            line = f"{line} {word}" if line else word
    yield line
