"""What `referee run` and `referee check` have in common: a match with its camera and its box."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import SystemRandom
from typing import Any

import click

from referee.box.box import Box
from referee.claims import layout_of
from referee.cli.books import KIT, open_book
from referee.cli.kitset import kit_dial
from referee.cli.wanted import NONE, Wanted
from referee.games.game import Game
from referee.games.loading import load_game
from referee.games.tumult_royale.edition import edition_text
from referee.journal import (
    EvidenceStore,
    Journal,
    JournalError,
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
from vision.camera import Awaited, found_cameras, identity_of, is_live, open_source
from vision.errors import UnreadableError
from vision.plane.lens_file import CameraLens
from vision.reader import TableReader
from vision.session import Session

GAME = "tumult_royale"


@dataclass(frozen=True)
class Opened:
    """A match that runs. `watch` and `box` are None if none is to be used."""

    game: Game[Any, Any]
    journal: Journal
    pictures: EvidenceStore
    watch: Watch | None
    box: Box | None
    live: Live[Any, Any]


@contextmanager
def opened(
    wanted: Wanted, *, at_start: bool = False, say: Callable[[str], object] = click.echo
) -> Iterator[Opened]:
    """Begins the match that is wanted, or takes it up, and runs it until the end.

    `at_start`: it must stand at its start. `say` tells people what they want to know. Raises
    UsageError, and what `in_a_sentence` takes.
    """
    with ExitStack() as stack:
        seats = wanted.seats
        if wanted.new or (seats and not wanted.match_id):
            journal = _begin(wanted, say)
        else:
            journal = _take_up(wanted.folder, wanted.match_id)
        stack.callback(journal.close)
        game = load_game(str(journal.header["game"]), str(journal.header["edition_text"]))
        pictures = EvidenceStore(evidence_path(journal.path))
        stack.callback(pictures.close)
        sweep_all(wanted.folder, time.time())
        match = Match(
            game,
            journal,
            now=time.monotonic(),
            wall=time.time,
            pictures=pictures,
            camera=wanted.camera or "camera",
        )
        if at_start and match.view.position != match.view.positions[0]:
            raise click.UsageError(
                f"The match {journal.id} has begun: go on with it by referee run, or begin "
                "another one with --new --seats yellow=Ann,blue=Ben."
            )
        match.note_run(software(), wanted.changed or "")
        watch = _watch(game, match, wanted.camera, wanted.book, wanted.lens_file, say)
        if watch is not None:
            watch.start()
            stack.callback(watch.stop)
        box = None if wanted.box_port == NONE else Box(wanted.box_port)
        live = Live(match, watch, box)
        live.start()
        stack.callback(live.stop)
        yield Opened(game, journal, pictures, watch, box, live)


def _begin(wanted: Wanted, say: Callable[[str], object]) -> Journal:
    """A new match in its folder; says how the table is laid."""
    if not wanted.seats:
        raise click.UsageError("Who plays? Add --seats, such as yellow=Ann,blue=Ben.")
    open_ones = [found.id for found in latest_matches(wanted.folder) if not found.finished]
    if open_ones and not wanted.new:
        raise click.UsageError(
            f"The match {open_ones[0]} is not finished: leave --seats out to go on with it, "
            "or add --new to begin another one."
        )
    text = edition_text(wanted.edition)
    game = load_game(GAME, text)
    setup = {"seats": ",".join(wanted.seats), "ranks": wanted.ranks, "regions": wanted.regions}
    drawn = game.draw({key: value for key, value in setup.items() if value}, SystemRandom())
    position = game.begin(drawn)
    journal = begun(
        new_path(wanted.folder, time.time()),
        game,
        text,
        drawn,
        position,
        by="host",
        people=wanted.seats,
        calibration=wanted.camera or "",
    )
    say("\n".join(game.lay(position)))
    return journal


def begun(
    path: Path,
    game: Game[Any, Any],
    edition: str,
    setup: Mapping[str, str],
    start: Any,
    *,
    by: str,
    people: Mapping[str, str],
    calibration: str,
) -> Journal:
    """A new match of a game whose edition's file has this text, at the start of its setup."""
    header = header_of(
        game=game.name,
        edition=game.edition,
        edition_text=edition,
        setup=setup,
        people=people,
        calibration=calibration,
    )
    journal = Journal.create(path, header, now=time.time)
    Match.begin(game, journal, start, by)
    return journal


def _take_up(folder: Path, match_id: str | None) -> Journal:
    """The match that is meant, open for writing."""
    if match_id is None:
        left = [found for found in latest_matches(folder) if not found.finished]
        if not left:
            raise click.UsageError(
                "No match is unfinished. Begin one with --seats yellow=Ann,blue=Ben"
            )
        return Journal.open(left[0].path, now=time.time)
    return Journal.open(find(folder, match_id), now=time.time)


def _watch(
    game: Game[Any, Any],
    match: Match[Any, Any],
    spec: str | None,
    book: str,
    lens_file: Path | None,
    say: Callable[[str], object],
) -> Watch | None:
    """What looks at the table; None if no camera is to be used."""
    spec = _camera(spec)
    if spec is None:
        say("No camera: everything is entered by hand.")
        return None
    # A match is not held up by a camera that will be plugged in later.
    camera = Awaited(partial(open_source, spec)) if is_live(spec) else open_source(spec)
    plan = game.plan(match.view.position)

    # A file may be the wrong one; the kit's faces take a while, and are known to be there.
    taught = None if book == KIT else open_book(book)

    @cache
    def reader() -> TableReader:
        return TableReader(layout_of(plan), taught or open_book(book), dial=kit_dial(plan))

    lens = None
    if lens_file is not None:
        height, width = camera.read().image.shape[:2]
        lens = CameraLens.load(lens_file).fitting(identity_of(spec), (width, height))
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
def in_a_sentence() -> Iterator[None]:
    """Errors that people can do something about, without a traceback."""
    try:
        yield
    except (UnreadableError, JournalError) as error:
        click.echo(f"{error.what}\n-> {error.remedy}", err=True)
        sys.exit(1)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
