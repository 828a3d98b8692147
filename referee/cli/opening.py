"""The house that `referee run` and `referee check` work for, and the match that is wanted of it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from referee.box.box import Box
from referee.box.draw import Dial, draw_sector
from referee.cli.books import open_book
from referee.cli.kitset import KitArt, kit_dial
from referee.cli.wanted import Wanted
from referee.games.game import Game
from referee.games.said import say
from referee.games.table import Placement, TablePlan
from referee.games.tumult_royale.edition import edition_text
from referee.journal import JournalError
from referee.kit.bare import BareBoards
from referee.web.house import House, Opened
from referee.web.setup.settings import Settings
from vision.camera import Camera, Found, found_cameras, open_source
from vision.camera import Settings as CameraSettings
from vision.dial import DialReader
from vision.errors import UnreadableError
from vision.faces import FaceBook

GAME = "tumult_royale"
#: What lets a process wait for others: so that reading a table is not held up.
LOW: dict[str, Any] = (
    {"preexec_fn": lambda: os.nice(10)}
    if os.name == "posix"
    else {"creationflags": getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)}
)


class KitGear:
    """What a real table is played with: this machine's cameras and ports, and the kit's print."""

    game = GAME
    kit_languages: tuple[str, ...] = ("en", "de")

    def __init__(self) -> None:
        self._art = KitArt()

    def cameras(self) -> Sequence[Found]:
        """The cameras that are there now."""
        return found_cameras()

    def open(self, spec: str, settings: Settings) -> Camera:
        """Opens a camera; raises UnreadableError if it isn't there."""
        return open_source(spec, settings=CameraSettings(mains=settings.mains or None))

    def box(self, port: str) -> Box:
        """A box that need not be there yet; an empty port is the only one."""
        return Box(port or None)

    def edition(self, name: str) -> str:
        """An edition's file as text; raises ValueError if there is none."""
        return edition_text(name)

    def book(self, name: str) -> FaceBook:
        """Taught faces; raises UnreadableError if there are none."""
        return open_book(name)

    def dial(self, plan: TablePlan) -> DialReader | None:
        """What reads a table's dial; None if it has none."""
        return kit_dial(plan)

    def bare(self, plan: TablePlan) -> Callable[[Placement], Mapping[str, NDArray[np.uint8]]]:
        """What gives the faces of the kit's boards with nothing standing on them, BGR."""
        return BareBoards(plan, self._art).faces

    def art(self, name: str) -> NDArray[np.uint8] | None:
        """One of the set's drawings as BGRA; None if there is none."""
        return self._art.get(name)

    def print_kit(self, file: Path, paper: str, language: str) -> None:
        """Writes the kit as a PDF in a process of its own, beside which a match goes on.

        Raises UnreadableError if it can't be written.
        """
        code = "from referee.cli import main; main()"
        options = ["--paper", paper, *(["--language", language] if language != "en" else [])]
        line = [sys.executable, "-c", code, "kit", "-o", str(file), *options]
        done = subprocess.run(line, capture_output=True, text=True, check=False, **LOW)
        if done.returncode != 0:
            raise UnreadableError(
                say("The PDF can't be made: {error}", error=done.stderr.strip()[-300:]),
                say("Try again, or run `referee kit` in a terminal."),
            )

    def laid(self, game: Game[Any, Any], position: Any, new: bool) -> Callable[[Dial], int]:
        """The sectors of the dial are drawn by chance."""
        return draw_sector

    def plays(self, match: Opened) -> None:
        """Nothing: people play."""

    def over(self) -> None:
        """Nothing: people play."""


def house_of(wanted: Wanted) -> House:
    """The house with its settings, which what is wanted overrides; it is to be closed.

    Raises UnreadableError if its settings can't be used.
    """
    lens = None if wanted.lens_file is None else str(wanted.lens_file.absolute())
    options = {
        "camera": wanted.camera,
        "box": wanted.box_port,
        "edition": wanted.edition,
        "book": wanted.book,
        "lens": lens,
    }
    overrides = {name: value for name, value in options.items() if value is not None}
    return House(KitGear(), wanted.folder, file=wanted.settings_file, overrides=overrides)


def open_match(
    house: House,
    wanted: Wanted,
    *,
    at_start: bool = False,
    say: Callable[[str], object] = click.echo,
) -> Opened | None:
    """Begins the match that is wanted, or takes it up; None if none is wanted or unfinished.

    `at_start`: it must stand at its start. `say` tells people what they want to know. Raises
    UsageError, and what `in_a_sentence` takes.
    """
    if wanted.new or (wanted.seats and not wanted.match_id):
        match = _begun(house, wanted, say)
    elif wanted.match_id is None and not house.unfinished():
        return None
    else:
        changed = wanted.changed or ""
        match = house.take_up(wanted.match_id, changed=changed, at_start=at_start)
    if match.watch is None:
        say("No camera: everything is entered by hand.")
    return match


def _begun(house: House, wanted: Wanted, say: Callable[[str], object]) -> Opened:
    """A new match; says how the table is laid."""
    if not wanted.seats:
        raise click.UsageError("Who plays? Add --seats, such as yellow=Ann,blue=Ben.")
    left = house.unfinished()
    if left and not wanted.new:
        raise click.UsageError(
            f"The match {left[0].id} is not finished: leave --seats out to go on with it, "
            "or add --new to begin another one."
        )
    match = house.begin(wanted.seats, ranks=wanted.ranks, regions=wanted.regions)
    say("\n".join(match.game.lay(match.live.view.position)))
    return match


@contextmanager
def opened(
    wanted: Wanted, *, at_start: bool = False, say: Callable[[str], object] = click.echo
) -> Iterator[tuple[House, Opened]]:
    """The match that is wanted, and its house, until the end. Raises UsageError if there is none.

    Else as `open_match`.
    """
    with house_of(wanted) as house:
        match = open_match(house, wanted, at_start=at_start, say=say)
        if match is None:
            raise click.UsageError(
                "No match is unfinished. Begin one with --seats yellow=Ann,blue=Ben"
            )
        yield house, match


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
