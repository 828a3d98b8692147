"""Judges a move: what is illegal about it, what could have been done better, and by which rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from referee.games.said import Said, either, listed, say
from referee.games.tumult_royale.legal import EXPECTED, cost_on
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
from referee.games.tumult_royale.payments import excess, payments, spare_tile, suffices
from referee.games.tumult_royale.sections import FieldType
from referee.games.tumult_royale.state import (
    State,
    crown_due,
    mercy_due,
    ranks_due,
    tumults,
)
from referee.games.tumult_royale.tiles import KINDS, LABELS, Symbols, Tiles, minus, total
from referee.games.tumult_royale.words import (
    FIELD_WORDS,
    TITLES,
    name,
    price,
    tile,
    tiles,
)

#: Each kind of move, as what is done.
_MOVES: Mapping[type[Move], Said] = {
    FirstStatue: say("placing a first statue"),
    Spin: say("spinning"),
    SetAside: say("setting tiles aside"),
    TimeUp: say("ending the time"),
    Reveal: say("revealing tiles"),
    Plead: say("pleading for mercy"),
    Punish: say("punishing"),
    Build: say("building"),
    Pass: say("passing"),
    Rank: say("giving ranks"),
    Crown: say("crowning"),
    TurnRegion: say("turning a region"),
    ShowMercy: say("showing mercy"),
}


class Kind(Enum):
    """How much a finding weighs."""

    ILLEGAL = auto()
    ADVISORY = auto()


class Reason(Enum):
    """What a finding is about."""

    WRONG_PHASE = auto()
    OUT_OF_TURN = auto()
    NO_SUCH_FIELD = auto()
    FACE_DOWN = auto()
    NOT_FREE = auto()
    NOT_A_PASTURE = auto()
    NOT_ADJACENT = auto()
    TOO_FEW_STATUES = auto()
    MALFORMED = auto()
    TILES_NOT_OWNED = auto()
    PAID_TOO_LITTLE = auto()
    SPARE_TILE = auto()
    CHEAPER_PAYMENT = auto()
    NOT_ON_SPINNER = auto()
    SET_ASIDE_COUNT = auto()
    TILES_MISSING = auto()
    TILES_TOO_MANY = auto()
    TILES_NOT_IN_EDITION = auto()
    TAKEN_AFTER_TIME = auto()
    PUT_BACK_AFTER_TIME = auto()
    MERCY_NOT_SHOWN = auto()
    RETURNED_WRONG_TILES = auto()
    WRONG_RANK = auto()
    WRONG_STATUE_COUNT = auto()
    PLACE_NOT_FACE_DOWN = auto()
    REGION_NOT_AVAILABLE = auto()
    WRONG_MERCY = auto()
    NOT_COUNTED = auto()
    COUNTED_LATE = auto()
    STATUE_MOVED = auto()
    TWO_FIELDS = auto()
    TILE_MOVED = auto()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to say about a move; `rule` is the section of the rules, such as "3.4".

    `seats` are those whom it concerns in particular.
    """

    kind: Kind
    reason: Reason
    rule: str
    text: str
    seats: tuple[int, ...] = ()


def check(state: State, move: Move) -> tuple[Finding, ...]:
    """Everything to say about a move; it is legal if no finding is ILLEGAL."""
    if type(move) not in EXPECTED[state.phase]:
        wanted = either([_MOVES[kind] for kind in EXPECTED[state.phase]]) or say("nothing")
        text = say(
            '{what:upper} does not belong to the step "{phase}": {wanted} does.',
            what=_MOVES[type(move)],
            phase=TITLES[state.phase],
            wanted=wanted,
        )
        return (Finding(Kind.ILLEGAL, Reason.WRONG_PHASE, state.phase.rule, text),)
    findings = _CHECKS[type(move)](state, move)
    return tuple(
        Finding(kind, reason, state.phase.rule, text, seats)
        for kind, reason, text, seats in findings
    )


def is_legal(state: State, move: Move) -> bool:
    """Whether `check` finds nothing illegal."""
    return all(finding.kind is not Kind.ILLEGAL for finding in check(state, move))


_Raw = tuple[Kind, Reason, str, tuple[int, ...]]


def _illegal(reason: Reason, text: str, *seats: int) -> _Raw:
    return Kind.ILLEGAL, reason, text, seats


def _colour(state: State, seat: int) -> Said:
    known = 0 <= seat < state.players
    return name(state, seat) if known else say("Seat {n}", n=seat)


def _turn(state: State, seat: int) -> Iterator[_Raw]:
    if seat != state.turn:
        text = say(
            "{who} acts, but it is {other}'s turn.",
            who=_colour(state, seat),
            other=_colour(state, state.turn),
        )
        yield _illegal(Reason.OUT_OF_TURN, text, seat)


def _free(state: State, number: int) -> Iterator[_Raw]:
    """Whether a field is face up and free."""
    if not 0 <= number < len(state.board.types):
        text = say("There is no field number {number} on this map.", number=number)
        yield _illegal(Reason.NO_SUCH_FIELD, text)
        return
    field = state.board.name(number)
    if state.board.types[number] is None:
        text = say("The region of field {field} lies face down.", field=field)
        yield _illegal(Reason.FACE_DOWN, text)
    for owner, seat in enumerate(state.seats):
        if count := seat.statues_on(number):
            text = say(
                "Field {field} is not free: it bears {n} of {who}'s statues.",
                field=field,
                n=count,
                who=name(state, owner),
            )
            yield _illegal(Reason.NOT_FREE, text, owner)


def _first_statue(state: State, move: FirstStatue) -> Iterator[_Raw]:
    yield from _turn(state, move.seat)
    problems = list(_free(state, move.field))
    yield from problems
    type_ = None if problems else state.board.types[move.field]
    if type_ not in (None, "pasture"):
        text = say(
            "The first statue goes on a pasture, but field {field} is a {what}.",
            field=state.board.name(move.field),
            what=FIELD_WORDS[type_],
        )
        yield _illegal(Reason.NOT_A_PASTURE, text)


def _spin(state: State, move: Spin) -> Iterator[_Raw]:
    if move.demand not in state.edition.spinner:
        numbers = [str(number) for number in sorted({*state.edition.spinner})]
        text = say(
            "The spinner bears {numbers}, but no {demand}.",
            numbers=listed(numbers),
            demand=move.demand,
        )
        yield _illegal(Reason.NOT_ON_SPINNER, text)


def _set_aside(state: State, move: SetAside) -> Iterator[_Raw]:
    each = state.edition.numbers.set_aside
    if move.tiles != (due := each * state.players):
        text = say(
            "{n} tiles were set aside, but {each} from each player make {due}.",
            n=move.tiles,
            each=each,
            due=due,
        )
        yield _illegal(Reason.SET_ASIDE_COUNT, text)


def _time_up(state: State, move: TimeUp) -> Iterator[_Raw]:
    if move.castles is None:
        return
    if len(move.castles) != state.players or min(move.castles) < 0:
        text = say("A number of tiles is needed for each of {n} castles.", n=state.players)
        yield _illegal(Reason.MALFORMED, text)
        return
    there = sum(state.centre) - state.edition.numbers.set_aside * state.players
    if (taken := sum(move.castles)) > there:
        text = say(
            "{n} tiles lie on the castles, but only {there} were in the centre.",
            n=taken,
            there=there,
        )
        yield _illegal(Reason.TILES_TOO_MANY, text)


def _reveal(state: State, move: Reveal) -> Iterator[_Raw]:
    heaps = (move.centre, *move.castles)
    if len(move.castles) != state.players or not all(map(_well_formed, heaps)):
        text = say(
            "The tiles in the centre and on each of {n} castles are needed.", n=state.players
        )
        yield _illegal(Reason.MALFORMED, text)
        return
    in_play, seen = state.edition.tiles_in_play[state.players], total(heaps)
    due = sum(in_play) - state.edition.numbers.set_aside * state.players
    if (lie := sum(seen)) < due:
        text = say(
            "{n} tiles lie face up, {fewer} fewer than the {due} left to rob.",
            n=lie,
            fewer=due - lie,
            due=due,
        )
        yield _illegal(Reason.TILES_MISSING, text)
    elif lie > due:
        text = say(
            "{n} tiles lie face up, {more} more than the {due} left to rob.",
            n=lie,
            more=lie - due,
            due=due,
        )
        yield _illegal(Reason.TILES_TOO_MANY, text)
    for label, there, has in zip(LABELS, seen, in_play, strict=True):
        if there > has:
            text = say(
                "{n} tiles {face} lie face up, but the game has {has}.",
                n=there,
                face=tile(label),
                has=has,
            )
            yield _illegal(Reason.TILES_NOT_IN_EDITION, text)
    for seat, (castle, at_time) in enumerate(zip(move.castles, state.at_time or (), strict=False)):
        now = sum(castle)
        text = say(
            "{who}'s castle bore {before} tiles when time was up, and {now} at the reveal.",
            who=name(state, seat),
            before=at_time,
            now=now,
        )
        if now == at_time + 1 and not state.hands_empty:
            # Whoever holds a tile when time is up may keep it: one more proves nothing.
            text = say(
                "{who}'s castle bore {before} tiles when time was up, and {now} at the reveal: "
                "right only if the hand held that tile when time was up.",
                who=name(state, seat),
                before=at_time,
                now=now,
            )
            yield Kind.ADVISORY, Reason.TAKEN_AFTER_TIME, text, (seat,)
        elif now > at_time:
            yield _illegal(Reason.TAKEN_AFTER_TIME, text, seat)
        elif now < at_time:
            yield _illegal(Reason.PUT_BACK_AFTER_TIME, text, seat)


def _well_formed(tiles: Tiles) -> bool:
    return len(tiles) == KINDS and min(tiles) >= 0


def _plead(state: State, move: Plead) -> Iterator[_Raw]:
    if len(move.seats) != state.players:
        text = say("A plea or none is needed for each of {n} seats.", n=state.players)
        yield _illegal(Reason.MALFORMED, text)
        return
    for seat, (pleads, player) in enumerate(zip(move.seats, state.seats, strict=True)):
        if pleads and not player.mercy:
            text = say("{who}'s card shows no mercy that could be used.", who=name(state, seat))
            yield _illegal(Reason.MERCY_NOT_SHOWN, text, seat)


def _punish(state: State, move: Punish) -> Iterator[_Raw]:
    if len(move.returned) != state.players or not all(map(_well_formed, move.returned)):
        text = say("The tiles returned by each of {n} seats are needed.", n=state.players)
        yield _illegal(Reason.MALFORMED, text)
        return
    due = tumults(state).returned
    for seat, (returned, wanted) in enumerate(zip(move.returned, due, strict=True)):
        if returned != wanted:
            text = say(
                "{who} returned {tiles}, but must return {due}.",
                who=name(state, seat),
                tiles=tiles(returned),
                due=tiles(wanted),
            )
            yield _illegal(Reason.RETURNED_WRONG_TILES, text, seat)


def _build(state: State, move: Build) -> Iterator[_Raw]:
    yield from _turn(state, move.seat)
    if not 0 <= move.seat < state.players:
        return
    problems = list(_free(state, move.field))
    yield from problems
    who, player = name(state, move.seat), state.seats[move.seat]
    known = 0 <= move.field < len(state.board.types)
    type_ = state.board.types[move.field] if known else None
    if not _well_formed(move.payment):
        yield _illegal(Reason.MALFORMED, say("The payment is no heap of tiles."))
        return
    lacking = tuple(max(0, n) for n in minus(move.payment, player.tiles))
    if any(lacking):
        text = say(
            "{who} pays with {tiles} that do not lie on the own castle.",
            who=who,
            tiles=tiles(lacking),
        )
        yield _illegal(Reason.TILES_NOT_OWNED, text, move.seat)
    if type_ is None:
        return
    yield from _enough_statues(state, move.seat, type_)
    cost = cost_on(state, move.seat, move.field)
    what = say("The {what} {field}", what=FIELD_WORDS[type_], field=state.board.name(move.field))
    if cost is None:
        text = say("{what} touches no field with {who}'s statues.", what=what, who=who)
        yield _illegal(Reason.NOT_ADJACENT, text, move.seat)
        return
    if cost != state.edition.cost_of[type_]:
        what = say("{what}, at double cost since it touches no own field,", what=what)
    yield from _payment(state, move, what, cost, any(lacking))


def _enough_statues(state: State, seat: int, type_: FieldType) -> Iterator[_Raw]:
    left, needed = state.statues_left(seat), state.edition.statues_on[type_]
    rest_will_do = state.edition.rulings.too_few_statues == "place_rest" and left > 0
    if left < needed and not rest_will_do:
        text = say(
            "A {what} needs {n} statues, but {who} has {left} left.",
            what=FIELD_WORDS[type_],
            n=needed,
            who=name(state, seat),
            left=left,
        )
        yield _illegal(Reason.TOO_FEW_STATUES, text, seat)


def _payment(state: State, move: Build, what: Said, cost: Symbols, lacking: bool) -> Iterator[_Raw]:
    rulings = state.edition.rulings
    if not suffices(cost, move.payment):
        text = say(
            "{what} costs {price}; {tiles} does not pay that.",
            what=what,
            price=price(cost),
            tiles=tiles(move.payment),
        )
        if not any(move.payment):
            text = say("{what} costs {price}, but nothing is paid.", what=what, price=price(cost))
        yield _illegal(Reason.PAID_TOO_LITTLE, text, move.seat)
        return
    if spare := spare_tile(cost, move.payment):
        kind = Kind.ILLEGAL if rulings.spare_tile == "illegal" else Kind.ADVISORY
        text = say("{what} is paid without {tile} too: leave it out.", what=what, tile=tile(spare))
        yield kind, Reason.SPARE_TILE, text, (move.seat,)
        if kind is Kind.ILLEGAL or rulings.cheaper_payment == "advisory":
            return
    least = payments(cost, state.seats[move.seat].tiles, rulings)
    if not lacking and least and excess(cost, move.payment) > excess(cost, least[0]):
        kind = Kind.ILLEGAL if rulings.cheaper_payment == "illegal" else Kind.ADVISORY
        text = say(
            "Symbols paid too much with {tiles}: {n}, but {least} with {better}.",
            tiles=tiles(move.payment),
            n=excess(cost, move.payment),
            least=excess(cost, least[0]),
            better=tiles(least[0]),
        )
        yield kind, Reason.CHEAPER_PAYMENT, text, (move.seat,)


def _pass(state: State, move: Pass) -> Iterator[_Raw]:
    yield from _turn(state, move.seat)


def _rank(state: State, move: Rank) -> Iterator[_Raw]:
    if len(move.ranks) != state.players:
        text = say("A rank is needed for each of {n} seats.", n=state.players)
        yield _illegal(Reason.MALFORMED, text)
        return
    for seat, (rank, due) in enumerate(zip(move.ranks, ranks_due(state), strict=True)):
        if rank != due:
            text = say(
                "{who} with {n} supporters becomes rank {due}, not {rank}.",
                who=name(state, seat),
                n=state.seats[seat].supporters,
                due=due,
                rank=rank,
            )
            yield _illegal(Reason.WRONG_RANK, text, seat)


def _crown(state: State, move: Crown) -> Iterator[_Raw]:
    if move.statues != (due := crown_due(state)):
        text = say(
            "Space {space} takes {due} of {who}'s statues, not {n}.",
            space=len(state.chronicle) + 1,
            due=due,
            who=name(state, state.turn),
            n=move.statues,
        )
        yield _illegal(Reason.WRONG_STATUE_COUNT, text, state.turn)


def _turn_region(state: State, move: TurnRegion) -> Iterator[_Raw]:
    if move.place not in state.board.face_down_places:
        text = say(
            "No region lies face down at place {place}; some do at {places}.",
            place=move.place,
            places=listed([str(place) for place in state.board.face_down_places]),
        )
        yield _illegal(Reason.PLACE_NOT_FACE_DOWN, text)
    if move.laid.region not in state.board.unseen_regions:
        text = say(
            "Region {region} lies on the map already, or is no region.", region=move.laid.region
        )
        yield _illegal(Reason.REGION_NOT_AVAILABLE, text)
    if move.laid.turn not in range(4):
        yield _illegal(Reason.MALFORMED, say("A region lies turned by 0 to 3 quarters."))


def _show_mercy(state: State, move: ShowMercy) -> Iterator[_Raw]:
    if len(move.seats) != state.players:
        text = say("A card is needed for each of {n} seats.", n=state.players)
        yield _illegal(Reason.MALFORMED, text)
        return
    for seat, (shown, due) in enumerate(zip(move.seats, mercy_due(state), strict=True)):
        if shown != due:
            who = name(state, seat)
            if due:
                text = say("{who}'s card must show mercy.", who=who)
            else:
                text = say("{who}'s card must show no mercy.", who=who)
            yield _illegal(Reason.WRONG_MERCY, text, seat)


_CHECKS: dict[type[Move], Any] = {
    FirstStatue: _first_statue,
    Spin: _spin,
    SetAside: _set_aside,
    TimeUp: _time_up,
    Reveal: _reveal,
    Plead: _plead,
    Punish: _punish,
    Build: _build,
    Pass: _pass,
    Rank: _rank,
    Crown: _crown,
    TurnRegion: _turn_region,
    ShowMercy: _show_mercy,
}
