"""`referee face`: one JSON object a picture, whatever happens to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli.books import open_book
from referee.cli.face import face as command
from tests.vision.faces_art import CREAM, INKS, Image, face, seen, unknown_things
from vision.errors import UnreadableError
from vision.faces import BACK, FaceBook

FACES = {
    "star": face("star", 2, INKS["red"], CREAM),
    "disc": face("disc", 1, INKS["blue"], CREAM),
    "moon": face("moon", 3, INKS["green"], CREAM),
    BACK: face("cross", 1, INKS["purple"], CREAM),
}


def write(file: Path, image: Image) -> str:
    file.write_bytes(cv2.imencode(".png", image)[1].tobytes())
    return str(file)


@pytest.fixture
def book(tmp_path: Path) -> str:
    FaceBook.teach({label: [image] for label, image in FACES.items()}).save(tmp_path / "my.book")
    return str(tmp_path / "my.book")


def read(*args: str) -> tuple[int, list[dict[str, Any]]]:
    result = CliRunner().invoke(command, [*args, "--json"])
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def test_a_line_for_each_picture(tmp_path: Path, book: str) -> None:
    rng = np.random.default_rng(1)
    star = write(tmp_path / "a.png", seen(FACES["star"], rng, turn=1))
    back = write(tmp_path / "b.png", seen(FACES[BACK], rng))
    paper = write(tmp_path / "c.png", next(unknown_things(rng))[1])
    code, told = read(star, back, paper, "--book", book)
    assert code == 0
    assert [t["image"] for t in told] == [star, back, paper]
    assert [t["label"] for t in told] == ["star", None, None]
    assert [t["facing"] for t in told] == ["up", "down", "up"]
    assert [t["certain"] for t in told] == [True, True, False]
    assert {rival["label"] for rival in told[0]["rivals"]} == {"disc", "moon", BACK}
    assert BACK not in {rival["label"] for rival in told[1]["rivals"]}
    assert {rival["label"] for rival in told[2]["rivals"]} == set(FACES)
    for t in told:
        scores = [rival["score"] for rival in t["rivals"]]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in [*scores, t["score"]])


def test_words_for_people(tmp_path: Path, book: str) -> None:
    rng = np.random.default_rng(2)
    files = [write(tmp_path / f"{n}.png", seen(FACES[n], rng)) for n in ("disc", BACK)]
    files.append(write(tmp_path / "paper.png", next(unknown_things(rng))[1]))
    result = CliRunner().invoke(command, [*files, "--book", book])
    lines = result.stdout.splitlines()
    assert lines[0].endswith(": disc")
    assert lines[1].endswith(": face down")
    assert "nothing that was taught" in lines[2]


def test_one_bad_picture_spoils_no_other(tmp_path: Path, book: str) -> None:
    good = write(tmp_path / "good.png", FACES["moon"])
    long = write(tmp_path / "long.png", np.zeros((40, 90, 3), np.uint8))
    code, told = read(str(tmp_path / "none.png"), long, good, "--book", book)
    assert code == 1
    assert "There is no file" in told[0]["error"]
    assert "90 x 40 pixels" in told[1]["error"]
    assert told[2]["label"] == "moon"


def test_oblong_pictures_may_lie(tmp_path: Path) -> None:
    cards = {label: np.ascontiguousarray(image[:, 20:100]) for label, image in FACES.items()}
    book = FaceBook.teach({label: [image] for label, image in cards.items()}, 80 / 120)
    book.save(tmp_path / "cards.book")
    lying = write(tmp_path / "lying.png", np.ascontiguousarray(np.rot90(cards["star"])))
    _, told = read(lying, "--book", str(tmp_path / "cards.book"))
    assert (told[0]["label"], told[0]["certain"]) == ("star", True)


def test_books(tmp_path: Path, book: str) -> None:
    assert open_book(book).labels == tuple(FACES)
    kit = open_book("kit")
    assert {"bread-1", "tools-3", BACK} <= set(kit.labels)
    with pytest.raises(UnreadableError, match="can't be opened"):
        open_book(str(tmp_path / "none"))
    code, told = read("a.png", "b.png", "--book", str(tmp_path / "none"))
    assert code == 1
    assert len(told) == 2
    assert all("can't be opened" in t["error"] for t in told)
