"""The face book that a command line names."""

from __future__ import annotations

from referee.cli.kitset import kit_book
from vision.faces import FaceBook

#: What `--book` takes for the faces of the print-and-play set.
KIT = "kit"


def open_book(spec: str) -> FaceBook:
    """The kit's faces for "kit", else the book in the file `spec`.

    Raises UnreadableError if there is no such file, or if it is no face book.
    """
    return kit_book() if spec == KIT else FaceBook.load(spec)
