"""A game as a file that people can read: how it was dealt, every move, and who won.

A header, then a move a line as in `notation`, and the winner once the game is over. Lines that
begin with `#` are remarks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from referee.games.said import say
from referee.games.tumult_royale.board import Laid
from referee.games.tumult_royale.checks import Kind, check
from referee.games.tumult_royale.edition import COLOURS, Colour, Edition
from referee.games.tumult_royale.moves import Move, Spin
from referee.games.tumult_royale.notation import (
    NotationError,
    check_edition,
    edition_mark,
    format_laid,
    format_move,
    format_row,
    parse_colour,
    parse_laid,
    parse_move,
    parse_number,
    parse_outcome,
    parse_row,
)
from referee.games.tumult_royale.play import apply
from referee.games.tumult_royale.state import SetupError, State, start

T = TypeVar("T")

TITLE = "Tumult Royale 1"


@dataclass(frozen=True, slots=True)
class Game:
    """A game, finished or not: how it was dealt, and its moves."""

    edition: Edition
    colours: tuple[Colour, ...]
    ranks: tuple[int, ...]
    regions: tuple[Laid, ...]
    moves: tuple[Move, ...] = ()

    @classmethod
    def of(cls, beginning: State, moves: Sequence[Move]) -> Game:
        """The game that was played from a start."""
        return cls(
            beginning.edition,
            tuple(seat.colour for seat in beginning.seats),
            tuple(seat.rank for seat in beginning.seats),
            tuple(laid for laid in beginning.board.places if laid),
            tuple(moves),
        )

    def states(self) -> Iterator[State]:
        """The position at the start, and after each move."""
        state = start(self.edition, self.colours, self.ranks, self.regions)
        yield state
        for move in self.moves:
            state = apply(state, move)
            yield state


def format_game(game: Game) -> str:
    """A game as a file, from which `parse_game` makes an equal one."""
    lines = [
        TITLE,
        f"edition {edition_mark(game.edition)}",
        f"seats {format_row(game.colours)}",
        f"ranks {format_row([str(rank) for rank in game.ranks])}",
        f"regions {format_row([format_laid(laid) for laid in game.regions])}",
        "",
    ]
    states = game.states()
    for move in game.moves:
        state = next(states)
        if isinstance(move, Spin):
            lines += ["", f"# round {state.round}"]
        lines.append(format_move(move, state))
    last = next(states)
    if last.outcome:
        winner = last.seats[last.outcome.winner].colour
        lines += ["", f"winner {winner} {last.outcome.ending.value}"]
    return "\n".join(lines) + "\n"


def parse_game(text: str, edition: Edition) -> Game:
    """The game of a file, replayed move by move.

    Raises NotationError naming the line and its text for anything that is no notation, an illegal
    move, or a winner that the moves don't lead to.
    """
    lines = text.splitlines()
    kept = [
        (number, line.strip())
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]
    header: list[tuple[int, str]] = []
    for index, key in enumerate((TITLE, "edition ", "seats ", "ranks ", "regions ")):
        number, line = kept[index] if index < len(kept) else (len(lines) + 1, "")
        if not line.startswith(key):
            raise NotationError(number, line, say("must begin with {key}", key=repr(key.strip())))
        header.append((number, line.removeprefix(key).strip()))
    _, mark, seats, ranks, regions = header
    _at(mark, lambda word: check_edition(word, edition))
    colours = _at(seats, lambda word: parse_row(word, _colour))
    dealt = _at(ranks, lambda word: parse_row(word, parse_number))
    laid = _at(regions, lambda word: parse_row(word, parse_laid))
    try:
        state = beginning = start(edition, colours, dealt, laid)
    except SetupError as error:
        raise NotationError(regions[0], lines[regions[0] - 1], str(error)) from error
    moves: list[Move] = []
    for numbered in kept[len(header) :]:
        move = _at(numbered, partial(_parse_line, state=state))
        if move is not None:
            moves.append(move)
            state = apply(state, move)
    return Game.of(beginning, moves)


def _at(numbered: tuple[int, str], parse: Callable[[str], T]) -> T:
    """Parses a line's text, and names the line if that fails."""
    number, text = numbered
    try:
        return parse(text)
    except NotationError as error:
        raise NotationError(number, error.text, error.problem) from error


def _colour(word: str) -> Colour:
    return COLOURS[parse_colour(word, COLOURS)]


def _parse_line(line: str, state: State) -> Move | None:
    if line.startswith("winner "):
        outcome = parse_outcome(line.split()[1:], [seat.colour for seat in state.seats])
        if outcome != state.outcome:
            raise NotationError(1, line, say("is not what the moves lead to"))
        return None
    move = parse_move(line, state)
    for finding in check(state, move):
        if finding.kind is Kind.ILLEGAL:
            raise NotationError(
                1, line, say("{what} (rules {rule})", what=finding.text, rule=finding.rule)
            )
    return move
