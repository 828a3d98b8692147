"""Whole kit tables: what is no tile is none, and what stands on the map is read for sure."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np

from referee.claims import Claims, layout_of
from referee.cli.kitset import kit_book
from referee.kit.bare import BareBoards
from tests.bench.kit_tables import kit_art, kit_position, kit_table
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


def test_statues_on_a_map_whose_print_is_known_are_right_and_nearly_all_sure() -> None:
    plan, scene = kit_table(9701, (1280, 720))
    rendered = render(scene)
    true: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for piece in rendered.pieces:
        true[piece.field or ""][piece.colour] += 1
    reader = TableReader(layout_of(plan), kit_book())
    bare = BareBoards(plan, kit_art()).faces(kit_position(9701)[1])
    seen = Claims.of(reader.read(rendered.image, bare=bare))
    fields = {field.name for board in plan.boards for field in board.fields}
    assert len(true) > 3
    assert len(seen.sure_fields) > 0.9 * len(fields)
    assert {name: seen.pieces.get(name, {}) for name in seen.sure_fields} == {
        name: true.get(name, {}) for name in seen.sure_fields
    }
    assert not Claims.of(reader.read(rendered.image)).sure_fields
