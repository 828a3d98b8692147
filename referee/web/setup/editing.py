"""Editions that were typed in: drafts in the venue's folder, each a TOML file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from referee.games.form import Form, FormMaker
from referee.games.said import say
from referee.web.setup.settings import write_whole
from vision.errors import UnreadableError

#: What an edition may be called: also the name of its file.
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class Editing:
    """The editions of a venue."""

    def __init__(self, maker: FormMaker, folder: Path) -> None:
        self._maker, self._folder = maker, folder

    def names(self) -> list[str]:
        """All that there are: those of the program, then those typed in."""
        own = sorted(file.stem for file in self._folder.glob("*.toml") if NAME.fullmatch(file.stem))
        return [*self._maker.names(), *(name for name in own if name not in self._maker.names())]

    def spec(self, name: str) -> str:
        """What the settings call it."""
        file = self._file(name)
        return str(file) if file.exists() else name

    def name(self, spec: str) -> str:
        """The name of what the settings call so."""
        return Path(spec).stem if spec.endswith(".toml") else spec

    def ours(self, name: str) -> bool:
        """Whether it comes with the program, and can't be changed."""
        return name in self._maker.names()

    def table(self, name: str, text: str) -> dict[str, Any]:
        """It as a table; `text` is what the program has of that name."""
        file = self._file(name)
        try:
            return self._maker.table(file.read_text(encoding="utf-8") if file.exists() else text)
        except (OSError, UnicodeDecodeError, ValueError) as error:
            raise UnreadableError(
                say("The edition in {file} can't be read: {error}", file=str(file), error=error),
                say("Correct the file, or delete it and type it in anew."),
            ) from None

    def form(self, table: Mapping[str, Any]) -> Form:
        """Its form."""
        return self._maker.form(table)

    def entered(self, table: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
        """The table with values entered; raises UnreadableError for a key that there is not."""
        try:
            return self._maker.entered(table, values)
        except ValueError as error:
            raise UnreadableError(error.args[0], say("Take one of the form.")) from None

    def save(self, name: str, table: Mapping[str, Any]) -> Path:
        """Writes it, complete or not; raises UnreadableError if it can't be."""
        if not NAME.fullmatch(name) or self.ours(name):
            raise UnreadableError(
                say("An edition can't be called {name}.", name=repr(name[:40])),
                say("Take small letters, digits and hyphens, and no name of the program's own."),
            )
        file = self._file(name)
        try:
            write_whole(file, tomli_w.dumps(dict(table)).encode("utf-8"))
        except OSError as error:
            raise UnreadableError(
                say("The edition can't be written to {file}.", file=str(file)),
                say("Make room on the disk, or allow this user to write there."),
            ) from error
        return file

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.toml"
