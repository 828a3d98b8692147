"""The game that a match on record is one of."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.journal import Journal, JournalError
from referee.match import gameof
from tests.referee.journal.making import ticking


def journal_of(tmp_path: Path, game: str, edition: str) -> Journal:
    header = {"game": game, "edition": edition, "edition_text": f"id = {edition}"}
    return Journal.create(tmp_path / f"{edition}.match", header, now=ticking())


def load(game: str, edition_text: str) -> SimpleNamespace:
    name = edition_text.removeprefix("id = ")
    if game != "tumult_royale":
        raise ValueError(f"There is no game {game!r}.")
    if name == "broken":
        raise ValueError("no statues")
    return SimpleNamespace(edition="kit-2" if name == "kit-1" else name)


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gameof, "load_game", load)


def test_the_edition_is_the_one_on_record(tmp_path: Path) -> None:
    with journal_of(tmp_path, "tumult_royale", "kit-3") as journal:
        assert gameof.game_of(journal).edition == "kit-3"


@pytest.mark.parametrize(
    ("game", "edition", "what"),
    [
        ("tumult_royale", "kit-1", "played with the edition kit-1, which is now kit-2"),
        ("tumult_royale", "broken", r"The game of broken\.match can't be loaded: no statues"),
        ("chess", "x", "There is no game 'chess'"),
    ],
)
def test_what_can_not_be_replayed(tmp_path: Path, game: str, edition: str, what: str) -> None:
    with (
        journal_of(tmp_path, game, edition) as journal,
        pytest.raises(JournalError, match=what),
    ):
        gameof.game_of(journal)
