"""A kit table laid by hand for two players, and its picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from referee.cli.kitset import KitArt, kit_edition
from referee.games.table import PlacedPieces, PlacedTile, Placement
from referee.games.tumult_royale import Colour
from referee.games.tumult_royale.table import table_plan
from referee.simulation.conditions import Conditions
from referee.simulation.table import arrange
from vision.scene.cameras import overhead_camera
from vision.scene.description import Lamp, Rendered, Sensor
from vision.scene.render import render

PLAYERS: tuple[Colour, ...] = ("yellow", "blue")

#: Two players have 21 tiles: of each commodity two with 1 symbol, three with 2, two with 3. Of
#: marble both 3, of the others a 1 and a 3 are set aside; these are the other 15.
TILES: Mapping[str, Sequence[str]] = {
    "castle-yellow": ("bread-1", "bread-2", "bread-3", "marble-2"),
    "castle-blue": ("bread-2", "marble-2", "tools-3"),
    "centre": (
        *("bread-2", "marble-1", "marble-1", "marble-2"),
        *("tools-1", "tools-2", "tools-2", "tools-2"),
    ),
}


@cache
def picture(face_down: int = 0, missing: int = 0, markers: int = 8, seed: int = 3) -> Rendered:
    """The table at 1280x720 with its truth; the first tiles of the centre lie down or are gone.

    Only the first `markers` of the table's markers are there.
    """
    plan = table_plan(kit_edition(), PLAYERS)
    plan = replace(plan, markers=plan.markers[:markers])
    placed = [
        PlacedTile(f"tile-{label}-plain", label, "tile-back", zone, face_up=True)
        for zone, labels in TILES.items()
        for label in labels
    ]
    first = len(placed) - len(TILES["centre"])
    for i in range(first, first + face_down):
        placed[i] = PlacedTile(placed[i].drawing, placed[i].label, "tile-back", "centre", False)
    del placed[first : first + missing]
    conditions = Conditions(
        overhead_camera(plan.size, (1280, 720), tilt=4.0), "linen", 7, Lamp(), Sensor()
    )
    scene = arrange(
        plan,
        Placement(tuple(placed), (PlacedPieces("blue", "r2c3", 1),)),
        KitArt(),
        np.random.default_rng(seed),
        conditions,
    )
    return render(scene)
