"""Eyes without fault: a simulated table is not drawn, but read from its own scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from referee.games.hands import Doing
from referee.games.table import TablePlan
from referee.games.tumult_royale import LABELS, State
from referee.games.tumult_royale.art import drawings
from referee.games.tumult_royale.game import TumultRoyale
from referee.simulation.conditions import Conditions
from referee.simulation.players.match import play_match
from referee.simulation.players.tally import Tally
from referee.simulation.table import SimulatedTable
from tests.referee.looks import look
from tests.referee.observations import Tile, down, observe
from vision.camera import Frame
from vision.dial import DialReading
from vision.scene.cameras import overhead_camera
from vision.scene.description import Flat, Lamp, Scene, Sensor
from vision.session import Look, Session

#: Quick hands: nobody needs to see them.
SWEEP_S = 0.2
BLANK = np.zeros((72, 128, 3), np.uint8)


class Undrawn(SimulatedTable):
    """A table whose pictures are blank."""

    shown: Scene

    def frame(self, now: float | None = None) -> NDArray[np.uint8]:
        """A blank picture; what it would have shown is kept."""
        self.shown = self.scene(now)
        return BLANK


class Eyes:
    """What a session does, from what an undrawn table would have shown."""

    def __init__(self, plan: TablePlan) -> None:
        self.table: Undrawn
        self._plan = plan
        self._last: tuple[object, Look] | None = None
        self._hand = look(None, why="hand")

    def as_session(self) -> Session:
        """For those who ask for a session."""
        return cast(Session, self)

    def lay_bare(self, faces: Mapping[str, NDArray[np.uint8]]) -> None:
        """Eyes without fault need no print."""

    def look_again(self) -> None:
        """Reads anew."""
        self._last = None

    def look(self, frame: Frame) -> Look:
        """All that lies there, unless a hand moves."""
        scene = self.table.shown
        if scene.hands:
            self._last = None
            return self._at(self._hand, frame)
        key = (
            tuple((f.centre, f.angle, f.face_up) for f in scene.flats),
            tuple((piece.centre, piece.colour) for piece in scene.pieces),
        )
        if self._last is None or self._last[0] != key:
            self._last = key, self._read(scene, frame)
        return self._at(self._last[1], frame)

    def _at(self, seen: Look, frame: Frame) -> Look:
        quiet = replace(seen.quiet, since=frame.captured_at)
        return replace(seen, frame=frame, quiet=quiet)

    def _read(self, scene: Scene, frame: Frame) -> Look:
        plan = self._plan
        zones = [z.name for z in (*plan.zones, *(z for b in plan.boards for z in b.zones))]
        tiles = [
            Tile(flat.zone, flat.label) if flat.face_up else down(flat.zone)
            for flat in scene.flats
            if flat.kind == "tile"
        ]
        seen = observe(
            tiles,
            LABELS,
            zones,
            [board.name for board in plan.boards],
            [(piece.colour, piece.field, True) for piece in scene.pieces],
            list(plan.piece_colours),
            [field.name for board in plan.boards for field in board.fields],
        )
        size = (BLANK.shape[1], BLANK.shape[0])
        known = seen.fields
        seen = replace(seen, size_px=size, sure_fields=known, dial=self._dial(scene))
        told = look(seen)
        assert told.settled is not None
        now = replace(seen, captured_at=frame.captured_at)
        return replace(told, settled=replace(told.settled, observation=now))

    def _dial(self, scene: Scene) -> DialReading | None:
        dial = self._plan.dial
        flats: list[Flat] = [flat for flat in scene.flats if flat.kind == "dial"]
        if dial is None or len(flats) != 2:
            return None
        turned = (flats[1].angle - 90.0 - flats[0].angle) % 360.0
        at = round(turned / 360.0 * len(dial.labels)) % len(dial.labels)
        return DialReading(dial.labels[at], (dial.labels[at],), turned, certain=True)


def play_seen(game: TumultRoyale, start: State, hands: Doing, path: Path, seed: int) -> Tally:
    """Plays a match that eyes without fault look at."""
    plan = game.plan(start)
    eyes = Eyes(plan)
    camera = overhead_camera(plan.size, (BLANK.shape[1], BLANK.shape[0]))
    conditions = Conditions(camera, "wood", 1, Lamp(), Sensor())
    art = {name: np.zeros((2, 2, 4), np.uint8) for name in drawings(start.edition)}

    def table(clock: Callable[[], float], pause: Callable[[float], None]) -> Undrawn:
        eyes.table = Undrawn(
            plan, art, conditions, seed=seed, sweep_seconds=SWEEP_S, clock=clock, pause=pause
        )
        return eyes.table

    return play_match(game, start, hands, path, eyes.as_session(), table, lambda _: {})
