"""What the network of the pieces learns from, and what it is."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from models.pieces.store import CHUNK, chunks, load
from models.pieces.tables import ARRANGEMENTS, SIDE, Example, make
from vision.pieces.feet import COVER, PIECE
from vision.pieces.topview import FOOT_PX


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return make(41)


def test_a_seed_gives_the_same_tables_again(examples: list[Example]) -> None:
    for one, other in zip(examples, make(41), strict=True):
        for field in fields(Example):
            assert np.array_equal(
                getattr(one, field.name), getattr(other, field.name), equal_nan=True
            )


def test_a_piece_shows_between_its_foot_and_its_head(examples: list[Example]) -> None:
    seen = 0
    for example in examples:
        for x, y, _, visible in example.feet.tolist():
            if visible < 0.9 or not (20 < x < SIDE - 20 and 20 < y < SIDE - 20):
                continue
            lean = example.lean[round(y), round(x)] * FOOT_PX
            column, row = round(x + 0.4 * lean[0]), round(y + 0.4 * lean[1])
            assert example.shows[row, column] == PIECE
            seen += 1
    assert seen > 5


def test_labels_fit_the_view(examples: list[Example]) -> None:
    assert len(examples) == ARRANGEMENTS
    for example in examples:
        assert example.pixels.shape == (SIDE, SIDE, 3)
        assert example.shows.max() <= COVER
        paints = int((example.taught[:, 0] >= 0).sum())
        assert 2 <= paints <= len(example.taught)
        assert example.feet[:, 2].max() < paints


def test_the_network_knows_paints_by_what_was_taught_not_by_their_order(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from models.pieces.export import export
    from models.pieces.net import PieceNet
    from vision.network import Network

    torch.manual_seed(1)
    sha256 = export(PieceNet(), tmp_path / "net.onnx")
    assert sha256 == hashlib.sha256((tmp_path / "net.onnx").read_bytes()).hexdigest()
    net = Network(tmp_path / "net.onnx", sha256)
    rng = np.random.default_rng(0)
    view = rng.random((1, 5, 48, 80), np.float32)
    taught = rng.random((1, 3, 3), np.float32)
    feet, shows, colours = net.run(view, taught)
    assert (feet.shape, shows.shape) == ((1, 1, 24, 40), (1, 3, 24, 40))
    _, _, turned = net.run(view, np.ascontiguousarray(taught[:, ::-1]))
    assert np.allclose(colours[:, [2, 1, 0, 3]], turned, atol=1e-4)


def test_tables_are_kept_in_files_and_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, examples: list[Example]
) -> None:
    monkeypatch.setattr("models.pieces.store.make", lambda _seed: examples[:1])
    files = list(chunks(tmp_path, range(CHUNK + 3)))
    assert len(files) == 2
    monkeypatch.setattr("models.pieces.store.make", lambda _seed: examples[1:])
    assert list(chunks(tmp_path, range(CHUNK + 3))) == files
    kept = load(files)
    assert len(kept) == CHUNK + 3
    assert np.array_equal(kept.pixels[5], examples[0].pixels)
