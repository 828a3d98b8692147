"""Positions made by hand for the tests of single rules.

With two players and regions 1 and 2 unturned, the face-up half of the map is

         c1 c2 c3
    r1   P  P  F
    r2   M  V  P
    r3   P  F  P
    r4   P  F  C
    r5   P  M  F
    r6   V  P  P      (columns 4 to 6 lie face down)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.games.tumult_royale import (
    COLOURS,
    NO_TILES,
    Build,
    Edition,
    Finding,
    Phase,
    Reason,
    State,
    check,
    count,
    is_legal,
    legal_moves,
    load_draft,
    load_edition,
    parse_tiles,
    start,
)
from referee.games.tumult_royale.tiles import labels_of, minus, total

KIT = load_edition("kit")
FOUR_REGIONS = ((1, 0), (2, 0), (3, 0), (4, 0))


def house(**rulings: object) -> Edition:
    """The kit with other rulings."""
    draft = load_draft("kit")
    for name, value in rulings.items():
        draft = draft.with_value(f"rulings.{name}", value)
    return draft.complete()


def number(state: State, field: str) -> int:
    return state.board.number(field)


def position(
    phase: Phase,
    statues: Sequence[Mapping[str, int] | str] = ("r1c1", "r5c1"),
    castles: Sequence[str] = (),
    *,
    ranks: Sequence[int] | None = None,
    supporters: Sequence[int] | None = None,
    edition: Edition = KIT,
    seats: Sequence[Mapping[str, Any]] = (),
    **changes: Any,
) -> State:
    """A position of as many players as `statues` has; whatever is not given follows from that.

    `statues` names a field that bears one, or says how many stand on which; `seats` changes
    single values of seats.
    """
    players = len(statues)
    ranks = tuple(ranks or range(1, players + 1))
    state = start(edition, COLOURS[:players], ranks, FOUR_REGIONS[:players])
    heaps = [parse_tiles(text) for text in castles] or [NO_TILES] * players
    made = []
    for index, seat in enumerate(state.seats):
        standing = statues[index]
        for name, statues_there in (
            {standing: 1} if isinstance(standing, str) else standing
        ).items():
            planes = seat.planes_with(number(state, name), statues_there)
            seat = replace(seat, planes=planes, built=seat.built + statues_there)
        if supporters:
            seat = replace(seat, supporters=supporters[index])
        made.append(replace(seat, tiles=heaps[index]))
    made = [replace(s, **dict(c)) for s, c in zip(made, [*seats, *[{}] * players], strict=False)]
    aside = NO_TILES
    if phase in (Phase.PLEAS, Phase.TUMULTS, Phase.BUILD):
        aside = _aside(state, heaps)
    values: dict[str, Any] = {
        "phase": phase,
        "seats": tuple(made),
        "round": 1,
        "demand": 0 if phase is Phase.SENTIMENT else 3,
        "aside": aside,
        "centre": minus(state.centre, total((aside, *heaps))),
        "turn": _turn(phase, ranks),
        "supply": edition.supporters - sum(seat.supporters for seat in made),
    }
    return replace(state, **(values | changes))


def _aside(state: State, heaps: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The last tiles that nobody has: tools, the most symbols first."""
    rest = minus(state.centre, total(heaps))
    out = labels_of(rest)[-3 * state.players :]
    return count(out)


def _turn(phase: Phase, ranks: Sequence[int]) -> int:
    king = ranks.index(1)
    turns = {
        Phase.FIRST_STATUES: ranks.index(len(ranks)),
        Phase.SENTIMENT: king,
        Phase.BUILD: king,
        Phase.CROWNING: king,
        Phase.REGIONS: king,
    }
    return turns.get(phase, -1)


def build(state: State, field: str, payment: str, seat: int | None = None) -> Build:
    acting = state.turn if seat is None else seat
    return Build(acting, number(state, field), parse_tiles(payment))


def reasons(findings: Sequence[Finding]) -> list[tuple[str, Reason]]:
    return [(finding.kind.name, finding.reason) for finding in findings]


def found(state: State, field: str, payment: str) -> list[tuple[str, Reason]]:
    """What `check` says of a build; `legal_moves` must agree."""
    move = build(state, field, payment)
    findings = check(state, move)
    assert (move in legal_moves(state)) == is_legal(state, move)
    return reasons(findings)
