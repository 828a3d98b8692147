"""Positions and moves as one line of text, and back; `record` has whole games.

Tiles are a letter for the commodity and the symbols of each tile: `b112m3` is bread 1, 1 and 2 and
marble 3; `-` is none. A region is `number@quarter turns`, `?` one that lies face down. The tiles on
the castles when time was up are `4,0,7`, or `4,0,7!` if no hand held one then; `?` is not counted.

A position is one line of `key=value` tokens; a seat's token is
`colour=rank/supporters/built/flags/tiles/statues`, with the flags M mercy shown, L pleads,
P punished, B has built, X passed, and statues as `r1c1` or `r2c3*2`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import TypeVar

from referee.games.said import say
from referee.games.tumult_royale.board import Board, Laid
from referee.games.tumult_royale.edition import COLOURS, FRAMES_IN_PLAY, Colour, Edition
from referee.games.tumult_royale.moves import (
    Build,
    Crown,
    FirstStatue,
    Move,
    Pass,
    Plead,
    Punish,
    Rank,
    Reveal,
    SetAside,
    ShowMercy,
    Spin,
    TimeUp,
    TurnRegion,
)
from referee.games.tumult_royale.state import (
    EVERYBODY,
    Ending,
    Outcome,
    Phase,
    Seat,
    State,
    changed,
)
from referee.games.tumult_royale.tiles import COMMODITIES, KINDS, MOST_SYMBOLS, NO_TILES, Tiles

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

_NONE = "-"
_UNKNOWN = "?"
#: Behind the tiles that lay on the castles when time was up.
_HANDS_EMPTY = "!"
_TILES = re.compile("".join(rf"(?:{c[0]}([1-{MOST_SYMBOLS}]+))?" for c in COMMODITIES))
_FLAGS = {"M": "mercy", "L": "pleads", "P": "punished", "B": "has_built", "X": "passed"}


class NotationError(ValueError):
    """Text that is no position, move or game: `line` counts from 1, `text` is what offends."""

    def __init__(self, line: int, text: str, problem: str) -> None:
        self.line, self.text, self.problem = line, text, problem
        super().__init__(
            say("line {line}: {text}: {problem}", line=line, text=repr(text), problem=problem)
        )


def _must(text: str, wanted: str) -> NotationError:
    return NotationError(1, text, say("must be {wanted}", wanted=wanted))


# Words that positions and moves share.


def format_tiles(tiles: Tiles) -> str:
    """Tiles as in `b112m3`; raises ValueError for counts below 0, which no table has."""
    if min(tiles) < 0:
        raise ValueError(f"tile counts below 0 can't be written: {tiles}")
    words = []
    for index, commodity in enumerate(COMMODITIES):
        counts = tiles[index * MOST_SYMBOLS : (index + 1) * MOST_SYMBOLS]
        digits = "".join(str(symbols) * n for symbols, n in enumerate(counts, 1))
        words.append(commodity[0] + digits if digits else "")
    return "".join(words) or _NONE


def parse_tiles(text: str) -> Tiles:
    """The inverse of `format_tiles`; raises NotationError."""
    if text == _NONE:
        return NO_TILES
    match = _TILES.fullmatch(text)
    if not text or match is None:
        raise _must(text, say("tiles such as b112m3t2, or -"))
    counts = [0] * KINDS
    for index, digits in enumerate(match.groups()):
        for digit in digits or "":
            counts[index * MOST_SYMBOLS + int(digit) - 1] += 1
    return tuple(counts)


def parse_number(text: str) -> int:
    """A whole number; raises NotationError."""
    if not re.fullmatch(r"-?[0-9]{1,6}", text):
        raise _must(text, say("a number"))
    return int(text)


def format_laid(laid: Laid | None) -> str:
    """A region as in `7@2`, or `?`."""
    return f"{laid.region}@{laid.turn}" if laid else _UNKNOWN


def parse_laid(text: str) -> Laid:
    """A face-up region; raises NotationError."""
    region, at, turn = text.partition("@")
    if not at:
        raise _must(text, say("a region and its quarter turns such as 7@2"))
    return Laid(parse_number(region), parse_number(turn))


def parse_colour(text: str, colours: Sequence[str]) -> int:
    """The seat of a colour; raises NotationError."""
    if text not in colours:
        raise _must(text, say("one of {words}", words=", ".join(colours)))
    return list(colours).index(text)


def format_row(items: Sequence[str]) -> str:
    """Words with commas, or `-` for none."""
    return ",".join(items) or _NONE


def parse_row(text: str, parse: Callable[[str], T]) -> tuple[T, ...]:
    """The items of a row; raises NotationError."""
    return () if text == _NONE else tuple(parse(item) for item in text.split(","))


def _member(text: str, kind: type[E]) -> E:
    words = [member.value for member in kind]
    if text not in words:
        raise _must(text, say("one of {words}", words=", ".join(words)))
    return kind(text)


def _format_castles(castles: tuple[int, ...] | None, hands_empty: bool) -> str:
    row = _UNKNOWN if castles is None else format_row([str(n) for n in castles])
    return row + _HANDS_EMPTY * hands_empty


def _parse_castles(text: str) -> tuple[tuple[int, ...] | None, bool]:
    row = text.removesuffix(_HANDS_EMPTY)
    return None if row == _UNKNOWN else parse_row(row, parse_number), row != text


def edition_mark(edition: Edition) -> str:
    """Name and hash of an edition's rules, as in `kit:0123456789ab`."""
    return f"{edition.name}:{edition.rules_digest[:12]}"


def check_edition(text: str, edition: Edition) -> None:
    """Raises NotationError if a text is of another edition."""
    if text != (mark := edition_mark(edition)):
        raise NotationError(
            1, text, say("is of another edition; the one given is {mark}", mark=mark)
        )


# Positions.


def format_state(state: State) -> str:
    """A position as one line, from which `parse_state` makes an equal one."""
    colours = [seat.colour for seat in state.seats]
    outcome = state.outcome
    tokens = {
        "edition": edition_mark(state.edition),
        "phase": state.phase.value,
        "turn": _NONE if state.turn == EVERYBODY else colours[state.turn],
        "round": str(state.round),
        "demand": str(state.demand),
        "map": format_row([format_laid(laid) for laid in state.board.places]),
        "to-turn": str(state.to_turn),
        "centre": format_tiles(state.centre),
        "aside": format_tiles(state.aside),
        "at-time": _format_castles(state.at_time, state.hands_empty),
        "supply": str(state.supply),
        "chronicle": format_row([_counted(colours[seat], n) for seat, n in state.chronicle]),
        "outcome": f"{colours[outcome.winner]},{outcome.ending.value}" if outcome else _NONE,
    } | {seat.colour: _format_seat(seat, state.board) for seat in state.seats}
    return " ".join(f"{key}={value}" for key, value in tokens.items())


def _counted(word: str, times: int) -> str:
    return word if times == 1 else f"{word}*{times}"


def _parse_counted(text: str) -> tuple[str, int]:
    word, star, times = text.partition("*")
    return word, parse_number(times) if star else 1


def _format_seat(seat: Seat, board: Board) -> str:
    flags = "".join(letter for letter, name in _FLAGS.items() if getattr(seat, name))
    statues = [_counted(board.name(number), times) for number, times in seat.statues()]
    numbers = f"{seat.rank}/{seat.supporters}/{seat.built}"
    return f"{numbers}/{flags or _NONE}/{format_tiles(seat.tiles)}/{format_row(statues)}"


_KEYS = (
    *("edition", "phase", "turn", "round", "demand", "map", "to-turn", "centre", "aside"),
    *("at-time", "supply", "chronicle", "outcome"),
)


def parse_state(text: str, edition: Edition) -> State:
    """The position of a line; raises NotationError naming the part that offends.

    An impossible position is no error, see `faults`; but 2 to 4 people must play.
    """
    tokens: dict[str, str] = {}
    for token in text.split():
        key, equals, value = token.partition("=")
        if not equals or key in tokens or key not in (*_KEYS, *COLOURS):
            raise _must(
                token, say("one of {words}, each once, with =", words=", ".join((*_KEYS, *COLOURS)))
            )
        tokens[key] = value
    if missing := [key for key in _KEYS if key not in tokens]:
        raise NotationError(1, text, say("lacks {keys}", keys=", ".join(missing)))
    check_edition(tokens["edition"], edition)
    board = Board(edition.regions, parse_row(tokens["map"], _parse_place))
    colours: list[Colour] = [c for c in tokens if c in COLOURS]
    if len(colours) not in FRAMES_IN_PLAY:
        raise _must(" ".join(colours), say("the colours of 2 to 4 players"))
    ending = tokens["outcome"]
    at_time, hands_empty = _parse_castles(tokens["at-time"])
    return State(
        edition=edition,
        seats=tuple(_parse_seat(colour, tokens[colour], board) for colour in colours),
        board=board,
        phase=_member(tokens["phase"], Phase),
        turn=EVERYBODY if tokens["turn"] == _NONE else parse_colour(tokens["turn"], colours),
        round=parse_number(tokens["round"]),
        demand=parse_number(tokens["demand"]),
        centre=parse_tiles(tokens["centre"]),
        aside=parse_tiles(tokens["aside"]),
        at_time=at_time,
        hands_empty=hands_empty,
        supply=parse_number(tokens["supply"]),
        chronicle=tuple(
            (parse_colour(colour, colours), statues)
            for colour, statues in parse_row(tokens["chronicle"], _parse_counted)
        ),
        to_turn=parse_number(tokens["to-turn"]),
        outcome=None if ending == _NONE else parse_outcome(ending.split(","), colours),
    )


def _parse_place(text: str) -> Laid | None:
    return None if text == _UNKNOWN else parse_laid(text)


def parse_outcome(words: Sequence[str], colours: Sequence[str]) -> Outcome:
    """Winner and ending; raises NotationError."""
    if len(words) != 2:
        raise _must(" ".join(words), say("the winner's colour and the ending"))
    return Outcome(parse_colour(words[0], colours), _member(words[1], Ending))


def _parse_seat(colour: Colour, text: str, board: Board) -> Seat:
    parts = text.split("/")
    if len(parts) != 6:
        raise _must(f"{colour}={text}", "colour=rank/supporters/built/flags/tiles/statues")
    rank, supporters, built, flags, tiles, statues = parts
    letters = "" if flags == _NONE else flags
    if set(letters) - set(_FLAGS) or len({*letters}) < len(letters):
        raise _must(flags, say("some of {flags}, each once, or -", flags="".join(_FLAGS)))
    seat = Seat(colour, parse_number(rank), parse_number(supporters), parse_number(built))
    for name, times in parse_row(statues, _parse_counted):
        number = _field(name, board)
        if not 0 < times < 8 or seat.statues_on(number):
            raise _must(statues, say("fields, each once, with 1 to 7 statues"))
        seat = changed(seat, planes=seat.planes_with(number, times))
    return changed(seat, tiles=parse_tiles(tiles), **{_FLAGS[letter]: True for letter in letters})


def _field(name: str, board: Board) -> int:
    try:
        return board.number(name)
    except ValueError as error:
        raise NotationError(1, name, str(error)) from error


# Moves.


def format_move(move: Move, state: State) -> str:
    """A move as one line, in the position in which it is made."""
    colours = [seat.colour for seat in state.seats]
    match move:
        case FirstStatue(seat, field):
            return f"{colours[seat]} first {state.board.name(field)}"
        case Spin(demand):
            return f"spin {demand}"
        case SetAside(tiles):
            return f"aside {tiles}"
        case TimeUp(castles, hands_empty):
            return f"time {_format_castles(castles, hands_empty)}"
        case Reveal(centre, heaps):
            return f"reveal {' '.join(format_tiles(heap) for heap in (centre, *heaps))}"
        case Plead(seats):
            return f"plead {_chosen(seats, colours)}"
        case Punish(returned):
            return f"punish {' '.join(format_tiles(heap) for heap in returned)}"
        case Build(seat, field, payment):
            name = state.board.name(field)
            return f"{colours[seat]} build {name} {format_tiles(payment)}"
        case Pass(seat):
            return f"{colours[seat]} pass"
        case Rank(ranks):
            return f"rank {format_row([str(rank) for rank in ranks])}"
        case Crown(statues):
            return f"crown {statues}"
        case TurnRegion(place, laid):
            return f"region {place} {format_laid(laid)}"
        case ShowMercy(seats):
            return f"mercy {_chosen(seats, colours)}"


def _chosen(seats: Sequence[bool], colours: Sequence[str]) -> str:
    return format_row([colour for colour, chosen in zip(colours, seats, strict=True) if chosen])


def parse_move(text: str, state: State) -> Move:
    """The move of a line; raises NotationError. Whether it is legal is not asked: see `check`."""
    colours = [seat.colour for seat in state.seats]

    def chosen(word: str) -> tuple[bool, ...]:
        seats = parse_row(word, lambda colour: parse_colour(colour, colours))
        return tuple(seat in seats for seat in range(len(colours)))

    match text.split():
        case [colour, "first", field]:
            return FirstStatue(parse_colour(colour, colours), _field(field, state.board))
        case ["spin", demand]:
            return Spin(parse_number(demand))
        case ["aside", tiles]:
            return SetAside(parse_number(tiles))
        case ["time", castles]:
            return TimeUp(*_parse_castles(castles))
        case ["reveal", centre, *castles]:
            return Reveal(parse_tiles(centre), tuple(parse_tiles(castle) for castle in castles))
        case ["plead", seats]:
            return Plead(chosen(seats))
        case ["punish", *returned]:
            return Punish(tuple(parse_tiles(tiles) for tiles in returned))
        case [colour, "build", field, payment]:
            seat = parse_colour(colour, colours)
            return Build(seat, _field(field, state.board), parse_tiles(payment))
        case [colour, "pass"]:
            return Pass(parse_colour(colour, colours))
        case ["rank", ranks]:
            return Rank(parse_row(ranks, parse_number))
        case ["crown", statues]:
            return Crown(parse_number(statues))
        case ["region", place, laid]:
            return TurnRegion(parse_number(place), parse_laid(laid))
        case ["mercy", seats]:
            return ShowMercy(chosen(seats))
    raise _must(text, say("a move such as `spin 3` or `yellow build r2c3 b1m1`"))
