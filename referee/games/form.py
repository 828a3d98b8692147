"""An edition as a form: every value with what it is, what it may be, and where it is printed.

A game whose editions can be typed in has a module `form` with the functions of `FormMaker`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Entry:
    """One value; texts are for people.

    key: Its dotted name.
    title, description: What it is.
    allowed: What it may be, to stand after "must be".
    found: Where a person looks it up.
    kind: How it is typed: "whole", "length", "flag", "text", "choice", "wholes", "lengths",
        "lines" (texts, a line each) or "counts" (a number for each of `words`).
    low, high: The bounds of its numbers; 0 where it has none.
    fewest, most: How many items a list has.
    words: The words of a choice or of counts; `told` are the same for people.
    value: As the file has it; None if it is open.
    default: Whether the value is the usual one, which the file need not have.
    problem: What is wrong with the value; empty if nothing is.
    """

    key: str
    title: str
    description: str
    allowed: str
    found: str
    kind: str
    low: float = 0.0
    high: float = 0.0
    fewest: int = 0
    most: int = 0
    words: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    value: object = None
    default: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Entries that belong together; `problem` is what is wrong with several of them."""

    title: str
    entries: tuple[Entry, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """A whole edition, complete or not."""

    sections: tuple[Section, ...]

    @property
    def open(self) -> int:
        """How many values are open."""
        return sum(each.value is None for part in self.sections for each in part.entries)

    @property
    def faults(self) -> int:
        """How many values, or groups of them, are wrong."""
        wrong = [each.problem for part in self.sections for each in part.entries]
        return sum(map(bool, (*wrong, *(part.problem for part in self.sections))))

    @property
    def complete(self) -> bool:
        """Whether it can be played with."""
        return not self.open and not self.faults


class FormMaker(Protocol):
    """What a game's module `form` offers."""

    def names(self) -> tuple[str, ...]:
        """The editions that come with the program."""

    def table(self, text: str) -> dict[str, Any]:
        """An edition's file as a table, right or wrong; raises ValueError if it is none."""

    def form(self, table: Mapping[str, Any]) -> Form:
        """The form of a table, with everything that is wrong with it."""

    def entered(self, table: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
        """The table with values entered by key; None leaves one open.

        Raises ValueError for a key that is not in the form.
        """
