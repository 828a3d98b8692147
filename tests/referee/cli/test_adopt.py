"""`referee adopt`: what people corrected in a match is taught to a book, after the match."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from referee.claims import Claims, DoubtfulTile
from referee.cli.adopt import adopt
from referee.cli.kitset import kit_book
from referee.journal import Cause, Entry, EvidenceStore, Journal, Json, evidence_path
from referee.match.commands import Command, Do, Sight
from referee.match.match import Match
from tests.referee.journal.conftest import tmp_path
from tests.referee.match.toy import Toy, ToyGame
from tests.vision.faces_art import DAY, LAMP, Image, seen
from vision.faces import FaceBook
from vision.faces.adoption import Reading, Taught
from vision.network import ModelMissingError, network

__all__ = ["tmp_path"]

ANN = Cause("person", "Ann")


@pytest.fixture(scope="module", autouse=True)
def networks() -> None:
    """What is certain here is so with the networks."""
    try:
        network("faces"), network("pairs")
    except ModelMissingError:
        pytest.skip("the networks faces and pairs are not there")


@pytest.fixture(scope="module")
def small() -> Taught:
    """Four faces of the kit, of one picture each."""
    labels = ("bread-2", "bread-3", "marble-1", "tools-2")
    return Taught.of(FaceBook.teach({label: kit_book().pictures(label)[:1] for label in labels}))


@pytest.fixture
def book(small: Taught, tmp_path: Path) -> Path:
    """The same as a file."""
    small.book.save(tmp_path / "my.book")
    return tmp_path / "my.book"


def crop(label: str, seed: int, **how: Any) -> Image:
    """A face of the kit as a camera sees it on a poor day, its print turned."""
    poor = {"side": 32, "blur": 1.6, "noise": 4.0, "off": 1.8, "turn": 1, "light": LAMP}
    return seen(kit_book().pictures(label)[0], np.random.default_rng(seed), **{**poor, **how})


def doubtful(small: Taught, label: str) -> Image:
    """A crop of a face of which the small book is not certain."""
    for seed in range(20):
        picture = crop(label, seed)
        if small.read(picture) != Reading(label, certain=True):
            return picture
    raise AssertionError("the book has no doubt of any of them")


def png(image: Image) -> bytes:
    return cv2.imencode(".png", image)[1].tobytes()


@pytest.fixture
def played(tmp_path: Path) -> Callable[..., Path]:
    """Writes a match in which pictures were corrected: label, was, picture or None."""

    def write(*corrections: tuple[str, str | None, Image | None], over: bool = True) -> Path:
        path = tmp_path / "m.match"
        store = EvidenceStore(evidence_path(path))
        with Journal.create(path, {"game": "g", "edition": "e"}, now=time.time) as journal:
            begun: dict[str, Json] = {"position": "p", "round": 1, "over": False}
            journal.append(Entry("begin", ANN, 0, begun))
            for tile, (label, was, picture) in enumerate(corrections):
                name = f"teach-{journal.last + 1}"
                said: dict[str, Json] = {"label": label, "was": was, "tile": tile, "frame": 1}
                event = journal.append(
                    Entry("correction", ANN, 0, {**said, "crop": name, "reason": ""})
                )
                if picture is not None:
                    store.keep(name, png(picture), event.at)
                    store.tie(name, event.seq)
            journal.append(Entry("move", ANN, 1, {"text": "m", "round": 9, "over": over}))
        store.close()
        return path

    return write


def run(*args: str | Path, code: int = 0) -> Result:
    result = CliRunner().invoke(adopt, [*map(str, args)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def told(*args: str | Path) -> Any:
    return json.loads(run(*args, "--json").stdout)


def test_a_correction_that_helps_is_adopted(
    small: Taught, played: Callable[..., Path], book: Path, tmp_path: Path
) -> None:
    picture = doubtful(small, "tools-2")
    path, new_file, old = played(("tools-2", None, picture)), tmp_path / "new", book.read_bytes()
    answer = told(path, "--book", book, "-o", new_file)
    (offer,) = answer["corrections"]
    assert offer["adopted"]
    assert offer["event"] == 2
    assert offer["before"] != {"label": "tools-2", "certain": True}
    assert offer["after"] == {"label": "tools-2", "certain": True}
    assert not any(rival["confusable"] for rival in offer["look_alikes"])
    assert offer["spoilt"] == []
    new = FaceBook.load(new_file)
    assert answer["new_hash"] == new.hash != answer["book_hash"] == small.book.hash
    assert [len(new.pictures(label)) for label in new.labels] == [1, 1, 1, 2]
    assert Taught.of(new).read(picture) == Reading("tools-2", certain=True)
    assert book.read_bytes() == old
    # The same again gives the same bytes; and the new book has nothing more to learn.
    before, words = new_file.read_bytes(), run(path, "--book", book, "-o", new_file).stdout
    assert before == new_file.read_bytes()
    assert words.splitlines()[-1].startswith(f"Wrote {new_file} with 1 picture more")
    again = told(path, "--book", new_file, "-o", tmp_path / "third")
    assert not again["corrections"][0]["adopted"]
    assert "nothing to learn" in again["corrections"][0]["why_not"]
    assert again["written"] is None
    assert not (tmp_path / "third").exists()


def test_the_kits_own_book_becomes_a_file(played: Callable[..., Path], tmp_path: Path) -> None:
    picture = crop("tools-2", 0, blur=2.5)
    path = played(("tools-2", "tools-3", picture))
    answer = told(path, "--book", "kit", "-o", tmp_path / "new")
    assert answer["book_hash"] == kit_book().hash
    assert answer["corrections"][0]["adopted"], answer
    new = FaceBook.load(tmp_path / "new")
    assert new.hash == answer["new_hash"] != kit_book().hash
    assert new.labels == kit_book().labels


def test_another_faces_picture_is_refused(
    played: Callable[..., Path], book: Path, tmp_path: Path
) -> None:
    good = crop("bread-2", 3, side=60, blur=0.5, noise=1.0, off=0.5, light=DAY)
    path, new = played(("bread-3", "bread-2", good)), tmp_path / "new"
    (offer,) = told(path, "--book", book, "-o", new)["corrections"]
    assert not offer["adopted"]
    assert not new.exists()
    assert "reads it as bread-2 without doubt" in offer["why_not"]
    assert "bread-3 would look like bread-2" in offer["why_not"]
    (rival,) = offer["look_alikes"]
    assert rival["label"] == "bread-2"
    assert rival["confusable"]
    assert rival["before"] < rival["after"]
    words = run(path, "--book", book, "--force").stdout
    assert "adopted, although the book reads it as bread-2 without doubt" in words
    assert words.endswith("1 picture would be adopted. Write the new book with -o NEWBOOK.\n")


def test_what_can_not_be_taught_from(
    small: Taught, played: Callable[..., Path], book: Path
) -> None:
    good = doubtful(small, "tools-2")
    glaring = good.copy()
    glaring[:20] = 255
    path = played(
        ("tools-2", None, None),
        ("tools-2", None, good[:20, :20]),
        ("tools-2", None, good[:, :36]),
        ("tools-2", None, glaring),
        ("tools-2", None, np.asarray(good // 8, np.uint8)),
        ("cheese-9", None, good),
    )
    offers = told(path, "--book", book, "--force")["corrections"]
    assert [offer["adopted"] for offer in offers] == [False] * 6
    reasons = [offer["why_not"] for offer in offers]
    for words, reason in zip(
        ("not kept", "only 20 x 20", "not the shape", "mirrored", "too dark", "no face 'cheese-9'"),
        reasons,
        strict=True,
    ):
        assert words in reason
    assert offers[0]["picture"] == {"name": "teach-2", "size": None, "unfit": []}
    words = run(path, "--book", book, "--only", "2").stdout
    assert words.splitlines() == [
        "1 correction in m.",
        "Event 2: read as no face for sure, corrected to tools-2",
        "  not adopted: its picture is not kept any more",
        "Nothing was adopted: no book was written.",
    ]
    assert "no correction that holds" in run(path, "--book", book, "--only", "1", code=1).stderr


def test_never_during_a_match(played: Callable[..., Path], book: Path, tmp_path: Path) -> None:
    path = played(("tools-2", None, crop("tools-2", 1)), over=False)
    refused = run(path, "--book", book, "-o", tmp_path / "new.book", code=1)
    assert "is not finished" in refused.stderr
    with Journal.open(path, now=time.time) as journal:
        journal.append(Entry("move", ANN, 2, {"text": "m", "round": 9, "over": True}))
        refused = run(path, "--book", book, "--json", code=1)
        assert "is being played" in json.loads(refused.stdout)["error"]
    assert told(path, "--book", book)["corrections"]
    # An end that was taken back is none.
    with Journal.open(path, now=time.time) as journal:
        journal.append(Entry("undo", ANN, 3, {"to": 0, "round": 1, "over": False}))
    assert "is not finished" in run(path, "--book", book, code=1).stderr
    assert not (tmp_path / "new.book").exists()


def test_of_a_tile_the_last_word_counts(played: Callable[..., Path], book: Path) -> None:
    path = played(("tools-1", None, None), ("tools-2", None, None))
    with Journal.open(path, now=time.time) as journal:
        said = {"was": None, "tile": 0, "frame": 2, "crop": "teach-5", "reason": ""}
        journal.append(Entry("correction", ANN, 1, {**said, "label": "tools-3"}))
        # After a restart a tile of that number is another one.
        journal.append(Entry("run", Cause("referee"), 1, {"software": {}}))
        journal.append(Entry("correction", ANN, 1, {**said, "label": "bread-1"}))
    offers = told(path, "--book", book)["corrections"]
    assert [(offer["event"], offer["label"]) for offer in offers] == [
        (3, "tools-2"), (5, "tools-3"), (7, "bread-1"),
    ]  # fmt: skip


def test_the_book_of_the_match_is_never_written_over(
    small: Taught, played: Callable[..., Path], book: Path, tmp_path: Path
) -> None:
    path, link = played(), tmp_path / "link.book"
    link.symlink_to(book)
    for output in (book, link, path):
        assert "take another name" in run(path, "--book", book, "-o", output, code=2).stderr
    assert FaceBook.load(book).hash == small.book.hash
    assert run(path, "--book", book).stdout.startswith("0 corrections in m.\n")
    assert "can't be opened" in run(path, "--book", tmp_path / "none.book", code=1).stderr


def test_what_a_live_match_keeps_can_be_adopted(small: Taught, tmp_path: Path) -> None:
    path, book = tmp_path / "live.match", tmp_path / "toy.book"
    shown = {"a": "tools-2", "b": "bread-2", "c": "bread-3"}
    faces = {name: small.book.pictures(label) for name, label in shown.items()}
    FaceBook.teach(faces).save(book)
    picture, store = doubtful(small, "tools-2"), EvidenceStore(evidence_path(path))
    header = {"game": "toy", "edition": "toy-1"}
    with Journal.create(path, header, now=time.time) as journal:
        Match.begin(ToyGame(), journal, Toy(), "Ann")
        match = Match(ToyGame(), journal, now=0.0, wall=time.time, pictures=store)
        assert match.command(Command(Do.ENTER, 0, "c1", "Ann", "spin 2 -"), 1.0).accepted
        lying = Claims(
            zones=("centre",) * 6,
            labels={1: "a", 2: "b", 3: "b", 4: "c", 5: "c"},
            doubtful=(DoubtfulTile(0, "centre", ("b", "a")),),
            face_down=(),
            pieces={},
            doubtful_pieces=(),
            stray_pieces=(),
            sure_fields=frozenset(),
            boards=frozenset(),
            dial=None,
        )
        seen_now = Sight(1, 2.0, lying, None, tuple(range(10, 16)), crop=lambda _: png(picture))
        match.see(seen_now, 2.0)
        said = Command(Do.CORRECT, 1, "c2", "Ann", "a", to=10, frame=1)
        assert match.command(said, 3.0).accepted
        end = Command(Do.POSITION, 1, "c3", "Ann", "4 spin 2 - 0", "the end")
        assert match.command(end, 4.0).accepted
        store.close()
        assert "is being played" in run(path, "--book", book, code=1).stderr
    (offer,) = told(path, "--book", book, "-o", tmp_path / "new.book")["corrections"]
    assert (offer["label"], offer["was"], offer["adopted"]) == ("a", None, True)
    new = Taught.of(FaceBook.load(tmp_path / "new.book"))
    assert new.read(picture) == Reading("a", certain=True)
