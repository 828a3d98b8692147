"""What is counted of a match of Tumult Royale, for its statistics."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.measure import Amount, Measure
from referee.games.said import say
from referee.games.tumult_royale.moves import Build, Crown, FirstStatue, Move, Punish, Reveal, Spin
from referee.games.tumult_royale.state import State, tumults
from referee.games.tumult_royale.tiles import COMMODITIES, Tiles, symbols_of
from referee.games.tumult_royale.words import COMMODITY_WORDS, FIELD_WORDS

_COMMODITIES = tuple((commodity, COMMODITY_WORDS[commodity]) for commodity in COMMODITIES)
_FIELDS = tuple((type_, words) for type_, words in FIELD_WORDS.items() if type_ is not None)

MEASURES = (
    Measure("supporters", say("Supporters"), level=True),
    Measure("statues", say("Statues built"), level=True),
    Measure("robbed", say("Symbols robbed"), parts=_COMMODITIES),
    Measure("tumults", say("Tumults suffered"), parts=_COMMODITIES),
    Measure("lost", say("Supporters lost in tumults")),
    Measure("placed", say("Statues placed on the map"), parts=_FIELDS),
    Measure("paid", say("Symbols paid for statues"), parts=_COMMODITIES, per="bought"),
    Measure("bought", say("Statues bought")),
    Measure("crowned", say("Statues put on the chronicle")),
    Measure("king", say("Rounds as king")),
)


def levels(state: State) -> tuple[Amount, ...]:
    """What each seat has in a position."""
    return tuple(
        amount
        for seat, player in enumerate(state.seats)
        for amount in (
            Amount("supporters", seat, player.supporters),
            Amount("statues", seat, player.built),
        )
    )


def counted(state: State, move: Move) -> tuple[Amount, ...]:
    """What a possible move adds to what is counted."""
    match move:
        case FirstStatue(seat=seat, field=field):
            return _placed(state, seat, field, 1)
        case Spin():
            return (Amount("king", state.king, 1),)
        case Reveal(castles=castles):
            heaps = enumerate(castles)
            return tuple(each for seat, tiles in heaps for each in _symbols("robbed", seat, tiles))
        case Punish():
            return _punished(state)
        case Build(seat=seat, field=field, payment=payment):
            type_ = state.board.types[field]
            printed = 0 if type_ is None else state.edition.statues_on[type_]
            statues = min(printed, state.statues_left(seat))
            bought = Amount("bought", seat, statues)
            placed = _placed(state, seat, field, statues)
            return (*placed, bought, *_symbols("paid", seat, payment))
        case Crown(statues=statues):
            return (Amount("crowned", state.king, statues),)
    return ()


def winners(state: State) -> tuple[int, ...]:
    """Who has won; nobody as long as the game goes on."""
    return () if state.outcome is None else (state.outcome.winner,)


def _placed(state: State, seat: int, field: int, statues: int) -> tuple[Amount, ...]:
    type_ = state.board.types[field]
    return () if type_ is None else (Amount("placed", seat, statues, type_),)


def _symbols(measure: str, seat: int, tiles: Tiles) -> Sequence[Amount]:
    return [
        Amount(measure, seat, symbols, commodity)
        for commodity, symbols in zip(COMMODITIES, symbols_of(tiles), strict=True)
        if symbols
    ]


def _punished(state: State) -> tuple[Amount, ...]:
    verdict = tumults(state)
    suffered = [
        Amount("tumults", each.greediest, 1, each.commodity)
        for each in verdict.commodities
        if each.punishment is not None and each.greediest is not None
    ]
    lost = [Amount("lost", seat, n) for seat, n in enumerate(verdict.supporters_lost) if n]
    return (*suffered, *lost)
