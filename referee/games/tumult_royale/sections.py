"""The sections of an edition file: every value with its title, bounds, and where it is printed."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from referee.games.said import say
from referee.games.tumult_royale.schema import Counts, Flag, Length, OneOf, Row, Whole, value
from referee.games.tumult_royale.tiles import (
    COMMODITIES,
    FRAMES,
    MOST_SYMBOLS,
    Frame,
    Symbols,
    Tile,
)

Colour = Literal["yellow", "blue", "grey", "purple"]
FieldType = Literal["pasture", "forest", "mountain", "village", "castle"]
Region = tuple[FieldType, ...]

COLOURS: tuple[Colour, ...] = ("yellow", "blue", "grey", "purple")
FIELD_TYPES: tuple[FieldType, ...] = ("pasture", "forest", "mountain", "village", "castle")
LETTERS: dict[str, FieldType] = dict(zip("PFMVC", FIELD_TYPES, strict=True))
FEWEST_PLAYERS, MOST_PLAYERS = 2, 4
REGIONS = 10
REGION_SIDE = 3
#: Region tiles lie so many wide; there are as many columns of them as players (section 2).
REGION_ROWS = 2
#: Frames of the tiles that are in play, by number of players (section 2).
FRAMES_IN_PLAY: dict[int, tuple[Frame, ...]] = {2: FRAMES[:1], 3: FRAMES[:2], 4: FRAMES}
#: How many tiles there are of each frame (section 1).
TILES_OF_FRAME: dict[Frame, int] = {"plain": 21, "grey": 9, "black": 9}

_CASTLE = say("the price list on the left side of the castle board")
_CHRONICLE = say("the royal chronicle on the frame around the regions")
_RULER = say("measure it with a ruler, in mm")


@dataclass(frozen=True, slots=True)
class RegionPattern:
    """The nine fields of a region, row by row, as letters."""

    allowed: str = say(
        'three rows of three letters such as "PPF MVP PFC" '
        "(P pasture, F forest, M mountain, V village, C castle)"
    )

    def read(self, raw: object) -> Region:
        """The types of the nine fields."""
        if not isinstance(raw, str):
            raise ValueError  # noqa: TRY004
        rows = raw.split()
        letters = "".join(rows)
        if [len(row) for row in rows] != [REGION_SIDE] * REGION_SIDE or set(letters) - set(LETTERS):
            raise ValueError
        return tuple(LETTERS[letter] for letter in letters)


def _tiles_value(title: str) -> Any:
    return value(
        title,
        say("How many tiles bear 1, 2 and 3 symbols."),
        Row(Whole(0, 21), MOST_SYMBOLS, MOST_SYMBOLS),
        say(
            "the fronts of the commodity tiles: sort them by frame, commodity and number of symbols"
        ),
    )


@dataclass(frozen=True, kw_only=True)
class FrameTiles:
    """The tiles with one frame."""

    bread: tuple[int, ...] = _tiles_value(say("Tiles of bread"))
    marble: tuple[int, ...] = _tiles_value(say("Tiles of marble"))
    tools: tuple[int, ...] = _tiles_value(say("Tiles of tools"))

    def tiles(self, frame: Frame) -> tuple[Tile, ...]:
        """Each of them."""
        return tuple(
            Tile(commodity, symbols, frame)
            for commodity in COMMODITIES
            for symbols, copies in enumerate(getattr(self, commodity), 1)
            for _ in range(copies)
        )


@dataclass(frozen=True, kw_only=True)
class TileSet:
    """The 39 commodity tiles (section 1)."""

    plain: FrameTiles
    grey: FrameTiles
    black: FrameTiles


def _cost_value(title: str) -> Any:
    return value(
        title,
        say("Symbols to pay for building on such a field if it touches an own field."),
        Counts(COMMODITIES, 9),
        _CASTLE,
    )


@dataclass(frozen=True, kw_only=True)
class Costs:
    """What each type of field costs (section 3.4), as symbols of bread, marble and tools."""

    pasture: Symbols = _cost_value(say("Cost of a pasture"))
    forest: Symbols = _cost_value(say("Cost of a forest"))
    mountain: Symbols = _cost_value(say("Cost of a mountain"))
    village: Symbols = _cost_value(say("Cost of a village"))
    castle: Symbols = _cost_value(say("Cost of a castle"))


@dataclass(frozen=True, kw_only=True)
class Chronicle:
    """The track of the kings (section 3.6)."""

    statues: tuple[int, ...] = value(
        say("Statues of the spaces"),
        say("How many statues each space takes, in order: 1, or 2 on a double space."),
        Row(Whole(1, 2), 6, 12),
        _CHRONICLE,
    )
    ends_above: tuple[int, ...] = value(
        say("Numbers below the double spaces"),
        say(
            "In order. The game ends if most minus fewest statues built is greater than the number."
        ),
        Row(Whole(0, 25), 0, 12),
        _CHRONICLE,
    )
    reveal_at: tuple[int, ...] = value(
        say("Spaces that reveal regions"),
        say("The spaces, counted from 1, after which face-down regions are turned."),
        Row(Whole(1, 12), 1, 4),
        _CHRONICLE,
        default=(3, 5),
    )


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What depends on the number of players (section 2)."""

    supporters: int = value(
        say("Supporters each"),
        say("What each player starts with."),
        Whole(0, 52),
        say("the rules' setup page"),
    )
    face_down: tuple[int, ...] = value(
        say("Face-down places"),
        say(
            "Places of the regions that start face down, counted row by row from 1 at the top "
            "left; half of all places."
        ),
        Row(Whole(1, REGION_ROWS * MOST_PLAYERS), 1, MOST_PLAYERS),
        say("the picture of the assembled frame on the rules' setup page"),
    )
    reveals: tuple[int, ...] = value(
        say("Regions revealed"),
        say("How many regions are turned at each of the spaces that reveal some."),
        Row(Whole(0, MOST_PLAYERS), 1, 4),
        say("the rules' page on the royal chronicle, and the frame beside its 3rd and 5th space"),
    )


@dataclass(frozen=True, kw_only=True)
class Setups:
    """The setup for each number of players."""

    two: Setup
    three: Setup
    four: Setup


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """Counts that the rules give."""

    statues: int = value(say("Statues each"), say("Section 1."), Whole(5, 50), default=25)
    ones: int = value(say("Supporters of value 1"), say("Section 1."), Whole(0, 99), default=25)
    fives: int = value(say("Supporters of value 5"), say("Section 1."), Whole(0, 99), default=8)
    tens: int = value(say("Supporters of value 10"), say("Section 1."), Whole(0, 99), default=4)
    set_aside: int = value(
        say("Tiles set aside"), say("By each player; 3.2."), Whole(0, 5), default=3
    )
    hourglass: int = value(say("Hourglass"), say("Seconds; 3.2."), Whole(5, 120), default=20)
    punishment: int = value(
        say("Punishment"), say("Supporters lost; 3.3."), Whole(0, 20), default=3
    )
    village: int = value(say("Statues of a village"), say("3.4."), Whole(1, 3), default=2)
    castle: int = value(say("Statues of a castle"), say("3.4."), Whole(1, 3), default=3)
    consolation: int = value(say("Consolation"), say("Supporters; 3.4."), Whole(0, 20), default=2)
    crown: int = value(
        say("Crowning"), say("Supporters that the king gives; 3.6."), Whole(0, 20), default=5
    )


@dataclass(frozen=True, kw_only=True)
class Rulings:
    """Where the rules are silent: the choice of a house or an event."""

    mercy: str = value(
        say("Use of mercy"),
        say(
            "Whether mercy always lowers the greed, or each holder is asked after the reveal; 3.3."
        ),
        OneOf(("always", "asked")),
        default="always",
    )
    no_greed_punished: bool = value(
        say("Punished without greed"),
        say("Whether the highest rank is punished when the highest greed is 0; 3.3."),
        Flag(),
        default=False,
    )
    few_supporters_punished: str = value(
        say("Too few supporters to be punished"),
        say("What a punished player loses who has fewer supporters than the punishment; 3.3."),
        OneOf(("all", "none")),
        default="all",
    )
    losses_add_up: bool = value(
        say("Losses add up"),
        say("Whether a player punished for several commodities loses supporters for each; 3.3."),
        Flag(),
        default=True,
    )
    pass_is_final: bool = value(
        say("Passing is final"),
        say("Whether who passes is out for the phase; 3.4."),
        Flag(),
        default=True,
    )
    too_few_statues: str = value(
        say("Too few statues"),
        say(
            "Whether a field that needs more statues than are left can be built with the rest; 3.4."
        ),
        OneOf(("forbidden", "place_rest")),
        default="forbidden",
    )
    short_supply: str = value(
        say("Short supply"),
        say("What a player takes when the supply holds fewer supporters than are due; 3.4."),
        OneOf(("as_many", "none")),
        default="as_many",
    )
    spare_tile: str = value(
        say("Spare tile in a payment"),
        say("What a payment is from which a tile could be left out; 3.4."),
        OneOf(("illegal", "advisory")),
        default="illegal",
    )
    cheaper_payment: str = value(
        say("Cheaper payment"),
        say("What a payment without spare tiles is when another one has less excess; 3.4."),
        OneOf(("advisory", "illegal")),
        default="advisory",
    )
    consolation_if_punished: bool = value(
        say("Consolation for the punished"),
        say("Whether a player punished in the round who built nothing is consoled too; 3.4."),
        Flag(),
        default=False,
    )
    few_supporters_crowned: str = value(
        say("Too few supporters to be crowned"),
        say("What a king gives who has fewer supporters than the crowning takes; 3.6."),
        OneOf(("all", "none")),
        default="all",
    )
    fewest_tied: str = value(
        say("Ties for mercy"),
        say("Who receives mercy if some, but not all, tie for the fewest statues; 3.7."),
        OneOf(("all", "none")),
        default="all",
    )
    last_statue: str = value(
        say("The last statue"),
        say("Whether building the last own statue wins at once, or when the phase ends; 4."),
        OneOf(("at_once", "end_of_phase")),
        default="at_once",
    )


def _pair(title: str, what: str, high: float = 3000, default: object = dataclasses.MISSING) -> Any:
    return value(
        title,
        say("{what}: width and height.", what=what),
        Row(Length(1, high), 2, 2),
        _RULER,
        default,
    )


def _length(title: str, what: str, high: float = 200, default: object = dataclasses.MISSING) -> Any:
    return value(title, what, Length(0, high), _RULER, default)


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Millimetres of the physical things. What we print ourselves has a default."""

    tile: tuple[float, float] = _pair(say("Commodity tile"), say("A tile"), 100)
    tile_thickness: float = _length(say("Thickness of a tile"), say("Also of its cardboard."), 10)
    tile_radius: float = _length(say("Corners of a tile"), say("Their radius."), 20)
    field: float = _length(say("Field"), say("The side of one of a region's nine fields."))
    map_border: float = _length(
        say("Border of the map"), say("Width of the frame around the regions.")
    )
    castle: tuple[float, float] = _pair(say("Castle board"), say("A castle board"), 400)
    castle_strip: float = _length(
        say("Track of a castle board"), say("Height of the strip with the track.")
    )
    board_thickness: float = _length(say("Thickness of a board"), say("Of castles and map."), 10)
    board_radius: float = _length(say("Corners of a board"), say("Their radius."), 20, 2.0)
    statue_diameter: float = _length(say("Diameter of a statue"), say("Seen from above."), 60)
    statue_height: float = _length(say("Height of a statue"), say("From the board up."), 120)
    spinner_diameter: float = _length(say("Spinner"), say("Diameter of its disc."), 300)
    plane: tuple[float, float] = _pair(
        say("Table"), say("Between the corner markers"), default=(960.0, 620.0)
    )
    marker: float = _length(say("Table marker"), say("Side of its black square."), default=60.0)
    marker_margin: float = _length(say("Margin of a table marker"), say("White print."), 50, 8.0)
    board_marker: float = _length(say("Board marker"), say("Side of its black square."), 100, 22.0)
    board_marker_margin: float = _length(
        say("Margin of a board marker"), say("White print."), 50, 4.0
    )
    castle_reach: float = _length(
        say("Reach of a castle"), say("Tiles count so far beside it."), 50, 8.0
    )
