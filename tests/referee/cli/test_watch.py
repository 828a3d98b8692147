"""`referee watch`, on films and pictures of small drawn tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.cli import watch as watching
from tests.faulty_camera import FaultyCamera, Jump
from tests.vision.marked_tables import LAYOUT, Pose, picture, prints
from vision.camera import EndOfFramesError, Frame
from vision.stillness.limbs import LimbSight


@pytest.fixture(autouse=True)
def _without_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimbSight, "limbs", lambda _, picture: None)
    monkeypatch.setattr(LimbSight, "palm", lambda _, picture: None)


def run(*args: object) -> Result:
    return CliRunner().invoke(main, ["watch", *map(str, args)])


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def _film(path: Path) -> Path:
    """Two seconds of a table with noise at ten frames a second; after one a disc moves."""
    rng = np.random.default_rng(0)
    table = rng.integers(60, 190, (18, 32, 3), np.uint8).repeat(15, axis=0).repeat(15, axis=1)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (480, 270))
    assert writer.isOpened()
    for number in range(20):
        picture = table.copy()
        cv2.circle(picture, (100 if number < 10 else 300, 130), 24, (250, 250, 250), -1)
        writer.write(np.asarray(picture + rng.integers(0, 4, table.shape, np.uint8), np.uint8))
    writer.release()
    return path


def test_a_line_for_each_change(tmp_path: Path) -> None:
    result = run(_film(tmp_path / "table.avi"), "--json")
    assert result.exit_code == 0
    assert lines(result) == [
        {"t": 0.0, "frame": 0, "quiet": False, "why": "motion"},
        {"t": 0.4, "frame": 4, "quiet": True, "why": None},
        {"t": 1.0, "frame": 10, "quiet": False, "why": "motion"},
        {"t": 1.4, "frame": 14, "quiet": True, "why": None},
    ]


def test_the_same_in_words(tmp_path: Path) -> None:
    told = run(_film(tmp_path / "table.avi")).stdout.splitlines()
    first, second = (" ".join(line.split()) for line in told[:2])
    assert first == "0.00 s frame 0 busy: something moves, or moved just now"
    assert second == "0.40 s frame 4 quiet"


def test_pictures_are_judged_each_by_itself(tmp_path: Path) -> None:
    for name in ("1.png", "2.png"):
        cv2.imwrite(str(tmp_path / name), np.full((90, 160, 3), 120, np.uint8))
    told = lines(run(tmp_path, "--json"))
    assert [(line["frame"], line["quiet"], line["why"]) for line in told] == [
        (0, True, None),
        (1, True, None),
    ]


def test_only_the_table_is_watched(tmp_path: Path) -> None:
    film = _film(tmp_path / "table.avi")
    told = lines(run(film, "--json", "--table", "340,10,470,10,470,260,340,260"))
    assert [line["quiet"] for line in told] == [False, True]


class _Table:
    """A table with markers at ten frames a second; each has other noise."""

    def __init__(self, frames: int) -> None:
        self._image = picture(Pose(size=(1280, 720)), prints(), noise=0.0)
        self._left, self._frames = frames, frames

    def read(self) -> Frame:
        if self._left == 0:
            raise EndOfFramesError
        number = self._frames - self._left
        self._left -= 1
        grain = np.random.default_rng(number).normal(0.0, 2.0, self._image.shape[:2])
        image = np.clip(self._image + grain[..., None], 0, 255).astype(np.uint8)
        return Frame(image, number, number / 10)

    def close(self) -> None:
        """Nothing is open."""


def test_with_a_layout_the_markers_tell_that_the_camera_was_pushed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "table.toml").write_text(
        f"size = {list(LAYOUT.size)}\ntile = [35.0, 35.0]\n"
        + "".join(
            f"[[markers]]\nid = {m.id}\ncentre = {list(m.centre)}\nside = {m.side}\n"
            for m in LAYOUT.markers
        ),
        encoding="utf-8",
    )

    def pushed(spec: str) -> FaultyCamera:
        return FaultyCamera(_Table(24), [(10, Jump(dx=1.5, dy=-1.0))])

    monkeypatch.setattr(watching, "open_source", pushed)
    told = lines(run("camera", "--json", "--layout", tmp_path / "table.toml"))
    assert [line["why"] for line in told] == ["motion", None, "moved", None]
    assert told[2]["frame"] == 10
    # Without them so small a push looks as if the things on the table moved.
    whys = [line["why"] for line in lines(run("camera", "--json"))]
    assert whys == ["motion", None, "motion", None]


def test_a_source_that_is_not_there(tmp_path: Path) -> None:
    result = run(tmp_path / "none.mp4", "--json")
    assert result.exit_code == 1
    (told,) = lines(result)
    assert "none.mp4" in told["error"]
    assert told["remedy"]
