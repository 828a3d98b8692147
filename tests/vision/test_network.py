"""A network loads if its file is whole; otherwise one clear error says what to do."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import pytest

from vision.errors import UnreadableError
from vision.network import SUMS, ModelMissingError, Network, models_folder, network


def test_every_listed_network_is_whole() -> None:
    lines = (models_folder() / SUMS).read_text(encoding="utf-8").splitlines()
    for line in lines:
        sha256, path = line.split(maxsplit=1)
        assert Network(models_folder() / path, sha256).hash == sha256


def test_the_wheel_holds_every_listed_network() -> None:
    project = tomllib.loads((models_folder().parent / "pyproject.toml").read_text("utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    lines = (models_folder() / SUMS).read_text(encoding="utf-8").splitlines()
    for path in [SUMS, *(line.split(maxsplit=1)[1] for line in lines)]:
        assert included[f"models/{path}"] == f"vision/weights/{path}"


def test_all_networks_together_are_small() -> None:
    assert sum(path.stat().st_size for path in models_folder().rglob("*.onnx")) <= 20e6


def test_a_missing_file_can_be_told_from_a_damaged_one(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match=r"tiles\.onnx is missing"):
        Network(tmp_path / "tiles.onnx", "0" * 64)


def test_a_network_that_is_not_listed_is_missing() -> None:
    with pytest.raises(ModelMissingError):
        network("no-such-network")


def test_a_damaged_file_gives_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "tiles.onnx"
    path.write_bytes(b"half a file")
    with pytest.raises(UnreadableError, match="is damaged") as error:
        Network(path, hashlib.sha256(b"the whole file").hexdigest())
    assert "Install the program again" in str(error.value)
