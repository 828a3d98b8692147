"""Finds the rules of a game by the name of its folder."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import referee.games
from referee.games.form import FormMaker
from referee.games.game import Game


def game_names() -> tuple[str, ...]:
    """The games that come with the program."""
    return tuple(
        sorted(found.name for found in iter_modules(referee.games.__path__) if found.ispkg)
    )


def load_game(name: str, edition_text: str) -> Game[Any, Any]:
    """The rules of a game with an edition, given as the text of its file.

    Raises ValueError if there is no such game, or the edition is not one of it.
    """
    if name not in game_names():
        raise ValueError(f"There is no game {name!r}; there is {', '.join(game_names())}.")
    game: Game[Any, Any] = import_module(f"referee.games.{name}.game").load(edition_text)
    return game


def load_form(name: str) -> FormMaker:
    """What makes forms of a game's editions; raises ValueError if there is no such game."""
    if name not in game_names():
        raise ValueError(f"There is no game {name!r}; there is {', '.join(game_names())}.")
    made: Any = import_module(f"referee.games.{name}.form")
    maker: FormMaker = made
    return maker
