"""`referee teach`: a face book from pictures of the faces, or from one photo of all."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from referee.cli.contract import error_json
from vision.camera import load_image
from vision.errors import UnreadableError
from vision.faces import FaceBook
from vision.faces.grid import teach_grid

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


class Grid(click.ParamType[tuple[int, int]]):
    """ROWSxCOLS, both at least 1."""

    name = "ROWSxCOLS"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Parses the text; click shows the message of a failure."""
        if isinstance(value, tuple):
            return value
        try:
            rows, columns = (int(part) for part in str(value).lower().split("x"))
        except ValueError:
            rows = columns = 0
        if rows < 1 or columns < 1:
            self.fail(f"{value!r} is no grid: give rows x columns, such as 3x4.", param, ctx)
        return rows, columns


@dataclass(frozen=True)
class Lesson:
    """What was taught, from how many pictures, and what to warn of."""

    book: FaceBook
    hidden: tuple[str, ...] = ()


@click.command()
@click.argument("source", metavar="DIR|PHOTO", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="The book to write."
)
@click.option(
    "--aspect", type=Aspect(), default=1.0, help="A face's width:height; square if not given."
)
@click.option("--grid", type=Grid(), help="PHOTO shows the faces in so many rows and columns.")
@click.option(
    "--names",
    type=click.Path(path_type=Path),
    help="With --grid: a text file, one name a line, row by row from the top left.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def teach(
    source: Path,
    output: Path,
    aspect: float,
    grid: tuple[int, int] | None,
    names: Path | None,
    as_json: bool,
) -> None:
    """Teach faces from pictures: DIR/LABEL.png or .jpg, or several in DIR/LABEL/.

    One picture of each face is enough: the whole face, upright, cut to its edges. A face called
    "back" is what a face-down piece shows. Or give one PHOTO from straight above, in which the
    pieces lie apart in a grid, upright, with --grid and --names; a name that comes again adds a
    picture to its face. Faces that a camera may confuse, and pieces that it may not find on this
    table, are named.
    """
    if (grid is None) != (names is None):
        raise click.UsageError("--grid and --names go together: give both, or none.")
    try:
        if grid is None or names is None:
            lesson = Lesson(_from_folder(source, aspect))
        else:
            photo = teach_grid(load_image(source), grid, read_names(names), aspect)
            lesson = Lesson(photo.book, photo.hidden)
        lesson.book.save(output)
    except UnreadableError as error:
        if as_json:
            click.echo(json.dumps(error_json(str(source), error.what, error.remedy)))
        else:
            click.echo(f"{source}: {error}", err=True)
        sys.exit(1)
    alike = lesson.book.look_alikes()
    if as_json:
        click.echo(json.dumps(_as_json(output, lesson, alike)))
        return
    book = lesson.book
    count = sum(len(book.pictures(label)) for label in book.labels)
    click.echo(f"Learnt {len(book.labels)} faces from {count} pictures: {', '.join(book.labels)}")
    for one, other, _ in alike:
        click.echo(
            f"Warning: {one} and {other} look alike: in some light the camera may not tell them "
            "apart, and will ask. Add a second picture of each, taken under your own lamp; if "
            "they still look alike, mark one of them.",
            err=True,
        )
    for label in lesson.hidden:
        click.echo(
            f"Warning: {label} has nearly the colour of the table below it: the camera may not "
            "find its edge. Play on a cloth of another colour.",
            err=True,
        )
    click.echo(f"Wrote {output}")


def read_names(file: Path) -> list[str]:
    """The names in a text file, one a line; empty lines count nothing.

    Raises UnreadableError if it can't be read.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableError(
            f"The names in {file} can't be read.",
            "Give a text file (UTF-8) with one name a line, row by row from the top left.",
        ) from error
    return [line.strip() for line in text.splitlines() if line.strip()]


def _from_folder(folder: Path, aspect: float) -> FaceBook:
    pictures = find_pictures(folder)
    return FaceBook.teach(
        {label: [load_image(file) for file in files] for label, files in pictures.items()}, aspect
    )


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
    output: Path, lesson: Lesson, alike: list[tuple[str, str, float]]
) -> dict[str, object]:
    book = lesson.book
    return {
        "book": str(output),
        "hash": book.hash,
        "aspect": round(book.aspect, 4),
        "faces": [{"label": label, "pictures": len(book.pictures(label))} for label in book.labels],
        "look_alikes": [
            {"labels": [one, other], "likeness": round(likeness, 4)}
            for one, other, likeness in alike
        ],
        "colour_of_the_table": list(lesson.hidden),
    }
