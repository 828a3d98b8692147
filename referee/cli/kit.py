"""`referee kit`: writes the print-and-play set as a PDF."""

from __future__ import annotations

from pathlib import Path
from random import Random

import click

from referee.games.said import say
from referee.games.tumult_royale import deal
from referee.games.tumult_royale.art import drawings, print_items
from referee.games.tumult_royale.edition import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    Edition,
    load_edition,
)
from referee.games.tumult_royale.table import placement, spinner_centre, table_plan
from referee.kit import PAPERS, PrintSet, TableView, write_pdf
from referee.kit.calibration import write_calibration_board
from referee.words import LANGUAGES


@click.command()
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("kit.pdf"),
    show_default=True,
    help="The file to write.",
)
@click.option(
    "--paper",
    type=click.Choice(sorted(PAPERS), case_sensitive=False),
    default="a4",
    show_default=True,
    help="What the printer holds.",
)
@click.option(
    "--charuco",
    is_flag=True,
    help="Write only the calibration board, for `referee lens`.",
)
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default=LANGUAGES[0],
    show_default=True,
    help="What is printed.",
)
def kit(out: Path, paper: str, charuco: bool, language: str) -> None:
    """Write the print-and-play set: tiles, boards, cards, markers and a guide, as a PDF."""
    try:
        if charuco:
            write_calibration_board(out, PAPERS[paper], language)
            click.echo(f"{out}: glue it flat onto a stiff board; both lines must measure 100 mm.")
            return
        pages = write_pdf(out, print_set(load_edition("kit")), PAPERS[paper], language)
    except OSError as error:
        raise click.ClickException(
            f"{out} can't be written ({error.strerror or error}): "
            "name a file in a folder that exists and is not open elsewhere with -o."
        ) from error
    click.echo(f"{out}: {pages} pages on {PAPERS[paper].name}. Begin with page 1.")


def print_set(edition: Edition) -> PrintSet:
    """All that is printed of an edition, with the tables for each number of players."""
    sizes = edition.sizes
    return PrintSet(
        title=say("Tumult Royale: print-and-play set"),
        items=print_items(edition),
        drawings=drawings(edition),
        views=tuple(
            _view(edition, players) for players in range(MOST_PLAYERS, FEWEST_PLAYERS - 1, -1)
        ),
        marker_margin=sizes.marker_margin,
        needs=(
            say(
                "{n} statues for each player, in yellow, blue, grey and purple: turned pawns about "
                "{width} mm wide and {height} mm tall.",
                n=edition.numbers.statues,
                width=f"{sizes.statue_diameter:g}",
                height=f"{sizes.statue_height:g}",
            ),
            say(
                "An hourglass or clock of {seconds} seconds, and a split pin for the spinner.",
                seconds=edition.numbers.hourglass,
            ),
            say(
                "Grey board {thickness} mm thick, and stiff card; glue, knife and ruler.",
                thickness=f"{sizes.board_thickness:g}",
            ),
            say("A camera above the table that sees all eight table markers."),
        ),
        steps=(
            say("Glue castle boards, frame and spinner onto grey board before cutting them out."),
            say(
                "Tiles, regions, cards and supporters: print them on both sides of stiff card. For "
                "tiles {thickness} mm thick print their pages on one side each, and glue fronts "
                "and backs onto the two sides of grey board.",
                thickness=f"{sizes.tile_thickness:g}",
            ),
            say(
                "Frame: for each half glue an upper arm, the side with two flaps, the side with "
                "one flap, and a lower arm edge to edge, flaps underneath. The centre pieces stay "
                "loose: two of them lie between the halves with three players, all four with four."
            ),
            say("Pin the arrow onto the spinner so that it turns freely."),
            say(
                "Lay the table markers out as the next page shows, with their middles at the "
                "distances given there, all of them the same way up, and stick them down."
            ),
        ),
    )


def _view(edition: Edition, players: int) -> TableView:
    # Any deal will do: the picture shows where regions lie, not which.
    state = deal(edition, players, Random(players))
    return TableView(
        title=say("The table for {n} players", n=players),
        plan=table_plan(edition, [seat.colour for seat in state.seats]),
        placement=placement(state),
        beside=(("spinner", spinner_centre(edition.sizes)),),
    )
