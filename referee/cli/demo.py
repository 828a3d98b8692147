"""`referee demo`: a rendered table plays, and a page shows what the referee sees and says."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from random import Random

import click
import numpy as np
import uvicorn
from numpy.typing import NDArray

from referee.claims import layout_of
from referee.cli.kitset import KitArt, kit_book, kit_edition
from referee.games.show import Show
from referee.games.table import TablePlan
from referee.games.tumult_royale import COLOURS, PLAYERS, Tumults
from referee.games.tumult_royale.sections import FEWEST_PLAYERS, MOST_PLAYERS
from referee.games.tumult_royale.show import show
from referee.games.tumult_royale.table import table_plan
from referee.match.demo import Demo
from referee.match.watch import Watch
from referee.simulation.conditions import Conditions
from referee.simulation.table import SimulatedTable
from referee.web.demo_app import create_app
from referee.web.demo_page import DemoPage
from vision.camera import Drawn
from vision.reader import TableReader
from vision.scene.cameras import overhead_camera
from vision.scene.description import Lamp, Sensor
from vision.session import Session

HOST = "127.0.0.1"
#: Who sits at the table: some are greedy, so that there is something to rule on.
CHARACTERS = ("greedy", "modest", "steady", "modest")
FRAME_SIZE = (1280, 720)
#: Pictures a second: drawing more would only take time from reading them.
FRAME_RATE = 8.0
#: Seconds in which a hand comes, carries and goes, at normal speed.
SWEEP_SECONDS = 0.7


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option(
    "--players",
    type=click.IntRange(FEWEST_PLAYERS, MOST_PLAYERS),
    default=MOST_PLAYERS,
    show_default=True,
    help="How many play.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Which games are played.")
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 20),
    default=1.0,
    show_default=True,
    help="How fast the players are; the referee looks as carefully at any speed.",
)
def demo(port: int, players: int, seed: int, speed: float) -> None:
    """Watch a referee read a rendered table and rule on games of Tumult Royale.

    Every verdict comes from the picture alone. The page also says, small, whether it agrees with
    what truly lies there; the log counts disagreements. Stop with Ctrl-C.
    """
    listening = _listen(port)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    click.echo("Setting the table …")
    plan = table_plan(kit_edition(), COLOURS[:players])
    art = KitArt()
    stopped = threading.Event()

    def pause(seconds: float) -> None:
        stopped.wait(seconds / speed)

    table = SimulatedTable(
        plan, art, _conditions(plan), seed=seed, sweep_seconds=SWEEP_SECONDS / speed
    )
    reader = TableReader(layout_of(plan), kit_book())
    watch = Watch(Drawn(_paced(table.frame)), lambda: Session(reader))
    playing = Demo(_games(players, seed), table, watch.look, pause)
    page = DemoPage(lambda: playing.snapshot, lambda: watch.newest, art.get)
    watch.start()
    threading.Thread(target=playing.run, name="players", daemon=True).start()
    click.echo(f"The table is at http://{HOST}:{port} (stop with Ctrl-C)")
    server = uvicorn.Server(
        uvicorn.Config(create_app(page), log_level="warning", timeout_graceful_shutdown=1)
    )
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        stopped.set()
        playing.stop()
        watch.stop()
    record = None if playing.snapshot is None else playing.snapshot.record
    if record is not None:
        click.echo(
            f"\n{record.confirmed} verdicts confirmed, {record.disagreements} of them wrong; "
            f"{record.inconclusive} times inconclusive."
        )


def _games(players: int, seed: int) -> Iterator[Show[Tumults]]:
    """Game after game, each with its own luck."""
    characters = [(name, PLAYERS[name]) for name in CHARACTERS[:players]]
    for game in count(seed):
        yield show(kit_edition(), characters, Random(game))


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


def _listen(port: int) -> socket.socket:
    """The port, taken before anything slow begins; one clear sentence if somebody else has it."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        # Elsewhere this would let two programs share a port rather than outlive a closed one.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise click.ClickException(
            f"Port {port} can't be used ({error.strerror}): "
            f"stop the program that uses it, or choose another one with --port."
        ) from None
    return listening
