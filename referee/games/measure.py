"""What is counted of each seat in a match: for statistics that know no game by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that is counted of each seat.

    A `level` is read off a position, and matters as it changes over the rounds; anything else adds
    up move by move. `parts` are what it is made up of, as a key and its words; empty if it is one
    thing. `per` is the key of another measure that adds up: how many of this come on one of that is
    worth telling, such as what was paid for each statue.
    """

    key: str
    words: str
    level: bool = False
    parts: tuple[tuple[str, str], ...] = ()
    per: str = ""


@dataclass(frozen=True, slots=True)
class Amount:
    """So much of a measure at a seat; `part` is one of the measure's, if it has any."""

    measure: str
    seat: int
    number: int
    part: str = ""
