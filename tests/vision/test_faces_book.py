"""FaceBook: what is taught comes back from the file, and each fault says what it is."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.vision.faces_art import INKS, Image, face
from vision.errors import UnreadableError
from vision.faces import BACK, FaceBook, TemplateMatcher


@pytest.fixture(scope="module")
def faces() -> dict[str, list[Image]]:
    return {
        "disc": [face("disc", 1, INKS["red"]), face("disc", 1, INKS["red"])[4:-4, 4:-4]],
        "Königstür": [face("star", 2, INKS["blue"])],
        BACK: [face("cross", 3, INKS["green"])],
    }


def test_book_comes_back_from_its_file(faces: dict[str, list[Image]], tmp_path: Path) -> None:
    book = FaceBook.teach(faces)
    file = tmp_path / "büch.faces"
    book.save(file)
    loaded = FaceBook.load(file)
    assert loaded.labels == ("disc", "Königstür", BACK)
    assert (loaded.aspect, loaded.hash) == (book.aspect, book.hash)
    for label in book.labels:
        pairs = zip(book.pictures(label), loaded.pictures(label), strict=True)
        assert all(np.array_equal(one, other) for one, other in pairs)


def test_file_is_a_zip_of_json_and_png(faces: dict[str, list[Image]], tmp_path: Path) -> None:
    FaceBook.teach(faces).save(tmp_path / "a")
    FaceBook.teach(faces).save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    with zipfile.ZipFile(tmp_path / "a") as file:
        content = json.loads(file.read("book.json").decode("utf-8"))
        pictures = [name for f in content["faces"] for name in f["pictures"]]
        assert sorted(file.namelist()) == sorted([*pictures, "book.json"])
        assert all(file.read(name).startswith(b"\x89PNG") for name in pictures)


def test_hash_knows_labels_pixels_and_aspect(faces: dict[str, list[Image]]) -> None:
    book = FaceBook.teach(faces)
    renamed = FaceBook.teach({label + "s": images for label, images in faces.items()})
    changed = {label: [image.copy() for image in images] for label, images in faces.items()}
    changed["disc"][0][0, 0] ^= 1
    wider = FaceBook.teach(faces, 1.01)
    hashes = {book.hash, renamed.hash, FaceBook.teach(changed).hash, wider.hash}
    assert len(hashes) == 4
    assert FaceBook.teach(faces).hash == book.hash


def test_oblong_pictures_take_the_aspect() -> None:
    card = np.full((88, 60, 3), 200, np.uint8)
    book = FaceBook.teach({"card": [card]}, 57 / 88)
    height, width = book.pictures("card")[0].shape[:2]
    assert width / height == pytest.approx(57 / 88, abs=1 / height)


def test_transparent_corners_become_white() -> None:
    picture = np.dstack([face("disc", 1, INKS["red"]), np.full((120, 120), 255, np.uint8)])
    picture[:6, :6] = 0
    assert (FaceBook.teach({"disc": [picture]}).pictures("disc")[0][:6, :6] == 255).all()


@pytest.mark.parametrize(
    ("faces", "aspect", "says"),
    [
        ({}, 1.0, "no face"),
        ({"a": []}, 1.0, "'a'"),
        ({"": [np.zeros((40, 40, 3), np.uint8)]}, 1.0, "no name"),
        ({"a": [np.zeros((40, 40), np.uint8)]}, 1.0, "no colour picture"),
        ({"a": [np.zeros((4, 4, 3), np.uint8)]}, 1.0, "8 x 8"),
        ({"a": [np.zeros((40, 40, 3), np.float32)]}, 1.0, "no colour picture"),
        ({"a": [np.zeros((40, 60, 3), np.uint8)]}, 1.0, "60 x 40"),
        ({"a": [np.zeros((40, 40, 3), np.uint8)]}, -1.0, "-1.0"),
    ],
)
def test_what_cannot_be_taught(faces: dict[str, list[Image]], aspect: float, says: str) -> None:
    with pytest.raises(UnreadableError, match=says):
        FaceBook.teach(faces, aspect)


def _zipped(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, data in files.items():
            file.writestr(name.replace("_", "."), data)
    return packed.getvalue()


_HEAD = b'{"format": "table-referee face book", "version": %d, "aspect": 1.0, "faces": %s}'


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a zip",
        _zipped(other_txt=b"x"),
        _zipped(book_json=b"{"),
        _zipped(book_json=b"[]"),
        _zipped(book_json=b'{"format": "another"}'),
        _zipped(book_json=_HEAD % (1, b'[{"label": "a", "pictures": ["a.png"]}]')),
        _zipped(book_json=_HEAD % (1, b'[{"label": "a", "pictures": ["a.png"]}]'), a_png=b"no"),
        _zipped(book_json=_HEAD % (1, b'[{"label": "a", "pictures": ["a.png"]}]'), a_png=b""),
    ],
)
def test_what_is_no_book(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "some.book"
    file.write_bytes(data)
    with pytest.raises(UnreadableError, match=r"some\.book is not a face book"):
        FaceBook.load(file)


def test_book_cut_short_or_scratched(faces: dict[str, list[Image]], tmp_path: Path) -> None:
    FaceBook.teach(faces).save(tmp_path / "whole")
    data = (tmp_path / "whole").read_bytes()
    for at in range(0, len(data), len(data) // 7):
        (tmp_path / "cut").write_bytes(data[:at])
        with pytest.raises(UnreadableError):
            FaceBook.load(tmp_path / "cut")
    middle = len(data) // 2
    (tmp_path / "scratched").write_bytes(data[:middle] + b"\0" * 40 + data[middle + 40 :])
    with pytest.raises(UnreadableError):
        FaceBook.load(tmp_path / "scratched")


def test_missing_book_later_version_and_no_place(
    faces: dict[str, list[Image]], tmp_path: Path
) -> None:
    with pytest.raises(UnreadableError, match="can't be opened"):
        FaceBook.load(tmp_path / "none.book")
    (tmp_path / "later").write_bytes(_zipped(book_json=_HEAD % (2, b"[]")))
    with pytest.raises(UnreadableError, match="version 2"):
        FaceBook.load(tmp_path / "later")
    with pytest.raises(UnreadableError, match="can't be written"):
        FaceBook.teach(faces).save(tmp_path / "none" / "a.book")


def test_book_without_faces_is_no_use() -> None:
    with pytest.raises(UnreadableError, match="empty"):
        TemplateMatcher(FaceBook({}, 1.0))


def test_look_alikes_are_named() -> None:
    pictures = {
        "disc": [face("disc", 1, INKS["red"])],
        "same": [face("disc", 1, INKS["red"])],
        "star": [face("star", 1, INKS["red"])],
        "turned": [np.ascontiguousarray(np.rot90(face("star", 1, INKS["red"])))],
        "moon": [face("moon", 2, INKS["blue"])],
    }
    pairs = {frozenset(pair[:2]): pair[2] for pair in FaceBook.teach(pictures).look_alikes()}
    assert set(pairs) == {frozenset({"disc", "same"}), frozenset({"star", "turned"})}
    assert all(likeness > 0.9 for likeness in pairs.values())


def test_faces_that_a_lamp_makes_alike_are_named() -> None:
    # On black nothing shows which part of the colour is the lamp's.
    black = (22, 22, 24)
    warm, cool = (60, 60, 170), (52, 60, 186)
    one, other = face("disc", 1, warm, black), face("disc", 1, cool, black)
    far = face("disc", 1, INKS["blue"], black)
    pairs = FaceBook.teach({"one": [one], "other": [other], "far": [far]}).look_alikes()
    assert [pair[:2] for pair in pairs] == [("one", "other")]
