"""The demo's players: in real time, at a rendered table, with the fake board and a real record."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from random import Random

from referee.box.box import Box
from referee.claims import layout_of
from referee.cli.kitset import KitArt, kit_book, kit_dial
from referee.games.loading import load_game
from referee.games.tumult_royale import PLAYERS
from referee.games.tumult_royale.edition import edition_text
from referee.games.tumult_royale.hands import Hands, Temper
from referee.journal import Journal
from referee.kit.bare import BareBoards
from referee.match.live import Live
from referee.match.match import Match
from referee.match.watch import Watch
from referee.simulation.conditions import Conditions
from referee.simulation.players.acting import Actors
from referee.simulation.table import SimulatedTable
from vision.camera import Drawn
from vision.reader import TableReader
from vision.scene.cameras import overhead_camera
from vision.scene.description import Lamp, Sensor
from vision.session import Session

#: A test may take so long before it has failed. (s)
LONG = 150.0


def test_first_statues_and_the_spin_are_read_from_pixels_as_they_happen(tmp_path: Path) -> None:
    game = load_game("tumult_royale", edition_text("kit"))
    start = game.begin(game.draw({"seats": "yellow,blue"}, Random(3)))
    header = {"game": game.name, "edition": game.edition}
    with Journal.create(tmp_path / "acted.match", header, now=time.time) as journal:
        Match.begin(game, journal, start, "test")
        match = Match(game, journal, now=time.monotonic(), wall=time.time)
        plan = game.plan(start)
        camera = overhead_camera(plan.size, (1280, 720), tilt=4.0)
        conditions = Conditions(camera, "wood", 7, Lamp(), Sensor())
        table = SimulatedTable(plan, KitArt(), conditions, seed=2, sweep_seconds=0.3)
        hands = Hands(start, [Temper(PLAYERS["modest"])] * 2, Random(3)).play(1)
        actors = Actors(table, hands, lambda seconds: None)
        reader = TableReader(layout_of(plan), kit_book(), dial=kit_dial(plan))
        watch = Watch(Drawn(table.frame), lambda: Session(reader))
        box = Box("fake://")
        bare = BareBoards(plan, KitArt()).faces
        live = Live(match, watch, box, draw=actors.draw, bare=bare)
        watch.start()
        live.start()
        playing = threading.Thread(target=actors.play, args=(live,), daemon=True)
        playing.start()
        end = time.monotonic() + LONG
        while live.view.state_id < 3 and time.monotonic() < end:
            live.wait(live.view.seq, 0.5)
        actors.stop()
        playing.join()
        box.close()
        live.stop()
        watch.stop()
    assert len(live.view.moves) >= 4, f"only {live.view.moves} in {LONG} s: {live.view.verdict}"
    assert [words.split()[-2] for words in live.view.moves[1:3]] == ["first", "first"]
    assert live.view.moves[3].startswith("spin ")
    assert actors.record.wrong == 0
    assert actors.record.confirmed >= 2
