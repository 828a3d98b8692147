"""What statues on the map mean beside the record: those that are new, and those that are gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.games.game import Explained, Explanation, Finding, Table
from referee.games.said import listed, say, say_n
from referee.games.tumult_royale.checks import Reason
from referee.games.tumult_royale.findings import illegal, judged
from referee.games.tumult_royale.moves import FirstStatue, Move
from referee.games.tumult_royale.state import State
from referee.games.tumult_royale.words import name, place


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
        new = [place(state, each.field) for each in statues.new if each.seat == gone.seat]
        text = say_n(
            gone.count,
            "One statue of {who} is gone from {where}",
            "{n:word,upper} statues of {who} are gone from {where}",
            who=name(state, gone.seat),
            where=place(state, gone.field),
        )
        if new:
            there = listed(new)
            text = say("{gone}; there are new ones on {where}.", gone=text, where=there)
        else:
            text = say("{gone}.", gone=text)
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
            say_n(
                new.count,
                "One statue of {who} stands on {where}, where the record has none, and not all "
                "others of {who} are seen for sure: put it back, or see that nothing hides them.",
                "{n:word,upper} statues of {who} stand on {where}, where the record has none, and "
                "not all others of {who} are seen for sure: put it back, or see that nothing hides "
                "them.",
                who=name(state, new.seat),
                where=place(state, new.field),
            )
            for new in hidden
        )
    )


def out_of_turn(state: State, statues: Statues) -> tuple[Finding, ...]:
    """New statues of seats whose turn it isn't."""
    found = []
    for new in statues.of_others(state.turn):
        text = say_n(
            new.count,
            "One statue of {who} stands on {where}, but it is {other}'s turn.",
            "{n:word,upper} statues of {who} stand on {where}, but it is {other}'s turn.",
            who=name(state, new.seat),
            where=place(state, new.field),
            other=name(state, state.turn),
        )
        field = state.board.name(new.field)
        found.append(illegal(state, Reason.OUT_OF_TURN, text, (new.seat,), (field,)))
    return tuple(found)


def two_fields(state: State, own: Sequence[New]) -> Finding:
    """New statues of a seat on more than one field."""
    text = say(
        "{who} has new statues on {where}: only one field at a time.",
        who=name(state, own[0].seat),
        where=listed([place(state, new.field) for new in own]),
    )
    fields = tuple(state.board.name(new.field) for new in own)
    return illegal(state, Reason.TWO_FIELDS, text, (own[0].seat,), fields)


def wrong_count(state: State, new: New, due: int) -> Finding:
    """More or fewer new statues on a field than fill it, which is `due`."""
    text = say_n(
        new.count,
        "On {where} stands one statue of {who}; it takes {due}.",
        "On {where} stand {n:word} statues of {who}; it takes {due}.",
        where=place(state, new.field),
        who=name(state, new.seat),
        due=due,
    )
    field = state.board.name(new.field)
    return illegal(state, Reason.WRONG_STATUE_COUNT, text, (new.seat,), (field,))
