"""Moves that one more standing piece shows: a legal one, and one that breaks a rule.

What they are is asked of the game: its steps explain every table with one piece more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Generic

from referee.games.game import Explained, Game, MoveT, StateT, Table
from referee.games.said import joined
from referee.games.table import PlacedPieces, Placement, Point, TablePlan
from referee.match.acceptance.layout import fields_of, lying, standing


@dataclass(frozen=True, slots=True)
class Case(Generic[MoveT]):
    """A move, as text and in words, and how the table lies when it was made."""

    move: MoveT
    text: str
    words: str
    placement: Placement


def legal_case(game: Game[StateT, MoveT], state: StateT) -> Case[MoveT] | None:
    """A legal move that one piece shows, near the middle of its board; None if there is none."""
    plan = game.plan(state)
    offered = {choice.text for choice in game.choices(state)}
    found = []
    for piece, explained in _explained(game, state):
        case = _case(game, state, piece, explained)
        breaks = any(finding.illegal for finding in game.check(state, explained.move))
        if not explained.legal or breaks or (offered and case.text not in offered):
            continue
        after = game.placement(game.apply(state, explained.move))
        if standing(after) == standing(case.placement) and lying(after) == lying(case.placement):
            found.append((_off_middle(plan, piece.field), case))
    return min(found, key=lambda each: each[0])[1] if found else None


def illegal_case(game: Game[StateT, MoveT], state: StateT) -> Case[MoveT] | None:
    """A move that one piece shows and that breaks a rule, yet that a person may let stand.

    It is far from all other pieces. None if there is none.
    """
    places = _places(game.plan(state))
    stand = [places[piece.field] for piece in game.placement(state).pieces]
    found = []
    for piece, explained in _explained(game, state):
        if not explained.legal and game.possible(state, explained.move):
            apart = min((math.dist(places[piece.field], at) for at in stand), default=0.0)
            found.append((apart, _case(game, state, piece, explained)))
    return max(found, key=lambda each: each[0])[1] if found else None


def open_fields(game: Game[StateT, MoveT], state: StateT) -> frozenset[str]:
    """The fields where one more piece would be a move that can be done, be it illegal."""
    return frozenset(
        piece.field
        for piece, explained in _explained(game, state)
        if game.possible(state, explained.move)
    )


def _explained(
    game: Game[StateT, MoveT], state: StateT
) -> Iterator[tuple[PlacedPieces, Explained[MoveT]]]:
    """Every piece that may be added, where the table then means exactly one finished move."""
    step, placement, plan = game.step(state), game.placement(state), game.plan(state)
    if step is None or step.ask is None or not step.ask.fields or step.device is not None:
        return
    faces, backs = lying(placement)
    fields, there = fields_of(plan), standing(placement)
    for colour in plan.piece_colours:
        for field in fields:
            more = {**there, field: Counter(there.get(field, {})) + Counter({colour: 1})}
            told = step.explain(Table(faces, backs, more, frozenset(fields)))
            if len(told.moves) == 1 and not told.moves[0].missing:
                yield PlacedPieces(colour, field, 1), told.moves[0]


def _case(
    game: Game[StateT, MoveT], state: StateT, piece: PlacedPieces, explained: Explained[MoveT]
) -> Case[MoveT]:
    placement = game.placement(state)
    return Case(
        explained.move,
        game.write_move(explained.move, state),
        joined(game.tell(state, explained.move)),
        replace(placement, pieces=(*placement.pieces, piece)),
    )


def _places(plan: TablePlan) -> dict[str, Point]:
    """The middle of each field where its board usually lies."""
    return {
        field.name: (
            board.origin[0] + field.corner[0] + field.size[0] / 2,
            board.origin[1] + field.corner[1] + field.size[1] / 2,
        )
        for board in plan.boards
        for field in board.fields
    }


def _off_middle(plan: TablePlan, field: str) -> float:
    """How far a field is from the middle of its board. (mm)"""
    (board,) = (b for b in plan.boards if any(f.name == field for f in b.fields))
    middle = (board.origin[0] + board.size[0] / 2, board.origin[1] + board.size[1] / 2)
    return math.dist(_places(plan)[field], middle)
