"""All that is printed on one physical copy of the game, and the house's rulings: the edition.

An edition is a TOML file. A file may leave values open; `Draft` holds such a file, and only a
complete one becomes an `Edition`, on which games are played.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from referee.games.said import joined, say
from referee.games.tumult_royale.schema import (
    EditionError,
    Missing,
    Row,
    Text,
    Whole,
    fault,
    read,
    value,
)
from referee.games.tumult_royale.sections import (
    COLOURS,
    FEWEST_PLAYERS,
    FIELD_TYPES,
    FRAMES_IN_PLAY,
    MOST_PLAYERS,
    REGION_ROWS,
    REGION_SIDE,
    REGIONS,
    TILES_OF_FRAME,
    Chronicle,
    Colour,
    Costs,
    FieldType,
    FrameTiles,
    Numbers,
    Region,
    RegionPattern,
    Rulings,
    Setup,
    Setups,
    Sizes,
    TileSet,
)
from referee.games.tumult_royale.tiles import Frame, Symbols, Tile, Tiles, count

__all__ = [
    "COLOURS",
    "FEWEST_PLAYERS",
    "FIELD_TYPES",
    "FRAMES_IN_PLAY",
    "MOST_PLAYERS",
    "REGIONS",
    "REGION_ROWS",
    "REGION_SIDE",
    "TILES_OF_FRAME",
    "Chronicle",
    "Colour",
    "Costs",
    "Draft",
    "Edition",
    "EditionError",
    "FieldType",
    "FrameTiles",
    "Missing",
    "Numbers",
    "OpenValuesError",
    "Region",
    "Rulings",
    "Setup",
    "Setups",
    "Sizes",
    "TileSet",
    "edition_names",
    "load_draft",
    "load_edition",
]


@dataclass(frozen=True, kw_only=True, repr=False)
class Edition:
    """One complete edition; checked when made, raises EditionError if parts contradict."""

    name: str = value(say("Name"), say("Short name, as in the file's name."), Text(40))
    title: str = value(say("Title"), say("What people read."), Text(80))
    tiles: TileSet
    spinner: tuple[int, ...] = value(
        say("Sectors of the spinner"),
        say("The number in each sector, clockwise; sectors are of equal size."),
        Row(Whole(2, 5), 1, 24),
        say("the tumult spinner: go round it clockwise"),
    )
    costs: Costs
    regions: tuple[Region, ...] = value(
        say("Region tiles"),
        say("The fields of each region, row by row."),
        Row(RegionPattern(), REGIONS, REGIONS),
        say("the fronts of the ten region tiles"),
    )
    chronicle: Chronicle
    setup: Setups
    numbers: Numbers
    rulings: Rulings
    sizes: Sizes

    def __post_init__(self) -> None:
        if problems := tuple(_contradictions(self)):
            raise EditionError(problems)

    def __repr__(self) -> str:
        return f"<Edition {self.name} {self.digest[:12]}>"

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.digest)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all values, hexadecimal: the same for equal editions on every machine."""
        return _digest(dataclasses.asdict(self))

    @cached_property
    def rules_digest(self) -> str:
        """The same over what the rules see: without title and sizes."""
        values = dataclasses.asdict(self)
        return _digest({key: values[key] for key in values if key not in ("title", "sizes")})

    @cached_property
    def cost_of(self) -> Mapping[FieldType, Symbols]:
        """The cost of each type of field that touches an own one (section 3.4)."""
        return {kind: getattr(self.costs, kind) for kind in FIELD_TYPES}

    @cached_property
    def statues_on(self) -> Mapping[FieldType, int]:
        """How many statues fill a field of each type (section 3.4)."""
        filled = {"village": self.numbers.village, "castle": self.numbers.castle}
        return {kind: filled.get(kind, 1) for kind in FIELD_TYPES}

    @cached_property
    def supporters(self) -> int:
        """The value of all supporter tokens together (section 1)."""
        return self.numbers.ones + 5 * self.numbers.fives + 10 * self.numbers.tens

    @cached_property
    def end_numbers(self) -> Mapping[int, int]:
        """The number below each double space, by the space counted from 1 (section 3.6)."""
        spaces = enumerate(self.chronicle.statues, 1)
        doubles = [space for space, statues in spaces if statues > 1]
        return dict(zip(doubles, self.chronicle.ends_above, strict=True))

    def setup_for(self, players: int) -> Setup:
        """The setup of 2, 3 or 4 players."""
        setups = {2: self.setup.two, 3: self.setup.three, 4: self.setup.four}
        return setups[players]

    def frame_tiles(self, frame: Frame) -> tuple[Tile, ...]:
        """Every tile with this frame."""
        of_frame: FrameTiles = getattr(self.tiles, frame)
        return of_frame.tiles(frame)

    def tiles_of(self, players: int) -> tuple[Tile, ...]:
        """Every tile in play with 2, 3 or 4 players (section 2)."""
        return tuple(t for frame in FRAMES_IN_PLAY[players] for t in self.frame_tiles(frame))

    @cached_property
    def tiles_in_play(self) -> Mapping[int, Tiles]:
        """The counts of the tiles in play, by number of players (section 2)."""
        return {
            players: count(tile.label for tile in self.tiles_of(players))
            for players in FRAMES_IN_PLAY
        }


def _digest(values: object) -> str:
    text = json.dumps(values, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _contradictions(edition: Edition) -> list[str]:
    """What is wrong although each value on its own is allowed."""
    problems = []
    for frame, wanted in TILES_OF_FRAME.items():
        if (got := len(edition.frame_tiles(frame))) != wanted:
            text = say("counts {got} tiles; must be {wanted} together", got=got, wanted=wanted)
            problems.append(fault(f"tiles.{frame}", text))
    chronicle = edition.chronicle
    doubles = sum(statues > 1 for statues in chronicle.statues)
    if len(chronicle.ends_above) != doubles:
        text = say(
            "has {got} numbers; must be {wanted}, one for each double space",
            got=len(chronicle.ends_above),
            wanted=doubles,
        )
        problems.append(fault("chronicle.ends_above", text))
    if list(chronicle.reveal_at) != sorted(set(chronicle.reveal_at)) or (
        chronicle.reveal_at[-1] > len(chronicle.statues)
    ):
        text = say(
            "is {got}; must be rising numbers from 1 to {most}",
            got=str(list(chronicle.reveal_at)),
            most=len(chronicle.statues),
        )
        problems.append(fault("chronicle.reveal_at", text))
    for players, word in ((2, "two"), (3, "three"), (4, "four")):
        setup = edition.setup_for(players)
        places = REGION_ROWS * players
        down = setup.face_down
        if len(set(down)) != players or len(down) != players or max(down) > places:
            text = say(
                "is {got}; must be {n} different places from 1 to {most}",
                got=str(list(down)),
                n=players,
                most=places,
            )
            problems.append(fault(f"setup.{word}.face_down", text))
        if len(setup.reveals) != len(chronicle.reveal_at) or sum(setup.reveals) > players:
            text = say(
                "is {got}; must be {n} numbers that are at most {most} together",
                got=str(list(setup.reveals)),
                n=len(chronicle.reveal_at),
                most=players,
            )
            problems.append(fault(f"setup.{word}.reveals", text))
        if setup.supporters * players > edition.supporters:
            text = say(
                "is {got}; must be at most {most}, for there are {all}",
                got=setup.supporters,
                most=edition.supporters // players,
                all=edition.supporters,
            )
            problems.append(fault(f"setup.{word}.supporters", text))
    return problems


class OpenValuesError(EditionError):
    """An edition with open values can't be played; `missing` has all of them."""

    def __init__(self, source: str, missing: tuple[Missing, ...]) -> None:
        self.missing = missing
        told = say(
            "The edition {source} can't be played yet: {n} values are open. Look them up on your "
            "copy of the game and enter them:",
            source=source,
            n=len(missing),
        )
        super().__init__((joined([told, *(str(each) for each in missing)], "\n  "),))


@dataclass(frozen=True)
class Draft:
    """An edition file whose values are allowed, but some may be open.

    `table` is the parsed file; raises EditionError if it has faults.
    """

    source: str
    table: Mapping[str, object]

    def __post_init__(self) -> None:
        read(Edition, self.table)

    @property
    def missing(self) -> tuple[Missing, ...]:
        """The open values, with where each is printed on the physical game."""
        return read(Edition, self.table)[1]

    def with_value(self, key: str, raw: object) -> Draft:
        """This draft with one value entered; raises EditionError if it is not allowed."""
        table = cast("dict[str, object]", json.loads(json.dumps(self.table)))
        *sections, name = key.split(".")
        at: Any = table
        for section in sections:
            at = at.setdefault(section, {})
            if not isinstance(at, dict):
                text = say("unknown key; {section} is a value, no table", section=section)
                raise EditionError((fault(key, text),))
        at[name] = raw
        return Draft(self.source, table)

    def complete(self) -> Edition:
        """The edition; raises OpenValuesError naming every open value at once."""
        edition, missing = read(Edition, self.table)
        if edition is None:
            raise OpenValuesError(self.source, missing)
        return edition


def edition_names() -> tuple[str, ...]:
    """The editions that come with the program."""
    folder = files(__package__) / "editions"
    return tuple(sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml")))


def edition_text(name_or_path: str | Path) -> str:
    """The file of one of our editions by name, or of any edition, as text.

    Raises EditionError for a name or file that isn't there.
    """
    source = str(name_or_path)
    if isinstance(name_or_path, str) and not source.endswith(".toml"):
        if source not in edition_names():
            names = ", ".join(edition_names())
            told = say(
                "no edition {source}; there are {names}, or give a file",
                source=repr(source),
                names=names,
            )
            raise EditionError((told,))
        return (files(__package__) / "editions" / f"{source}.toml").read_text(encoding="utf-8")
    try:
        return Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        told = say("can't read the edition file {source}: {error}", source=source, error=str(error))
        raise EditionError((told,)) from error


def draft_of(text: str, source: str = "given") -> Draft:
    """The edition in a file's text, complete or not.

    `source` is named in errors. Raises EditionError for bad TOML, an unknown key, a wrong type or
    a value out of bounds.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        told = say("the edition file {source} is no TOML: {error}", source=source, error=str(error))
        raise EditionError((told,)) from error
    return Draft(source, table)


def load_draft(name_or_path: str | Path) -> Draft:
    """Reads an edition, complete or not: see `edition_text` and `draft_of`."""
    return draft_of(edition_text(name_or_path), str(name_or_path))


def load_edition(name_or_path: str | Path) -> Edition:
    """A complete edition, ready to be played: see `load_draft` and `Draft.complete`."""
    return load_draft(name_or_path).complete()
