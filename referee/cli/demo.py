"""`referee demo`: a live match at a rendered table, with a box in this program."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import click

from referee.cli.announcing import announced, mqtt_option
from referee.cli.hosting import Serving, hosting, serving_options
from referee.cli.rendered import RenderedGear
from referee.games.tumult_royale import COLOURS
from referee.games.tumult_royale.sections import FEWEST_PLAYERS, MOST_PLAYERS
from referee.mqtt.broker import Broker
from referee.simulation.players.acting import BY
from referee.web.house import House
from referee.web.screens import Screens, pages_of
from referee.web.site import Site

#: Those who play.
NAMES = ("Anna", "Ben", "Carla", "David")


@click.command()
@serving_options
@mqtt_option
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
def demo(players: int, seed: int, speed: float, mqtt: Broker | None, **options: Any) -> None:
    """Watch a referee follow a game of Tumult Royale at a rendered table.

    It is `referee run` with a rendered camera and a box in this program: all that it knows comes
    from the pictures and from what the players enter. The log counts moves that it confirmed and
    that did not truly happen. You may enter things by hand too, and begin another match when one
    is over; nothing of it is kept. Stop with Ctrl-C.
    """
    serving = Serving.taken(options)
    with ExitStack() as stack:
        server = stack.enter_context(hosting(serving))
        click.echo("Setting the table …")
        gear = RenderedGear(seed=seed, speed=speed)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-demo-")))
        file = folder / "settings.toml"
        house = House(gear, folder / "matches", file=file, chance=Random(seed))
        stack.enter_context(house)
        house.begin(dict(zip(COLOURS[:players], NAMES, strict=False)), by=BY)
        screens = stack.enter_context(Screens(pages_of(house)))
        stack.enter_context(announced(mqtt, screens, ""))
        server.serve(Site(screens, house, sessions=server.sessions, reach=server.reach))
    confirmed, wrong = gear.confirmed
    click.echo(f"\n{confirmed} moves confirmed from pictures, {wrong} of them wrong.")
