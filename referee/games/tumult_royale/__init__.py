"""The rules of Tumult Royale: edition, position, moves, verdicts. Standard library only.

A random game, from the deal to the winner:

    >>> from random import Random
    >>> from referee.games import tumult_royale as royale
    >>> rng = Random(7)
    >>> state = royale.deal(royale.load_edition("kit"), 3, rng)
    >>> for move, state in royale.play(state, [royale.RandomPlayer()] * 3, rng):
    ...     pass
    >>> state.phase
    <Phase.OVER: 'over'>
    >>> 0 <= state.outcome.winner < 3
    True

Step by step, `legal_moves` lists what may be done, `check` judges what was done, and `apply` does
it; every position is a new value, so an older one is an undo. `adjudicate` judges the tumults of
a single photograph.
"""

from referee.games.tumult_royale.adjudication import (
    CommodityVerdict,
    Punishment,
    Sentiment,
    Taxed,
    Tumults,
    adjudicate,
)
from referee.games.tumult_royale.board import Board, Laid, fields_in
from referee.games.tumult_royale.checks import Finding, Kind, Reason, check, is_legal
from referee.games.tumult_royale.edition import (
    Draft,
    Edition,
    OpenValuesError,
    edition_names,
    load_draft,
    load_edition,
)
from referee.games.tumult_royale.faults import Fault, faults
from referee.games.tumult_royale.legal import EXPECTED, cost_on, legal_moves
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
from referee.games.tumult_royale.notation import (
    NotationError,
    format_move,
    format_state,
    format_tiles,
    parse_move,
    parse_state,
    parse_tiles,
)
from referee.games.tumult_royale.play import apply
from referee.games.tumult_royale.players import (
    GREEDY,
    MODEST,
    PLAYERS,
    STEADY,
    Builder,
    Look,
    Player,
    Raid,
    RandomPlayer,
    deal,
    decide,
    play,
    raid,
)
from referee.games.tumult_royale.record import Game, format_game, parse_game
from referee.games.tumult_royale.schema import EditionError
from referee.games.tumult_royale.sections import COLOURS, FIELD_TYPES, Colour, FieldType
from referee.games.tumult_royale.state import (
    EVERYBODY,
    Ending,
    Outcome,
    Phase,
    Seat,
    SetupError,
    State,
    start,
    tumults,
)
from referee.games.tumult_royale.tiles import (
    COMMODITIES,
    FRAMES,
    LABELS,
    NO_TILES,
    Tile,
    Tiles,
    count,
    labels_of,
    symbols_of,
)

__all__ = [
    "COLOURS",
    "COMMODITIES",
    "EVERYBODY",
    "EXPECTED",
    "FIELD_TYPES",
    "FRAMES",
    "GREEDY",
    "LABELS",
    "MODEST",
    "NO_TILES",
    "PLAYERS",
    "STEADY",
    "Board",
    "Build",
    "Builder",
    "Colour",
    "CommodityVerdict",
    "Crown",
    "Draft",
    "Edition",
    "EditionError",
    "Ending",
    "Fault",
    "FieldType",
    "Finding",
    "FirstStatue",
    "Game",
    "Kind",
    "Laid",
    "Look",
    "Move",
    "NotationError",
    "OpenValuesError",
    "Outcome",
    "Pass",
    "Phase",
    "Player",
    "Plead",
    "Punish",
    "Punishment",
    "Raid",
    "RandomPlayer",
    "Rank",
    "Reason",
    "Reveal",
    "Seat",
    "Sentiment",
    "SetAside",
    "SetupError",
    "ShowMercy",
    "Spin",
    "State",
    "Taxed",
    "Tile",
    "Tiles",
    "TimeUp",
    "Tumults",
    "TurnRegion",
    "adjudicate",
    "apply",
    "check",
    "cost_on",
    "count",
    "deal",
    "decide",
    "edition_names",
    "faults",
    "fields_in",
    "format_game",
    "format_move",
    "format_state",
    "format_tiles",
    "is_legal",
    "labels_of",
    "legal_moves",
    "load_draft",
    "load_edition",
    "parse_game",
    "parse_move",
    "parse_state",
    "parse_tiles",
    "play",
    "raid",
    "start",
    "symbols_of",
    "tumults",
]
