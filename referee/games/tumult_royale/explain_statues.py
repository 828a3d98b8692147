"""What statues on the map mean beside the record: those that are new, and those that are gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.games.game import Explained, Explanation, Finding, Table
from referee.games.tumult_royale.checks import Reason
from referee.games.tumult_royale.findings import illegal, judged
from referee.games.tumult_royale.moves import FirstStatue, Move
from referee.games.tumult_royale.state import State
from referee.games.tumult_royale.words import name, number_of, place, upper


@dataclass(frozen=True, slots=True)
class New:
    """Statues of a seat that surely stand on a field where the record has fewer."""

    seat: int
    field: int
    count: int


@dataclass(frozen=True, slots=True)
class Statues:
    """What differs on the fields that are sure; `gone` are fewer than the record has."""

    new: tuple[New, ...]
    gone: tuple[New, ...]

    @classmethod
    def of(cls, state: State, table: Table) -> Statues:
        """Compares the sure fields with the record; nothing is said of others."""
        new: list[New] = []
        gone: list[New] = []
        for number in range(len(state.board.types)):
            field = state.board.name(number)
            if field not in table.sure_fields:
                continue
            seen = table.pieces.get(field, {})
            for index, seat in enumerate(state.seats):
                more = seen.get(seat.colour, 0) - seat.statues_on(number)
                if more:
                    (new if more > 0 else gone).append(New(index, number, abs(more)))
        return cls(tuple(new), tuple(gone))

    def of_seat(self, seat: int) -> tuple[New, ...]:
        """The new ones of a seat."""
        return tuple(new for new in self.new if new.seat == seat)

    def of_others(self, seat: int) -> tuple[New, ...]:
        """The new ones of all seats but one."""
        return tuple(new for new in self.new if new.seat != seat)


def first_statue(state: State, table: Table) -> Explanation[Move]:
    """The first statue of the seat whose turn it is, on a free pasture (2).

    Who comes too early, beside somebody who has placed the statue, is looked at when the turn has
    come.
    """
    statues = Statues.of(state, table)
    if statues.gone:
        return Explanation(differs=displaced(state, statues))
    own = statues.of_seat(state.turn)
    if not own:
        return too_early(state, table, statues)
    if len(own) > 1:
        return Explanation(differs=(two_fields(state, own),))
    (new,) = own
    if new.count > 1:
        return Explanation(differs=(wrong_count(state, new, 1),))
    move = FirstStatue(new.seat, new.field)
    return Explanation((Explained(move, judged(state, move)),))


def displaced(state: State, statues: Statues) -> tuple[Finding, ...]:
    """Statues of the record that are no longer where they stood."""
    found = []
    for gone in statues.gone:
        where = [place(state, new.field) for new in statues.new if new.seat == gone.seat]
        text = (
            f"{upper(_whose(state, gone))} {_verb(gone, 'is', 'are')} gone from {_at(state, gone)}"
        )
        text += f"; there are new ones on {' and '.join(where)}." if where else "."
        fields = {gone.field, *(new.field for new in statues.new if new.seat == gone.seat)}
        found.append(
            illegal(
                state,
                Reason.STATUE_MOVED,
                text,
                (gone.seat,),
                tuple(map(state.board.name, sorted(fields))),
            )
        )
    return tuple(found)


def too_early(state: State, table: Table, statues: Statues) -> Explanation[Move]:
    """New statues of seats whose turn it isn't: they came too early, or were moved there.

    Only if all other statues of a seat surely stand where the record has them, it is the former.
    """
    names = state.board.name
    hidden = [
        new
        for new in statues.of_others(state.turn)
        if any(
            names(field) not in table.sure_fields
            for field, _ in state.seats[new.seat].statues()
            if field != new.field
        )
    ]
    if not hidden:
        return Explanation(differs=out_of_turn(state, statues))
    return Explanation(
        missing=tuple(
            f"{upper(_whose(state, new))} {_verb(new, 'stands', 'stand')} on {_at(state, new)}, "
            f"where the record has none, and not all others of {name(state, new.seat)} are seen "
            "for sure: put it back, or see that nothing hides them."
            for new in hidden
        )
    )


def out_of_turn(state: State, statues: Statues) -> tuple[Finding, ...]:
    """New statues of seats whose turn it isn't."""
    found = []
    for new in statues.of_others(state.turn):
        text = (
            f"{upper(_whose(state, new))} {_verb(new, 'stands', 'stand')} on {_at(state, new)}, "
            f"but it is {name(state, state.turn)}'s turn."
        )
        field = state.board.name(new.field)
        found.append(illegal(state, Reason.OUT_OF_TURN, text, (new.seat,), (field,)))
    return tuple(found)


def two_fields(state: State, own: Sequence[New]) -> Finding:
    """New statues of a seat on more than one field."""
    where = " and ".join(place(state, new.field) for new in own)
    text = f"{name(state, own[0].seat)} has new statues on {where}: only one field at a time."
    fields = tuple(state.board.name(new.field) for new in own)
    return illegal(state, Reason.TWO_FIELDS, text, (own[0].seat,), fields)


def wrong_count(state: State, new: New, due: int) -> Finding:
    """More or fewer new statues on a field than fill it, which is `due`."""
    stand = f"{_verb(new, 'stands', 'stand')} {_whose(state, new)}"
    text = f"On {_at(state, new)} {stand}; it takes {due}."
    field = state.board.name(new.field)
    return illegal(state, Reason.WRONG_STATUE_COUNT, text, (new.seat,), (field,))


def _whose(state: State, new: New) -> str:
    return f"{number_of(new.count, 'statue')} of {name(state, new.seat)}"


def _verb(new: New, one: str, more: str) -> str:
    return one if new.count == 1 else more


def _at(state: State, new: New) -> str:
    return place(state, new.field)
