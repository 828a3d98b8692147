"""`referee run`: a live match, with camera and box, or by hand."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from random import SystemRandom
from typing import Any

import click

from referee.box.box import Box
from referee.claims import layout_of
from referee.cli.books import KIT, open_book
from referee.cli.hosting import HOST, listen, serve
from referee.cli.kitset import KitArt, kit_dial
from referee.games.game import Game
from referee.games.loading import load_game
from referee.games.tumult_royale.edition import edition_text
from referee.journal import (
    EvidenceStore,
    Journal,
    JournalError,
    default_folder,
    evidence_path,
    find,
    header_of,
    latest_matches,
    new_path,
    software,
    sweep_all,
)
from referee.match.live import Live
from referee.match.match import Match
from referee.match.watch import Watch
from referee.web.app import create_app
from referee.web.page import MatchPage
from vision.camera import found_cameras, identity_of, open_source
from vision.errors import UnreadableError
from vision.plane.lens_file import CameraLens
from vision.reader import TableReader
from vision.session import Session

log = logging.getLogger(__name__)

#: What `--camera` and `--box` take for none.
NONE = "none"
GAME = "tumult_royale"


class Seats(click.ParamType[dict[str, str]]):
    """Colours in the order in which they sit, each with a name if it has one."""

    name = "colour=name,colour=name,…"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, str]:
        """Parses the text; the game says later whether there are such colours."""
        seats: dict[str, str] = {}
        for word in str(value).split(","):
            colour, _, person = (part.strip() for part in word.partition("="))
            if not colour or colour in seats:
                self.fail(f"{value!r} names the seat {colour!r} twice, or not at all.", param, ctx)
            seats[colour.lower()] = person or colour
        return seats


@click.command()
@click.option("--seats", type=Seats(), help="Who plays, as they sit: yellow=Ann,blue=Ben,…")
@click.option("--ranks", help="The rank of each seat, such as 2,1,3; drawn if not given.")
@click.option("--regions", help="The face-up regions, such as 7@0,3@2; drawn if not given.")
@click.option("--match", "match_id", metavar="ID", help="The match to take up.")
@click.option("--new", is_flag=True, help="Begin a new match, though one is not finished.")
@click.option(
    "--camera",
    metavar="CAMERA",
    help="As `referee camera list` names it; none for a match by hand. Without it: the only one.",
)
@click.option(
    "--box",
    "box_port",
    metavar="PORT",
    help="As `referee box list` names it, fake:// to try, or none. Without it: the only one.",
)
@click.option("--edition", default=KIT, show_default=True, help="An edition's name or file.")
@click.option("--book", default=KIT, show_default=True, help="The taught faces of its tiles.")
@click.option("--lens", "lens_file", type=click.Path(path_type=Path), help="From `referee lens`.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=default_folder,
    help="Where matches lie. Without it: $REFEREE_MATCHES, else this user's data folder.",
)
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option("--changed", metavar="WHY", help="Go on though the program changed meanwhile.")
def run(
    seats: dict[str, str] | None,
    ranks: str | None,
    regions: str | None,
    match_id: str | None,
    new: bool,
    camera: str | None,
    box_port: str | None,
    edition: str,
    book: str,
    lens_file: Path | None,
    folder: Path,
    port: int,
    changed: str | None,
) -> None:
    """Referee a live match: read the table, run the box, rule, and keep the record.

    Takes up the newest match that is not finished, or begins one with --seats. Everything can be
    entered by hand on the page; losing the camera or the box never stops a match. Stop with
    Ctrl-C: the match goes on where it was when you run it again.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    with ExitStack() as stack, _in_a_sentence():
        listening = listen(port)
        stack.callback(listening.close)
        if new or (seats and not match_id):
            setup = {"seats": ",".join(seats or ()), "ranks": ranks, "regions": regions}
            journal = _begin(setup, seats or {}, edition, folder, camera, new)
        else:
            journal = _take_up(folder, match_id)
        stack.callback(journal.close)
        game = load_game(str(journal.header["game"]), str(journal.header["edition_text"]))
        pictures = EvidenceStore(evidence_path(journal.path))
        stack.callback(pictures.close)
        sweep_all(folder, time.time())
        match = Match(
            game,
            journal,
            now=time.monotonic(),
            wall=time.time,
            pictures=pictures,
            camera=camera or "camera",
        )
        match.note_run(software(), changed or "")
        watch = _watch(game, match, camera, book, lens_file)
        if watch is not None:
            watch.start()
            stack.callback(watch.stop)
        live = Live(match, watch, None if box_port == NONE else Box(box_port))
        live.start()
        stack.callback(live.stop)
        click.echo(f"Match {journal.id}: http://{HOST}:{port} (stop with Ctrl-C)")
        serve(create_app(MatchPage(game, live, watch, pictures, KitArt().get)), listening)


def _begin(
    setup: dict[str, str | None],
    people: dict[str, str],
    edition: str,
    folder: Path,
    camera: str | None,
    new: bool,
) -> Journal:
    """A new match in its folder; says how the table is laid."""
    if not people:
        raise click.UsageError("Who plays? Add --seats, such as yellow=Ann,blue=Ben.")
    open_ones = [found.id for found in latest_matches(folder) if not found.finished]
    if open_ones and not new:
        raise click.UsageError(
            f"The match {open_ones[0]} is not finished: leave --seats out to go on with it, "
            "or add --new to begin another one."
        )
    text = edition_text(edition)
    game = load_game(GAME, text)
    drawn = game.draw({key: value for key, value in setup.items() if value}, SystemRandom())
    position = game.begin(drawn)
    header = header_of(
        game=game.name,
        edition=game.edition,
        edition_text=text,
        setup=drawn,
        people=people,
        calibration=camera or "",
    )
    journal = Journal.create(new_path(folder, time.time()), header, now=time.time)
    Match.begin(game, journal, position, "host")
    click.echo("\n".join(game.lay(position)))
    return journal


def _take_up(folder: Path, match_id: str | None) -> Journal:
    """The match that is meant, open for writing."""
    if match_id is None:
        left = [found for found in latest_matches(folder) if not found.finished]
        if not left:
            raise click.UsageError(
                "No match is unfinished. Begin one: referee run --seats yellow=Ann,blue=Ben"
            )
        return Journal.open(left[0].path, now=time.time)
    return Journal.open(find(folder, match_id), now=time.time)


def _watch(
    game: Game[Any, Any],
    match: Match[Any, Any],
    spec: str | None,
    book: str,
    lens_file: Path | None,
) -> Watch | None:
    """What looks at the table; None if no camera is to be used."""
    spec = _camera(spec)
    camera = None if spec is None else open_source(spec)
    if camera is None:
        click.echo("No camera: everything is entered by hand.")
        return None
    plan = game.plan(match.view.position)

    # A file may be the wrong one; the kit's faces take a while, and are known to be there.
    taught = None if book == KIT else open_book(book)

    @cache
    def reader() -> TableReader:
        return TableReader(layout_of(plan), taught or open_book(book), dial=kit_dial(plan))

    lens = None
    if lens_file is not None:
        height, width = camera.read().image.shape[:2]
        key = None if spec is None else identity_of(spec)
        lens = CameraLens.load(lens_file).fitting(key, (width, height))
    return Watch(camera, lambda: Session(reader(), lens=lens))


def _camera(spec: str | None) -> str | None:
    """The camera that is meant: the only one if none is named."""
    if spec is not None:
        return None if spec == NONE else spec
    found = found_cameras()
    if len(found) > 1:
        names = ", ".join(camera.spec for camera in found)
        raise click.UsageError(f"Which camera? Name one with --camera: {names}.")
    return found[0].spec if found else None


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """Errors that people can do something about, without a traceback."""
    try:
        yield
    except (UnreadableError, JournalError) as error:
        click.echo(f"{error.what}\n-> {error.remedy}", err=True)
        sys.exit(1)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
