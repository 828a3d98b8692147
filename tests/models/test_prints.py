"""Procedural faces for training: of the size that was asked for, repeatable, and told apart."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

if importlib.util.find_spec("qtawesome") is None or importlib.util.find_spec("PIL") is None:
    pytest.skip("the packages of the group train are not installed", allow_module_level=True)

from models.prints import Prints
from models.prints.icons import Icons


@pytest.fixture(scope="module")
def icons() -> Icons:
    return Icons()


@pytest.mark.parametrize(
    ("side", "aspect", "size"), [(96, 1.0, (96, 96)), (88, 57 / 88, (88, 57)), (80, 2.0, (40, 80))]
)
def test_size_and_corners(icons: Icons, side: int, aspect: float, size: tuple[int, int]) -> None:
    faces = Prints(np.random.default_rng(1), icons).set(5, side, aspect, backs=1)
    assert faces[-1].label == "back"
    for face in faces:
        for picture in (face.print, *face.others):
            assert picture.shape == (*size, 4)
            assert picture.dtype == np.uint8
            assert picture[size[0] // 2, size[1] // 2, 3] == 255


def test_prints_are_opaque_but_for_their_corners(icons: Icons) -> None:
    """Square corners too: all of such prints once let half of the table through."""
    for seed in range(30):
        for face in Prints(np.random.default_rng(seed), icons).set(2, backs=1):
            opaque = face.print[..., 3] == 255
            middle = len(opaque) // 2
            assert opaque[middle].all()
            assert opaque[:, middle].all()
            assert opaque.mean() > 0.97


def test_the_same_random_numbers_give_the_same_set(icons: Icons) -> None:
    one, other, another = (Prints(np.random.default_rng(s), icons).set(6) for s in (3, 3, 4))
    assert [face.label for face in one] == [face.label for face in other]
    assert all(np.array_equal(a.print, b.print) for a, b in zip(one, other, strict=True))
    assert not all(np.array_equal(a.print, b.print) for a, b in zip(one, another, strict=True))


def test_labels_of_a_set_differ_and_so_do_its_pictures(icons: Icons) -> None:
    for seed in range(40):
        faces = Prints(np.random.default_rng(seed), icons).set(9)
        assert len({face.label for face in faces}) == 9
        assert len({face.print.tobytes() for face in faces}) == 9


def test_sets_differ_in_each_property_alone(icons: Icons) -> None:
    alone = set()
    for seed in range(60):
        faces = Prints(np.random.default_rng(seed), icons).set(3)
        parts = [set(values) for values in zip(*(f.label.split("-") for f in faces), strict=True)]
        differ = [k for k, values in enumerate(parts) if len(values) > 1]
        if len(differ) == 1:
            alone.add(("shape", "ink", "count", "style", "frame")[differ[0]])
    assert alone >= {"shape", "ink", "count", "style"}
