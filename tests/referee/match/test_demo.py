"""The demo's loop: a rendered game is ruled on from its pictures alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from random import Random

import pytest

from referee.claims import layout_of
from referee.cli.kitset import KitArt, kit_book, kit_edition
from referee.games.show import Beat, Show
from referee.games.step import Counts, Step, TileAsk
from referee.games.table import PlacedTile, Placement, TablePlan
from referee.games.tumult_royale import PLAYERS, Tumults
from referee.games.tumult_royale.show import show
from referee.match.demo import PATIENCE_SECONDS, Demo, Snapshot
from referee.match.verdict import Outcome, Reason
from referee.simulation.conditions import Conditions
from referee.simulation.table import SimulatedTable
from tests.referee.looks import look
from tests.referee.observations import Tile, down, observe
from vision.camera import Drawn
from vision.reader import TableReader
from vision.scene.cameras import overhead_camera
from vision.scene.description import Lamp, Sensor
from vision.session import Look, Session

VERDICTS = 2


@pytest.fixture(scope="module")
def played() -> list[Snapshot[Tumults]]:
    """What was published of the first rounds of a game of two, up to the second verdict."""
    rng = Random(3)
    characters = [(name, PLAYERS[name]) for name in ("greedy", "modest")]
    game = show(kit_edition(), characters, rng)
    conditions = Conditions(
        overhead_camera(game.plan.size, (1280, 720), tilt=4.0), "wood", 7, Lamp(), Sensor()
    )
    table = SimulatedTable(game.plan, KitArt(), conditions, seed=1)
    session = Session(TableReader(layout_of(game.plan), kit_book()))
    camera = Drawn(table.frame)

    def looked(since: float, after: int) -> Look:
        return session.look(camera.read())

    published: list[Snapshot[Tumults]] = []

    def pause(seconds: float) -> None:
        assert demo.snapshot is not None
        published.append(demo.snapshot)
        if demo.snapshot.record.confirmed == VERDICTS:
            demo.stop()

    demo = Demo([game], table, looked, pause)
    demo.run()
    return published


def test_every_verdict_from_pixels_is_true_to_the_table(played: list[Snapshot[Tumults]]) -> None:
    record = played[-1].record
    assert (record.confirmed, record.disagreements, record.agrees) == (VERDICTS, 0, True)


def test_no_verdict_while_a_tile_lies_face_down(played: list[Snapshot[Tumults]]) -> None:
    asked = [snapshot for snapshot in played if snapshot.beat.step and snapshot.verdict]
    hidden = [s for s in asked if not all(tile.face_up for tile in s.beat.placement.tiles)]
    assert hidden, "choose a seed with a forgotten tile"
    for snapshot in hidden:
        assert snapshot.verdict is not None
        assert snapshot.verdict.outcome is Outcome.INCONCLUSIVE
        assert snapshot.verdict.reason is Reason.TILE_FACE_DOWN


def test_a_verdict_stays_until_the_next_round(played: list[Snapshot[Tumults]]) -> None:
    building = [s for s in played if s.beat.title == "Place statues"]
    assert building
    assert all(s.verdict and s.verdict.outcome is Outcome.CONFIRMED for s in building)
    assert all(s.verdict is None for s in played if s.beat.title == "Gauge the sentiment")


# The loop alone, with a table that a script sees.

LABELS = ("a", "b")
PLAN = TablePlan((100.0, 100.0), (), (), (), (10.0, 10.0), 1.0, {}, 0.0, 0.0)
STEP = Step(
    TileAsk(("centre",), (), 2, {"a": 2, "b": 2}), lambda counts: counts, ("1",), lambda _: ("ok",)
)


class Bare:
    """A table on which nothing is really laid."""

    def lay(self, placement: Placement, *, relaid: bool) -> None:
        pass


def game(answers: list[Counts | None], asks: int) -> Show[Counts]:
    """Asks so many times, and notes what is answered; two tiles "a" truly lie there."""
    tile = PlacedTile("tile", "a", "back", "centre", face_up=True)

    def beats() -> Generator[Beat[Counts], Counts | None, None]:
        for _ in range(asks):
            beat: Beat[Counts] = Beat(Placement((tile, tile)), "", "", "1", 1, 0, (), step=STEP)
            answers.append((yield beat))

    return Show("", PLAN, (), "centre", beats())


def looks(*seen: str) -> Iterator[Look]:
    """A look for each word: its letters are the tiles, "-" one face down; "." is busy.

    "hand" is a hand that stays there too long, "!" a plane that is gone for too long.
    """
    for number, word in enumerate(seen):
        late = -2 * PATIENCE_SECONDS
        if word == "!":
            yield look(None, number=number, age=late, plane=False)
        elif word in {".", "hand"}:
            yield look(None, number=number, age=late if word == "hand" else 0.0, why="hand")
        else:
            lying = [down("centre") if c == "-" else Tile("centre", c) for c in word]
            yield look(observe(lying, LABELS, ("centre",)), number=number)


def play(*seen: str, asks: int = 1) -> tuple[list[Counts | None], Snapshot[Counts]]:
    answers: list[Counts | None] = []
    coming = looks(*seen)
    shows = [game(answers, asks)]
    demo = Demo(shows, Bare(), lambda since, after: next(coming, None), lambda seconds: None)
    demo.run()
    assert demo.snapshot is not None
    return answers, demo.snapshot


def test_the_first_settled_look_makes_a_verdict() -> None:
    answers, last = play(".", ".", "aa", "ab")
    assert answers == [{"centre": Counter(a=2)}]
    assert last.record.agrees is True
    assert last.frame == 2


def test_a_verdict_that_differs_from_the_truth_is_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    answers, last = play("ab")
    assert answers == [{"centre": Counter(a=1, b=1)}]
    assert (last.record.confirmed, last.record.disagreements, last.record.agrees) == (1, 1, False)
    assert "DIFFERS" in caplog.text


def test_an_inconclusive_table_is_answered_by_nothing() -> None:
    answers, last = play("a-", ".", "!", ".", "hand", asks=3)
    assert answers == [None, None, None]
    assert last.record.inconclusive == 3
    assert last.verdict is not None
    assert last.verdict.reason is Reason.HAND_OVER_TABLE


def test_no_more_looks_end_the_game() -> None:
    answers, last = play(".")
    assert answers == [None]
    assert last.verdict is None
