"""`referee lens`: from pictures in a folder, and from a sheet held into a camera's picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import lens, main
from referee.kit.markers import charuco_board
from tests.vision.sheets import MATRIX, SIZE, photograph, sheet_print
from tests.vision.test_charuco import POSES
from vision.camera import EndOfFramesError, Frame, Image, save_image
from vision.plane.lens_file import CameraLens


@cache
def shots() -> tuple[Image, ...]:
    printed = sheet_print(charuco_board())
    return tuple(
        photograph(printed, middle, distance, turns, seed=seed)
        for seed, (middle, distance, turns) in enumerate(POSES)
    )


def test_from_a_folder_of_pictures(tmp_path: Path) -> None:
    folder = tmp_path / "views"
    folder.mkdir()
    for number, image in enumerate((*shots(), shots()[0])):
        save_image(folder / f"view{number}.png", image)
    out = tmp_path / "lens.json"
    words = ["lens", str(folder), "-o", str(out), "--camera", "046d:0825:A1"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert "picture 10: left out: too much like another one" in result.output
    assert "from 9 views" in result.output
    found = CameraLens.load(out).fitting("046d:0825:A1", SIZE)
    assert found.matrix[0, 0] == pytest.approx(MATRIX[0, 0], rel=0.005)


def test_too_few_pictures(tmp_path: Path) -> None:
    save_image(tmp_path / "view.png", shots()[0])
    out = tmp_path / "lens.json"
    words = ["lens", str(tmp_path / "view.png"), "-o", str(out), "--json"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1
    told = json.loads(result.output)
    assert "not enough" in told["error"]
    assert "7 more views" in told["remedy"]
    assert not out.exists()


class Film:
    """The sheet held still for three pictures at each place, out of sight between them."""

    def __init__(self) -> None:
        self.images: Iterator[Image] = iter(
            [picture for shot in shots() for picture in (shot, shot, shot, shot[::-1] // 4)]
        )
        self.number, self.closed = 0, False

    def read(self) -> Frame:
        self.number += 1
        try:
            return Frame(next(self.images), self.number, float(self.number))
        except StopIteration:
            raise EndOfFramesError from None

    def close(self) -> None:
        self.closed = True


def test_from_a_camera(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    film = Film()
    monkeypatch.setattr(lens, "open_source", lambda spec: film)
    monkeypatch.setattr(lens, "identity_of", lambda spec: "046d:0825:A1")
    out = tmp_path / "lens.json"
    result = CliRunner().invoke(main, ["lens", "camera:046d:0825:A1", "-o", str(out)])
    assert result.exit_code == 0, result.output
    assert "View 1 taken. Still needed: 7 more views" in result.output
    assert "Still needed: nothing more" in result.output
    assert film.closed
    assert CameraLens.load(out).camera == "046d:0825:A1"


def test_cameras_are_calibrated_one_by_one(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["lens", "camera:a", "camera:b"])
    assert result.exit_code == 1
    assert "Name one camera" in result.output
