"""`referee run`: a live match, with camera and box, or by hand."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from typing import Any

import click

from referee.cli.hosting import HOST, listen, serve
from referee.cli.opening import in_a_sentence, opened
from referee.cli.wanted import Wanted, opening_options
from referee.web.app import create_app
from referee.web.screens import Screens, pages_of
from referee.web.site import Site


@click.command()
@opening_options
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
def run(port: int, **options: Any) -> None:
    """Referee a live match: read the table, run the box, rule, and keep the record.

    Takes up the newest match that is not finished, or begins one with --seats. Everything can be
    entered by hand on the page; losing the camera or the box never stops a match. Stop with
    Ctrl-C: the match goes on where it was when you run it again.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    with ExitStack() as stack, in_a_sentence():
        listening = listen(port)
        stack.callback(listening.close)
        house, match = stack.enter_context(opened(Wanted(**options)))
        click.echo(f"Match {match.journal.id}: http://{HOST}:{port} (stop with Ctrl-C)")
        screens = stack.enter_context(Screens(pages_of(house)))
        serve(create_app(Site(screens)), listening)
