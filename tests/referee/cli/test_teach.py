"""`referee teach`: folders of pictures become a book, and look-alikes are named."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from referee.cli.teach import teach
from tests.vision.faces_art import INKS, Image, face
from vision.faces import FaceBook

STAR, DISC, CROSS = (face(form, 1, INKS["red"]) for form in ("star", "disc", "cross"))


def write(file: Path, image: Image) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(cv2.imencode(file.suffix.lower(), image)[1].tobytes())


def test_files_and_folders_become_labels(tmp_path: Path) -> None:
    faces, book = tmp_path / "faces", tmp_path / "my.book"
    write(faces / "stär.png", STAR)
    write(faces / "disc" / "one.jpg", DISC)
    write(faces / "disc" / "two.PNG", DISC)
    write(faces / "back.jpeg", CROSS)
    (faces / "notes.txt").write_text("not a picture", encoding="utf-8")
    result = CliRunner().invoke(teach, [str(faces), "-o", str(book), "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert {f["label"]: f["pictures"] for f in told["faces"]} == {"back": 1, "disc": 2, "stär": 1}
    assert told["look_alikes"] == []
    loaded = FaceBook.load(book)
    assert set(loaded.labels) == {"back", "disc", "stär"}
    assert told["hash"] == loaded.hash
    assert told["book"] == str(book)


def test_look_alikes_are_warned_of(tmp_path: Path) -> None:
    faces = tmp_path / "faces"
    for label, image in (("star", STAR), ("estrella", STAR), ("disc", DISC)):
        write(faces / f"{label}.png", image)
    book = tmp_path / "my.book"
    result = CliRunner().invoke(teach, [str(faces), "-o", str(book)])
    assert result.exit_code == 0
    assert "Learnt 3 faces from 3 pictures: disc, estrella, star" in result.stdout
    assert result.stderr.count("Warning") == 1
    assert "estrella and star look alike" in result.stderr
    result = CliRunner().invoke(teach, [str(faces), "-o", str(book), "--json"])
    assert [pair["labels"] for pair in json.loads(result.stdout)["look_alikes"]] == [
        ["estrella", "star"]
    ]


def test_aspect(tmp_path: Path) -> None:
    faces, book = tmp_path / "faces", tmp_path / "my.book"
    write(faces / "a.png", STAR[:, 20:98])
    result = CliRunner().invoke(teach, [str(faces), "-o", str(book), "--aspect", "57:88"])
    assert result.exit_code == 0, result.output
    assert FaceBook.load(book).aspect == pytest.approx(57 / 88)
    result = CliRunner().invoke(teach, [str(faces), "-o", str(book)])
    assert result.exit_code == 1
    assert "78 x 120 pixels" in result.stderr
    for wrong in ("57x88", "0:1", "a:b", "1"):
        result = CliRunner().invoke(teach, [str(faces), "-o", str(book), "--aspect", wrong])
        assert result.exit_code == 2
        assert "57:88" in result.stderr


def test_what_cannot_be_taught(tmp_path: Path) -> None:
    empty, hollow, broken = tmp_path / "empty", tmp_path / "hollow", tmp_path / "broken"
    for folder in (empty, hollow / "star", broken):
        folder.mkdir(parents=True)
    (broken / "star.png").write_bytes(b"no picture")
    for folder, says in (
        (tmp_path / "none", "There is no folder"),
        (empty, "holds no PNG or JPEG picture"),
        (hollow, "star holds no PNG"),
        (broken, "star.png is not a picture"),
    ):
        target = tmp_path / "x.book"
        result = CliRunner().invoke(teach, [str(folder), "-o", str(target)])
        assert result.exit_code == 1
        assert says in result.stderr
        assert not target.exists()
        result = CliRunner().invoke(teach, [str(folder), "-o", str(target), "--json"])
        assert result.exit_code == 1
        assert says in json.loads(result.stdout)["error"]
    write(tmp_path / "fine" / "star.png", STAR)
    result = CliRunner().invoke(
        teach, [str(tmp_path / "fine"), "-o", str(tmp_path / "nowhere" / "x.book")]
    )
    assert result.exit_code == 1
    assert "can't be written" in result.stderr
