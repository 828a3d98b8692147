"""Whole tables on real photographs and path-traced stills: no mend may make a reading lie.

Every so many of the pictures that the benchmarks read in full; what is asked here is what must
hold of any picture, not how many are read.
"""

from __future__ import annotations

from tests.bench import qwirkle, rendered
from tests.shared import REAL, RENDERED, need

#: Of the pictures each so many is read.
EVERY = 5


def test_photographs_of_qwirkle_are_read_without_a_lie() -> None:
    need(REAL / "qwirkle_tables")
    seen = qwirkle.read(qwirkle.labels()["images"][::EVERY], 0.7)
    assert seen.pictures > 1
    assert (seen.wrong, seen.extra) == (0, 0)
    assert seen.found == seen.tiles


def test_path_traced_tables_are_read_without_a_lie() -> None:
    need(RENDERED)
    seen, planes = rendered.read(rendered.labels()["images"][::EVERY])
    assert planes == seen.pictures > 1
    assert (seen.wrong, seen.extra) == (0, 0)
    assert seen.found > 0.98 * seen.tiles
