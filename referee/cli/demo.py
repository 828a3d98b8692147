"""`referee demo`: a live match at a rendered table, with a box in this program."""

from __future__ import annotations

import logging
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random

import click
import numpy as np
from numpy.typing import NDArray

from referee.box.box import Box
from referee.claims import layout_of
from referee.cli.hosting import HOST, listen, serve
from referee.cli.kitset import KitArt, kit_book, kit_dial
from referee.cli.opening import GAME, begun
from referee.games.loading import load_game
from referee.games.table import TablePlan
from referee.games.tumult_royale import COLOURS, PLAYERS
from referee.games.tumult_royale.edition import edition_text
from referee.games.tumult_royale.hands import Hands, Temper
from referee.games.tumult_royale.sections import FEWEST_PLAYERS, MOST_PLAYERS
from referee.journal import EvidenceStore, evidence_path, software
from referee.match.live import Live
from referee.match.match import Match
from referee.match.watch import Watch
from referee.simulation.conditions import Conditions
from referee.simulation.players.acting import BY, Actors
from referee.simulation.table import SimulatedTable
from referee.web.app import create_app
from referee.web.page import MatchPage
from referee.web.site import Site
from vision.camera import Drawn
from vision.reader import TableReader
from vision.scene.cameras import overhead_camera
from vision.scene.description import Lamp, Sensor
from vision.session import Session

#: Who sits at the table: some are greedy, so that there is something to rule on, some clumsy.
TEMPERS = (
    Temper(PLAYERS["greedy"]),
    Temper(PLAYERS["modest"], clumsy=0.3),
    Temper(PLAYERS["steady"]),
    Temper(PLAYERS["modest"]),
)
EDITION = "kit"
FRAME_SIZE = (1280, 720)
#: Pictures a second: drawing more would only take time from reading them.
FRAME_RATE = 8.0
#: Seconds in which a hand comes, carries and goes, at normal speed.
SWEEP_SECONDS = 0.7
#: More rounds than a game can have.
ROUNDS = 99


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option(
    "--players",
    type=click.IntRange(FEWEST_PLAYERS, MOST_PLAYERS),
    default=MOST_PLAYERS,
    show_default=True,
    help="How many play.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Which game is played.")
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 20),
    default=1.0,
    show_default=True,
    help="How fast the players are; the referee looks as carefully at any speed.",
)
def demo(port: int, players: int, seed: int, speed: float) -> None:
    """Watch a referee follow a game of Tumult Royale at a rendered table.

    It is `referee run` with a rendered camera and a box in this program: all that it knows comes
    from the pictures and from what the players enter. The log counts moves that it confirmed and
    that did not truly happen. You may enter things by hand too. Stop with Ctrl-C.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    with ExitStack() as stack:
        listening = listen(port)
        stack.callback(listening.close)
        click.echo("Setting the table …")
        text = edition_text(EDITION)
        game = load_game(GAME, text)
        setup = game.draw({"seats": ",".join(COLOURS[:players])}, Random(seed))
        start = game.begin(setup)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-demo-")))
        path = folder / "demo.match"
        journal = begun(path, game, text, setup, start, by=BY, people={}, calibration="")
        stack.callback(journal.close)
        pictures = EvidenceStore(evidence_path(journal.path))
        stack.callback(pictures.close)
        match = Match(game, journal, now=time.monotonic(), wall=time.time, pictures=pictures)
        match.note_run(software())
        plan, art = game.plan(start), KitArt()
        table = SimulatedTable(
            plan, art, _conditions(plan), seed=seed, sweep_seconds=SWEEP_SECONDS / speed
        )
        reader = TableReader(layout_of(plan), kit_book(), dial=kit_dial(plan))
        watch = Watch(Drawn(_paced(table.frame)), lambda: Session(reader))
        stopped = threading.Event()
        hands = Hands(start, TEMPERS[:players], Random(seed)).play(ROUNDS)

        def pause(seconds: float) -> None:
            stopped.wait(seconds / speed)

        actors = Actors(table, hands, pause)
        live = Live(match, watch, Box("fake://"), draw=actors.draw)
        watch.start()
        stack.callback(watch.stop)
        live.start()
        stack.callback(live.stop)
        threading.Thread(target=actors.play, args=(live,), name="players", daemon=True).start()
        click.echo(f"The table is at http://{HOST}:{port} (stop with Ctrl-C)")
        page = MatchPage(game, live, watch, pictures, art.get)
        serve(create_app(Site(page)), listening)
        stopped.set()
        actors.stop()
    record = actors.record
    click.echo(f"\n{record.confirmed} moves confirmed from pictures, {record.wrong} of them wrong.")


def _paced(draw: Callable[[], NDArray[np.uint8]]) -> Callable[[], NDArray[np.uint8]]:
    """Draws no more often than a webcam takes pictures."""
    due = time.monotonic()

    def drawn() -> NDArray[np.uint8]:
        nonlocal due
        time.sleep(max(0.0, due - time.monotonic()))
        due = time.monotonic() + 1 / FRAME_RATE
        return draw()

    return drawn


def _conditions(plan: TablePlan) -> Conditions:
    """An evening in a café: wood, a lamp, a webcam on a stand."""
    return Conditions(
        camera=overhead_camera(plan.size, FRAME_SIZE, tilt=4.0),
        surface="wood",
        surface_seed=7,
        lamp=Lamp(colour=(0.94, 1.0, 1.05)),
        sensor=Sensor(),
    )
