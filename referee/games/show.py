"""A game that plays itself for an audience: beat by beat, what lies where and what is told."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Generic

from referee.games.step import Counts, RulingT, Step
from referee.games.table import Placement, TablePlan


@dataclass(frozen=True, slots=True)
class Good:
    """Something that tiles bear symbols of: its name, a drawing of it, symbols by label."""

    name: str
    drawing: str
    worth: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Line:
    """A seat on the score sheet; `zone` is where its tiles lie, `badges` what it is just now."""

    name: str
    colour: str
    zone: str
    rank: int
    facts: tuple[tuple[str, str], ...]
    badges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Beat(Generic[RulingT]):
    """One moment of a game.

    A beat with a `step` waits for the table to be ruled on: the confirmed counts are sent into the
    generator that yielded it, or None if the table was inconclusive.
    """

    placement: Placement
    title: str
    caption: str
    rule: str
    round: int
    demand: int
    """How many symbols of each good must remain; 0 if that isn't known yet."""
    lines: tuple[Line, ...]
    turn: str | None = None
    """Name of the line that acts."""
    seconds: float = 1.0
    """How long the audience needs to follow, at normal speed."""
    step: Step[RulingT] | None = None
    relaid: bool = False
    """Whether the tiles are laid out anew, rather than left where they lie."""


@dataclass(frozen=True, slots=True)
class Show(Generic[RulingT]):
    """A game and its audience's needs; `store` is the zone where what must remain is counted."""

    title: str
    plan: TablePlan
    goods: tuple[Good, ...]
    store: str
    beats: Generator[Beat[RulingT], Counts | None, None]
