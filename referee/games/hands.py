"""What players' hands do at a table, as a script that a simulation acts out.

A game's hands yield `Deed`s and are sent what the referee's `Screen` says of each. They know what
truly lies there; nobody else may.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import Enum

from referee.games.table import Placement


class Slip(Enum):
    """How clumsy hands lay things."""

    OVERLAP = "overlap"
    """One tile lies partly on another."""
    HALF_OUT = "half-out"
    """The middle of one tile of a zone lies in no zone."""
    BETWEEN = "between"
    """One standing piece of a field stands astride its edge."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button pressed, or something entered: `do` is a word of the match's commands."""

    do: str
    text: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Cheat:
    """A breach of the rules; an accusation is right if it gives nothing but these `reasons`.

    `missing`: that tiles are missing is told without accusing anybody, and is as right.
    """

    kind: str
    seat: int
    reasons: frozenset[str]
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that hands do, then wait for the referee.

    `move` is what it truly amounts to, `after` the position that it leads to, both in the game's
    notation; None if it is no move yet, or a breach. `remarks` are the reasons of all that the
    rules truly say of the move.
    """

    placement: Placement
    """How the table lies afterwards."""
    before: tuple[Press, ...] = ()
    """What is pressed before hands come."""
    presses: tuple[Press, ...] = ()
    """What is pressed when they have left."""
    move: str | None = None
    after: str = ""
    remarks: frozenset[str] = frozenset()
    cheat: Cheat | None = None
    spin: str = ""
    """What the dial's motor believes that the placement's arrow points to."""
    glass_ends: bool = False
    """Whether they wait until the hourglass is over."""
    settles: bool = True
    """Whether they wait at all."""
    tidy: bool = True
    """Whether it is done so that the referee should have its verdict at once."""
    relaid: bool = False
    """Whether all tiles are laid out anew."""
    slip: Slip | None = None
    where: str = ""
    """The zone or field of the slip."""

    @property
    def by_hand(self) -> bool:
        """Whether people tell the referee of the move, rather than the table."""
        return any(press.do in _TELLING for press in self.presses)


#: Commands that put a move on record.
_TELLING = ("enter", "table-right")


@dataclass(frozen=True, slots=True)
class Screen:
    """What the referee's screen says when the hands have waited.

    `moved`: the match has gone on. `apart`: the table contradicts the record. `laid`: what was to
    be done could be done.
    """

    moved: bool = False
    apart: bool = False
    laid: bool = True


Doing = Generator[Deed, Screen, None]


class StuckError(Exception):
    """The referee does not take what hands do, nor what is entered by hand."""
