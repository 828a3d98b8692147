"""Reads a data file into frozen dataclasses whose fields say what they are and what they may be.

Every field of a section is declared with `value(…)`: title, description, the kind of value with
its bounds, and where a person finds it. The same declaration validates the file, names what is
missing and can feed a settings page.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, get_type_hints

from referee.games.said import Said, either, joined, listed, say

T = TypeVar("T")


class EditionError(ValueError):
    """An edition file that can't be used; `problems` has one sentence for each fault."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__(joined(problems, "\n"))


class Kind(Protocol):
    """What a value may be."""

    @property
    def allowed(self) -> str:
        """The permitted values, to stand after "must be"."""

    def read(self, raw: object) -> object:
        """The value in its own type; raises ValueError if `raw` is not allowed."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number."""

    low: int
    high: int

    @property
    def allowed(self) -> str:
        """The bounds."""
        return say("a whole number from {low} to {high}", low=self.low, high=self.high)

    def read(self, raw: object) -> int:
        """An int; True and 1.0 are none."""
        if not isinstance(raw, int) or isinstance(raw, bool) or not self.low <= raw <= self.high:
            raise ValueError
        return raw


@dataclass(frozen=True, slots=True)
class Length:
    """A length in mm."""

    low: float
    high: float

    @property
    def allowed(self) -> str:
        """The bounds."""
        low, high = f"{self.low:g}", f"{self.high:g}"
        return say("a length from {low} to {high} mm", low=low, high=high)

    def read(self, raw: object) -> float:
        """A float; whole numbers are welcome."""
        if not isinstance(raw, int | float) or isinstance(raw, bool):
            raise ValueError  # noqa: TRY004 -- one kind of error for all that is not allowed
        if not self.low <= raw <= self.high:
            raise ValueError
        return float(raw)


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    allowed: str = say("true or false")

    def read(self, raw: object) -> bool:
        """A bool."""
        if not isinstance(raw, bool):
            raise ValueError  # noqa: TRY004
        return raw


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text."""

    longest: int

    @property
    def allowed(self) -> str:
        """The bounds."""
        return say("a text of 1 to {longest} characters on one line", longest=self.longest)

    def read(self, raw: object) -> str:
        """A str."""
        if not isinstance(raw, str) or not 1 <= len(raw) <= self.longest or "\n" in raw:
            raise ValueError
        return raw


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """The words."""
        return either([f'"{word}"' for word in self.words])

    def read(self, raw: object) -> str:
        """A str."""
        if raw not in self.words:
            raise ValueError
        return str(raw)


@dataclass(frozen=True, slots=True)
class Row:
    """A list whose items are all of one kind."""

    item: Kind
    fewest: int
    most: int

    @property
    def allowed(self) -> str:
        """The bounds."""
        if self.fewest == self.most:
            return say("a list of {n} items, each {item}", n=self.most, item=self.item.allowed)
        return say(
            "a list of {fewest} to {most} items, each {item}",
            fewest=self.fewest,
            most=self.most,
            item=self.item.allowed,
        )

    def read(self, raw: object) -> tuple[Any, ...]:
        """A tuple."""
        if not isinstance(raw, list | tuple) or not self.fewest <= len(raw) <= self.most:
            raise ValueError
        return tuple(self.item.read(item) for item in raw)


@dataclass(frozen=True, slots=True)
class Counts:
    """A table of words with a whole number each; a word left out counts 0."""

    words: tuple[str, ...]
    high: int

    @property
    def allowed(self) -> str:
        """The bounds."""
        return say(
            "a table of {words}, each from 0 to {high}, not all of them 0",
            words=listed(self.words),
            high=self.high,
        )

    def read(self, raw: object) -> tuple[int, ...]:
        """The numbers in the order of the words."""
        if not isinstance(raw, dict) or not set(raw) <= set(self.words):
            raise ValueError
        numbers = tuple(Whole(0, self.high).read(raw.get(word, 0)) for word in self.words)
        if not any(numbers):
            raise ValueError
        return numbers


@dataclass(frozen=True, slots=True)
class Value:
    """What a field of a section is; `found` says where a person looks it up."""

    title: str
    description: str
    kind: Kind
    found: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that is left open."""

    key: str
    value: Value

    def __str__(self) -> str:
        return joined([f"{self.key} ({self.value.title})", self.where], ": ")

    @property
    def where(self) -> str:
        """Where a person looks it up."""
        return self.value.found or say("not printed; see the description")


def fault(key: str, text: str) -> str:
    """What is wrong with the value of a key; `fault_of` takes it apart."""
    return say("{key}: {text}", key=key, text=text)


def fault_of(problem: str) -> tuple[str, str]:
    """The key that a problem is at, empty if it is at none, and what is wrong."""
    if isinstance(problem, Said) and problem.template == "{key}: {text}":
        return str(problem.arguments["key"]), str(problem.arguments["text"])
    return "", problem


def unfit(kind: Kind, raw: object) -> str:
    """Why a value is not allowed."""
    return say("is {got}; must be {allowed}", got=repr(raw), allowed=kind.allowed)


def value(
    title: str, description: str, kind: Kind, found: str = "", default: object = dataclasses.MISSING
) -> Any:
    """Declares a field of a section; one without a default stays open where a file lacks it."""
    meta = {"value": Value(title, description, kind, found)}
    return dataclasses.field(default=default, metadata=meta)


def walk(section: type[Any], prefix: str = "") -> Iterator[tuple[str, Value]]:
    """Every declared value of a section and its sections, with its dotted key."""
    hints = get_type_hints(section)
    for field in dataclasses.fields(section):
        if "value" in field.metadata:
            yield f"{prefix}{field.name}", field.metadata["value"]
        else:
            yield from walk(hints[field.name], f"{prefix}{field.name}.")


def read(section: type[T], table: Mapping[str, object]) -> tuple[T | None, tuple[Missing, ...]]:
    """Builds a section from a parsed file; None with what is missing if values are open.

    Raises EditionError naming every unknown key, wrong type and value out of bounds.
    """
    problems: list[str] = []
    missing: list[Missing] = []
    made = _read(section, table, "", problems, missing)
    if problems:
        raise EditionError(tuple(problems))
    return (None if missing else made), tuple(missing)


def _read(
    section: type[T],
    table: Mapping[str, object],
    prefix: str,
    problems: list[str],
    missing: list[Missing],
) -> T | None:
    hints = get_type_hints(section)
    fields = {field.name: field for field in dataclasses.fields(section)}  # type: ignore[arg-type]
    problems += [
        fault(f"{prefix}{key}", say("unknown key; allowed here: {keys}", keys=", ".join(fields)))
        for key in table
        if key not in fields
    ]
    values: dict[str, object] = {}
    for name, field in fields.items():
        key = f"{prefix}{name}"
        if "value" not in field.metadata:
            inner = table.get(name, {})
            if isinstance(inner, dict):
                values[name] = _read(hints[name], inner, f"{key}.", problems, missing)
            else:
                problems.append(
                    fault(key, say("is {got}; must be a table [{key}]", got=repr(inner), key=key))
                )
            continue
        declared: Value = field.metadata["value"]
        if name not in table:
            if field.default is dataclasses.MISSING:
                missing.append(Missing(key, declared))
            continue
        try:
            values[name] = declared.kind.read(table[name])
        except ValueError:
            problems.append(fault(key, unfit(declared.kind, table[name])))
    return None if problems or missing else section(**values)
