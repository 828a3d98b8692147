"""The print-and-play set, ready to be read: its layout, its faces, its players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from referee.claims import layout_of
from referee.games.table import TablePlan
from referee.games.tumult_royale import COLOURS, LABELS, Colour, Edition, load_edition
from referee.games.tumult_royale.art import drawings, faces
from referee.games.tumult_royale.sections import FEWEST_PLAYERS, MOST_PLAYERS
from referee.games.tumult_royale.table import table_plan
from referee.kit.faces import kit_faces
from referee.kit.raster import rasterise
from vision.dial import DialReader
from vision.faces import BACK, FaceBook
from vision.layout import Layout

#: Resolution of the drawings as the demo's table and page show them.
ART_PX_PER_MM = 4.0


class Players(click.ParamType[tuple[Colour, ...]]):
    """Up to four different colours, separated by commas."""

    name = "colour,colour,…"

    def __init__(self, fewest: int = FEWEST_PLAYERS) -> None:
        self._fewest = fewest

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Colour, ...]:
        """Parses the text; click shows the message of a failure."""
        named = [name.strip().lower() for name in str(value).split(",")]
        colours = tuple(colour for name in named for colour in COLOURS if colour == name)
        if len(colours) < len(named):
            unknown = next(name for name in named if name not in COLOURS)
            self.fail(f"{unknown!r} is no player: choose from {', '.join(COLOURS)}.", param, ctx)
        if len(set(colours)) < len(colours):
            self.fail(f"{value!r} names a player twice.", param, ctx)
        if not self._fewest <= len(colours) <= MOST_PLAYERS:
            self.fail(
                f"{value!r} names too few players: "
                f"name {self._fewest} to {MOST_PLAYERS}, separated by commas.",
                param,
                ctx,
            )
        return colours


@cache
def kit_edition() -> Edition:
    """The edition of the print-and-play set."""
    return load_edition("kit")


def kit_layout(colours: Sequence[Colour] = COLOURS) -> Layout:
    """The table of the set with these players; the order decides who usually sits where."""
    return layout_of(table_plan(kit_edition(), colours))


@cache
def kit_book() -> FaceBook:
    """The faces of the set, taught from its own drawings."""
    edition = kit_edition()
    width, height = edition.sizes.tile
    return FaceBook.teach(kit_faces(faces(edition)), width / height)


def kit_dial(plan: TablePlan) -> DialReader | None:
    """What reads the set's spinner by its own print; None if a table has none."""
    layout, art = layout_of(plan), KitArt()
    if plan.dial is None or layout.dial is None:
        return None
    return DialReader(layout.dial, art[plan.dial.drawing], art[plan.dial.arrow])


def is_kit(book: FaceBook) -> bool:
    """Whether a book has the faces of the set, no matter who taught them."""
    return set(book.labels) - {BACK} == set(LABELS)


class KitArt(Mapping[str, NDArray[np.uint8]]):
    """The set's drawings by name as pictures (BGRA), each drawn when it is first asked for."""

    def __init__(self, px_per_mm: float = ART_PX_PER_MM) -> None:
        self._scale = px_per_mm
        self._named = drawings(kit_edition())
        self._drawn: dict[str, NDArray[np.uint8]] = {}

    def __getitem__(self, name: str) -> NDArray[np.uint8]:
        if name not in self._drawn:
            self._drawn[name] = rasterise(self._named[name], self._scale)
        return self._drawn[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)
