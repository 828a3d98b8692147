"""What a settled table means while statues are placed and paid for (section 3.4)."""

from __future__ import annotations

from dataclasses import dataclass

from referee.games.game import Explained, Explanation, Finding, Table
from referee.games.said import either, joined, say, say_n
from referee.games.tumult_royale.checks import Reason
from referee.games.tumult_royale.explain_statues import (
    New,
    Statues,
    displaced,
    too_early,
    two_fields,
    wrong_count,
)
from referee.games.tumult_royale.explain_tiles import (
    above,
    lying,
    missing_tiles,
    moved,
    unseen,
)
from referee.games.tumult_royale.findings import illegal, judged
from referee.games.tumult_royale.legal import cost_on, legal_builds
from referee.games.tumult_royale.moves import Build, Move
from referee.games.tumult_royale.payments import suffices
from referee.games.tumult_royale.state import State
from referee.games.tumult_royale.tiles import Symbols, Tiles, symbols_of, total
from referee.games.tumult_royale.words import name, names, place, price, tiles

#: Breaches that neither a tile nor a statue more can mend.
_HOPELESS = frozenset(
    reason.name
    for reason in (
        Reason.FACE_DOWN,
        Reason.NOT_FREE,
        Reason.NOT_ADJACENT,
        Reason.TOO_FEW_STATUES,
    )
)
#: More fields than this on which a statue may stand are not worth reading.
_FEW_FIELDS = 4


def build(state: State, table: Table) -> Explanation[Move]:
    """A field filled by the seat whose turn it is, and paid from its castle.

    Once that is done, what others did too early is looked at when their turn has come.
    """
    centre, castles = lying(state, table)
    statues = Statues.of(state, table)
    if differs := (*displaced(state, statues), *moved(state, centre, castles)):
        return Explanation(differs=differs)
    losses = tuple(above(seat.tiles, now) for seat, now in zip(state.seats, castles, strict=True))
    seen = _Seen(state, table, statues, losses, unseen(state, centre, castles))
    own = statues.of_seat(state.turn)
    if len(own) > 1:
        return Explanation(differs=(two_fields(state, own),))
    if own:
        return seen.filled(own[0])
    if any(losses[state.turn]) or not statues.new:
        return Explanation(missing=seen.paid_for_nothing())
    return seen.by_others()


@dataclass(frozen=True)
class _Seen:
    """What differs from the record: new statues, and what each castle lacks."""

    state: State
    table: Table
    statues: Statues
    losses: tuple[Tiles, ...]
    short: str
    """A sentence on tiles that lie nowhere any more."""

    def filled(self, new: New) -> Explanation[Move]:
        """Statues of the seat whose turn it is stand on one field."""
        state, payment = self.state, self.losses[new.seat]
        move = Build(new.seat, new.field, payment)
        findings = judged(state, move)
        wrong = {finding.reason for finding in findings if finding.illegal}
        if wrong & _HOPELESS:
            return self._hopeless(move, findings)
        due = self._due(new)
        if new.count > due:
            return Explanation(differs=(wrong_count(state, new, due),))
        cost = cost_on(state, new.seat, new.field)
        assert cost is not None
        paid = suffices(cost, payment)
        if not paid and new.count == due and suffices(cost, total(self.losses)):
            return Explanation(differs=(self._not_owned(new.seat),))
        missing: list[str] = []
        if new.count < due:
            findings = (*findings, wrong_count(state, new, due))
            missing.append(
                say_n(
                    due - new.count,
                    "{who} puts one more statue on {where}.",
                    "{who} puts {n:word} more statues on {where}.",
                    who=name(state, new.seat),
                    where=place(state, new.field),
                )
            )
        if not paid:
            missing.append(self._still_due(move, cost))
        if self.short:
            findings = (*findings, *missing_tiles(state, self.short))
            missing.append(self.short)
        return Explanation((Explained(move, findings, tuple(missing)),))

    def by_others(self) -> Explanation[Move]:
        """Somebody else has placed statues, and nothing is seen of the one whose turn it is."""
        state, (new, *others) = self.state, self.statues.new
        move = Build(new.seat, new.field, self.losses[new.seat])
        findings = judged(state, move)
        only = {each.reason for each in findings if each.illegal} == {Reason.OUT_OF_TURN.name}
        paid = total(self.losses) == move.payment and not self.short
        if only and paid and not others and new.count == self._due(new):
            return Explanation((Explained(move, findings),))
        return too_early(state, self.table, self.statues)

    def paid_for_nothing(self) -> tuple[str, ...]:
        """Sentences on tiles that were moved, though no new statue is seen for sure."""
        state, turn = self.state, self.state.turn
        told: list[str] = []
        if any(paid := self.losses[turn]):
            fields = {
                each.field
                for each in legal_builds(state, turn)
                if each.payment == paid
                and state.board.name(each.field) not in self.table.sure_fields
            }
            told.append(
                say(
                    "{who} has paid {tiles}, but no new statue is seen for sure.",
                    who=name(state, turn),
                    tiles=tiles(paid),
                )
            )
            if 0 < len(fields) <= _FEW_FIELDS:
                where = either([place(state, field) for field in sorted(fields)])
                told.append(say("It may stand on {where}: see that nothing hides it.", where=where))
        for seat, lost in enumerate(self.losses):
            if seat != turn and any(lost):
                told.append(
                    say(
                        "{tiles:upper} left {who}'s castle, but it is {other}'s turn: put it back.",
                        tiles=tiles(lost),
                        who=name(state, seat),
                        other=name(state, turn),
                    )
                )
        return (*told, self.short) if self.short else tuple(told)

    def _hopeless(self, move: Build, findings: tuple[Finding, ...]) -> Explanation[Move]:
        """Statues where none may be put now; as long as nothing is paid they can be taken back."""
        too_little = Reason.PAID_TOO_LITTLE.name
        findings = tuple(finding for finding in findings if finding.reason != too_little)
        missing: tuple[str, ...] = ()
        if not any(move.payment):
            why = next(finding.text for finding in findings if finding.reason in _HOPELESS)
            back = say("{who} takes the statue back.", who=name(self.state, move.seat))
            missing = (joined([why, back]),)
        elif self.short:
            missing = (self.short,)
        return Explanation((Explained(move, findings, missing),))

    def _due(self, new: New) -> int:
        """How many statues the seat puts on the field."""
        type_ = self.state.board.types[new.field]
        needed = self.state.edition.statues_on[type_] if type_ else new.count
        return min(needed, self.state.statues_left(new.seat))

    def _not_owned(self, seat: int) -> Finding:
        """The price was paid with tiles of other castles too."""
        givers = tuple(
            other for other, lost in enumerate(self.losses) if other != seat and any(lost)
        )
        foreign = total(self.losses[other] for other in givers)
        text = say(
            "{who} pays with {tiles} from the castle of {others}.",
            who=name(self.state, seat),
            tiles=tiles(foreign),
            others=names(self.state, givers),
        )
        return illegal(self.state, Reason.TILES_NOT_OWNED, text, (seat, *givers))

    def _still_due(self, move: Build, cost: Symbols) -> str:
        """What is lacking of the price."""
        state = self.state
        paid = symbols_of(move.payment)
        bread, marble, tools = (max(0, n - has) for n, has in zip(cost, paid, strict=True))
        type_ = state.board.types[move.field]
        who, where = name(state, move.seat), place(state, move.field)
        lacking = price((bread, marble, tools))
        if type_ is None or cost == state.edition.cost_of[type_]:
            return say("{who} still pays {price} for {where}.", who=who, price=lacking, where=where)
        return say(
            "{who} still pays {price} for {where}, which costs double since it touches no own "
            "field.",
            who=who,
            price=lacking,
            where=where,
        )
