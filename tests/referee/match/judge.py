"""A judge who checks a match at a simulated table, as the prompts of an acceptance ask."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.box.box import Box
from referee.box.draw import Dial
from referee.box.fake import fake_board
from referee.box.protocol import Button
from referee.games.game import Game
from referee.games.loading import load_game
from referee.games.table import PlacedPieces, Placement
from referee.games.tumult_royale.art import drawings
from referee.games.tumult_royale.edition import edition_text, load_edition
from referee.journal import Journal
from referee.match.acceptance import Acceptance, Patience, Prompt, Reply, Result
from referee.match.live import Live
from referee.match.match import Match
from referee.match.watch import Watch
from referee.simulation.conditions import Conditions
from referee.simulation.motion import Sweep, during
from referee.simulation.staging import scene_of
from referee.simulation.table import SimulatedTable
from tests.referee.looks import look
from tests.referee.simulation.eyes import BLANK, Eyes, Undrawn
from vision.camera import Camera, Frame
from vision.camera import Drawn as DrawnCamera
from vision.scene.cameras import overhead_camera
from vision.scene.description import Lamp, Scene, Sensor
from vision.session import Look

#: Enough on a busy machine.
IMPATIENT = Patience(start=8.0, deed=8.0, person=8.0)
SOFTWARE = {"version": "1", "models": {"tiles": "abc"}}
#: Where nothing is to be seen at all.
HASTY = Patience(start=0.5, deed=0.5, person=0.5)
#: Pictures of the undrawn table come so often. (s)
PACE_S = 0.02


class HeldTable(SimulatedTable):
    """A table over which a hand may be held."""

    held = False

    def scene(self, now: float | None = None) -> Scene:
        """The table, under the hand if it is held."""
        if not self.held:
            return super().scene(now)
        lies = self._arrangement
        width, height = lies.plan.size
        _, _, hand = during(Sweep(lies, lies, (), (width / 2, height / 2)), 0.5)
        self._frames += 1
        return scene_of(lies, self._art, self._conditions, hands=(hand,), seed=self._frames)


class HeldUndrawn(HeldTable, Undrawn):
    """The same, for eyes without fault."""


class TimedEyes(Eyes):
    """Eyes that say when they have read; to `frozen` ones no picture is a new one."""

    frozen = False

    def look(self, frame: Frame) -> Look:
        """What lies there."""
        if self.frozen:
            return self._at(look(None, why="stale"), frame)
        return super().look(frame)

    def _read(self, scene: Scene, frame: Frame) -> Look:
        seen = super()._read(scene, frame)
        assert seen.settled is not None
        observation = replace(seen.settled.observation, captured_at=time.monotonic())
        return replace(seen, settled=replace(seen.settled, observation=observation))


def the_game() -> Game[Any, Any]:
    return load_game("tumult_royale", edition_text("kit"))


def a_start(game: Game[Any, Any]) -> Any:
    return game.begin(game.draw({"seats": "yellow,blue"}, Random(3)))


@dataclass
class Judge:
    """Does what prompts ask for, at once. `says` overrides the reply to a step's prompts."""

    live: Live[Any, Any]
    table: HeldTable
    board: str = ""
    says: dict[str, Reply] = field(default_factory=dict)
    arrow: int = 0
    """The arrow stops so many sectors beside the one that the motor believes in."""
    prompts: list[Prompt] = field(default_factory=list)

    @property
    def placement(self) -> Placement:
        """How the table should lie by the record."""
        return self.live.game.placement(self.live.view.position)

    def draw(self, dial: Dial) -> int:
        """Sends the arrow to the third sector, and turns it there."""
        at = (2 + self.arrow) % len(dial)
        self.table.lay(replace(self.placement, dial=360.0 * at / len(dial)), relaid=False)
        return 2

    def reply(self, prompt: Prompt) -> Reply | None:
        """Does what a prompt asks for when it is new."""
        last = self.prompts[-1] if self.prompts else None
        if last is not None and (last.step, last.text) == (prompt.step, prompt.text):
            return None
        self.prompts.append(prompt)
        if prompt.step in self.says:
            return self.says[prompt.step]
        self._act(prompt)
        return Reply.DONE

    def _act(self, prompt: Prompt) -> None:
        text, game = prompt.text, self.live.game
        if "Hold a hand" in text or "hand away" in text:
            self.table.held = "Hold" in text
        elif "Take away again" in text:
            self.table.lay(self.placement, relaid=False)
        elif "Take away all" in text:
            self.table.lay(game.placement(self.live.view.positions[0]), relaid=False)
        elif text.startswith("Do this"):
            self.table.lay(self._placed(text), relaid=False)
        elif prompt.step == "button":
            with fake_board(self.board) as board:
                board.press(Button.STOP)

    def _placed(self, text: str) -> Placement:
        """The table with a statue of the colour, on the field, that a prompt names."""
        words = text.replace(",", " ").replace(".", " ").split()
        row, column = words[words.index("row") + 1], words[words.index("column") + 1]
        colour = next(word.lower() for word in words if word in ("Yellow", "Blue"))
        piece = PlacedPieces(colour, f"r{row}c{column}", 1)
        return replace(self.placement, pieces=(*self.placement.pieces, piece))


@dataclass
class Bed:
    """A match at a table that an acceptance is tried with."""

    journal: Journal
    live: Live[Any, Any]
    watch: Watch | None
    judge: Judge
    acceptance: Acceptance[Any, Any]

    def walk(self, until: str = "") -> dict[str, Result]:
        """Goes through all steps, or breaks off once one is over; their results by name."""
        walk = self.acceptance.walk()
        shown = next(walk)
        while True:
            reply = None
            if isinstance(shown, Prompt):
                reply = self.judge.reply(shown)
                time.sleep(0.02)
            elif shown.step == until:
                if self.watch is not None:
                    self.watch.stop()
                walk.close()
                break
            try:
                shown = walk.send(reply)
            except StopIteration:
                break
        return {result.step: result for result in self.acceptance.results}

    @property
    def checks(self) -> list[Any]:
        """The data of all checks on record."""
        return [event.data for event in self.journal.events() if event.kind == "check"]


@contextmanager
def seen_bed(
    folder: Path,
    *,
    box: Box | None = None,
    board: str = "",
    camera: Callable[[Callable[[], NDArray[np.uint8]]], Camera] | None = DrawnCamera,
    frozen: bool = False,
    patience: Patience = IMPATIENT,
) -> Iterator[Bed]:
    """A bed for eyes without fault; `camera` makes a camera of what draws its pictures."""
    game = the_game()
    plan = game.plan(a_start(game))
    eyes = TimedEyes(plan)
    eyes.frozen = frozen
    conditions = Conditions(
        overhead_camera(plan.size, (BLANK.shape[1], BLANK.shape[0])), "wood", 1, Lamp(), Sensor()
    )
    art = {name: np.zeros((2, 2, 4), np.uint8) for name in drawings(load_edition("kit"))}
    eyes.table = table = HeldUndrawn(plan, art, conditions, seed=1, sweep_seconds=0.1)

    def paced() -> NDArray[np.uint8]:
        time.sleep(PACE_S)
        return table.frame()

    watch = None if camera is None else Watch(camera(paced), eyes.as_session)
    with bed(folder, game, table, watch, box, board, patience) as made:
        yield made


@contextmanager
def bed(
    folder: Path,
    game: Game[Any, Any],
    table: HeldTable,
    watch: Watch | None,
    box: Box | None,
    board: str,
    patience: Patience,
) -> Iterator[Bed]:
    """A new match at a table that lies as it begins."""
    start = a_start(game)
    table.lay(replace(game.placement(start), dial=0.0), relaid=False)
    header = {"game": game.name, "edition": game.edition}
    with Journal.create(folder / "checked.match", header, now=time.time) as journal:
        Match.begin(game, journal, start, "test")
        live = Live(Match(game, journal, now=time.monotonic(), wall=time.time), watch, box)
        judge = Judge(live, table, board)
        acceptance: Acceptance[Any, Any] = Acceptance(
            live,
            watch,
            box,
            software=SOFTWARE,
            book="faces",
            by="Ann",
            draw=judge.draw,
            patience=patience,
        )
        if watch is not None:
            watch.start()
        live.start()
        try:
            yield Bed(journal, live, watch, judge, acceptance)
        finally:
            if box is not None:
                box.close()
            live.stop()
            if watch is not None:
                watch.stop()
