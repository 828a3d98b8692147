"""`referee teach`: folders of pictures become a book, and look-alikes are named."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli.teach import teach
from tests.vision.faces_art import INKS, Image, face
from vision.faces import FaceBook
from vision.network import ModelMissingError
from vision.tiles import Finds

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


def grid_photo(folder: Path, cloth: tuple[int, int, int]) -> tuple[Path, Finds]:
    """Star, disc and cross in a row on a cloth, and where they lie."""
    image = np.full((200, 560, 3), cloth, np.uint8)
    quads = []
    for k, drawn in enumerate((STAR, DISC, CROSS)):
        x, y, side = 40 + 180 * k, 40, 120
        image[y : y + side, x : x + side] = drawn
        quads.append([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])
    photo = folder / "photo.png"
    write(photo, image)
    scores = np.ones(3, np.float32)
    return photo, Finds(np.array(quads, np.float32), scores, scores)


@pytest.mark.parametrize(
    ("cloth", "hidden"), [((60, 110, 40), []), ((233, 236, 238), ["star", "disc", "cross"])]
)
def test_one_photo_of_a_grid(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cloth: tuple[int, int, int],
    hidden: list[str],
) -> None:
    photo, finds = grid_photo(tmp_path, cloth)
    monkeypatch.setattr("vision.faces.grid.find_loose", lambda image, aspect: finds)
    names, book = tmp_path / "names.txt", tmp_path / "my.book"
    names.write_text("star\n\ndisc\n cross \n", encoding="utf-8")
    given = [str(photo), "--grid", "1x3", "--names", str(names), "-o", str(book)]
    result = CliRunner().invoke(teach, given)
    assert result.exit_code == 0, result.output
    assert FaceBook.load(book).labels == ("star", "disc", "cross")
    warned = [line for line in result.stderr.splitlines() if "colour of the table" in line]
    assert [line.split()[1] for line in warned] == hidden
    assert all("cloth of another colour" in line for line in warned)
    told = json.loads(CliRunner().invoke(teach, [*given, "--json"]).stdout)
    assert told["colour_of_the_table"] == hidden


def test_what_can_be_wrong_with_a_grid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    photo, finds = grid_photo(tmp_path, (60, 110, 40))
    monkeypatch.setattr("vision.faces.grid.find_loose", lambda image, aspect: finds)
    names = tmp_path / "names.txt"
    names.write_text("star\ndisc", encoding="utf-8")
    target = ["-o", str(tmp_path / "x.book")]
    for options, code, says in (
        (["--grid", "1x3", "--names", str(names)], 1, "2 names for 1 x 3 = 3 places"),
        (["--grid", "1x3", "--names", str(tmp_path / "none")], 1, "can't be read"),
        (["--grid", "1x3"], 2, "give both, or none"),
        (["--grid", "3", "--names", str(names)], 2, "such as 3x4"),
    ):
        result = CliRunner().invoke(teach, [str(photo), *options, *target])
        assert result.exit_code == code
        assert says in result.stderr

    def missing(image: object, aspect: float) -> Finds:
        raise ModelMissingError("The model file is missing.", "Install the program again.")

    names.write_text("star\ndisc\ncross", encoding="utf-8")
    monkeypatch.setattr("vision.faces.grid.find_loose", missing)
    options = ["--grid", "1x3", "--names", str(names), *target]
    result = CliRunner().invoke(teach, [str(photo), *options])
    assert result.exit_code == 1
    assert "Install the program again." in result.stderr
