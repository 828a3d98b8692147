"""What lies beside the tiles of a kit table is not taken for one of them."""

from __future__ import annotations

import numpy as np

from referee.claims import layout_of
from referee.cli.kitset import kit_book
from tests.bench.kit_tables import kit_table
from vision.reader import TableReader
from vision.scene.render import render


def test_a_copper_supporter_on_pale_cloth_is_no_certain_loaf_of_bread() -> None:
    # At 1 pixel a millimetre the coin is as round, brown and barred as the one loaf on white.
    plan, scene = kit_table(182, (1280, 720))
    rendered = render(scene)
    seen = TableReader(layout_of(plan), kit_book()).read(rendered.image)
    true = np.array([tile.quad_px.mean(axis=0) for tile in rendered.tiles])
    read = seen.tiles.quads_px.mean(axis=1)[seen.tiles.certain]
    nearest = np.linalg.norm(read[:, None] - true[None], axis=2).min(axis=1)
    assert len(read) > 10
    assert nearest.max() < 10
