"""The edition as a form, made from its schema."""

from __future__ import annotations

import copy
import dataclasses
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, get_type_hints

from referee.games.form import Entry, Form, Section
from referee.games.said import joined, say
from referee.games.tumult_royale.edition import Edition, edition_names
from referee.games.tumult_royale.schema import (
    Counts,
    EditionError,
    Flag,
    Kind,
    Length,
    OneOf,
    Row,
    Text,
    Value,
    Whole,
    fault_of,
    read,
    unfit,
)
from referee.games.tumult_royale.words import COMMODITY_WORDS

_TITLES: Mapping[str, str] = {
    "": say("The copy"),
    "tiles.plain": say("Tiles with a plain frame"),
    "tiles.grey": say("Tiles with a grey frame"),
    "tiles.black": say("Tiles with a black frame"),
    "costs": say("Costs of fields"),
    "chronicle": say("Royal chronicle"),
    "setup.two": say("Setup of two players"),
    "setup.three": say("Setup of three players"),
    "setup.four": say("Setup of four players"),
    "numbers": say("Numbers of the rules"),
    "rulings": say("Where the rules are silent"),
    "sizes": say("Sizes"),
}
#: The words of choices and counts, for people.
_WORDS: Mapping[str, str] = {
    "always": say("always"),
    "asked": say("each is asked"),
    "all": say("all"),
    "none": say("nothing, or nobody"),
    "forbidden": say("not allowed"),
    "place_rest": say("allowed: with the rest"),
    "as_many": say("as many as there are"),
    "illegal": say("against the rules"),
    "advisory": say("allowed, but pointed out"),
    "at_once": say("at once"),
    "end_of_phase": say("when the phase ends"),
    **COMMODITY_WORDS,
}


def names() -> tuple[str, ...]:
    """The editions that come with the program."""
    return edition_names()


def table(text: str) -> dict[str, Any]:
    """An edition's file as a table, whatever is wrong with it; raises ValueError if it is none."""
    return tomllib.loads(text)


def form(table: Mapping[str, Any]) -> Form:
    """The form of a table, with everything that is wrong with it."""
    problems: dict[str, str] = {}
    try:
        read(Edition, table)
    except EditionError as error:
        problems = dict(map(fault_of, error.problems))
    sections = []
    for prefix, fields in _sections(Edition, ""):
        made = tuple(_entry(prefix, field, table, problems) for field in fields)
        unplaced = {key: text for key, text in problems.items() if key == prefix and key}
        told = joined(list(unplaced.values()), " ") if unplaced else ""
        sections.append(Section(_TITLES[prefix], made, told))
    return Form(tuple(sections))


def entered(table: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The table with values entered by key; None leaves one open.

    Raises ValueError for a key that is not in the form.
    """
    known = {
        _key(prefix, field.name) for prefix, fields in _sections(Edition, "") for field in fields
    }
    made: dict[str, Any] = copy.deepcopy(dict(table))
    for key, raw in values.items():
        if key not in known:
            raise ValueError(say("An edition has no value {key}.", key=key))
        *path, name = key.split(".")
        at = made
        for part in path:
            at = at.setdefault(part, {})
        if raw is None:
            at.pop(name, None)
        else:
            at[name] = raw
    return made


def _sections(
    section: type[Any], prefix: str
) -> Iterator[tuple[str, list[dataclasses.Field[Any]]]]:
    """Each section that has values of its own, with its dotted name."""
    fields, hints = dataclasses.fields(section), get_type_hints(section)
    own = [field for field in fields if "value" in field.metadata]
    if own:
        yield prefix, own
    for field in fields:
        if "value" not in field.metadata:
            yield from _sections(hints[field.name], _key(prefix, field.name))


def _key(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name


def _entry(
    prefix: str,
    field: dataclasses.Field[Any],
    table: Mapping[str, Any],
    problems: Mapping[str, str],
) -> Entry:
    declared: Value = field.metadata["value"]
    key = _key(prefix, field.name)
    raw = _at(table, key)
    usual = field.default is not dataclasses.MISSING
    problem = problems.get(key, "")
    if raw is not None and not problem:
        problem = _wrong(declared.kind, raw)
    return Entry(
        key=key,
        title=declared.title,
        description=declared.description,
        allowed=declared.kind.allowed,
        found=declared.found,
        value=field.default if raw is None and usual else raw,
        default=raw is None and usual,
        problem=problem,
        **_typed(declared.kind),
    )


def _wrong(kind: Kind, raw: object) -> str:
    """Why a value is not allowed; empty if it is."""
    try:
        kind.read(raw)
    except ValueError:
        return unfit(kind, raw)
    return ""


def _at(table: Mapping[str, Any], key: str) -> Any:
    at: Any = table
    for part in key.split("."):
        if not isinstance(at, Mapping) or part not in at:
            return None
        at = at[part]
    return at


def _typed(kind: Kind) -> dict[str, Any]:
    """How a kind of value is typed, and its bounds."""
    match kind:
        case Whole(low, high):
            return {"kind": "whole", "low": low, "high": high}
        case Length(low, high):
            return {"kind": "length", "low": low, "high": high}
        case Flag():
            return {"kind": "flag"}
        case Text(longest):
            return {"kind": "text", "most": longest}
        case OneOf(words):
            return {"kind": "choice", "words": words, "told": _told(words)}
        case Counts(words, high):
            return {"kind": "counts", "words": words, "told": _told(words), "high": high}
        case Row(item, fewest, most):
            of = {"whole": "wholes", "length": "lengths"}
            inner = _typed(item)
            kind_of = of.get(inner["kind"], "lines")
            return {**inner, "kind": kind_of, "fewest": fewest, "most": most}
    return {"kind": "text"}


def _told(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_WORDS.get(word, word) for word in words)
