"""`referee read`: the JSON contract on pictures of a known table, and one sentence a fault."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from tests.referee.tables import TILES, picture
from vision.camera import load_image, save_image
from vision.faces import FaceBook

Shoot = Callable[..., str]
PLAYERS = ("--players", "yellow,blue")


def read(*words: str) -> Result:
    return CliRunner().invoke(main, ["read", *words])


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.output.splitlines()]


@pytest.fixture
def book(tmp_path: Path) -> str:
    """Two faces of another game: a white tile with a black bar, and one with a disc."""
    bar, disc = (np.full((60, 60, 3), 245, np.uint8) for _ in range(2))
    bar[10:50, 25:35] = 20
    y, x = np.mgrid[:60, :60]
    disc[(x - 30) ** 2 + (y - 30) ** 2 < 300] = (30, 30, 200)
    FaceBook.teach({"bar": [bar], "disc": [disc]}).save(tmp_path / "own.book")
    return str(tmp_path / "own.book")


def test_the_contract(shoot: Shoot) -> None:
    image = shoot(face_down=1)
    (told,) = lines(read(image, *PLAYERS, "--json"))
    assert {"image", "width", "height", "plane", "readings", "pieces", "ms"} <= told.keys()
    assert (told["image"], told["width"], told["height"]) == (image, 1280, 720)
    assert told["plane"] == {"found": True, "markers": [0, 1, 2, 3, 4, 5, 6, 7]}
    assert {"plane", "tiles", "faces", "pieces", "total"} <= told["ms"].keys()
    for reading in told["readings"]:
        assert {"label", "certain", "score", "rivals", "facing", "quad", "zone"} <= reading.keys()
        assert np.array(reading["quad"]).shape == (4, 2)
        scores = [rival["score"] for rival in reading["rivals"]]
        assert scores == sorted(scores, reverse=True)
        assert reading["label"] not in [rival["label"] for rival in reading["rivals"]]
    seen = Counter((r["zone"], r["label"], r["facing"]) for r in told["readings"])
    expected: Counter[tuple[str, str | None, str]] = Counter(
        (zone, label, "up") for zone, labels in TILES.items() for label in labels
    )
    expected["centre", "bread-2", "up"] -= 1
    expected["centre", None, "down"] += 1
    assert seen == expected
    (piece,) = told["pieces"]
    assert {"colour", "field", "point", "certain"} <= piece.keys()
    assert len(piece["point"]) == 2


def test_quads_lie_where_the_tiles_lie(shoot: Shoot) -> None:
    (told,) = lines(read(shoot(), *PLAYERS, "--json"))
    for tile in picture().tiles:
        middle = tile.quad_px.mean(axis=0)
        nearest = min(
            told["readings"],
            key=lambda r: float(np.linalg.norm(np.mean(r["quad"], axis=0) - middle)),
        )
        # Where frames touch, a side may settle on a frame's inner edge: a twentieth of a side.
        side = float(np.linalg.norm(tile.quad_px[1] - tile.quad_px[0]))
        assert np.abs(np.mean(nearest["quad"], axis=0) - middle).max() < 0.1 * side
        assert nearest["label"] == tile.label


def test_words_for_people(shoot: Shoot) -> None:
    result = read(shoot(), *PLAYERS)
    assert result.exit_code == 0
    assert "15 tiles" in result.output
    assert "castle-yellow" in result.output
    assert "%" not in result.output


def test_a_bad_picture_does_not_stop_the_others(shoot: Shoot, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no picture", encoding="utf-8")
    nothing = str(tmp_path / "nothing.jpg")
    result = read(nothing, str(text), shoot(), *PLAYERS, "--json")
    assert result.exit_code == 1
    first, second, third = lines(result)
    assert first == {
        "image": nothing,
        "error": f"There is no file {nothing}.",
        "remedy": first["remedy"],
    }
    assert second["error"] == f"{text} is not a picture."
    assert len(third["readings"]) == 15


def test_errors_for_people_go_to_stderr(tmp_path: Path) -> None:
    result = read(str(tmp_path / "nothing.jpg"))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "There is no file" in result.stderr


def test_missing_markers_are_named(shoot: Shoot) -> None:
    (told,) = lines(read(shoot("two.png", markers=2), "--json"))
    assert "markers" in told["error"] + told["remedy"]
    assert all(str(marker) in told["error"] for marker in (2, 3, 4, 5, 6, 7))


def test_corners_by_hand_and_a_book_of_ones_own(book: str, tmp_path: Path) -> None:
    # A plane of 200 x 100 mm at 4 px/mm, its corner at pixel (100, 60); a tile of 30 mm lies
    # with its middle at (60, 40) mm, so at pixel (340, 220), and fills 120 pixels.
    image = np.full((540, 1000, 3), (70, 90, 60), np.uint8)
    tile = FaceBook.load(Path(book)).pictures("disc")[0]
    image[160:280, 280:400] = np.kron(tile, np.ones((2, 2, 1), np.uint8))[:120, :120]
    save_image(tmp_path / "own.png", image)
    corners = "100,60,900,60,900,460,100,460"
    result = read(
        *(str(tmp_path / "own.png"), "--book", book, "--json", "--corners", corners),
        *("--plane-mm", "200x100", "--tile-mm", "30x30"),
    )
    (told,) = lines(result)
    assert told["plane"] == {"found": True, "markers": []}
    (reading,) = told["readings"]
    assert reading["label"] == "disc"
    assert reading["zone"] is None
    assert np.abs(np.mean(reading["quad"], axis=0) - (339.5, 219.5)).max() < 2.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--corners", "1,2,3,4,5,6", "--plane-mm", "200x100"], "four corners, but 3 were given"),
        (["--corners", "0,0,5000,0,5000,3000,0,3000", "--plane-mm", "200x100"], "picture"),
        (["--corners", "1,1,90,1,90,90,1,90"], "--plane-mm"),
    ],
)
def test_faulty_corners(words: list[str], said: str, book: str, shoot: Shoot) -> None:
    result = read(shoot(), "--book", book, "--tile-mm", "30x30", "--json", *words)
    assert result.exit_code == 1
    (told,) = lines(result)
    assert said in told["error"] + told["remedy"]


def test_sizes_that_are_needed_or_do_not_fit(book: str, tmp_path: Path) -> None:
    (told,) = lines(read("any.png", "--book", book, "--json"))
    assert "--tile-mm" in told["remedy"]
    (told,) = lines(read("any.png", "--book", book, "--tile-mm", "57x88", "--json"))
    assert "shape" in told["error"]
    (told,) = lines(read("any.png", "--book", str(tmp_path / "no.book"), "--json"))
    assert "no.book" in told["error"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--tile-mm", "35"], "is no size"),
        (["--tile-mm", "0x5"], "is no size"),
        (["--corners", "1,2,3"], "are no corners"),
        (["--corners", "a,b"], "are no corners"),
        (["--players", "red,blue"], "is no player"),
    ],
)
def test_what_can_not_be_parsed(words: list[str], said: str) -> None:
    result = read("any.png", *words)
    assert result.exit_code == 2
    assert said in result.output


LAYOUT = """
size = [960, 620]
tile = [35, 35]
tile_thickness = 2
markers = [
    { id = 0, centre = [0, 0], side = 60 },
    { id = 1, centre = [960, 0], side = 60 },
    { id = 2, centre = [960, 620], side = 60 },
    { id = 3, centre = [0, 620], side = 60 },
]
[[zones]]
name = "everywhere"
polygon = [[0, 0], [960, 0], [960, 620], [0, 620]]
"""


def test_a_layout_of_ones_own(shoot: Shoot, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(LAYOUT, encoding="utf-8")
    (told,) = lines(read(shoot(), "--layout", str(file), "--json"))
    assert told["plane"]["markers"] == [0, 1, 2, 3]
    assert {reading["zone"] for reading in told["readings"]} == {"everywhere"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("size = [", "is no TOML file"),
        ("tile = [35, 35]", "the layout lacks size"),
        ("size = [1, 1]\ntile = [35]", "the layout.tile must be two numbers"),
        ("size = [1, 1]\ntile = [35, 35]\nmarker = 3", "unknown key 'marker'"),
        (
            "size = [1, 1]\ntile = [3, 3]\nmarkers = [{ id = 1.5, centre = [0, 0], side = 9 }]",
            "must be a whole number",
        ),
        ("size = [1, 1]\ntile = [3, 3]\npiece_colours = { red = [1, 2] }", "piece_colours.red"),
    ],
)
def test_faulty_layouts(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(text, encoding="utf-8")
    (told,) = lines(read("any.png", "--layout", str(file), "--json"))
    assert said in told["error"]


def test_drawing(shoot: Shoot, tmp_path: Path) -> None:
    image, out = shoot(), tmp_path / "out.png"
    assert read(image, *PLAYERS, "--draw", str(out)).exit_code == 0
    drawn = load_image(out)
    assert drawn.shape == (720, 1280, 3)
    assert (drawn != load_image(image)).any()


def test_several_pictures_are_drawn_into_a_folder(shoot: Shoot, tmp_path: Path) -> None:
    one, folder = shoot(), tmp_path / "drawn"
    result = read(one, one, *PLAYERS, "--draw", str(tmp_path / "out.png"))
    assert result.exit_code == 1
    assert "Name a folder instead" in result.stderr
    assert read(one, one, *PLAYERS, "--draw", str(folder)).exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["table-2.png", "table.png"]
