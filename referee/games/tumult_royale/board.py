"""The map: regions in their frame, as bit masks over fields.

Field number `row * width + column`, both from 0, is bit `1 << number`; names count from 1
("r1c1" top left). Rules sections 1 and 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from referee.games.said import say
from referee.games.tumult_royale.sections import (
    FIELD_TYPES,
    REGION_ROWS,
    REGION_SIDE,
    FieldType,
    Region,
)

HEIGHT = REGION_ROWS * REGION_SIDE
_NAME = re.compile(r"r([1-9]\d*)c([1-9]\d*)")


class Laid(NamedTuple):
    """A face-up region tile: its number from 1, and its quarter turns clockwise, 0 to 3."""

    region: int
    turn: int


@lru_cache(maxsize=256)
def turned(region: Region, turn: int) -> Region:
    """The fields of a region, row by row, after so many quarter turns clockwise."""
    side = range(REGION_SIDE)
    for _ in range(turn):
        region = tuple(region[(REGION_SIDE - 1 - col) * REGION_SIDE + row] for row in side
                       for col in side)  # fmt: skip
    return region


@dataclass(frozen=True)
class Board:
    """The places of the regions, row by row; None is a face-down region, whichever it is.

    `regions` are the edition's; the width follows from the number of places.
    """

    regions: tuple[Region, ...] = field(repr=False, compare=False)
    places: tuple[Laid | None, ...]

    @property
    def width(self) -> int:
        """Fields in a row: 6, 9 or 12."""
        return len(self.places) // REGION_ROWS * REGION_SIDE

    @cached_property
    def types(self) -> tuple[FieldType | None, ...]:
        """The type of each field, None where a region lies face down."""
        types: list[FieldType | None] = [None] * (HEIGHT * self.width)
        columns = len(self.places) // REGION_ROWS
        for place, laid in enumerate(self.places):
            if laid is None:
                continue
            top, left = (REGION_SIDE * part for part in divmod(place, columns))
            content = turned(self.regions[laid.region - 1], laid.turn)
            for row in range(REGION_SIDE):
                at = (top + row) * self.width + left
                types[at : at + REGION_SIDE] = content[REGION_SIDE * row : REGION_SIDE * (row + 1)]
        return tuple(types)

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """The face-up fields of each type, in the order of FIELD_TYPES."""
        return tuple(
            sum(1 << number for number, type_ in enumerate(self.types) if type_ == wanted)
            for wanted in FIELD_TYPES
        )

    @cached_property
    def face_up(self) -> int:
        """All fields of face-up regions."""
        return sum(self.masks)

    @cached_property
    def all_fields(self) -> int:
        """All fields of the map."""
        return (1 << HEIGHT * self.width) - 1

    @cached_property
    def _inner(self) -> tuple[int, int]:
        """The fields that have one to their left, and to their right."""
        first = sum(1 << row * self.width for row in range(HEIGHT))
        return self.all_fields & ~first, self.all_fields & ~(first << self.width - 1)

    def touching(self, fields: int) -> int:
        """All fields that share an edge with one of `fields` (section 3.4)."""
        has_left, has_right = self._inner
        return (
            (fields & has_left) >> 1
            | (fields & has_right) << 1
            | fields >> self.width
            | fields << self.width & self.all_fields
        )

    @property
    def face_down_places(self) -> tuple[int, ...]:
        """The face-down places, counted from 1."""
        return tuple(place for place, laid in enumerate(self.places, 1) if laid is None)

    @property
    def unseen_regions(self) -> tuple[int, ...]:
        """The numbers of the regions that lie nowhere face up."""
        seen = {laid.region for laid in self.places if laid}
        return tuple(n for n in range(1, len(self.regions) + 1) if n not in seen)

    def turn_up(self, place: int, laid: Laid) -> Board:
        """The map after the region at `place`, counted from 1, was turned face up."""
        return Board(self.regions, (*self.places[: place - 1], laid, *self.places[place:]))

    def name(self, number: int) -> str:
        """The name of a field, such as "r1c12"."""
        row, column = divmod(number, self.width)
        return f"r{row + 1}c{column + 1}"

    def number(self, name: str) -> int:
        """The number of a named field; raises ValueError for a name that isn't on the map."""
        match = _NAME.fullmatch(name)
        row, column = (int(match[1]), int(match[2])) if match else (0, 0)
        if not (1 <= row <= HEIGHT and 1 <= column <= self.width):
            raise ValueError(
                say(
                    "{name} is no field; they go from r1c1 to {last}",
                    name=repr(name),
                    last=f"r{HEIGHT}c{self.width}",
                )
            )
        return (row - 1) * self.width + column - 1


def fields_in(mask: int) -> Iterator[int]:
    """The numbers of the fields of a mask, rising."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
