"""`referee watch`: when a table may be read, and what keeps it from being read."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from referee.cli.inputs import Corners
from referee.cli.layouts import load_layout
from vision.camera import Camera, EndOfFramesError, Frame, Pictures, open_source
from vision.errors import UnreadableError
from vision.plane import PlaneTracker
from vision.stillness import Quiet, Stillness, Why

#: What keeps a table from being read, for people.
WORDS: dict[Why, str] = {
    "hand": "a hand or an arm is over the table",
    "motion": "something moves, or moved just now",
    "light": "a lamp or a shadow has just changed the light",
    "stale": "the camera sends no new pictures",
    "moved": "the camera was pushed",
}


@click.command()
@click.argument("source")
@click.option(
    "--table",
    "corners",
    type=Corners(),
    help="Corners in pixels of what is to be watched; the whole picture if not given.",
)
@click.option(
    "--layout",
    "layout_file",
    type=click.Path(path_type=Path),
    help="The table's markers, as for `referee read`: by them a pushed camera is noticed at once.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line.")
def watch(
    source: str,
    corners: NDArray[np.float32] | None,
    layout_file: Path | None,
    as_json: bool,
) -> None:
    """Say when the table may be read: nothing moves, and no hand is there.

    SOURCE is a film, the address or number of a camera, a picture or a folder of pictures. A line
    is printed whenever the answer changes. Pictures are judged each by itself, as if they stood
    still: a line for each of them. The exit code is 1 if SOURCE can't be read.
    """
    stillness = Stillness()
    try:
        tracker = None if layout_file is None else PlaneTracker(load_layout(layout_file))
        camera = open_source(source)
    except UnreadableError as error:
        _complain(error, source, as_json)
        sys.exit(1)
    if stillness.missing and not as_json:
        names = " and ".join(stillness.missing)
        click.echo(f"Hands may be missed: the network {names} is not installed.", err=True)
    table = None if corners is None else [(float(x), float(y)) for x, y in corners]
    try:
        told = _glances(camera, stillness, table)
        if not isinstance(camera, Pictures):
            told = _changes(_looks(camera, stillness, table, tracker))
        for at, frame, quiet in told:
            click.echo(_line(at, frame, quiet, as_json))
    except UnreadableError as error:
        _complain(error, source, as_json)
        sys.exit(1)
    finally:
        camera.close()


#: Seconds since the first frame, the frame's number, and what is said of it.
_Told = tuple[float, int, Quiet]


def _glances(
    camera: Camera, stillness: Stillness, table: list[tuple[float, float]] | None
) -> Iterator[_Told]:
    """Each picture by itself."""
    first: float | None = None
    for frame in _frames(camera):
        first = frame.captured_at if first is None else first
        yield frame.captured_at - first, frame.id, stillness.glance(frame.image, table)


def _looks(
    camera: Camera,
    stillness: Stillness,
    table: list[tuple[float, float]] | None,
    tracker: PlaneTracker | None,
) -> Iterator[_Told]:
    """Every frame; a camera that falls silent after its first frame is stale, and waited for."""
    first: float | None = None
    last, at = -1, 0.0
    while True:
        try:
            frame = camera.read()
        except EndOfFramesError:
            return
        except UnreadableError:
            if first is None:
                raise
            yield at, last, Quiet(False, "stale", at)
            continue
        first = frame.captured_at if first is None else first
        last, at = frame.id, frame.captured_at - first
        moved = tracker is not None and tracker.track(frame.image).moved
        yield at, last, stillness.look(frame, moved, table)


def _changes(told: Iterator[_Told]) -> Iterator[_Told]:
    """The first of each row of frames with one answer."""
    before: Why | str | None = "nothing"
    for at, frame, quiet in told:
        if quiet.why != before:
            yield at, frame, quiet
        before = quiet.why


def _frames(camera: Camera) -> Iterator[Frame]:
    while True:
        try:
            yield camera.read()
        except EndOfFramesError:
            return


def _line(at: float, frame: int, quiet: Quiet, as_json: bool) -> str:
    if as_json:
        told = {"t": round(at, 3), "frame": frame, "quiet": quiet.quiet, "why": quiet.why}
        return json.dumps(told)
    words = "quiet" if quiet.why is None else f"busy: {WORDS[quiet.why]}"
    return f"{at:9.2f} s  frame {frame:<6} {words}"


def _complain(error: UnreadableError, source: str, as_json: bool) -> None:
    if as_json:
        told = {"source": source, "error": error.what, "remedy": error.remedy}
        click.echo(json.dumps(told))
    else:
        click.echo(str(error), err=True)
