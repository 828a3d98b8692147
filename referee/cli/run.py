"""`referee run`: a live match, with camera and box, or by hand."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import click

from referee.cli.announcing import announced, mqtt_option
from referee.cli.hosting import Serving, hosting, serving_options
from referee.cli.opening import house_of, in_a_sentence, open_match
from referee.cli.wanted import Wanted, opening_options
from referee.mqtt.broker import Broker
from referee.web.screens import Screens, pages_of
from referee.web.setup.settings import read_settings
from referee.web.site import Site


@click.command()
@opening_options
@serving_options
@mqtt_option
def run(mqtt: Broker | None, **options: Any) -> None:
    """Referee a live match: read the table, run the box, rule, and keep the record.

    Takes up the newest match that is not finished, or begins one with --seats; without either one
    is begun on the pages. Everything can be entered by hand there; losing the camera or the box
    never stops a match. Stop with Ctrl-C: the match goes on where it was when you run it again.

    Only this computer can open the pages, unless --lan lets others on the network see the public
    screens. Whoever judges gives the PIN that is printed at the start.
    """
    serving = Serving.taken(options)
    wanted = Wanted(**options)
    with ExitStack() as stack, in_a_sentence():
        settings = read_settings(wanted.settings_file)
        server = stack.enter_context(hosting(serving.as_set_up(settings)))
        house = stack.enter_context(house_of(wanted))
        match = open_match(house, wanted)
        if match is None:
            click.echo("No match is unfinished: begin one on the page /setup, or with --seats.")
        else:
            click.echo(f"Match {match.id}")
        screens = stack.enter_context(Screens(pages_of(house)))
        stack.enter_context(announced(mqtt, screens, settings.language))
        server.serve(
            Site(
                screens,
                house,
                folder=wanted.folder,
                sessions=server.sessions,
                reach=server.reach,
            )
        )
