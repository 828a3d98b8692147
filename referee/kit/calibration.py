"""The calibration board on a page of its own, for those who need no more of the set."""

from __future__ import annotations

import os
from typing import BinaryIO

from referee.games.said import say
from referee.kit.document import calibration_page, write_pages
from referee.kit.sheets import Paper
from referee.words import LANGUAGES


def write_calibration_board(
    target: str | os.PathLike[str] | BinaryIO, paper: Paper, language: str = LANGUAGES[0]
) -> None:
    """Writes the board with its ruler as a PDF of one page to a file or a binary stream.

    Raises OSError if the file can't be written.
    """
    write_pages(target, (calibration_page(paper),), say("Calibration board"), paper, language)
