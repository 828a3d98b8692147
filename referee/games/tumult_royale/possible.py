"""Which moves `apply` can do, be they illegal: people may decide against a rule, not against sense.

A possible move leads to a position in which all tiles, statues and supporters are still there.
"""

from __future__ import annotations

from typing import Any

from referee.games.tumult_royale.checks import Kind, Reason, check
from referee.games.tumult_royale.legal import EXPECTED
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
    TimeUp,
)
from referee.games.tumult_royale.state import State
from referee.games.tumult_royale.tiles import KINDS, Tiles, total

#: What no decision can change: there is no such field, tile, region or number.
_SENSELESS = frozenset(
    {
        Reason.WRONG_PHASE,
        Reason.NO_SUCH_FIELD,
        Reason.FACE_DOWN,
        Reason.NOT_FREE,
        Reason.MALFORMED,
        Reason.TILES_NOT_OWNED,
        Reason.TILES_NOT_IN_EDITION,
        Reason.NOT_ON_SPINNER,
        Reason.PLACE_NOT_FACE_DOWN,
        Reason.REGION_NOT_AVAILABLE,
    }
)


def possible(state: State, move: Move) -> bool:
    """Whether `apply` can do a move that people decide for.

    Possible are, say, a build that touches no own field, one out of turn, one at the wrong price,
    tiles taken after time, or missing at the reveal, and other ranks than those due.
    """
    if type(move) not in EXPECTED[state.phase]:
        return False
    condition = _CONDITIONS.get(type(move))
    if condition is not None and not condition(state, move):
        return False
    return all(
        finding.kind is not Kind.ILLEGAL or finding.reason not in _SENSELESS
        for finding in check(state, move)
    )


def _first_statue(state: State, move: FirstStatue) -> bool:
    """Out of turn it is not: the order of the others would be lost."""
    return move.seat == state.turn


def _set_aside(state: State, move: SetAside) -> bool:
    return 0 <= move.tiles <= sum(state.centre)


def _time_up(state: State, move: TimeUp) -> bool:
    if move.castles is None:
        return not move.hands_empty
    return sum(move.castles) <= sum(state.centre)


def _reveal(state: State, move: Reveal) -> bool:
    return _are_heaps(state, (move.centre, *move.castles), 1)


def _plead(state: State, move: Plead) -> bool:
    return len(move.seats) == state.players


def _punish(state: State, move: Punish) -> bool:
    return _are_heaps(state, move.returned) and all(
        _within(heap, seat.tiles) for heap, seat in zip(move.returned, state.seats, strict=True)
    )


def _build(state: State, move: Build) -> bool:
    return 0 <= move.seat < state.players and state.statues_left(move.seat) > 0


def _pass(state: State, move: Pass) -> bool:
    return 0 <= move.seat < state.players and not state.seats[move.seat].passed


def _rank(state: State, move: Rank) -> bool:
    return sorted(move.ranks) == list(range(1, state.players + 1))


def _crown(state: State, move: Crown) -> bool:
    space = state.edition.chronicle.statues[len(state.chronicle)]
    return 0 < move.statues <= min(space, state.statues_left(state.turn))


def _show_mercy(state: State, move: ShowMercy) -> bool:
    return len(move.seats) == state.players and not all(move.seats)


def _are_heaps(state: State, heaps: tuple[Tiles, ...], more: int = 0) -> bool:
    """Whether there is a heap for each seat and so many `more`, and all are in play."""
    return (
        len(heaps) == state.players + more
        and all(len(heap) == KINDS and min(heap) >= 0 for heap in heaps)
        and _within(total(heaps), state.edition.tiles_in_play[state.players])
    )


def _within(some: Tiles, others: Tiles) -> bool:
    return all(n <= there for n, there in zip(some, others, strict=True))


_CONDITIONS: dict[type[Move], Any] = {
    FirstStatue: _first_statue,
    SetAside: _set_aside,
    TimeUp: _time_up,
    Reveal: _reveal,
    Plead: _plead,
    Punish: _punish,
    Build: _build,
    Pass: _pass,
    Rank: _rank,
    Crown: _crown,
    ShowMercy: _show_mercy,
}
