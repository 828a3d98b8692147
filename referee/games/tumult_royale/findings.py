"""What the rules find about a move, as the match shows it: with seats, zones and fields."""

from __future__ import annotations

from referee.games.game import Finding
from referee.games.tumult_royale import checks
from referee.games.tumult_royale.checks import Kind, Reason
from referee.games.tumult_royale.moves import Build, FirstStatue, Move
from referee.games.tumult_royale.state import State
from referee.games.tumult_royale.zones import CENTRE, castle_zone

#: Findings that are seen on the castles of their seats and in the centre.
_OF_TILES = frozenset(
    {
        Reason.TILES_NOT_OWNED,
        Reason.PAID_TOO_LITTLE,
        Reason.SPARE_TILE,
        Reason.CHEAPER_PAYMENT,
        Reason.TAKEN_AFTER_TIME,
        Reason.PUT_BACK_AFTER_TIME,
        Reason.RETURNED_WRONG_TILES,
        Reason.TILE_MOVED,
    }
)
#: Findings that may be seen on any castle, and in the centre.
_OF_ALL_TILES = frozenset(
    {
        Reason.TILES_MISSING,
        Reason.TILES_TOO_MANY,
        Reason.TILES_NOT_IN_EDITION,
        Reason.NOT_COUNTED,
        Reason.COUNTED_LATE,
    }
)


def judged(state: State, move: Move) -> tuple[Finding, ...]:
    """Everything that the rules say of a move."""
    return tuple(_shown(state, move, finding) for finding in checks.check(state, move))


def illegal(
    state: State,
    reason: Reason,
    text: str,
    seats: tuple[int, ...] = (),
    fields: tuple[str, ...] = (),
) -> Finding:
    """A breach that is no single move's: the rule is the phase's."""
    return Finding(
        True, reason.name, state.phase.rule, text, seats, zones_of(state, reason, seats), fields
    )


def zones_of(state: State, reason: Reason, seats: tuple[int, ...]) -> tuple[str, ...]:
    """Where a finding is seen; nowhere if it is not about tiles."""
    if reason in _OF_ALL_TILES:
        seats = tuple(range(state.players))
    elif reason not in _OF_TILES:
        return ()
    castles = (castle_zone(state.seats[seat].colour) for seat in seats if 0 <= seat < state.players)
    return (*castles, CENTRE)


def _shown(state: State, move: Move, finding: checks.Finding) -> Finding:
    fields: tuple[str, ...] = ()
    seats = finding.seats
    if isinstance(move, Build | FirstStatue):
        seats = tuple(dict.fromkeys((move.seat, *seats)))
        if 0 <= move.field < len(state.board.types):
            fields = (state.board.name(move.field),)
    return Finding(
        finding.kind is Kind.ILLEGAL,
        finding.reason.name,
        finding.rule,
        finding.text,
        seats,
        zones_of(state, finding.reason, finding.seats),
        fields,
    )
