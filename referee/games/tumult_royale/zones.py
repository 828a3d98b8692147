"""The names of the zones, and what lies in them as tiles of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.game import Counts
from referee.games.tumult_royale.sections import Colour
from referee.games.tumult_royale.tiles import LABELS, Tiles

CENTRE = "centre"
MAP = "map"


def castle_zone(colour: Colour) -> str:
    """The zone, and the board, on which a player's tiles lie."""
    return f"castle-{colour}"


def heaps(counts: Counts, colours: Sequence[Colour]) -> tuple[Tiles, tuple[Tiles, ...]]:
    """The tiles in the centre, and on the castle of each of `colours`."""
    castles = tuple(_heap(counts.get(castle_zone(colour), {})) for colour in colours)
    return _heap(counts.get(CENTRE, {})), castles


def _heap(labels: Mapping[str, int]) -> Tiles:
    return tuple(labels.get(label, 0) for label in LABELS)
