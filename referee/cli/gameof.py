"""The game that a match on record is one of."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from referee.games.game import Game
from referee.journal import Journal, JournalError


def game_of(journal: Journal) -> Game[Any, Any]:
    """The journal's game with the edition as it was when the match was played.

    The game's package offers it as `game_of(edition_text)`. Raises JournalError if there is no
    such game, or if it makes something else of the edition than it did then.
    """
    name, edition = str(journal.header.get("game")), str(journal.header.get("edition"))
    package = f"referee.games.{name}"
    known = name.isidentifier() and find_spec(package) is not None
    make = getattr(import_module(package), "game_of", None) if known else None
    if make is None:
        raise JournalError(f"The game {name!r} is not known here.", "Update the program.")
    try:
        game: Game[Any, Any] = make(str(journal.header["edition_text"]))
    except (KeyError, ValueError) as error:
        raise JournalError(
            f"The edition {edition} in {journal.path.name} can't be read ({error}).",
            "Take the version of the program that the match was played with.",
        ) from None
    if game.edition != edition:
        raise JournalError(
            f"The match was played with the edition {edition}, which is now {game.edition}.",
            "Take the version of the program that the match was played with.",
        )
    return game
