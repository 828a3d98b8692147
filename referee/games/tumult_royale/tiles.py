"""Commodity tiles as counts: what lies together is nine numbers, one for each kind of tile.

A kind is a commodity with a number of symbols; two tiles of a kind are interchangeable (rules
section 1; the frame only decides whether a tile is in play, section 2).
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import add, sub
from typing import Literal, NamedTuple

Commodity = Literal["bread", "marble", "tools"]
Frame = Literal["plain", "grey", "black"]

COMMODITIES: tuple[Commodity, ...] = ("bread", "marble", "tools")
FRAMES: tuple[Frame, ...] = ("plain", "grey", "black")
MOST_SYMBOLS = 3

#: Counts of the nine kinds: bread-1, bread-2, bread-3, marble-1, … tools-3.
Tiles = tuple[int, ...]
#: Symbols of bread, marble and tools.
Symbols = tuple[int, int, int]

KINDS = len(COMMODITIES) * MOST_SYMBOLS
NO_TILES: Tiles = (0,) * KINDS
LABELS: tuple[str, ...] = tuple(
    f"{commodity}-{symbols}" for commodity in COMMODITIES for symbols in range(1, MOST_SYMBOLS + 1)
)


class Tile(NamedTuple):
    """One tile as printed; `symbols` is 1 to 3."""

    commodity: Commodity
    symbols: int
    frame: Frame

    @property
    def label(self) -> str:
        """The name of its face, the same for every frame: "bread-1" … "tools-3"."""
        return f"{self.commodity}-{self.symbols}"


def count(labels: Iterable[str]) -> Tiles:
    """Counts tiles by the labels of their faces; raises ValueError for any other label."""
    counts = [0] * KINDS
    for label in labels:
        if label not in LABELS:
            raise ValueError(f"{label!r} is no tile; the tiles are {', '.join(LABELS)}")
        counts[LABELS.index(label)] += 1
    return tuple(counts)


def labels_of(tiles: Tiles) -> tuple[str, ...]:
    """The label of each tile, in the order of the kinds."""
    return tuple(label for label, n in zip(LABELS, tiles, strict=True) for _ in range(n))


def symbols_of(tiles: Tiles) -> Symbols:
    """How many symbols of each commodity the tiles bear."""
    b1, b2, b3, m1, m2, m3, t1, t2, t3 = tiles
    return (b1 + 2 * b2 + 3 * b3, m1 + 2 * m2 + 3 * m3, t1 + 2 * t2 + 3 * t3)


def plus(some: Tiles, others: Tiles) -> Tiles:
    """Both heaps together."""
    return tuple(map(add, some, others))


def minus(some: Tiles, others: Tiles) -> Tiles:
    """What is left; counts below 0 say that `others` did not lie in `some`."""
    return tuple(map(sub, some, others))


def total(heaps: Iterable[Tiles]) -> Tiles:
    """All heaps together."""
    return tuple(map(sum, zip(NO_TILES, *heaps, strict=True)))
