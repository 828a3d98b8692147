"""The acceptance before a match: with all well everything passes; with a fault it is named."""

from __future__ import annotations

import hashlib
import json
import resource
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.box.box import Box
from referee.box.fake import forget_fake_boards
from referee.claims import Claims, layout_of
from referee.cli.kitset import KitArt, kit_book, kit_dial
from referee.games.table import PlacedPieces
from referee.games.tumult_royale import LABELS
from referee.kit.bare import BareBoards
from referee.match.acceptance import Mark, Patience, Reply, Result
from referee.match.acceptance import parts as looking
from referee.match.acceptance.cases import illegal_case, legal_case, open_fields
from referee.match.acceptance.layout import differences
from referee.match.replay import replay
from referee.match.watch import Watch
from referee.simulation.conditions import Conditions
from tests.referee.journal.making import MEMORY
from tests.referee.match.judge import (
    HASTY,
    SOFTWARE,
    Bed,
    HeldTable,
    a_start,
    bed,
    seen_bed,
    the_game,
)
from tests.referee.observations import Tile, doubtful, down, observe, sure
from vision.camera import Drawn, Frame
from vision.errors import UnreadableError
from vision.reader import TableReader
from vision.scene.cameras import overhead_camera
from vision.scene.description import Lamp, Sensor
from vision.session import Session

PARTS = ("software", "networks", "record", "camera", "picture", "plane", "boards")
TABLE = ("layout", "legal", "illegal", "doubtful")
BOX = ("box", "lights", "sound", "button", "spinner")
TABLE_SKIPPED = dict.fromkeys(("legal", "illegal", "doubtful"), Reply.SKIP)
ALL = (*PARTS, *TABLE, *BOX, "override", "start", "signed")


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory: every event costs a sync."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        yield Path(name)


@pytest.fixture
def fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures that were not drawn are fit."""
    monkeypatch.setattr(looking, "complaints", lambda *given: ())


@pytest.fixture(autouse=True)
def new_boards() -> Iterator[None]:
    yield
    forget_fake_boards()


def marked(results: dict[str, Result], mark: Mark) -> set[str]:
    return {name for name, result in results.items() if result.mark is mark}


def nothing_moved(made: Bed) -> None:
    """The match stands at its start, whatever was done."""
    view = made.live.view
    assert view.position == view.positions[0]


@pytest.mark.usefixtures("fit")
def test_all_that_is_well_passes_is_taken_back_and_signed(folder: Path) -> None:
    with seen_bed(folder, box=Box("fake://well"), board="well") as made:
        results = made.walk()
        assert marked(results, Mark.PASSED) == set(ALL), results
        nothing_moved(made)
        moves = [word for word in made.live.view.moves if word]
        # The legal case by the camera, the illegal one by a person; both are on record.
        assert len(moves) == 2
        causes = [e.cause.kind for e in made.journal.events() if e.kind == "move"]
        assert causes == ["camera", "person"]
        (check,) = made.checks
        assert check["passed"]
        assert [each["step"] for each in check["results"]] == list(ALL[:-1])
        of = check["made_of"]
        assert of["software"] == SOFTWARE
        assert of["book"] == "faces"
        assert of["edition"].startswith("kit:")
        assert all((of["calibration"], of["firmware"]))
        text = json.dumps(of, sort_keys=True, separators=(",", ":"))
        assert check["parts"] == hashlib.sha256(text.encode()).hexdigest()
        assert made.journal.damage() is None
        assert all(each.same for each in replay(made.live.game, made.journal))


@pytest.mark.usefixtures("fit")
def test_what_a_person_skips_never_passes(folder: Path) -> None:
    with seen_bed(folder, box=Box("fake://skip"), board="skip") as made:
        # Not the spinner: it may be read before anybody is asked for it.
        skipped = {"illegal", "sound", "button", "doubtful"}
        made.judge.says = dict.fromkeys(skipped, Reply.SKIP)
        results = made.walk()
        assert marked(results, Mark.SKIPPED) == skipped
        assert not marked(results, Mark.FAILED)
        assert results["sound"].reason == "Skipped by a person."
        assert not made.checks[0]["passed"]
        nothing_moved(made)


@pytest.mark.usefixtures("fit")
def test_without_camera_and_box_a_person_can_still_decide(folder: Path) -> None:
    with seen_bed(folder, camera=None) as made:
        results = made.walk()
    assert results["camera"].reason == "No camera is used."
    assert results["legal"].reason == "Not tried, for want of this: camera."
    assert results["box"].reason == "No box is used."
    assert marked(results, Mark.SKIPPED) == {*PARTS[3:], *TABLE, *BOX}
    assert results["override"].mark is Mark.PASSED


class Stops:
    """A camera that sends so many pictures, then none."""

    def __init__(self, draw: Callable[[], NDArray[np.uint8]], after: int) -> None:
        self._drawn, self._left = Drawn(draw), after

    def read(self) -> Frame:
        self._left -= 1
        if self._left < 0:
            raise UnreadableError("The camera is gone.", "Plug it in.")
        return self._drawn.read()

    def close(self) -> None:
        """Nothing is held."""


class Repeats(Stops):
    """A camera that sends its first picture again and again, as if it were new."""

    def __init__(self, draw: Callable[[], NDArray[np.uint8]]) -> None:
        super().__init__(draw, 1)
        self._first: Frame | None = None
        self._count = 0

    def read(self) -> Frame:
        self._first = self._first or replace(super().read(), captured_at=time.monotonic() - 5.0)
        time.sleep(0.02)
        self._count += 1
        return replace(self._first, id=self._count)


@pytest.mark.usefixtures("fit")
@pytest.mark.parametrize("pictures", [0, 1, 2])
def test_a_camera_that_stops_is_named_and_nothing_at_the_table_passes(
    folder: Path, pictures: int
) -> None:
    with seen_bed(folder, camera=lambda draw: Stops(draw, pictures), patience=HASTY) as made:
        results = made.walk()
        assert results["camera"].mark is Mark.FAILED
        assert "The camera is gone." in results["camera"].reason
        assert not marked(results, Mark.PASSED) & {*PARTS[3:], *TABLE}
        assert not made.checks[0]["passed"]


@pytest.mark.usefixtures("fit")
def test_an_old_picture_is_none(folder: Path) -> None:
    with seen_bed(folder, camera=Repeats, patience=HASTY) as made:
        results = made.walk()
    assert results["camera"].mark is Mark.FAILED
    assert "no new pictures" in results["camera"].reason
    assert not marked(results, Mark.PASSED) & {*PARTS[3:], *TABLE}


@pytest.mark.usefixtures("fit")
def test_a_frozen_picture_is_none(folder: Path) -> None:
    with seen_bed(folder, frozen=True, patience=HASTY) as made:
        results = made.walk()
    assert results["camera"].mark is Mark.FAILED
    assert not marked(results, Mark.PASSED) & {*PARTS[3:], *TABLE}


@pytest.mark.usefixtures("fit")
def test_a_camera_that_stops_on_the_way(folder: Path) -> None:
    stopped = threading.Event()

    def camera(draw: Callable[[], NDArray[np.uint8]]) -> Drawn:
        def drawn() -> NDArray[np.uint8]:
            if stopped.is_set():
                time.sleep(0.02)
                raise UnreadableError("The camera is gone.", "Plug it in.")
            return draw()

        return Drawn(drawn)

    with seen_bed(folder, camera=camera, patience=HASTY) as made:
        act = made.judge._act

        def once_legal(prompt: object) -> None:
            if made.judge.prompts[-1].step == "legal":
                stopped.set()
            act(made.judge.prompts[-1])

        made.judge._act = once_legal  # type: ignore[method-assign]
        results = made.walk()
        assert results["layout"].mark is Mark.PASSED
        for step in ("legal", "illegal", "doubtful", "start"):
            assert results[step].mark is not Mark.PASSED, results[step]
        assert "The camera is gone." in results["legal"].reason
        nothing_moved(made)


@pytest.mark.usefixtures("fit")
def test_a_box_that_is_not_there(folder: Path) -> None:
    with seen_bed(folder, box=Box("/dev/no-box"), patience=HASTY) as made:
        made.judge.says = TABLE_SKIPPED
        results = made.walk()
        assert results["box"].mark is Mark.FAILED
        assert "/dev/no-box" in results["box"].reason
        assert marked(results, Mark.SKIPPED) == {*TABLE_SKIPPED, *BOX} - {"box"}
        assert results["sound"].reason == "Not tried, for want of this: box."
        nothing_moved(made)


@pytest.mark.usefixtures("fit")
def test_eyes_and_ears_that_say_no_and_an_arrow_that_stops_elsewhere(folder: Path) -> None:
    with seen_bed(folder, box=Box("fake://off"), board="off") as made:
        made.judge.says = {**TABLE_SKIPPED, "lights": Reply.NO, "sound": Reply.NO}
        made.judge.arrow = 2
        results = made.walk()
        assert marked(results, Mark.FAILED) == {"lights", "sound", "spinner"}
        # The kit's sectors bear 2, 3, 4, 3, 5, 4: sent to the third, stopped at the fifth.
        told = "The motor turned to 4, but the camera reads 5."
        assert results["spinner"].reason == told


@pytest.mark.usefixtures("fit")
def test_a_full_disk(folder: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with seen_bed(folder) as made:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
        try:
            results = made.walk()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert marked(results, Mark.FAILED) == {"record", "signed"}
        for step in ("record", "signed"):
            assert "full" in results[step].reason
        named = "Not tried, for want of this: record."
        assert {results[s].reason for s in ("layout", "legal", "illegal", "override")} == {named}
        assert not made.checks
        nothing_moved(made)


@pytest.mark.usefixtures("fit")
@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("missing", "Centre: 20 tiles are face down, not 21"),
        ("face up", "Centre: 1 tile is face up, not 0"),
        ("moved", "Castle, Blue: 1 tile is face down, not 0"),
        ("statue", "On r1c1 stands 1 Yellow, not nothing"),
    ],
)
def test_a_table_that_is_not_as_it_should_be(folder: Path, wrong: str, told: str) -> None:
    with seen_bed(folder, patience=HASTY) as made:
        made.judge.says = {"doubtful": Reply.SKIP}
        lies = made.judge.placement
        first, *rest = lies.tiles
        laid = {
            "missing": replace(lies, tiles=tuple(rest)),
            "face up": replace(lies, tiles=(replace(first, face_up=True), *rest)),
            "moved": replace(lies, tiles=(replace(first, zone="castle-blue"), *rest)),
            # Yellow's turn has not come: no move explains it.
            "statue": replace(lies, pieces=(PlacedPieces("yellow", "r1c1", 1),)),
        }
        made.judge.table.lay(laid[wrong], relaid=False)
        results = made.walk()
        assert results["layout"].mark is Mark.FAILED
        assert told in results["layout"].reason
        assert marked(results, Mark.SKIPPED) >= {"legal", "illegal"}
        nothing_moved(made)


@pytest.mark.usefixtures("fit")
def test_a_statue_that_stands_there_from_the_start(folder: Path) -> None:
    """It is a legal move, so the match has gone on; and would again, as long as it stands there."""
    with seen_bed(folder, patience=HASTY) as made:
        made.judge.says = {"doubtful": Reply.SKIP, "start": Reply.DONE}
        lies = made.judge.placement
        blue = PlacedPieces("blue", "r1c1", 1)
        made.judge.table.lay(replace(lies, pieces=(blue,)), relaid=False)
        results = made.walk()
        for step in ("layout", "start"):
            assert results[step].mark is Mark.FAILED
        # Whichever is noticed first: what stands there, or that the match has gone on.
        said = results["layout"].reason
        assert "On r1c1 stands 1 Blue, not nothing." in said or "row 1, column 1" in said
        assert "On r1c1 stands 1 Blue, not nothing." in results["start"].reason


@pytest.mark.usefixtures("fit")
def test_a_step_that_breaks_leaves_nothing_behind(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with seen_bed(folder) as made:

        def broken(*given: object) -> None:
            raise ZeroDivisionError("broken")

        monkeypatch.setattr(made.acceptance._table, "doubtful", broken)
        made.judge.says = {"illegal": Reply.SKIP}
        with pytest.raises(ZeroDivisionError):
            made.walk()
        undone = [event for event in made.journal.events() if event.kind == "undo"]
        assert undone[-1].data["to"] == 0
        (check,) = made.checks
        assert not check["passed"]


@pytest.mark.usefixtures("fit")
def test_broken_off_all_is_taken_back(folder: Path) -> None:
    with seen_bed(folder) as made:
        made.walk(until="legal")
        nothing_moved(made)
        (check,) = made.checks
        assert "blue first" in " ".join(made.live.view.moves)
    outcomes = {each["step"]: each["outcome"] for each in check["results"]}
    assert outcomes["legal"] == "passed"
    assert outcomes["illegal"] == outcomes["start"] == "skipped"
    assert not check["passed"]


@pytest.mark.usefixtures("fit")
def test_a_check_can_be_made_again(folder: Path) -> None:
    with seen_bed(folder) as made:
        made.judge.says = {"illegal": Reply.SKIP, "doubtful": Reply.SKIP}
        made.walk()
        results = made.walk()
        assert not marked(results, Mark.FAILED)
        assert len(made.checks) == 2
        nothing_moved(made)


def test_a_picture_that_is_too_dark(folder: Path) -> None:
    with seen_bed(folder, patience=HASTY) as made:
        made.judge.says = TABLE_SKIPPED
        results = made.walk()
    assert results["picture"].mark is Mark.FAILED
    assert "too dark" in results["picture"].reason


def test_the_cases_are_what_the_rules_say() -> None:
    """The first statue goes on a pasture (rules 2)."""
    game = the_game()
    start = a_start(game)
    legal, illegal = legal_case(game, start), illegal_case(game, start)
    assert legal is not None
    assert illegal is not None
    assert "pasture" in legal.words
    assert not game.check(start, legal.move)
    assert "pasture" not in illegal.words
    assert "face-down" not in illegal.words
    (added,) = illegal.placement.pieces
    assert added.colour == "blue"
    # Once all statues stand the arrow is spun: no piece shows a move.
    after = game.apply(start, legal.move)
    later = legal_case(game, after)
    assert later is not None
    spun = game.apply(after, later.move)
    assert legal_case(game, spun) is None
    assert illegal_case(game, spun) is None


def test_what_differs_from_a_layout_is_said() -> None:
    game = the_game()
    start = a_start(game)
    plan, placement = game.plan(start), game.placement(start)
    zones = ["centre", "castle-yellow", "castle-blue"]
    fields = [field.name for board in plan.boards for field in board.fields]

    def told(*tiles: Tile) -> tuple[str, ...]:
        seen = observe(tiles, LABELS, zones, fields=fields)
        claims = Claims.of(replace(seen, sure_fields=tuple(fields)))
        return differences(plan, placement, claims, ())

    right = [down("centre")] * 21
    assert told(*right) == ()
    assert "Centre: 22 tiles are face down" in told(*right, down("centre"))[0]
    assert "1 tile is in no zone" in told(*right, down(None))[0]
    assert "1 tile is not seen for sure" in told(*right[1:], doubtful("centre", "bread-1"))[0]
    assert "face up" in told(*right, *sure("castle-blue", "bread-1"))[0]
    unsure = Claims.of(observe(right, LABELS, zones, fields=fields))
    # Nothing can come to stand on a region that lies face down: the three columns at the right.
    told_of = differences(plan, placement, unsure, open_fields(game, start))
    assert told_of[0].startswith("It is not sure what stands on r1c1, r1c2, r1c3, r2c1,")
    assert differences(plan, placement, unsure, ()) == ()


def test_all_of_it_with_real_eyes_at_a_drawn_table(folder: Path) -> None:
    game = the_game()
    plan = game.plan(a_start(game))
    camera = overhead_camera(plan.size, (1280, 720), tilt=4.0)
    conditions = Conditions(camera, "wood", 7, Lamp(), Sensor())
    table = HeldTable(plan, KitArt(), conditions, seed=2, sweep_seconds=0.3)
    reader = TableReader(layout_of(plan), kit_book(), dial=kit_dial(plan))
    watch = Watch(Drawn(table.frame), lambda: Session(reader))
    watch.lay_bare(BareBoards(plan, KitArt()).faces(game.placement(a_start(game))))
    patience = Patience(start=60.0, deed=40.0, person=40.0)
    with bed(folder, game, table, watch, Box("fake://real"), "real", patience) as made:
        results = made.walk()
        assert marked(results, Mark.PASSED) == set(ALL), results
        nothing_moved(made)
        assert made.checks[0]["passed"]
