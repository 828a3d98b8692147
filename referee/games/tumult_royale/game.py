"""Tumult Royale as the match sees it: positions and moves as text, steps, words for the screens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from referee.games.fact import Fact, FactValue
from referee.games.game import Chair, Choice, Finding, Good, Sheet, Step
from referee.games.measure import Amount, Measure
from referee.games.said import say
from referee.games.table import Placement, TablePlan
from referee.games.tumult_royale import players as dealing
from referee.games.tumult_royale import script
from referee.games.tumult_royale.edition import COLOURS, Colour, Edition, draft_of
from referee.games.tumult_royale.facts import facts
from referee.games.tumult_royale.facts_set import with_facts
from referee.games.tumult_royale.faults import sentences
from referee.games.tumult_royale.findings import judged
from referee.games.tumult_royale.instructions import laying
from referee.games.tumult_royale.legal import legal_moves
from referee.games.tumult_royale.measures import MEASURES, counted, levels, winners
from referee.games.tumult_royale.moves import Move, TimeUp
from referee.games.tumult_royale.notation import (
    format_laid,
    format_move,
    format_row,
    format_state,
    parse_colour,
    parse_laid,
    parse_move,
    parse_number,
    parse_row,
    parse_state,
)
from referee.games.tumult_royale.play import apply
from referee.games.tumult_royale.possible import possible
from referee.games.tumult_royale.sheet import sheet
from referee.games.tumult_royale.state import Phase, State, start
from referee.games.tumult_royale.table import PAINTS, placement, table_plan
from referee.games.tumult_royale.telling import chosen, told
from referee.games.tumult_royale.tiles import COMMODITIES, MOST_SYMBOLS
from referee.games.tumult_royale.words import COLOUR_WORDS, COMMODITY_WORDS
from referee.games.tumult_royale.zones import CENTRE

#: What people set up: the colours as they sit, their ranks, and the face-up regions in the order
#: of their places, all in notation: "blue,grey", "2,1", "7@0,3@2".
SETUP = ("seats", "ranks", "regions")


class TumultRoyale:
    """The game of one edition: a `Game[State, Move]`."""

    name = "tumult_royale"
    title = "Tumult Royale"
    store = CENTRE
    chairs: tuple[Chair, ...] = tuple(
        Chair(colour, COLOUR_WORDS[colour], PAINTS[colour]) for colour in COLOURS
    )
    measures: tuple[Measure, ...] = MEASURES

    def __init__(self, edition: Edition) -> None:
        """Raises nothing: an `Edition` is complete."""
        self._edition = edition
        self.players: tuple[int, ...] = tuple(sorted(edition.tiles_in_play))
        self.edition = f"{edition.name}:{edition.digest[:12]}"
        self.goods: tuple[Good, ...] = tuple(
            Good(
                COMMODITY_WORDS[commodity],
                f"tile-{commodity}-1-plain",
                {f"{commodity}-{n}": n for n in range(1, MOST_SYMBOLS + 1)},
            )
            for commodity in COMMODITIES
        )

    def draw(self, setup: Mapping[str, str], rng: Random) -> dict[str, str]:
        """The setup with ranks and regions drawn if it lacks them.

        Raises ValueError if it does not say who sits where, or for what the rules don't allow.
        """
        seats = parse_row(setup.get("seats", ""), _colour)
        if len(seats) not in self._edition.tiles_in_play:
            raise ValueError(say("{n} players can't play; 2, 3 or 4 can", n=len(seats)))
        dealt = dealing.deal(self._edition, len(seats), rng)
        regions = [format_laid(laid) for laid in dealt.board.places if laid]
        drawn = {
            "ranks": format_row([str(seat.rank) for seat in dealt.seats]),
            "regions": format_row(regions),
        }
        return {**drawn, **{key: value for key, value in setup.items() if value}}

    def lay(self, state: State) -> tuple[str, ...]:
        """How people lay out the table for a start."""
        return laying(state)

    def begin(self, setup: Mapping[str, str]) -> State:
        """The start that people have set up: all of `SETUP`; what is to be drawn, `draw` draws.

        Raises ValueError for a missing or unknown key, or for what the rules don't allow.
        """
        if missing := [key for key in SETUP if not setup.get(key)]:
            raise ValueError(say("the setup lacks {keys}", keys=", ".join(missing)))
        if unknown := sorted(set(setup) - set(SETUP)):
            raise ValueError(
                say(
                    "the setup knows no {keys}; give {known}",
                    keys=", ".join(unknown),
                    known=", ".join(SETUP),
                )
            )
        return start(
            self._edition,
            parse_row(setup["seats"], _colour),
            parse_row(setup["ranks"], parse_number),
            parse_row(setup["regions"], parse_laid),
        )

    def write_state(self, state: State) -> str:
        """A position as one line."""
        return format_state(state)

    def read_state(self, text: str) -> State:
        """The position of a line; raises ValueError."""
        return parse_state(text, self._edition)

    def write_move(self, move: Move, state: State) -> str:
        """A move as one line."""
        return format_move(move, state)

    def read_move(self, text: str, state: State) -> Move:
        """The move of a line; raises ValueError."""
        return parse_move(text, state)

    def check(self, state: State, move: Move) -> tuple[Finding, ...]:
        """Everything that the rules say of a move."""
        return judged(state, move)

    def possible(self, state: State, move: Move) -> bool:
        """Whether a person may decide for a move."""
        return possible(state, move)

    def apply(self, state: State, move: Move) -> State:
        """The position after a possible move."""
        return apply(state, move)

    def faults(self, state: State) -> tuple[str, ...]:
        """Everything that can't be right about a position."""
        return sentences(state)

    def facts(self, state: State) -> tuple[Fact, ...]:
        """What a person may set in a position."""
        return facts(state)

    def with_facts(self, state: State, values: Mapping[str, FactValue]) -> State:
        """The position with some facts as a person says; raises ValueError."""
        return with_facts(state, values)

    def step(self, state: State) -> Step[Move] | None:
        """What must happen next."""
        return script.step(state)

    def choices(self, state: State) -> tuple[Choice, ...]:
        """The legal moves; of taxes, that nobody counted. The tiles of a reveal are too many."""
        moves: Sequence[Move] = legal_moves(state)
        if state.phase is Phase.TAXES:
            moves = (TimeUp(None),)
        return tuple(Choice(format_move(move, state), chosen(state, move)) for move in moves)

    def tell(self, state: State, move: Move) -> tuple[str, ...]:
        """What a possible move means, in words."""
        return told(state, move)

    def sheet(self, state: State) -> Sheet:
        """The position for the screens."""
        return sheet(state)

    def levels(self, state: State) -> tuple[Amount, ...]:
        """Supporters and statues of each seat."""
        return levels(state)

    def counted(self, state: State, move: Move) -> tuple[Amount, ...]:
        """What a possible move adds to the statistics."""
        return counted(state, move)

    def winners(self, state: State) -> tuple[int, ...]:
        """Who has won."""
        return winners(state)

    def plan(self, state: State) -> TablePlan:
        """The table of a match."""
        return table_plan(state.edition, [seat.colour for seat in state.seats])

    def placement(self, state: State) -> Placement:
        """What lies where in a position."""
        return placement(state)


def load(edition_text: str) -> TumultRoyale:
    """The game of the edition in a file's text; raises ValueError if it can't be played."""
    return TumultRoyale(draft_of(edition_text).complete())


def _colour(word: str) -> Colour:
    return COLOURS[parse_colour(word, COLOURS)]
