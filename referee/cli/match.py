"""`referee match`: the matches on record."""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from referee.cli.matchlist import found_json, found_words, local_date
from referee.journal import (
    Journal,
    JournalError,
    Pictures,
    default_folder,
    delete,
    evidence_path,
    find,
    latest_matches,
    sweep_all,
    told,
)
from referee.journal.errors import unwritable
from referee.journal.export import event_json, exported, write_pictures
from referee.journal.telling import cause_words

if TYPE_CHECKING:
    from referee.match.replay import Replayed

log = logging.getLogger(__name__)

_FOLDER = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=default_folder,
    help="Where the matches lie. Without it: $REFEREE_MATCHES, else this user's data folder.",
)
_JSON = click.option("--json", "as_json_", is_flag=True, help="Print JSON, an object a line.")
_MATCH = click.argument("match_id", metavar="ID")
#: Ends of files that an export must not be written over.
_OURS = (".match", ".evidence", ".lock")


@click.group()
def match() -> None:
    """List, read, export, check or delete the matches on record.

    ID is how a match's name begins, the path of its file, or "latest".
    """


@match.command("list")
@_FOLDER
@_JSON
def list_matches(folder: Path, as_json_: bool) -> None:
    """List all matches: first those that are not finished, then the newest first."""
    with _explained(as_json_):
        _sweep(folder)
        found = latest_matches(folder)
        for each in found:
            click.echo(json.dumps(found_json(each)) if as_json_ else found_words(each))
    if not found and not as_json_:
        click.echo(f"There are no matches in {folder}.")


@match.command()
@_MATCH
@_FOLDER
@_JSON
def show(match_id: str, folder: Path, as_json_: bool) -> None:
    """Print every event in a line: number, local time, cause, and what happened."""
    with _explained(as_json_):
        _sweep(folder)
        with Journal.read(find(folder, match_id)) as journal:
            if not as_json_:
                click.echo(_title(journal))
            last = ""
            for event in journal.events():
                line = f"{event.seq:5}  {_clock(event.at)}  {cause_words(event.cause)}: "
                last = event.hash
                click.echo(json.dumps(event_json(event)) if as_json_ else line + told(event))
            if last and not as_json_:
                click.echo(f"All is as it was written, up to hash {last[:12]}.")


@match.command()
@_MATCH
@_FOLDER
@click.option("--format", "form", type=click.Choice(["json", "csv"]), default="json")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write. Without it: standard output.",
)
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the evidence pictures that are still kept.",
)
@click.option("--names", is_flag=True, help='Keep names; without it they become "player 1".')
@click.option("--json", "as_json_", is_flag=True, help="Print errors and what was written as JSON.")
def export(
    match_id: str,
    folder: Path,
    form: Literal["json", "csv"],
    out: Path | None,
    pictures: Path | None,
    names: bool,
    as_json_: bool,
) -> None:
    """Write a match as JSON, or as CSV for a spreadsheet; of a damaged one, the whole part.

    The names of those who played or decided are replaced, unless you say --names. Names of others
    in free texts are not known, and stay. If the match is damaged the exit code is 1.
    """
    with _explained(as_json_):
        _sweep(folder)
        path = find(folder, match_id)
        with Journal.read(path) as journal:
            told_of = exported(journal, form, named=names)
        _write(told_of.text, out)
        files: list[Path] = []
        if pictures is not None and evidence_path(path).exists():
            with Pictures(evidence_path(path)) as kept:
                files = write_pictures(kept, pictures)
        count, damage = told_of.events, told_of.damage
        answer = {"events": count, "out": out and str(out), "pictures": [*map(str, files)]}
        if as_json_ and out is not None:
            click.echo(json.dumps(answer))
        elif out is not None:
            click.echo(f"{count} events and {len(files)} pictures written.", err=True)
        if damage is not None:
            raise damage


@match.command()
@_MATCH
@_FOLDER
@_JSON
def replay(match_id: str, folder: Path, as_json_: bool) -> None:
    """Judge again all that the camera saw: every verdict must come out bit for bit the same.

    Prints a line for each that does not; the exit code is then 1.
    """
    from referee.match.gameof import game_of
    from referee.match.replay import replay as judged_again

    count, different = 0, 0
    with _explained(as_json_), Journal.read(find(folder, match_id)) as journal:
        for each in _told_why(judged_again(game_of(journal), journal)):
            count += 1
            if each.same:
                continue
            different += 1
            answer = {"seq": each.event.seq, "recorded": each.recorded, "again": each.again}
            line = f"event {each.event.seq}:\n  on record {each.recorded}\n  now       {each.again}"
            click.echo(json.dumps(answer) if as_json_ else line)
    if as_json_:
        click.echo(json.dumps({"verdicts": count, "different": different}))
    else:
        click.echo(f"{count} verdicts judged again, {different} came out differently.")
    if different:
        sys.exit(1)


@match.command("delete")
@_MATCH
@_FOLDER
@click.option("--yes", is_flag=True, help="Don't ask.")
@_JSON
def delete_match(match_id: str, folder: Path, yes: bool, as_json_: bool) -> None:
    """Delete a match with its pictures, for good. Asks first."""
    with _explained(as_json_):
        path = find(folder, match_id)
        if not yes:
            click.confirm(f"Delete the match {path.stem} and its pictures?", abort=True, err=True)
        delete(path)
    click.echo(json.dumps({"deleted": path.stem}) if as_json_ else f"{path.stem} is deleted.")


@contextlib.contextmanager
def _explained(as_json_: bool) -> Iterator[None]:
    try:
        yield
    except JournalError as error:
        if as_json_:
            click.echo(json.dumps({"error": error.what, "remedy": error.remedy}))
        else:
            click.echo(f"{error.what}\n-> {error.remedy}", err=True)
        sys.exit(1)


def _told_why(replayed: Iterator[Replayed]) -> Iterator[Replayed]:
    """The same; an event that can't follow those before it is a JournalError."""
    try:
        yield from replayed
    except ValueError as error:
        raise JournalError(
            f"The match can't be replayed: {error}",
            "Take the version of the program that the match was played with.",
        ) from None


def _sweep(folder: Path) -> None:
    """Deletes pictures whose time is over; where that fails, the next command tries again."""
    try:
        sweep_all(folder, time.time())
    except JournalError as error:
        log.warning("%s", error)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        click.echo(text, nl=False)
        return
    if out.suffix in _OURS:
        raise click.UsageError(f"{out} is named like a match itself: take another name.")
    try:
        out.write_bytes(text.encode())
    except OSError as error:
        raise unwritable(error, out) from None


def _title(journal: Journal) -> str:
    header: Callable[[str], object] = journal.header.get
    when = local_date(float(str(header("created"))))
    return f"{journal.id}: {header('game')}, edition {header('edition')}, begun {when}"


def _clock(at: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at))
