"""`referee teach`: a face book from pictures of the faces."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from referee.cli.contract import error_json
from vision.camera import load_image
from vision.errors import UnreadableError
from vision.faces import FaceBook

#: Suffixes of the pictures that are looked for, in small letters.
PICTURES = (".png", ".jpg", ".jpeg")


class Aspect(click.ParamType[float]):
    """W:H, both above 0; becomes the width over the height."""

    name = "W:H"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Parses the text; click shows the message of a failure."""
        if isinstance(value, float):
            return value
        try:
            width, height = (float(part) for part in str(value).split(":"))
        except ValueError:
            width = height = 0.0
        if not (0 < width < float("inf") and 0 < height < float("inf")):
            self.fail(f"{value!r} is no aspect: give width:height, such as 57:88.", param, ctx)
        return width / height


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="The book to write."
)
@click.option(
    "--aspect", type=Aspect(), default=1.0, help="A face's width:height; square if not given."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def teach(folder: Path, output: Path, aspect: float, as_json: bool) -> None:
    """Teach faces from pictures: DIR/LABEL.png or .jpg, or several in DIR/LABEL/.

    One picture of each face is enough: the whole face, upright, cut to its edges. A face called
    "back" is what a face-down piece shows. Faces that a camera may confuse are named.
    """
    try:
        pictures = find_pictures(folder)
        book = FaceBook.teach(
            {label: [load_image(file) for file in files] for label, files in pictures.items()},
            aspect,
        )
        book.save(output)
    except UnreadableError as error:
        if as_json:
            click.echo(json.dumps(error_json(str(folder), error.what, error.remedy)))
        else:
            click.echo(f"{folder}: {error}", err=True)
        sys.exit(1)
    alike = book.look_alikes()
    if as_json:
        click.echo(json.dumps(_as_json(output, book, alike)))
        return
    count = sum(len(book.pictures(label)) for label in book.labels)
    click.echo(f"Learnt {len(book.labels)} faces from {count} pictures: {', '.join(book.labels)}")
    for one, other, likeness in alike:
        click.echo(
            f"Warning: {one} and {other} look alike ({likeness:.0%}): "
            "a camera may not tell them apart in every light.",
            err=True,
        )
    click.echo(f"Wrote {output}")


def find_pictures(folder: Path) -> dict[str, list[Path]]:
    """The pictures of each label in a folder, in the order of their names.

    Raises UnreadableError if there is no such folder, or no picture in it or in one of its folders.
    """
    if not folder.is_dir():
        raise UnreadableError(
            f"There is no folder {folder}.", "Make it, with one picture of each face in it."
        )
    found: dict[str, list[Path]] = {}
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            files = [file for file in sorted(entry.iterdir()) if _is_picture(file)]
            if not files:
                raise UnreadableError(
                    f"The folder {entry} holds no PNG or JPEG picture.",
                    "Put a picture of the face into it, or remove it.",
                )
            found.setdefault(entry.name, []).extend(files)
        elif _is_picture(entry):
            found.setdefault(entry.stem, []).append(entry)
    if not found:
        raise UnreadableError(
            f"The folder {folder} holds no PNG or JPEG picture.",
            "Put one picture of each face into it, called after the face.",
        )
    return found


def _is_picture(file: Path) -> bool:
    return file.suffix.lower() in PICTURES and not file.name.startswith(".")


def _as_json(
    output: Path, book: FaceBook, alike: list[tuple[str, str, float]]
) -> dict[str, object]:
    return {
        "book": str(output),
        "hash": book.hash,
        "aspect": round(book.aspect, 4),
        "faces": [{"label": label, "pictures": len(book.pictures(label))} for label in book.labels],
        "look_alikes": [
            {"labels": [one, other], "likeness": round(likeness, 4)}
            for one, other, likeness in alike
        ],
    }
