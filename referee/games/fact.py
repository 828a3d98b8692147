"""A position taken apart into things that a person may set by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: What a fact is: one of its options, a number, or how many of each option.
FactValue = str | int | Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing of a position that a person may set by hand.

    `group` says under what it is listed: the match itself, or a seat. A value that is a text is one
    of `options`; a number goes from `least` to `most`; a mapping says how many there are, up to
    `most`, of each of the options, those of which there is none left out. Options are a value with
    its words. `zone` is where tiles that are counted lie, `colour` that of pieces that are counted
    by their field: there the camera's reading may be taken.
    """

    key: str
    group: str
    words: str
    value: FactValue
    options: tuple[tuple[str, str], ...] = ()
    least: int = 0
    most: int = 0
    zone: str = ""
    colour: str = ""

    def fits(self, value: FactValue) -> bool:
        """Whether this can be its value, be it possible or not."""
        known = {option for option, _ in self.options}
        if isinstance(self.value, str):
            return isinstance(value, str) and value in known
        if isinstance(self.value, Mapping):
            return (
                isinstance(value, Mapping)
                and set(value) <= known
                and all(0 <= number <= self.most for number in value.values())
            )
        return type(value) is int and self.least <= value <= self.most
