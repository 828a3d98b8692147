"""The game that a match on record is one of."""

from __future__ import annotations

from typing import Any

from referee.games.game import Game
from referee.games.loading import load_game
from referee.journal import Journal, JournalError


def game_of(journal: Journal) -> Game[Any, Any]:
    """The journal's game with the edition as it was when the match was played.

    Raises JournalError if there is no such game, or if it makes something else of the edition than
    it did then.
    """
    edition = str(journal.header.get("edition"))
    text = str(journal.header.get("edition_text"))
    try:
        game = load_game(str(journal.header.get("game")), text)
    except ValueError as error:
        raise JournalError(
            f"The game of {journal.path.name} can't be loaded: {error}",
            "Take the version of the program that the match was played with.",
        ) from None
    if game.edition != edition:
        raise JournalError(
            f"The match was played with the edition {edition}, which is now {game.edition}.",
            "Take the version of the program that the match was played with.",
        )
    return game
