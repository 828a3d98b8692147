"""The venue's settings: a TOML file that is checked when read, and replaced in one go when written.

A setting that is not in the file has its default. A key that is not known is an error, as is a
value that is not allowed: both are named, with what to do.
"""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs
import tomli_w

from referee.games.said import either, joined, listed, say
from vision.errors import UnreadableError

#: The file's own version; a newer one is refused.
VERSION = 1
#: Overrides the file.
VARIABLE = "REFEREE_SETTINGS"
#: What `camera` and `box` take for none.
NONE = "none"
#: What `edition` and `book` take for those of the print-and-play set.
KIT = "kit"
#: Who may watch the public screens: this computer only, or every device on the network.
HERE, NETWORK = "here", "network"
_LONGEST = 400


class SettingsError(UnreadableError):
    """A settings file, or a value for it, that can't be used."""


def _one_of(*words: str | int) -> tuple[str, Callable[[object], bool]]:
    told = either([f'"{word}"' if isinstance(word, str) else str(word) for word in words])
    return told, lambda value: any(value == word and type(value) is type(word) for word in words)


def _line() -> tuple[str, Callable[[object], bool]]:
    def fits(value: object) -> bool:
        return isinstance(value, str) and len(value) <= _LONGEST and value.isprintable()

    return say("a text of at most {n} characters on one line", n=_LONGEST), fits


def _is(default: Any, title: str, allowed: tuple[str, Callable[[object], bool]]) -> Any:
    return field(default=default, metadata={"title": title, "allowed": allowed})


@dataclass(frozen=True, slots=True)
class Settings:
    """What a venue has set up; raises SettingsError for a value that is not allowed."""

    camera: str = _is("", say("Camera"), _line())
    """As `referee camera list` names it; `NONE`; empty: the only one that is there."""
    lens: str = _is("", say("Lens"), _line())
    """The lens's own file; empty: the markers tell the lens."""
    mains: int = _is(0, say("Mains frequency"), _one_of(0, 50, 60))
    """Of the lamps' flicker, in Hz; 0: as the camera has it."""
    box: str = _is("", say("Box"), _line())
    """As `referee box list` names it; `NONE`; empty: the only one that is there."""
    edition: str = _is(KIT, say("Edition"), _line())
    """An edition's name, or its file."""
    book: str = _is(KIT, say("Faces"), _line())
    """The file of the faces; `KIT`: those of the print-and-play set."""
    language: str = _is("", say("Language"), _one_of("", "en", "de"))
    """Of the screens; empty: as each browser asks for."""
    watchers: str = _is(HERE, say("Who may watch"), _one_of(HERE, NETWORK))
    """Who may see the public screens: `HERE` or `NETWORK`."""
    paper: str = _is("a4", say("Paper"), _one_of("a4", "letter"))
    """What the kit is printed on."""

    def __post_init__(self) -> None:
        for each in dataclasses.fields(self):
            allowed, fits = each.metadata["allowed"]
            value = getattr(self, each.name)
            if not fits(value):
                raise SettingsError(
                    say(
                        "{title} is {value}, but must be {allowed}.",
                        title=each.metadata["title"],
                        value=f"{value!r:.60}",
                        allowed=allowed,
                    ),
                    say("Choose another value."),
                )

    @classmethod
    def title(cls, name: str) -> str:
        """What people call a setting."""
        (title,) = (each.metadata["title"] for each in dataclasses.fields(cls) if each.name == name)
        return str(title)

    def changed(self, values: Mapping[str, object]) -> Settings:
        """The same with other values. Raises SettingsError for an unknown key or a wrong value."""
        known = [each.name for each in dataclasses.fields(self)]
        if unknown := sorted(set(values) - set(known)):
            raise SettingsError(
                say("There is no setting {name}.", name=repr(unknown[0])),
                say("Take one of {names}.", names=listed(known)),
            )
        return dataclasses.replace(self, **dict(values))  # type: ignore[arg-type]


def default_file() -> Path:
    """Where the settings lie if nothing else is said; it need not exist."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    return platformdirs.user_data_path("table-referee", appauthor=False) / "settings.toml"


def read_settings(file: Path) -> Settings:
    """The settings of a file; the defaults if there is none.

    Raises SettingsError if it can't be read, is of a newer program, or holds what is not allowed.
    """
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(
            say("The settings in {file} can't be read: {error}.", file=str(file), error=str(error)),
            say("Correct the file, or delete it: then all is set up anew."),
        ) from None
    version = table.pop("version", VERSION)
    if not isinstance(version, int) or isinstance(version, bool) or version > VERSION:
        raise SettingsError(
            say(
                "The settings in {file} have version {theirs}, and this program knows {ours}.",
                file=str(file),
                theirs=repr(version),
                ours=VERSION,
            ),
            say("Take the newer program, or delete the file: then all is set up anew."),
        )
    try:
        return Settings().changed(table)
    except SettingsError as error:
        raise SettingsError(joined([str(file), error.what], ": "), error.remedy) from None


def write_settings(file: Path, settings: Settings) -> None:
    """Writes the settings so that the file always is whole, the old or the new one.

    Raises SettingsError if it can't be written.
    """
    text = tomli_w.dumps({"version": VERSION, **dataclasses.asdict(settings)})
    try:
        write_whole(file, text.encode("utf-8"))
    except OSError as error:
        raise SettingsError(
            say(
                "The settings can't be written to {file}: {error}.",
                file=str(file),
                error=str(error.strerror),
            ),
            say("Make room on the disk, or allow this user to write there."),
        ) from None


def write_whole(file: Path, content: bytes) -> None:
    """Replaces a file in one go, durably; makes its folder. Raises OSError."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.new")
    with beside.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(file)
