"""Faces taught from one photo of the camera: pieces in a grid, each then given its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from referee.games.said import say
from vision.camera import Image
from vision.errors import UnreadableError
from vision.faces import FaceBook
from vision.faces.grid import CUT_PX, GridPhoto, teach_grid
from vision.faces.straighten import straighten

#: What a new book may be called.
NAME = re.compile(r"[\w-][\w .-]{0,39}")
MOST_PIECES = 100


@dataclass(frozen=True, eq=False)
class Photo:
    """A photo in which as many pieces were found as were laid out.

    cuts: Each piece as PNG, row by row.
    """

    image: Image
    grid: tuple[int, int]
    aspect: float
    cuts: tuple[bytes, ...]


@dataclass(frozen=True, eq=False)
class Taught:
    """A book that can be saved.

    alike: Pairs of faces that a camera may confuse, as numbers of the photo's pieces.
    hidden: Pieces that have nearly the colour of the table.
    """

    book: FaceBook
    names: tuple[str, ...]
    alike: tuple[tuple[int, int], ...]
    hidden: tuple[int, ...]


def photographed(image: Image, grid: tuple[int, int], aspect: float) -> Photo:
    """Finds the pieces of a grid in a BGR picture; raises UnreadableError as `teach_grid`."""
    count = grid[0] * grid[1]
    found = teach_grid(image, grid, [str(number) for number in range(count)], aspect)
    scale = CUT_PX / max(aspect, 1.0)
    size = (round(aspect * scale), round(scale))
    pictures = straighten(image, found.quads_px, size)
    cuts = tuple(_png(np.ascontiguousarray(picture)) for picture in pictures)
    return Photo(image, grid, aspect, cuts)


def taught(photo: Photo, names: Sequence[str]) -> Taught:
    """The book of a photo whose pieces are called so, row by row.

    Raises UnreadableError for an empty name, or if there are too few.
    """
    if not all(names):
        raise UnreadableError(say("A piece has no name yet."), say("Give each piece its name."))
    lesson: GridPhoto = teach_grid(photo.image, photo.grid, names, photo.aspect)
    number = {name: k for k, name in reversed(list(enumerate(names)))}
    alike = tuple(
        (number[one], number[other])
        for one, other, _ in lesson.book.look_alikes()
        if one in number and other in number
    )
    hidden = tuple(number[name] for name in lesson.hidden)
    return Taught(lesson.book, tuple(names), alike, hidden)


def saved(lesson: Taught, folder: Path, name: str) -> Path:
    """Writes the book into a folder; raises UnreadableError for a bad name, or if it can't be."""
    if not NAME.fullmatch(name):
        raise UnreadableError(
            say("{name} is no name for a file.", name=repr(name[:40])),
            say("Take letters, digits, spaces and hyphens."),
        )
    file = folder / f"{name}.book"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = folder / f".{name}.new"
        lesson.book.save(beside)
        beside.replace(file)
    except OSError as error:
        raise UnreadableError(
            say("The faces can't be written to {file}: {error}.", file=str(file), error=str(error)),
            say("Make room on the disk, or allow this user to write there."),
        ) from None
    return file


def _png(picture: Image) -> bytes:
    return cv2.imencode(".png", picture)[1].tobytes()
