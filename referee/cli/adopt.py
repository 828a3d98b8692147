"""`referee adopt`: teaches a book what people corrected in a match."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click
import cv2
import numpy as np

from referee.cli.books import KIT, open_book
from referee.cli.offers import Lesson, offer_json, offer_words
from referee.journal import (
    Event,
    Journal,
    JournalError,
    Pictures,
    default_folder,
    evidence_path,
    find,
)
from referee.journal.lock import WriterLock
from vision.camera import Image
from vision.errors import UnreadableError
from vision.faces.adoption import Taught

#: Ends of files that a book must not be written over.
_OURS = (".match", ".evidence", ".lock")


@click.command()
@click.argument("match_id", metavar="MATCH")
@click.option("--book", "spec", required=True, help='The book of the match; "kit" for the set\'s.')
@click.option(
    "-o",
    "--output",
    metavar="NEWBOOK",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The book to write. Without it nothing is: what would be learnt is shown.",
)
@click.option("--only", type=int, multiple=True, metavar="EVENT", help="Only this correction.")
@click.option("--force", is_flag=True, help="Adopt also what would spoil the reading of others.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=default_folder,
    help="Where the matches lie. Without it: $REFEREE_MATCHES, else this user's data folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def adopt(
    match_id: str,
    spec: str,
    output: Path | None,
    only: tuple[int, ...],
    force: bool,
    folder: Path,
    as_json: bool,
) -> None:
    """Teach a book the faces that people corrected in a finished MATCH.

    MATCH is how its name begins, the path of its file, or "latest". For each correction it is shown
    whether its picture is fit to teach, how it is read before and after, and which faces become
    more alike. What the book reads as another face without doubt, what makes two faces look alike,
    or spoils the reading of a picture that was taught, is not adopted unless you say --force. BOOK
    itself is never changed.
    """
    with ExitStack() as stack, _explained(as_json):
        _check_output(output, spec)
        path = find(folder, match_id)
        # As long as this lasts, nobody goes on with the match.
        stack.callback(WriterLock(path).release)
        events = _finished(path)
        lesson = Lesson(Taught.of(open_book(spec)), force)
        old = lesson.taught.book.hash
        corrections = _chosen(events, only)
        if not as_json:
            click.echo(f"{_count(len(corrections), 'correction')} in {path.stem}.")
        offers = []
        for event, picture in _with_pictures(path, corrections):
            offers.append(lesson.offer(event, picture))
            if not as_json:
                click.echo("\n".join(offer_words(offers[-1])))
        book = lesson.taught.book
        if output is not None and lesson.adopted:
            book.save(output)
        if as_json:
            written = str(output) if output is not None and lesson.adopted else None
            hashes = {"book_hash": old, "new_hash": book.hash}
            told = [offer_json(offer) for offer in offers]
            answer = {"match": path.stem, "book": spec, **hashes, "written": written}
            click.echo(json.dumps({**answer, "corrections": told}))
        else:
            click.echo(_ending(lesson, old, output))


def _check_output(output: Path | None, spec: str) -> None:
    if output is None:
        return
    if output.suffix in _OURS:
        raise click.UsageError(f"{output} is named like a match itself: take another name.")
    if spec != KIT and output.exists() and Path(spec).exists() and output.samefile(spec):
        raise click.UsageError(f"{output} is the book of the match: take another name.")


def _finished(path: Path) -> list[Event]:
    """The events of a finished match; raises JournalError if it is not."""
    with Journal.read(path) as journal:
        events = list(journal.events())
    said = [event.data["over"] for event in events if "over" in event.data]
    if not said or said[-1] is not True:
        raise JournalError(
            f"The match {path.stem} is not finished: faces are learnt after a match, never during "
            "one.",
            "Play it to its end, then adopt.",
        )
    return events


def _chosen(events: Sequence[Event], only: Sequence[int]) -> list[Event]:
    """The corrections, of each tile the last one; raises JournalError for one that is not there."""
    last: dict[tuple[int, object], Event] = {}
    runs = 0
    for event in events:
        # Tiles get their numbers anew with each start of the program.
        runs += event.kind == "run"
        if event.kind == "correction":
            last[runs, event.data["tile"]] = event
    chosen = sorted(last.values(), key=lambda event: event.seq)
    there = [event.seq for event in chosen]
    if missing := sorted(set(only) - set(there)):
        listed = ", ".join(map(str, there)) or "none"
        raise JournalError(
            f"Event {missing[0]} is no correction that holds.", f"The corrections are: {listed}."
        )
    return [event for event in chosen if not only or event.seq in only]


def _with_pictures(path: Path, events: Sequence[Event]) -> Iterator[tuple[Event, Image | None]]:
    """Each correction with its picture (BGR), if that is still there."""
    file = evidence_path(path)
    with ExitStack() as stack:
        kept = stack.enter_context(Pictures(file)) if file.exists() else None
        if kept is not None:
            kept.sweep(time.time())
        for event in events:
            png = None if kept is None else kept.get(str(event.data["crop"]))
            image = None if png is None else cv2.imdecode(np.frombuffer(png, np.uint8), 1)
            yield event, None if image is None else np.asarray(image, np.uint8)


def _ending(lesson: Lesson, old: str, output: Path | None) -> str:
    if not lesson.adopted:
        return "Nothing was adopted: no book was written."
    count = _count(lesson.adopted, "picture")
    if output is None:
        return f"{count} would be adopted. Write the new book with -o NEWBOOK."
    return f"Wrote {output} with {count} more (was {old}, is {lesson.taught.book.hash})."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


@contextmanager
def _explained(as_json: bool) -> Iterator[None]:
    """Errors that people can do something about, in a sentence."""
    try:
        yield
    except (JournalError, UnreadableError) as error:
        if as_json:
            click.echo(json.dumps({"error": error.what, "remedy": error.remedy}))
        else:
            click.echo(f"{error.what}\n-> {error.remedy}", err=True)
        sys.exit(1)
