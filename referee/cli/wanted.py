"""The options of commands that begin a match or take one up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from referee.journal import default_folder
from referee.web.setup.settings import default_file


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


_OPTIONS = (
    click.option("--seats", type=Seats(), help="Who plays, as they sit: yellow=Ann,blue=Ben,…"),
    click.option("--ranks", help="The rank of each seat, such as 2,1,3; drawn if not given."),
    click.option("--regions", help="The face-up regions, such as 7@0,3@2; drawn if not given."),
    click.option("--match", "match_id", metavar="ID", help="The match to take up."),
    click.option("--new", is_flag=True, help="Begin a new match, though one is not finished."),
    click.option(
        "--camera",
        metavar="CAMERA",
        help="As `referee camera list` names it; none for a match by hand. "
        "Without it: the one that was set up, or the only one.",
    ),
    click.option(
        "--box",
        "box_port",
        metavar="PORT",
        help="As `referee box list` names it, fake:// to try, or none. Without it: the one that "
        "was set up, or the only one.",
    ),
    click.option("--edition", help="An edition's name or file; the kit's if not given."),
    click.option("--book", help="The taught faces of its tiles; the kit's if not given."),
    click.option(
        "--lens", "lens_file", type=click.Path(path_type=Path), help="From `referee lens`."
    ),
    click.option(
        "--folder",
        type=click.Path(path_type=Path, file_okay=False),
        default=default_folder,
        help="Where matches lie. Without it: $REFEREE_MATCHES, else this user's data folder.",
    ),
    click.option(
        "--settings",
        "settings_file",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        default=default_file,
        help="What was set up at /setup; options hold instead. Without it: $REFEREE_SETTINGS, "
        "else in this user's data folder.",
    ),
    click.option("--changed", metavar="WHY", help="Go on though the program changed meanwhile."),
)


@dataclass(frozen=True)
class Wanted:
    """What `opening_options` ask for, each under its option's name."""

    seats: dict[str, str] | None
    ranks: str | None
    regions: str | None
    match_id: str | None
    new: bool
    camera: str | None
    box_port: str | None
    edition: str | None
    book: str | None
    lens_file: Path | None
    folder: Path
    settings_file: Path
    changed: str | None


def opening_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options of `Wanted`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
