"""`referee face`: names the faces in pictures that show one each."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import numpy as np

from referee.cli.books import open_book
from referee.cli.contract import Json, error_json, rivals_json
from vision.camera import Image, load_image
from vision.errors import UnreadableError
from vision.faces import BACK, FaceBook, Matches, default_matcher, lengthwise, straighten, turned
from vision.faces.book import ASPECT_SLACK
from vision.observation import NONE


@click.command()
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--book",
    "spec",
    required=True,
    metavar="BOOK",
    help='Faces, written by `referee teach`; "kit" for those of the print-and-play set.',
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line for each image.")
def face(images: tuple[Path, ...], spec: str, as_json: bool) -> None:
    """Name the face in each picture: cut to the piece's edges, in any right turn.

    Each picture is read alone, so colours are judged without the help of others in the same light.
    If one picture can't be read, the others still are, and the exit code is 1.
    """
    try:
        book = open_book(spec)
        matcher = default_matcher(book)
    except UnreadableError as error:
        for image in images:
            _complain(image, error, as_json)
        sys.exit(1)
    failed = False
    for image in images:
        try:
            matches = matcher.match(whole_face(load_image(image), image, book))
        except UnreadableError as error:
            _complain(image, error, as_json)
            failed = True
            continue
        found = face_json(matches, book)
        if as_json:
            click.echo(json.dumps({"image": str(image), **found}))
        else:
            click.echo(f"{image}: {_words(found)}")
    if failed:
        sys.exit(1)


def whole_face(picture: Image, name: Path, book: FaceBook) -> Image:
    """The picture as a crop (1, h, w, 3) of the book's faces, an oblong one turned upright.

    Raises UnreadableError if the picture does not have the shape of a face.
    """
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    quads = turned(corners[None], lengthwise(corners[None], book.aspect))
    across, down = (
        np.linalg.norm(quads[0, 1] - quads[0, 0]),
        np.linalg.norm(quads[0, 2] - quads[0, 1]),
    )
    if not 1 / ASPECT_SLACK <= across / down / book.aspect <= ASPECT_SLACK:
        raise UnreadableError(
            f"{name} is {width} x {height} pixels, "
            f"but the faces are {book.aspect:.3g} times as wide as high.",
            "Cut the picture to the edges of the piece.",
        )
    return straighten(picture, quads, book.crop_size)


def face_json(matches: Matches, book: FaceBook) -> Json:
    """What the first crop shows; a face-down piece has facing "down" and no label."""
    candidates = [
        (book.labels[label], float(score))
        for label, score in zip(matches.candidate_ids[0], matches.candidate_scores[0], strict=True)
        if label != NONE
    ]
    shown = None if matches.label_ids[0] == NONE else book.labels[matches.label_ids[0]]
    return {
        "label": None if shown == BACK else shown,
        "certain": bool(matches.certain[0]),
        "score": round(candidates[0][1], 4),
        "rivals": rivals_json(candidates, shown),
        "facing": "down" if shown == BACK else "up",
    }


def _words(found: Json) -> str:
    likely = " or ".join(rival["label"] for rival in found["rivals"][:2])
    if found["facing"] == "down":
        return "face down" if found["certain"] else "perhaps face down"
    if found["label"] is None:
        return f"nothing that was taught (nearest: {likely})"
    if found["certain"]:
        return str(found["label"])
    return f"perhaps {found['label']}" + (f" (or {likely})" if likely else "")


def _complain(image: Path, error: UnreadableError, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(error_json(str(image), error.what, error.remedy)))
    else:
        click.echo(f"{image}: {error}", err=True)
